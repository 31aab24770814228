"""Answers from keys and values that went through host memory or disk are those computed anew.
A tiny model in float32."""

import logging

import pytest
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.engine.cache_tiers import content_kind
from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.engine.load import build_engine, choose
from assay.types import GenerationRequest, Message, SamplingParams

SEGMENTS = [
    "This agreement is made between Alder Mills and Birch Works.",
    "The buyer pays 40,000 euros within thirty days.",
]
OTHER = "Nothing in this letter has been agreed upon, and nothing in it shall bind anybody."
CONFIG = EngineConfig(
    precision="float32", num_blocks=400, block_size=4, num_threads=1, kernels="torch"
)


def message(question: str, *segments: str) -> Message:
    content, places = "", []
    for segment in segments:
        places.append((len(content), len(content) + len(segment)))
        content += segment + "\n[…]\n"
    return Message("user", content + question, tuple(places))


PLAIN = message("Who pays, and how much, and when at the latest?")
SEGMENTED = message("Who pays?", *SEGMENTS)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


@pytest.fixture
def start(packed, tmp_path):
    """Starts engines over one disk folder; closes those still open."""
    started = []

    def start(**settings) -> Engine:
        values = {**CONFIG.as_mapping(), "disk_cache_dir": str(tmp_path / "disk"), **settings}
        engine = build_engine(packed, EngineConfig.from_mapping(values), tiny_tokenizer())
        started.append(engine)
        return engine

    yield start
    for engine in started:
        engine.close()


def ask(engine: Engine, asked: Message, salt: str = ""):
    """The tokens of a short answer with their logprobs, and how many prompt tokens were reused."""
    prompt = tiny_tokenizer().encode_prompt([asked])
    request = GenerationRequest((asked,), sampling=SamplingParams(max_tokens=3), cache_salt=salt)
    engine.add_request(request, prompt.token_ids, None, prompt.segments)
    done = []
    while engine.has_work:
        done += engine.step()
    engine.check_integrity()
    (finished,) = done
    generation = finished.generation
    tokens = [(token.token_id, round(token.logprob, 3)) for token in generation.tokens]
    return tokens, generation.usage.num_cached_tokens


@pytest.mark.parametrize("asked", [PLAIN, SEGMENTED], ids=["prefix", "slices"])
def test_after_a_restart_prompts_start_from_what_is_on_disk(start, asked):
    first = start()
    expected, cold = ask(first, asked)
    first.close()
    again = start()
    found, warm = ask(again, asked)
    assert found == expected
    assert warm > cold + 16
    assert again.cache_statistics.num_disk >= 4


@pytest.mark.parametrize("asked", [PLAIN, SEGMENTED], ids=["prefix", "slices"])
def test_damage_on_disk_is_counted_and_computed_again_in_place(start, tmp_path, asked):
    expected, _ = ask(start(disk_cache_dir=None), Message("user", asked.content))
    first = start()
    ask(first, asked)
    first.close()
    for path in tmp_path.glob("disk/*/blocks"):
        path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    again = start()
    found, _ = ask(again, asked)
    assert found == expected
    assert again.cache_statistics.num_damaged > 0
    assert again.cache_statistics.num_disk == 0


@pytest.mark.parametrize("asked", [PLAIN, SEGMENTED], ids=["prefix", "slices"])
def test_what_a_small_cache_gives_up_comes_back_from_host_memory(start, asked):
    expected, _ = ask(start(disk_cache_dir=None), asked)
    engine = start(disk_cache_dir=None, num_blocks=82)
    ask(engine, asked)
    ask(engine, Message("user", OTHER * 4))
    found, _ = ask(engine, asked)
    assert found == expected
    assert engine.cache_statistics.num_host > 0


def test_another_tenant_finds_nothing_in_any_tier(start):
    first = start(num_blocks=60)
    ask(first, SEGMENTED, salt="a")
    ask(first, PLAIN, salt="a")
    ask(first, PLAIN, salt="b")
    before = first.cache_statistics
    assert (before.num_host, before.num_disk) == (0, 0)
    first.close()
    again = start()
    ask(again, SEGMENTED, salt="c")
    assert again.cache_statistics.num_disk == 0
    ask(again, SEGMENTED, salt="a")
    assert again.cache_statistics.num_disk > 0


def test_a_second_engine_on_a_folder_goes_without_and_says_so(start, caplog):
    start()
    with caplog.at_level(logging.WARNING):
        second = start()
    assert "another process uses the disk cache" in caplog.text
    assert second._manager.contents.tiers.writer is None
    expected, _ = ask(second, PLAIN)
    assert expected


def test_what_was_computed_otherwise_lies_in_another_folder(packed):
    kinds = {
        content_kind(packed, choose(packed, EngineConfig(num_blocks=8, **settings)))
        for settings in (
            {"precision": "float32", "kernels": "torch"},
            {"precision": "bf16", "kernels": "torch"},
            {"precision": "int8", "kernels": "torch"},
            {"precision": "int8", "kernels": "torch", "block_size": 8},
        )
    }
    assert len(kinds) == 4
