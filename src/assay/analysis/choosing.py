"""Which units run: those named, those that a request in words means, or those that suit a document
of which nobody has said what to ask."""

from __future__ import annotations

from collections.abc import Sequence

from assay.documents import Document
from assay.routing import match_triggers
from assay.terms import Glossary
from assay.units import Task, Unit, all_units, get_unit
from assay.units.answer import from_candidates
from assay.units.fallbacks.base import DraftFallback
from assay.units.unit import ANY_KIND

#: The unit that tells kinds of document apart, and its field.
CLASSIFIER = ("classify_document", "kind")
UnitSource = str | Unit | Task


def choose_tasks(
    units: Sequence[UnitSource], ask: str | None = None, glossary: Glossary | None = None
) -> tuple[Task, ...]:
    """What is meant by names, declarations or tasks, and by a request in words; each once. By a
    `glossary` the words of a request mean what its terms do.

    Raises:
        UnknownUnitError: a name is not in the catalogue.
        UnitArgumentError: a unit that is only named must be given arguments.
        NoMatchingUnitError: the request fits no unit.
    """
    chosen = [_as_task(item) for item in units]
    if ask is not None:
        if glossary is not None:
            ask = glossary.explain(ask)
        names = match_triggers(ask, {unit.name: unit.triggers for unit in _askable()})
        chosen.extend(Task(get_unit(name)) for name in names)
    return tuple({task.name: task for task in chosen}.values())


def _as_task(item: UnitSource) -> Task:
    if isinstance(item, Task):
        return item
    return Task(get_unit(item) if isinstance(item, str) else item)


def every_task() -> tuple[Task, ...]:
    """All units that need no arguments."""
    return tuple(map(Task, _askable()))


def _askable() -> list[Unit]:
    """The units that can be run without a word more."""
    return [unit for unit in all_units() if not unit.required_arguments]


def suiting_tasks(document: Document) -> tuple[Task, ...]:
    """The unit that says of which kind the document is, and those that suit that kind; of a kind
    that no unit suits, those that suit any."""
    kind = kind_of(document.text)
    names = {unit.name for unit in all_units() if kind in unit.suits}
    names = names or {unit.name for unit in all_units() if ANY_KIND in unit.suits}
    return tuple(Task(get_unit(name)) for name in (CLASSIFIER[0], *sorted(names)))


def kind_of(text: str) -> str:
    """The kind of document, by rules; `ANY_KIND` where they do not tell."""
    name, field = CLASSIFIER
    asked = get_unit(name).fields[field]
    for fallback in asked.question.fallbacks:
        if isinstance(fallback, DraftFallback):
            continue
        if candidates := fallback.find(text):
            draft = from_candidates(asked.annotation, candidates, text, max_found=1)
            return str(draft.value)
    return ANY_KIND
