"""Holds the versions in locks/ against tools/known_faults.toml; a version with a known fault is a failure.

python tools/known_faults.py

It asks nobody, so that it can run anywhere at any time, and knows what that file knows; `make audit-deps`
asks the advisory service.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]

ACCEPTED = {
    ("cryptography", "48.0.1", "CVE-2026-69247"),
    # On Macs with an Intel processor alone, for which no newer version has a wheel. The fault is in
    # decrypting PKCS#7, which Croupier does not do.
}


class Pin(NamedTuple):
    """A version in a lock."""

    package: str
    version: str
    lock: str


class Finding(NamedTuple):
    """A pin with a known fault."""

    pin: Pin
    fault: str


Faults = Mapping[str, Mapping[str, list[str]]]
"""The versions each fault of each package concerns."""


def known(text: str) -> Faults:
    """What a file of known faults says."""
    return tomllib.loads(text)


def pins(lock: str, text: str) -> Iterator[Pin]:
    """The versions in the text of a lock."""
    for package, version in re.findall(r"(?m)^([a-z0-9-]+)(?:\[[^]]*\])?==([^\s;\\]+)", text):
        yield Pin(package, version, lock)


def findings(locked: list[Pin], faults: Faults) -> list[Finding]:
    """The pins that a known fault concerns, those that are accepted left out.

    >>> locked = [Pin("redis", "4.4.3", "a.txt"), Pin("redis", "4.5.2", "b.txt")]
    >>> findings(locked, {"redis": {"F-1": [">=4.4,<4.4.3", ">=4.5,<4.5.3"]}})
    [Finding(pin=Pin(package='redis', version='4.5.2', lock='b.txt'), fault='F-1')]
    """
    return [
        Finding(pin, fault)
        for pin in locked
        for fault, concerned in faults.get(pin.package, {}).items()
        if any(SpecifierSet(versions).contains(pin.version, prereleases=True) for versions in concerned)
        and (pin.package, pin.version, fault) not in ACCEPTED
    ]


def main() -> int:
    """Prints the findings; returns the exit status."""
    faults = known((ROOT / "tools" / "known_faults.toml").read_text(encoding="utf-8"))
    locked = [
        pin
        for lock in sorted((ROOT / "locks").glob("*.txt"))
        for pin in pins(lock.name, lock.read_text("utf-8"))
    ]
    found = findings(locked, faults)
    for pin, fault in found:
        print(f"{pin.package} {pin.version} in locks/{pin.lock} has the known fault {fault}", file=sys.stderr)
    print(f"{len(locked)} locked versions held against {sum(map(len, faults.values()))} known faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
