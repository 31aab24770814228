"""What is read from GGUF files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants
from numpy.typing import NDArray
from tiny_checkpoints import CONFIG, random_weights, write_gguf

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.config import ModelConfig
from assay.models.load import open_source

Kind = GGMLQuantizationType
QWEN2 = replace(CONFIG, architecture="qwen2", qkv_bias=True, tie_word_embeddings=True)
QWEN3 = replace(CONFIG, architecture="qwen3", qk_norm=True, head_dim=32)


@pytest.mark.parametrize("config", [CONFIG, QWEN2, QWEN3], ids=lambda config: config.architecture)
def test_configuration_and_tensors_are_those_that_were_written(
    tmp_path: Path, config: ModelConfig
) -> None:
    weights = random_weights(config)
    source = open_source(write_gguf(tmp_path / "m.gguf", config, weights))
    assert source.config == config
    read = dict(source.iter_tensors())
    assert read.keys() == weights.keys()
    for name, expected in weights.items():
        np.testing.assert_array_equal(read[name], expected, err_msg=name)


@pytest.mark.parametrize("kind", [Kind.Q8_0, Kind.Q4_0, Kind.Q4_1, Kind.F16, Kind.BF16])
def test_quantised_matrices_are_dequantised(tmp_path: Path, kind: GGMLQuantizationType) -> None:
    weights = random_weights(CONFIG)
    source = open_source(write_gguf(tmp_path / "m.gguf", CONFIG, weights, kind=kind))
    name = "model.layers.1.mlp.down_proj.weight"
    expected = quants.dequantize(quants.quantize(weights[name], kind), kind)
    np.testing.assert_array_equal(source.tensors[name].read(), expected)


@pytest.mark.parametrize("kind", [Kind.Q4_K, Kind.Q5_K, Kind.Q6_K, Kind.Q2_K, Kind.Q3_K])
def test_k_quants_are_dequantised(tmp_path: Path, kind: GGMLQuantizationType) -> None:
    config = replace(CONFIG, intermediate_size=512)
    name = "model.layers.1.mlp.down_proj.weight"
    shape = quants.quant_shape_to_byte_shape((64, 512), kind)
    content = np.random.default_rng(2).integers(0, 60, shape, dtype=np.uint8)
    path = write_gguf(
        tmp_path / "m.gguf", config, random_weights(config), raw={name: (kind, content)}
    )
    read = open_source(path).tensors[name].read_rows(3, 40)
    np.testing.assert_array_equal(read, quants.dequantize(content, kind)[3:40])


def test_a_run_of_query_rows_is_that_run_of_the_whole(tmp_path: Path) -> None:
    weights = random_weights(CONFIG)
    source = open_source(write_gguf(tmp_path / "m.gguf", CONFIG, weights))
    name = "model.layers.0.self_attn.q_proj.weight"
    np.testing.assert_array_equal(source.tensors[name].read_rows(5, 23), weights[name][5:23])


def test_llama3_scaling_is_recovered_from_its_factors(tmp_path: Path) -> None:
    config = replace(CONFIG, rope_theta=500_000.0)
    wavelength = 2 * np.pi * config.rope_theta ** (np.arange(0, 16, 2) / 16)
    factors = [
        1.0
        if length < 2048
        else 32.0
        if length > 8192
        else 1 / ((1 - (8192 / length - 1) / 3) / 32 + (8192 / length - 1) / 3)
        for length in wavelength
    ]
    path = _with_factors(tmp_path, config, np.array(factors, np.float32))
    assert open_source(path).config.rope_scaling == {
        "rope_type": "llama3",
        "factor": 32.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }


def test_rotary_factors_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = _with_factors(tmp_path, CONFIG, np.linspace(1, 9, 8, dtype=np.float32))
    with pytest.raises(UnsupportedModelError, match="rotary factors"):
        open_source(path)


def test_an_unknown_architecture_is_named(tmp_path: Path) -> None:
    config = replace(CONFIG, architecture="mamba")
    path = write_gguf(tmp_path / "m.gguf", config, random_weights(CONFIG))
    with pytest.raises(UnsupportedModelError, match=r"'mamba'.*supported: llama, qwen2, qwen3"):
        open_source(path)


def test_an_unknown_pre_tokenizer_is_named(tmp_path: Path) -> None:
    weights = random_weights(CONFIG)
    path = write_gguf(tmp_path / "m.gguf", CONFIG, weights)
    path.write_bytes(path.read_bytes().replace(b"gpt-2", b"kling"))
    with pytest.raises(UnsupportedModelError, match="pre-tokenizer 'kling'"):
        open_source(path)


def test_experts_are_refused(tmp_path: Path) -> None:
    weights = random_weights(CONFIG)
    path = write_gguf(tmp_path / "m.gguf", CONFIG, weights, metadata={"llama.expert_count": 8})
    with pytest.raises(UnsupportedModelError, match="mixture-of-experts"):
        open_source(path)


def test_missing_tensors_are_named(tmp_path: Path) -> None:
    weights = random_weights(CONFIG)
    del weights["model.layers.1.mlp.up_proj.weight"]
    path = write_gguf(tmp_path / "m.gguf", CONFIG, weights)
    with pytest.raises(CorruptModelError, match=r"model\.layers\.1\.mlp\.up_proj\.weight"):
        open_source(path)


def test_a_file_cut_off_anywhere_is_reported_as_damaged(tmp_path: Path) -> None:
    whole = write_gguf(tmp_path / "m.gguf", CONFIG, random_weights(CONFIG)).read_bytes()
    for length in (5, 30, 300, 5000, len(whole) // 2, len(whole) - 64):
        cut = tmp_path / "cut.gguf"
        cut.write_bytes(whole[:length])
        with pytest.raises(CorruptModelError):
            list(open_source(cut).iter_tensors())


def test_lengths_that_no_file_could_hold_do_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + b"\xff" * 64)
    with pytest.raises(CorruptModelError):
        open_source(path)


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"PK\x03\x04 something")
    with pytest.raises(UnsupportedModelError, match="neither a GGUF file nor a folder"):
        open_source(path)


def _with_factors(tmp_path: Path, config: ModelConfig, factors: NDArray[np.float32]) -> Path:
    weights = {**random_weights(config), "rope_freqs.weight": factors}
    return write_gguf(tmp_path / "m.gguf", config, weights)
