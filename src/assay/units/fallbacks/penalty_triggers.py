"""What penalties are for, and the words that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Region

Trigger = Literal[
    "late_payment",
    "late_delivery",
    "breach_of_representations",
    "breach_of_confidentiality",
    "non_compete",
    "early_termination",
    "missed_minimum",
    "defects",
    "other_breach",
]
_PATTERNS: dict[Trigger, str] = {
    "late_payment": (
        r"\b(?:late|overdue|delay(?:ed)?\s+(?:in\s+)?)\s*payments?\b|\bfail\w*\s+to\s+pay\b"
        r"|\bnon-?payment\b|\b(?:unpaid|overdue)\b|\bpayment\b[^.;]{0,40}\b(?:late|overdue|default)\b"
        r"|逾期(?:付款|支付)|(?:未|不)(?:按[时期]|及时)?(?:付款|支付)|迟延付款"
    ),
    "late_delivery": (
        r"\b(?:late|delay(?:ed|s)?(?:\s+in)?)\s+(?:\w+\s+)?(?:deliver\w*|performance|completion)"
        r"|\bfail\w*\s+to\s+(?:deliver|complete)\b|\b(?:day|week|month)s?\s+of\s+delay\b"
        r"|\bdeliver\w*\b[^.;]{0,40}\b(?:late|delayed)\b"
        r"|逾期(?:交货|交付|完工|竣工|履行)|(?:未|不)(?:按[时期]|及时)?(?:交货|交付)|迟延交付"
    ),
    "breach_of_representations": (
        r"\b(?:breach|untrue|inaccura\w+|false)\b[^.;]{0,60}\b(?:representations?|warrant(?:y|ies))\b"
        r"|\brepresentations?\b[^.;]{0,60}\b(?:breach|untrue|inaccura\w+|false)\b"
        r"|违反[^。；]{0,12}(?:陈述|保证|声明)|(?:陈述|保证)[^。；]{0,10}(?:不实|虚假)"
    ),
    "breach_of_confidentiality": (
        r"\b(?:breach|violat\w+)\b[^.;]{0,60}\b(?:confiden\w+|secrecy|non-?disclosure)\b"
        r"|\bunauthori[sz]ed\s+disclosure\b|违反[^。；]{0,12}保密|泄露[^。；]{0,12}(?:秘密|信息)"
    ),
    "non_compete": (
        r"\b(?:breach|violat\w+)\b[^.;]{0,60}\b(?:non-?compet\w+|exclusiv\w+|non-?solicit\w+)\b"
        r"|违反[^。；]{0,12}(?:竞业|独家|排他)"
    ),
    "early_termination": (
        r"\bearly\s+terminat\w+|\bterminat\w+\b[^.;]{0,60}\b(?:before|prior\s+to)\b[^.;]{0,40}"
        r"\b(?:end|expir\w+|term)\b|提前(?:解除|终止|退租)|擅自解除"
    ),
    "missed_minimum": (
        r"\b(?:shortfall|fail\w*\s+to\s+(?:purchase|order|meet|reach)\b[^.;]{0,60}"
        r"\b(?:minimum|target|commitment))\b|(?:未达到?|低于)[^。；]{0,12}(?:最低|保底|采购量)"
    ),
    "defects": (
        r"\b(?:defective|non-?conforming)\b|\bservice\s+levels?\b|\bdefects?\b"
        r"|质量不合格|不符合[^。；]{0,10}(?:质量|约定)"
    ),
    "other_breach": (
        r"\b(?:breach(?:es)?|default|violat\w+)\b(?:\s+(?:of|under|by)\b[^.;,]{0,30})?"
        r"|违反本?(?:合同|协议)|违约(?!金|责任)"
    ),
}
_TRIGGERS = {kind: lazy_pattern(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}


def find_triggers(text: str, start: int, end: int) -> Iterator[tuple[Trigger, Region]]:
    """What a penalty is for, in the order of the labels; any breach only if nothing else is."""
    found = False
    for kind, pattern in _TRIGGERS.items():
        match = pattern.search(text, start, end)
        if match and not (found and kind == "other_breach"):
            found = True
            yield kind, match.span()


def show_trigger(label: Trigger, text: str, start: int, end: int) -> Region | None:
    """The words in a part of a text that say that a penalty is for this; None if none do."""
    match = _TRIGGERS[label].search(text, start, end)
    return match.span() if match else None
