"""What a sequence is likely to say next, for the model to check in one pass."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from assay.decoding.drafts import NGRAM_SIZES, PromptLookup, legal_draft
from assay.engine.draw import MIN_TEMPERATURE
from assay.engine.sequence import Sequence


def propose_draft(
    sequence: Sequence, max_draft_tokens: int, eos_token_ids: Collection[int]
) -> list[int]:
    """At most `max_draft_tokens` tokens to follow those of `sequence`; none where there is nothing
    to go by, or where tokens are drawn.

    The draft and one token after it stay within `max_tokens`. The constraint's state is unchanged;
    the sequence keeps what is needed to look things up.
    """
    room = sequence.sampling.max_tokens - len(sequence.records) - 1
    num_tokens = min(max_draft_tokens, room)
    if num_tokens <= 0 or sequence.sampling.temperature >= MIN_TEMPERATURE:
        return []
    if sequence.lookup is None:
        sequence.lookup = PromptLookup(sequence.token_ids[: sequence.num_prompt_tokens])
    num_answer_tokens = len(sequence.token_ids) - sequence.num_prompt_tokens
    last = sequence.token_ids[-min(max(NGRAM_SIZES), num_answer_tokens) :]
    following = sequence.lookup.following(last, num_tokens)
    guess = list(takewhile(lambda token_id: token_id not in eos_token_ids, following))
    if sequence.constraint is None:
        return guess
    return legal_draft(sequence.constraint, guess, num_tokens)
