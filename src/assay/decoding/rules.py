"""A context-free grammar under construction, rendered as llguidance's Lark.

Rules are added in any order and may refer to each other in cycles. Before rendering, what can
derive nothing is pruned, so that the decoder is never led into a dead end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from assay.errors import GrammarTooComplexError


@dataclass(frozen=True, slots=True)
class Symbol:
    """A piece of an alternative: Lark text, and the rule it stands on (None: a terminal)."""

    text: str
    rule: str | None = None


def literal(text: str) -> Symbol:
    """The terminal that matches exactly `text`."""
    return Symbol(json.dumps(text))


def reference(rule: str, repeat: str = "{rule}") -> Symbol:
    """The rule, inside `repeat` (Lark text with the rule's name left open)."""
    return Symbol(repeat.replace("{rule}", rule), rule)


Alternative = tuple[Symbol, ...]

MAX_TERMINAL_CHARS = 20_000_000
"""What all terminals of a grammar may come to: a second of compiling, 400 MB."""


@dataclass(slots=True)
class Rules:
    """Rules by name, each a list of alternatives; no alternative: nothing can be derived."""

    alternatives: dict[str, list[Alternative]] = field(default_factory=dict)
    terminals: dict[str, str] = field(default_factory=dict)
    num_terminal_chars: int = 0

    def new_name(self, stem: str) -> str:
        """A name that no rule has yet, reserved with no alternative."""
        name = f"{stem}_{len(self.alternatives)}"
        self.alternatives[name] = []
        return name

    def add(self, name: str, *alternatives: Iterable[Symbol]) -> str:
        """Adds alternatives to a rule, making it if need be; returns its name."""
        self.alternatives.setdefault(name, []).extend(map(tuple, alternatives))
        return name

    def terminal(self, name: str, body: str) -> Symbol:
        """Defines a terminal (upper-case name), once.

        Raises:
            GrammarTooComplexError: all of them come to more than `MAX_TERMINAL_CHARS`.
        """
        if name not in self.terminals:
            self.num_terminal_chars += len(body)
            if self.num_terminal_chars > MAX_TERMINAL_CHARS:
                raise GrammarTooComplexError(
                    f"the verbatim values are spelled out in {MAX_TERMINAL_CHARS} characters",
                    remedy="choose the segments that matter, or fewer bounds on lengths",
                )
            self.terminals[name] = body
        return Symbol(name)

    def productive(self) -> set[str]:
        """The rules that derive at least one finite text: the least fixed point."""
        found: set[str] = set()
        grown = True
        while grown:
            grown = False
            for name, alternatives in self.alternatives.items():
                if name not in found and any(_derives(item, found) for item in alternatives):
                    found.add(name)
                    grown = True
        return found

    def render(self, start: str) -> str | None:
        """The grammar from `start` as Lark, or None where nothing can be derived from it."""
        productive = self.productive()
        if start not in productive:
            return None
        lines = [f"start: {start}"]
        for name, alternatives in self.alternatives.items():
            if name in productive:
                live = [item for item in alternatives if _derives(item, productive)]
                bodies = (" ".join(symbol.text for symbol in item) or '""' for item in live)
                lines.append(f"{name}: " + " | ".join(dict.fromkeys(bodies)))
        lines += [f"{name}: {body}" for name, body in self.terminals.items()]
        return "\n".join(lines) + "\n"


def _derives(alternative: Alternative, productive: set[str]) -> bool:
    return all(symbol.rule is None or symbol.rule in productive for symbol in alternative)
