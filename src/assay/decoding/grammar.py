"""Constraints as grammars in llguidance's dialect of Lark.

The Lark text is the one form in which a constraint is compiled here and sent elsewhere (vLLM's
guidance back end reads the same).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assay.errors import GrammarTooComplexError, InvalidGrammarError
from assay.types import Constraint, JsonConstraint, RegexConstraint

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

JSON_STYLE = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def to_lark(constraint: Constraint) -> str:
    """The grammar of all answers that satisfy `constraint`."""
    if isinstance(constraint, JsonConstraint):
        schema = {**constraint.schema, "x-guidance": JSON_STYLE}
        return f"start: %json {json.dumps(schema)}\n"
    if isinstance(constraint, RegexConstraint):
        from llguidance import regex_to_lark

        return f"start: /{regex_to_lark(constraint.pattern, use_ascii='')}/\n"
    return constraint.grammar


def compile_lark(constraint: Constraint, tokenizer: LLTokenizer) -> LLMatcher:
    """llguidance's matcher for `constraint`. Raises as `compile_constraint` does."""
    from llguidance import LLMatcher, LLParserLimits

    matcher = LLMatcher(
        tokenizer, to_lark(constraint), log_level=0, limits=LLParserLimits(verbose_errors=False)
    )
    if matcher.is_error():
        message = matcher.get_error().split("\n", 1)[0]
        if "too" in message and ("complex" in message or "large" in message):
            raise GrammarTooComplexError(message)
        raise InvalidGrammarError(message)
    return matcher
