"""The list of parties where an agreement opens: a name, what it is, the term that stands for it,
then the next name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Candidate, Region

# Measured precision of a name with, and without, a defined term.
_WITH_ROLE, _WITHOUT_ROLE = 0.92, 0.8

_FORMS = (
    r"Inc Incorporated inc Corp Corporation L\.?L\.?C Ltd Limited L\.?L\.?P L\.?P P\.?L\.?C "
    r"N\.?A GmbH AG KG "
    r"S\.A S\.p\.A S\.r\.l B\.?V N\.?V Co Company Pte Pty A\.S AB Oy K\.K"
)
_STYLES = "Bank Trust Fund Partners Partnership Holdings Group Associates Aktiengesellschaft"


def _spellings(words: str) -> str:
    """An alternation of the words as they are and in capitals, longest first."""
    forms = {form for word in words.split() for form in (word, word.upper())}
    return "(?:" + "|".join(sorted(forms, key=len, reverse=True)) + r")(?![A-Za-z])"


FORM = _spellings(_FORMS)
_SUFFIX = _spellings(f"{_FORMS} {_STYLES}")
HAS_SUFFIX = lazy_pattern(rf"(?<![A-Za-z]){_SUFFIX}")
_ANCHOR = lazy_pattern(
    r"(?<![A-Za-z])(?:(?P<full>by\s+and\s+(?:between|among(?:st)?)|b\s?e\s?t\s?w\s?e\s?e\s?n\s*:"
    r"|parties\s*:?\s*\(1\))|between|among(?:st)?|entered\s+into\s+by(?!\s+and\s+(?:between|among))"
    r"|(?<=\n)[ \t]*parties[ \t]*:"
    r"|parties\s+(?:to\s+this\s+agreement\s+)?are(?!\s+(?:referred|called|sometimes|willing|entering))"
    r"|B E T W E E N)(?![A-Za-z])\s*:?"
    r"(?:\s*(?:the\s+)?following\s+parties\s*:?)?\s*(?:\(\s*(?:1|i|a|A)\s*\)|1[.)]|-+)?\s*",
    re.IGNORECASE,
)
_STOP_LIST = lazy_pattern(
    r"WHEREAS|Whereas|RECITALS?\b|Recitals?\b|W\s?I\s?T\s?N\s?E\s?S\s?S|BACKGROUND|Background\b"
    r"|NOW,?\s+THEREFORE"
    r"|TABLE\s+OF\s+CONTENTS|DEFINITIONS|PREAMBLE|DATED|Dated|EFFECTIVE|\bThis\s+Agreement"
    r"|[.:]\s*\n[ \t]*\n|\n\s*1\s*\.|\bagrees?d?\s+(?:as\s+follows|that)"
    r"|[(\s]\(?[Ee]ach\s+(?:a|an|or|of)\b|[\"”]\)\s*\.\s+[A-Z]|\(individually|\(collectively"
    r"|\bagreed\s+to"
)
_NAME_END = lazy_pattern(
    rf",(?!\s+{_SUFFIX})"
    rf"|\s*[(（\[](?![A-Z][A-Za-z .]{{1,20}}\)\s*,?\s*{_SUFFIX})"
    r"|\s+an?\s+(?=\S)|\s+\(?(?:having|with|located|whose|who|organi[sz]ed|incorporated|residing"
    r"|resident|on\s+behalf|acting"
    r"|as|hereinafter|hereafter|hereby|referred|doing|d/b/a|d\.b\.a|a/k/a|aka|dba|duly|for\s+(?:itself|the)"
    r"|individually|at"
    r"|is|are|in|dated|effective|pursuant"
    r"|established|registered|formed|existing|together|located|which|that|c/o|f/k/a|its|will"
    r"|shall|may|regarding|to|from|by|under|relating"
    r"|collectively|named|on|of(?=\s+\d))\b"
    r"|\s+-?\s*(?:and|AND|And)\b|[;:\"“]|\n\s*\n|\s{5,}|\.(?!\s+"
    + _SUFFIX
    + r")\s+(?=[A-Z])|\.?\s*\Z|\s\d{2,}"
)
_ABBREVIATED = lazy_pattern(
    rf"(?:(?<![A-Za-z]){_SUFFIX}|(?<![A-Za-z])[A-Z]|\b(?:St|Dr|Mr|Mrs|Ms|Jr|Sr))\Z"
)
_CONNECTOR = lazy_pattern(
    r"(?<![A-Za-z])(?:and|AND|And|as\s+well\s+as)\b\s*:?\s*(?:\(\s*(?:\d|[ivx]{1,3}"
    r"|[a-zA-Z])\s*\)|\d[.)]|-+)?\s*"
    rf"|[;,]\s+(?=[A-Z][^,;:(\"“\d]{{2,60}}?"
    rf"(?:,?\s+{FORM}|(?:,\s+an?\s+[a-z][\w ]{{3,40}}?)?\s*\((?:the\s+)?[\"“]))"
)
# In a numbered list the next party stands behind the next number, wherever else an "and" is.
_NUMBER = r"\(\s*(?:\d|[ivx]{1,3}|[a-zA-Z])\s*\)"
_NUMBERED = lazy_pattern(rf"(?:{_NUMBER}|(?<!\w)1[.)])\s*\Z")
_NEXT_NUMBER = lazy_pattern(
    rf"(?<=[\s;,.)])(?:(?:and|AND|And)\b\s*:?\s*)?(?:{_NUMBER}|(?<!\w)\d[.)])\s*(?=[A-Z\d])"
)
_PLACE = lazy_pattern(
    r"\b(?:at|in|of|under|by)\s+(?:the\s+)?(?:[A-Z][\w-]*,?\s+){1,3}(?:and|AND|And)\b\s*\Z"
)
_ROLE = lazy_pattern(
    r"[\"“‘?']{1,2}\s*(?:the\s+)?(?P<role>[A-Z0-9&][^\"”“?\n]{0,45}?)\s*[.,]?(?:[\"”“’?]{1,2}|(?=\)))"
    r"|\((?P<bare>[A-Z][A-Za-z&. ]{1,20})\)"
)
_NO_ROLE = lazy_pattern(
    r"\A(?:the\s+)?(?:this\s+)?(?:agreement|part(?:y|ies)|effective\s+date|signature|print(?:ed)?\b.*|title"
    r"|seal|.*\bname|.*\bdate"
    r"|.*\bagreement|.*parties)\Z",
    re.IGNORECASE,
)
NO_NAME = lazy_pattern(
    r"\A(?:the\s+)?(?:undersigned|part(?:y|ies)|following|same|such|any|each|all|both|either|us"
    r"|we|it|this|that|their|them|one|two"
    r"|\d+|agreement|exhibit|schedule|section|article|sellers?|buyers?|licensors?|licensees?"
    r"|distributors?|customer|company|participant|recipient|discloser|general\s+partner"
    r"|(?:receiving|disclosing|other|first|second)\s+party|(?:your|client|insert|print)\b.*"
    r"|.*\bnames?\Z|.*\bagreement\Z|.*\bnot\s+limited|counterparty)\b"
    r"(?!.*\b(?:inc|llc|ltd|corp)\b)",
    re.IGNORECASE,
)
# A party left out of a form: its name is still to be filled in.
_BLANK = lazy_pattern(
    r"[\s:]*(?:_{2,}|\.{4,}|…{2,}|\[[^\[\]]{0,80}\]|<[^<>]{1,80}>|,\s+an?\b|,?\s*\((?!\d))"
)
# A party without a name of its own: what is defined after it is not the party's before.
_UNNAMED = lazy_pattern(
    r"\band\s+(?:the\s+(?:participant|recipient|undersigned|other|part(?:y|ies)|company|customer"
    r"|client|person|individual)|you)\b",
    re.IGNORECASE,
)
_SUFFIX_ENDS_LINE = lazy_pattern(rf"(?<![A-Za-z]){_SUFFIX}[.)]?[ \t]*\n(?!\s*{_SUFFIX})")
# "Department of Health and Human Services": the "and" is part of the name of a public body.
_OF_A_BODY = lazy_pattern(
    r"\b(?i:department|ministry|secretary|office|bureau|college|school|institute|faculty|division)"
    r"\s+(?i:of|for)\s+(?:[A-Z][\w'’-]*,?\s+){0,3}[A-Z][\w'’-]*\Z"
)
_AND_MORE = lazy_pattern(
    r"\s+(?:and|AND|&)\s+(?:[A-Z][a-z]+|[A-Z]{3,})(?:\s+[A-Z][\w'’-]*){0,3}"
    rf"(?=\s*(?:[(\n_“\"]|,(?!\s*{_SUFFIX}))|\s+(?:and|AND|located|with|of|at)\b)"
)
# What a party does business as is no party of its own, whatever "and" is in it.
_OTHER_NAME = lazy_pattern(
    r"[\s,(]*(?:d\.?/?b\.?/?a\.?|a/k/a|f/k/a|doing\s+business\s+as|(?:trading|(?:also|formerly)\s+known)\s+as)"
    r"\s+[^,;:()\"“]{2,90}?(?=\s*[,;:()\"“]|\s+(?:located|with|having|whose|an?)\b)",
    re.IGNORECASE,
)
_HEAD, _LIST_REACH, _MAX_ANCHORS, _MAX_PARTIES = 20_000, 2_500, 30, 10


def read_party_list(text: str, start: int, end: int) -> list[Candidate]:
    """The agreement's own parties, as the list after the first "between" that reads like one names
    them; empty if none does. Each candidate is a name, with its defined term as part "role"."""
    best: list[Candidate] = []
    best_quality = float("-inf")
    head = min(end, max(start, _HEAD))
    for count, anchor in enumerate(_ANCHOR.finditer(text, start, head)):
        if count >= _MAX_ANCHORS:
            break
        found = _read_list(text, anchor.end(), min(end, anchor.end() + _LIST_REACH))
        if _is_credible(text, found) and (quality := _quality(text, anchor, found)) > best_quality:
            best, best_quality = found, quality
    return best


def _quality(text: str, anchor: re.Match[str], found: Sequence[Candidate]) -> float:
    """How much a list after "between" looks like the agreement's own parties."""
    two = found[:2]
    roles = sum(1 for item in two if "role" in item.parts)
    corporate = sum(1 for item in two if HAS_SUFFIX.search(text, item.start, item.end))
    full = 1.5 if anchor["full"] else 0.0
    return 2.0 * len(two) + roles + 0.5 * corporate + full - anchor.start() / 5_000


def _is_credible(text: str, found: Sequence[Candidate]) -> bool:
    """Whether one of the first two names has a corporate ending or a defined term."""
    return any(
        "role" in item.parts or HAS_SUFFIX.search(text, item.start, item.end) for item in found[:2]
    )


def _read_list(text: str, start: int, limit: int) -> list[Candidate]:
    """The parties named one after the other from `start` on."""
    stop = _STOP_LIST.search(text, start, limit)
    limit = min(limit, stop.start() + 2) if stop else limit
    connector = _CONNECTOR
    if _NUMBERED.search(text, max(0, start - 12), start) and _NEXT_NUMBER.search(
        text, start, limit
    ):
        connector = _NEXT_NUMBER
    found: list[Candidate] = []
    position: int | None = start
    while position is not None and position < limit and len(found) < _MAX_PARTIES:
        name = _read_name(text, position, limit)
        if _BLANK.match(text, position, limit):
            position = _next_party(text, position, limit, connector)
            continue
        if name is None or (stop and name[0] >= stop.start()):
            break
        other_name = _OTHER_NAME.match(text, name[1], limit)
        name_ends = other_name.end() if other_name else name[1]
        following = _next_party(text, name_ends, limit, connector)
        role = _read_role(text, name[1], limit if following is None else following)
        if (
            found
            and not HAS_SUFFIX.search(text, *name)
            and _is_description(text, found[-1], name, role)
        ):
            if role and "role" not in found[-1].parts:
                before = found.pop()
                found.append(Candidate(before.start, before.end, _WITH_ROLE, {"role": role}))
        else:
            score = _WITH_ROLE if role else _WITHOUT_ROLE
            found.append(Candidate(*name, score, {"role": role} if role else {}))
        position = following
    return found


def _is_description(text: str, before: Candidate, name: Region, role: Region | None) -> bool:
    """Whether a capitalised word after an "and" still belongs to the party before: its
    description runs on ("registered at Berlin and Munich"), or the list's terms have stopped."""
    if "role" in before.parts:
        return role is None
    between = text[before.end : name[0]]
    if _PLACE.search(between) and len(text[name[0] : name[1]].split()) == 1:
        return True
    return len(between) > 40 and re.search(r"\b(?:at|in|of|under|by)\b", between) is not None


def _read_name(text: str, start: int, limit: int) -> Region | None:
    while start < limit and (text[start].isspace() or text[start] in "_*-–•"):
        start += 1
    if text[start : start + 4] in {"the ", "The ", "THE "}:
        start += 4
    end = -1
    for match in _NAME_END.finditer(text, start, min(limit, start + 160)):
        end = match.start()
        if _OF_A_BODY.search(text, start, end) and _AND_MORE.match(text, end, limit):
            continue
        if match.group()[:1] != "." or not match.group()[1:]:
            break
        initial = text[end - 2 : end - 1] in " ." and text[end - 1 : end].isupper()
        titled = re.search(r"\b(?:St|Dr|Mr|Mrs|Ms)\Z", text[max(start, end - 4) : end])
        if not (initial or titled):
            break
    if end < 0:
        end = min(limit, start + 160)
    if line := _SUFFIX_ENDS_LINE.search(text, start, end):
        end = line.end()
    name = text[start:end].rstrip(" ,\t\n-")
    end = start + len(name)
    if not 2 <= len(name) <= 110 or len(name.split()) > 14 or NO_NAME.match(name):
        return None
    opens_well = name[0].isupper() or name[0].isdigit() or HAS_SUFFIX.search(name)
    if not opens_well or not any(char.isalpha() for char in name):
        return None
    if text[end : end + 1] == "." and _ABBREVIATED.search(name):
        end += 1
    return start, end


def _next_party(text: str, start: int, limit: int, connector: re.Pattern[str]) -> int | None:
    """Where the next name of the list opens: after a connector outside brackets (an "and", or the
    next number) that stands before something that can be a name."""
    depth, scanned = 0, start
    for match in connector.finditer(text, start, limit):
        depth += text.count("(", scanned, match.start()) - text.count(")", scanned, match.start())
        scanned = match.start()
        if depth <= 0 and (name := _read_name(text, match.end(), limit)) is not None:
            return name[0]
    return None


def _read_role(text: str, start: int, limit: int) -> Region | None:
    """The first defined term; one in brackets without quotation marks only if there is no other."""
    unnamed = _UNNAMED.search(text, start, limit)
    bare: Region | None = None
    for match in _ROLE.finditer(text, start, unnamed.start() if unnamed else limit):
        group = "role" if match["role"] else "bare"
        if _NO_ROLE.match(match[group].strip()):
            continue
        if group == "role":
            return match.span(group)
        bare = bare or match.span(group)
    return bare
