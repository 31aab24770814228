"""A sequence's records into the answer that its request gets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from assay.engine.cache_report import report_cache
from assay.engine.draw import SampledToken
from assay.engine.sequence import Sequence
from assay.engine.text import find_stop
from assay.errors import AssayError
from assay.types import FinishReason, GeneratedToken, Generation, Usage


@dataclass(frozen=True, slots=True)
class Finished:
    """A request that has left the engine: exactly one of `generation` and `error` is set."""

    request_id: int
    generation: Generation | None = None
    error: AssayError | None = None


@lru_cache(maxsize=1 << 16)
def forced_record(token_id: int, text: str) -> GeneratedToken:
    """The record of a token that was not decided on; the same one for the same token."""
    return GeneratedToken(token_id, text, logprob=0.0, forced=True)


def decided_record(token: SampledToken, text: str) -> GeneratedToken:
    """The record of a token that was chosen, and how sure the model was."""
    return GeneratedToken(
        token_id=token.token_id,
        text=text,
        logprob=token.logprob,
        forced=token.num_legal == 1,
        margin=token.margin,
        alternatives=token.alternatives,
        entropy=token.entropy,
    )


def cut_at_stop(sequence: Sequence, num_new: int) -> bool:
    """Removes the first stop string and all after it from the records; true if there was one.

    `num_new` is the number of characters that have come since the last call.
    """
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


def as_finished(sequence: Sequence, finish_reason: FinishReason) -> Finished:
    """The answer of a sequence that has come to its end."""
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
        cache=report_cache(sequence),
    )
    return Finished(sequence.seq_id, generation)
