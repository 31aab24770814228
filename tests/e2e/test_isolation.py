"""What one tenant's requests leave behind tells another nothing: in counts, or in time."""

import asyncio
import statistics
import time

import pytest
from tiny_packed import pack_tiny

from assay.analysis.plan import cache_salt_of
from assay.backends.local import LocalBackend
from assay.engine.config import EngineConfig
from assay.types import GenerationRequest, Message, PromptDocument, SamplingParams

NUM_PAIRS = 12
NUM_SEGMENTS = 48
OWNER, STRANGER = cache_salt_of("owner"), cache_salt_of("stranger")


def ask(order: int, salt: str, question: str = "Who pays?") -> GenerationRequest:
    """A question on all of contract number `order`, of which no two share a segment."""
    document = PromptDocument(
        tuple(
            f"{order:04d}, clause {n}: the supplier delivers part {n} within {n} days."
            for n in range(NUM_SEGMENTS)
        )
    )
    content, places = "", []
    for text in document.segments:
        places.append((len(content), len(content) + len(text)))
        content += text + "\n"
    message = Message(
        "user", content + question, tuple(places), document, tuple(range(NUM_SEGMENTS))
    )
    sampling = SamplingParams(max_tokens=1)
    return GenerationRequest((message,), None, sampling, salt, is_preamble_public=True)


@pytest.fixture(scope="module", params=["independent", "chained"])
def backend(request, tmp_path_factory):
    packed = pack_tiny(tmp_path_factory.mktemp("model"), max_position_embeddings=8192)
    config = EngineConfig(slices=request.param, warm_up=False, host_cache_bytes=64 * 2**20)
    opened = LocalBackend(packed.path, config=config)
    yield opened
    opened.close()


async def clock(backend: LocalBackend, request: GenerationRequest) -> tuple[float, int]:
    """Seconds to the first token, and the prompt's tokens that were not computed."""
    started = time.perf_counter()
    generation = await backend.generate(request)
    return time.perf_counter() - started, generation.usage.num_cached_tokens


async def compare(backend: LocalBackend) -> tuple[list[float], list[float], set[int]]:
    """Ratios of times: a stranger's on a contract that the owner has asked of by theirs on one that
    nobody has; and the owner's on it again by the first time. And what strangers found cached."""
    across, within, cached = [], [], set()
    # Imports, and the preamble that all share.
    await clock(backend, ask(-1, STRANGER))
    for pair in range(NUM_PAIRS):
        known, unknown = 2 * pair, 2 * pair + 1
        first, _ = await clock(backend, ask(known, OWNER))
        again, num_again = await clock(backend, ask(known, OWNER, "Who is paid?"))
        assert num_again > 1000
        seconds = {}
        for order in sorted((known, unknown), reverse=bool(pair % 2)):
            seconds[order], num_found = await clock(backend, ask(order, STRANGER))
            cached.add(num_found)
        across.append(seconds[known] / seconds[unknown])
        within.append(again / first)
    return across, within, cached


def test_a_stranger_is_not_told_by_time_what_an_owner_has_asked(backend):
    """The same clock tells the owner's second question from the first at a glance."""
    across, within, cached = asyncio.run(compare(backend))
    assert len(cached) == 1, "what is found cached depends on what another tenant did"
    assert max(cached) < 64, "more than the public preamble is shared"
    assert statistics.median(within) < 0.75
    assert 0.8 < statistics.median(across) < 1.25
