"""How a prompt reads its document: parts of a chain, independent slices, or all of it by itself.

Decided once, when a request comes, by `EngineConfig.slices` and by what is at hand.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.engine.chaining import (
    ChainedPrompt,
    attach_chain,
    make_window_sequences,
    prompt_ids_of,
)
from assay.engine.scheduler import Scheduler
from assay.engine.sequence import Sequence
from assay.engine.slicing import find_segments, make_slice_sequences
from assay.kv_cache.chains import Attachment, Chain
from assay.types import Message

if TYPE_CHECKING:
    from assay.engine.config import SliceKind


@dataclass(frozen=True, slots=True)
class ReadPrompt:
    """A prompt as it will be computed. Whole blocks of its first `num_preamble_tokens` depend on
    nothing of the document. `places` are where segments of the document stand, by their numbers;
    those in `segments` are slices."""

    token_ids: Seq[int]
    segments: Seq[range] = ()
    num_preamble_tokens: int = 0
    attached: tuple[Chain, Attachment] | None = None
    places: Seq[tuple[int, range]] = ()


class PromptReader:
    """Chooses how prompts are read, and orders what they need. Belongs to the engine's thread."""

    def __init__(self, scheduler: Scheduler, kind: SliceKind, max_model_len: int) -> None:
        self._scheduler = scheduler
        self._manager = scheduler.manager
        self._kind = kind
        self._max_model_len = max_model_len

    def read(
        self,
        messages: Seq[Message],
        prompt_ids: Seq[int],
        segments: Seq[range],
        chained: ChainedPrompt | None,
    ) -> ReadPrompt:
        """The prompt of `messages` is given twice: as tokens with `segments`, and by parts of a
        chain."""
        num_preamble = segments[0].start if segments else 0
        if chained is not None and self._kind == "chained":
            attachment = chained.attachment()
            token_ids = prompt_ids_of(chained, attachment)
            return ReadPrompt(token_ids, (), num_preamble, (chained.chain, attachment))
        chosen = [
            number for item in messages for number in item.chosen or range(len(item.segments))
        ]
        places = tuple(zip(chosen or range(len(segments)), segments, strict=True))
        if self._kind == "off":
            return ReadPrompt(prompt_ids, places=places)
        return ReadPrompt(prompt_ids, segments, num_preamble, places=places)

    def order(self, sequence: Sequence, prompt: ReadPrompt) -> list[Sequence]:
        """Lets the sequence of a prompt find what it reads; what is to be computed before it, by
        sequences that are numbered before it."""
        is_making = self._scheduler.is_in_the_making
        if prompt.attached is not None:
            chain, attachment = prompt.attached
            attach_chain(sequence, chain, attachment, self._max_model_len)
            sequence.places = chain.places(attachment)
            return make_window_sequences(sequence, chain, attachment, self._manager, is_making)
        sequence.segments = find_segments(sequence, prompt.segments)
        sequence.places = prompt.places
        return make_slice_sequences(sequence, self._manager, is_making)
