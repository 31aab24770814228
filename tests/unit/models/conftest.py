"""A store of its own, and what can be pulled into it."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from tiny_checkpoints import CONFIG, random_weights, write_folder, write_gguf

from assay.models import download


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(download, "RETRY_DELAY_S", 0.0)
    # Plain HTTP on loopback needs none of the certificates, which take long to read.
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *args, **kwargs: None)
    for name in ("HF_TOKEN", "HF_ENDPOINT", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "Tiny Model.gguf", CONFIG, random_weights(CONFIG))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "repository", CONFIG, random_weights(CONFIG), num_shards=2)
