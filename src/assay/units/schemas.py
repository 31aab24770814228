"""From a field's type to the JSON Schema of what a model writes for it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from assay.errors import UnitDeclarationError
from assay.units.derived import DerivedLeaf
from assay.units.fields import CopiedFrom, Granularity, Grounded


def strip_optional(annotation: Any) -> tuple[Any, bool]:
    """`X | None` -> `(X, True)`; anything else -> `(annotation, False)`."""
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [item for item in get_args(annotation) if item is not type(None)]
        if len(rest) < len(get_args(annotation)):
            return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007
    return annotation, False


def copied_granularity(annotation: Any) -> Granularity | None:
    """The granularity of a plain copied leaf; None if the type is not one."""
    if get_origin(annotation) is Annotated:
        for item in get_args(annotation)[1:]:
            if isinstance(item, CopiedFrom):
                return item.granularity
    return None


def is_model(annotation: Any) -> bool:
    """Whether a type is an object of several leaves."""
    return (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not issubclass(annotation, Grounded)
    )


def model_fields(model: type[BaseModel]) -> Mapping[str, Any]:
    """Each field's full annotation, `Annotated` marks included."""
    hints = typing.get_type_hints(model, include_extras=True)
    return {name: hints[name] for name in model.model_fields}


def written_fields(model: type[BaseModel]) -> Mapping[str, Any]:
    """The fields that an answer says; those marked `DerivedLeaf` follow from them."""
    return {
        name: annotation
        for name, annotation in model_fields(model).items()
        if not any(isinstance(mark, DerivedLeaf) for mark in get_args(annotation))
    }


def grounded_kinds(annotation: Any) -> frozenset[type[Grounded] | None]:
    """The kinds of leaf under a type: each `Grounded` class, and None for plain copied text."""
    annotation, _ = strip_optional(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        return frozenset({annotation})
    if copied_granularity(annotation):
        return frozenset({None})
    if get_origin(annotation) is Annotated:
        return grounded_kinds(get_args(annotation)[0])
    if get_origin(annotation) is list:
        return grounded_kinds(get_args(annotation)[0])
    if is_model(annotation):
        return frozenset().union(
            *(grounded_kinds(item) for item in written_fields(annotation).values())
        )
    return frozenset()


def sole_kind(annotation: Any) -> type[Grounded] | None:
    """The one `Grounded` kind that every copied leaf of a type has; None if they differ."""
    kinds = grounded_kinds(annotation)
    return next(iter(kinds)) if len(kinds) == 1 else None


def generation_schema(annotation: Any, *, max_items: int = 8) -> dict[str, Any]:
    """The JSON Schema of what a model writes for a type: copied leaves as `x-verbatim` strings.

    Where all leaves are of one kind, the sources given beside the schema are whole values of that
    kind, and a leaf is one of them; where kinds are mixed, a leaf is any run of words.

    Raises:
        UnitDeclarationError: the type has a leaf that is neither copied nor a choice.
    """
    annotation, optional = strip_optional(annotation)
    whole: Granularity = "sentence" if sole_kind(annotation) else "word"
    schema = _schema(annotation, max_items, whole)
    return {"anyOf": [schema, {"type": "null"}]} if optional else schema


def _schema(annotation: Any, max_items: int, whole: Granularity) -> dict[str, Any]:
    annotation, optional = strip_optional(annotation)
    if optional:
        return {"anyOf": [_schema(annotation, max_items, whole), {"type": "null"}]}
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        return {"type": "string", "x-verbatim": whole}
    granularity = copied_granularity(annotation)
    if granularity:
        return {"type": "string", "x-verbatim": granularity}
    origin = get_origin(annotation)
    if origin is Annotated:
        return _schema(get_args(annotation)[0], max_items, whole)
    if origin is list:
        items = _schema(get_args(annotation)[0], max_items, whole)
        return {"type": "array", "items": items, "minItems": 1, "maxItems": max_items}
    if origin is Literal:
        return {"enum": list(get_args(annotation))}
    if annotation is bool:
        return {"type": "boolean"}
    if is_model(annotation):
        properties = {
            name: _schema(item, max_items, whole)
            for name, item in written_fields(annotation).items()
        }
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    raise UnitDeclarationError(
        f"a unit cannot ask for {annotation!r}",
        remedy="use Verbatim, Clause, Date, Money, Percentage, Period, Number, Identifier, "
        "Literal, bool, a list or a model of these, or any of them with | None",
    )
