"""`croupier serve` before anything starts: what is wrong is one line on standard error, and status 2."""

import pytest

from croupier_server.commands import serve


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"port": 70_000}, "server.port: there is no port 70000; the last is 65535"),
        ({"admin_port": -1}, "server.admin_port: there is no port -1; the last is 65535"),
        ({"pace": "slow"}, "tables[0].pace: there is no pace 'slow'; there are standard, speed, turbo"),
    ],
)
def test_a_bad_option_is_one_line_and_status_2(capsys, tmp_path, options, line):
    assert serve(data=tmp_path, **options) == 2
    assert capsys.readouterr().err == f"croupier: command line: {line}\n"
    assert list(tmp_path.iterdir()) == []
