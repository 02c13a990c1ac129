"""Writes what the browser table takes from Python: the message types and the glossary.

Run as ``python -m croupier_protocol.browser client/croupier_client/web/js``; a test fails when the files are
out of date.
"""

import json
import sys
from pathlib import Path
from typing import Final

import msgspec

from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.typescript import declarations

_GLOSSARY_HEAD: Final = """\
// Written by `python -m croupier_protocol.browser` from the Python glossary; do not edit it.

/**
 * The terms of the game in each language. A noun is [for one, for many]; `count` of `language.js` counts it.
 * `errors` are the server's texts for its error codes.
 */
"""


def main() -> None:
    """Writes the files into the folder named on the command line."""
    for name, text in files().items():
        (Path(sys.argv[1]) / name).write_text(text, encoding="utf-8")


def files() -> dict[str, str]:
    """What each file has to hold."""
    return {"wire/messages.d.ts": declarations(), "text/glossary.js": glossary()}


def glossary() -> str:
    """The glossaries of both languages as a JavaScript module."""
    terms = {
        language.value: {
            **msgspec.to_builtins(glossary),
            "errors": {code.value: error_text(code, language) for code in ErrorCode},
        }
        for language, glossary in GLOSSARIES.items()
    }
    return f"{_GLOSSARY_HEAD}export const GLOSSARIES = {json.dumps(terms, indent=2, ensure_ascii=False)};\n"


if __name__ == "__main__":
    main()
