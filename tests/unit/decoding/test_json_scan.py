"""Strings of a JSON text: where they stand."""

from __future__ import annotations

import json

from assay.decoding.json_scan import string_leaves


def test_every_string_value_is_found_where_it_stands():
    document = {
        "a": 'q"\\\n',
        "b/c~": [1, "x", {"": "é😀"}, [], ["y", None]],
        "n": {"k": {"d": "deep"}, "e": -1.5e3},
        "t": True,
        "z": "",
    }
    for text in (json.dumps(document), json.dumps(document, ensure_ascii=False, indent=2)):
        leaves = {leaf.pointer: leaf for leaf in string_leaves(text)}
        assert {pointer: leaf.value for pointer, leaf in leaves.items()} == {
            "/a": 'q"\\\n',
            "/b~1c~0/1": "x",
            "/b~1c~0/2/": "é😀",
            "/b~1c~0/4/0": "y",
            "/n/k/d": "deep",
            "/z": "",
        }
        for leaf in leaves.values():
            assert json.loads(text[leaf.start : leaf.end]) == leaf.value


def test_a_single_string_is_its_own_root():
    (leaf,) = string_leaves(' "x, y: {z}" ')
    assert (leaf.pointer, leaf.value, leaf.start, leaf.end) == ("", "x, y: {z}", 1, 12)


def test_depth_does_not_exhaust_the_stack():
    depth = 50_000
    (leaf,) = string_leaves("[" * depth + '"x"' + "]" * depth)
    assert leaf.pointer == "/0" * depth
