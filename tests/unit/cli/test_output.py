"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from assay.cli.output import as_line, check_target, discard_scratch_files, write_file
from assay.errors import InputError


def test_what_cannot_be_written_leaves_the_old_content(tmp_path, monkeypatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="the disk is full"):
        write_file(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_write_in_progress_can_be_discarded_by_another_thread(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: discard_scratch_files())
    with pytest.raises(InputError):
        write_file(tmp_path / "out.json", "new")
    assert list(tmp_path.iterdir()) == []


def test_permissions_are_kept(tmp_path) -> None:
    target = tmp_path / "out.json"
    target.touch(mode=0o600)
    write_file(target, "new")
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_link_is_written_through(tmp_path) -> None:
    target, link = tmp_path / "out.json", tmp_path / "link"
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_full_device_is_said() -> None:
    with pytest.raises(InputError, match="the disk is full"):
        write_file(Path("/dev/full"), "new")


@pytest.mark.parametrize("name", ["no/such/folder/out.json", "."])
def test_a_target_that_cannot_be_is_found_before_the_work(tmp_path, name) -> None:
    with pytest.raises(InputError):
        check_target(tmp_path / name, [])


def test_a_target_that_is_an_input_under_another_name_is_refused(tmp_path) -> None:
    source, link = tmp_path / "contract.txt", tmp_path / "link.txt"
    source.write_text("text")
    link.symlink_to(source)
    with pytest.raises(InputError, match="one of the documents"):
        check_target(link, [source])


def test_json_keeps_characters_and_reads_back_any_file_name(tmp_path) -> None:
    value = {"name": "合同\udcff.txt"}
    target = tmp_path / "out.json"
    write_file(target, as_line(value))
    assert "合同" in target.read_text(encoding="utf-8")
    assert json.loads(target.read_bytes()) == value
