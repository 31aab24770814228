"""Whether a date of a contract is the one that lawyers gave.

Lawyers write M/D/YY, with `[]` for what the contract leaves blank, or "perpetual". They compute
when a term ends; a unit quotes "two years" and gives the length. So a length is right if, counted
from the gold's effective or agreement date, it ends on the gold date or the day before or after.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from assay.evaluation.base import Counts, Finding, one_value
from assay.evaluation.contract_gold import Label

PERPETUAL = "perpetual"
_WHOLE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})")
_BLANK = re.compile(r"(\d+|\[.*?\])/(\d+|\[.*?\])/([\d\[\]]+)")
_DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?")
#: Two-digit years below this are of this century.
_PIVOT = 70


def judge_date(gold: Label, starts: Iterable[Label], finding: Finding) -> Counts:
    """Holds a date or the end of a term against the gold; `starts` are the labels whose dates a
    term may be counted from.

    A date that the contract leaves blank may be absent; what is given of it (a month, a year, the
    length of a term) must fit. Where lawyers marked a passage and gave no value, the evidence
    decides.
    """
    answered = finding.value is not None
    if "[" in gold.answer:
        fits = answered and _fits_blank(finding.value, gold.answer)
        return one_value(right=gold.holds(finding), answered=answered, expected=fits)
    right = gold.holds(finding) and _is_value(gold.answer, starts, finding.value)
    return one_value(right=right, answered=answered, expected=bool(gold.passages))


def read_answer(answer: str) -> date | None:
    """The day of an answer, None if it is not a whole one."""
    match = _WHOLE.fullmatch(answer)
    if not match:
        return None
    month, day, year = map(int, match.groups())
    if year < 100:
        year += 2000 if year < _PIVOT else 1900
    try:
        return date(year, month, day)
    except ValueError:
        return None  # a slip of the lawyers, such as 2/30/05


def _is_value(answer: str, starts: Iterable[Label], value: Any) -> bool:
    if not answer:
        return True
    found: Mapping[str, Any] = value if isinstance(value, Mapping) else {"iso": value}
    if answer == PERPETUAL:
        return bool(found.get("perpetual"))
    day = read_answer(answer)
    if found.get("iso"):
        return day is not None and found["iso"] == day.isoformat()
    if not found.get("duration"):
        return False
    begins = [begin for label in starts if (begin := read_answer(label.answer))]
    if day is None or not begins:
        return day is not None
    ends = (_end_of(begin, found["duration"]) for begin in begins)
    return any(end is not None and abs((end - day).days) <= 1 for end in ends)


def _end_of(begin: date, duration: str) -> date | None:
    """The end of a term; None where no calendar has it."""
    match = _DURATION.fullmatch(duration)
    if match is None:
        return None
    years, months, weeks, days = (int(number or 0) for number in match.groups())
    month = begin.year * 12 + begin.month - 1 + 12 * years + months
    year, month = month // 12, month % 12 + 1
    try:
        last = min(begin.day, monthrange(year, month)[1])
        return date(year, month, last) + timedelta(days=7 * weeks + days)
    except (ValueError, OverflowError):
        return None


def _fits_blank(value: Any, answer: str) -> bool:
    """Whether what is given of a date says what the contract does say, and no more."""
    found: Mapping[str, Any] = value if isinstance(value, Mapping) else {"iso": value}
    match = _BLANK.fullmatch(answer)
    if not match or not found.get("iso"):
        return bool(found.get("duration"))
    month, day, year = match.groups()
    year_given, month_given, day_given = _parts(found["iso"])
    return all(
        not given or (gold.isdigit() and gold[-2:].zfill(2) == given[-2:])
        for given, gold in ((year_given, year), (month_given, month), (day_given, day))
    )


def _parts(iso: str) -> tuple[str, str, str]:
    """Year, month and day of `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or `--MM-DD`; empty if left out."""
    year, _, rest = ("", "", iso[2:]) if iso.startswith("--") else iso.partition("-")
    month, _, day = rest.partition("-")
    return year, month, day
