"""Drafts: the next tokens of an answer, guessed by looking them up in what was read.

Where the last tokens of an answer stand in its prompt, what follows there is a guess at what
follows here (prompt lookup decoding, Saxena 2023; transformers has it as
`prompt_lookup_num_tokens`). Under a grammar the guess is cut at the first token that is not legal,
and what a legal token forces is part of it, so a draft is spelled exactly as the engine would
write it. A model then checks all of it in one forward pass.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

from assay.errors import AssayError
from assay.types import FIRST_TERM_ID

# Longer n-grams are tried first: what follows them is likelier to follow again.
NGRAM_SIZES = (3, 2)


class Draftable(Protocol):
    """What a draft needs of a constraint (`decoding.Matcher` is one)."""

    @property
    def is_finished(self) -> bool: ...

    def advance(self, *token_ids: int) -> None: ...

    def rollback(self, num_tokens: int) -> None: ...

    def forced_tokens(self) -> list[int]: ...


class PromptLookup:
    """Finds n-grams in a prompt, which is copied once (4 bytes a token)."""

    def __init__(self, token_ids: Sequence[int]) -> None:
        # What stands for a whole term is no token to be written.
        self._tokens = array("i", (-1 if i >= FIRST_TERM_ID else i for i in token_ids))
        self._bytes = self._tokens.tobytes()

    def following(self, last: Sequence[int], num_tokens: int) -> list[int]:
        """Up to `num_tokens` tokens that follow the latest place in the prompt where the last
        few of `last` stand and something follows; none if there is no such place."""
        width = self._tokens.itemsize
        for size in NGRAM_SIZES:
            if len(last) < size:
                continue
            pattern = array("i", last[-size:]).tobytes()
            end = len(self._bytes) - width
            while (place := self._bytes.rfind(pattern, 0, end)) >= 0:
                if place % width == 0:
                    start = place // width + size
                    following = self._tokens[start : start + num_tokens].tolist()
                    return list(takewhile(lambda token_id: token_id >= 0, following))
                end = place + len(pattern) - 1
        return []


def legal_draft(constraint: Draftable, guess: Sequence[int], num_tokens: int) -> list[int]:
    """The tokens of `guess` that are legal one after the other, with what they force between
    them, up to `num_tokens`; the state of `constraint` is unchanged.

    A draft never completes the answer: its last token leaves something to decide.
    """
    draft: list[int] = []
    kept = 0
    place = 0
    try:
        while place < len(guess) and len(draft) < num_tokens:
            try:
                constraint.advance(guess[place])
            except ValueError:
                break
            draft.append(guess[place])
            place += 1
            if constraint.is_finished:
                break
            forced = constraint.forced_tokens()
            constraint.advance(*forced)
            draft += forced
            if constraint.is_finished or len(draft) > num_tokens:
                break
            kept = len(draft)
            if forced:
                if list(guess[place : place + len(forced)]) != forced:
                    break
                place += len(forced)
    except AssayError:
        # A limit of the parser on the way of a guess says nothing of the answer's own way; but a
        # matcher that has failed stays failed, so this is for the answer to find out.
        return []
    constraint.rollback(len(draft))
    return draft[:kept]
