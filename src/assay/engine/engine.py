"""The engine: requests in, finished answers out, one step at a time.

A step is: schedule, run the model, publish what was computed, sample, advance constraints, take
out what is finished. Single-threaded; `backends.local` gives it a thread. The engine owns its
sequences from `add_request` until `step` returns them or `cancel` drops them.

Fast-forward: after each token, and before the first, the constraint is asked which tokens must
follow. They join the answer at once and are computed by the next step in one forward pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from assay.engine.sampler import SampledToken, sample
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.engine.scheduler import Chunk, Scheduler
from assay.engine.sequence import Constraint, Sequence
from assay.engine.text import IncrementalDecoder, find_stop
from assay.errors import (
    AssayError,
    CorruptModelError,
    GrammarTooComplexError,
    InputError,
    PromptTooLongError,
)
from assay.kv_cache.manager import KVCacheManager
from assay.types import FinishReason, GeneratedToken, Generation, GenerationRequest, Usage

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray


class ModelRunner(Protocol):
    """What the engine needs of a runner (`engine.runner.Runner` is one)."""

    def run(self, schedule: Schedule) -> torch.Tensor:
        """Logits `(num_wanting, vocab_size)`, float32, of the sequences that want them."""
        ...


@dataclass(frozen=True, slots=True)
class Finished:
    """A request that has left the engine: exactly one of `generation` and `error` is set."""

    request_id: int
    generation: Generation | None = None
    error: AssayError | None = None


class Engine:
    """Runs many sequences together.

    `token_bytes` gives the bytes that a token spells; `vocab_size` is the logits' width.
    """

    def __init__(
        self,
        runner: ModelRunner,
        manager: KVCacheManager,
        *,
        token_bytes: Callable[[int], bytes],
        eos_token_ids: Collection[int],
        vocab_size: int,
        max_model_len: int,
        max_num_seqs: int,
        max_num_batched_tokens: int,
        enable_fast_forward: bool = True,
    ) -> None:
        self.scheduler = Scheduler(
            manager,
            max_num_seqs=max_num_seqs,
            max_num_batched_tokens=max_num_batched_tokens,
            enable_fast_forward=enable_fast_forward,
        )
        self.max_model_len = max_model_len
        self._runner = runner
        self._manager = manager
        self._token_bytes = token_bytes
        self._eos_token_ids = frozenset(eos_token_ids)
        self._vocab_size = vocab_size
        self._masks = np.zeros((max_num_seqs, (vocab_size + 31) // 32), dtype=np.int32)
        self._next_id = 0
        self._finished: list[Finished] = []

    @property
    def has_work(self) -> bool:
        return bool(self._finished) or self.scheduler.has_work

    def add_request(
        self,
        request: GenerationRequest,
        prompt_ids: Seq[int],
        constraint: Constraint | None = None,
    ) -> int:
        """Queues a request whose prompt is already tokens; returns its number.

        `constraint` is the compiled `request.constraint`, at the start of the answer; the engine
        owns it from here. Sampling parameters are taken to be in range; back ends check them.

        Raises:
            InputError: the prompt is empty.
            PromptTooLongError: prompt and answer do not fit the model or the KV cache.
            ConstraintError: the constraint fails at its first token.
        """
        num_prompt_tokens, max_tokens = len(prompt_ids), request.sampling.max_tokens
        if num_prompt_tokens == 0:
            raise InputError("the prompt is empty")
        if num_prompt_tokens + max_tokens > self.max_model_len:
            raise PromptTooLongError(
                f"{num_prompt_tokens} prompt tokens and an answer of up to {max_tokens} exceed "
                f"the model's {self.max_model_len} positions",
                remedy="shorten the prompt or lower max_tokens",
            )
        sequence = Sequence(
            seq_id=self._next_id,
            token_ids=list(prompt_ids),
            sampling=request.sampling,
            decoder=IncrementalDecoder(self._token_bytes),
            cache_salt=request.cache_salt,
            priority=request.priority,
            constraint=constraint,
        )
        finish_reason = self._fast_forward(sequence)
        if finish_reason is None:
            self.scheduler.add(sequence)
        else:
            self._finished.append(self._answer(sequence, finish_reason))
        self._next_id += 1
        return sequence.seq_id

    def cancel(self, request_id: int) -> None:
        """Drops a request and frees its blocks at once; nothing if it has finished."""
        if not self.scheduler.cancel(request_id):
            self._finished = [item for item in self._finished if item.request_id != request_id]

    def step(self) -> list[Finished]:
        """Computes one batch and returns the requests that it finished.

        Raises:
            Exception: whatever the model raised; the caller then calls `abort`.
        """
        if self.scheduler.has_work:
            chunks = self.scheduler.schedule()
            logits = self._runner.run(_as_schedule(chunks))
            self.scheduler.commit(chunks)
            wanting = [chunk.sequence for chunk in chunks if chunk.sequence.num_pending_tokens == 0]
            if wanting:
                self._sample(wanting, logits)
        finished, self._finished = self._finished, []
        return finished

    def abort(self) -> list[int]:
        """Drops all requests and all cached blocks; returns the requests' numbers."""
        dropped = [sequence.seq_id for sequence in self.scheduler.sequences()]
        for seq_id in dropped:
            self.scheduler.cancel(seq_id)
        dropped += [item.request_id for item in self._finished]
        self._finished = []
        self._manager.pool.forget()
        return dropped

    def check_integrity(self) -> None:
        """Asserts the scheduler's and the block pool's invariants."""
        self.scheduler.check_integrity()

    def _sample(self, sequences: list[Sequence], logits: torch.Tensor) -> None:
        masks, failed = self._fill_masks(sequences)
        tokens = sample(
            logits,
            masks,
            [sequence.sampling for sequence in sequences],
            [sequence.random for sequence in sequences],
        )
        for row, (sequence, token) in enumerate(zip(sequences, tokens, strict=True)):
            try:
                if row in failed:
                    raise failed[row]
                finish_reason = self._take(sequence, token)
            except AssayError as error:
                self.scheduler.finish(sequence)
                self._finished.append(Finished(sequence.seq_id, error=error))
                continue
            if finish_reason is not None:
                self.scheduler.finish(sequence)
                self._finished.append(self._answer(sequence, finish_reason))

    def _fill_masks(
        self, sequences: list[Sequence]
    ) -> tuple[NDArray[np.int32] | None, dict[int, AssayError]]:
        """The legal tokens of each row, and the rows whose constraint failed."""
        failed: dict[int, AssayError] = {}
        if all(sequence.constraint is None for sequence in sequences):
            return None, failed
        masks = self._masks[: len(sequences)]
        for row, sequence in enumerate(sequences):
            if sequence.constraint is None:
                masks[row] = -1
                continue
            try:
                sequence.constraint.fill_mask(masks[row])
            except AssayError as error:
                failed[row] = error
        return masks, failed

    def _take(self, sequence: Sequence, token: SampledToken | None) -> FinishReason | None:
        """Appends a sampled token and what it forces; says whether the answer ends."""
        if token is None:
            raise GrammarTooComplexError("the constraint allows no token here")
        if not math.isfinite(token.logprob):
            raise CorruptModelError("the model's logits are not numbers")
        if token.token_id in self._eos_token_ids:
            return "stop"
        record = GeneratedToken(
            token_id=token.token_id,
            text=sequence.decoder.feed(token.token_id),
            logprob=token.logprob,
            forced=token.num_legal == 1,
            margin=token.margin,
            alternatives=token.alternatives,
        )
        sequence.append(record, is_decoded=True)
        if sequence.constraint is not None:
            sequence.constraint.advance(token.token_id)
        if _cut_at_stop(sequence, len(record.text)):
            return "stop"
        return self._fast_forward(sequence)

    def _fast_forward(self, sequence: Sequence) -> FinishReason | None:
        """Appends the tokens that must come next; says whether the answer ends."""
        constraint = sequence.constraint
        if constraint is not None:
            for token_id in constraint.forced_tokens():
                if token_id in self._eos_token_ids:
                    return "stop"
                if len(sequence.records) == sequence.sampling.max_tokens:
                    return "length"
                text = sequence.decoder.feed(token_id)
                record = GeneratedToken(token_id, text, logprob=0.0, forced=True)
                sequence.append(record, is_decoded=False)
                constraint.advance(token_id)
            if constraint.is_finished:
                return "stop"
        return "length" if len(sequence.records) == sequence.sampling.max_tokens else None

    def _answer(self, sequence: Sequence, finish_reason: FinishReason) -> Finished:
        rest = sequence.decoder.flush()
        if rest and sequence.records:
            last = sequence.records[-1]
            sequence.records[-1] = replace(last, text=last.text + rest)
        generation = Generation(
            text="".join(record.text for record in sequence.records),
            tokens=tuple(sequence.records),
            finish_reason=finish_reason,
            usage=Usage(
                num_prompt_tokens=sequence.num_prompt_tokens,
                num_cached_tokens=sequence.num_cached_tokens,
                num_decoded_tokens=sequence.num_decoded_tokens,
                num_forced_tokens=sequence.num_forced_tokens,
                num_requests=1,
            ),
        )
        return Finished(sequence.seq_id, generation)


def _as_schedule(chunks: list[Chunk]) -> Schedule:
    scheduled = []
    for chunk in chunks:
        sequence, start = chunk.sequence, chunk.sequence.num_computed_tokens
        scheduled.append(
            ScheduledSequence(
                token_ids=sequence.token_ids[start : start + chunk.num_tokens],
                start=start,
                block_table=sequence.block_table,
                num_logits=int(chunk.is_last),
            )
        )
    return Schedule(tuple(scheduled))


def _cut_at_stop(sequence: Sequence, num_new: int) -> bool:
    """Removes the first stop string and all after it from the records; true if there was one."""
    place = find_stop(sequence.decoder.text, num_new, sequence.sampling.stop)
    if place is None:
        return False
    kept, length = [], 0
    for record in sequence.records:
        if length >= place:
            break
        kept.append(replace(record, text=record.text[: place - length]))
        length += len(record.text)
    sequence.records = kept
    return True
