"""Numbers written in Chinese numerals, everyday and financial, and mixed with digits.

A unit multiplies everything to its left up to the next larger unit, so that 一万五千亿 is 15000 x
10^8 and 10萬萬 is 10^9. Numerals without units are read digit by digit (二〇一三 is 2013).
"""

from __future__ import annotations

from decimal import Decimal

from assay.normalize.digits import DIGITS, parse_digits
from assay.patterns import lazy_pattern

_DIGITS = {
    char: value
    for value, chars in enumerate(
        (
            "零〇○Ｏ",
            "一壹弌",
            "二贰貳两兩俩倆",
            "三叁參叄仨",
            "四肆",
            "五伍",
            "六陆陸",
            "七柒",
            "八捌",
            "九玖",
        )
    )
    for char in chars
}
_UNITS: dict[str, int] = {
    char: int(10**exponent)
    for exponent, chars in (
        (1, "十拾"),
        (2, "百佰"),
        (3, "千仟"),
        (4, "万萬"),
        (8, "亿億"),
        (12, "兆"),
    )
    for char in chars
}
_SPECIAL = {"廿": "二十", "卅": "三十"}

DIGIT_CHARS = "".join(_DIGITS)
UNIT_CHARS = "".join(_UNITS)

# 多, 余 and 几 before a unit ("over", "some") leave the round number that they follow.
_SOME = "多余餘几幾"
_ONES = "一二三四五六七八九"
# Figures after the point are said one by one, where 两 is not said.
_POINT_CHARS = "".join(char for char in DIGIT_CHARS if char not in "两兩俩倆仨")
_GROUP = rf"{DIGITS}\s{{0,2}}(?:[{_SOME}]\s?)?[{UNIT_CHARS}]"
# A numeral: it opens with a digit (of either script) or a ten, and holds at least one Chinese sign.
NUMERAL = (
    rf"(?:(?:[{DIGIT_CHARS}十拾廿卅]"
    rf"|(?<![{UNIT_CHARS}分份])[百千](?=[{_ONES}](?![{UNIT_CHARS}分份])))"
    rf"(?:[{DIGIT_CHARS}{UNIT_CHARS}廿卅]|[ ]{{1,2}}(?=[{_SOME}]?[{UNIT_CHARS}]|[{DIGIT_CHARS}])"
    rf"|[{_SOME}](?=[{UNIT_CHARS}])){{0,40}}"
    rf"|{_GROUP}(?:[ ]?{_GROUP}|[{DIGIT_CHARS}{UNIT_CHARS}]){{0,20}}(?:{DIGITS})?)"
    rf"(?:\s*[点點]\s*(?:[{_POINT_CHARS}]{{1,30}}|\d{{1,30}})[{UNIT_CHARS}]{{0,4}})?"
)


def parse_hanzi(numeral: str) -> Decimal | None:
    """The value of one match of `NUMERAL`, or None if its signs do not make a number."""
    text = "".join(
        _SPECIAL.get(char, char) for char in numeral if not char.isspace() and char not in _SOME
    )
    text = text.replace("亿万", "兆").replace("億萬", "兆")  # ten thousand times 亿
    if _APPROXIMATE.search(text):
        return None  # 二三十: twenty or thirty
    for point in "点點":
        if point in text:
            return _parse_decimal(*text.split(point, 1))
    return _parse_sections(text)


_APPROXIMATE = lazy_pattern(rf"[{_ONES}][{_ONES}][{UNIT_CHARS}]")
# What 一 counts: measure words, units, currencies, or the end of what is written.
_COUNTED = lazy_pattern(
    r"\Z|[^\u4e00-\u9fff]|[个個只隻对對双雙条條件份次年月日号號天周週期元圆圓块塊角毛分秒刻点點小时時星礼禮"
    r"季世美欧歐英日港台澳加韩韓人名位家所间間层層套台辆輛本张張页頁篇章节節款项項笔筆股手吨噸公千米里斤克两兩"
    r"升亩畝平立倍半成折度届屆级級种種类類批组組队隊班场場轮輪回遍根支枝把杯瓶盒箱袋包车車栋棟座处處注打]"
)
# Financial numerals are words as well ("land", "pick up"): alone they count only beside money.
_WORDY = frozenset("陆陸伍肆拾叁參柒捌玖仟佰贰貳弌")
_NAMES = lazy_pattern(r"四川|三亚|三亞|九江|七台河|一切|一直|一样|一樣|一些|一起|一定|一般")


def is_word(text: str, start: int, end: int) -> bool:
    """Whether a numeral of one sign is no number there but part of a word: 一看, 大陆, 四川."""
    numeral = text[start:end].strip()
    if len(numeral) != 1 or text.strip() == numeral:
        return False
    if _NAMES.match(text, start):
        return True
    if numeral == "一":
        return _COUNTED.match(text, start + 1) is None
    return numeral in _WORDY and text[start + 1 : start + 2] not in {"元", "圆", "圓", "角", "分"}


def _parse_decimal(whole: str, rest: str) -> Decimal | None:
    fraction = rest.rstrip(UNIT_CHARS)
    unit = Decimal(1)
    for char in rest[len(fraction) :]:
        unit *= _UNITS[char]
    head = _parse_sections(whole)
    if head is None or not fraction:
        return None
    if fraction.isascii() and fraction.isdigit():
        return (head + Decimal(f"0.{fraction}")) * unit
    if any(char not in _DIGITS for char in fraction):
        return None
    return (head + Decimal("0." + "".join(str(_DIGITS[char]) for char in fraction))) * unit


def _parse_sections(text: str) -> Decimal | None:
    units = [(index, _UNITS[char]) for index, char in enumerate(text) if char in _UNITS]
    if not units:
        return _parse_plain(text)
    text, stripped = text.lstrip("零〇"), len(text) - len(text.lstrip("零〇"))
    units = [(index - stripped, size) for index, size in units]  # 零十二, after a larger unit
    largest = max(size for _, size in units)
    cut = max(index for index, size in units if size == largest)
    left, right = text[:cut], text[cut + 1 :]
    head = _parse_sections(left) if left else Decimal(1)
    if head is None:
        return None
    if not right:
        return head * largest
    if len(right) == 1 and right in _DIGITS and largest >= 100:
        # 三百五 is 350: a last digit counts in the next unit down.
        return head * largest + _DIGITS[right] * largest // 10
    tail = _parse_sections(right)
    if tail is None or tail >= largest:
        return None
    return head * largest + tail


def _parse_plain(text: str) -> Decimal | None:
    if all(char in _DIGITS for char in text):
        return Decimal("".join(str(_DIGITS[char]) for char in text))
    stripped = text.lstrip("零〇○")
    if any(char in _DIGITS for char in stripped):
        return None
    values = parse_digits(stripped)
    return values[0] if len(values) == 1 else None
