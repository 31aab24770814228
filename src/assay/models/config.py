"""What the engine must know of a model to run it, whatever file it came from.

Packed weights (`models/pack.py` writes them, `models/llama.py` reads them) carry these names;
`{i}` counts layers from 0. Matrices are `(out_features, in_features)`, row major.

=========================  ==============================================  =====================
name                       rows                                            present
=========================  ==============================================  =====================
embedding.weight           vocab_size                                      always, bf16
lm_head.weight             vocab_size                                      bf16, unless tied
layers.{i}.qkv.weight      num_heads*head_dim + 2*num_kv_heads*head_dim    always
layers.{i}.qkv.bias        as above                                        if qkv_bias
layers.{i}.q_norm.weight   head_dim                                        if qk_norm
layers.{i}.k_norm.weight   head_dim                                        if qk_norm
layers.{i}.o.weight        hidden_size                                     always
layers.{i}.gate_up.weight  2*intermediate_size (gate first)                always
layers.{i}.down.weight     hidden_size                                     always
layers.{i}.input_norm.weight, layers.{i}.post_norm.weight, final_norm.weight      float32
=========================  ==============================================  =====================

Each matrix `X.weight` of the layers, and the LM head (named `lm_head` there even if tied), also
stands as `X.int8` (int8, symmetric per output channel) with `X.scale` (float32, one a row):
`weight ~= int8 * scale[:, None]`. Query and key rows are in the half-split rotary layout of
Hugging Face checkpoints (GGUF files of the Llama family interleave them: the loader undoes it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A decoder of the Llama family. Sizes are counts of elements; `rms_norm_eps` is absolute."""

    architecture: str
    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    max_position_embeddings: int
    rope_theta: float = 10_000.0
    rope_scaling: Mapping[str, Any] | None = None
    rms_norm_eps: float = 1e-5
    tie_word_embeddings: bool = False
    qkv_bias: bool = False
    qk_norm: bool = False
    sliding_window: int | None = None
    eos_token_ids: tuple[int, ...] = field(default_factory=tuple)
    bos_token_id: int | None = None
