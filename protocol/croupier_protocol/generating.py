"""The command line of the programs that write files from the types: `describe`, `browser` and others."""

import argparse
from collections.abc import Mapping
from pathlib import Path


def write_into_named_folder(files: Mapping[str, str], about: str | None) -> None:
    """Writes each of `files` by its name into the folder that the command line names, which must be there.

    `about` is what the program says of itself. Anything else on the command line ends it with status 2.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write: a folder that is there")
    folder: Path = parser.parse_args().folder
    if not folder.is_dir():
        parser.error(f"{folder} is no folder")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
