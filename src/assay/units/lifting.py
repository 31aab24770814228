"""From what a model copied to the values of a field's type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin

from assay.units.derived import Derived
from assay.units.fields import Grounded
from assay.units.schemas import copied_granularity, is_model, strip_optional, written_fields


@dataclass(slots=True)
class Lifted:
    """A JSON value made from what was copied, and what is wrong or open about it.

    `ambiguous` maps a JSON pointer to the readings the document leaves open; there the value
    holds what all readings share and None for the rest.
    """

    value: Any
    complaints: list[str] = field(default_factory=list)
    ambiguous: dict[str, list[Any]] = field(default_factory=dict)
    document_text: str = field(default="", repr=False)


def lift(annotation: Any, answer: Any, document_text: str = "") -> Lifted:
    """Turns the copied strings of `answer`, of a document, into the values of `annotation`."""
    lifted = Lifted(None, document_text=document_text)
    lifted.value = _lift(strip_optional(annotation)[0], answer, "", lifted)
    return lifted


def _lift(annotation: Any, answer: Any, pointer: str, into: Lifted) -> Any:
    annotation, _ = strip_optional(annotation)
    if answer is None:
        return None
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        found = annotation.readings(answer)
        if len(found) > 1:
            found = annotation.settle(found, into.document_text)
        readings = [item.model_dump() for item in found]
        if not readings:
            into.complaints.append(
                f"{pointer or 'the answer'} does not read as a {annotation.kind}"
            )
            return {"text": answer, **{k: None for k in annotation.model_fields if k != "text"}}
        if len(readings) > 1:
            into.ambiguous[pointer] = readings
        first = readings[0]
        return {
            key: first[key] if all(r[key] == first[key] for r in readings) else None
            for key in first
        }
    if get_origin(annotation) is Annotated and not copied_granularity(annotation):
        return _lift(get_args(annotation)[0], answer, pointer, into)
    if get_origin(annotation) is list:
        item_type = get_args(annotation)[0]
        return [
            _lift(item_type, item, f"{pointer}/{index}", into) for index, item in enumerate(answer)
        ]
    if is_model(annotation):
        lifted = {
            name: _lift(item, answer.get(name), f"{pointer}/{name}", into)
            for name, item in written_fields(annotation).items()
        }
        if issubclass(annotation, Derived):
            lifted.update(annotation.derive(lifted))
        return lifted
    return answer
