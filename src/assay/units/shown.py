"""Evidence for labels: where the document says what a model wrote and did not copy.

A label marked `ShownBy` is kept if words of the document speak for it: in an object, those of the
sentences from which its other leaves were copied; by itself, those of the whole document. Their
place becomes its evidence. A label that nothing speaks for is taken out and complained of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin

from assay.units.fallbacks.base import Region, Standing
from assay.units.fallbacks.sentences import sentence_at, sentence_spans
from assay.units.schemas import is_model, strip_optional, written_fields

#: Where in `text[start:end]` the words stand that speak for a label; None if none do.
Shows = Callable[[Any, str, int, int], Region | None]


@dataclass(frozen=True, slots=True)
class ShownBy:
    """Marks a label (`Literal` or `bool`) whose evidence `find` knows. Such a label is optional, or
    an item of a list, so that it can be taken out."""

    find: Shows


def whole_sentence(_label: Any, _text: str, start: int, end: int) -> Region:
    """The sentence itself speaks for the label: for verdicts on what was copied."""
    return start, end


@dataclass(slots=True)
class _Search:
    """What the labels of one answer are held against."""

    text: str
    standings: Sequence[Standing]
    found: list[Standing] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def regions(self, holder: str | None) -> Iterator[Region]:
        """The sentences in which the leaves of the object at a pointer stand, the last leaf's
        first: a clause's number stands before what it says. The whole text where there is no
        object."""
        if holder is None:
            yield 0, len(self.text)
            return
        spans = sentence_spans(self.text, 0, len(self.text))
        inside = [item for item in self.standings if item.pointer.startswith(f"{holder}/")]
        for item in sorted(inside, key=lambda item: -item.end):
            first = sentence_at(spans, item.start)
            last = sentence_at(spans, item.end - 1)
            if first and last:
                yield first[0], last[1]


def find_shown(
    annotation: Any, value: Any, standings: Sequence[Standing], document_text: str
) -> tuple[Any, tuple[Standing, ...], tuple[str, ...]]:
    """An answer without the labels that nothing speaks for, with the places of the others added to
    `standings`, and a complaint for each label taken out."""
    search = _Search(document_text, standings)
    value = _keep(annotation, value, "", None, search)
    return value, (*standings, *search.found), tuple(search.complaints)


def _keep(annotation: Any, value: Any, pointer: str, holder: str | None, search: _Search) -> Any:
    annotation, _ = strip_optional(annotation)
    if value is None:
        return None
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        for mark in marks:
            if isinstance(mark, ShownBy):
                return _shown(mark, value, pointer, holder, search)
        return _keep(inner, value, pointer, holder, search)
    if get_origin(annotation) is list:
        item_type = get_args(annotation)[0]
        kept: list[Any] = []
        for index, item in enumerate(value):
            # An item taken out moves up those behind it; objects are never taken out.
            item = _keep(item_type, item, f"{pointer}/{len(kept)}", holder, search)
            if item is not None or value[index] is None:
                kept.append(item)
        return kept
    if is_model(annotation):
        return {
            name: _keep(item, value.get(name), f"{pointer}/{name}", pointer, search)
            for name, item in written_fields(annotation).items()
        }
    return value


def _shown(mark: ShownBy, label: Any, pointer: str, holder: str | None, search: _Search) -> Any:
    for start, end in search.regions(holder):
        if span := mark.find(label, search.text, start, end):
            search.found.append(Standing(pointer, *span))
            return label
    search.complaints.append(f"nothing shows that {pointer or 'the answer'} is {label!r}")
    return None
