"""Whole days told from a reference: what `find_dates` answers when it is given one."""

from __future__ import annotations

from datetime import datetime

from assay.normalize.reading import Mention, distinct
from assay.normalize.temporal.find import context_of, parse_times
from assay.normalize.temporal.grain import Grain, Interval, shift
from assay.normalize.temporal.series import Once, coming, gone
from assay.normalize.temporal.tokens import Context, Time

_DAY_FORMS = frozenset({"weekday", "date", "ordinal_day", "holiday", "relative"})


def find_relative_dates(text: str, reference: datetime) -> tuple[Mention[str], ...]:
    """The days that the text states, as ISO strings, in order. A day that comes again has two
    values: the last one before the reference and the next one, today included."""
    context = context_of(reference, "", None)
    found = []
    for start, end, time in parse_times(text, context):
        if time.form not in _DAY_FORMS or time.bound:
            continue
        values = _days(time, context)
        if values:
            found.append(Mention(start, end, values))
    return tuple(found)


def _days(time: Time, context: Context) -> tuple[str, ...]:
    today = context.reference.replace(hour=0, minute=0, second=0, microsecond=0)
    items: list[Interval] = []
    for series in (time.series, *time.others):
        if isinstance(series, Once):
            items.append(series.interval)
            continue
        items += gone(series, today)
        items += [item for item in coming(series, today, 2) if item.start >= today][:1]
    return distinct(
        item.start.date().isoformat()
        for item in items
        if item.grain is Grain.DAY and item.end == shift(item.start, Grain.DAY, 1)
    )
