"""Walking a JSON Schema without recursion, so that its depth cannot exhaust the stack.

A walk knows which members of a schema are schemas and which are data (`const`, `enum`,
`default`, property names), so that a property named "not" is never taken for the keyword.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import GrammarTooComplexError, InvalidGrammarError

MAX_DEPTH = 100
MAX_NODES = 100_000

# Keywords whose value is a schema, a list of schemas, a map from names to schemas. `items` is
# either of the first two, by draft.
SINGLE = (
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items",
    "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
LISTED = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
MAPPED = (
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
)  # fmt: skip


def escape_pointer(token: str) -> str:
    """`token` as one step of a JSON pointer (RFC 6901)."""
    return token.replace("~", "~0").replace("/", "~1")


def check_size(schema: Mapping[str, Any]) -> None:
    """Refuses a schema whose sheer depth or size would cost more than an answer is worth.

    Raises:
        GrammarTooComplexError: deeper than `MAX_DEPTH` or larger than `MAX_NODES` JSON values.
        InvalidGrammarError: something in it is not JSON.
    """
    stack: list[tuple[Any, int]] = [(schema, 1)]
    num_nodes = 0
    while stack:
        value, depth = stack.pop()
        num_nodes += 1
        if depth > MAX_DEPTH:
            raise GrammarTooComplexError(f"the schema is nested deeper than {MAX_DEPTH} levels")
        if num_nodes > MAX_NODES:
            raise GrammarTooComplexError(f"the schema has more than {MAX_NODES} values")
        if isinstance(value, Mapping):
            for key, member in value.items():
                if not isinstance(key, str):
                    raise InvalidGrammarError(f"the schema is not JSON: key {key!r} is no string")
                stack.append((member, depth + 1))
        elif isinstance(value, list | tuple):
            stack.extend((member, depth + 1) for member in value)
        elif not (value is None or isinstance(value, str | int | float)):
            kind = type(value).__name__
            raise InvalidGrammarError(f"the schema is not JSON: it holds a {kind}")


def children(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas directly within `schema`, each with its JSON pointer relative to it."""
    for key in SINGLE:
        if isinstance(schema.get(key), Mapping | bool):
            yield f"/{key}", schema[key]
    for key in LISTED:
        if isinstance(schema.get(key), list | tuple):
            for i, member in enumerate(schema[key]):
                yield f"/{key}/{i}", member
    for key in MAPPED:
        if isinstance(schema.get(key), Mapping):
            for name, member in schema[key].items():
                yield f"/{key}/{escape_pointer(name)}", member


def walk(schema: Any, pointer: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """`schema` and all schemas within it, parents first, boolean ones left out.

    References are not followed: what they point at within the same document is visited where it
    stands.
    """
    stack = [(pointer, schema)]
    while stack:
        pointer, schema = stack.pop()
        if isinstance(schema, Mapping):
            yield pointer, schema
            stack.extend((pointer + step, member) for step, member in children(schema))


def resolve(root: Mapping[str, Any], ref: str) -> Any:
    """The schema that the local reference `ref` ("#" or "#/...") points at.

    Raises:
        InvalidGrammarError: there is nothing there, or it is no JSON pointer.
    """
    from urllib.parse import unquote

    if ref != "#" and not ref.startswith("#/"):
        raise InvalidGrammarError(f"the reference {ref!r} is not a JSON pointer into the schema")
    target: Any = root
    for step in unquote(ref[1:]).split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, Mapping) and name in target:
            target = target[name]
        elif isinstance(target, list | tuple) and name.isdecimal() and int(name) < len(target):
            target = target[int(name)]
        else:
            raise InvalidGrammarError(f"the reference {ref!r} points at nothing in the schema")
    return target
