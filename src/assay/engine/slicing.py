"""From a prompt's segments to the slices that hold them, and the sequences that compute those.

All segments of a prompt share its *preamble*, the tokens before the first one. A slice is what a
model makes of preamble and segment alone.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq

from assay.engine.sequence import Sequence
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.slices import PromptSegment, SliceKey, slice_key
from assay.types import SamplingParams


def find_segments(sequence: Sequence, segments: Seq[range]) -> tuple[PromptSegment, ...]:
    """The segments with the keys of their slices."""
    if not segments:
        return ()
    token_ids, salt = sequence.token_ids, sequence.cache_salt
    preamble = token_ids[: segments[0].start]
    return tuple(
        PromptSegment(
            part.start, part.stop, slice_key(salt, preamble, token_ids[part.start : part.stop])
        )
        for part in segments
    )


def make_slice_sequences(
    sequence: Sequence, manager: SparseKVManager, is_making: Callable[[SliceKey], bool]
) -> list[Sequence]:
    """What computes the segments of a sequence that nobody has ordered yet; no answer comes of it.

    They take the numbers from the sequence's own on, and it the one after them, so that they run
    before it.
    """
    sequence.needs = frozenset(item.key for item in sequence.segments)
    missing: dict[SliceKey, PromptSegment] = {}
    for item in sequence.segments:
        if not manager.contents.has_slice(item.key) and not is_making(item.key):
            missing[item.key] = item
    sequence.ordered = [
        range(item.start, item.end) for item in sequence.segments if item.key in missing
    ]
    if missing:
        # The preamble's whole blocks are computed with the first of them.
        size = manager.block_size
        end = sequence.segments[0].start // size * size
        sequence.ordered.append(range(manager.num_found_tokens(sequence), end))
    made = []
    for segment in missing.values():
        made.append(_make_slice_sequence(sequence, segment))
        sequence.seq_id += 1
    return made


def _make_slice_sequence(sequence: Sequence, segment: PromptSegment) -> Sequence:
    preamble = sequence.token_ids[: sequence.segments[0].start]
    token_ids = preamble + sequence.token_ids[segment.start : segment.end]
    return Sequence(
        seq_id=sequence.seq_id,
        token_ids=token_ids,
        sampling=SamplingParams(max_tokens=0),
        decoder=sequence.decoder,
        cache_salt=sequence.cache_salt,
        num_public_tokens=sequence.num_public_tokens,
        priority=sequence.priority,
        segments=(PromptSegment(len(preamble), len(token_ids), segment.key),),
        makes=segment.key,
    )
