"""What is read from Hugging Face folders, and the safetensors container itself."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny import CHAT_TEMPLATE
from tiny_checkpoints import CONFIG, random_weights, write_folder

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.config import ModelConfig
from assay.models.load import open_source
from assay.models.load.safetensors import ALIGNMENT, SafetensorsWriter, open_tensors, read_header

CONFIGS = [
    CONFIG,
    replace(CONFIG, architecture="mistral", sliding_window=64),
    replace(CONFIG, architecture="qwen2", qkv_bias=True, tie_word_embeddings=True),
    replace(CONFIG, architecture="qwen3", qk_norm=True, head_dim=32),
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.architecture)
@pytest.mark.parametrize("num_shards", [1, 3])
def test_configuration_and_tensors_are_those_that_were_written(
    tmp_path: Path, config: ModelConfig, num_shards: int
) -> None:
    weights = random_weights(config)
    overrides = {"sliding_window": config.sliding_window}
    write_folder(tmp_path, config, weights, num_shards=num_shards, overrides=overrides)
    source = open_source(tmp_path)
    assert source.config == config
    assert source.chat_template == CHAT_TEMPLATE
    read = dict(source.iter_tensors())
    assert read.keys() == weights.keys()
    for name, expected in weights.items():
        np.testing.assert_array_equal(read[name], expected, err_msg=name)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_floats_of_every_width_are_read_as_float32(tmp_path: Path, dtype: torch.dtype) -> None:
    values = torch.randn(6, 5).to(dtype)
    save_file({"x": values}, tmp_path / "x.safetensors")
    tensor = open_tensors(tmp_path / "x.safetensors")["x"]
    np.testing.assert_array_equal(tensor.read_rows(2, 5), values[2:5].float().numpy())


@pytest.mark.parametrize(
    ("overrides", "theta", "scaling"),
    [
        ({"rope_theta": 5e5}, 5e5, None),
        (
            {"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 2.0}},
            5e5,
            {"rope_type": "linear", "factor": 2.0},
        ),
        (
            {"rope_parameters": {"rope_theta": 1e6, "rope_type": "default"}, "rope_theta": None},
            1e6,
            None,
        ),
        (
            {"rope_parameters": {"rope_theta": 1e6, "rope_type": "yarn", "factor": 4.0}},
            1e6,
            {"rope_type": "yarn", "factor": 4.0},
        ),
    ],
)
def test_rotary_parameters_of_either_transformers_are_read(
    tmp_path: Path, overrides: dict[str, Any], theta: float, scaling: dict[str, Any] | None
) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG), overrides=overrides)
    config = open_source(tmp_path).config
    assert (config.rope_theta, config.rope_scaling) == (theta, scaling)


def test_head_dim_follows_from_the_sizes_where_it_is_not_given(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG), overrides={"head_dim": None})
    assert open_source(tmp_path).config.head_dim == 16


def test_all_ends_of_answer_are_known_and_the_tokenizers_own_comes_first(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG), overrides={"eos_token_id": [3, 7]})
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [7, 5]}')
    assert open_source(tmp_path).config.eos_token_ids == (CONFIG.eos_token_ids[0], 7, 5, 3)


def test_a_template_file_wins_over_the_one_in_the_tokenizers_configuration(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG))
    (tmp_path / "chat_template.jinja").write_text("{{ messages[0].content }}")
    assert open_source(tmp_path).chat_template == "{{ messages[0].content }}"


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"architectures": ["GemmaForCausalLM"]}, "GemmaForCausalLM"),
        ({"hidden_act": "gelu"}, "gelu"),
        ({"quantization_config": {"quant_method": "gptq"}}, "gptq"),
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "a part of each head"),
    ],
)
def test_what_the_engine_does_not_run_is_refused_by_name(
    tmp_path: Path, overrides: dict[str, Any], named: str
) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG), overrides=overrides)
    with pytest.raises(UnsupportedModelError, match=named):
        open_source(tmp_path)


def test_a_tensor_that_would_be_left_out_is_refused(tmp_path: Path) -> None:
    name = "model.layers.0.self_attn.o_proj.bias"
    weights = {**random_weights(CONFIG), name: np.ones(64, np.float32)}
    write_folder(tmp_path, CONFIG, weights)
    with pytest.raises(UnsupportedModelError, match=name):
        open_source(tmp_path)


def test_a_missing_tensor_and_a_missing_shard_are_named(tmp_path: Path) -> None:
    weights = random_weights(CONFIG)
    write_folder(tmp_path / "a", CONFIG, weights, num_shards=2)
    (tmp_path / "a" / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(CorruptModelError, match=r"model-00002-of-00002\.safetensors is missing"):
        open_source(tmp_path / "a")
    del weights["model.norm.weight"]
    write_folder(tmp_path / "b", CONFIG, weights)
    with pytest.raises(CorruptModelError, match=r"model\.norm\.weight"):
        open_source(tmp_path / "b")


def test_a_tensor_of_another_shape_than_the_configuration_says_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG), overrides={"intermediate_size": 128})
    with pytest.raises(CorruptModelError, match="expected"):
        open_source(tmp_path)


def test_a_file_cut_off_anywhere_is_reported_as_damaged(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG))
    path = tmp_path / "model.safetensors"
    whole = path.read_bytes()
    for length in (0, 4, 8, 200, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CorruptModelError):
            open_source(tmp_path)


def test_a_header_that_is_not_one_is_reported_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    for header in (b"[1, 2]", b'{"x": 3}', b'{"x": {"dtype": "F32"}}', b"\xff\xfe"):
        path.write_bytes(struct.pack("<Q", len(header)) + header)
        with pytest.raises(CorruptModelError):
            read_header(path)


def test_a_written_file_is_aligned_and_other_readers_take_it(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    writer = SafetensorsWriter(
        path, {"odd": ("I8", (3, 5)), "b": ("BF16", (2, 7)), "f": ("F32", (4,))}
    )
    writer.write_rows("f", 0, np.arange(4, dtype=np.float32))
    writer.write_rows("b", 1, np.full((1, 7), 0x3F80, np.uint16))
    writer.write_rows("odd", 0, np.arange(15, dtype=np.int8).reshape(3, 5))
    writer.write_rows("b", 0, np.full((1, 7), 0xBF80, np.uint16))
    writer.close()
    assert all(entry.offset % ALIGNMENT == 0 for entry in read_header(path).values())
    assert read_header(path).keys() == {"odd", "b", "f"}
    loaded = load_file(path)
    assert loaded["odd"].tolist() == np.arange(15).reshape(3, 5).tolist()
    assert loaded["b"].tolist() == [[-1.0] * 7, [1.0] * 7]
    assert loaded["f"].tolist() == [0, 1, 2, 3]


def test_a_folder_without_a_tokenizer_says_so(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG))
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(CorruptModelError, match=r"tokenizer\.json is missing"):
        open_source(tmp_path)


def test_configuration_that_is_not_json_says_so(tmp_path: Path) -> None:
    write_folder(tmp_path, CONFIG, random_weights(CONFIG))
    (tmp_path / "config.json").write_text(json.dumps({})[:1])
    with pytest.raises(CorruptModelError, match="not JSON"):
        open_source(tmp_path)
