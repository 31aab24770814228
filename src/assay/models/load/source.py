"""What a loader hands over, whatever format it read: configuration, tensors, tokenizer.

Tensors carry the names of Hugging Face checkpoints (`model.layers.0.self_attn.q_proj.weight`) and
its rotary layout, and are read lazily, a run of rows at a time, so that packing takes bounded
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.config import ModelConfig

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SourceTensor:
    """A tensor that has not been read yet. `read_rows(start, stop)` returns float32 of shape
    `(stop - start, *shape[1:])`."""

    shape: tuple[int, ...]
    read_rows: Callable[[int, int], NDArray[np.float32]]

    def read(self) -> NDArray[np.float32]:
        return self.read_rows(0, self.shape[0])


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A checkpoint, open for packing. `files` are what it was read from.

    `tokenizer_json` is in the format of the `tokenizers` library. `config.eos_token_ids` begins
    with the token that the tokenizer calls its end of sequence.
    """

    config: ModelConfig
    tensors: Mapping[str, SourceTensor]
    tokenizer_json: str
    chat_template: str | None
    files: tuple[Path, ...]

    def iter_tensors(self) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Yields every tensor whole, as float32, in order of name."""
        for name in sorted(self.tensors):
            yield name, self.tensors[name].read()


def expected_tensors(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """The names and shapes that a checkpoint of this configuration holds."""
    hidden, inner, head_dim = config.hidden_size, config.intermediate_size, config.head_dim
    num_query, num_key = config.num_heads * head_dim, config.num_kv_heads * head_dim
    shapes: dict[str, tuple[int, ...]] = {
        "model.embed_tokens.weight": (config.vocab_size, hidden),
        "model.norm.weight": (hidden,),
    }
    if not config.tie_word_embeddings:
        shapes["lm_head.weight"] = (config.vocab_size, hidden)
    for layer in range(config.num_layers):
        prefix = f"model.layers.{layer}."
        shapes[prefix + "input_layernorm.weight"] = (hidden,)
        shapes[prefix + "post_attention_layernorm.weight"] = (hidden,)
        for letter, rows in (("q", num_query), ("k", num_key), ("v", num_key)):
            shapes[f"{prefix}self_attn.{letter}_proj.weight"] = (rows, hidden)
            if config.qkv_bias:
                shapes[f"{prefix}self_attn.{letter}_proj.bias"] = (rows,)
        if config.qk_norm:
            shapes[prefix + "self_attn.q_norm.weight"] = (head_dim,)
            shapes[prefix + "self_attn.k_norm.weight"] = (head_dim,)
        shapes[prefix + "self_attn.o_proj.weight"] = (hidden, num_query)
        shapes[prefix + "mlp.gate_proj.weight"] = (inner, hidden)
        shapes[prefix + "mlp.up_proj.weight"] = (inner, hidden)
        shapes[prefix + "mlp.down_proj.weight"] = (hidden, inner)
    return shapes


def check_tensors(config: ModelConfig, tensors: Mapping[str, SourceTensor], where: Path) -> None:
    """Holds a checkpoint's tensors against its configuration.

    Raises:
        CorruptModelError: tensors are missing or have other shapes.
        UnsupportedModelError: there are tensors that the engine would not use.
    """
    expected = expected_tensors(config)
    if missing := sorted(expected.keys() - tensors.keys()):
        raise CorruptModelError(f"{where}: {len(missing)} tensors are missing: {_some(missing)}")
    if extra := sorted(tensors.keys() - expected.keys()):
        raise UnsupportedModelError(f"{where}: the engine has no use for {_some(extra)}")
    for name, shape in expected.items():
        if tensors[name].shape != shape:
            raise CorruptModelError(
                f"{where}: {name} has shape {tensors[name].shape}, expected {shape}"
            )


def _some(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
