"""How the force of a sentence meets that of a statement: what one denies, allows, requires or
limits and the other does not.

Of a long sentence only the words around those that the statement shares are looked at, since what
it says of other things ("without notice", "may assign") is no answer to the statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_words import content_words

_FORCES = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        # denies
        r"\b(?:shall|will|must|may|can|do|does|agrees?|is|are) not\b|\bno\b|\bnever\b|\bneither\b"
        r"|\bnor\b|\bprohibit\w*|\bwithout\b|\brefrain|\bcannot\b|不|未|无|禁止",
        # allows
        r"\bmay\b|\bentitled\b|\bpermitted\b|\bright to\b|\bfree to\b|\ballowed\b|\bcan\b"
        r"|可以|有权",
        # requires
        r"\bshall\b|\bmust\b|\bagrees? to\b|\brequired\b|\bwill\b|应当|必须|须",
        # limits
        r"\bonly\b|\bsolely\b|\bexclusively\b|仅|只",
        # means all
        r"\ball\b|\bany and all\b|\bevery\b|\beach\b|所有|全部|一切",
        # widens
        r"\binclud(?:e|es|ing)\b|\bwhether or not\b|\bregardless\b|\bany\b|\bor otherwise\b"
        r"|\bnot limited to\b|\bwithout limitation\b|包括|任何",
        # excepts
        r"\bexcept\b|\bunless\b|\bother than\b|\bprovided\b|\bto the extent\b|\bprior written\b"
        r"|\bneed to know\b|\bexcluding\b|除非|除外",
    )
)
#: So many words of a sentence are looked at: those where most of the statement's words are.
_WINDOW = 28
NUM_CONFLICTS = 15
NUM_FORCES = len(_FORCES)


def forces_of(text: str) -> list[float]:
    """Whether a text denies, allows, requires, limits, means all, widens, excepts: 1 or 0 each."""
    return [float(pattern.search(text) is not None) for pattern in _FORCES]


def conflicts_of(statement: str, sentences: Sequence[str]) -> NDArray[np.float64]:
    """In how many of the sentences each force meets each of the statement's, (NUM_CONFLICTS,)."""
    forces = forces_of(statement)
    asked = set(content_words(statement))
    met = [_meeting(forces, forces_of(_window(sentence, asked))) for sentence in sentences]
    return np.array(met).sum(axis=0) if met else np.zeros(NUM_CONFLICTS)


def _meeting(statement: Sequence[float], sentence: Sequence[float]) -> list[float]:
    denies, allows, _, limits, all_of, _, _ = statement
    denied, allowed, _, limited, of_all, widened, excepted = sentence
    bounds = max(limits, all_of)
    return [
        allows * denied,
        allows * denied * (1 - excepted),
        allows * of_all * (1 - excepted),
        allows * excepted,
        allows * allowed,
        limits * widened,
        all_of * widened,
        bounds * widened * (1 - limited),
        bounds * limited,
        denies * allowed * (1 - denied),
        denies * denied,
        denies * (1 - denied),
        (1 - denies) * (1 - allows) * denied,
        excepted,
        widened,
    ]


def _window(sentence: str, asked: set[str]) -> str:
    """The run of words that holds most of the words asked; all of a short sentence."""
    words = sentence.split()
    if len(words) <= _WINDOW:
        return sentence
    hits = np.array([not asked.isdisjoint(content_words(word)) for word in words], np.float64)
    first = int(np.convolve(hits, np.ones(_WINDOW), mode="valid").argmax())
    return " ".join(words[first : first + _WINDOW])
