"""What a tagger sees of each character of a Chinese judgment: its neighbours, the kind of figure or
name it stands in, and the last cue word before it.

Training and reading share this file; the weights mean nothing with other features.
"""

from __future__ import annotations

import re

from assay.patterns import lazy_pattern

_PATTERNS: dict[str, re.Pattern[str]] = {
    "money": lazy_pattern(
        r"(?:现金)?(?:共计|合计)?(?:人民币|价值)?[为约计]?(?:人民币)?"
        r"\d[\d,，.]{0,15}余?多?万?余?元(?:人民币)?"
    ),
    "date": lazy_pattern(
        r"\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?(?:\d{1,2}[时点](?:\d{1,2}分)?)?"
        r"(?:许|左右|凌晨|晚上?|夜)?|同年|同月|次日|当日"
    ),
    "name": lazy_pattern(r"[\u4e00-\u9fff]某[某甲乙丙丁戊己庚\d]?|[\u4e00-\u9fff][XxＸ×]{1,2}"),
    "quantity": lazy_pattern(
        r"[\d一二三四五六七八九十两几数余多]{1,8}"
        r"(?:[个台辆部只条根箱袋瓶包块枚件套组米斤公吨升张把支双])"
    ),
    "body": lazy_pattern(r"公安|派出所|认证中心|认定中心|法院|检察院|公司|超市|分局|厂"),
}
_CUES = lazy_pattern(
    "被告人|被害人|受害人|民警|证人|嫌疑人|同案|伙同|价值|盗走|窃得|盗窃|窃取|被盗|销赃|得款|获利|使用"
    "|驾驶|携带|现金|来到|至|到|在|将|经|鉴定"
)
_REACH = 10


def theft_features(text: str) -> list[list[str]]:
    """The features of each character of `text`, in order."""
    marks = {name: _marks(text, pattern) for name, pattern in _PATTERNS.items()}
    cues = _cues(text)
    together = ["/".join(marks[name][at] for name in marks) for at in range(len(text))]
    plain = ["9" if char.isdigit() else char for char in text]
    found = []
    for at in range(len(text)):
        seen = ["b"]
        for step in range(-4, 5):
            near = at + step
            if not 0 <= near < len(text):
                seen.append(f"c{step}=^")
                continue
            if abs(step) <= 3:
                seen.append(f"c{step}={plain[near]}")
                if near + 1 < len(text):
                    seen.append(f"g{step}={plain[near]}{text[near + 1]}")
            if abs(step) <= 1:
                seen.append(f"t{step}={together[near]}")
        if 0 < at < len(text) - 1:
            seen.append("cc=" + "".join(map(_kind, text[at - 1 : at + 2])))
        if at >= 2:
            seen.append("p3=" + text[max(0, at - 3) : at])
        seen += ["n3=" + text[at + 1 : at + 4], "pre=" + cues[at]]
        seen += [f"{name}={marks[name][at]}{cues[at]}" for name in marks]
        found.append(seen)
    return found


def _marks(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern begins, goes on, ends, and is not."""
    marks = ["O"] * len(text)
    for match in pattern.finditer(text):
        start, end = match.span()
        marks[start:end] = ["I"] * (end - start)
        marks[end - 1] = "E"
        marks[start] = "B"
    return marks


def _cues(text: str) -> list[str]:
    """The last cue word within reach before each character."""
    cues = ["-"] * len(text)
    for match in _CUES.finditer(text):
        until = min(len(text), match.end() + _REACH)
        cues[match.end() : until] = [match[0]] * (until - match.end())
    return cues


def _kind(char: str) -> str:
    if char.isdigit():
        return "9"
    if char.isascii() and char.isalpha():
        return "a"
    return "h" if "\u4e00" <= char <= "\u9fff" else char
