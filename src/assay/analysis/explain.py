"""Why a unit reads what it reads of a document, and what a KV cache had of it.

The questions are really asked, through the same machine as in an analysis; what is told besides is
looked up or reported, not worked out a second way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from assay.analysis.confidence import confidence_of
from assay.analysis.plan import Plan
from assay.analysis.run import run_field
from assay.backends.base import Backend, BackendInfo
from assay.documents import Document
from assay.errors import UnknownFieldError
from assay.reports import CacheReport, TokenSources
from assay.routing import Descriptor
from assay.types import SEGMENT_SEPARATOR, FieldResult
from assay.units import Unit, UnitField
from assay.units.machine import FieldRun
from assay.units.sources import make_offer


class Reason(StrEnum):
    """Why a segment is read, or is not."""

    CHOSEN = "chosen"
    NEIGHBOUR = "neighbour"
    UNCHOSEN = "read with all"
    NOTHING_TO_COPY = "nothing to copy"
    OUTRANKED = "outranked"
    IRRELEVANT = "irrelevant"


IS_READ = frozenset({Reason.CHOSEN, Reason.NEIGHBOUR, Reason.UNCHOSEN})


@dataclass(frozen=True, slots=True)
class SegmentPlace:
    """Segment `number` of a document: where it stands, code points, end exclusive; its page, its
    length in tokens, and what it is about, as the router reads it."""

    number: int
    start: int
    end: int
    page: int | None
    num_tokens: int
    descriptor: Descriptor = field(default_factory=Descriptor)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "descriptor": self.descriptor.as_json()}


@dataclass(frozen=True, slots=True)
class SegmentUse:
    """What one question makes of a segment: how relevant it is, for which words, the heaviest
    first, and what of it is read. What shares blocks with a segment chosen is read so far.

    `sources` are None where nothing of it is read, or where it is not known.
    """

    number: int
    score: float
    words: tuple[tuple[str, float], ...]
    reason: Reason
    sources: TokenSources | None = None


@dataclass(frozen=True, slots=True)
class FieldExplanation:
    """One field: its question, each segment's part in it, what was answered and what it cost.

    `cache` is None where the model was not asked, since there was nothing to copy, or failed, or is
    served without a KV cache. `num_left_out` tokens of the document are not in the prompt: a dense
    cache would hold them as well, and each query would attend to them.
    """

    name: str
    question: str
    segments: tuple[SegmentUse, ...]
    result: FieldResult
    cache: CacheReport | None
    num_left_out: int = 0

    @property
    def num_dense_tokens(self) -> int:
        return self.cache.num_tokens + self.num_left_out if self.cache else 0

    @property
    def num_dense_pairs(self) -> int:
        """The pairs of dense attention, had the same queries come behind the whole document."""
        cache = self.cache
        if cache is None:
            return 0
        num_unseen = max(0, self.num_left_out - cache.num_skipped)
        return cache.num_dense_pairs + cache.num_queries * cache.num_heads * num_unseen

    @property
    def kept_share(self) -> float:
        """The pairs held at the end, of those of a dense cache of the whole document: also the
        share of its bytes."""
        cache = self.cache
        if cache is None:
            return 0.0
        num_kept: float = cache.num_tokens
        if cache.kept:
            counts = [count for layer in cache.kept for count in layer]
            num_kept += sum(counts) / len(counts) - cache.num_windowed_tokens
        return num_kept / self.num_dense_tokens

    @property
    def attended_share(self) -> float:
        """The pairs attended, of those of dense attention: also the share of its operations."""
        return self.cache.num_attended_pairs / self.num_dense_pairs if self.cache else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "result": {"value": self.result.value, **self.result.as_json()},
            "cache": None if self.cache is None else asdict(self.cache),
            "num_dense_tokens": self.num_dense_tokens,
            "num_dense_pairs": self.num_dense_pairs,
            "kept_share": round(self.kept_share, 4),
            "attended_share": round(self.attended_share, 4),
            "segments": [
                {
                    "number": use.number,
                    "score": round(use.score, 3),
                    "words": {word: round(amount, 3) for word, amount in use.words},
                    "reason": use.reason.value,
                    "sources": None if use.sources is None else asdict(use.sources),
                }
                for use in self.segments
            ],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A unit on a document. `rounds` are the same questions, asked again: by field name."""

    document: Document
    unit: str
    segments: tuple[SegmentPlace, ...]
    rounds: tuple[Mapping[str, FieldExplanation], ...]
    backend: BackendInfo

    @property
    def num_document_tokens(self) -> int:
        return sum(segment.num_tokens for segment in self.segments)

    def as_json(self) -> dict[str, Any]:
        """The object that `assay explain --json` prints."""
        return {
            "document": {
                "name": self.document.name,
                "num_chars": self.document.num_chars,
                "num_pages": self.document.num_pages,
                "num_tokens": self.num_document_tokens,
                "segments": [segment.as_json() for segment in self.segments],
            },
            "unit": self.unit,
            "rounds": [
                {name: item.as_json() for name, item in fields.items()} for fields in self.rounds
            ],
        }


def choose_fields(unit: Unit, names: Sequence[str]) -> list[UnitField]:
    """The unit's fields of these names, or all of them if there are none.

    Raises:
        UnknownFieldError: the unit has none of that name.
    """
    for name in names:
        if name not in unit.fields:
            known = ", ".join(unit.fields)
            raise UnknownFieldError(f"{unit.name} has no field {name!r}", remedy=f"known: {known}")
    return [unit.fields[name] for name in dict.fromkeys(names or unit.fields)]


async def explain_plan(
    plan: Plan, fields: Sequence[UnitField], backend: Backend, num_rounds: int = 1
) -> Explanation:
    """Asks `fields` of the plan's one unit side by side, `num_rounds` times, one after another."""
    (task,) = plan.tasks
    passages = plan.reading.passages
    lengths = await asyncio.to_thread(
        lambda: [backend.count_tokens(item.text + SEGMENT_SEPARATOR) for item in passages]
    )
    from assay.routing import load_router

    router = await asyncio.to_thread(load_router)
    places = []
    for number, (passage, length) in enumerate(zip(passages, lengths, strict=True)):
        start, end = passage.span_in_document(0, len(passage.text))
        page = plan.document.page_at(start)
        about = await asyncio.to_thread(router.describe, passage.text)
        places.append(SegmentPlace(number, start, end, page, length, about))
    rounds = []
    for _ in range(num_rounds):
        ended = await asyncio.gather(
            *(run_field(plan, task, item, backend, confidence_of) for item in fields)
        )
        rounds.append(
            {run.task.field.name: _explain_run(plan, run, result, lengths) for run, result in ended}
        )
    return Explanation(plan.document, task.name, tuple(places), tuple(rounds), backend.info)


def _explain_run(
    plan: Plan, run: FieldRun, result: FieldResult, lengths: Sequence[int]
) -> FieldExplanation:
    unit_field, excerpt, cache = run.task.field, run.task.excerpt, run.cache
    offer = make_offer(unit_field, excerpt)
    read = set(offer.excerpt.numbers if offer.sources else ())
    sources = dict(cache.segments) if cache else {}
    uses = []
    for number, shares in enumerate(plan.shares_for(unit_field, run.task.arguments)):
        score = sum(share.amount for share in shares)
        if number in read:
            reason = Reason.CHOSEN
        elif number in excerpt.numbers:
            reason = Reason.NOTHING_TO_COPY
        elif plan.reads_whole and read:
            reason = Reason.UNCHOSEN
        elif number in sources:
            reason = Reason.NEIGHBOUR
        else:
            reason = Reason.OUTRANKED if score > 0 else Reason.IRRELEVANT
        ordered = sorted(shares, key=lambda share: -share.amount)
        words = tuple((share.reason, share.amount) for share in ordered)
        uses.append(SegmentUse(number, score, words, reason, sources.get(number)))
    num_read = sum(item.num_tokens for item in sources.values())
    return FieldExplanation(
        unit_field.name,
        unit_field.question.asked(run.task.arguments, chinese=False),
        tuple(uses),
        result,
        cache,
        sum(lengths) - num_read,
    )
