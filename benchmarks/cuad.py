"""CUAD contracts as gold for the units: which of our fields answers which label, and who is right.

A field agrees with the gold of one contract when its value *and* its evidence are right, or when
both say that there is nothing. Rows: `text`, and `clauses[label] = {answer, spans: [{start, end,
text}]}`; the same span text may stand at several places, each of which counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: (unit, field) -> CUAD label.
LABELS: Mapping[tuple[str, str], str] = {
    ("extract_party", "parties"): "Parties",
    ("extract_date", "agreement"): "Agreement Date",
    ("extract_date", "effective"): "Effective Date",
    ("extract_date", "expiry"): "Expiration Date",
    ("extract_clause", "governing_law"): "Governing Law",
    ("extract_clause", "termination"): "Termination For Convenience",
    ("extract_clause", "assignment"): "Anti-Assignment",
    ("extract_clause", "liability_cap"): "Cap On Liability",
    ("extract_clause", "renewal"): "Renewal Term",
}
#: A quoted clause is right when it shares this much of the shorter of itself and the gold span.
MIN_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Contract:
    name: str
    text: str
    clauses: Mapping[str, Any]

    def gold_spans(self, label: str) -> list[tuple[int, int]]:
        """Every place where a gold span of this label stands."""
        places: set[tuple[int, int]] = set()
        for span in self.clauses[label]["spans"]:
            places.add((span["start"], span["end"]))
            for match in re.finditer(re.escape(span["text"]), self.text):
                places.add(match.span())
        return sorted(places)


def read_contracts(path: Path) -> Iterator[Contract]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Contract(row["id"], row["text"], row["clauses"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """Counts for one field of one contract: true positives, false positives, false negatives."""

    tp: int
    fp: int
    fn: int

    @property
    def agrees(self) -> bool:
        return self.fp == 0 and self.fn == 0


Place = tuple[int, int, str]
"""Start, end and the JSON pointer below the field's value."""


def judge_field(
    contract: Contract, unit: str, field: str, value: Any, places: list[Place]
) -> Verdict:
    """Holds a field's value, and where it was found, against the gold."""
    label = LABELS[unit, field]
    if label == "Parties":
        return _judge_parties(contract, places)
    gold = contract.gold_spans(label)
    if not gold or not places:
        return Verdict(0, bool(places), bool(gold))
    placed = any(_overlap(place, span) >= MIN_OVERLAP for place in places for span in gold)
    right = placed and _same_value(label, contract.clauses[label]["answer"], value)
    return Verdict(right, not right, not right)


def _overlap(mine: Place, theirs: tuple[int, int]) -> float:
    shared = min(mine[1], theirs[1]) - max(mine[0], theirs[0])
    return shared / max(1, min(mine[1] - mine[0], theirs[1] - theirs[0]))


def _same_value(label: str, answer: str, value: Any) -> bool:
    """Whether a date is the gold's, where the gold is a whole one; other values are quotes."""
    if not label.endswith("Date") or not isinstance(value, Mapping):
        return True
    gold = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})", answer.strip())
    if not gold or not value.get("iso"):
        return True
    month, day, year = gold.groups()
    iso = value["iso"]
    return bool(iso[5:] == f"{int(month):02d}-{int(day):02d}" and iso[2:4] == year[-2:])


def _squash(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _judge_parties(contract: Contract, places: list[Place]) -> Verdict:
    """Parties count one by one: a name found is right when the gold marks that text as a party; a
    gold party is found when its name, or a name that contains it, is."""
    entry = contract.clauses["Parties"]
    gold_names = {_squash(re.sub(r"\(.*?\)", "", part)) for part in entry["answer"].split(";")} - {
        ""
    }
    marked = {_squash(span["text"]) for span in entry["spans"]} | gold_names
    names = {
        _squash(contract.text[start:end])
        for start, end, pointer in places
        if pointer.endswith("name")
    } - {""}
    right = {name for name in names if any(_same_name(name, other) for other in marked)}
    missed = {gold for gold in gold_names if not any(_same_name(name, gold) for name in names)}
    return Verdict(len(right), len(names - right), len(missed))


def _same_name(mine: str, theirs: str) -> bool:
    if mine == theirs:
        return True
    short, long = sorted((mine, theirs), key=len)
    return len(short) >= 6 and short in long and len(short) >= 0.6 * len(long)
