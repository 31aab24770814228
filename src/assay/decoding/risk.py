r"""Which constraints may take long to compile, told from their text alone.

Those are tried in a process that can be killed before they are compiled in the engine's
(`backends/trials.py`); the others are compiled at once. The measure is cheap, never fails whatever
it is given, and errs on the side of risk. Below its limits nothing was found, in real schemas or
among those made to be slow, that takes more than 0.2 s of processor time.

A schema's weight is the sum of

- 1 for each JSON value in it, and 1 for each 100 characters of its names and strings;
- for each pattern and format 5, and 1 for each 20 characters that a pattern comes to with its
  counted repetitions written out;
- for n names under `patternProperties` n * n, since each is held against each;
- for n alternatives of `anyOf` and `oneOf` n * n where schemas are intersected anywhere (several
  under `allOf`, or one of these beside another or beside `$ref`), since each may meet each;
- for bounds on items, properties and lengths, the bits of each;
- a tenth of the least common multiple of all `multipleOf`: an automaton has a state a remainder.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from assay.types import Constraint, JsonConstraint, RegexConstraint, Source

MAX_WEIGHT = 1_000
"""Of the 336 schemas of JSONSchemaBench's development part the heaviest comes to 373."""

MAX_TEXT_CHARS = 2_000
"""The length of a regular expression, a pattern or a Lark grammar."""

MAX_SPELLED_CHARS = 10_000
"""The same with the counted repetitions written out."""

MAX_SOURCES = 200
MAX_COPIED_CHARS = 50_000
MAX_COPIED_SENTENCES = 1_000
"""What the sources come to, once for each kind of verbatim leaf (granularity and bounds)."""

MAX_SCANNED_CHARS = 400_000
"""What the sources come to, once for each verbatim leaf; a source counts for 20 more."""

MAX_WORD_CHARS = 2_000
"""The longest stretch without white space: a word costs the square of its length."""

MAX_LEAST_CHARS = 200
"""The largest `minLength` of a verbatim leaf: so far is looked ahead wherever a value may start."""

_LONG_WORD = re.compile(rf"\S{{{MAX_WORD_CHARS + 1}}}")
# In Lark: whole schemas and substrings, and the operators whose automata multiply.
_OPEN_ENDED = ("%json", "%regex", "&", "~")
_CHOICES = ("anyOf", "oneOf")
_LeafKind = tuple[str | int | None, str | int | None, str | int | None]
_SIZES = (
    "maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties",
)  # fmt: skip
_CHARS_A_POINT = 100
_SPELLED_CHARS_A_POINT = 20
_POINTS_A_PATTERN = 5
_REMAINDERS_A_POINT = 10
_MOST = 10**9  # more than this is not told apart


def is_at_risk(constraint: Constraint) -> bool:
    """Whether compiling `constraint` might take more than a fraction of a second."""
    if isinstance(constraint, JsonConstraint):
        weight = _Weight(constraint.schema)
        return weight.total > MAX_WEIGHT or _are_large(constraint.sources, weight.leaves)
    if isinstance(constraint, RegexConstraint):
        return _is_long(constraint.pattern)
    grammar = constraint.grammar
    return _is_long(grammar) or any(mark in grammar for mark in _OPEN_ENDED)


def spelled_out(pattern: str) -> int:
    """About how many characters a regular expression has with its counted repetitions written
    out: `a(bc{3}){2}` comes to 9. Nothing is refused, whatever the syntax."""
    totals, last = [0], 0
    for piece in _PIECE.finditer(pattern):
        text = piece.group()
        if text == "(":
            totals.append(0)
            continue
        if text == ")" and len(totals) > 1:
            last = totals.pop()
        elif piece["most"] or piece["least"]:
            totals[-1] -= last
            last = min(last * max(int(piece["most"] or piece["least"]), 1), _MOST)
        else:
            last = 1
        totals[-1] += last
    return sum(totals)


_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|\{(?P<least>\d{1,9})(?:,(?P<most>\d{1,9})?)?\}|\{(?:,\d*|\d{10,}[^}]*)\}|.",
    re.DOTALL,
)


def _is_long(text: str) -> bool:
    return len(text) > MAX_TEXT_CHARS or spelled_out(text) > MAX_SPELLED_CHARS


def _are_large(sources: tuple[Source, ...], leaves: Counter[_LeafKind]) -> bool:
    num_kinds = max(len(leaves), 1)
    num_chars = sum(len(source.text) for source in sources)
    num_sentences = sum(1 + len(source.boundaries) for source in sources)
    return (
        len(sources) > MAX_SOURCES
        or num_chars * num_kinds > MAX_COPIED_CHARS
        or num_sentences * num_kinds > MAX_COPIED_SENTENCES
        or (num_chars + 20 * len(sources)) * leaves.total() > MAX_SCANNED_CHARS
        or any(isinstance(least, int) and least > MAX_LEAST_CHARS for _, least, _ in leaves)
        or any(_LONG_WORD.search(source.text) for source in sources)
    )


class _Weight:
    """One walk over a schema, given up once `MAX_WEIGHT` is passed.

    What stands where a keyword may stand is taken for the keyword, a property's name too.
    """

    def __init__(self, schema: Any) -> None:
        self._points = 0.0
        self._multiple = 1
        self._num_choices = 0
        self._are_intersected = False
        self.leaves: Counter[_LeafKind] = Counter()  # how many verbatim leaves of each kind
        pending: list[Any] = [schema]
        while pending and self.total <= MAX_WEIGHT:
            self._points += 1
            value = pending.pop()
            if isinstance(value, Mapping):
                self._read(value)
                pending.extend(value.values())
            elif isinstance(value, list | tuple):
                pending.extend(value)
            elif isinstance(value, str):
                self._points += len(value) / _CHARS_A_POINT

    @property
    def total(self) -> float:
        met = self._num_choices**2 if self._are_intersected else 0
        return self._points + met + min(self._multiple // _REMAINDERS_A_POINT, _MOST)

    def _read(self, node: Mapping[Any, Any]) -> None:
        self._points += sum(len(name) for name in node if isinstance(name, str)) / _CHARS_A_POINT
        choices = [node[key] for key in _CHOICES if isinstance(node.get(key), list | tuple)]
        self._num_choices += sum(map(len, choices))
        together = node.get("allOf")
        num_together = len(together) if isinstance(together, list | tuple) else 0
        if len(choices) + num_together + ("$ref" in node) > 1:
            self._are_intersected = True
        self._read_patterns(node)
        for key in _SIZES:
            if isinstance(node.get(key), int):
                self._points += abs(node[key]).bit_length()
        if "multipleOf" in node:
            self._multiple = math.lcm(self._multiple, _remainders(node["multipleOf"]))
        if "x-verbatim" in node:
            least, most = _plain(node.get("minLength")), _plain(node.get("maxLength"))
            self.leaves[_plain(node["x-verbatim"]), least, most] += 1

    def _read_patterns(self, node: Mapping[Any, Any]) -> None:
        patterns: Iterable[Any] = [node.get("pattern")]
        if isinstance(node.get("patternProperties"), Mapping):
            named = node["patternProperties"]
            self._points += len(named) ** 2
            if self._points > MAX_WEIGHT:
                return
            patterns = [*patterns, *named]
        for pattern in patterns:
            if isinstance(pattern, str):
                num_chars = _MOST if len(pattern) > MAX_TEXT_CHARS else spelled_out(pattern)
                self._points += _POINTS_A_PATTERN + num_chars / _SPELLED_CHARS_A_POINT
        if isinstance(node.get("format"), str):
            self._points += _POINTS_A_PATTERN


def _plain(value: Any) -> str | int | None:
    return value if isinstance(value, str | int) else None


def _remainders(value: Any) -> int:
    """How many remainders there are modulo `value`, its decimal point left out."""
    if isinstance(value, int):
        return max(abs(value), 1)
    if not isinstance(value, float) or not math.isfinite(value):
        return 1
    if value.is_integer():
        return max(abs(int(value)), 1)
    return int("".join(map(str, Decimal(str(value)).as_tuple().digits)))
