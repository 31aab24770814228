"""How deep the rules of a Lark grammar lead into each other.

llguidance follows them by recursion, and a native stack that overflows takes the process with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
# Of what a grammar consists, as far as names are concerned: the head of a definition, what can
# hold a name without meaning it (strings, regular expressions, comments), and names.
_PIECE = re.compile(
    rf"^[ \t]*[?!]?(?P<head>{_NAME})(?:\.-?\d+)?(?:\[[^\]\n]*\])?(?:\{{[^}}\n]*\}})?\s*:"
    r'|"(?:\\.|[^"\\\n])*"|/(?:\\.|[^/\\\n])+/|//[^\n]*'
    rf"|(?P<name>{_NAME})",
    re.MULTILINE,
)


def rule_depth(lark: str) -> int:
    """The number of rules and terminals on the deepest path from `start` that a depth-first walk
    takes; an upper bound, since what only looks like a name counts too."""
    references = _references(lark)
    deepest, seen = 0, {"start"}
    path: list[Iterator[str]] = [iter(references.get("start", ()))]
    while path:
        deepest = max(deepest, len(path))
        following = next((name for name in path[-1] if name not in seen), None)
        if following is None:
            path.pop()
        else:
            seen.add(following)
            path.append(iter(references[following]))
    return deepest


def _references(lark: str) -> dict[str, list[str]]:
    """For each name that is defined, the defined names in its body."""
    names: dict[str, list[str]] = {}
    body: list[str] = []
    for piece in _PIECE.finditer(lark):
        if head := piece["head"]:
            body = names.setdefault(head, [])
        elif name := piece["name"]:
            body.append(name)
    return {name: [item for item in body if item in names] for name, body in names.items()}
