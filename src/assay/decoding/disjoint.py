"""What can be told of two schemas without an instance: whether one value could satisfy both.

Answers are one-sided: "disjoint" and "admits null" are only said where they are certain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from assay.decoding.subschemas import resolve

_ALL_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def types_of(schema: Any) -> frozenset[str]:
    """The JSON types that the keyword `type`, or `const` or `enum`, leaves open."""
    if not isinstance(schema, Mapping):
        return _ALL_TYPES
    if "type" in schema:
        named = schema["type"]
        types = frozenset([named] if isinstance(named, str) else named)
        return types | {"integer"} if "number" in types else types
    values = _constants(schema)
    if values is None:
        return _ALL_TYPES
    types = frozenset(_type_of(json.loads(value)) for value in values)
    return types | {"number"} if "integer" in types else types


def admits_null(root: Mapping[str, Any], schema: Any) -> bool:
    """Whether null is certainly valid against `schema`."""
    seen: set[str] = set()
    pending = [schema]
    while pending:
        node = pending.pop()
        if not isinstance(node, Mapping):
            if node is True:
                return True
            continue
        if isinstance(node.get("$ref"), str):
            if node["$ref"] not in seen:
                seen.add(node["$ref"])
                pending.append(resolve(root, node["$ref"]))
            continue
        branches = [key for key in ("anyOf", "oneOf", "allOf") if key in node]
        if branches == ["allOf"] and len(node["allOf"]) > 1:
            continue
        if len(branches) == 1 and "type" not in node:
            pending.extend(node[branches[0]])
        elif not branches and "null" in types_of(node):
            values = _constants(node)
            if values is None or "null" in values:
                return True
    return False


def is_constant(root: Mapping[str, Any], schema: Any) -> bool:
    """Whether only one value can be valid against `schema`."""
    return len(_constants(target_of(root, schema)) or ()) == 1


def are_disjoint(root: Mapping[str, Any], branches: Sequence[Any]) -> bool:
    """Whether no value can be valid against two of `branches`."""
    targets = [target_of(root, branch) for branch in branches]
    return all(_pair_is_disjoint(root, first, second) for first, second in combinations(targets, 2))


def _pair_is_disjoint(root: Mapping[str, Any], first: Any, second: Any) -> bool:
    if not isinstance(first, Mapping) or not isinstance(second, Mapping):
        return first is False or second is False
    if not types_of(first) & types_of(second):
        return True
    if _constants_differ(first, second):
        return True
    if types_of(first) != {"object"} or types_of(second) != {"object"}:
        return False
    # Where one of them requires the property: absent, that one fails; present, one of them does.
    telling = {*first.get("required", ()), *second.get("required", ())}
    one, other = first.get("properties", {}), second.get("properties", {})
    return any(
        _constants_differ(target_of(root, one.get(key)), target_of(root, other.get(key)))
        for key in telling
    )


def target_of(root: Mapping[str, Any], schema: Any) -> Any:
    """What a chain of plain references ends at; the last one where it runs in a circle."""
    seen: set[str] = set()
    while (
        isinstance(schema, Mapping)
        and isinstance(schema.get("$ref"), str)
        and schema["$ref"] not in seen
    ):
        seen.add(schema["$ref"])
        schema = resolve(root, schema["$ref"])
    return schema


def _constants(schema: Any) -> set[str] | None:
    """The only values allowed, as JSON text, or None where there is no such list."""
    if not isinstance(schema, Mapping):
        return None
    if "const" in schema:
        return {_canonical(schema["const"])}
    if isinstance(schema.get("enum"), list | tuple):
        return {_canonical(value) for value in schema["enum"]}
    return None


def _canonical(value: Any) -> str:
    """JSON text that is equal for equal values: 1.0 and 1 are one number in JSON Schema."""
    plain = json.loads(json.dumps(value), parse_float=_integral)
    return json.dumps(plain, sort_keys=True)


def _integral(digits: str) -> int | float:
    number = float(digits)
    return int(number) if number.is_integer() else number


def _constants_differ(first: Any, second: Any) -> bool:
    one, other = _constants(first), _constants(second)
    return one is not None and other is not None and not one & other


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    for kind, name in (
        (bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"),
    ):  # fmt: skip
        if isinstance(value, kind):
            return name
    return "object"
