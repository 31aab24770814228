"""An answer on its way to a result: the value, where each leaf stands, and the signals of trust."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args, get_origin

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Draft, Standing
from assay.units.schemas import is_model, strip_optional, written_fields


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of an answer's worth, before it is turned into one number.

    Of a model: `probability` is its own, of the value among all legal values, over `num_decided`
    tokens that were no foregone conclusion; `margin` is the least lead of one of these over the
    next best, `entropy` (nats) the mean of their choices. Of a fallback: `score` is its measured
    precision.

    `agreement` is the share of paths, among the others that answered, that say the same;
    `num_silent` counts the fallbacks that ran and found nothing. `num_complaints` and `num_passed`
    count the checks that the value failed and passed. `quality` is how sure OCR was of the least
    sure character of the quotations, `document_quality` of the document's on average, 1 where
    nothing was read off a picture. `route_margin` is the lead of the unit over the next that was
    not chosen, where a request in words chose it; 0 where a caller named it. `language` is the
    document's: "zh" or "en".
    """

    path: AnswerPath
    family: str
    probability: float = 1.0
    margin: float = 1.0
    entropy: float = 0.0
    num_decided: int = 1
    score: float = 0.0
    relevance: float = 0.0
    agreement: float | None = None
    num_silent: int = 0
    num_complaints: int = 0
    num_passed: int = 0
    num_occurrences: int = 1
    quality: float = 1.0
    document_quality: float = 1.0
    route_margin: float = 0.0
    language: str = "en"


@dataclass(slots=True)
class Answer:
    """One path's answer to one field; `value` is None when the path says that there is none."""

    value: Any
    standings: tuple[Standing, ...]
    signals: Signals
    complaints: tuple[str, ...] = ()
    candidates: tuple[Any, ...] = ()
    confidence: float = field(default=0.0)

    def overlaps(self, other: Answer) -> bool:
        """Whether two answers point at common text, leaf by leaf or anywhere if they differ."""
        return any(
            mine.start < theirs.end and theirs.start < mine.end
            for mine in self.standings
            for theirs in other.standings
        )


def beside(answer: Answer, answers: Iterable[Answer], num_silent: int) -> Signals:
    """The signals of an answer in the light of all `answers` that were given, by any path, and of
    how many fallbacks found nothing."""
    path = answer.signals.path
    others = [other for other in answers if other.signals.path is not path]
    agreement = sum(answer.overlaps(other) for other in others) / len(others) if others else None
    return replace(answer.signals, agreement=agreement, num_silent=num_silent)


def from_candidates(
    annotation: Any, candidates: Sequence[Candidate], document_text: str, *, max_found: int
) -> Draft:
    """Writes a fallback's candidates as a model would have written the answer.

    A list takes up to `max_found` candidates in document order, a single value the best one. In an
    object the first field that has neither part nor label takes the candidate's span. The score is
    the mean of the candidates used.
    """
    annotation, _ = strip_optional(annotation)
    standings: list[Standing] = []
    if get_origin(annotation) is list:
        chosen = sorted(candidates[:max_found], key=lambda item: item.start)
        item_type = get_args(annotation)[0]
        value: Any = [
            _write(item_type, item, document_text, f"/{index}", standings)
            for index, item in enumerate(chosen)
        ]
    else:
        chosen = list(candidates[:1])
        value = _write(annotation, chosen[0], document_text, "", standings)
    return Draft(value, tuple(standings), sum(item.score for item in chosen) / len(chosen))


def _write(
    annotation: Any, candidate: Candidate, text: str, pointer: str, standings: list[Standing]
) -> Any:
    annotation, _ = strip_optional(annotation)
    if not is_model(annotation):
        standings.append(Standing(pointer, candidate.start, candidate.end))
        return candidate.labels.get("", text[candidate.start : candidate.end])
    spans: dict[str, tuple[int, int]] = dict(candidate.parts)
    names = [name for name in written_fields(annotation) if name not in candidate.labels]
    whole = next((name for name in names if name not in spans), None)
    if whole is not None:
        spans[whole] = (candidate.start, candidate.end)
    written: dict[str, Any] = {}
    for name in written_fields(annotation):
        label = candidate.labels.get(name)
        span = spans.get(name) or ((candidate.start, candidate.end) if label is not None else None)
        written[name] = label if span is None or label is not None else text[span[0] : span[1]]
        if span:
            standings.append(Standing(f"{pointer}/{name}", *span))
    return written
