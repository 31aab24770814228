"""Where the trained weights of fallbacks lie: in the package, or for a while in another folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_PACKAGE = Path(__file__).with_name("weights")
_FOLDER: ContextVar[Path] = ContextVar("folder of weights", default=_PACKAGE)


def weights_path(name: str) -> Path:
    """The file `name` of the folder in use, or of the package where that has none."""
    path = _FOLDER.get() / name
    return path if path.exists() else _PACKAGE / name


@contextmanager
def weights_from(folder: Path) -> Iterator[None]:
    """Has fallbacks use the weights in `folder`, here and in tasks started from here. What has been
    loaded stays loaded by its path: write no file anew that was used."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)
