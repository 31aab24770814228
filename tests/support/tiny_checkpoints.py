"""Tiny checkpoints with random weights, written to disk as GGUF files and Hugging Face folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, quants
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tiny import CHAT_TEMPLATE, EOS, START, tiny_tokenizer_json

from assay.models.config import ModelConfig
from assay.models.load.source import expected_tensors

Weights = dict[str, NDArray[np.float32]]

VOCABULARY = json.loads(tiny_tokenizer_json())
SPECIAL = {item["content"]: item["id"] for item in VOCABULARY["added_tokens"]}
TOKENS = sorted({**VOCABULARY["model"]["vocab"], **SPECIAL}.items(), key=lambda item: item[1])
CONFIG = ModelConfig(
    architecture="llama",
    vocab_size=len(TOKENS),
    hidden_size=64,
    intermediate_size=96,
    num_layers=2,
    num_heads=4,
    num_kv_heads=2,
    head_dim=16,
    max_position_embeddings=128,
    eos_token_ids=(SPECIAL[EOS],),
    bos_token_id=SPECIAL[START],
)
_GGUF_NAMES = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def random_weights(config: ModelConfig, seed: int = 0) -> Weights:
    """Every tensor of a checkpoint, by its Hugging Face name."""
    random = np.random.default_rng(seed)
    return {
        name: (random.standard_normal(shape) * 0.1).astype(np.float32)
        for name, shape in expected_tensors(config).items()
    }


def write_gguf(
    path: Path,
    config: ModelConfig,
    weights: Weights,
    *,
    kind: GGMLQuantizationType = GGMLQuantizationType.F32,
    metadata: dict[str, Any] | None = None,
    raw: dict[str, tuple[GGMLQuantizationType, NDArray[np.uint8]]] | None = None,
) -> Path:
    """Writes a file as llama.cpp's converter does: for "llama", query and key rows are permuted.

    Tensors in `raw` are written from their quantised bytes, `(num_rows, bytes_per_row)`.
    """
    arch = config.architecture
    writer = GGUFWriter(path, arch)
    writer.add_block_count(config.num_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_heads)
    writer.add_head_count_kv(config.num_kv_heads)
    writer.add_key_length(config.head_dim)
    writer.add_rope_freq_base(config.rope_theta)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([token for token, _ in TOKENS])
    writer.add_token_types([3 if token in SPECIAL else 1 for token, _ in TOKENS])
    writer.add_token_merges([" ".join(pair) for pair in VOCABULARY["model"]["merges"]])
    writer.add_eos_token_id(SPECIAL[EOS])
    writer.add_bos_token_id(SPECIAL[START])
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)
    for key, value in (metadata or {}).items():
        writer.add_string(key, value) if isinstance(value, str) else writer.add_uint32(key, value)
    for name, values in weights.items():
        if raw and name in raw:
            writer.add_tensor(gguf_name(name), raw[name][1], raw_dtype=raw[name][0])
            continue
        if arch == "llama" and ("q_proj" in name or "k_proj" in name):
            values = _permuted(values, config.head_dim)
        stored = kind if values.ndim == 2 else GGMLQuantizationType.F32
        writer.add_tensor(gguf_name(name), quants.quantize(values, stored), raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def gguf_name(name: str) -> str:
    if not name.startswith("model.layers."):
        return {
            "model.embed_tokens.weight": "token_embd.weight",
            "model.norm.weight": "output_norm.weight",
            "lm_head.weight": "output.weight",
            "rope_freqs.weight": "rope_freqs.weight",
        }[name]
    _, _, layer, rest = name.split(".", 3)
    part, suffix = rest.rsplit(".", 1)
    return f"blk.{layer}.{_GGUF_NAMES[part]}.{suffix}"


def _permuted(values: NDArray[np.float32], head_dim: int) -> NDArray[np.float32]:
    """As `LlamaModel.permute` in llama.cpp's convert_hf_to_gguf.py."""
    num_heads = values.shape[0] // head_dim
    split = values.reshape(num_heads, 2, head_dim // 2, *values.shape[1:])
    return np.ascontiguousarray(split.swapaxes(1, 2).reshape(values.shape))


def write_folder(
    folder: Path,
    config: ModelConfig,
    weights: Weights,
    *,
    num_shards: int = 1,
    overrides: dict[str, Any] | None = None,
) -> Path:
    """Writes a folder as `save_pretrained` does."""
    classes = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3"}
    folder.mkdir(parents=True, exist_ok=True)
    values = {
        "architectures": [f"{classes[config.architecture]}ForCausalLM"],
        "vocab_size": config.vocab_size,
        "hidden_size": config.hidden_size,
        "intermediate_size": config.intermediate_size,
        "num_hidden_layers": config.num_layers,
        "num_attention_heads": config.num_heads,
        "num_key_value_heads": config.num_kv_heads,
        "head_dim": config.head_dim,
        "max_position_embeddings": config.max_position_embeddings,
        "rms_norm_eps": config.rms_norm_eps,
        "rope_theta": config.rope_theta,
        "tie_word_embeddings": config.tie_word_embeddings,
        "eos_token_id": config.eos_token_ids[0],
        "bos_token_id": config.bos_token_id,
        "hidden_act": "silu",
        **(overrides or {}),
    }
    (folder / "config.json").write_text(json.dumps(values))
    (folder / "tokenizer.json").write_text(tiny_tokenizer_json())
    special = {"bos_token": START, "eos_token": EOS, "chat_template": CHAT_TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(special))
    if num_shards == 1:
        save_file(weights, folder / "model.safetensors")
        return folder
    weight_map = {}
    for shard in range(num_shards):
        name = f"model-{shard + 1:05}-of-{num_shards:05}.safetensors"
        part = dict(list(weights.items())[shard::num_shards])
        save_file(part, folder / name)
        weight_map.update(dict.fromkeys(part, name))
    index = {"metadata": {}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder
