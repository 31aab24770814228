"""Pulling from a Hugging Face server, and what can go wrong on the way."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_checkpoints import CONFIG, random_weights, write_folder
from tiny_hub import TinyHub

from assay.errors import ChecksumError, DiskFullError, DownloadError, UnsupportedModelError
from assay.models import download
from assay.models.load.safetensors import open_tensors
from assay.models.packed import WEIGHTS, load_packed
from assay.models.pull import PullProgress, pull_model
from assay.models.store import models_folder

pytestmark = pytest.mark.usefixtures("home")

SHARD = "model-00001-of-00002.safetensors"


def _visible() -> list[str]:
    """What stands in the store under a name of its own."""
    return [path.name for path in models_folder().iterdir() if not path.name.startswith(".")]


@pytest.fixture
def hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TinyHub]:
    server = TinyHub(folder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", server.url + "/")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_repository_is_fetched_and_packed(hub: TinyHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    path = pull_model("acme/tiny")
    assert path.name == "acme--tiny"
    assert load_packed(path, verify=True).config == CONFIG
    assert {token for _, _, token in hub.requests} == {"Bearer secret"}
    assert _visible() == ["acme--tiny"]
    assert not list(models_folder().glob(".*.download"))


def test_an_interrupted_download_goes_on_where_it_stopped(hub: TinyHub) -> None:
    size = (hub.folder / SHARD).stat().st_size
    hub.cut_after[SHARD] = size // 2
    pull_model("acme/tiny")
    spans = [span for path, span, _ in hub.requests if path.endswith(SHARD)]
    assert spans == [None, f"bytes={size // 2}-"]


def test_a_file_that_changed_meanwhile_is_fetched_anew(hub: TinyHub) -> None:
    size = (hub.folder / SHARD).stat().st_size
    hub.cut_after[SHARD] = size // 2

    def interrupt(progress: PullProgress) -> None:
        if progress.item == SHARD and progress.done_bytes >= size // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pull_model("acme/tiny", progress=interrupt)
    write_folder(hub.folder, CONFIG, random_weights(CONFIG, seed=1), num_shards=2)
    pull_model("acme/tiny")
    stored = open_tensors(models_folder() / "acme--tiny" / WEIGHTS)["final_norm.weight"].read()
    expected = random_weights(CONFIG, seed=1)["model.norm.weight"]
    assert stored.tolist() == expected.tolist()


def test_a_passing_failure_of_the_server_is_waited_out_and_a_lasting_one_is_not(
    hub: TinyHub,
) -> None:
    hub.fail["tokenizer.json"] = [503, 429]
    hub.fail["config.json"] = [500] * 99
    with pytest.raises(DownloadError, match="500"):
        pull_model("acme/tiny")
    hub.fail["config.json"] = []
    pull_model("acme/tiny")


@pytest.mark.parametrize("status", [401, 403])
def test_a_repository_that_is_closed_asks_for_a_token(hub: TinyHub, status: int) -> None:
    hub.fail["config.json"] = [status]
    with pytest.raises(DownloadError, match="HF_TOKEN"):
        pull_model("acme/tiny")


def test_a_repository_that_is_not_there_is_a_download_error(hub: TinyHub) -> None:
    with pytest.raises(DownloadError, match="404"):
        pull_model("acme/other")
    assert _visible() == []


@pytest.mark.parametrize("redirect", [True, False])
def test_the_hash_that_the_server_announces_is_checked(hub: TinyHub, redirect: bool) -> None:
    hub.redirect = redirect
    hub.hashes[SHARD] = hashlib.sha256((hub.folder / SHARD).read_bytes()).hexdigest()
    hub.hashes["model-00002-of-00002.safetensors"] = "1" * 64
    with pytest.raises(ChecksumError, match="model-00002"):
        pull_model("acme/tiny")
    assert _visible() == []
    del hub.hashes["model-00002-of-00002.safetensors"]
    pull_model("acme/tiny")


def test_an_unsupported_model_is_refused_before_its_weights_are_fetched(hub: TinyHub) -> None:
    write_folder(hub.folder, CONFIG, {}, overrides={"architectures": ["GptOssForCausalLM"]})
    with pytest.raises(UnsupportedModelError, match="GptOss"):
        pull_model("acme/tiny")
    assert [path.rsplit("/", 1)[1] for path, _, _ in hub.requests] == ["config.json"]


def test_an_index_cannot_write_outside_the_folder(hub: TinyHub) -> None:
    (hub.folder / "model.safetensors.index.json").write_text(
        '{"weight_map": {"x": "../../../evil.safetensors"}}'
    )
    with pytest.raises(DownloadError, match="outside"):
        pull_model("acme/tiny")


def test_a_disk_that_fills_up_while_downloading_leaves_nothing(hub: TinyHub) -> None:
    def full(progress: PullProgress) -> None:
        if progress.item == SHARD and progress.done_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DiskFullError):
        pull_model("acme/tiny", progress=full)
    assert _visible() == []
    assert not list(models_folder().rglob("*.part"))


def test_too_little_room_is_found_before_downloading(
    hub: TinyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(DiskFullError, match="are free"):
        pull_model("acme/tiny")


def test_a_file_is_fetched_by_its_address(hub: TinyHub, gguf: Path) -> None:
    (hub.folder / "Tiny-Q8.gguf").write_bytes(gguf.read_bytes())
    path = pull_model(f"{hub.url}/cdn/Tiny-Q8.gguf")
    assert path.name == "tiny-q8"
    assert load_packed(path, verify=True).config == CONFIG


def test_a_server_that_does_not_answer_is_a_download_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="run the command again"):
        pull_model("acme/tiny")
