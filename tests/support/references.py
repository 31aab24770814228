"""Tiny random models beside their transformers twins, and logits at every position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tiny_checkpoints import CONFIG, random_weights, write_folder

from assay.engine.attention import StepAttention
from assay.engine.schedule import ScheduledSequence
from assay.kv_cache.storage import BlockStorage
from assay.models.config import ModelConfig
from assay.models.llama import LlamaModel
from assay.models.pack import pack_model
from assay.models.packed import PackedModel, load_packed

LLAMA = replace(CONFIG, max_position_embeddings=512)
_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
_YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}
FAMILY: dict[str, tuple[ModelConfig, dict[str, Any]]] = {
    "llama": (LLAMA, {}),
    "llama-linear": (LLAMA, {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
    "llama-llama3": (LLAMA, {"rope_scaling": _LLAMA3}),
    "llama-yarn": (LLAMA, {"rope_scaling": _YARN}),
    "mistral": (replace(LLAMA, architecture="mistral"), {"sliding_window": 24}),
    "qwen2": (replace(LLAMA, architecture="qwen2", qkv_bias=True, tie_word_embeddings=True), {}),
    "qwen3": (replace(LLAMA, architecture="qwen3", qk_norm=True, head_dim=32), {}),
}


def make_checkpoint(folder: Path, kind: str, seed: int = 0) -> PackedModel:
    """Writes a random checkpoint of a kind in `FAMILY` to `folder`, and packs it.

    Matrices hold bfloat16 numbers, so that packing loses nothing; norms are around 1.
    """
    config, overrides = FAMILY[kind]
    weights = {}
    for name, values in random_weights(config, seed).items():
        if values.ndim == 2:
            weights[name] = torch.from_numpy(values * 1.5).bfloat16().float().numpy()
        elif name.endswith("bias"):
            weights[name] = values * 5
        else:
            weights[name] = np.float32(1) + values
    overrides = {"model_type": config.architecture, **overrides}
    source = write_folder(folder / "checkpoint", config, weights, overrides=overrides)
    return load_packed(pack_model(source, folder / "packed"))


def all_logits(
    model: LlamaModel, token_ids: Sequence[int], *, block_size: int = 16, chunk: int | None = None
) -> torch.Tensor:
    """Logits `(len(token_ids), vocab_size)` after every token, computed `chunk` tokens a step."""
    num_blocks = -(-len(token_ids) // block_size)
    storage = BlockStorage(model.config, num_blocks, block_size, model.kv_dtype)
    parts = []
    for start in range(0, len(token_ids), chunk or len(token_ids)):
        ids = token_ids[start : start + (chunk or len(token_ids))]
        step = StepAttention(
            model.config, storage, [ScheduledSequence(ids, start, range(num_blocks))]
        )
        rows = torch.arange(len(ids))
        with torch.inference_mode():
            parts.append(model.forward(torch.tensor(ids), rows + start, step, rows))
    return torch.cat(parts)
