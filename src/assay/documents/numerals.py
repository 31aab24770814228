"""Numbers as lists and clauses write them: letters, Roman and Chinese numerals."""

from __future__ import annotations

_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
_CHINESE_DIGITS = "零一二三四五六七八九"


def letters(number: int) -> str:
    """1 is a, 26 is z, 27 is aa, 28 is bb, as word processors count. Below 1: decimal."""
    if not 1 <= number <= 26 * 50:
        return str(number)
    times, index = divmod(number - 1, 26)
    return chr(ord("a") + index) * (times + 1)


def roman(number: int) -> str:
    """Upper-case Roman numeral. Outside 1 to 3999: decimal."""
    if not 1 <= number < 4000:
        return str(number)
    numeral = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        numeral += sign * count
    return numeral


def chinese(number: int) -> str:
    """Chinese numeral as clauses are counted: 十, 十二, 一百零三. Outside 0 to 9999: decimal."""
    if not 0 <= number < 10_000:
        return str(number)
    if number < 10:
        return _CHINESE_DIGITS[number]
    numeral, skipped = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            numeral += ("零" if skipped else "") + _CHINESE_DIGITS[digit] + name
            skipped = False
        elif numeral:
            skipped = True
    return numeral[1:] if numeral.startswith("一十") else numeral
