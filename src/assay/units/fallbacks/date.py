"""When an agreement was made, when it takes effect, when it ends.

The specialist looks at the words around each date: those that introduce it ("entered into as of"),
those that name it ("the Effective Date"), and where it stands. For the end of a term that has no
date it answers with the term ("four (4) years from the Effective Date"). The heuristic weighs
nearby words and position alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.normalize.date import find_dates
from assay.normalize.period import find_periods
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.sentences import sentence_at, sentence_spans

DateKind = Literal["agreement", "effective", "expiry"]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A date is meant if the words before it end with `before`, and those after open with `after`.

    `score` is the rule's measured precision; `within` limits it to the head of the document (a
    count of characters) or, if negative, to its tail.
    """

    score: float
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    within: int | None = None

    def introduces(self, before: str) -> bool:
        return self.before is None or self.before.search(before) is not None


def _before(pattern: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:{pattern})[\s_:：,(\"“]*(?:the|this|as of|on)?[\s_:：]*\Z", re.IGNORECASE
    )


def _after(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"[\s,]*(?:{pattern})", re.IGNORECASE)


_RUN = r"(?:(?!\n\s*\n)[^.;()]){0,60}?"
_MADE = (
    rf"\b(?:made|entered\s+into|dated|executed|concluded|signed|agreed)\b{_RUN}"
    r"(?:\b(?:as\s+of|on|this|in\s+duplicate|effective|the))?|签订于|签订日期|签署日期|签约日期|合同日期"
    r"|订立日期|签订时间"
)
_EFFECTIVE = (
    r"(?:made\s+)?(?:is|be|becomes?|made|shall\s+be|and)?\s*effective(?:\s+(?:as\s+of|on|from|date))?(?:\s+(?:is|means|shall\s+(?:be|mean)))?"
    r"|commencement\s+date(?:\s+(?:is|means|shall\s+(?:be|mean)))?|come\s+into\s+(?:force|effect)(?:\s+(?:as\s+of|on|from))?"
    r"|(?:shall|will)\s+(?:commence|begin|start)(?:\s+(?:as\s+of|on|from|effective))?|(?:commencing|beginning)\s+(?:on|as\s+of)?|生效日期?|自|起始日期?|有效期自"
)
_ENDS = (
    r"(?:until|through(?:\s+to)?|thru|ending(?:\s+on)?|ends?\s+on|expir(?:e|es|ing)(?:\s+on)?|terminat(?:e|es|ing)\s+on|conclud(?:es?|ing)(?:\s+on)?"
    r"|to\s+end\s+on|expiration\s+date|termination\s+date|expiry\s+date|end\s+date|end\s+of\s+term|not\s+later\s+than\s+the\s+end\s+of)"
    r"(?:\s+(?:is|means|shall\s+(?:be|mean)|midnight\s+on|and\s+including|the\s+close\s+of\s+business\s+on))?|至|止于|届满日|到期日|终止日期?"
)
_NAMED_EFFECTIVE = _after(
    r"(?:[(（][^()（）.;]{0,30}?|hereinafter\s+)[\"“']?(?:the\s+)?[\"“']?\s*"
    r"(?:effective\s+date|commencement\s+date|start\s+date)[\"”'),]|起(?:生效|至)?|生效"
)
_OPENS_PARTIES = _after(
    r"(?:[(（][^()（）]{0,60}[)）]?\s*,?\s*)?(?:is\s+)?(?:made\s+)?(?:and\s+)?(?:is\s+)?(?:entered\s+into\s+)?"
    r"(?:by\s+and\s+)?(?:between|among)\b"
)
_SIGNED = re.compile(r"/s/|\\s\\|\b(?:By|Name|Title|Its|Signature)\s*:", re.IGNORECASE)
# Dates that belong to some other agreement that this one mentions.
_OF_ANOTHER = re.compile(
    r"(?:(?i:that\s+certain|described\s+in|pursuant\s+to|defined\s+in|under\s+(?:the|that)|between\s+\w+\s+and)\b"
    r"[^.;]{0,110}|\ban?\s+(?:[A-Z][\w-]*\s+(?:and\s+|of\s+)?){1,6}Agreement,?\s+(?:dated|made)[^.;]{0,20})\Z"
)

_RULES: dict[DateKind, tuple[_Rule, ...]] = {
    "agreement": (
        _Rule(0.95, _before(f"{_MADE}|{_EFFECTIVE}|as\\s+of"), _OPENS_PARTIES, within=12_000),
        _Rule(0.9, _before(_MADE), within=9_000),
        _Rule(0.85, _before(r"(?:^|\n)\s*date|日期"), within=3_000),
        _Rule(0.8, _before(r"effective(?:\s+as\s+of)?(?:\s+date)?|,\s*as\s+of"), within=9_000),
        _Rule(0.7, _before(r"(?:^|\n)\s*(?:\w+\s+)?(?:updated|dated)|\bas\s+of"), within=3_000),
        _Rule(0.7, _before(_MADE), within=-2_500),
        _Rule(0.6, _before(r"\bdated?"), within=-6_000),
        _Rule(0.45, _before(_EFFECTIVE)),
    ),
    "effective": (
        _Rule(0.95, None, _NAMED_EFFECTIVE),
        _Rule(0.9, _before(_EFFECTIVE), within=9_000),
        _Rule(0.8, _before(_MADE), _OPENS_PARTIES, within=9_000),
        _Rule(0.75, _before(_EFFECTIVE)),
        _Rule(0.7, _before(rf"{_MADE}|,\s*as\s+of"), within=9_000),
    ),
    "expiry": (
        _Rule(0.85, _before(_ENDS)),
    ),
}
_TERM_WORDS = re.compile(
    r"(?:\bterm\b|\bperiod\b|\bduration\b|remain\s+(?:in\s+)?(?:full\s+)?(?:valid|effective|in\s+(?:full\s+)?(?:force|effect))|continue\s+in|in\s+force|\bexpir|terminat\w+\s+date|有效期|期限|期间)",
    re.IGNORECASE,
)
_TERM_OF_AGREEMENT = re.compile(
    r"\bterms?\s+of\s+(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|license|lease|venture)|\binitial\s+term\b|\bagreement\b[^.;]{0,120}?\b(?:shall|will|is)\b[^.;]{0,160}?"
    r"\b(?:term|continue|remain|expire|effect|valid|period|duration)|\b(?:contract|service|license)\s+period\b\W{0,3}\s*(?:shall\s+)?means?|the\s+[\"“]?term[\"”]?\s+(?:of|shall|will|is)"
    r"|(?:duration|term)\s+of\s+(?:this|the)|(?:本合同|本协议|合同)[^。；]{0,12}(?:有效期|期限)|有效期",
    re.IGNORECASE,
)
_NOT_THE_TERM = re.compile(
    r"\bnotice\b|\bsurviv|confidential|warranty|insurance|invoice|\bcured?\b|\bretain|audit|non-?compet|renew|thereafter"
    r"|(?:after|following)\s+(?:the\s+)?(?:termination|expiration)|prior\s+to|\bremed|\bevery\b|term\s+of\s+this\s+agreement\s+and\b|\bwithin\b|\bpolicy\b|additional",
    re.IGNORECASE,
)
_OTHER_ORIGIN = re.compile(r"terminat|expir|\bterm\s+of|shipment|receipt|notice|invoice", re.IGNORECASE)
_ORIGIN = re.compile(
    r"\s*\(?(?:from|after|following|commencing|beginning|starting|as\s+of)\b[^.;,()]{2,60}?(?=[.;,()]|\s+(?:and|unless|with|or)\b)",
    re.IGNORECASE,
)
_ANNIVERSARY = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+teenth|twentieth)\s*(?:\(\d+\s?[a-z ]{2,3}\)\s*)?anniversary\s+of\s+[^.;,()]{3,40}",
    re.IGNORECASE,
)
_UNTIL_TERMINATED = re.compile(
    r"\b(?:until|end\s+when|unless)\s+(?:it\s+is\s+|sooner\s+|earlier\s+)?terminated\b|until\s+(?:the\s+)?(?:earlier\s+)?(?:termination|expiration)",
    re.IGNORECASE,
)
_TERM_HEADING = re.compile(
    r"(?:^|\n|[.\d)\s])\s*(?:initial\s+)?(?:TERM|Term|Duration|DURATION)(?:\s+(?:of|OF|and|AND|&)\s+\w+(?:\s+\w+)?)?\s*[.:\n-]",
    re.MULTILINE,
)
_CONTEXT = 140


@dataclass(frozen=True, slots=True)
class DateFallback:
    """Finds one of an agreement's dates. The span is the date expression; for an expiry without a
    date, the expression of the term, or the sentence that leaves it open.

    Right means: the span overlaps the passage that sets the date, wherever it stands.
    """

    kind: DateKind
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            if self.kind == "expiry":
                found.extend(_find_expiry(document_text, start, end))
            else:
                found.extend(_find_by_rules(document_text, self.kind, start, end))
        return rank(found)


def _find_by_rules(text: str, kind: DateKind, start: int, end: int) -> Iterator[Candidate]:
    for mention in find_dates(text[start:end]):
        at, until = start + mention.start, start + mention.end
        before, after = text[max(0, at - _CONTEXT) : at], text[until : until + _CONTEXT]
        if mention.values[0].startswith("--") or _RULES["expiry"][0].introduces(before):
            continue
        score = _score_by_rules(kind, before, after, at, len(text))
        if score is None:
            continue
        if _OF_ANOTHER.search(before):
            score = min(score, 0.3)
        if len(mention.values[0]) == 4:
            score -= 0.1  # nothing but a year: the rest was left blank
        # Of several dates introduced alike the first is the agreement's own.
        yield Candidate(at, until, score - 0.04 * at / max(1, len(text)))


def _score_by_rules(kind: DateKind, before: str, after: str, at: int, length: int) -> float | None:
    for rule in _RULES[kind]:
        head, tail = (rule.within or length), -(rule.within or -length)
        if rule.within is not None and not (at < head if rule.within > 0 else at > length - tail):
            continue
        if not rule.introduces(before):
            continue
        if rule.after is None or rule.after.match(after):
            return rule.score
    if kind == "agreement" and _SIGNED.search(before):
        # The agreement is made when the last party signs: later is likelier.
        return 0.5 + 0.1 * at / max(1, length)
    return None


def _find_expiry(text: str, start: int, end: int) -> Iterator[Candidate]:
    sentences = sentence_spans(text, start, end)
    ends = _RULES["expiry"][0]
    for mention in find_dates(text[start:end]):
        at, until = start + mention.start, start + mention.end
        sentence = sentence_at(sentences, at) or (at, until)
        before = text[max(0, at - _CONTEXT, sentence[0]) : at]
        if not ends.introduces(before):
            continue
        about_term = _TERM_WORDS.search(text, sentence[0], sentence[1])
        if mention.values[0].startswith("--"):
            continue  # a day of every year
        yield Candidate(at, until, ends.score if about_term else 0.4)
    for sentence in sentences:
        whole = text[sentence[0] : sentence[1]]
        if len(whole) > 1_500 or not _TERM_OF_AGREEMENT.search(whole):
            continue
        headed = _TERM_HEADING.search(text, max(0, sentence[0] - 40), sentence[0] + 12) is not None
        bonus = 0.1 if headed else 0.0
        yield from _find_terms(sentence, whole, bonus)


def _find_terms(sentence: Region, whole: str, bonus: float) -> Iterator[Candidate]:
    """The expressions in one sentence on the term that set its length."""
    begin = sentence[0]
    for mention in find_periods(whole):
        before = whole[max(0, mention.start - 80) : mention.start]
        if _NOT_THE_TERM.search(before) or re.match(
            r"['’]?\s*(?:prior|written|notice|advance)", whole[mention.end :]
        ):
            continue
        if re.match(r"(?:each|another|every)\b", whole[mention.start :], re.IGNORECASE):
            continue
        origin = _ORIGIN.match(whole, mention.end)
        if origin and _OTHER_ORIGIN.search(origin.group()):
            continue
        stop = origin.end() if origin else mention.end
        near = re.search(
            r"(?:term|period|continue|remain|expire|valid|effect|for)\b", before, re.IGNORECASE
        )
        score = (0.6 if near else 0.4) + (0.1 if origin else 0.0) + bonus
        yield Candidate(begin + mention.start, begin + stop, score)
    for match in _ANNIVERSARY.finditer(whole):
        yield Candidate(begin + match.start(), begin + match.end(), 0.55 + bonus)
    open_end = _UNTIL_TERMINATED.search(whole)
    if open_end and re.search(r"\bcontinue|\bremain|\bterm\b", whole, re.IGNORECASE):
        yield Candidate(sentence[0], sentence[1], 0.55 + bonus)


_WEIGHTS: dict[DateKind, dict[str, float]] = {
    "agreement": {
        "dated": 2,
        "made": 2,
        "entered": 2,
        "agreement": 1,
        "as of": 1,
        "executed": 1,
        "between": 1,
        "签订": 3,
        "签署": 3,
    },
    "effective": {
        "effective": 3,
        "commence": 2,
        "as of": 1,
        "begin": 1,
        "dated": 1,
        "entered": 1,
        "生效": 3,
    },
    "expiry": {
        "expir": 3,
        "terminat": 2,
        "until": 2,
        "through": 2,
        "ending": 2,
        "end": 1,
        "term": 1,
        "届满": 3,
        "到期": 3,
    },
}
_HEURISTIC: dict[DateKind, float] = {"agreement": 0.6, "effective": 0.6, "expiry": 0.3}


@dataclass(frozen=True, slots=True)
class DateHeuristic:
    """Weighs every date by the words within eighty characters of it and by its position: the
    start of the document for the date made and the effective date, no place for the expiry."""

    kind: DateKind
    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weighed: list[tuple[float, int, int]] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_dates(document_text[start:end]):
                at, until = start + mention.start, start + mention.end
                weight = self._weigh(document_text, at, until)
                if weight > 0:
                    weighed.append((weight, at, until))
        best = max((weight for weight, _, _ in weighed), default=1.0)
        top = _HEURISTIC[self.kind]
        return rank(Candidate(at, until, top * weight / best) for weight, at, until in weighed)

    def _weigh(self, text: str, start: int, end: int) -> float:
        near = text[max(0, start - 80) : end + 40].lower()
        weight = sum(value for word, value in _WEIGHTS[self.kind].items() if word in near)
        if self.kind == "expiry":
            return weight
        return weight + 4.0 * max(0.0, 1.0 - start / 6_000) if weight else 0.0
