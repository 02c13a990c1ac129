"""No version that is installed has a fault that is known."""

import importlib.util
from pathlib import Path

TOOL = Path(__file__).parents[1] / "tools" / "known_faults.py"
spec = importlib.util.spec_from_file_location("known_faults", TOOL)
known_faults = importlib.util.module_from_spec(spec)
spec.loader.exec_module(known_faults)

LOCKS = TOOL.parents[1] / "locks"
FAULTS = known_faults.known(TOOL.with_suffix(".toml").read_text(encoding="utf-8"))


def test_no_locked_version_has_a_known_fault(capsys):
    assert known_faults.main() == 0, capsys.readouterr().err


def test_every_version_of_every_lock_is_looked_at():
    for lock in ("serve", "test", "audit"):
        text = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
        pinned = [line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))]
        assert len(list(known_faults.pins(lock, text))) == len(pinned) > 30


def test_a_version_with_a_fault_is_found_and_the_first_mended_one_is_not():
    text = "aiohttp==3.14.2 \\\n    --hash=sha256:0\ncryptography==49.0.0 ; sys_platform != 'darwin' \\\n"
    found = known_faults.findings(list(known_faults.pins("serve.txt", text)), FAULTS)
    assert [(one.pin.package, one.fault) for one in found] == [
        ("aiohttp", "CVE-2026-69244"),
        ("cryptography", "CVE-2026-69247"),
    ]
    mended = text.replace("3.14.2", "3.14.3").replace("49.0.0", "50.0.0")
    assert known_faults.findings(list(known_faults.pins("serve.txt", mended)), FAULTS) == []


def test_what_is_accepted_is_accepted_for_one_version_alone():
    text = "cryptography==48.0.1\n"
    assert known_faults.findings(list(known_faults.pins("serve.txt", text)), FAULTS) == []
    found = known_faults.findings(list(known_faults.pins("serve.txt", "cryptography==48.0.0\n")), FAULTS)
    assert [one.fault for one in found] == ["GHSA-537c-gmf6-5ccf", "CVE-2026-69247"]
