"""Whatever arrives, whenever it is cancelled, however small the pool: all finish, nothing leaks.

The runner answers from the tokens it reads through the block tables, so a block mixed up between
sequences would change an answer.
"""

import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from paged_fake import PagedFakeRunner, logits_after
from tier_parts import open_disk

from assay.engine.chaining import ChainedPrompt
from assay.engine.engine import Engine
from assay.engine.windows import WindowKeeper
from assay.errors import PromptTooLongError
from assay.kv_cache.chains import Chain, ChainLayout
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.policies.base import View
from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.tiers.writer import DiskWriter
from assay.types import Generation, GenerationRequest, SamplingParams

VOCAB_SIZE = 9
EOS = 0


class ForcedRuns:
    """A constraint that forces two tokens after each token 1 and after each token 2, and ends."""

    is_accepting = False

    def __init__(self) -> None:
        self.taken = [-1]

    def fill_mask(self, row) -> None:
        row[:] = (1 << VOCAB_SIZE) - 2

    @property
    def is_finished(self) -> bool:
        return self.taken[-1] == 3

    def advance(self, *token_ids: int) -> None:
        if EOS in token_ids:
            raise ValueError
        self.taken += token_ids

    def rollback(self, num_tokens: int) -> None:
        del self.taken[len(self.taken) - num_tokens :]

    def forced_tokens(self) -> list[int]:
        return [5, 6] if self.taken[-1] in (-1, 1, 2) else []


@lru_cache(maxsize=20_000)
def best(token_ids: tuple[int, ...], first: int) -> int:
    return first + int(np.argmax(logits_after(token_ids, VOCAB_SIZE)[first:]))


def reference(prompt: list[int], max_tokens: int, is_constrained: bool) -> list[int]:
    """The answer by plain greedy decoding, one token at a time."""
    answer: list[int] = []
    constraint = ForcedRuns()
    forced = constraint.forced_tokens() if is_constrained else []
    while len(answer) < max_tokens:
        if forced:
            token_id = forced.pop(0)
            constraint.advance(token_id)
            answer.append(token_id)
            continue
        token_id = best((*prompt, *answer), 1 if is_constrained else 0)
        if token_id == EOS:
            break
        answer.append(token_id)
        if is_constrained:
            constraint.advance(token_id)
            if constraint.is_finished:
                break
            forced = constraint.forced_tokens()
    return answer


def segments_of(cuts: list[int], num_tokens: int) -> list[range]:
    """Some stretches of a prompt that leave its last token out."""
    edges = sorted(cut for cut in cuts if cut < num_tokens)
    return list(map(range, edges[::2], edges[1::2]))


@dataclass(frozen=True)
class EveryPair:
    """A policy that moves everything into windows and leaves nothing out: answers stay the same."""

    acts_in_prefill: bool = False
    keeps_all: bool = False
    num_recent: int = 2
    min_tokens: int = 0
    granule: int = 1

    @property
    def refreshes(self) -> bool:
        return not self.acts_in_prefill

    def prepare(self, view: View) -> None:
        return None

    def select(self, view: View, prepared: None) -> torch.Tensor:
        return torch.ones(1, 1, view.num_candidates, dtype=torch.bool)


def check_report(generation: Generation) -> None:
    """Every token of the prompt came from somewhere, those of segments among them."""
    report = generation.cache
    if report is None:
        assert generation.usage.num_decoded_tokens == 0, "it ran, and tells nothing"
        return
    assert report.prompt.num_tokens == generation.usage.num_prompt_tokens
    for name in ("num_live", "num_host", "num_disk", "num_computed"):
        of_segments = sum(getattr(sources, name) for _, sources in report.segments)
        assert of_segments <= getattr(report.prompt, name)
    assert 0 < report.num_attended_pairs <= report.num_dense_pairs


class EngineMachine(RuleBasedStateMachine):
    """Drives an engine; `expected` holds the answers of the requests in flight."""

    @initialize(
        num_blocks=st.integers(6, 14),
        block_size=st.integers(1, 3),
        max_num_seqs=st.integers(1, 6),
        budget=st.integers(6, 14),
        enable_prefix_caching=st.booleans(),
        enable_fast_forward=st.booleans(),
        max_draft_tokens=st.sampled_from([0, 1, 4]),
        num_recomputed=st.integers(0, 2),
        num_host_blocks=st.sampled_from([0, 2, 20]),
        num_disk_blocks=st.sampled_from([0, 0, 3, 30]),
        policy=st.none() | st.builds(EveryPair, acts_in_prefill=st.booleans()),
        slices=st.sampled_from(["independent", "chained"]),
        window_blocks=st.integers(1, 8),
    )
    def start(
        self,
        num_blocks,
        block_size,
        max_num_seqs,
        budget,
        enable_prefix_caching,
        enable_fast_forward,
        max_draft_tokens,
        num_recomputed,
        num_host_blocks,
        num_disk_blocks,
        policy,
        slices,
        window_blocks,
    ) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.sizes = num_blocks, block_size, num_host_blocks, num_disk_blocks
        self.manager_settings = {
            "enable_prefix_caching": enable_prefix_caching,
            "num_recomputed": num_recomputed,
            "lookahead": budget if policy and policy.acts_in_prefill else None,
        }
        self.policy = policy
        self.layout = ChainLayout(block_size, window_blocks, max_blocks=30)
        self.engine_settings = {
            "max_num_seqs": max_num_seqs,
            "max_num_batched_tokens": budget,
            "enable_fast_forward": enable_fast_forward,
            "max_draft_tokens": max_draft_tokens,
            "slices": slices if enable_prefix_caching else "independent",
        }
        self.open()
        self.budget = budget
        self.expected: dict[int, list[int]] = {}
        self.num_steps = 0

    def open(self) -> None:
        num_blocks, block_size, num_host_blocks, num_disk_blocks = self.sizes
        self.runner = PagedFakeRunner(num_blocks, block_size, VOCAB_SIZE)
        block_bytes = self.runner.cache[0].nbytes
        self.writer = None
        if num_disk_blocks:
            disk = open_disk(Path(self.folder.name), num_disk_blocks, block_bytes)
            self.writer = DiskWriter(disk)
        self.manager = SparseKVManager(
            num_blocks,
            block_size,
            tiers=Tiers(block_bytes, host_bytes=num_host_blocks * block_bytes, writer=self.writer),
            **self.manager_settings,
        )
        keeper = None
        if self.policy is not None:
            keeper = WindowKeeper(self.policy, self.manager, self.runner.pairs_of, interval=2)
        self.engine = Engine(
            self.runner,
            self.manager,
            token_bytes=lambda token_id: bytes([65 + token_id]),
            eos_token_ids=[EOS],
            vocab_size=VOCAB_SIZE,
            max_model_len=100,
            **self.engine_settings,
            keeper=keeper,
        )

    @rule(
        prompts=st.lists(
            st.lists(st.sampled_from([1, 2, 5, 6]), min_size=1, max_size=12), min_size=1, max_size=4
        ),
        max_tokens=st.integers(1, 16),
        priority=st.integers(0, 2),
        salt=st.sampled_from(["", "other"]),
        is_constrained=st.booleans(),
        cuts=st.lists(st.integers(0, 10), max_size=6, unique=True),
    )
    def add(self, prompts, max_tokens, priority, salt, is_constrained, cuts) -> None:
        request = GenerationRequest(
            (),
            sampling=SamplingParams(max_tokens=max_tokens),
            cache_salt=salt,
            priority=priority,
        )
        for prompt in prompts:
            constraint = ForcedRuns() if is_constrained else None
            fits = self.manager.fits(len(prompt) + max_tokens)
            try:
                request_id = self.engine.add_request(
                    request, prompt, constraint, segments_of(cuts, len(prompt))
                )
            except PromptTooLongError:
                assert not fits
            else:
                self.expected[request_id] = reference(prompt, max_tokens, is_constrained)

    @rule(
        preamble=st.lists(st.sampled_from([1, 2]), max_size=4),
        segments=st.lists(
            st.lists(st.sampled_from([1, 5]), min_size=1, max_size=4), min_size=1, max_size=6
        ),
        tail=st.lists(st.sampled_from([1, 2, 5, 6]), min_size=1, max_size=4),
        salt=st.sampled_from(["", "other"]),
        data=st.data(),
    )
    def ask_of_a_document(self, preamble, segments, tail, salt, data) -> None:
        numbers = st.sets(st.integers(0, len(segments) - 1), min_size=1)
        chosen = tuple(sorted(data.draw(numbers)))
        prompt, parts = list(preamble), []
        for number in chosen:
            parts.append(range(len(prompt), len(prompt) + len(segments[number])))
            prompt += segments[number]
        prompt += tail
        chain = Chain(salt, preamble, segments, self.layout)
        chained = ChainedPrompt(chain, chosen, tail)
        read = self.engine._reader.read((), prompt, parts, chained)
        request = GenerationRequest((), None, SamplingParams(max_tokens=3), salt)
        try:
            request_id = self.engine.add_request(request, prompt, None, parts, chained)
        except PromptTooLongError:
            assert not self.manager.fits(len(read.token_ids) + 3)
        else:
            self.expected[request_id] = reference(list(read.token_ids), 3, False)

    @precondition(lambda self: getattr(self, "expected", None))
    @rule(data=st.data())
    def cancel(self, data) -> None:
        request_id = data.draw(st.sampled_from(sorted(self.expected)))
        self.engine.cancel(request_id)
        del self.expected[request_id]

    @rule()
    def step(self) -> None:
        num_schedules = len(self.runner.schedules)
        for finished in self.engine.step():
            assert finished.error is None
            tokens = [token.token_id for token in finished.generation.tokens]
            assert tokens == self.expected.pop(finished.request_id)
            check_report(finished.generation)
        for schedule in self.runner.schedules[num_schedules:]:
            assert 0 < schedule.num_tokens <= self.budget
        self.num_steps += 1
        if self.writer is not None:
            self.writer.flush()

    @precondition(lambda self: getattr(self, "expected", None))
    @rule()
    def fail(self) -> None:
        self.runner.fail_next = RuntimeError("a step failed")
        if self.engine.scheduler.has_work:
            with pytest.raises(RuntimeError, match="a step failed"):
                self.engine.step()
        self.engine.abort()
        self.runner.fail_next = None
        self.expected.clear()

    @rule()
    def restart(self) -> None:
        self.engine.close()
        self.open()
        self.expected.clear()

    @rule()
    def drain(self) -> None:
        limit = self.num_steps + 3000
        while self.engine.has_work:
            self.step()
            self.engine.check_integrity()
            assert self.num_steps < limit, "no progress"
        assert not self.expected
        assert self.engine.num_held_blocks == 0

    @invariant()
    def is_sound(self) -> None:
        if hasattr(self, "engine"):
            self.engine.check_integrity()
            assert self.engine.has_work or not self.expected

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.drain()
            self.engine.close()
            self.folder.cleanup()


EngineMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestEngine = EngineMachine.TestCase
