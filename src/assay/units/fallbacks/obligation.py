"""Who must do, or leave, what, and by when.

The specialist reads "NAME shall …" in English and 甲方应…… in Chinese, where the name is a party's
or could be; the heuristic takes any subject of such a verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.party import PartyFallback

# Read by hand on 57 duties of contracts: subjects that the agreement names as its parties, those
# that are called like one, and others.
_OF_A_PARTY, _OF_ANOTHER, _HEURISTIC = 0.85, 0.65, 0.4
_MODAL = (
    r"(?:shall|must|will|(?:agrees?|undertakes?|covenants?)(?:\s+to|(?=\s+not\s+to\b))"
    r"|(?:is|are)\s+(?:obliged|obligated|required)\s+to)"
)
_WORD = r"[A-Z][\w&'’-]*(?:\.(?=,?\s(?:shall|must|will|agrees)))?"
_DUTY = lazy_pattern(
    rf"(?<![\w.&])(?P<party>(?:(?:[Tt]he|[Ee]ach|[Ee]ither|[Bb]oth|[Nn]either)\s)?{_WORD}"
    rf"(?: {_WORD}){{0,4}}|(?:[Ee]ach|[Ee]ither|[Bb]oth|[Nn]either)\s(?:party|parties))"
    rf"(?:,[^,.;]{{0,80}},)?\s+{_MODAL}\s+"
    r"(?P<duty>[^.;]{4,400}(?:[.](?=\d)[^.;]{0,200}){0,3})"
)
# Behind these a name is no subject of its own, or nothing is owed yet.
_CONDITION = lazy_pattern(
    r"\b(?:if|where|unless|when|whenever|until|should|provided\s+that|that|of|by|to|from|for|with|in"
    r"|under|between)\s+\Z",
    re.IGNORECASE,
)
# What a subject is called that an agreement binds, if its parties are not told.
_ROLE = lazy_pattern(
    r"\b(?:Supplier|Seller|Vendor|Buyer|Purchaser|Customer|Client|Contractor|Consultant|Distributor"
    r"|Dealer|Agent|Licen[cs]or|Licen[cs]ee|Lessor|Lessee|Landlord|Tenant|Lender|Borrower|Company"
    r"|Employer|Employee|Manufacturer|Provider|Party|Parties|Recipient|Insurer|Insured|Affiliate"
    r"|Owner|Member|Partner|Franchisee|Franchisor|Sponsor|Subcontractor|Publisher|Author|party"
    r"|parties)s?\Z"
)
_HAN_PARTY = (
    r"[甲乙丙丁]方|双方|各方|任何一方|一方|委托方|受托方|委托人|受托人|买方|卖方|出租人|承租人|出租方"
    r"|承租方|供方|需方|采购方|供应商|发包人|承包人|出卖人|买受人|贷款人|借款人|用人单位|劳动者|许可方"
    r"|被许可方|投保人|被保险人|保险人"
)
_HAN_DUTY = lazy_pattern(
    rf"(?P<party>{_HAN_PARTY})(?:均|都|[^，。；、\n]{{0,12}}?)?(?P<duty>(?:应当?|必须|(?<!无)须|不得|有义务|(?<![不免])(?:负责|承担))"
    r"[^。；\n]{2,200})"
)
# What follows "shall" where the subject owes nothing: what something means or becomes, or (in the
# passive) what is done to it.
_NO_DUTY = lazy_pattern(
    r"\A(?:(?:not\s+)?(?:mean|be\s+(?:effective|valid|void|free|liable|eligible|as\b|the\b|an?\b"
    r"|(?:\w+ly\s+)?(?:(?:or|and|nor)\s+\w+ly\s+)?(?:liable|bound|given|made|held|paid|sent|taken|kept"
    r"|(?!(?:requir|oblig|obligat)ed\s+to\b)[a-z]+ed)\b)"
    r"|have\s+(?:the|no|any|an?|sole|express|all)\b|include\b|survive|constitute|commence"
    r"|continue\s+in|acquire|own\b|retain\s+(?:all|any|its)|remain|(?:automatically\s+)?terminate)"
    r"|not\s+be\s+(?:required|obliged|obligated)\b)",
    re.IGNORECASE,
)
_DUE = lazy_pattern(
    r"\b(?:within|no(?:t)?\s+later\s+than|on\s+or\s+before|by|before|prior\s+to|at\s+least)\s+"
    r"(?:[^,.;]{0,40}?\b(?:days?|weeks?|months?|years?|hours?|quarter|January|February|March|April|May"
    r"|June|July|August|September|October|November|December)\b)(?:[^,.;]{0,60}?\b(?:after|of|from|following"
    r"|before|prior\s+to)\b[^,.;]{0,60})?(?:\s+\d{1,2}\b)?(?:,?\s+\d{4}\b)?"
    r"|\b(?:immediately|promptly|without\s+(?:undue\s+)?delay)\b(?:\s+(?:upon|after|following)\b[^,.;]{0,60})?"
)
_HAN_DUE = lazy_pattern(
    r"(?:自|在|于)?[^，。；]{0,30}?[\d一二三四五六七八九十百]{1,5}(?:个)?(?:工作)?(?:日|天|周|月|年|小时)"
    r"(?:之内|以内|内|之前|以前|前)|(?:立即|及时)"
)


@dataclass(frozen=True, slots=True)
class ObligationFallback:
    """Finds what each party must do. The span is the duty; parts: "party", and "due" where the
    words say by when."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        known = _known_parties(document_text)
        return rank(
            item for item in _find(document_text, regions, known) if item.score >= _OF_ANOTHER
        )


@dataclass(frozen=True, slots=True)
class ObligationHeuristic:
    """Takes every subject of "shall", whoever it is."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found = _find(document_text, regions, frozenset())
        return rank(Candidate(item.start, item.end, _HEURISTIC, item.parts) for item in found)


def _find(
    text: str, regions: Sequence[Region] | None, known: frozenset[str]
) -> Iterator[Candidate]:
    for start, end in scan_spans(text, regions):
        for pattern, deadline in ((_DUTY, _DUE), (_HAN_DUTY, _HAN_DUE)):
            for match in pattern.finditer(text, start, end):
                before = text[max(0, match.start() - 16) : match.start()]
                if _NO_DUTY.match(match["duty"]) or _CONDITION.search(before):
                    continue
                first, last = match.span("duty")
                last = first + len(text[first:last].rstrip())
                parts = {"party": match.span("party")}
                if due := deadline.search(text, first, last):
                    parts["due"] = due.span()
                score = _score(text, match.span("party"), known)
                yield Candidate(first, last, score, parts)


def _score(text: str, party: Region, known: frozenset[str]) -> float:
    name = text[party[0] : party[1]]
    if _key(name) in known or re.fullmatch(_HAN_PARTY, name):
        return _OF_A_PARTY
    return _OF_ANOTHER if _ROLE.search(name) else _HEURISTIC


def _known_parties(text: str) -> frozenset[str]:
    """The names and terms of the agreement's parties, and what it calls any of them."""
    known = {"party", "parties", "each party", "either party", "both parties", "neither party"}
    for item in PartyFallback().find(text):
        for start, end in ((item.start, item.end), *item.parts.values()):
            known.add(_key(text[start:end]))
    return frozenset(known)


def _key(name: str) -> str:
    return re.sub(r"\Athe\s+", "", " ".join(name.lower().split()))
