"""A small chart parser: rules put together what stands side by side, until nothing is new.

A rule is a sequence of parts, each a regular expression or the kind of a node found before, and a
function of what they matched. Only white space may stand between parts. Work is bounded by the
length of the stretch that is parsed (see `find.py`), so a long text takes time in proportion.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.patterns import lazy_pattern

# Readings kept of one kind and place, and nodes after which no more are put together.
_MOST = 8
_ENOUGH = 400
Part = re.Pattern[str] | str


@dataclass(frozen=True, slots=True)
class Node:
    """`text[start:end]` read as `kind` ("time", "number", "unit" …). `cost` counts the rules that
    made it, and what speaks against them."""

    start: int
    end: int
    kind: str
    value: Any
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Rule:
    parts: tuple[Part, ...]
    make: Callable[..., Any]
    kind: str
    cost: float


@dataclass
class Grammar:
    """The rules of a language. `words` marks the edges of what is matched as edges of words."""

    words: bool
    rules: list[Rule] = field(default_factory=list)

    def rule(
        self, *parts: str, kind: str = "time", cost: float = 1.0
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declares a rule: "<kind>" is a part that a node fills, anything else an expression. The
        function gets the context and what the parts matched; None says that they do not fit."""

        def add(make: Callable[..., Any]) -> Callable[..., Any]:
            compiled = tuple(self._part(part) for part in parts)
            self.rules.append(Rule(compiled, make, kind, cost))
            return make

        return add

    def _part(self, part: str) -> Part:
        if re.fullmatch(r"<\w+>", part):
            return part[1:-1]
        if not self.words:
            return lazy_pattern(part, re.IGNORECASE)
        edge = r"(?:(?<![A-Za-z])|(?![A-Za-z]))"
        return lazy_pattern(rf"{edge}(?:{part})(?:(?<![A-Za-z])|(?![A-Za-z]))", re.IGNORECASE)


def parse(
    grammar: Grammar, text: str, low: int, high: int, seeds: Sequence[Node], context: Any
) -> list[Node]:
    """All nodes of `text[low:high]`, the seeds included; of those of one kind and place and
    value the cheapest."""
    return _Chart(grammar, text, low, high, context).run(seeds)


class _Chart:
    def __init__(self, grammar: Grammar, text: str, low: int, high: int, context: Any) -> None:
        self.text, self.low, self.high, self.context = text, low, high, context
        self.nodes: list[Node] = []
        self.known: dict[tuple[int, int, str, Any], int] = {}
        self.crowd: Counter[tuple[int, int, str]] = Counter()
        self.starting: dict[int, dict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
        self.rules = grammar.rules
        self.matches: dict[tuple[int, int], re.Match[str] | None] = {}

    def run(self, seeds: Sequence[Node]) -> list[Node]:
        for seed in seeds:
            self._add(seed)
        starts = [i for i in range(self.low, self.high) if not self.text[i].isspace()]
        opened = []  # the rules that need nodes, with where their first expression matches
        for rule in self.rules:
            first = rule.parts[0]
            places = starts
            if not isinstance(first, str):
                places = [at for at in starts if first.match(self.text, at, self.high)]
            if any(isinstance(part, str) for part in rule.parts):
                opened.append((rule, first, places))
            else:
                for start in places:
                    self._apply(rule, start)
        done = 0
        for _ in range(7):
            size = len(self.nodes)
            for rule, first, places in opened:
                if isinstance(first, str):
                    places = [at for at in self.starting if first in self.starting[at]]
                for start in places:
                    self._apply(rule, start, newer_than=done)
            done = size
            if len(self.nodes) == size or size > _ENOUGH:
                break
        return self.nodes

    def _apply(self, rule: Rule, start: int, newer_than: int = -1) -> None:
        for end, values, cost, newest in self._sequences(rule.parts, 0, start):
            if newest < newer_than:
                continue  # tried before
            if len(self.nodes) >= _ENOUGH:
                return
            value = rule.make(self.context, *values)
            if value is not None:
                self._add(Node(start, end, rule.kind, value, cost + rule.cost))

    def _sequences(
        self, parts: tuple[Part, ...], index: int, at: int
    ) -> Iterator[tuple[int, list[Any], float, int]]:
        """(end, values, cost, number of the newest node) of each way to match the parts."""
        if index:
            while at < self.high and self.text[at] in " \t\n\u3000":
                at += 1
        part = parts[index]
        for end, value, cost, number in [*self._fillers(part, at)]:
            if index + 1 == len(parts):
                yield end, [value], cost, number
                continue
            for last, values, more, newest in self._sequences(parts, index + 1, end):
                yield last, [value, *values], cost + more, max(number, newest)

    def _fillers(self, part: Part, at: int) -> Iterator[tuple[int, Any, float, int]]:
        if isinstance(part, str):
            for node in list(self.starting[at][part]) if at in self.starting else ():
                key = (node.start, node.end, node.kind, node.value)
                yield node.end, node.value, node.cost, self.known[key]
            return
        key2 = (id(part), at)
        if key2 not in self.matches:
            self.matches[key2] = part.match(self.text, at, self.high)
        match = self.matches[key2]
        if match is not None and match.end() > at:
            yield match.end(), match, 0.0, -1

    def _add(self, node: Node) -> None:
        key = (node.start, node.end, node.kind, node.value)
        place = (node.start, node.end, node.kind)
        if key in self.known or self.crowd[place] >= _MOST:
            return
        self.crowd[place] += 1
        self.known[key] = len(self.nodes)
        self.nodes.append(node)
        self.starting[node.start][node.kind].append(node)
