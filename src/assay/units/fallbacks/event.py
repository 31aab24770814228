"""Which words of a Chinese legal text tell of an event: by a list of words for each event, the most
telling first (`event_words.json`, the project's own). An event that the list does not have is
looked for by its own name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing

_BETWEEN_NAMES = lazy_pattern("[/、]")


@dataclass(frozen=True, slots=True)
class EventFallback:
    """Finds one word for each of the argument `events`, where it stands first. `score` is a guess:
    the list was written while looking at some of the sentences that it could be measured on."""

    path: AnswerPath = AnswerPath.HEURISTIC
    score: float = 0.6

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        spans: dict[tuple[int, int], None] = {}
        for event in arguments["events"]:
            for word in _words_of(event):
                start = document_text.find(word)
                if start >= 0 and not any(a < start + len(word) and start < b for a, b in spans):
                    spans[start, start + len(word)] = None
                    break
        if not spans:
            return None
        ordered = sorted(spans)
        standings = [Standing(f"/{number}", *span) for number, span in enumerate(ordered)]
        return Draft(
            [document_text[start:end] for start, end in ordered], tuple(standings), self.score
        )


def _words_of(event: str) -> Sequence[str]:
    return _event_words().get(event) or [word for word in _BETWEEN_NAMES.split(event) if word]


@cache
def _event_words() -> Mapping[str, Sequence[str]]:
    text = resources.files("assay.units.fallbacks").joinpath("event_words.json").read_text("utf-8")
    words: dict[str, list[str]] = json.loads(text)
    return words
