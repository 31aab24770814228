"""Which words introduce or name an agreement's dates, and how often each such rule is right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assay.patterns import lazy_pattern

StartKind = Literal["agreement", "effective"]
DateKind = Literal["agreement", "effective", "expiry"]


# How much of the text before and after a date the rules see.
CONTEXT = 140


@dataclass(frozen=True, slots=True)
class Rule:
    """A date is meant if the words before it end with `before`, and those after open with `after`.

    `score` is the rule's measured precision; `within` limits it to the head of the document (a
    count of characters) or, if negative, to its tail.
    """

    score: float
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    within: int | None = None

    def covers(self, at: int, length: int) -> bool:
        """Whether the rule holds for a date at `at` in a text of `length` characters."""
        if self.within is None:
            return True
        return at < self.within if self.within > 0 else at > length + self.within

    def introduces(self, before: str) -> bool:
        return self.before is None or self.before.search(before) is not None

    def follows(self, after: str) -> bool:
        return self.after is None or self.after.match(after) is not None


def _before(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(
        rf"(?:{pattern})[\s_:：,(\"“]*(?:the|this|as of|on)?[\s_:：]*\Z", re.IGNORECASE
    )


def _after(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(rf"[\s,]*(?:{pattern})", re.IGNORECASE)


_RUN = r"(?:(?!\n\s*\n|\bwithin\b|\bbefore\b|\bby\s+(?:\d|the\b))[^.;()]){0,60}?"
_MADE = (
    rf"\b(?:(?<!payment\sis\s)(?<!payments\sare\s)made|entered\s+into|dated|executed|concluded|signed|agreed)\b{_RUN}"
    r"(?:\b(?:as\s+of|on|this|in\s+duplicate|effective|the))?|签订于|签订日期|签署日期|签约日期"
    r"|合同日期"
    r"|订立日期|签订时间"
)
_EFFECTIVE = (
    r"(?:made\s+)?(?:is|be|becomes?|made|shall\s+be|and)?\s*effective(?:\s+for\s+all\s+purposes)?(?:\s+(?:as\s+of|on|from"
    r"|date))?[\"”]?(?:\s+(?:is|means|shall\s+(?:be|mean)))?"
    r"|(?:commencement|start)\s+date[\"”]?(?:\s+(?:is|means|shall\s+(?:be|mean)))?|(?:comes?|enters?)\s+into\s+(?:force"
    r"|effect)(?:\s+(?:as\s+of|on|from))?"
    r"|tak(?:es?|ing)\s+effect(?:\s+(?:as\s+of|on|from))?"
    r"|(?:shall|will)\s+(?:commence|begin|start)(?:\s+(?:as\s+of|on|from|effective))?"
    r"|(?:commencing|beginning)\s+(?:on|as\s+of)?|生效日期?|自|起始日期?|有效期自"
)
_ENDS = (
    r"(?:until|through(?:\s+to)?|thru|ending(?:\s+on)?|ends?\s+on|expir(?:e|es|ing)(?:\s+on)?"
    r"|terminat(?:e|es|ing)\s+on|conclud(?:es?|ing)(?:\s+on)?"
    r"|to\s+end\s+on|expiration\s+date|termination\s+date|expiry\s+date|end\s+date"
    r"|end\s+of\s+term|not\s+later\s+than\s+the\s+end\s+of)"
    r"(?:\s+(?:is|means|shall\s+(?:be|mean)|midnight\s+on|and\s+including"
    r"|the\s+close\s+of\s+business\s+on))?|至|止于|届满日|到期日|终止日期?"
)
_NAMED_EFFECTIVE = _after(
    r"(?:[(（][^()（）.;]{0,30}?|hereinafter\s+)[\"“']?(?:the\s+)?[\"“']?\s*"
    r"(?:effective\s+date|commencement\s+date|start\s+date)[\"”'),]|起(?:生效|至)?|生效"
)
_OPENS_PARTIES = _after(
    r"(?:[(（][^()（）]{0,60}[)）]?\s*,?\s*)?(?:is\s+)?(?:made\s+)?(?:and\s+)?(?:is\s+)?"
    r"(?:entered\s+into\s+)?"
    r"(?:by\s+and\s+)?(?:between|among)\b"
)
#: A text that speaks of itself as an agreement, so that a date in it may be the agreement's.
OF_AN_AGREEMENT = lazy_pattern(
    r"(?i:\bth(?:is|e\s+present)\s+(?:[\w-]+\s+){0,4}?(?:agreement|contract|lease|deed|amendment"
    r"|addendum|undertaking|memorandum|confirmation|licen[cs]e)\b)"
    r"|\b(?:Agreement|AGREEMENT|Contract|CONTRACT|LEASE|Lease|DEED|Deed|AMENDMENT)\b|(?:合同|协议)"
)
#: What stands before a date on the line on which a party signs.
SIGNING_LINE = lazy_pattern(
    r"(?:\A|\n)(?:[^\n]*(?:/s/|\\s\\|(?:\bdated?|\bBy|\bName|\bTitle|日期)\s*[:：])[^\n]*|[\s_-]*)\Z",
    re.IGNORECASE,
)
#: An agreement that takes effect when the last party has signed it.
EFFECTIVE_WHEN_SIGNED = lazy_pattern(
    r"\beffective\b[^.;]{0,60}\b(?:last|later|latest)\b[^.;]{0,60}\b(?:sign|execut)"
    r"|\b(?:last|later|latest)\b[^.;]{0,60}\b(?:sign|execut)[^.;]{0,60}\bEffective\s+Date\b"
    r"|\beffective\b[^.;]{0,40}\bdate\s+(?:first\s+|last\s+)?(?:written|set\s+forth|appearing)\s+below",
    re.IGNORECASE,
)
SIGNED = lazy_pattern(r"/s/|\\s\\|\b(?:By|Name|Title|Its|Signature)\s*:", re.IGNORECASE)
# Dates that belong to some other agreement that this one mentions.
OF_ANOTHER = lazy_pattern(
    r"(?:(?i:that\s+certain|described\s+in|pursuant\s+to|defined\s+in|under\s+(?:the|that)"
    r"|between\s+\w+\s+and)\b"
    r"(?:(?!\bthis\b)[^.;]){0,110}|\ban?\s+(?:[A-Z][\w-]*\s+(?:and\s+|of\s+)?){1,6}Agreement,?\s+(?:dated"
    r"|made)[^.;]{0,20})\Z"
)
# The same of "the Supply Agreement dated", unless the parties' own names follow the date.
_OF_THE_OTHER = lazy_pattern(
    r"\bth(?:e|at)\s+(?:[\w&-]+\s+){1,6}?agreement,?\s+(?:dated|made)(?:\s+as)?(?:\s+of)?\s*\Z",
    re.IGNORECASE,
)
_BETWEEN_NAMES = _after(r"(?:by\s+and\s+)?(?:between|among)\b(?!\s+(?:the\s+)?(?:parties|us)\b)")
#: A date labelled as the one an agreement takes effect on.
LABELLED_EFFECTIVE = lazy_pattern(
    r"\b(?:effective|commencement|start)\s+date\s*[:：][\s_]*\Z|生效日期\s*[:：]\s*\Z",
    re.IGNORECASE,
)
#: A period that some restriction runs for, defined by its first day.
OF_A_RESTRICTION = lazy_pattern(
    r"\b(?:non-?compet\w*|non-?solicit\w*|restrict\w+|stand-?still|exclusivity|warranty|evaluation)"
    r"\s+period\b[^.;]{0,100}\Z",
    re.IGNORECASE,
)
#: An agreement that takes effect on the day it bears.
EFFECTIVE_ON_ITS_DATE = lazy_pattern(
    r"\beffective\b[^.;]{0,40}?\b(?:date|day)\s+(?:and\s+year\s+)?(?:first\s+)?(?:above\s+)?"
    r"(?:set\s+forth|written|stated|shown|indicated|hereof|of\s+this\s+agreement|above)\b",
    re.IGNORECASE,
)
#: Where a letter turns to its reader: the day it was written stands on a line of its own above.
SALUTATION = lazy_pattern(
    r"^[ \t]*(?:Dear\b|Ladies\s+(?:and|&)\s+Gentlemen|Gentlemen\b|To\s+whom\b|To\s+the\s+Board\b)",
    re.MULTILINE | re.IGNORECASE,
)


def is_of_another(before: str, after: str) -> bool:
    """Whether a date between these words is that of some other agreement."""
    if OF_ANOTHER.search(before):
        return True
    return _OF_THE_OTHER.search(before) is not None and not _BETWEEN_NAMES.match(after)


RULES: dict[StartKind, tuple[Rule, ...]] = {
    "agreement": (
        Rule(0.95, _before(f"{_MADE}|{_EFFECTIVE}|as\\s+of"), _OPENS_PARTIES, within=12_000),
        Rule(0.9, _before(_MADE), within=9_000),
        Rule(
            0.85,
            _before(r"(?:^|\n)\s*(?:(?:agreement|contract|execution|signing)\s+)?date|日期"),
            within=3_000,
        ),
        Rule(0.8, _before(r"effective(?:\s+as\s+of)?(?:\s+date)?|,\s*as\s+of"), within=9_000),
        Rule(
            0.7, _before(r"(?:^|\n|\s{3})\s*(?:\w+\s+)?(?:updated|dated)|\bas\s+of"), within=3_000
        ),
        Rule(0.7, _before(_MADE), within=-2_500),
        Rule(0.6, _before(r"\bdated?"), within=-6_000),
        Rule(0.45, _before(_EFFECTIVE)),
    ),
    "effective": (
        Rule(0.95, None, _NAMED_EFFECTIVE),
        Rule(0.9, _before(_EFFECTIVE), within=9_000),
        Rule(0.8, _before(_MADE), _OPENS_PARTIES, within=9_000),
        Rule(0.75, _before(_EFFECTIVE)),
        Rule(0.7, _before(rf"{_MADE}|,\s*as\s+of"), within=9_000),
    ),
}

ENDS = Rule(0.85, _before(_ENDS))
