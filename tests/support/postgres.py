"""A PostgreSQL server of the tests' own: on a socket in a folder, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def find_binaries() -> Path | None:
    """The folder with `initdb` and `pg_ctl`, if PostgreSQL is installed."""
    if found := shutil.which("pg_ctl"):
        return Path(found).parent
    return next((place for place in _PLACES if (place / "pg_ctl").is_file()), None)


@contextmanager
def running_postgres(binaries: Path) -> Iterator[str]:
    """The URL of a server, without a database's name at its end; `postgres` is one that exists."""
    with tempfile.TemporaryDirectory(prefix="assay-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        _run(binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync")
        settings = f"-c listen_addresses= -k {folder} -c fsync=off"
        _run(binaries / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", settings, "start")
        try:
            yield f"postgresql://postgres@/{{}}?host={folder}"
        finally:
            _run(binaries / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")


def _run(*command: object) -> None:
    words = [str(word) for word in command]
    if os.getuid() == 0:
        words = ["runuser", "-u", "postgres", "--", *words]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/")
