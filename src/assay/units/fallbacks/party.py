"""Who the parties are: the list after "between", 甲方/乙方 lines, and signature blocks.

The specialist reads the list of parties where an agreement opens (`party_list.py`), or lines that
label each party; where neither names two, the names in its opening that are given a defined term,
as in an agreement written as a letter, or else signature blocks. The heuristic weighs names with a
corporate ending by where they stand and how often they return.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.date_rules import OF_AN_AGREEMENT
from assay.units.fallbacks.party_list import FORM, HAS_SUFFIX, NO_NAME, read_party_list

# Measured precision; labelled lines were too few to measure and are set with the list's.
_LABELLED, _DEFINED, _SIGNATURE, _HEURISTIC = 0.9, 0.75, 0.6, 0.7
_EARLY, _OPENING = 20_000, 4_000

_LABELLED_PARTY = lazy_pattern(
    r"(?:^|[\n。；;])[ \t]*(?P<role>Party\s+[A-D]|[甲乙丙丁]\s*方|委托方|受托方|委托人|受托人"
    r"|买方|卖方|出租方|承租方|供方|需方|采购方|供应商"
    r"|发包人|承包人|出卖人|买受人|出租人|承租人|贷款人|借款人|用人单位|劳动者)"
    r"\s*(?:[(（][^)）\n]{0,16}[)）])?\s*[:：]\s*(?P<name>[^\n,，;；。]{2,60})"
)
_LABEL_END = lazy_pattern(
    r"\s{2,}|\s+(?:Address|Tel|Contact|Legal|Zip|Fax|E-?mail)\b|[（(]以下|\s*[（(]?(?:地址|住所"
    r"|法定代表人|联系|盖章|签字|电话)|\t"
)
_SIGNED = lazy_pattern(
    r"(?P<name>[A-Z][^\n:;()]{2,70}?)[ \t]*\n\s*(?:a\s[^\n]{3,40}\n\s*)?"
    r"(?:By|BY|Signed|Signature|Name)\s*:",
    re.MULTILINE,
)
# A description between the name and the bracket may run on for a while, but names no one else.
_LABELLED_SIGNER = lazy_pattern(
    r"(?:^|\n)[ \t]*(?:Company|Corporate|Firm|Legal|Entity|Party)(?:'s|’s)?\s+Name[ \t]*[:：][ \t]*"
    r"(?P<name>[A-Z][^\n:;()]{2,70})"
)
# What stands on a line to be filled in when signing is nobody's name.
_TO_FILL_IN = lazy_pattern(
    r"\b(?:signature|print(?:ed)?|typed|date|title|address|your\s+company|name)\b|\[", re.IGNORECASE
)
_SIGNED_FOR = lazy_pattern(
    r"(?:Yours\s+\w+,?\s+)?(?:\w+\s+){0,2}?(?:for\s+and\s+)?on\s+behalf\s+of\s+(?:the\s+)?",
    re.IGNORECASE,
)
# A name with its ending, before another name with one.
_SIDE_BY_SIDE = lazy_pattern(
    rf"{FORM}\.?(?=(?P<gap>[ \t]+)(?!{FORM})[A-Z][\w&.'’-]*[ \t](?:[^\n]*[ \t])??{FORM}\.?"
    r"\s*(?:\n|\Z))"
)
_ARTICLE = lazy_pattern(r"\b[Aa]n?\s\Z")
_TERM_IN_BRACKETS = lazy_pattern(
    r"[^()\n.;]{0,80}[(（]\s*(?:the\s+|hereinafter\s+)?[\"“]"
    r"(?P<role>(?!Agreement|Part(?:y|ies)\b)[A-Z][^\"”\n]{0,40})[\"”]\s*[)）]"
)


@dataclass(frozen=True, slots=True)
class PartyFallback:
    """Reads the list of parties. A candidate's span is the name; its part "role" the defined term.

    Each party comes once. Right means: the name overlaps a party's name in the document.
    """

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        labelled: list[Candidate] = []
        listed: list[Candidate] = []
        defined: list[Candidate] = []
        signed: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            labelled.extend(_read_labelled(document_text, start, end))
            listed = listed or read_party_list(document_text, start, end)
            defined.extend(_read_defined(document_text, start, min(end, _OPENING)))
            signed.extend(_read_signatures(document_text, start, end))
        if len(labelled) >= 2:
            return rank(_one_each(document_text, labelled))
        if len(listed) >= 2:
            return rank(_one_each(document_text, listed))
        if len(defined) >= 2:
            return rank(_one_each(document_text, [*listed, *labelled, *defined]))
        named = _one_each(document_text, [*listed, *labelled, *defined])
        return rank(_one_each(document_text, [*named, *_not_among(document_text, named, signed)]))


@dataclass(frozen=True, slots=True)
class PartyHeuristic:
    """Weighs names with a corporate ending: early ones, and those that return, weigh more."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weights: dict[str, float] = {}
        first: dict[str, Region] = {}
        for start, end in scan_spans(document_text, regions):
            for name_start, name_end in _corporate_names(document_text, start, end):
                name = document_text[name_start:name_end]
                key = _key(name)
                if not key or NO_NAME.match(name) or _TO_FILL_IN.search(name):
                    continue
                if _ARTICLE.search(document_text, max(start, name_start - 4), name_start):
                    continue  # "a Delaware LLC"
                first.setdefault(key, (name_start, name_end))
                earliness = max(0.0, 1.0 - name_start / _EARLY)
                weights[key] = weights.get(key, 0.0) + 0.2 + 2.0 * earliness
        top = sorted(weights, key=lambda key: -weights[key])[:2]
        total = max((weights[key] for key in top), default=1.0)
        found = [
            Candidate(*first[key], _HEURISTIC * (0.8 + 0.2 * weights[key] / total)) for key in top
        ]
        return rank(_one_each(document_text, found))


# A full stop ends a name, unless it shortens a word.
_WORD = r"(?:[A-Z][A-Za-z]{0,2}\.|[A-Z](?:[A-Za-z&'’-]|\.(?=[A-Za-z]))*)"
_CORPORATE_NAME = lazy_pattern(
    rf"(?<![A-Za-z0-9])(?P<name>(?:\d[\d-]{{2,12}}[ ])?"
    rf"(?:{_WORD}[ ](?:(?:of|and|&|the|for|und|et|de)[ ])?){{0,5}}"
    rf"{_WORD},?[ ]{FORM}\.?)"
    r"|(?P<han>[\u4e00-\u9fff]{2,20}(?:有限责任公司|股份有限公司|有限公司|集团公司|事务所|银行))"
)


def _corporate_names(text: str, start: int, end: int) -> Iterator[Region]:
    for match in _CORPORATE_NAME.finditer(text, start, end):
        yield from _columns(text, *match.span())


def _read_labelled(text: str, start: int, end: int) -> Iterator[Candidate]:
    for match in _LABELLED_PARTY.finditer(text, start, end):
        name_start, name_end = match.span("name")
        cut = _LABEL_END.search(text, name_start, name_end)
        if cut:
            name_end = cut.start()
        while name_end > name_start and text[name_end - 1].isspace():
            name_end -= 1
        if name_end - name_start >= 2 and not set(text[name_start:name_end]) <= set("_ "):
            yield Candidate(name_start, name_end, _LABELLED, {"role": match.span("role")})


def _read_defined(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Corporate names that a defined term in brackets follows, in an agreement's opening."""
    if not OF_AN_AGREEMENT.search(text, start, end):
        return
    for match in _CORPORATE_NAME.finditer(text, start, max(start, end)):
        role = _TERM_IN_BRACKETS.match(text, match.end(), min(end, match.end() + 120))
        described = _ARTICLE.search(text, max(start, match.start() - 4), match.start())
        if role and not described and not NO_NAME.match(match.group()):
            yield Candidate(*match.span(), _DEFINED, {"role": role.span("role")})


def _read_signatures(text: str, start: int, end: int) -> Iterator[Candidate]:
    for pattern in (_SIGNED, _LABELLED_SIGNER):
        for match in pattern.finditer(text, start, end):
            name_start, name_end = match.span("name")
            if opening := _SIGNED_FOR.match(text, name_start, name_end):
                name_start = opening.end()
            if _TO_FILL_IN.search(text, name_start, name_end):
                continue
            for column in _columns(text, name_start, name_end):
                if HAS_SUFFIX.search(text, *column):
                    yield Candidate(*column, _SIGNATURE)


def _columns(text: str, start: int, end: int) -> Iterator[Region]:
    """The names of signers who sign side by side, on one line of text."""
    for match in _SIDE_BY_SIDE.finditer(text, start, end):
        yield start, match.end()
        start = match.end() + len(match["gap"])
    yield start, end


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _not_among(
    text: str, named: Sequence[Candidate], signed: Sequence[Candidate]
) -> Iterator[Candidate]:
    """Signers whose name does not end with that of a party known by more than a signature, as it
    does where the words of a form run on into it."""
    known = tuple(_key(text[item.start : item.end]) for item in named)
    for item in signed:
        if not (known and _key(text[item.start : item.end]).endswith(known)):
            yield item


def _one_each(text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best candidate for each party: names that agree but for case and punctuation are one."""
    kept: dict[str, Candidate] = {}
    for item in candidates:
        key = _key(text[item.start : item.end])
        if key and (key not in kept or item.score > kept[key].score):
            kept[key] = item
    return list(kept.values())
