"""Which model a name stands for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_checkpoints import CONFIG, random_weights, write_gguf

from assay.config import assay_home
from assay.errors import ConfigError, ModelNotPulledError
from assay.models.pack import pack_model
from assay.models.store import list_models, model_path, models_folder, resolve_model


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def _store(tmp_path: Path, name: str) -> Path:
    source = tmp_path / "m.gguf"
    if not source.exists():
        write_gguf(source, CONFIG, random_weights(CONFIG))
    return pack_model(source, model_path(name))


def test_the_home_is_the_environments_then_the_cache_folders(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert assay_home() == home
    monkeypatch.delenv("ASSAY_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert assay_home() == Path("/xdg/assay")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/users/ann")
    assert assay_home() == Path("/users/ann/.cache/assay")


def test_a_name_and_a_path_resolve_to_the_packed_folder(tmp_path: Path, home: Path) -> None:
    packed = _store(tmp_path, "tiny")
    assert packed == home / "models" / "tiny"
    assert resolve_model("tiny") == packed
    assert resolve_model(packed) == packed
    assert resolve_model(str(packed)) == packed


def test_a_repository_resolves_to_what_it_was_pulled_as(tmp_path: Path) -> None:
    packed = _store(tmp_path, "acme--tiny-1b")
    assert resolve_model("Acme/Tiny-1B") == packed


def test_a_model_that_is_not_there_names_the_command_that_fetches_it() -> None:
    with pytest.raises(ModelNotPulledError) as caught:
        resolve_model("smollm2")
    assert "assay pull smollm2" in str(caught.value)


def test_a_folder_packed_halfway_is_not_a_model(tmp_path: Path) -> None:
    packed = _store(tmp_path, "tiny")
    (packed / "model.json").unlink()
    with pytest.raises(ModelNotPulledError):
        resolve_model("tiny")
    assert list_models() == []


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "/etc", ".hidden", "Upper", "a\0b"])
def test_names_cannot_leave_the_store(name: str) -> None:
    with pytest.raises(ConfigError):
        model_path(name)


def test_models_are_listed_by_name_with_source_and_size(tmp_path: Path) -> None:
    assert list_models() == []
    for name in ("zeta", "alpha"):
        _store(tmp_path, name)
    (models_folder() / ".alpha.download").mkdir()
    (models_folder() / "stray").mkdir()
    models = list_models()
    assert [model.name for model in models] == ["alpha", "zeta"]
    assert models[0].source == "m.gguf"
    files = [path for path in models[0].path.iterdir() if path.name != "model.json"]
    assert models[0].num_bytes == sum(path.stat().st_size for path in files)
