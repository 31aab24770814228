"""When the term of an agreement ends: its last day, or how long it runs.

A date counts where words of ending introduce it; a period counts in a sentence on the agreement's
term, unless it is one of notice, cure, survival or renewal. A term without an end is answered with
the sentence that leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.normalize.date import find_dates
from assay.normalize.period import find_periods
from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Candidate, Region
from assay.units.fallbacks.date_rules import CONTEXT, ENDS, OF_AN_AGREEMENT
from assay.units.fallbacks.sentences import sentence_at, sentence_spans

_TERM_WORDS = lazy_pattern(
    r"(?:\bterm\b|\bperiod\b|\bduration\b|remain\s+(?:in\s+)?(?:full\s+)?(?:valid|effective"
    r"|in\s+(?:full\s+)?(?:force|effect))|continues?\s+in|in\s+force|\bexpir|terminat\w+\s+date"
    r"|continues?\s+until|\bis\s+valid\s+for\b|\b(?:shall|will)\s+(?:automatically\s+|itself\s+)?(?:terminate|end|lapse)\b"
    r"|有效期|期限|期间)",
    re.IGNORECASE,
)
_TERM_OF_AGREEMENT = lazy_pattern(
    r"\bterms?\s+of\s+(?:this|the)\s+(?:\w+\s+)?(?:agreement|contract|license|lease|venture)"
    r"|\binitial\s+term\b|\bagreement\b[^.;]{0,120}?\b(?:shall|will|is)\b[^.;]{0,160}?"
    r"\b(?:term|continue|remain|expire|effect|valid|period|duration)"
    r"|\bagreement\b[^.;]{0,60}?\b(?:is\s+valid|continues|remains|expires|ends|runs)\b|\b(?:contract|service"
    r"|license)\s+period\b\W{0,3}\s*(?:shall\s+)?means?|the\s+[\"“]?term[\"”]?\s+(?:of|shall|will"
    r"|is)"
    r"|(?:duration|term)\s+of\s+(?:this|the)|(?:本合同|本协议|合同)[^。；]{0,12}(?:有效期|期限)"
    r"|有效期",
    re.IGNORECASE,
)
_NOT_THE_TERM = lazy_pattern(
    r"\bnotice\b|\bsurviv|confidential|warranty|insurance|invoice|\bcured?\b|\bretain|audit"
    r"|non-?compet|trade\s+secret|\b(?:stated|said|such)\s*\Z|renew|thereafter"
    r"|(?:after|following)\s+(?:the\s+)?(?:termination|expiration)|prior\s+to|\bremed|\bevery\b"
    r"|term\s+of\s+this\s+agreement\s+and\b|\bwithin\b|\bpolicy\b|additional",
    re.IGNORECASE,
)
# Periods that a contract names and that are not its term: in the same sentence, near the period.
_OTHER_PERIOD = lazy_pattern(
    r"\b(?:non-?compet\w*|non-?solicit\w*|restrict(?:ed|ion|ive)|stand-?still|exclusivity|protection"
    r"|evaluation|warranty|notice|cure)\s+period\b"
    r"|\b(?:confidential\w*|non-?disclosure)\s+(?:obligations?|provisions|undertakings?)\b"
    r"|\b(?:obligations?|duty|duties)\s+of\s+confiden",
    re.IGNORECASE,
)
# "During the term and for two years thereafter": the two years follow the term.
_DURING_THE_TERM = lazy_pattern(r"\bduring\b[^.;]{0,60}\bterm\b[^.;]*\Z", re.IGNORECASE)
_THEREAFTER = lazy_pattern(r"\W{0,3}(?:there)?after\b", re.IGNORECASE)
_NEAR = 200
# "This Agreement and the duty of confidence shall remain in force": a term of both.
_AGREEMENT_AND = lazy_pattern(
    r"\b(?:this|the)\s+agreement,?\s+(?:and|including|together\s+with)\b[^.;]{0,100}?"
    r"\b(?:shall|will|is|are|remains?|continues?)\b",
    re.IGNORECASE,
)
_SETS_A_LENGTH = lazy_pattern(
    r"(?:term|period|continue|remain|expires?|terminates?|ends?|valid|effect|for)\b", re.IGNORECASE
)
_OTHER_ORIGIN = lazy_pattern(
    r"terminat|expir|\bterm\s+of|shipment|receipt|notice|invoice", re.IGNORECASE
)
_ORIGIN = lazy_pattern(
    r"\s*\(?(?:from|after|following|commencing|beginning|starting"
    r"|as\s+of)\b[^.;,()]{2,60}?(?=[.;,()]|\s+(?:and|unless|with|or)\b)",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
}
_ANNIVERSARY = lazy_pattern(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)}|\d+\s?(?:st|nd|rd|th))\s*(?:\(\d+\s?[a-z ]{{2,3}}\)\s*)?"
    r"anniversary(?:\s+date)?\s+(?:of\s+[^.;,()]{3,40}|thereof)",
    re.IGNORECASE,
)
_FOR_EVER = (
    r"\b(?:until|ends?\s+when|unless\s+and\s+until)\s+(?:it\s+is\s+|sooner\s+|earlier\s+)?"
    r"(?:terminated|cancell?ed)\b"
    r"|\buntil\s+(?:(?:one|either|any)\s+(?:party|of\s+(?:us|them|the\s+parties)))\s+(?:\w+\s+)?"
    r"(?:terminat|cancel|giv|end)\w+|\b(?:in\s+perpetuity|perpetual(?:ly)?|indefinite(?:ly)?)\b"
    r"|无固定期限|长期有效|永久有效"
)
_OPEN_ENDED = lazy_pattern(_FOR_EVER, re.IGNORECASE)
_UNTIL_TERMINATED = lazy_pattern(
    rf"{_FOR_EVER}|\bunless\s+(?:it\s+is\s+|sooner\s+|earlier\s+)?terminated\b"
    r"|until\s+(?:the\s+)?(?:earlier\s+)?(?:termination|expiration)",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(
    r"\b(?:expiration|termination|expiry|end)\s+date\b|end\s+of\s+term|届满日|到期日|终止日期?",
    re.IGNORECASE,
)
_TERM_HEADING = lazy_pattern(
    r"(?:^|\n|[.\d)\s])\s*(?:initial\s+)?(?:TERM|Term|Duration|DURATION)(?:\s+(?:of|OF|and|AND"
    r"|&)\s+\w+(?:\s+\w+)?)?\s*[.:\n-]",
    re.MULTILINE,
)


def years_to_anniversary(expression: str) -> int | None:
    """Which anniversary an expression such as "the fifth anniversary of the Effective Date" names:
    the length of the term in years; None if it names none."""
    match = _ANNIVERSARY.search(expression)
    if match is None:
        return None
    ordinal = match["ordinal"].lower()
    if ordinal[0].isdigit():
        return int(re.sub(r"\D", "", ordinal))
    return _ORDINALS[ordinal]


def is_open_ended(expression: str) -> bool:
    """Whether an expression says that a term runs until somebody ends it."""
    return _OPEN_ENDED.search(expression) is not None


def find_term_ends(text: str, start: int, end: int) -> Iterator[Candidate]:
    """The dates and periods of `text[start:end]` at which the term of an agreement ends."""
    sentences = sentence_spans(text, start, end)
    of_an_agreement = OF_AN_AGREEMENT.search(text, start, end) is not None
    for mention in find_dates(text[start:end]):
        at, until = start + mention.start, start + mention.end
        sentence = sentence_at(sentences, at) or (at, until)
        if not ENDS.introduces(text[max(0, at - CONTEXT) : at]):
            continue
        if _OTHER_PERIOD.search(text, max(sentence[0], at - _NEAR), min(until + 60, sentence[1])):
            continue
        about_term = _TERM_WORDS.search(text, min(sentence[0], max(0, at - 40)), sentence[1])
        if mention.values[0].startswith("--"):
            continue  # a day of every year
        if not (of_an_agreement or _LABEL.search(text, max(0, at - CONTEXT), at)):
            continue  # an invoice, a letter
        yield Candidate(at, until, ENDS.score if about_term else 0.4)
    for sentence in sentences:
        whole = text[sentence[0] : sentence[1]]
        if len(whole) > 1_500 or not (
            _TERM_WORDS.search(whole) and _TERM_OF_AGREEMENT.search(whole)
        ):
            continue
        headed = _TERM_HEADING.search(text, max(0, sentence[0] - 40), sentence[0] + 12) is not None
        bonus = 0.1 if headed else 0.0
        yield from _find_terms(sentence, whole, bonus)


def _find_terms(sentence: Region, whole: str, bonus: float) -> Iterator[Candidate]:
    """The expressions in one sentence on the term that set its length."""
    begin = sentence[0]
    of_both = _AGREEMENT_AND.search(whole)
    has_length = False
    for mention in find_periods(whole):
        subject_end = of_both.end() if of_both and of_both.end() <= mention.start else 0
        before = whole[max(subject_end, mention.start - 80) : mention.start]
        if _NOT_THE_TERM.search(before) or re.match(
            r"['’]?\s*(?:prior|written|notice|advance)", whole[mention.end :]
        ):
            continue
        if _OTHER_PERIOD.search(whole, max(subject_end, mention.start - _NEAR), mention.end + 60):
            continue
        if _THEREAFTER.match(whole, mention.end) and _DURING_THE_TERM.search(
            whole[max(0, mention.start - _NEAR) : mention.start]
        ):
            continue
        if re.match(r"(?:each|another|every)\b", whole[mention.start :], re.IGNORECASE):
            continue
        origin = _ORIGIN.match(whole, mention.end)
        if origin and _OTHER_ORIGIN.search(origin.group()):
            continue
        stop = origin.end() if origin else mention.end
        near = _SETS_A_LENGTH.search(before)
        has_length = has_length or near is not None
        score = (0.6 if near else 0.4) + (0.1 if origin else 0.0) + bonus
        yield Candidate(begin + mention.start, begin + stop, score)
    for match in _ANNIVERSARY.finditer(whole):
        has_length = True
        yield Candidate(begin + match.start(), begin + match.end(), 0.55 + bonus)
    open_end = _UNTIL_TERMINATED.search(whole)
    # "Two years, unless terminated earlier" has an end; "until terminated" has none.
    if open_end and has_length and not is_open_ended(open_end.group()):
        return
    if open_end and re.search(r"\bcontinue|\bremain|\bterm\b", whole, re.IGNORECASE):
        yield Candidate(sentence[0], sentence[1], 0.55 + bonus)
