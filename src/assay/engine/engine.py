"""The engine: requests in, finished answers out, one step at a time.

A step is: schedule, run the model while the legal tokens are found, publish what was computed,
sample, advance constraints, take out what is finished, leave out what a policy does not keep.
Driven from one thread; `engine.thread` gives it one. The engine owns its sequences from
`add_request` until `step` returns them or `cancel` drops them.

Fast-forward: after each token, and before the first, the constraint is asked which tokens must
follow. They join the answer at once and are computed by the next step in one forward pass.

Drafts (off unless `max_draft_tokens` is set): the next tokens of a greedy sequence are guessed by
lookup in the prompt and computed with those pending. Their rows of logits are sampled as if each
were the last, and the draft counts as far as it is what was chosen. So an answer is the one that
it would be without.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from collections.abc import Sequence as Seq
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.engine.answer import (
    Finished,
    as_finished,
    cut_at_stop,
    decided_record,
    forced_record,
)
from assay.engine.chaining import ChainedPrompt
from assay.engine.drafting import propose_draft
from assay.engine.draw import SampledToken
from assay.engine.greedy import find_likeliest_with
from assay.engine.masks import Deciding, Legality, MaskFiller
from assay.engine.pairs import PairCount
from assay.engine.prompts import PromptReader
from assay.engine.sampler import sample
from assay.engine.schedule import ModelRunner, as_schedule
from assay.engine.scheduler import Scheduler
from assay.engine.sequence import Constraint, Sequence
from assay.engine.text import IncrementalDecoder
from assay.errors import (
    AssayError,
    CorruptModelError,
    GrammarTooComplexError,
    InputError,
    PromptTooLongError,
)
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.statistics import CacheStatistics
from assay.types import FinishReason, GenerationRequest

if TYPE_CHECKING:
    import torch

    from assay.engine.config import SliceKind
    from assay.engine.windows import WindowKeeper
    from assay.models.layers import Kernels


class Engine:
    """Runs many sequences together.

    `token_bytes` gives the bytes that a token spells; `vocab_size` is the logits' width. A draft
    has at most `max_draft_tokens`; 0 turns drafts off. `slices` says how prompts read documents.
    `keeper` decides what sequences keep of their first tokens; without one, everything.
    """

    def __init__(
        self,
        runner: ModelRunner,
        manager: SparseKVManager,
        *,
        token_bytes: Callable[[int], bytes],
        eos_token_ids: Collection[int],
        vocab_size: int,
        max_model_len: int,
        max_num_seqs: int,
        max_num_batched_tokens: int,
        enable_fast_forward: bool = True,
        max_draft_tokens: int = 0,
        slices: SliceKind = "independent",
        kernels: Kernels = "torch",
        keeper: WindowKeeper | None = None,
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
        self._token_bytes = lru_cache(maxsize=None)(token_bytes)
        self._eos_token_ids = frozenset(eos_token_ids)
        self._max_draft_tokens = max_draft_tokens
        self._reader = PromptReader(self.scheduler, slices, max_model_len)
        self._keeper = keeper
        self.pairs = PairCount(manager.windows.pages.pages_a_block)
        self.num_drafted_tokens = 0
        self.num_accepted_tokens = 0
        self._masks = MaskFiller(vocab_size)
        self._find_likeliest = find_likeliest_with(kernels)
        self._next_id = 0
        self._finished: list[Finished] = []

    @property
    def has_work(self) -> bool:
        return bool(self._finished) or self.scheduler.has_work

    @property
    def num_held_blocks(self) -> int:
        """KV blocks that requests hold; those that are only cached do not count."""
        return self._manager.num_held_blocks

    @property
    def cache_statistics(self) -> CacheStatistics:
        """Where the blocks of prompts came from so far. May be read from any thread."""
        return self._manager.contents.statistics

    def add_request(
        self,
        request: GenerationRequest,
        prompt_ids: Seq[int],
        constraint: Constraint | None = None,
        segments: Seq[range] = (),
        chained: ChainedPrompt | None = None,
    ) -> int:
        """Queues a request whose prompt is already tokens; returns its number.

        `segments` are stretches of the prompt, ascending and apart, that may stand in others too:
        their keys and values are kept as slices. The prompt goes on after the last. `chained` is
        the same prompt by parts of its document's chain: which of the two is taken is `slices`'.

        `constraint` is the compiled `request.constraint`, at the start of the answer; the engine
        owns it from here. Sampling parameters are taken to be in range; back ends check them.

        Raises:
            InputError: the prompt is empty.
            PromptTooLongError: prompt and answer do not fit the model or the KV cache.
            ConstraintError: the constraint fails at its first token.
        """
        prompt = self._reader.read(request.messages, prompt_ids, segments, chained)
        num_prompt_tokens, max_tokens = len(prompt.token_ids), request.sampling.max_tokens
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
            token_ids=list(prompt.token_ids),
            sampling=request.sampling,
            decoder=IncrementalDecoder(self._token_bytes),
            cache_salt=request.cache_salt,
            num_public_tokens=prompt.num_preamble_tokens * request.is_preamble_public,
            priority=request.priority,
            constraint=constraint,
            keeping=None if self._keeper is None else self._keeper.begin(),
            pairs=PairCount(self.pairs.num_heads),
        )
        finish_reason = self._fast_forward(sequence)
        if finish_reason is None:
            ordered = self._reader.order(sequence, prompt)
            self._next_id = sequence.seq_id
            for item in (sequence, *ordered):
                self.scheduler.add(item)
        else:
            self._finished.append(as_finished(sequence, finish_reason))
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
            plan = self.scheduler.schedule()
            schedule = as_schedule(plan)
            last = [chunk.sequence for chunk in plan.chunks if chunk.is_last]
            deciding = [sequence for sequence in last if sequence.makes is None]
            pending = self._masks.begin([Deciding(s.constraint, s.draft) for s in deciding])
            try:
                logits = self._runner.run(schedule)
            finally:
                # Also if the run failed: until then the constraints are in use.
                legality = pending.result()
            self.pairs.add(schedule.sequences)
            self.scheduler.commit(plan.chunks)
            for sequence in (item for item in last if item.makes is not None):
                self.scheduler.keep(sequence)
            if deciding:
                self._sample(deciding, logits, legality)
            if self._keeper is not None:
                self._keeper.look_after([chunk.sequence for chunk in plan.chunks])
        finished, self._finished = self._finished, []
        return finished

    def abort(self) -> list[int]:
        """Drops all requests and all cached blocks; returns the requests' numbers."""
        dropped = [sequence.seq_id for sequence in self.scheduler.sequences()]
        for seq_id in dropped:
            self.scheduler.cancel(seq_id)
        dropped += [item.request_id for item in self._finished]
        self._finished = []
        self._manager.forget()
        return dropped

    def close(self) -> None:
        """Drops all requests, saves what is cached to disk, where there is a disk cache, and closes
        that. The engine is not used afterwards."""
        for sequence in self.scheduler.sequences():
            self.scheduler.cancel(sequence.seq_id)
        self._manager.contents.close(self._runner.move)

    def check_integrity(self) -> None:
        """Asserts the scheduler's and the block pool's invariants."""
        self.scheduler.check_integrity()

    def _sample(self, sequences: list[Sequence], logits: torch.Tensor, legality: Legality) -> None:
        owners = [sequence for sequence in sequences for _ in range(1 + len(sequence.draft))]
        tokens = sample(
            logits,
            legality.masks,
            [sequence.sampling for sequence in owners],
            [sequence.random for sequence in owners],
            self._find_likeliest,
        )
        row = 0
        for place, sequence in enumerate(sequences):
            choices = tokens[row : row + 1 + len(sequence.draft)]
            row += len(choices)
            try:
                if place in legality.failed:
                    raise legality.failed[place]
                finish_reason = self._take_all(sequence, choices)
            except AssayError as error:
                self.scheduler.finish(sequence)
                self._finished.append(Finished(sequence.seq_id, error=error))
                continue
            if finish_reason is not None:
                # Before its blocks are given back: what it held is told.
                self._finished.append(as_finished(sequence, finish_reason))
                self.scheduler.finish(sequence)
            elif self._max_draft_tokens:
                sequence.draft = propose_draft(
                    sequence, self._max_draft_tokens, self._eos_token_ids
                )

    def _take_all(
        self, sequence: Sequence, choices: list[SampledToken | None]
    ) -> FinishReason | None:
        """Takes the tokens chosen after the last position and after each of the draft's, as long
        as the draft is what was chosen; says whether the answer ends."""
        draft = sequence.draft
        if not draft:
            return self._take(sequence, choices[0])
        start, num_accepted = len(sequence.token_ids), 0
        self.num_drafted_tokens += len(draft)
        while True:
            finish_reason = self._take(sequence, choices[num_accepted])
            written = sequence.token_ids[start:]
            num_before = num_accepted
            while num_accepted < min(len(draft), len(written)) and (
                draft[num_accepted] == written[num_accepted]
            ):
                num_accepted += 1
            self.num_accepted_tokens += num_accepted - num_before
            if finish_reason is not None:
                return finish_reason
            if num_accepted < len(written):
                self.scheduler.settle(sequence, num_accepted)
                return None

    def _take(self, sequence: Sequence, token: SampledToken | None) -> FinishReason | None:
        """Appends a sampled token and what it forces; says whether the answer ends."""
        if token is None:
            raise GrammarTooComplexError("the constraint allows no token here")
        if not math.isfinite(token.logprob):
            raise CorruptModelError("the model's logits are not numbers")
        if token.token_id in self._eos_token_ids:
            return "stop"
        record = decided_record(token, sequence.decoder.feed(token.token_id))
        sequence.append(record)
        if sequence.constraint is not None:
            sequence.constraint.advance(token.token_id)
        if sequence.sampling.stop and cut_at_stop(sequence, len(record.text)):
            return "stop"
        return self._fast_forward(sequence)

    def _fast_forward(self, sequence: Sequence) -> FinishReason | None:
        """Appends the tokens that must come next; says whether the answer ends."""
        constraint = sequence.constraint
        room = sequence.sampling.max_tokens - len(sequence.records)
        if constraint is not None:
            forced = constraint.forced_tokens()
            ends = [i for i, token_id in enumerate(forced) if token_id in self._eos_token_ids]
            kept = forced[: ends[0]] if ends else forced
            if kept:
                written = kept[:room]
                pieces = sequence.decoder.feed_all(written)
                sequence.append_forced(list(map(forced_record, written, pieces)))
                constraint.advance(*written)
            if len(kept) > room:
                return "length"
            if ends or constraint.is_finished:
                return "stop"
            room -= len(kept)
        return "length" if room == 0 else None
