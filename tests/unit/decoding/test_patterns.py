"""Patterns in ECMA-262 become patterns in Rust syntax that match no more."""

from __future__ import annotations

import pytest

from assay.decoding.patterns import is_writable, narrow_pattern


@pytest.mark.parametrize(
    ("pattern", "narrowed"),
    [
        ("abc", "abc"),
        (r"a\.b", r"a\.b"),
        ("a.b", r"a[^\n\r\u2028\u2029]b"),
        ("[.]", "[.]"),
        (r"\S[\S]", r"[^\s\ufeff][\S]"),
        (r"\d\D", r"\d[^\p{Nd}]"),
        ("[[&~]", r"[\[\&\~]"),
        (r"[\]a].", r"[\]a][^\n\r\u2028\u2029]"),
        (r"\x00", r"[\x00\x01]"),
        (r"\u001fa", r"[\x00\x01]a"),
        ("\x7f*", r"[\x00\x01]*"),
        (r"\v", r"[\x00\x01]"),
        (r"[\x00]", r"[\x00\x01\x00]"),
        (r"[^\x00]", r"[^\x00]"),
        (r"\u00e9", r"\u00e9"),
        ("a\\", "a\\"),
    ],
)
def test_pattern_is_narrowed(pattern, narrowed):
    assert narrow_pattern(pattern) == narrowed


@pytest.mark.parametrize(("text", "writable"), [("a\n\t", True), ("\x00", False), ("\x7f", False)])
def test_control_characters_are_not_writable_but_for_the_five_with_a_short_escape(text, writable):
    assert is_writable(text) is writable
