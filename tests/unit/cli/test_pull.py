"""`assay pull`: what it says, and that errors pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay.models.pull
from assay.errors import DiskFullError
from assay.models.pull import PullProgress


@pytest.fixture
def pulled(monkeypatch, tmp_path):
    """Replaces the fetching; `reports` are what it says on the way."""
    reports: list[PullProgress] = []

    def pull_model(spec: str, *, progress) -> Path:
        for report in reports:
            progress(report)
        return tmp_path / spec

    monkeypatch.setattr(assay.models.pull, "pull_model", pull_model)
    return reports


def test_each_stage_is_a_line_without_a_terminal(command, pulled) -> None:
    for done in (0, 5, 10):
        pulled.append(PullProgress("download", "model.gguf", done, 10))
    pulled.append(PullProgress("pack", "smollm2", 0, None))
    ran = command("pull", "smollm2")
    assert ran.code == 0
    assert ran.err == "assay: downloading model.gguf\nassay: packing smollm2\n"
    assert "smollm2 is ready" in ran.out


def test_a_model_that_is_here_is_said_to_be(command, pulled) -> None:
    assert "already here" in command("pull", "smollm2").out


def test_quiet_says_nothing_on_the_way(command, pulled) -> None:
    pulled.append(PullProgress("download", "model.gguf", 1, 10))
    assert command("pull", "smollm2", "--quiet").err == ""


def test_a_full_disk_is_one_line(command, monkeypatch) -> None:
    def full(spec: str, *, progress) -> Path:
        raise DiskFullError("no room for 98 MB in /cache", remedy="set ASSAY_HOME elsewhere")

    monkeypatch.setattr(assay.models.pull, "pull_model", full)
    ran = command("pull", "smollm2")
    assert ran.code == 2
    assert ran.err == "assay: no room for 98 MB in /cache (set ASSAY_HOME elsewhere)\n"
