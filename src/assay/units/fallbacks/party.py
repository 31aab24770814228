"""Who the parties are: the list after "between", 甲方/乙方 lines, and signature blocks.

The specialist reads the list of parties where an agreement opens: a name, its description, the
defined term in brackets, then the next name. The heuristic weighs names with a corporate ending by
where they stand and how often they return.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

# Measured precision of each rule (see the class docstrings for what counts as right).
_LIST_WITH_ROLE = 0.9
_LIST_WITHOUT_ROLE = 0.75
_LABELLED = 0.9
_SIGNATURE = 0.6
_HEURISTIC = 0.7

_FORMS = (
    r"Inc Incorporated inc Corp Corporation L\.?L\.?C Ltd Limited L\.?L\.?P L\.?P P\.?L\.?C N\.?A GmbH AG KG "
    r"S\.A S\.p\.A S\.r\.l B\.?V N\.?V Co Company Pte Pty A\.S AB Oy K\.K"
)
_STYLES = "Bank Trust Fund Partners Partnership Holdings Group Associates Aktiengesellschaft"


def _spellings(words: str) -> str:
    """An alternation of the words as they are and in capitals, longest first."""
    forms = {form for word in words.split() for form in (word, word.upper())}
    return "(?:" + "|".join(sorted(forms, key=len, reverse=True)) + r")(?![A-Za-z])"


_FORM = _spellings(_FORMS)
_SUFFIX = _spellings(f"{_FORMS} {_STYLES}")
_HAS_SUFFIX = re.compile(rf"(?<![A-Za-z]){_SUFFIX}")
_ANCHOR = re.compile(
    r"(?<![A-Za-z])(?:(?P<full>by\s+and\s+(?:between|among(?:st)?)|b\s?e\s?t\s?w\s?e\s?e\s?n\s*:|parties\s*:?\s*\(1\))|between|among(?:st)?"
    r"|B E T W E E N)(?![A-Za-z])\s*:?"
    r"(?:\s*(?:the\s+)?following\s+parties\s*:?)?\s*(?:\(\s*(?:1|i|a|A)\s*\)|1[.)]|-+)?\s*",
    re.IGNORECASE,
)
_STOP_LIST = re.compile(
    r"WHEREAS|Whereas|RECITALS?\b|Recitals?\b|W\s?I\s?T\s?N\s?E\s?S\s?S|BACKGROUND|Background\b|NOW,?\s+THEREFORE"
    r"|TABLE\s+OF\s+CONTENTS|DEFINITIONS|PREAMBLE|DATED|Dated|EFFECTIVE|\bThis\s+Agreement|[.:]\s*\n[ \t]*\n|\n\s*1\s*\.|\bagrees?d?\s+(?:as\s+follows|that)"
    r"|[(\s]\(?[Ee]ach\s+(?:a|an|or|of)\b|[\"”]\)\s*\.\s+[A-Z]|\(individually|\(collectively|\bagreed\s+to"
)
_NAME_END = re.compile(
    rf",(?!\s+{_SUFFIX})"
    rf"|\s*[(（\[](?![A-Z][A-Za-z .]{{1,20}}\)\s*,?\s*{_SUFFIX})"
    r"|\s+an?\s+(?=\S)|\s+\(?(?:having|with|located|whose|who|organi[sz]ed|incorporated|residing|resident|on\s+behalf|acting"
    r"|as|hereinafter|hereafter|hereby|referred|doing|d/b/a|dba|duly|for\s+itself|individually|at|is|are|in|dated|effective|pursuant"
    r"|established|registered|formed|existing|together|located|which|that|c/o|f/k/a|its|will|shall|may|regarding|to|from|by|under|relating"
    r"|collectively|named|on|of(?=\s+\d))\b"
    r"|\s+-?\s*(?:and|AND|And)\b|[;:\"“]|\n\s*\n|\s{5,}|\.\s+(?=[A-Z])|\.?\s*\Z|\s\d{2,}"
)
_ABBREVIATED = re.compile(
    rf"(?:(?<![A-Za-z]){_SUFFIX}|(?<![A-Za-z])[A-Z]|\b(?:St|Dr|Mr|Mrs|Ms|Jr|Sr))\Z"
)
_CONNECTOR = re.compile(
    r"(?<![A-Za-z])(?:and|AND|And|as\s+well\s+as)\b\s*:?\s*(?:\(\s*(?:\d|[ivx]{1,3}|[a-zA-Z])\s*\)|\d[.)]|-+)?\s*"
    rf"|[;,]\s+(?=[A-Z][^,;:(\"“\d]{{2,60}}?(?:,?\s+{_FORM}|\s*\((?:the\s+)?[\"“]))"
)
_ROLE = re.compile(
    r"[\"“‘?']{1,2}\s*(?P<role>[A-Za-z0-9&][^\"”“?\n]{0,45}?)\s*[.,]?(?:[\"”’?]{1,2}|(?=\)))|\((?P<bare>[A-Z][A-Za-z&. ]{1,20})\)"
)
_NO_ROLE = re.compile(
    r"\A(?:the\s+)?(?:this\s+)?(?:agreement|part(?:y|ies)|effective\s+date|.*\bdate|.*\bagreement|.*parties)\Z",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"\A(?:the\s+)?(?:undersigned|part(?:y|ies)|following|same|such|any|each|all|both|either|us|we|it|this|that|their|them|one|two"
    r"|\d+|agreement|exhibit|schedule|section|article|sellers?|buyers?|licensors?|licensees?|distributors?|customer|company)\b"
    r"(?!.*\b(?:inc|llc|ltd|corp)\b)",
    re.IGNORECASE,
)
_LABELLED_PARTY = re.compile(
    r"(?:^|[\n。；;])[ \t]*(?P<role>Party\s+[A-D]|[甲乙丙丁]\s*方|委托方|受托方|委托人|受托人|买方|卖方|出租方|承租方|供方|需方|采购方|供应商"
    r"|发包人|承包人|出卖人|买受人|出租人|承租人|贷款人|借款人|用人单位|劳动者)"
    r"\s*(?:[(（][^)）\n]{0,16}[)）])?\s*[:：]\s*(?P<name>[^\n,，;；。]{2,60})"
)
_LABEL_END = re.compile(
    r"\s{2,}|\s+(?:Address|Tel|Contact|Legal|Zip|Fax|E-?mail)\b|[（(]以下|\s*[（(]?(?:地址|住所|法定代表人|联系|盖章|签字|电话)|\t"
)
_SIGNED = re.compile(
    r"(?P<name>[A-Z][^\n:;()]{2,70}?)[ \t]*\n\s*(?:a\s[^\n]{3,40}\n\s*)?(?:By|BY|Signed|Name)\s*:",
    re.MULTILINE,
)
_HEAD, _LIST_REACH, _MAX_ANCHORS, _MAX_PARTIES = 20_000, 2_500, 30, 10


@dataclass(frozen=True, slots=True)
class PartyFallback:
    """Reads the list of parties. A candidate's span is the name; its part "role" the defined term.

    Each party comes once. Right means: the name overlaps a party's name in the document.
    """

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        lists: list[tuple[float, list[Candidate]]] = []
        labelled: list[Candidate] = []
        signed: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            labelled.extend(_read_labelled(document_text, start, end))
            signed.extend(_read_signatures(document_text, start, end))
            head = min(end, max(start, _HEAD))
            for count, anchor in enumerate(_ANCHOR.finditer(document_text, start, head)):
                if count >= _MAX_ANCHORS:
                    break
                found = _read_list(
                    document_text, anchor.end(), min(end, anchor.end() + _LIST_REACH)
                )
                if _is_credible(document_text, found):
                    lists.append((_quality(document_text, anchor, found), found))
        if len(labelled) >= 2:
            return rank(_one_each(document_text, labelled))
        best = max(lists, key=lambda item: item[0])[1] if lists else []
        if len(best) >= 2:
            return rank(_one_each(document_text, best))
        return rank(_one_each(document_text, [*best, *labelled, *signed]))


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
            for match in _CORPORATE_NAME.finditer(document_text, start, end):
                key = _key(match.group())
                if not key or _NO_NAME.match(match.group()):
                    continue
                first.setdefault(key, match.span())
                earliness = max(0.0, 1.0 - match.start() / _HEAD)
                weights[key] = weights.get(key, 0.0) + 0.2 + 2.0 * earliness
        top = sorted(weights, key=lambda key: -weights[key])[:2]
        total = max((weights[key] for key in top), default=1.0)
        found = [
            Candidate(*first[key], _HEURISTIC * (0.8 + 0.2 * weights[key] / total)) for key in top
        ]
        return rank(_one_each(document_text, found))


_CORPORATE_NAME = re.compile(
    rf"(?<![A-Za-z0-9])(?P<name>(?:[A-Z][A-Za-z&.'’-]*[ ](?:(?:of|and|&|the|for)[ ])?){{0,5}}[A-Z][A-Za-z&.'’-]*,?[ ]{_FORM}\.?)"
    r"|(?P<han>[\u4e00-\u9fff]{2,20}(?:有限责任公司|股份有限公司|有限公司|集团公司|事务所|银行))"
)


def _quality(text: str, anchor: re.Match[str], found: Sequence[Candidate]) -> float:
    """How much a list after "between" looks like the agreement's own parties."""
    two = found[:2]
    roles = sum(1 for item in two if "role" in item.parts)
    corporate = sum(1 for item in two if _HAS_SUFFIX.search(text, item.start, item.end))
    full = 1.5 if anchor["full"] else 0.0
    return 2.0 * len(two) + roles + 0.5 * corporate + full - anchor.start() / 5_000


def _is_credible(text: str, found: Sequence[Candidate]) -> bool:
    """Whether one of the first two names has a corporate ending or a defined term."""
    return any(
        "role" in item.parts or _HAS_SUFFIX.search(text, item.start, item.end) for item in found[:2]
    )


def _read_list(text: str, start: int, limit: int) -> list[Candidate]:
    """The parties named one after the other from `start` on."""
    stop = _STOP_LIST.search(text, start, limit)
    limit = min(limit, stop.start() + 2) if stop else limit
    found: list[Candidate] = []
    position: int | None = start
    while position is not None and position < limit and len(found) < _MAX_PARTIES:
        name = _read_name(text, position, limit)
        if name is None:
            break
        following = _next_party(text, name[1], limit)
        role = _read_role(text, name[1], limit if following is None else following)
        if (
            found
            and not _HAS_SUFFIX.search(text, *name)
            and _is_description(text, found[-1], name, role)
        ):
            if role and "role" not in found[-1].parts:
                before = found.pop()
                found.append(Candidate(before.start, before.end, _LIST_WITH_ROLE, {"role": role}))
        else:
            score = _LIST_WITH_ROLE if role else _LIST_WITHOUT_ROLE
            found.append(Candidate(*name, score, {"role": role} if role else {}))
        position = following
    return found


def _is_description(text: str, before: Candidate, name: Region, role: Region | None) -> bool:
    """Whether a capitalised word after an "and" still belongs to the party before: its
    description runs on ("registered at Berlin and Munich"), or the list's terms have stopped."""
    if "role" in before.parts:
        return role is None
    between = text[before.end : name[0]]
    return len(between) > 40 and re.search(r"\b(?:at|in|of|under|by)\b", between) is not None


def _read_name(text: str, start: int, limit: int) -> Region | None:
    while start < limit and (text[start].isspace() or text[start] in "_*-–•"):
        start += 1
    if text[start : start + 4] in {"the ", "The "}:
        start += 4
    end = -1
    for match in _NAME_END.finditer(text, start, min(limit, start + 160)):
        end = match.start()
        if match.group()[:1] != "." or not match.group()[1:]:
            break
        initial = text[end - 2 : end - 1] in " ." and text[end - 1 : end].isupper()
        titled = re.search(r"\b(?:St|Dr|Mr|Mrs|Ms)\Z", text[max(start, end - 4) : end])
        if not (initial or titled):
            break
    if end < 0:
        end = min(limit, start + 160)
    name = text[start:end].rstrip(" ,\t\n-")
    end = start + len(name)
    if not 2 <= len(name) <= 110 or len(name.split()) > 14 or _NO_NAME.match(name):
        return None
    opens_well = name[0].isupper() or name[0].isdigit() or _HAS_SUFFIX.search(name)
    if not opens_well or not any(char.isalpha() for char in name):
        return None
    if text[end : end + 1] == "." and _ABBREVIATED.search(name):
        end += 1
    return start, end


def _next_party(text: str, start: int, limit: int) -> int | None:
    """Where the next name of the list opens: after an "and" outside brackets that stands before
    something that can be a name."""
    depth, scanned = 0, start
    for match in _CONNECTOR.finditer(text, start, limit):
        depth += text.count("(", scanned, match.start()) - text.count(")", scanned, match.start())
        scanned = match.start()
        if depth <= 0 and (name := _read_name(text, match.end(), limit)) is not None:
            return name[0]
    return None


def _read_role(text: str, start: int, limit: int) -> Region | None:
    for match in _ROLE.finditer(text, start, limit):
        group = "role" if match["role"] else "bare"
        if _NO_ROLE.match(match[group].strip()):
            continue
        return match.span(group)
    return None


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


def _read_signatures(text: str, start: int, end: int) -> Iterator[Candidate]:
    for match in _SIGNED.finditer(text, start, end):
        name_start, name_end = match.span("name")
        if _HAS_SUFFIX.search(text, name_start, name_end):
            yield Candidate(name_start, name_end, _SIGNATURE)


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _one_each(text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best candidate for each party: names that agree but for case and punctuation are one."""
    kept: dict[str, Candidate] = {}
    for item in candidates:
        key = _key(text[item.start : item.end])
        if key and (key not in kept or item.score > kept[key].score):
            kept[key] = item
    return list(kept.values())
