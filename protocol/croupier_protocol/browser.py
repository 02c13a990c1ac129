"""Writes what the browser table takes from Python: the message types and the glossary.

Run as ``python -m croupier_protocol.browser client/croupier_client/web/js``; a test fails when the files are
out of date.
"""

import json
from typing import Final

import msgspec

from croupier_protocol.game.glossary import GLOSSARIES
from croupier_protocol.generating import write_into_named_folder
from croupier_protocol.language import Language
from croupier_protocol.messages.errors import ErrorCode, error_text
from croupier_protocol.typescript import declarations

_GLOSSARY_HEAD: Final = """\
// Written by `python -m croupier_protocol.browser` from the Python glossary; do not edit it.

/**
 * The terms of the game in one language. A noun is [for one, for many]; `count` of `language.js` counts it.
 * `errors` are the server's texts for its error codes.
 */
"""


def main() -> None:
    """Writes the files into the folder named on the command line."""
    write_into_named_folder(files(), __doc__)


def files() -> dict[str, str]:
    """What each file has to hold."""
    glossaries = {f"text/glossary-{language.value}.js": glossary(language) for language in GLOSSARIES}
    return {"wire/messages.d.ts": declarations(), **glossaries}


def glossary(language: Language) -> str:
    """The glossary of a language as a JavaScript module: a page loads the one that it speaks."""
    terms = {
        **msgspec.to_builtins(GLOSSARIES[language]),
        "errors": {code.value: error_text(code, language) for code in ErrorCode},
    }
    return f"{_GLOSSARY_HEAD}export const GLOSSARY = {json.dumps(terms, indent=2, ensure_ascii=False)};\n"


if __name__ == "__main__":
    main()
