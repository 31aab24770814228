"""Checks that a field's answer must pass before it counts.

A validator takes the field's JSON value and the quotations behind it, and returns a complaint in
one line, or None. It never changes the value.
"""

from __future__ import annotations

import re
from typing import Any

from assay.patterns import lazy_pattern
from assay.units.question import Validator

_BLANK = lazy_pattern(r"_{2,}|\[[\s·•*_.…]*\]|\bTBD\b|XX+", re.IGNORECASE)


def between(low: int, high: int) -> Validator:
    """Every quotation is at least `low` and at most `high` code points long."""

    def check(_value: Any, quotes: tuple[str, ...]) -> str | None:
        for quote in quotes:
            if not low <= len(quote) <= high:
                return f"{len(quote)} characters, where {low} to {high} are expected"
        return None

    return check


def mentions(*patterns: str) -> Validator:
    """At least one quotation matches one of the patterns (case ignored)."""
    compiled = lazy_pattern("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)

    def check(_value: Any, quotes: tuple[str, ...]) -> str | None:
        if any(compiled.search(quote) for quote in quotes):
            return None
        return "none of the words that such an answer has"

    return check


def not_blank(_value: Any, quotes: tuple[str, ...]) -> str | None:
    """No quotation is a form's empty line or placeholder."""
    for quote in quotes:
        rest = _BLANK.sub("", quote)
        if not re.search(r"\w", rest):
            return "a blank to be filled in"
    return None


def looks_like_a_name(_value: Any, quotes: tuple[str, ...]) -> str | None:
    """Every quotation could name a person or a company: a capital or a Chinese character."""
    for quote in quotes:
        if not re.search(r"[A-ZÀ-ÖØ-Þ一-鿿]", quote):
            return f"{quote[:40]!r} does not look like a name"
    return None
