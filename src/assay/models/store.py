"""Where packed models live, and what a name stands for.

`ASSAY_HOME/models/NAME` is a packed model. Names are lower case and cannot leave the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.config import assay_home
from assay.errors import ConfigError, ModelError, ModelNotPulledError
from assay.models.packed import is_packed, read_manifest

DEFAULT_MODEL = "smollm2"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model in the store. `num_bytes` is what its files take."""

    name: str
    path: Path
    source: str
    num_bytes: int


def models_folder() -> Path:
    """The folder that holds a folder for each model. It need not exist yet."""
    return assay_home() / "models"


def model_path(name: str) -> Path:
    """Where the model of this name is, or would be.

    Raises:
        ConfigError: not a name (`[a-z0-9._-]`, beginning with a letter or a digit).
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is not a model's name", remedy="use a-z, 0-9, '.', '_', '-'")
    return models_folder() / name


def resolve_model(name_or_path: str | Path = DEFAULT_MODEL) -> Path:
    """The packed folder that a name or a path stands for.

    Raises:
        ModelNotPulledError: there is none; the remedy is the command that fetches it.
    """
    text = str(name_or_path)
    if _NAME.fullmatch(text) and is_packed(model_path(text)):
        return model_path(text)
    path = Path(name_or_path).expanduser()
    if is_packed(path):
        return path
    if isinstance(name_or_path, str):
        from assay.models.spec import parse_spec

        # What was pulled as "org/name" or "pypi:name==1" may be asked for in the same words.
        try:
            name = parse_spec(text).name
        except ConfigError:
            name = ""
        if name and is_packed(model_path(name)):
            return model_path(name)
    raise ModelNotPulledError(
        f"model {text!r} is not here",
        remedy=f"run: assay pull {text}; `assay models` lists what is here",
    )


def list_models() -> list[StoredModel]:
    """The models in the store, by name. A folder that cannot be read is left out."""
    return sorted(_stored(), key=lambda model: model.name)


def _stored() -> Iterator[StoredModel]:
    folder = models_folder()
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if not _NAME.fullmatch(path.name) or not is_packed(path):
            continue
        try:
            manifest = read_manifest(path)
            size = sum(item["size"] for item in manifest["files"].values())
            source = manifest["source"]["name"]
        except (ModelError, KeyError, TypeError):
            continue
        yield StoredModel(path.name, path, source, size)
