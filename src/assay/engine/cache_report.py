"""What a sequence had of the KV cache, told when it ends and still holds it."""

from __future__ import annotations

from assay.engine.pairs import PairCount
from assay.engine.sequence import Sequence
from assay.reports import CacheReport, ReadingKind, TokenSources

_COMPUTED, _LIVE, _HOST, _DISK = range(4)
_CODES = {"live": _LIVE, "host": _HOST, "disk": _DISK}


def report_cache(sequence: Sequence) -> CacheReport | None:
    """The report of a sequence; None for one that never had blocks.

    What was computed for it by others is computed; what others were computing anyway is found live.
    """
    if sequence.origins is None:
        return None
    codes = bytearray(sequence.num_prompt_tokens)
    for slots, source in sequence.origins:
        codes[slots.start : slots.stop] = bytes([_CODES[source]]) * len(slots)
    for slots in sequence.ordered:
        codes[slots.start : slots.stop] = bytes(len(slots))
    # What was forced behind the prompt may have been found with it.
    del codes[sequence.num_prompt_tokens :]
    pairs, window = sequence.pairs or PairCount(0), sequence.window
    return CacheReport(
        _reading(sequence),
        _count(codes),
        tuple((number, _count(codes[at.start : at.stop])) for number, at in sequence.places),
        len(sequence.token_ids),
        sequence.num_windowed_tokens,
        () if window is None else tuple(map(tuple, window.counts.tolist())),
        sequence.offsets[-1][1],
        pairs.num_queries,
        pairs.num_heads,
        pairs.num_attended,
        pairs.num_dense,
    )


def _reading(sequence: Sequence) -> ReadingKind:
    if sequence.num_chained_tokens is not None:
        return "chained"
    return "independent" if sequence.segments else "plain"


def _count(codes: bytearray) -> TokenSources:
    return TokenSources(*map(codes.count, (_LIVE, _HOST, _DISK, _COMPUTED)))
