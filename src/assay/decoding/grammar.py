"""Constraints as grammars in llguidance's dialect of Lark.

The Lark text is the one form in which a constraint is compiled here and sent elsewhere (vLLM's
guidance back end reads the same).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assay.decoding.grounding import grounded_lark, has_verbatim
from assay.decoding.json_schema import check_keywords, exact_schema
from assay.decoding.rule_depth import rule_depth
from assay.decoding.subschemas import check_size, walk
from assay.errors import (
    ConstraintError,
    GrammarTooComplexError,
    InvalidGrammarError,
    UnsupportedKeywordError,
)
from assay.types import Constraint, JsonConstraint, LarkConstraint, RegexConstraint

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

MAX_GRAMMAR_CHARS = 200_000
MAX_SOURCE_CHARS = 1_000_000
MAX_SOURCES = 500
# llguidance recurses from rule to rule: on a stack of 2 MB some 900 were seen to be too deep.
MAX_RULE_DEPTH = 600

_ABOUT_TEXT = ("pattern", "minLength", "maxLength")

# llguidance's fuel bounds what a hostile pattern costs. A schema or grammar gets by on a tenth of
# the default for building the lexer. The code points of the sources need more: there, for each
# terminal made of them (up to 50 each was seen), and in the first mask of a value (15).
_BASE_FUEL = 100_000
_STEP_FUEL = 200_000
_BASE_FUEL_PER_CHAR = 250
_STEP_FUEL_PER_CHAR = 50


def check_limits(constraint: Constraint) -> None:
    """Refuses what is too large to be looked at any further. Costs little whatever it is given.

    Raises:
        GrammarTooComplexError: the schema, the text of the grammar or the sources are too large.
        InvalidGrammarError: the schema is not JSON.
    """
    if not isinstance(constraint, JsonConstraint):
        num_chars = len(_text_of(constraint))
        if num_chars > MAX_GRAMMAR_CHARS:
            raise GrammarTooComplexError(
                f"the grammar has {num_chars} characters, more than {MAX_GRAMMAR_CHARS}"
            )
        return
    num_chars = sum(len(source.text) for source in constraint.sources)
    if num_chars > MAX_SOURCE_CHARS:
        raise GrammarTooComplexError(
            f"the sources have {num_chars} characters, more than {MAX_SOURCE_CHARS}",
            remedy="choose the segments that matter",
        )
    if len(constraint.sources) > MAX_SOURCES:
        raise GrammarTooComplexError(
            f"there are {len(constraint.sources)} sources, more than {MAX_SOURCES}",
            remedy="choose the segments that matter",
        )
    check_size(constraint.schema)


def to_lark(constraint: Constraint) -> str:
    """The grammar of all answers that satisfy `constraint`.

    Raises:
        InvalidGrammarError: the schema or regex is malformed, or no answer is possible.
        UnsupportedKeywordError: a JSON Schema keyword that cannot be enforced.
        GrammarTooComplexError: as `check_limits`, or the verbatim values are too many.
    """
    check_limits(constraint)
    if isinstance(constraint, JsonConstraint):
        check_keywords(constraint.schema)
        if has_verbatim(constraint.schema):
            return grounded_lark(constraint)
        return f"start: %json {json.dumps(exact_schema(constraint.schema))}\n"
    text = _text_of(constraint)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidGrammarError("the grammar holds a lone surrogate") from error
    if isinstance(constraint, RegexConstraint):
        from llguidance import regex_to_lark

        return f"start: /{regex_to_lark(text, use_ascii='')}/\n"
    return text


def _text_of(constraint: RegexConstraint | LarkConstraint) -> str:
    return constraint.pattern if isinstance(constraint, RegexConstraint) else constraint.grammar


def compile_lark(constraint: Constraint, tokenizer: LLTokenizer) -> LLMatcher:
    """llguidance's matcher for `constraint`. Raises as `compile_constraint` does."""
    lark = to_lark(constraint)
    num_chars = 0
    if isinstance(constraint, JsonConstraint) and constraint.sources:
        num_chars = sum(len(source.text) for source in constraint.sources)
        _check_patterns(constraint, tokenizer)
    if rule_depth(lark) > MAX_RULE_DEPTH:
        raise GrammarTooComplexError(
            f"the rules lead into each other more than {MAX_RULE_DEPTH} deep",
            remedy="give the schema fewer properties or the grammar fewer rules",
        )
    matcher = _compile(lark, tokenizer, num_chars)
    if matcher.is_error():
        raise grammar_error(matcher.get_error(), constraint)
    return matcher


def _check_patterns(constraint: JsonConstraint, tokenizer: LLTokenizer) -> None:
    """Compiles the patterns of a schema without the fuel that its sources bring."""
    for _, node in walk(constraint.schema):
        for text in ({k: node[k] for k in _ABOUT_TEXT if k in node}, *_named_by_pattern(node)):
            if "pattern" in text:
                compile_lark(JsonConstraint(text), tokenizer)


def _named_by_pattern(node: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name in node.get("patternProperties", ()):
        yield {"pattern": name}


def _compile(lark: str, tokenizer: LLTokenizer, num_chars: int) -> LLMatcher:
    from llguidance import LLMatcher, LLParserLimits

    limits = LLParserLimits(
        verbose_errors=False,
        initial_lexer_fuel=_BASE_FUEL + _BASE_FUEL_PER_CHAR * num_chars,
        step_lexer_fuel=_STEP_FUEL + _STEP_FUEL_PER_CHAR * num_chars,
    )
    matcher = LLMatcher(tokenizer, lark, log_level=0, limits=limits)
    if not matcher.is_error():
        # The first mask shows whether anything can be written at all.
        matcher.compute_bitmask()
    return matcher


_POSITION = re.compile(r"^(?:at )?(\d+)\((\d+)\): ")
_TOO_COMPLEX = re.compile(
    r"precomputation failed|too (?:big|complex|deep|large|many)|limit|fuel|exceed|nest"
)
_UNSUPPORTED = re.compile(
    r"(?P<oneOf>oneOf)|(?P<patternProperties>patternProperty regexes)|(?P<format>Unknown format)"
    r"|Unimplemented keys: \[\"(?P<keys>[^\"]+)|(?P<ref>circular references)"
)


def grammar_error(message: str, constraint: Constraint) -> ConstraintError:
    """llguidance's complaint as one of our errors."""
    if "NoExtension" in message:
        return InvalidGrammarError("no answer is possible: part of the constraint admits nothing")
    text = _readable(message, with_position=not isinstance(constraint, JsonConstraint))
    found = _UNSUPPORTED.search(message) if isinstance(constraint, JsonConstraint) else None
    if found and isinstance(constraint, JsonConstraint):
        keyword = found.group("keys") or {"ref": "$ref"}.get(found.lastgroup or "", found.lastgroup)
        places = [pointer or "/" for pointer, node in walk(constraint.schema) if keyword in node]
        where = f" at {', '.join(sorted(places)[:3])} of the schema" if places else ""
        return UnsupportedKeywordError(f"{keyword}{where}: {text}")
    if _TOO_COMPLEX.search(text):
        return GrammarTooComplexError(text, remedy="simplify the schema, regex or grammar")
    return InvalidGrammarError(text)


def _readable(message: str, *, with_position: bool) -> str:
    """The first line without the echo of the grammar, and the reason where that stands below."""
    lines = message.split("\n")
    first = lines[0]
    position = _POSITION.match(first)
    if position:
        first = first[position.end() :]
        if with_position:
            first = f"line {position[1]}, column {position[2]}: {first}"
    first = first.removeprefix("failed to compile JSON schema: ")
    reason = next((line for line in lines if line.startswith("error: ")), "")
    if reason:
        first = f"{first.rstrip(':')[:200]}: {reason.removeprefix('error: ')}"
    return first[:400]
