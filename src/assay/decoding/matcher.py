"""One answer in the making: which tokens may come next, and which must.

A `Matcher` belongs to one sequence and is used from one thread at a time; it may have been
compiled in another. Its state is the tokens advanced so far; `rollback` takes some back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from assay.decoding.grammar import compile_lark
from assay.decoding.vocabulary import Vocabulary
from assay.errors import GrammarTooComplexError, InvalidGrammarError
from assay.types import Constraint

if TYPE_CHECKING:
    import numpy as np
    from llguidance import LLMatcher
    from numpy.typing import NDArray


class Matcher:
    """Legal next tokens under a constraint. Made by `compile_constraint`."""

    def __init__(self, matcher: LLMatcher, vocabulary: Vocabulary, num_ends: int = 0) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary
        # llguidance does not count end tokens once nothing else may follow; rollback needs them.
        self._num_ends = num_ends

    def fill_mask(self, mask_row: NDArray[np.int32]) -> None:
        """Writes which tokens may come next.

        `mask_row` is `(num_mask_words,)`, int32, contiguous: token `t` is legal iff bit `t % 32`
        of word `t // 32` is set. End-of-answer tokens are legal iff `is_accepting`.

        Raises:
            GrammarTooComplexError: the parser reached a limit in this state.
            InvalidGrammarError: no token is legal here: the grammar leads nowhere.
            ValueError: `mask_row` has another shape or type.
        """
        if (
            mask_row.shape != (self._vocabulary.num_mask_words,)
            or mask_row.dtype.name != "int32"
            or not mask_row.flags.c_contiguous
        ):
            raise ValueError(
                f"the mask row must be contiguous int32 of {self._vocabulary.num_mask_words} "
                f"words, not {mask_row.dtype} of shape {mask_row.shape}"
            )
        self._matcher.unsafe_compute_mask_ptr(mask_row.ctypes.data, mask_row.nbytes)
        self.check()

    def advance(self, *token_ids: int) -> None:
        """Takes `token_ids` as the next tokens of the answer; the end token ends it.

        Raises:
            ValueError: a token is not legal where it stands; it and those after it are not taken.
            GrammarTooComplexError: the parser reached a limit in this state.
        """
        num_taken = self._matcher.try_consume_tokens(list(token_ids))
        for token_id in token_ids[num_taken:]:
            if not (self.is_finished and token_id in self._vocabulary.eos_token_ids):
                self.check()
                raise ValueError(f"token {token_id} is not legal here")
            self._num_ends += 1

    def forced_tokens(self) -> list[int]:
        """The tokens that must come next, as the tokenizer would write them; often none.

        They are not taken until advanced. A last token that might merge with what follows is
        left out.
        """
        tokens: list[int] = self._matcher.compute_ff_tokens()
        if not tokens:
            self.check()
        return tokens

    @property
    def is_accepting(self) -> bool:
        """Whether the answer so far is complete; it may have continuations as well."""
        return self._matcher.is_accepting()

    @property
    def is_finished(self) -> bool:
        """Whether the answer is complete and nothing but the end may follow, or has followed."""
        return self._matcher.is_stopped()

    def rollback(self, num_tokens: int) -> None:
        """Takes back the last `num_tokens` advanced tokens."""
        num_ends = min(num_tokens, self._num_ends)
        self._num_ends -= num_ends
        if num_tokens > num_ends and not self._matcher.rollback(num_tokens - num_ends):
            self._fail()

    def copy(self) -> Matcher:
        """A matcher in the same state that goes its own way."""
        return Matcher(self._matcher.deep_copy(), self._vocabulary, self._num_ends)

    @property
    def raw(self) -> LLMatcher:
        """llguidance's own matcher."""
        return self._matcher

    def check(self) -> None:
        """Raises what the parser failed with, if it has.

        Raises:
            GrammarTooComplexError: it reached a limit.
            InvalidGrammarError: nothing is legal.
        """
        if self._matcher.is_error():
            self._fail()

    def _fail(self) -> NoReturn:
        reason = self._matcher.get_error()
        if "NoExtension" in reason:
            raise InvalidGrammarError("dead end: what the constraint asks for next is impossible")
        reason = reason.split("\n", 1)[0]
        raise GrammarTooComplexError(
            f"the parser gave up within the answer: {reason}",
            remedy="simplify the schema or shorten the source",
        )


def compile_constraint(constraint: Constraint, vocabulary: Vocabulary) -> Matcher:
    """A matcher at the start of an answer under `constraint`.

    Takes milliseconds; holds no interpreter lock for most of them.

    Raises:
        InvalidGrammarError: the schema, regex or grammar does not parse, or nothing satisfies it.
        UnsupportedKeywordError: a JSON Schema keyword that cannot be enforced.
        GrammarTooComplexError: it goes past a limit of the parser.
    """
    return Matcher(compile_lark(constraint, vocabulary.tokenizer), vocabulary)
