"""Whether the parties of a contract, and the law that governs it, are those that lawyers named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from assay.documents import Document
from assay.evaluation.base import Counts, Finding, one_value
from assay.evaluation.contract_gold import Label
from assay.evaluation.matching import is_placed, pair_up, quoted_texts, squash

#: What makes two spellings one name: lawyers retyped some, with mistakes.
_ALIKE = 0.85
_GENERIC = re.compile(r"\b(?:the|state|commonwealth|province|republic|kingdom) of |\bthe ", re.I)
#: The terms in brackets and quotes behind a name.
_TERMS = re.compile(r"(?:[(（][^()（）]*[)）]?\W*)+\Z")
_COLLECTIVE = re.compile(r"\b(?:individually|collectively|together with|each)\b", re.I)
#: Adjectives of laws, and other names, of places.
_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "australia": ("australian",),
    "canada": ("canadian",),
    "china": ("chinese", "prc", "中国", "中华人民共和国"),
    "denmark": ("danish",),
    "england": ("english",),
    "france": ("french",),
    "germany": ("german",),
    "india": ("indian",),
    "ireland": ("irish",),
    "israel": ("israeli",),
    "italy": ("italian",),
    "japan": ("japanese",),
    "netherlands": ("dutch", "holland"),
    "scotland": ("scottish", "scots"),
    "spain": ("spanish",),
    "sweden": ("swedish",),
    "switzerland": ("swiss",),
    "united kingdom": ("uk", "england"),
    "united states": ("us", "usa", "u.s.", "federal"),
}


def judge_parties(gold: Label, finding: Finding, document: Document) -> Counts:
    """Parties count one by one. A name is right if a gold party has it, or the document's own
    spelling of it that lawyers marked, and it is quoted at a place where it is marked."""
    parties = sorted(_party_names(gold.answer))
    marked = {squash(text) for text in gold.marked}
    quoted = quoted_texts(finding, document, "name")

    def is_party(name: str, party: str) -> bool:
        known = _same_name(name, party) or any(
            _same_name(name, mark) and (_same_name(mark, party) or _begins(party, mark))
            for mark in marked
        )
        return known and any(is_placed(place, gold.spans) for place in quoted[name])

    return pair_up(list(quoted), parties, is_party)


def judge_law(gold: Label, finding: Finding) -> Counts:
    """The law is right if the jurisdiction that is given names one of the gold's."""
    answered = finding.value is not None
    right = gold.holds(finding) and (not gold.answer or _names_law(finding.value, gold.answer))
    return one_value(right=right, answered=answered, expected=bool(gold.passages))


def _party_names(answer: str) -> set[str]:
    """The names of an answer such as `A Inc. ("A"); B Ltd. ("B"); A and B (the "Parties")`, less
    the terms behind them, spellings of one name, and what only says how others are called."""
    names: set[str] = set()
    for part in answer.split(";"):
        head = _TERMS.sub("", part.strip().lstrip("("))
        name = squash(head)
        joins = _COLLECTIVE.search(head) or (" and " in head and _COLLECTIVE.search(part))
        known = any(_same_name(name, other) for other in names)
        if len(name) > 1 and not known and not joins:
            names.add(name)
    return names


def _same_name(mine: str, theirs: str) -> bool:
    short, long = sorted((mine, theirs), key=len)
    if len(short) >= 6 and short in long and len(short) >= 0.6 * len(long):
        return True
    return mine == theirs or SequenceMatcher(None, mine, theirs).ratio() >= _ALIKE


def _begins(party: str, mark: str) -> bool:
    """Whether a name begins with a marked text that is more than a word of it."""
    return len(mark) >= 8 and party.startswith(mark)


def _names_law(value: Any, answer: str) -> bool:
    given = value.get("jurisdiction") if isinstance(value, Mapping) else None
    if not isinstance(given, str):
        return False
    found = _GENERIC.sub("", given).casefold().strip()
    return any(
        re.search(rf"(?<!west )(?<!new )(?<!\w){re.escape(name)}(?!\w)", found)
        for place in answer.split(";")
        for name in _names_of_place(place)
    )


def _names_of_place(place: str) -> Iterator[str]:
    """The most local name of `Province of Ontario, Canada`, and its other names."""
    name = _GENERIC.sub("", place.split(",")[0]).casefold().strip()
    if name:
        yield name
        yield from _OTHER_NAMES.get(name, ())
