"""A request for several things, cut where it says "and".

The head was trained on whole requests, few of them for more than one thing; each part of such a
request is one that it knows. Cutting is only a proposal: it counts if every part means something.
"""

from __future__ import annotations

import re

MAX_PARTS = 2
_JOINT = re.compile(
    r"\s*(?:[,;、，；+&/]|\b(?:and|plus|as well as)\b|以及|还有|并且|[和及与])\s*", re.IGNORECASE
)
_LEAST_CHARS = 2


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a request, two; none if it has no joint, or too many."""
    parts = tuple(part for part in _JOINT.split(text) if len(part.strip()) >= _LEAST_CHARS)
    return parts if 2 <= len(parts) <= MAX_PARTS else ()
