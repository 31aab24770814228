"""Packing: a checkpoint of any supported format into the folder that the engine maps.

The folder is written beside its final place under a temporary name, made durable, and renamed; a
crash at any point leaves nothing under the final name. Memory stays near `_CHUNK_BYTES` whatever
the model's size: tensors are read, rounded and written a run of rows at a time.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from assay.errors import DiskFullError
from assay.models.load import open_source
from assay.models.load.safetensors import SafetensorsWriter, packed_bytes
from assay.models.load.source import ModelSource
from assay.models.packed import (
    CHAT_TEMPLATE,
    FORMAT_VERSION,
    MANIFEST,
    TOKENIZER,
    WEIGHTS,
    PackedModel,
    load_packed,
    sha256_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assay.models.config import ModelConfig

__all__ = ["PackedModel", "load_packed", "pack_model", "quantize_rows", "round_to_bfloat16"]

_CHUNK_BYTES = 16 << 20
TEMPORARY_SUFFIX = ".partial"
_Layout = dict[str, tuple[str, tuple[int, ...]]]


def pack_model(
    source: Path,
    target: Path,
    *,
    name: str | None = None,
    source_name: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Packs the checkpoint at `source` (GGUF file or Hugging Face folder) into the folder `target`.

    `name` is what the model is called (default: the folder's name); `source_name` is recorded as
    where it came from. `progress` is called with bytes written and bytes in all. Returns `target`.

    Raises:
        CorruptModelError, UnsupportedModelError: `source` cannot be used.
        DiskFullError: no room; the temporary folder is removed.
        FileExistsError: `target` exists.
    """
    opened = open_source(source)
    matrices, vectors = _plan(opened.config)
    layout = _layout(opened, matrices, vectors)
    if target.exists():
        raise FileExistsError(errno.EEXIST, "already exists", str(target))
    with _temporary_folder(target, packed_bytes(layout)) as folder:
        _write_weights(folder / WEIGHTS, opened, matrices, vectors, layout, progress)
        _write_text(folder / TOKENIZER, opened.tokenizer_json)
        if opened.chat_template is not None:
            _write_text(folder / CHAT_TEMPLATE, opened.chat_template)
        manifest = {
            "format_version": FORMAT_VERSION,
            "name": name or target.name,
            "config": asdict(opened.config),
            "source": {"name": source_name or source.name, "sha256": _source_hash(opened)},
            "files": {
                path.name: {"size": path.stat().st_size, "sha256": sha256_of(path)}
                for path in sorted(folder.iterdir())
            },
        }
        _write_text(folder / MANIFEST, json.dumps(manifest, indent=2, ensure_ascii=False))
    return target


def round_to_bfloat16(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The bits of the nearest bfloat16 numbers, ties to even."""
    import numpy as np

    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return rounded.astype(np.uint16)


def quantize_rows(
    values: NDArray[np.float32],
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 for each row: `values ~= int8 * scale[:, None]`, nothing clipped."""
    import numpy as np

    scale = np.abs(values).max(axis=1) / np.float32(127)
    scale[scale == 0] = 1.0
    quantized = np.rint(values / scale[:, None]).astype(np.int8)
    return quantized, scale.astype(np.float32)


def _plan(config: ModelConfig) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """For each packed matrix and float32 vector, the checkpoint's tensors stacked in it."""
    matrices = {"embedding": ["model.embed_tokens.weight"]}
    tied = config.tie_word_embeddings
    matrices["lm_head"] = ["model.embed_tokens.weight" if tied else "lm_head.weight"]
    vectors = {"final_norm.weight": ["model.norm.weight"]}
    for layer in range(config.num_layers):
        ours, theirs = f"layers.{layer}.", f"model.layers.{layer}."
        qkv = [f"{theirs}self_attn.{letter}_proj" for letter in "qkv"]
        matrices[ours + "qkv"] = [name + ".weight" for name in qkv]
        matrices[ours + "o"] = [theirs + "self_attn.o_proj.weight"]
        matrices[ours + "gate_up"] = [f"{theirs}mlp.{part}_proj.weight" for part in ("gate", "up")]
        matrices[ours + "down"] = [theirs + "mlp.down_proj.weight"]
        vectors[ours + "input_norm.weight"] = [theirs + "input_layernorm.weight"]
        vectors[ours + "post_norm.weight"] = [theirs + "post_attention_layernorm.weight"]
        if config.qkv_bias:
            vectors[ours + "qkv.bias"] = [name + ".bias" for name in qkv]
        if config.qk_norm:
            vectors[ours + "q_norm.weight"] = [theirs + "self_attn.q_norm.weight"]
            vectors[ours + "k_norm.weight"] = [theirs + "self_attn.k_norm.weight"]
    return matrices, vectors


def _layout(
    source: ModelSource, matrices: dict[str, list[str]], vectors: dict[str, list[str]]
) -> _Layout:
    layout: _Layout = {}
    for name, parts in matrices.items():
        rows = sum(source.tensors[part].shape[0] for part in parts)
        columns = source.tensors[parts[0]].shape[1]
        if name != "lm_head" or not source.config.tie_word_embeddings:
            layout[name + ".weight"] = ("BF16", (rows, columns))
        if name != "embedding":
            layout[name + ".int8"] = ("I8", (rows, columns))
            layout[name + ".scale"] = ("F32", (rows,))
    for name, parts in vectors.items():
        layout[name] = ("F32", (sum(source.tensors[part].shape[0] for part in parts),))
    return layout


def _write_weights(
    path: Path,
    source: ModelSource,
    matrices: dict[str, list[str]],
    vectors: dict[str, list[str]],
    layout: _Layout,
    progress: Callable[[int, int], None] | None,
) -> None:
    import numpy as np

    written, total = 0, packed_bytes(layout)
    writer = SafetensorsWriter(path, layout)
    try:
        for name, parts in matrices.items():
            for start, rows in _chunks(source, parts):
                if f"{name}.weight" in layout:
                    writer.write_rows(f"{name}.weight", start, round_to_bfloat16(rows))
                    written += rows.size * 2
                if f"{name}.int8" in layout:
                    quantized, scale = quantize_rows(rows)
                    writer.write_rows(f"{name}.int8", start, quantized)
                    writer.write_rows(f"{name}.scale", start, scale)
                    written += rows.size + scale.nbytes
                if progress:
                    progress(min(written, total), total)
        for name, parts in vectors.items():
            writer.write_rows(
                name, 0, np.concatenate([source.tensors[part].read() for part in parts])
            )
    except BaseException:
        writer.abandon()
        raise
    writer.close()
    if progress:
        progress(total, total)


def _chunks(source: ModelSource, parts: list[str]) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Yields the stacked matrix a run of rows at a time, with the number of its first row."""
    base = 0
    for part in parts:
        tensor = source.tensors[part]
        num_rows, columns = tensor.shape
        step = max(1, _CHUNK_BYTES // (columns * 4))
        for start in range(0, num_rows, step):
            yield base + start, tensor.read_rows(start, min(start + step, num_rows))
        base += num_rows


def _source_hash(source: ModelSource) -> str:
    """The file's SHA-256, or of several files the SHA-256 over their names and hashes."""
    if len(source.files) == 1:
        return sha256_of(source.files[0])
    digest = hashlib.sha256()
    for path in sorted(source.files, key=lambda path: path.name):
        digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


@contextmanager
def _temporary_folder(target: Path, num_bytes: int) -> Iterator[Path]:
    """A folder beside `target` that takes its name if the block succeeds and goes if it fails."""
    folder = target.with_name(f".{target.name}.{uuid4().hex[:8]}{TEMPORARY_SUFFIX}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(target.parent).free
        if free < num_bytes:
            raise disk_full(target.parent, num_bytes, free)
        folder.mkdir()
        yield folder
        _sync(folder)
        folder.rename(target)
        _sync(target.parent)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full(target.parent, num_bytes, None) from error
        raise
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def disk_full(folder: Path, num_bytes: int, free: int | None) -> DiskFullError:
    """The error for a disk that cannot take `num_bytes` more."""
    have = "" if free is None else f", {free / 1e6:,.0f} MB are free"
    return DiskFullError(
        f"no room in {folder}: {num_bytes / 1e6:,.0f} MB are needed{have}",
        remedy="free some space or point ASSAY_HOME at another disk",
    )


def _write_text(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
