"""Where Assay keeps what it fetches."""

from __future__ import annotations

import os
from pathlib import Path


def assay_home() -> Path:
    """The folder that holds pulled models: `ASSAY_HOME`, else `assay` in the user's cache folder
    (XDG Base Directory Specification). It need not exist yet."""
    if home := os.environ.get("ASSAY_HOME"):
        return Path(home).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "assay"
