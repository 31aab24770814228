"""Terminals for the runs of chunks that a verbatim value may be.

Words and characters: llguidance's substring automaton, intersected with a bound on the text's
length and ends. An intersection is looked ahead in to the next place where a value may end, at a
cost that grows with the square of the distance; so it suits short chunks alone. Sentences are
spelled out instead: `S3: "third" (" " S4)?`, each the tail of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from assay.decoding.chunks import Granularity
from assay.decoding.rules import Rules

# Nesting costs llguidance stack: sentences are chained in blocks of two strides, one starting at
# every stride. So values of up to `STRIDE` sentences are all there, none above twice as many; where
# the length is bounded, up to `MAX_BOUNDED`.
STRIDE = 64
MAX_BOUNDED = 16

# A JSON-escaped character, and one that is no whitespace: what `json.dumps` writes, and what
# `str.isspace` says.
_CHAR = r'(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00[01][0-9a-f])'
_SPACES = r" \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_SOLID = rf'(?:[^"\\\x00-\x1f{_SPACES}]|\\["\\b]|\\u00(?:0[0-8ef]|1[0-9ab]))'

_encode = json.JSONEncoder(ensure_ascii=False).encode


def runs_terminal(
    rules: Rules,
    name: str,
    pieces: Sequence[str],
    granularity: Granularity,
    bounds: tuple[int, int | None],
) -> str:
    """Adds the terminal for the runs of `pieces` without whitespace at their ends, of a length
    within `bounds` (code points, at least 1; None: no upper bound), JSON-escaped.

    There must be such a run (`chunks.holds_value`). Returns the terminal's name.
    """
    least, most = bounds
    if granularity != "sentence":
        body = json.dumps({"substring_chunks": [_escape(piece) for piece in pieces]})
        chars = rules.terminal(f"{name}_RUNS", f"%regex {body}").text
        bound = rules.terminal(f"BOUND_{least}_{_label(most)}", _bound_regex(least, most)).text
        return rules.terminal(f"{name}_{least}_{_label(most)}", f"{chars} & {bound}").text
    name = f"{name}_{least}_{_label(most)}"
    if name not in rules.terminals:
        units = _units(pieces)
        unbounded = least == 1 and (most is None or most >= sum(map(len, pieces)))
        starts = _chains(rules, name, units) if unbounded else _bounded(units, least, most)
        rules.terminal(name, " | ".join(dict.fromkeys(starts)))
    return name


def _label(most: int | None) -> str:
    return "ANY" if most is None else str(most)


def _escape(text: str) -> str:
    return _encode(text)[1:-1]


def _literal(text: str) -> str:
    return json.dumps(_escape(text))


def _bound_regex(least: int, most: int | None) -> str:
    inner = f"{{{max(least - 2, 0)},{'' if most is None else max(most - 2, 0)}}}"
    longer = "" if most == 1 else f"(?:{_CHAR}{inner}{_SOLID})" + ("?" if least == 1 else "")
    return f"/{_SOLID}{longer}/"


def _units(pieces: Sequence[str]) -> list[tuple[str, str]]:
    """Each sentence with the whitespace before it."""
    units: list[tuple[str, str]] = []
    gap = ""
    for piece in pieces:
        if piece.isspace():
            gap += piece
        else:
            units.append((gap, piece))
            gap = ""
    return units


def _chains(rules: Rules, name: str, units: Sequence[tuple[str, str]]) -> list[str]:
    """The names of a terminal for each sentence that a value may start with."""
    starts: list[str] = []
    for begin in range(0, len(units), STRIDE):
        tail = ""
        for i in reversed(range(begin, min(begin + 2 * STRIDE, len(units)))):
            link = rules.terminal(f"{name}_{begin}_{i}", _literal(units[i][1]) + tail).text
            gap = units[i][0]
            tail = f" ({_literal(gap)} {link})?" if gap else f" {link}?"
            if i < begin + STRIDE:
                starts.append(link)
    return starts


def _bounded(units: Sequence[tuple[str, str]], least: int, most: int | None) -> list[str]:
    """An alternative for each sentence that a value may start with, length counted."""
    starts = []
    for i in range(len(units)):
        text, steps = "", []
        for j in range(i, min(i + MAX_BOUNDED, len(units))):
            gap, core = units[j]
            text += core if j == i else gap + core
            if most is not None and len(text) > most:
                break
            if len(text) >= least:
                steps.append(text)
        if steps:
            ends = [len(step) for step in steps]
            parts = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
            starts.append(" (".join(map(_literal, parts)) + ")?" * (len(parts) - 1))
    return starts
