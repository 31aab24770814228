"""Which units run: those named, those that a request in words was routed to, or those that suit a
document of which nobody has said what to ask."""

from __future__ import annotations

from collections.abc import Sequence

from assay.documents import Document
from assay.errors import NoMatchingUnitError
from assay.routing import Route
from assay.units import Task, Unit, all_units, get_unit
from assay.units.answer import from_candidates
from assay.units.fallbacks.base import DraftFallback
from assay.units.unit import ANY_KIND

#: The unit that tells kinds of document apart, and its field.
CLASSIFIER = ("classify_document", "kind")
UnitSource = str | Unit | Task


def choose_tasks(units: Sequence[UnitSource], route: Route | None = None) -> tuple[Task, ...]:
    """What is meant by names, declarations or tasks, and by where a request was routed to; each
    once. A task that is given stands for the unit of a route.

    Raises:
        UnknownUnitError: a name is not in the catalogue.
        UnitArgumentError: a unit that is only named, or routed to, must be given arguments.
        NoMatchingUnitError: the request was refused.
    """
    chosen = [_as_task(item) for item in units]
    if route is not None:
        given = {task.unit.name for task in chosen}
        chosen += [Task(get_unit(name)) for name in routed_units(route) if name not in given]
    return tuple({task.name: task for task in chosen}.values())


def routed_units(route: Route) -> tuple[str, ...]:
    """The names of the units that a request means.

    Raises:
        NoMatchingUnitError: it means none, or is refused by a rule; the remedy names the nearest.
    """
    if not route.is_refused:
        return route.unit_names
    if route.rule is not None:
        raise NoMatchingUnitError(
            f"{route.text!r} is refused by the rule {route.rule.name!r}: {route.rule.reason}",
            remedy="ask for something else, or name a unit",
        )
    nearest = ", ".join(route.nearest())
    raise NoMatchingUnitError(
        f"no unit answers {route.text!r}",
        remedy=f"nearest are {nearest}; `assay units` lists all, --unit names one"
        if nearest
        else "`assay units` lists what can be asked; name one with --unit",
    )


def unit_triggers() -> dict[str, tuple[str, ...]]:
    """What a request can be routed to: each unit's name with its trigger words."""
    return {unit.name: unit.triggers for unit in all_units()}


def _as_task(item: UnitSource) -> Task:
    if isinstance(item, Task):
        return item
    return Task(get_unit(item) if isinstance(item, str) else item)


def every_task() -> tuple[Task, ...]:
    """All units that need no arguments."""
    return tuple(Task(unit) for unit in all_units() if not unit.required_arguments)


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
