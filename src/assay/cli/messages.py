"""What the command says on standard error: one line a complaint, safe to show on a terminal."""

from __future__ import annotations

import os
import sys
import traceback
import unicodedata
from pathlib import Path

from assay.errors import AssayError

STDIN_NAME = "standard input"
#: Set to 1, unexpected errors come with their traceback.
DEBUG_VARIABLE = "ASSAY_DEBUG"


def one_line(text: str) -> str:
    """`text` with runs of white space made one space, and without control characters.

    File names and documents come from anywhere: an escape sequence in one must not reach the
    terminal, nor a bidirectional override.
    """
    kept = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
    return " ".join("".join(kept).split())


def display_name(path: Path) -> str:
    """How a FILE argument is called in messages."""
    return STDIN_NAME if str(path) == "-" else str(path)


def complain(text: str, *, about: str | None = None) -> None:
    """Prints `assay: about: text` on standard error, as one line."""
    line = one_line(text)
    if about:
        line = f"{one_line(about)}: {_without_name(line, about)}"
    print(f"assay: {line}", file=sys.stderr, flush=True)


def _without_name(line: str, about: str) -> str:
    """`line` without the file's name at its start or end, for it is printed before the line."""
    for name in (one_line(about), one_line(Path(about).name)):
        if name:
            line = line.removeprefix(name).removesuffix(f": {name}").lstrip(": ")
    return line


def report(error: BaseException, *, about: str | None = None) -> int:
    """Prints what went wrong and returns the exit code it stands for.

    An `AssayError` or `OSError` is bad input (2); anything else is a bug of ours (1).
    """
    if isinstance(error, AssayError):
        text = _without_name(one_line(error.message), about) if about else error.message
        complain(f"{text} ({error.remedy})" if error.remedy else text, about=about)
        return 2
    if isinstance(error, OSError) and error.strerror:
        name = error.filename if isinstance(error.filename, str) else None
        complain(f"{name}: {error.strerror}" if name else error.strerror, about=about)
        return 2
    debug = os.environ.get(DEBUG_VARIABLE) == "1"
    if debug:
        traceback.print_exception(error)
    detail = f"{type(error).__name__}: {error}".rstrip(": ")
    hint = "" if debug else f"; {DEBUG_VARIABLE}=1 shows where"
    complain(f"{detail} (this is a bug in assay{hint})", about=about)
    return 1
