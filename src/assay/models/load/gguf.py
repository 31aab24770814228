"""Models in GGUF files, as llama.cpp writes them.

Quantised tensors are dequantised to float32 a run of rows at a time. Files of architecture
"llama" hold query and key rows interleaved for llama.cpp's rotary kernel; the rows are put back
into the half-split order of Hugging Face checkpoints (`_unpermute`). Qwen files are not permuted.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.config import ModelConfig
from assay.models.load.gguf_file import GgufFile, GgufTensor, read_gguf
from assay.models.load.gguf_tokenizer import tokenizer_json
from assay.models.load.source import ModelSource, SourceTensor, check_tensors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ARCHITECTURES = ("llama", "qwen2", "qwen3")

_GLOBAL_NAMES = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
_LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
# Tokens at which llama.cpp ends an answer whatever the file names as its end of sequence.
_END_OF_TURN = ("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|endoftext|>")
_CONTROL = 3


def open_gguf(path: Path) -> ModelSource:
    """Opens a GGUF file for packing.

    Raises:
        CorruptModelError: damaged or incomplete.
        UnsupportedModelError: architecture, tensor type or tokenizer not known.
    """
    file = read_gguf(path)
    architecture = file.metadata.get("general.architecture")
    if architecture not in ARCHITECTURES:
        raise UnsupportedModelError(
            f"{path}: architecture {architecture!r} (supported: {', '.join(ARCHITECTURES)})"
        )
    if file.metadata.get(f"{architecture}.expert_count"):
        raise UnsupportedModelError(f"{path}: mixture-of-experts layers")
    rope_factors = file.tensors.pop("rope_freqs.weight", None)
    config = _read_config(file, rope_factors)
    tensors = {
        _canonical_name(name): _source_tensor(file, name, tensor, config)
        for name, tensor in file.tensors.items()
    }
    check_tensors(config, tensors, path)
    return ModelSource(
        config=config,
        tensors=tensors,
        tokenizer_json=tokenizer_json(file.metadata, path),
        chat_template=file.metadata.get("tokenizer.chat_template"),
        files=(path,),
    )


def _read_config(file: GgufFile, rope_factors: GgufTensor | None) -> ModelConfig:
    metadata, path = file.metadata, file.path
    arch = metadata["general.architecture"]

    def need(key: str) -> Any:
        try:
            return metadata[f"{arch}.{key}"]
        except KeyError:
            raise CorruptModelError(f"{path}: metadata lacks {arch}.{key}") from None

    num_heads, hidden_size = need("attention.head_count"), need("embedding_length")
    if not isinstance(num_heads, int):
        raise UnsupportedModelError(f"{path}: head counts that differ between layers")
    embedding = file.tensors.get("token_embd.weight")
    if embedding is None:
        raise CorruptModelError(f"{path}: tensor token_embd.weight is missing")
    head_dim = metadata.get(f"{arch}.attention.key_length", hidden_size // num_heads)
    if metadata.get(f"{arch}.rope.dimension_count", head_dim) != head_dim:
        raise UnsupportedModelError(f"{path}: rotary embedding of a part of each head")
    theta = float(metadata.get(f"{arch}.rope.freq_base", 10_000.0))
    return ModelConfig(
        architecture=arch,
        vocab_size=embedding.shape[0],
        hidden_size=hidden_size,
        intermediate_size=need("feed_forward_length"),
        num_layers=need("block_count"),
        num_heads=num_heads,
        num_kv_heads=metadata.get(f"{arch}.attention.head_count_kv", num_heads),
        head_dim=head_dim,
        max_position_embeddings=need("context_length"),
        rope_theta=theta,
        rope_scaling=_read_rope_scaling(file, rope_factors, theta, head_dim),
        # Stored as float32: the decimal that was meant, not its binary neighbour.
        rms_norm_eps=float(f"{need('attention.layer_norm_rms_epsilon'):.7g}"),
        tie_word_embeddings="output.weight" not in file.tensors,
        qkv_bias="blk.0.attn_q.bias" in file.tensors,
        qk_norm="blk.0.attn_q_norm.weight" in file.tensors,
        sliding_window=metadata.get(f"{arch}.attention.sliding_window") or None,
        eos_token_ids=_eos_token_ids(metadata),
        bos_token_id=metadata.get("tokenizer.ggml.bos_token_id"),
    )


def _eos_token_ids(metadata: dict[str, Any]) -> tuple[int, ...]:
    declared = [metadata.get(f"tokenizer.ggml.{key}_token_id") for key in ("eos", "eot", "eom")]
    ids = [token_id for token_id in declared if token_id is not None]
    kinds = metadata.get("tokenizer.ggml.token_type", [])
    tokens = metadata.get("tokenizer.ggml.tokens", [])
    for token_id, (token, kind) in enumerate(zip(tokens, kinds, strict=False)):
        if kind == _CONTROL and token in _END_OF_TURN:
            ids.append(token_id)
    return tuple(dict.fromkeys(ids))


def _read_rope_scaling(
    file: GgufFile, factors: GgufTensor | None, theta: float, head_dim: int
) -> dict[str, Any] | None:
    """The scaling in Hugging Face's terms. Llama 3's comes as a tensor of factors, one for each
    frequency, from which its four parameters are recovered."""
    arch = file.metadata["general.architecture"]
    kind = file.metadata.get(f"{arch}.rope.scaling.type", "none")
    if factors is not None:
        return _llama3_scaling(
            _read_rows(file, "rope_freqs.weight", factors, None, 0, head_dim),
            theta,
            head_dim,
            file.path,
        )
    if kind == "none":
        return None
    scaling: dict[str, Any] = {
        "rope_type": kind,
        "factor": float(file.metadata.get(f"{arch}.rope.scaling.factor", 1.0)),
    }
    if original := file.metadata.get(f"{arch}.rope.scaling.original_context_length"):
        scaling["original_max_position_embeddings"] = original
    return scaling


def _llama3_scaling(
    factors: NDArray[np.float32], theta: float, head_dim: int, path: Path
) -> dict[str, Any]:
    import numpy as np

    factor = float(factors.max())
    scaling = {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    wavelength = 2 * np.pi * theta ** (np.arange(0, head_dim, 2) / head_dim)
    smooth = np.clip((8192 / wavelength - 1.0) / 3.0, 0.0, 1.0)
    expected = 1 / ((1 - smooth) / factor + smooth)
    if factors.shape != expected.shape or not np.allclose(factors, expected, rtol=1e-3):
        raise UnsupportedModelError(f"{path}: rotary factors that are not Llama 3's")
    return scaling


def _canonical_name(name: str) -> str:
    if name in _GLOBAL_NAMES:
        return _GLOBAL_NAMES[name]
    parts = name.split(".")
    if len(parts) == 4 and parts[0] == "blk" and parts[2] in _LAYER_NAMES:
        return f"model.layers.{parts[1]}.{_LAYER_NAMES[parts[2]]}.{parts[3]}"
    return name


def _source_tensor(
    file: GgufFile, name: str, tensor: GgufTensor, config: ModelConfig
) -> SourceTensor:
    order = None
    if config.architecture == "llama" and name.split(".")[-2] in ("attn_q", "attn_k"):
        order = _unpermute(tensor.shape[0], config.head_dim)
    return SourceTensor(tensor.shape, partial(_read_rows, file, name, tensor, order))


def _unpermute(num_rows: int, head_dim: int) -> NDArray[np.intp]:
    """For each row of the half-split layout, the row of the interleaved one that holds it."""
    import numpy as np

    rows = np.arange(num_rows).reshape(-1, head_dim // 2, 2)
    return rows.swapaxes(1, 2).reshape(-1)


def _read_rows(
    file: GgufFile,
    name: str,
    tensor: GgufTensor,
    order: NDArray[np.intp] | None,
    start: int,
    stop: int,
) -> NDArray[np.float32]:
    """Dequantises rows [start, stop). A vector counts as one row in the file, whole."""
    import numpy as np
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType
    from gguf.quants import dequantize

    try:
        kind = GGMLQuantizationType(tensor.ggml_type)
        block_size, block_bytes = GGML_QUANT_SIZES[kind]
    except (ValueError, KeyError):
        raise UnsupportedModelError(
            f"{file.path}: tensor {name} of unknown type {tensor.ggml_type}"
        ) from None
    columns = tensor.shape[-1]
    if columns % block_size:
        raise CorruptModelError(f"{file.path}: tensor {name} has rows of {columns} elements")
    num_rows = 1 if len(tensor.shape) == 1 else tensor.shape[0]
    row_bytes = columns // block_size * block_bytes
    if tensor.offset + num_rows * row_bytes > len(file.data):
        raise CorruptModelError(
            f"{file.path} is damaged or incomplete: tensor {name} runs past its end",
            remedy="fetch the file again",
        )
    raw = np.frombuffer(file.data, np.uint8, num_rows * row_bytes, tensor.offset)
    raw = raw.reshape(num_rows, row_bytes)
    if len(tensor.shape) == 1:
        values = dequantize(raw, kind).reshape(-1).astype(np.float32)
        return (values if order is None else values[order])[start:stop]
    rows = raw[start:stop] if order is None else raw[order[start:stop]]
    try:
        return np.ascontiguousarray(dequantize(rows, kind), dtype=np.float32)
    except NotImplementedError:
        raise UnsupportedModelError(f"{file.path}: tensor {name} of type {kind.name}") from None
