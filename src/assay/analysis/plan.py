"""The plan of an analysis: one task per unit, and what each of its fields gets to see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from assay.analysis.absence import Absence
from assay.analysis.abstention import shipped_abstention
from assay.analysis.confidence import absence_confidence_of
from assay.analysis.needed import find_needed
from assay.backends.base import Backend
from assay.documents import Document, Segment, segment_document
from assay.routing import RelevanceIndex, Share, score_shares, select_segments
from assay.terms import TenantTerms
from assay.types import GenerationRequest
from assay.units import Task, UnitField
from assay.units.answer import Signals
from assay.units.excerpt import Excerpt, Reading, read_passages
from assay.units.machine import FieldTask
from assay.units.question import NO_ARGUMENTS

_CJK = re.compile(r"[一-鿿]")
#: A document counts as Chinese when this share of its characters are Chinese.
CHINESE_SHARE = 0.2
#: Segments that are prepared together: more might not fit the positions of a small model.
_PREPARED_TOGETHER = 8


@dataclass(frozen=True)
class Plan:
    """A document cut and indexed once, and the tasks to run on it; `needed` are those that nobody
    asked for, whose results others are computed from, by unit.

    `cache_salt` separates what is computed for one tenant from what is for others. A plan that
    `reads_whole` shows every question the whole document; what may be copied is the same. By a
    tenant's `terms` the words that questions look for are known by their other names as well; a
    model is told where they stand if they are to be merged. `min_precision` is how often the
    answers given have to be right (None: however often they are), `margins` by how much a request
    in words meant a unit rather than another, by its name.
    """

    document: Document
    segments: tuple[Segment, ...]
    tasks: tuple[Task, ...]
    cache_salt: str = ""
    reads_whole: bool = False
    needed: tuple[Task, ...] = ()
    terms: TenantTerms | None = None
    min_precision: float | None = None
    margins: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def reading(self) -> Reading:
        """The document as models get to see it."""
        regions = ((item.start, item.end, item.boundaries) for item in self.segments)
        merges = self.terms is not None and self.terms.merges
        return read_passages(self.document.text, regions, self._find_terms if merges else None)

    def _find_terms(self, text: str) -> Iterator[tuple[int, int]]:
        assert self.terms is not None
        return ((match.start, match.end) for match in self.terms.glossary.find(text))

    @cached_property
    def index(self) -> RelevanceIndex:
        return RelevanceIndex.build(passage.text for passage in self.reading.passages)

    @cached_property
    def quality(self) -> float:
        """How sure OCR was of the document, on average over its characters; 1 if it is no scan."""
        clear = self.document.char_quality
        if clear is None or np.isnan(clear).all():
            return 1.0
        return float(np.nanmean(clear))

    @cached_property
    def is_chinese(self) -> bool:
        text = self.document.text
        return len(_CJK.findall(text)) > CHINESE_SHARE * len(text)

    def excerpt_for(
        self, unit_field: UnitField, arguments: Mapping[str, Any] = NO_ARGUMENTS
    ) -> tuple[Excerpt, float]:
        """The segments that a field's question needs, as an excerpt, and the best one's score."""
        question = unit_field.question
        chosen = select_segments(
            self.index,
            self._keywords(unit_field, arguments),
            num_segments=question.num_segments,
            head=question.head,
            tail=question.tail,
        )
        best = chosen[0].score if chosen else 0.0
        return self.reading.excerpt(item.index for item in chosen), best

    def shares_for(self, unit_field: UnitField, arguments: Mapping[str, Any]) -> list[list[Share]]:
        """For each segment, what makes it relevant to a field's question."""
        question = unit_field.question
        shares: list[list[Share]] = [[] for _ in self.reading.passages]
        for share in score_shares(
            self.index,
            self._keywords(unit_field, arguments),
            head=question.head,
            tail=question.tail,
        ):
            shares[share.index].append(share)
        return shares

    def _keywords(self, unit_field: UnitField, arguments: Mapping[str, Any]) -> Mapping[str, float]:
        keywords = unit_field.question.keywords_for(arguments)
        return keywords if self.terms is None else self.terms.glossary.widen(keywords)

    def field_task(
        self,
        task: Task,
        unit_field: UnitField,
        backend: Backend,
        confidence: Callable[[Signals], float],
    ) -> FieldTask:
        """The part of a task that answers one field."""
        excerpt, relevance = self.excerpt_for(unit_field, task.arguments)
        return FieldTask(
            task.unit,
            unit_field,
            self.document.text,
            excerpt,
            relevance,
            self.is_chinese,
            backend,
            confidence,
            self.cache_salt,
            self.reading.excerpt(range(len(self.reading.passages))) if self.reads_whole else None,
            task.arguments,
            task.chain or task.unit.chain,
            self.document.quality_of,
            self.quality,
            route_margin=self.margins.get(task.unit.name, 0.0),
            min_confidence=self.min_confidence(unit_field.family),
            absence=_absence_confidence,
        )

    def min_confidence(self, family: str) -> float:
        """What an answer of a field needs to be given.

        Raises:
            PrecisionUnreachableError: no answer of any field is sure enough.
        """
        if self.min_precision is None:
            return 0.0
        return shipped_abstention().confidence_for(self.min_precision, family)

    def preparations(self) -> list[GenerationRequest]:
        """What has a back end read the whole document, once for all units that begin alike."""
        units = [task.unit for task in (*self.tasks, *self.needed) if task.unit.fields]
        openings = {unit.opening: unit for unit in units}
        numbers = range(len(self.reading.passages))
        groups = [numbers[i : i + _PREPARED_TOGETHER] for i in numbers[::_PREPARED_TOGETHER]]
        return [
            unit.preparation(self.reading.excerpt(group), self.cache_salt)
            for unit in openings.values()
            for group in groups
        ]


def _absence_confidence(family: str, turned_down: float | None, num_silent: int) -> float:
    return absence_confidence_of(Absence(family, turned_down, num_silent))


def make_plan(
    document: Document,
    tasks: Sequence[Task],
    tenant: str = "",
    terms: TenantTerms | None = None,
) -> Plan:
    """Cuts the document and sets out what is to be done.

    Raises:
        UnitDeclarationError: a unit is computed from one that is not there, that must be given
            arguments, or that needs it in turn.
    """
    needed = find_needed([task.unit for task in tasks])
    return Plan(
        document,
        segment_document(document),
        tuple(tasks),
        cache_salt_of(tenant),
        needed=tuple(Task(unit) for unit in needed),
        terms=terms,
    )


def cache_salt_of(tenant: str) -> str:
    """The salt of all that is computed for a tenant; the same in every process."""
    if not tenant:
        return ""
    return blake2b(tenant.encode(), digest_size=16, person=b"assay-tenant").hexdigest()
