"""A packed model: the folder that the engine maps.

::

    model.json            format version, configuration, source, size and SHA-256 of the files below
    weights.safetensors   named as `models/config.py` says, each tensor aligned to 64 bytes
    tokenizer.json        of the `tokenizers` library
    chat_template.jinja   where the model has one

Loading reads the headers and maps the weights; nothing is copied. The folder is written by
`models/pack.py`, whole or not at all, and never changed afterwards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import CorruptModelError, ModelNotPulledError, UnsupportedModelError
from assay.models.config import ModelConfig

if TYPE_CHECKING:
    import torch

    from assay.models.tokenizer import Tokenizer

FORMAT_VERSION = 1
MANIFEST, WEIGHTS, TOKENIZER, CHAT_TEMPLATE = (
    "model.json",
    "weights.safetensors",
    "tokenizer.json",
    "chat_template.jinja",
)


@dataclass(frozen=True)
class PackedModel:
    """A packed model, loaded. `weights` are mapped on first use and must not be written to."""

    name: str
    path: Path
    config: ModelConfig

    @cached_property
    def weights(self) -> Mapping[str, torch.Tensor]:
        """Every tensor by its packed name, sharing the pages of the file."""
        return _map_weights(self.path / WEIGHTS)

    def tokenizer(self) -> Tokenizer:
        """The tokenizer, with the chat template; loaded anew at each call."""
        from assay.models.tokenizer import Tokenizer

        template = self.path / CHAT_TEMPLATE
        return Tokenizer(
            (self.path / TOKENIZER).read_text("utf-8"),
            chat_template=template.read_text("utf-8") if template.exists() else None,
            eos_token_ids=self.config.eos_token_ids,
            bos_token_id=self.config.bos_token_id,
        )


def is_packed(path: Path) -> bool:
    """Whether `path` is a folder that was packed to the end."""
    return (path / MANIFEST).is_file()


def read_manifest(path: Path) -> dict[str, Any]:
    """The contents of a packed folder's `model.json`.

    Raises:
        ModelNotPulledError: `path` is not a packed model.
        UnsupportedModelError: it was packed in a format that this version does not read.
        CorruptModelError: it cannot be read.
    """
    try:
        manifest: dict[str, Any] = json.loads((path / MANIFEST).read_text("utf-8"))
        version = manifest["format_version"]
    except (FileNotFoundError, NotADirectoryError):
        raise ModelNotPulledError(f"{path} is not a packed model") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptModelError(f"{path / MANIFEST} cannot be read: {error}") from error
    if version != FORMAT_VERSION:
        raise UnsupportedModelError(
            f"{path} is packed in format {version}, this version reads {FORMAT_VERSION}",
            remedy="pull the model again",
        )
    return manifest


def load_packed(path: Path, *, verify: bool = False) -> PackedModel:
    """Opens a packed model. `verify` also checks the SHA-256 of every file (seconds for gigabytes).

    Raises:
        ModelNotPulledError: `path` is not a packed model.
        CorruptModelError: a file is missing, or has not the size or the hash it was written with.
        UnsupportedModelError: another format version.
    """
    path = Path(path)
    manifest = read_manifest(path)
    try:
        config = config_from_json(manifest["config"])
        for name, expected in manifest["files"].items():
            _check_file(path / name, expected, verify=verify)
        return PackedModel(name=manifest["name"], path=path, config=config)
    except (KeyError, TypeError, AttributeError) as error:
        raise CorruptModelError(f"{path / MANIFEST} lacks something: {error}") from error


def config_from_json(values: Mapping[str, Any]) -> ModelConfig:
    """Reads a configuration as `dataclasses.asdict` and JSON leave it. Unknown keys are refused."""
    known = {field.name for field in fields(ModelConfig)}
    if unknown := values.keys() - known:
        raise CorruptModelError(f"unknown configuration keys: {', '.join(sorted(unknown))}")
    return ModelConfig(**{**values, "eos_token_ids": tuple(values["eos_token_ids"])})


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's contents, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_file(path: Path, expected: Mapping[str, Any], *, verify: bool) -> None:
    remedy = "remove the folder and pull the model again"
    try:
        size = path.stat().st_size
    except OSError:
        raise CorruptModelError(f"{path} is missing", remedy=remedy) from None
    if size != expected["size"]:
        raise CorruptModelError(
            f"{path} has {size} bytes instead of {expected['size']}", remedy=remedy
        )
    if verify and sha256_of(path) != expected["sha256"]:
        raise CorruptModelError(f"{path} is not what was packed (SHA-256 differs)", remedy=remedy)


def _map_weights(path: Path) -> Mapping[str, torch.Tensor]:
    import torch

    from assay.models.load.safetensors import map_file, read_header

    dtypes = {"F32": torch.float32, "BF16": torch.bfloat16, "I8": torch.int8}
    entries, data = read_header(path), map_file(path)

    def tensors() -> Iterator[tuple[str, torch.Tensor]]:
        for name, entry in entries.items():
            dtype = dtypes[entry.dtype]
            count = entry.num_bytes // dtype.itemsize
            flat = torch.frombuffer(data, dtype=dtype, count=count, offset=entry.offset)
            yield name, flat.view(entry.shape)

    return dict(tensors())
