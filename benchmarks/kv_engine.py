"""An engine driven step by step, with its cache and its logits watched.

What a request holds is read while a step computes, when all that the step needs is allocated.
Blocks that others share count in full: it is what the request keeps from being evicted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.decoding.matcher import compile_constraint
from assay.decoding.spans import locate_spans
from assay.decoding.vocabulary import Vocabulary
from assay.engine.chaining import ChainedPrompt, chain_prompt
from assay.engine.config import EngineConfig
from assay.engine.load import build_engine, choose, make_chain_store
from assay.engine.sequence import Constraint, Sequence
from assay.models.packed import PackedModel
from assay.models.tokenizer import Tokenizer
from assay.types import Generation, GenerationRequest, JsonConstraint, Message, SamplingParams
from benchmarks.kv_replay import Replay

if TYPE_CHECKING:
    import torch

    from assay.engine.masks import Legality
    from assay.engine.schedule import Schedule


@dataclass(frozen=True)
class EnginePrompt:
    """A prompt as `Engine.add_request` takes it."""

    token_ids: Seq[int]
    segments: Seq[range] = ()
    chained: ChainedPrompt | None = None
    salt: str = ""


@dataclass(frozen=True)
class Measured:
    """One request that ran alone.

    `ttft_s` is the time from submission to the first token that was decided on, None if none was.
    `num_prefilled` are the tokens computed until then, those of slices made for it included.
    `kv_bytes` is what it held in its last step.
    """

    generation: Generation
    ttft_s: float | None
    num_prefilled: int
    kv_bytes: int
    peak_kv_bytes: int


@dataclass
class Replayed:
    """Answers that were known: `nll[i]` is the mean negative log-likelihood of the tokens of answer
    `i`, `num_tokens[i]` their number, `kv_bytes[i]` what the request held in its last step;
    `step_s` are the steps in which all wrote one token each."""

    nll: list[float] = field(default_factory=list)
    num_tokens: list[int] = field(default_factory=list)
    kv_bytes: list[int] = field(default_factory=list)
    step_s: list[float] = field(default_factory=list)


class MeasuredEngine:
    """Runs requests of one mode. Not for use from several threads.

    Hooks the engine's runner and its sampling step, on this instance alone.
    """

    def __init__(self, packed: PackedModel, config: EngineConfig, vocabulary: Vocabulary) -> None:
        self.tokenizer: Tokenizer = packed.tokenizer()
        self.choices = choose(packed, config)
        self.engine = build_engine(packed, config, self.tokenizer, self.choices)
        self.chains = make_chain_store(packed, config)
        self._slices = config.slices
        self._vocabulary = vocabulary
        self._block_bytes = self.choices.kv_cache_bytes // self.choices.num_blocks
        self._page_bytes = (
            self._block_bytes // packed.config.num_layers // packed.config.num_kv_heads
        )
        self._held: dict[int, int] = {}
        self._peak: dict[int, int] = {}
        self._num_scheduled = 0
        self._is_even = False
        self._losses: dict[int, list[float]] = {}
        self._hook()

    @property
    def num_held_blocks(self) -> int:
        return self.engine.num_held_blocks

    def encode(self, messages: Seq[Message], salt: str = "") -> EnginePrompt:
        """What the back end makes of messages, as the mode's `slices` have it."""
        prompt = self.tokenizer.encode_prompt(messages)
        request = GenerationRequest(tuple(messages), cache_salt=salt)
        chained = chain_prompt(self.chains, self.tokenizer, request, prompt)
        segments = () if self._slices == "off" else prompt.segments
        return EnginePrompt(prompt.token_ids, segments, chained, salt)

    def ask(
        self,
        prompt: EnginePrompt,
        sampling: SamplingParams,
        constraint: JsonConstraint | None = None,
    ) -> Measured:
        """Runs one request to its end.

        Raises:
            AssayError: the request failed.
        """
        matcher = None
        if constraint is not None:
            matcher = compile_constraint(constraint, self._vocabulary)
        num_before = self._num_scheduled
        started = time.perf_counter()
        request_id = self._add(prompt, sampling, matcher)
        sequence = self._find(request_id)
        num_forced = 0 if sequence is None else sequence.num_forced_tokens
        ttft_s, num_prefilled = None, 0
        while True:
            finished = self.engine.step()
            if ttft_s is None and sequence is not None and sequence.num_decoded_tokens:
                ttft_s = time.perf_counter() - started
                num_prefilled = self._num_scheduled - num_before - num_forced
            if finished:
                break
        (item,) = finished
        if item.error is not None:
            raise item.error
        assert item.generation is not None
        return Measured(
            self._with_spans(item.generation, constraint),
            ttft_s,
            num_prefilled,
            self._held.pop(request_id, 0),
            self._peak.pop(request_id, 0),
        )

    def replay(self, prompts: Seq[EnginePrompt], answers: Seq[Replay]) -> Replayed:
        """Runs requests side by side whose answers are known."""
        found = Replayed()
        ids = [
            self._add(prompt, SamplingParams(max_tokens=answer.num_tokens), answer)
            for prompt, answer in zip(prompts, answers, strict=True)
        ]
        self._losses = {request_id: [] for request_id in ids}
        num_left = len(ids)
        while num_left:
            started = time.perf_counter()
            finished = self.engine.step()
            elapsed = time.perf_counter() - started
            if self._is_even and self._num_deciding == len(ids):
                found.step_s.append(elapsed)
            num_left -= len(finished)
            if errors := [item.error for item in finished if item.error is not None]:
                raise errors[0]
        for request_id in ids:
            losses = self._losses[request_id]
            found.nll.append(sum(losses) / max(1, len(losses)))
            found.num_tokens.append(len(losses))
            found.kv_bytes.append(self._held.pop(request_id, 0))
            self._peak.pop(request_id, 0)
        self._losses = {}
        return found

    def held_bytes(self, sequence: Sequence) -> int:
        """The blocks of a sequence, those that it shares as well, and the pages of its window."""
        num_bytes = len(sequence.block_table) * self._block_bytes
        if sequence.window is not None:
            pages = sequence.window.taken_pages(self.choices.block_size)
            num_bytes += len(pages) * self._page_bytes
        return num_bytes

    def _add(
        self, prompt: EnginePrompt, sampling: SamplingParams, constraint: Constraint | None
    ) -> int:
        request = GenerationRequest((), sampling=sampling, cache_salt=prompt.salt)
        return self.engine.add_request(
            request, prompt.token_ids, constraint, prompt.segments, prompt.chained
        )

    def _find(self, request_id: int) -> Sequence | None:
        running = self.engine.scheduler.sequences()
        return next((item for item in running if item.seq_id == request_id), None)

    def _with_spans(self, generation: Generation, constraint: JsonConstraint | None) -> Generation:
        if constraint is None or generation.finish_reason != "stop":
            return generation
        tokens = [self.tokenizer.token_bytes(item.token_id) for item in generation.tokens]
        return replace(generation, spans=locate_spans(constraint, generation.text, tokens))

    def _hook(self) -> None:
        runner, sample = self.engine._runner, self.engine._sample
        run = runner.run
        self._num_deciding = 0

        def watched_run(schedule: Schedule) -> torch.Tensor:
            for sequence in self.engine.scheduler.sequences():
                if sequence.makes is None and sequence.block_table:
                    held = self.held_bytes(sequence)
                    self._held[sequence.seq_id] = held
                    self._peak[sequence.seq_id] = max(self._peak.get(sequence.seq_id, 0), held)
            self._num_scheduled += schedule.num_tokens
            self._is_even = all(len(item.token_ids) == 1 for item in schedule.sequences)
            self._num_deciding = len(schedule.sequences)
            return run(schedule)

        def watched_sample(
            sequences: list[Sequence], logits: torch.Tensor, legality: Legality
        ) -> None:
            if self._losses:
                rows = logits.float().logsumexp(-1)
                for row, sequence in enumerate(sequences):
                    answer = sequence.constraint
                    assert isinstance(answer, Replay)
                    loss = rows[row] - logits[row, answer.next_token]
                    self._losses[sequence.seq_id].append(float(loss))
            sample(sequences, logits, legality)

        runner.run = watched_run  # type: ignore[method-assign]
        self.engine._sample = watched_sample  # type: ignore[method-assign]


def perplexity(replays: Seq[Replayed]) -> float | None:
    """Over all tokens of all answers; None if there are none."""
    pairs = [
        (nll, count)
        for item in replays
        for nll, count in zip(item.nll, item.num_tokens, strict=True)
    ]
    total = sum(count for _, count in pairs)
    return math.exp(sum(nll * count for nll, count in pairs) / total) if total else None
