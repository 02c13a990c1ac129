"""Lists the licence of each package that is in the image; one that is not allowed is a failure.

python tools/licences.py
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LOCK = Path(__file__).parents[1] / "locks" / "image.txt"

ALLOWED = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CNRI-Python",
        "ISC",
        "LGPL-3.0-only",  # as a library of its own, as it comes: psycopg, where an archive is in PostgreSQL
        "MIT",
        "MIT-0",
        "MPL-2.0",  # asks for nothing where its own files are not changed
        "PSF-2.0",
    }
)
"""By their SPDX names: all of them let Croupier be used, changed and passed on under its own licence."""

USUAL_NAMES = {
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd-3-clause license": "BSD-3-Clause",
    "isc license": "ISC",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psf": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
}
"""What packages write that do not use SPDX names yet."""


def locked() -> list[str]:
    """The packages of the lock."""
    names = re.findall(r"(?m)^([a-z0-9-]+)(?:\[[^]]*\])?==", LOCK.read_text(encoding="utf-8"))
    return list(dict.fromkeys(names))


def licence(package: Distribution) -> str:
    """The licence as the package says it, by its SPDX name where it has one; empty where it says none."""
    said = package.metadata.get("License-Expression") or ""
    if not said:
        classified = [
            one for one in package.metadata.get_all("Classifier") or () if one.startswith("License ::")
        ]
        said = " AND ".join(one.rpartition(" :: ")[2] for one in classified if one.count("::") > 1)
    if not said:
        said = (package.metadata.get("License") or "").partition("\n")[0].strip()
    return " AND ".join(USUAL_NAMES.get(part.lower(), part) for part in said.split(" AND "))


def allowed(expression: str) -> bool:
    """Whether an SPDX expression can be met with allowed licences alone.

    >>> allowed("MIT AND (Apache-2.0 OR GPL-3.0-only)"), allowed("MIT AND GPL-3.0-only"), allowed("")
    (True, False, False)
    """
    words = re.findall(r"[()]|[A-Za-z0-9.+-]+", expression)
    if not words or words[-1] in {"AND", "OR"}:
        return False
    judged = [
        word.lower() if word in {"AND", "OR"} else word if word in "()" else str(word in ALLOWED)
        for word in words
    ]
    return _either(judged)


def _either(words: list[str]) -> bool:
    found = _all(words)
    while words and words[0] == "or":
        words.pop(0)
        found = _all(words) or found
    return found


def _all(words: list[str]) -> bool:
    found = _one(words)
    while words and words[0] == "and":
        words.pop(0)
        found = _one(words) and found
    return found


def _one(words: list[str]) -> bool:
    word = words.pop(0)
    if word != "(":
        return word == "True"
    found = _either(words)
    return bool(words) and words.pop(0) == ")" and found


def listed() -> Iterator[tuple[str, str, str]]:
    """Each package of the lock that is installed here: name, version, licence."""
    for name in locked():
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # for another system or Python
        yield name, package.version, licence(package)


def main() -> int:
    refused = 0
    for name, version, said in listed():
        good = allowed(said)
        refused += not good
        print(f"{name:24} {version:16} {said or 'says none'}{'' if good else '   NOT ALLOWED'}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
