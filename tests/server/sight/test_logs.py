"""Lines of the log."""

import asyncio
import json
import logging
import sys

import pytest

from croupier_server.sight.logs import JsonLines, TextLines, about, of


def record(text: str, *values: object, failed: bool = False) -> logging.LogRecord:
    found = logging.LogRecord("croupier_server.dealer.runner", logging.WARNING, "", 1, text, values, None)
    if failed:
        try:
            int("a reason")
        except ValueError:
            found.exc_info = sys.exc_info()
    return found


def test_a_line_in_json_has_its_parts_and_stays_one_line():
    line = JsonLines("worker").format(record("table %s:\n%s", "vegas", "\ud800 \u202e", failed=True))
    assert "\n" not in line
    read = json.loads(line)
    assert read["at"].endswith("+00:00")
    assert read["error"].startswith("Traceback (most recent call last):\n")
    assert "\nValueError: " in read["error"]
    parts = {key: read[key] for key in ("level", "process", "logger", "message")}
    assert parts == {
        "level": "warning",
        "process": "worker",
        "logger": "croupier_server.dealer.runner",
        "message": "table vegas:\n? \u202e",
    }


async def test_what_a_task_speaks_of_is_in_its_lines_and_in_no_others():
    async def spoken(table: str, round_: int) -> list[str]:
        about(table=table)
        about(round=round_)
        await asyncio.sleep(0)
        return [lines.format(record("late")) for lines in (JsonLines("worker"), TextLines("worker"))]

    found = await asyncio.gather(spoken("vegas", 7), spoken("standard", 12))
    for (line, text), (table, round_) in zip(found, [("vegas", 7), ("standard", 12)], strict=True):
        assert (json.loads(line)["table"], json.loads(line)["round"]) == (table, round_)
        assert text.endswith(f" WARNING late [round {round_}]")
    assert "table" not in json.loads(JsonLines("worker").format(record("late")))
    assert TextLines("serve").format(record("late")).endswith(" serve WARNING late")


async def test_a_line_says_what_it_is_about_where_its_task_is_about_more():
    about(table="standard", round=12)
    one = record("cannot be dealt")
    one.about = of("vegas")["about"]
    read = json.loads(JsonLines("worker").format(one))
    assert (read["table"], read["round"]) == ("vegas", 12)
    one.about = of("vegas", 7)["about"]
    assert json.loads(JsonLines("worker").format(one))["round"] == 7
    assert TextLines("worker").format(one).endswith(" [round 7]")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("raise ValueError('the end')", "ValueError: the end"),
        ("import threading; threading.Thread(target=lambda: 1 / 0).start()", "ZeroDivisionError"),
        ("type('Odd', (), {'__del__': lambda _: 1 / 0})()", "ZeroDivisionError"),
        ("import warnings; warnings.warn('that is old', stacklevel=1)", "UserWarning: that is old"),
        ("import asyncio; asyncio.run(asyncio.sleep('x'))", "TypeError"),
    ],
)
async def test_whatever_a_process_says_of_its_own_accord_is_a_line_of_its_log(what, said):
    begin = "from croupier_server.sight.logs import *; set_up_log('worker', LogTerms(format='json'))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"{begin}\n{what}", stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    [line] = errors.decode().splitlines()
    read = json.loads(line)
    assert read["process"] == "worker"
    assert said in read.get("error", read["message"])
