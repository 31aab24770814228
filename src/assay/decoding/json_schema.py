"""JSON Schema as llguidance compiles it, made exact.

llguidance refuses most keywords that it cannot enforce, but not all, and says little of where
they stand. `exact_schema` names each by its JSON pointer and narrows the rest so that no invalid
instance is accepted. Answers are written in one canonical way, so that all that is not decided is
forced: `{"a": 1, "b": [2, 3]}`, declared properties first and in declared order, numbers without
superfluous digits, no escape where the character can stand for itself. Control characters other
than \\b \\f \\n \\r \\t cannot be written in a free string.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.decoding.disjoint import types_of
from assay.decoding.patterns import (
    FORMATS,
    MAX_LENGTHS,
    NUMBER_FORMATS,
    OWN_FORMATS,
    is_writable,
    narrow_pattern,
)
from assay.decoding.subschemas import LISTED, MAPPED, SINGLE, walk
from assay.errors import InvalidGrammarError, UnsupportedKeywordError

STYLE = {
    "whitespace_flexible": False,
    "item_separator": ", ",
    "key_separator": ": ",
    # Without \uXXXX and \/ a property name has one spelling: no second one slips past its schema.
    "json_allowed_escapes": 'nrbtf\\"',
}

UNENFORCEABLE = frozenset(
    {
        "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "contains",
        "contentEncoding", "contentMediaType", "contentSchema", "dependencies",
        "dependentRequired", "dependentSchemas", "disallow", "divisibleBy", "else", "extends",
        "if", "maxContains", "minContains", "not", "propertyNames", "then", "unevaluatedItems",
        "unevaluatedProperties",
    }
)  # fmt: skip

ANNOTATIONS = frozenset(
    {
        "$comment", "$id", "$schema", "default", "deprecated", "description", "discriminator",
        "example", "examples", "id", "readOnly", "title", "writeOnly",
    }
)  # fmt: skip


def check_keywords(schema: Mapping[str, Any]) -> None:
    """Refuses what cannot be enforced, anywhere in `schema`.

    Keywords that no draft of JSON Schema defines are annotations, as the specification has it.

    Raises:
        UnsupportedKeywordError: names the keyword and its JSON pointer.
    """
    for pointer, node in walk(schema):
        for keyword in sorted(UNENFORCEABLE & node.keys()):
            raise unsupported(keyword, pointer)
        if node.get("uniqueItems"):
            raise unsupported("uniqueItems", pointer)
        if "format" in node and not _is_enforced(node["format"], node):
            raise unsupported("format", pointer, f"format {node['format']!r} is not enforced")
        for keyword in ("const", "enum"):
            if keyword in node and not _all_writable(node[keyword]):
                raise unsupported(keyword, pointer, "it holds a control character")
        ref = node.get("$ref")
        if ref is not None and not (isinstance(ref, str) and ref.startswith("#")):
            raise unsupported("$ref", pointer, f"{ref!r} leads out of the schema")
        if ref is not None and pointer and "$id" in node:
            raise unsupported("$id", pointer, "drafts differ on what it means beside $ref")
        if _duplicates_count(node):
            raise unsupported("minProperties", pointer, "more than the required properties")


def unsupported(keyword: str, pointer: str, why: str = "it cannot be enforced") -> Exception:
    """The error that names a keyword and where it stands."""
    return UnsupportedKeywordError(
        f"{keyword} at {pointer or 'the root'} of the schema: {why}",
        remedy="take it out of the schema and check the answer afterwards",
    )


def _is_enforced(name: Any, node: Mapping[str, Any]) -> bool:
    if not isinstance(name, str):
        return False
    numeric = {"integer", "number", "null"}
    return name in FORMATS or (name in NUMBER_FORMATS and types_of(node) <= numeric)


def _all_writable(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(is_writable, value)) and all(map(_all_writable, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_all_writable, value))
    return not isinstance(value, str) or is_writable(value)


def _duplicates_count(node: Mapping[str, Any]) -> bool:
    """Whether a repeated additional property could pass for two under `minProperties`."""
    least = node.get("minProperties", 0)
    if not isinstance(least, int) or least < 2:
        return False
    closed = node.get("additionalProperties") is False and not node.get("patternProperties")
    return not closed and len(set(node.get("required", ()))) < least


def exact_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `schema` that llguidance enforces to the letter, in the canonical style.

    Raises:
        InvalidGrammarError: a keyword's value is of the wrong type.
        UnsupportedKeywordError: as `check_keywords`.
    """
    check_keywords(schema)
    return {**_exact(schema), "x-guidance": STYLE}


def _exact(schema: Any) -> Any:
    """Depth is bounded by `check_size`, so recursion is safe here."""
    if not isinstance(schema, Mapping):
        return schema
    copy = {key: value for key, value in schema.items() if key not in ("uniqueItems", "x-guidance")}
    for key in copy.keys() & set(SINGLE + LISTED):
        value = copy[key]
        is_list = isinstance(value, list | tuple)
        copy[key] = [_exact(member) for member in value] if is_list else _exact(value)
    for key in copy.keys() & set(MAPPED):
        if isinstance(copy[key], Mapping):
            rename = narrow_pattern if key == "patternProperties" else str
            copy[key] = {rename(name): _exact(member) for name, member in copy[key].items()}
    return _narrow_format(copy)


def _narrow_format(schema: dict[str, Any]) -> dict[str, Any]:
    """Spells out in other keywords what llguidance leaves open in `pattern` and `format`."""
    if "pattern" in schema:
        if not isinstance(schema["pattern"], str):
            raise InvalidGrammarError("the value of pattern is not a string")
        schema["pattern"] = narrow_pattern(schema["pattern"])
    name = str(schema.get("format"))
    narrower: list[dict[str, Any]] = []
    if name in OWN_FORMATS or name in NUMBER_FORMATS:
        del schema["format"]
    if name in NUMBER_FORMATS:
        bound = NUMBER_FORMATS[name]
        if bound is not None:
            narrower.append({"minimum": -bound, "maximum": bound - 1})
    elif FORMATS.get(name):
        narrower.append({"pattern": FORMATS[name]})
    if name in MAX_LENGTHS:
        narrower.append({"maxLength": MAX_LENGTHS[name]})
    if narrower:
        schema["allOf"] = [*schema.get("allOf", ()), *narrower]
    return schema
