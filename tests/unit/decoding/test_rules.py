"""Grammars under construction."""

from __future__ import annotations

from assay.decoding.rules import Rules, Symbol, literal, reference


def test_rules_are_rendered_as_lark():
    rules = Rules()
    digit = rules.terminal("DIGIT", "/[0-9]/")
    rules.add("pair", [digit, literal('", '), reference("tail", "({rule})?")])
    rules.add("tail", [Symbol("DIGIT")], [literal("é\x7f")])
    assert rules.render("pair") == (
        'start: pair\npair: DIGIT "\\", " (tail)?\ntail: DIGIT | "\\u00e9\\u007f"\nDIGIT: /[0-9]/\n'
    )


def test_what_derives_nothing_is_pruned_with_all_that_needs_it():
    rules = Rules()
    rules.add("top", [reference("some")], [literal("x"), reference("none")])
    rules.add("some", [literal("a")])
    rules.add("none")
    rules.add("needs_none", [reference("none")])
    assert rules.render("top") == 'start: top\ntop: some\nsome: "a"\n'


def test_a_cycle_without_a_way_out_derives_nothing():
    rules = Rules()
    rules.add("loop", [literal("["), reference("loop"), literal("]")])
    assert rules.render("loop") is None
    rules.add("loop", [literal("0")])
    assert rules.productive() == {"loop"}


def test_new_names_do_not_collide():
    rules = Rules()
    assert len({rules.new_name("rule") for _ in range(5)}) == 5
