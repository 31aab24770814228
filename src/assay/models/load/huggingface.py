"""Models in Hugging Face folders: `config.json`, `*.safetensors`, `tokenizer.json`.

Reads what transformers 4 and 5 write. Anything in the configuration that would change the forward
pass and that the engine does not run is refused by name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.config import ModelConfig
from assay.models.load.safetensors import open_tensors
from assay.models.load.source import ModelSource, SourceTensor, check_tensors

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
# Rotary frequencies that old checkpoints store though they follow from the configuration.
_DERIVED = ".rotary_emb.inv_freq"

_ARCHITECTURES = {
    "LlamaForCausalLM": "llama",
    "MistralForCausalLM": "mistral",
    "Qwen2ForCausalLM": "qwen2",
    "Qwen3ForCausalLM": "qwen3",
}


def open_folder(folder: Path) -> ModelSource:
    """Opens a Hugging Face folder for packing.

    Raises:
        CorruptModelError: a file is missing, damaged or incomplete.
        UnsupportedModelError: an architecture or a feature that the engine does not run.
    """
    values = _read_json(folder / "config.json")
    tokenizer_config = _read_json(folder / "tokenizer_config.json", missing={})
    tokenizer = _read_text(folder / "tokenizer.json")
    eos, bos = _special_ids(folder, values, tokenizer_config, _read_json(folder / "tokenizer.json"))
    tensors, files = _open_weights(folder)
    config = _read_config(values, folder, eos, bos)
    if config.tie_word_embeddings:
        tensors.pop("lm_head.weight", None)
    check_tensors(config, tensors, folder)
    return ModelSource(
        config=config,
        tensors=tensors,
        tokenizer_json=tokenizer,
        chat_template=_chat_template(folder, tokenizer_config),
        files=(folder / "config.json", folder / "tokenizer.json", *files),
    )


def check_configuration(folder: Path) -> None:
    """Refuses a model by its `config.json` alone, before its weights are fetched.

    Raises:
        CorruptModelError, UnsupportedModelError: as `open_folder`.
    """
    _read_config(_read_json(folder / "config.json"), folder, (), None)


def weight_files(folder: Path) -> list[str]:
    """The names of the files that hold the weights: one, or those that the index lists."""
    if (folder / INDEX).exists():
        shards = _read_json(folder / INDEX).get("weight_map")
        if not isinstance(shards, dict) or not shards:
            raise CorruptModelError(f"{folder / INDEX} has no weight_map")
        return sorted(set(shards.values()))
    return [SINGLE]


def _open_weights(folder: Path) -> tuple[dict[str, SourceTensor], list[Path]]:
    tensors: dict[str, SourceTensor] = {}
    files = [folder / name for name in weight_files(folder)]
    for path in files:
        if path.parent != folder or not path.is_file():
            raise CorruptModelError(f"{path} is missing")
        found = open_tensors(path)
        tensors.update({name: t for name, t in found.items() if not name.endswith(_DERIVED)})
    return tensors, files


def _read_config(
    values: Mapping[str, Any], folder: Path, eos: tuple[int, ...], bos: int | None
) -> ModelConfig:
    names = values.get("architectures") or ["(none)"]
    if names[0] not in _ARCHITECTURES:
        raise UnsupportedModelError(
            f"{folder}: architecture {names[0]} (supported: {', '.join(_ARCHITECTURES)})"
        )
    architecture = _ARCHITECTURES[names[0]]

    def refuse(what: str) -> UnsupportedModelError:
        return UnsupportedModelError(f"{folder}: {what}")

    if (activation := values.get("hidden_act", "silu")) != "silu":
        raise refuse(f"activation {activation}")
    if quantization := values.get("quantization_config"):
        raise refuse(
            f"weights quantised by {quantization.get('quant_method', 'an unknown method')}"
        )
    theta, scaling = _rope(values, folder)
    try:
        hidden_size, num_heads = values["hidden_size"], values["num_attention_heads"]
        return ModelConfig(
            architecture=architecture,
            vocab_size=values["vocab_size"],
            hidden_size=hidden_size,
            intermediate_size=values["intermediate_size"],
            num_layers=values["num_hidden_layers"],
            num_heads=num_heads,
            num_kv_heads=values.get("num_key_value_heads") or num_heads,
            head_dim=values.get("head_dim") or hidden_size // num_heads,
            max_position_embeddings=values["max_position_embeddings"],
            rope_theta=theta,
            rope_scaling=scaling,
            rms_norm_eps=values.get("rms_norm_eps", 1e-6),
            tie_word_embeddings=values.get("tie_word_embeddings", False),
            qkv_bias=architecture == "qwen2" or values.get("attention_bias", False),
            qk_norm=architecture == "qwen3",
            sliding_window=_sliding_window(values, architecture, folder),
            eos_token_ids=eos,
            bos_token_id=bos,
        )
    except KeyError as error:
        raise CorruptModelError(f"{folder / 'config.json'} lacks {error}") from None


def _rope(values: Mapping[str, Any], folder: Path) -> tuple[float, dict[str, Any] | None]:
    """Base and scaling, from `rope_parameters` (transformers 5) or `rope_theta` and
    `rope_scaling` (4)."""
    parameters = dict(values.get("rope_parameters") or values.get("rope_scaling") or {})
    if any(isinstance(item, dict) for item in parameters.values()):
        raise UnsupportedModelError(f"{folder}: rotary parameters that differ between layers")
    theta = float(parameters.pop("rope_theta", None) or values.get("rope_theta") or 10_000.0)
    if parameters.pop("partial_rotary_factor", None) not in (None, 1, 1.0):
        raise UnsupportedModelError(f"{folder}: rotary embedding of a part of each head")
    kind = parameters.pop("rope_type", None) or parameters.pop("type", None) or "default"
    parameters.pop("type", None)
    return theta, None if kind == "default" else {"rope_type": kind, **parameters}


def _sliding_window(values: Mapping[str, Any], architecture: str, folder: Path) -> int | None:
    window: int | None = values.get("sliding_window")
    if architecture == "llama" or window is None:
        return None
    if architecture in ("qwen2", "qwen3"):
        if not values.get("use_sliding_window", False):
            return None
        kinds = set(values.get("layer_types") or [])
        if kinds != {"sliding_attention"} and (kinds or values.get("max_window_layers", 0)):
            raise UnsupportedModelError(f"{folder}: a sliding window in some layers only")
    return window


def _special_ids(
    folder: Path,
    values: Mapping[str, Any],
    tokenizer_config: Mapping[str, Any],
    tokenizer: Mapping[str, Any],
) -> tuple[tuple[int, ...], int | None]:
    """Ids that end an answer, the tokenizer's own first; and the one that begins a sequence."""
    added = {item["content"]: item["id"] for item in tokenizer.get("added_tokens", [])}

    def named(key: str) -> int | None:
        token = tokenizer_config.get(key)
        return added.get(token["content"] if isinstance(token, dict) else token)

    generation = _read_json(folder / "generation_config.json", missing={})
    eos = [named("eos_token")]
    for declared in (generation.get("eos_token_id"), values.get("eos_token_id")):
        eos += declared if isinstance(declared, list) else [declared]
    bos = named("bos_token")
    if bos is None and "bos_token" not in tokenizer_config:
        bos = values.get("bos_token_id")
    return tuple(dict.fromkeys(token_id for token_id in eos if token_id is not None)), bos


def _chat_template(folder: Path, tokenizer_config: Mapping[str, Any]) -> str | None:
    path = folder / "chat_template.jinja"
    if path.exists():
        return _read_text(path)
    template = tokenizer_config.get("chat_template")
    if isinstance(template, list):
        template = next((item["template"] for item in template if item["name"] == "default"), None)
    return template


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise CorruptModelError(f"{path} is missing") from None
    except UnicodeDecodeError:
        raise CorruptModelError(f"{path} is not UTF-8") from None


def _read_json(path: Path, *, missing: dict[str, Any] | None = None) -> dict[str, Any]:
    if missing is not None and not path.exists():
        return missing
    try:
        values = json.loads(_read_text(path))
    except ValueError as error:
        raise CorruptModelError(f"{path} is not JSON: {error}") from None
    if not isinstance(values, dict):
        raise CorruptModelError(f"{path} is not a JSON object")
    return values
