"""EngineConfig: what is refused, and what "auto" comes to."""

from dataclasses import replace

import pytest
from tiny_checkpoints import CONFIG

from assay.engine.config import EngineConfig, resolve_host_cache_bytes, resolve_num_blocks
from assay.engine.load import choose_policy
from assay.errors import ConfigError

GIB = 2**30
BLOCK_BYTES = 368_640


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
        {"host_cache_bytes": -1},
        {"host_cache_bytes": "much"},
        {"disk_cache_bytes": 0},
        {"disk_cache_dir": ""},
        {"disk_cache_dir": 3},
        {"num_threads": 10**6},
        {"warm_up": "no"},
        {"enable_fast_forward": "no"},
        {"max_draft_tokens": -1},
        {"max_draft_tokens": True},
        {"policy": "sparse"},
        {"policy": ["retention"]},
        {"retention_share": 0},
        {"retention_share": 1.5},
        {"retention_share": "0.5"},
        {"retention_interval": 0},
        {"grammar_timeout_s": 0},
        {"grammar_timeout_s": float("nan")},
        {"grammar_timeout_s": "2"},
        {"num_blocks": 4, "kv_cache_bytes": 10**6},
        {"max_num_seqs": 64, "max_num_batched_tokens": 32},
    ],
)
def test_a_value_out_of_range_is_refused(values):
    with pytest.raises(ConfigError):
        EngineConfig(**values)


def test_auto_takes_half_a_gibibyte_or_half_of_what_is_free():
    config = EngineConfig()
    assert resolve_num_blocks(config, BLOCK_BYTES, 8192, 16 * GIB) == GIB // 2 // BLOCK_BYTES
    assert resolve_num_blocks(config, BLOCK_BYTES, 8192, GIB // 2) == GIB // 4 // BLOCK_BYTES


def test_a_given_size_is_taken_as_given():
    config = EngineConfig(kv_cache_bytes=BLOCK_BYTES * 7 + 1)
    assert resolve_num_blocks(config, BLOCK_BYTES, 8192, GIB) == 7
    assert resolve_num_blocks(EngineConfig(num_blocks=9), BLOCK_BYTES, 8192, GIB) == 9


def test_no_more_blocks_are_made_than_all_sequences_could_fill():
    config = EngineConfig(max_num_seqs=2, kv_cache_bytes=100 * GIB)
    assert resolve_num_blocks(config, BLOCK_BYTES, 8190, GIB) == 2 * 512


def test_a_budget_below_one_block_is_refused():
    with pytest.raises(ConfigError, match="does not hold one block"):
        resolve_num_blocks(EngineConfig(kv_cache_bytes=1000), BLOCK_BYTES, 8192, GIB)


def test_a_model_with_a_window_of_its_own_takes_no_policy_but_dense():
    sliding = replace(CONFIG, sliding_window=24)
    for name in ("dense", "descriptor"):
        assert choose_policy(sliding, EngineConfig(policy=name)).keeps_all
    for name in ("retention", "local_global+retention"):
        with pytest.raises(ConfigError, match="24 positions"):
            choose_policy(sliding, EngineConfig(policy=name))
        assert not choose_policy(CONFIG, EngineConfig(policy=name)).keeps_all


def test_memory_behind_the_cache_is_a_quarter_gibibyte_or_an_eighth_of_what_is_free():
    assert resolve_host_cache_bytes(EngineConfig(), 16 * GIB) == GIB // 4
    assert resolve_host_cache_bytes(EngineConfig(), GIB) == GIB // 8
    assert resolve_host_cache_bytes(EngineConfig(host_cache_bytes=0), GIB) == 0
    assert resolve_host_cache_bytes(EngineConfig(host_cache_bytes=5 * GIB), GIB) == 5 * GIB
