"""Numbers written in digits, whatever separates their groups and their decimals.

The last separator decides. A separator used once, before exactly three digits, is the only case a
text leaves open: a comma there groups (1,234 is 1234), a dot is read both ways (1.234 is 1.234 or
1234) unless the caller says which mark is the decimal one.
"""

from __future__ import annotations

from decimal import Decimal

# Groups parted by a space count only in threes: "3 038,14" is one number, "1 2" is two.
DIGITS = (
    r"(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,3}(?:'\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d+(?:[.,]\d+)*"
    r"|\.\d+)"
)


def parse_digits(text: str, decimal_mark: str | None = None) -> tuple[Decimal, ...]:
    """The readings of one match of `DIGITS`, the more usual first; none if it is no number
    (a version, a date, badly grouped). `decimal_mark` "." or "," rules out the other as such."""
    compact = text.replace(" ", "").replace("'", "")
    marks = [char for char in compact if char in ".,"]
    if not marks:
        return (Decimal(compact),)
    last = marks[-1]
    other = "," if last == "." else "."
    if len(set(marks)) == 2:
        return _plain(compact, decimal_mark=last) if marks.count(last) == 1 else ()
    if len(marks) > 1:
        return _plain(compact, decimal_mark=other)
    head, tail = compact.split(last)
    if decimal_mark is not None:
        return _plain(compact, decimal_mark)
    grouped = " " in text or "'" in text
    if len(tail) != 3 or not 1 <= len(head) <= 3 or head.startswith("0") or grouped:
        return _plain(compact, decimal_mark=last)
    if last == ",":
        return _plain(compact, decimal_mark=".")
    return _plain(compact, decimal_mark=".") + _plain(compact, decimal_mark=",")


def _plain(compact: str, decimal_mark: str) -> tuple[Decimal, ...]:
    group_mark = "," if decimal_mark == "." else "."
    whole, _, fraction = compact.partition(decimal_mark)
    if decimal_mark in fraction or group_mark in fraction:
        return ()
    if group_mark in whole:
        groups = whole.split(group_mark)
        sizes = [len(group) for group in groups]
        thousands = all(size == 3 for size in sizes[1:])
        lakhs = group_mark == "," and sizes[-1] == 3 and all(size == 2 for size in sizes[1:-1])
        if not 1 <= sizes[0] <= 3 or not (thousands or (lakhs and sizes[0] <= 2)):
            return ()
        whole = "".join(groups)
    return (Decimal(f"{whole or '0'}.{fraction}") if fraction else Decimal(whole or "0"),)
