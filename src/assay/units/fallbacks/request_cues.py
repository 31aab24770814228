"""What in a sentence of e-mail asks, orders, offers or proposes: cues beside its words.

Speech acts of e-mail are known by their mood and their modal verbs more than by their topic
(Cohen, Carvalho and Mitchell, "Learning to classify email into speech acts", EMNLP 2004). A cue is
1 or 0. Training and reading share this file; the weights mean nothing with other cues. English.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from assay.patterns import lazy_pattern

#: Verbs that open an order. A noun of the same form ("call", "report") stands there seldom.
_VERB_LIST = """
    add advise allow answer arrange ask attach be book bring buy call cancel cc change check
    choose click come complete confirm consider contact copy create delete deliver discuss don't
    do download draft email enjoy ensure enter explain feel fax file fill find finish fix follow
    forward get give go handle have help hold include inform join keep leave let look mail make
    meet move note open order pass pay pick place plan post prepare print provide put read
    remember remind remove reply reschedule respond return review ring save schedule see sell
    send set share show sign speak start stay stop submit take talk tell test thank try turn
    update use verify visit wait watch work write
"""
_VERBS = frozenset(_VERB_LIST.split())
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|tonight|noon"
_PATTERNS = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        # asks outright
        r"\bplease\b|\bpl[sz]\b",
        r"^\W*(?:\w+\W+){0,3}please\b",
        r"\b(?:could|can|would|will) (?:you|u|someone|somebody|anyone)\b",
        r"\blet \w+ know\b",
        r"\b(?:need|want|like|ask|asking|asked|expect) (?:you|u|that you)\b",
        r"\b(?:be|am|are) (?:grateful|glad|happy) if\b|\bappreciate\b",
        # asks a question
        r"\?",
        r"\?\W*$",
        r"^\W*(?:who|what|when|where|why|how|which|do|does|did|is|are|was|were|have|has|any)\b",
        # proposes, or speaks for both
        r"\blet'?s\b|\bshall we\b|\bwhy don'?t\b|\b(?:how|what) about\b",
        r"\bwe (?:should|need to|must|have to|can|could)\b",
        r"\b(?:i|we)(?:'ll| will| shall| would| can)\b",
        r"\bwould (?:be|like|love)\b",
        r"\bif you\b",
        # who it speaks of
        r"\byou\b|\byour\b|\bu\b",
        r"^\W*(?:i|we)\b",
        r"^\W*(?:he|she|they|it|the|this|that|there|these|those)\b",
        # what is needed, of whomever
        r"\b(?:should|must|needs? to|ha(?:ve|s) to)\b",
        r"\bnot\b|n't\b|\bnever\b",
        # what is to be done, and when
        r"\bmeet(?:ing)?\b|\blunch\b|\bdinner\b|\bconference\b|\bcall\b",
        rf"\b(?:{_DAYS}|am|pm)\b",
        r"\bavailable\b|\bfree\b",
        r"\bthanks\b|\bthank you\b",
        r"\d",
        # what is written to nobody in particular
        r"[$%]|\bhttp|\bwww\b",
    )
)
_OPENING = lazy_pattern(r"^\W*([a-z']+)", re.IGNORECASE)
_AFTER_MARK = lazy_pattern(
    r"(?:[,:;.!–—-]\s*|\b(?:please|and|then|kindly|just|also)\s+)([a-z']+)", re.IGNORECASE
)
_LONG = 60
#: How many numbers `request_cues` gives.
NUM_CUES = len(_PATTERNS) + 3


def request_cues(text: str) -> NDArray[np.float32]:
    """The cues of a sentence, (NUM_CUES,), from 0 to 1; the last is its length in words."""
    text = text.replace("’", "'")
    opening = _OPENING.match(text)
    plain = [float(pattern.search(text) is not None) for pattern in _PATTERNS]
    orders = float(opening is not None and opening[1].lower() in _VERBS)
    orders_later = float(any(word.lower() in _VERBS for word in _AFTER_MARK.findall(text)))
    length = min(len(text.split()), _LONG) / _LONG
    return np.array([*plain, orders, orders_later, length], np.float32)
