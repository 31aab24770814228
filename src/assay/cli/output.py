"""Where results go: standard output, or a file that is whole or not there.

Text leaves as UTF-8 bytes whatever the locale, so that offsets into `assay text` hold.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.errors import InputError

#: Temporary files that exist now. Removed when the command ends early.
_scratch_files: set[str] = set()


def discard_scratch_files() -> None:
    """Removes every temporary file of a write in progress. Safe from any thread."""
    for name in tuple(_scratch_files):
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 (runs while the process is being ended)


def as_line(value: Mapping[str, Any], *, indent: int | None = None) -> str:
    """`value` as JSON with a final line feed; characters stand for themselves."""
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n"


def _encode(text: str) -> bytes:
    # A lone surrogate (a file name that is not UTF-8) becomes \udcXX, which JSON reads back.
    return text.encode("utf-8", "backslashreplace")


def write_stdout(text: str) -> None:
    """Writes `text` to standard output as UTF-8 and flushes it.

    Raises:
        BrokenPipeError: the reader went away.
        InputError: it cannot be written.
    """
    sys.stdout.flush()
    try:
        rest = memoryview(_encode(text))
        while rest:
            # Under PYTHONUNBUFFERED the buffer is a raw file, which may take a part.
            rest = rest[sys.stdout.buffer.write(rest) or 0 :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable("standard output", error) from error


def check_target(path: Path, inputs: Sequence[Path]) -> None:
    """Refuses an output path that cannot be written or that is one of the inputs.

    Raises:
        InputError: so it is. Found here, it costs the user nothing yet.
    """
    target = path.resolve()
    if target.is_dir():
        raise InputError(f"{path}: is a directory", remedy="name a file with --out")
    if not target.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}", remedy="create it first")
    if not os.access(target if _is_special(target) else target.parent, os.W_OK):
        raise InputError(f"{path}: permission denied", remedy="name another file with --out")
    for source in inputs:
        if target.exists() and source.exists() and target.samefile(source):
            raise InputError(
                f"{path}: is one of the documents", remedy="name another file with --out"
            )


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a file atomically: readers see the old content, or the whole of the new.

    The temporary file lies beside it. A device or a pipe is written directly.

    Raises:
        InputError: it cannot be written; the old content stands.
    """
    target = path.resolve()
    data = _encode(content) if isinstance(content, str) else content
    try:
        if _is_special(target):
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise _unwritable(str(path), error) from error


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _replace(target: Path, data: bytes) -> None:
    scratch = str(target.with_name(f".{target.name}.{os.getpid()}.tmp"))
    _scratch_files.add(scratch)
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        with open(descriptor, "wb") as file:  # noqa: PTH123 (a descriptor, not a path)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(scratch, stat.S_IMODE(target.stat().st_mode))  # noqa: PTH101
        os.replace(scratch, target)  # noqa: PTH105
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(scratch)  # noqa: PTH108
        _scratch_files.discard(scratch)


def _unwritable(name: str, error: OSError) -> InputError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return InputError(
        f"{name}: {'the disk is full' if full else error.strerror or error}",
        remedy="free some space, or write elsewhere" if full else "write elsewhere with --out",
    )
