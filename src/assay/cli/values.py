"""How a unit's value reads in a table cell: plain text, on one line, short."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from rich.cells import cell_len

from assay.cli.messages import one_line

ELLIPSIS = " … "
#: How many characters may go so that a cut falls between two words.
LONGEST_LOSS = 12
#: How many readings of an ambiguous value are shown.
SHOWN_READINGS = 3
_DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$")
_DURATION_WORDS = ("year", "month", "week", "day")


def format_value(value: Any) -> str:
    """A JSON value for people: money as `1,250.00 USD`, a period as `30 days`, text as it is."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _format_mapping(value)
    if isinstance(value, list | tuple):
        return "; ".join(format_value(item) for item in value)
    return one_line(str(value))


def format_readings(readings: Sequence[Any]) -> str:
    """The readings of a value that is left open, the first few of many."""
    shown = [format_value(reading) for reading in readings[:SHOWN_READINGS]]
    if len(readings) > SHOWN_READINGS:
        shown.append(f"{len(readings) - SHOWN_READINGS} more")
    return f"ambiguous: {' or '.join(shown)}"


def _format_mapping(value: Mapping[str, Any]) -> str:
    text = value.get("text")
    if value.get("amount") is not None:
        return f"{_format_amount(str(value['amount']))} {value.get('currency') or ''}".strip()
    if value.get("percent") is not None:
        return f"{value['percent']}%"
    if value.get("iso") is not None:
        return one_line(str(value["iso"]))
    if value.get("duration") is not None:
        duration = _format_duration(str(value["duration"]))
        return duration.replace("day", "business day") if value.get("business_days") else duration
    if value.get("perpetual"):
        return "perpetual"
    if text is not None:
        return one_line(str(text))
    return ", ".join(format_value(item) for item in value.values() if item is not None) or "—"


def _format_amount(amount: str) -> str:
    try:
        return f"{Decimal(amount):,}"
    except InvalidOperation:
        return one_line(amount)


def _format_duration(duration: str) -> str:
    match = _DURATION.match(duration)
    if not match or not any(match.groups()):
        return one_line(duration)
    counts = zip(match.groups(), _DURATION_WORDS, strict=True)
    return " ".join(f"{n} {word}{'' if n == '1' else 's'}" for n, word in counts if n)


def shorten_middle(text: str, width: int) -> str:
    """`text` in at most `width` terminal cells, the middle left out where it is too long."""
    if cell_len(text) <= width:
        return text
    if width <= len(ELLIPSIS) + 2:
        return take_cells(text, max(width - 1, 0)) + "…"[: max(width, 0)]
    room = width - len(ELLIPSIS)
    return take_words(text, (room + 1) // 2) + ELLIPSIS + take_last_words(text, room // 2)


def take_cells(text: str, width: int) -> str:
    """The longest beginning of `text` that takes at most `width` cells."""
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return text[:index]
    return text


def take_words(text: str, width: int) -> str:
    """As `take_cells`, but not ending within a word, unless the word is a long one."""
    head = take_cells(text, width)
    if len(head) < len(text) and not text[len(head)].isspace():
        whole = head.rpartition(" ")[0]
        if whole and len(head) - len(whole) <= LONGEST_LOSS:
            head = whole
    return head.rstrip()


def take_last_words(text: str, width: int) -> str:
    """The end of `text` in at most `width` cells, not starting within a word if it can be."""
    return take_words(text[::-1], width)[::-1]
