"""A tiny packed model with random weights, for what needs a real engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tiny_checkpoints import CONFIG, random_weights, write_folder

from assay.models.pack import pack_model
from assay.models.packed import PackedModel, load_packed


def pack_tiny(folder: Path, *, max_position_embeddings: int = 1024) -> PackedModel:
    """Packs a two-layer Llama over the tiny tokenizer into `folder / "tiny"`.

    The weights are large, so that what it answers depends on all of what it read.
    """
    config = replace(CONFIG, max_position_embeddings=max_position_embeddings)
    weights = {
        name: values * (1.0 if "norm" in name else 4.0)
        for name, values in random_weights(config, seed=1).items()
    }
    write_folder(folder / "checkpoint", config, weights)
    return load_packed(pack_model(folder / "checkpoint", folder / "tiny"))
