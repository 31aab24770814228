"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from assay.patterns import lazy_pattern


def test_a_pattern_matches_as_the_compiled_one_does() -> None:
    lazy, eager = lazy_pattern(r"(?P<day>\d+)", re.ASCII), re.compile(r"(?P<day>\d+)", re.ASCII)
    assert lazy.pattern == eager.pattern
    assert [match["day"] for match in lazy.finditer("3 of 14")] == ["3", "14"]
    assert lazy.sub("#", "3 of 14") == eager.sub("#", "3 of 14")
    assert (lazy.groupindex, lazy.flags) == (eager.groupindex, eager.flags)


def test_a_pattern_may_be_of_bytes() -> None:
    assert lazy_pattern(rb"%PDF").match(b"%PDF-1.7")


def test_a_mistake_is_found_at_the_first_use() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("text")
