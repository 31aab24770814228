"""Requests to train the router on: the few that are labelled, and what they are varied with.

A grammar (data/request_grammar.yaml) words requests for one unit or several; typing noise makes
words of them that nobody wrote. What fits no unit comes from the grammar and from unlabelled texts.
"""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from assay.routing.examples import LabelledRequest

_SLOT = re.compile(r"\{(\w+)\}")
_NEAR = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj",
    "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o",
    "q": "w", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_SHORTER = {"please": "pls", "and": "&", "number": "no.", "percent": "%", "you": "u", "the": ""}
#: Characters for Chinese that means nothing: common ones, in the order of Unicode.
_HANZI = "".join(chr(code) for code in range(0x4E00, 0x9FA5, 7))
#: The most units that a composed request asks for, and how often two, three of them.
_NUM_JOINED = (2, 2, 2, 3)


@dataclass(frozen=True, slots=True)
class GrammarText:
    """A request that the grammar made, and the units it is for; none if it fits none."""

    text: str
    units: tuple[str, ...]


@cache
def read_grammar() -> Mapping[str, Any]:
    """By language: `slots`, `units` (phrases), `sentences`, `ask` and `join`."""
    source = files("assay.training").joinpath("data/request_grammar.yaml")
    grammar: Mapping[str, Any] = yaml.safe_load(source.read_text(encoding="utf-8"))
    return grammar


class Wording:
    """Makes requests of one language by the grammar; the same `random` gives the same."""

    def __init__(self, language: str, chance: random.Random) -> None:
        self._grammar = read_grammar()[language]
        self._chance = chance
        self.language = language

    def single(self, unit: str) -> GrammarText:
        """A request for one unit, or for none ("")."""
        return GrammarText(self._sentence(unit), (unit,) if unit else ())

    def joined(self, units: Sequence[str]) -> GrammarText:
        """A request for several units, in this order."""
        parts = [self._part(unit) for unit in units]
        text = parts[0]
        for part in parts[1:]:
            text = self._pick("join").replace("{x}", text).replace("{y}", part)
        if units[0] in self._grammar["units"] and self._chance.random() < 0.7:
            text = self._fill(self._pick("ask").replace("{x}", text))
        return GrammarText(text, tuple(units))

    @property
    def units(self) -> list[str]:
        """Those that it has words for, once each."""
        return sorted({*self._grammar["units"], *self._grammar["sentences"]} - {""})

    def _sentence(self, unit: str) -> str:
        phrases = self._grammar["units"].get(unit, [])
        sentences = self._grammar["sentences"].get(unit, [])
        if phrases and (not sentences or self._chance.random() < 0.5):
            asked = self._pick("ask").replace("{x}", self._chance.choice(phrases))
            return self._fill(asked)
        return self._fill(self._chance.choice(sentences))

    def _part(self, unit: str) -> str:
        phrases = self._grammar["units"].get(unit, [])
        sentences = self._grammar["sentences"].get(unit, [])
        if phrases and (not sentences or self._chance.random() < 0.75):
            return self._fill(self._chance.choice(phrases))
        return self._fill(self._chance.choice(sentences))

    def _pick(self, name: str) -> str:
        return str(self._chance.choice(self._grammar[name]))

    def _fill(self, text: str) -> str:
        slots = self._grammar["slots"]
        return _SLOT.sub(lambda match: self._chance.choice(slots[match[1]]), text)


def with_noise(text: str, chance: random.Random) -> str:
    """The text as it might be typed in a hurry: other case, no marks, errors in a word or two."""
    if chance.random() < 0.5:
        text = text.lower()
    elif chance.random() < 0.3:
        text = text[:1].upper() + text[1:]
    if chance.random() < 0.4:
        text = text.rstrip("?.？。")
    if chance.random() < 0.15:
        words = (_SHORTER.get(word.lower(), word) for word in text.split(" "))
        text = " ".join(word for word in words if word)
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        text = _mistyped(text, chance)
    return text


def _mistyped(text: str, chance: random.Random) -> str:
    """One letter of a word left out, doubled, swapped with the next or replaced by a near one."""
    spots = [match.start() for match in re.finditer(r"(?<=[A-Za-z])[a-z](?=[a-z])", text)]
    if not spots:
        return text
    spot = chance.choice(spots)
    letter = text[spot]
    kind = chance.choice(("drop", "double", "swap", "near"))
    if kind == "drop":
        return text[:spot] + text[spot + 1 :]
    if kind == "double":
        return text[:spot] + letter + text[spot:]
    if kind == "swap":
        return text[:spot] + text[spot + 1] + letter + text[spot + 2 :]
    return text[:spot] + chance.choice(_NEAR.get(letter, letter)) + text[spot + 1 :]


def joined_requests(
    requests: Sequence[LabelledRequest], num: int, chance: random.Random
) -> list[LabelledRequest]:
    """Pairs of labelled requests for one unit, of one language, run together."""
    grammar = read_grammar()
    single = [item for item in requests if len(item.units) == 1]
    made = []
    for _ in range(num):
        first = chance.choice(single)
        second = chance.choice([item for item in single if item.language == first.language])
        if first.units == second.units:
            continue
        join = chance.choice(grammar[first.language]["join"])
        one, two = first.text.rstrip("?.？。"), second.text
        text = join.replace("{x}", one).replace("{y}", two[:1].lower() + two[1:])
        marks = {*first.descriptor, *second.descriptor}
        made.append(LabelledRequest(text, first.language, tuple(marks), first.units + second.units))
    return made


def composed(
    num: int, weights: Mapping[str, float], num_refused: int, chance: random.Random
) -> list[GrammarText]:
    """Requests by the grammar, a third of them Chinese: `num` for units, half of them for one and
    half for two or three, a unit as frequent as its weight (1 unless given) says; and
    `num_refused` that fit none, besides a third as many that are no words at all."""
    wordings = [Wording("en", chance), Wording("en", chance), Wording("zh", chance)]
    made = []
    for number in range(num):
        wording = chance.choice(wordings)
        units = wording.units
        shares = [weights.get(unit, 1.0) for unit in units]
        num_units = chance.choice(_NUM_JOINED) if number % 2 else 1
        wanted = list(dict.fromkeys(chance.choices(units, shares, k=num_units)))
        made.append(wording.single(wanted[0]) if len(wanted) == 1 else wording.joined(wanted))
    made += [chance.choice(wordings).single("") for _ in range(num_refused)]
    made += [GrammarText(_gibberish(chance), ()) for _ in range(num_refused // 3)]
    return made


def _gibberish(chance: random.Random) -> str:
    """Letters, digits or Chinese characters in words that mean nothing."""
    letters = chance.choice((string.ascii_lowercase, string.ascii_letters + string.digits, _HANZI))
    words = ("".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(5))
    return " ".join(list(words)[: chance.randint(1, 5)])


def unknown_texts(folder: Path, names: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Unlabelled requests to other services, by file: each text with its group."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        path = folder / f"{name}.jsonl"
        if path.is_file():
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            found[name] = [(row["text"], str(row.get("intent", row.get("id")))) for row in rows]
    return found
