"""EngineConfig: what is refused, and what "auto" comes to."""

import pytest

from assay.engine.config import EngineConfig, block_bytes, resolve_num_blocks
from assay.errors import ConfigError
from assay.models.config import ModelConfig

MODEL = ModelConfig(
    architecture="llama",
    vocab_size=100,
    hidden_size=64,
    intermediate_size=128,
    num_layers=30,
    num_heads=9,
    num_kv_heads=3,
    head_dim=64,
    max_position_embeddings=8192,
)
GIB = 2**30


def test_an_unknown_key_is_refused_and_the_known_ones_named():
    with pytest.raises(ConfigError, match=r"unknown engine setting 'max_seqs'.*max_num_seqs"):
        EngineConfig.from_mapping({"max_seqs": 3})


def test_a_mapping_comes_back_as_it_went():
    config = EngineConfig(max_num_seqs=3, kv_cache_bytes=10**8)
    assert EngineConfig.from_mapping(config.as_mapping()) == config


@pytest.mark.parametrize(
    "values",
    [
        {"block_size": 0},
        {"max_num_seqs": -1},
        {"max_num_seqs": 2.5},
        {"num_blocks": 0},
        {"num_threads": "many"},
        {"enable_fast_forward": "no"},
        {"num_blocks": 4, "kv_cache_bytes": 10**6},
        {"max_num_seqs": 64, "max_num_batched_tokens": 32},
    ],
)
def test_a_value_out_of_range_is_refused(values):
    with pytest.raises(ConfigError):
        EngineConfig(**values)


def test_a_block_holds_keys_and_values_of_every_layer():
    assert block_bytes(MODEL, 16, "bfloat16") == 2 * 30 * 3 * 64 * 16 * 2
    assert block_bytes(MODEL, 16, "float32") == 2 * block_bytes(MODEL, 16, "bfloat16")


def test_auto_takes_half_a_gibibyte_or_half_of_what_is_free():
    size = block_bytes(MODEL, 16, "bfloat16")
    config = EngineConfig()
    assert resolve_num_blocks(config, MODEL, "bfloat16", 16 * GIB) == GIB // 2 // size
    assert resolve_num_blocks(config, MODEL, "bfloat16", GIB // 2) == GIB // 4 // size


def test_a_given_size_is_taken_as_given():
    size = block_bytes(MODEL, 16, "bfloat16")
    config = EngineConfig(kv_cache_bytes=size * 7 + 1)
    assert resolve_num_blocks(config, MODEL, "bfloat16", GIB) == 7
    assert resolve_num_blocks(EngineConfig(num_blocks=9), MODEL, "bfloat16", GIB) == 9


def test_no_more_blocks_are_made_than_all_sequences_could_fill():
    config = EngineConfig(max_num_seqs=1, kv_cache_bytes=100 * GIB)
    assert resolve_num_blocks(config, MODEL, "bfloat16", GIB) == 8192 // 16


def test_a_budget_below_one_block_is_refused():
    with pytest.raises(ConfigError, match="does not hold one block"):
        resolve_num_blocks(EngineConfig(kv_cache_bytes=1000), MODEL, "bfloat16", GIB)
