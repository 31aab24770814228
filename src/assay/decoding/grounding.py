"""JSON Schema with verbatim leaves as a grammar whose strings are spans of the sources.

A leaf `{"type": "string", "x-verbatim": "char" | "word" | "sentence"}` becomes one terminal: a
quote, a run of whole chunks of one source (JSON-escaped chunk by chunk, so that no value starts or
ends inside an escape), a quote. Subtrees without such leaves are left to llguidance.

How answers are written, beyond `json_schema`: an object has its declared properties in declared
order and no others. A property that is not required is left out or not as the model decides;
if it admits null it is always there, so that absence is said in one way only, and so it is if it
has but one value, so that nothing is decided without need. Where the sources hold nothing to copy,
a leaf is impossible: its null alternative or its absence is all that remains.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assay.decoding.chunks import GRANULARITIES, Granularity, chunks, holds_value
from assay.decoding.disjoint import admits_null, are_disjoint, is_constant, target_of, types_of
from assay.decoding.json_schema import ANNOTATIONS, exact_schema, unsupported
from assay.decoding.rules import Rules, Symbol, literal, reference
from assay.decoding.runs import runs_terminal
from assay.decoding.subschemas import escape_pointer, resolve, walk
from assay.errors import GrammarTooComplexError, InvalidGrammarError
from assay.types import JsonConstraint, Source

# How many chunks the sources may come to, counted once for each bound on the length of a value,
# so that a grammar compiles within a second: a chunk costs some 5 us, a sentence (spelled out in a
# chain of its own) some 40.
_MAX_CHUNKS: dict[Granularity, int] = {"char": 200_000, "word": 200_000, "sentence": 20_000}

_ALLOWED = {
    "verbatim": frozenset({"type", "x-verbatim", "minLength", "maxLength"}),
    "object": frozenset({"type", "properties", "required", "additionalProperties"}),
    "array": frozenset({"type", "items", "minItems", "maxItems"}),
    "$ref": frozenset({"$ref"}),
    "anyOf": frozenset({"anyOf"}),
    "oneOf": frozenset({"oneOf"}),
    "allOf": frozenset({"allOf"}),
}
_ASSERTIONS = frozenset(
    {
        "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "enum",
        "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength",
        "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
        "multipleOf", "oneOf", "pattern", "patternProperties", "prefixItems", "properties",
        "required", "type", "uniqueItems", "x-verbatim",
    }
)  # fmt: skip


def has_verbatim(schema: Any) -> bool:
    """Whether a verbatim leaf stands anywhere within `schema`, references not followed."""
    return any("x-verbatim" in node for _, node in walk(schema))


def grounded_lark(constraint: JsonConstraint) -> str:
    """The grammar of the answers to a schema with verbatim leaves.

    Raises:
        InvalidGrammarError: the schema is malformed, or the sources leave no possible answer.
        GrammarTooComplexError: the sources come to more chunks than can be compiled in time.
        UnsupportedKeywordError: a keyword that cannot be enforced where it stands.
    """
    for pointer, node in walk(constraint.schema):
        if pointer and "$id" in node:
            raise unsupported("$id", pointer, "references would change their meaning")
    compiler = _Compiler(constraint.schema, constraint.sources)
    try:
        lark = compiler.rules.render(compiler.compile(constraint.schema, ""))
    except RecursionError as error:
        raise GrammarTooComplexError("the schema's references lead too deep") from error
    if lark is None:
        raise InvalidGrammarError(
            "no answer is possible: a required verbatim value has nothing to copy",
            remedy="give a source with text, or allow null",
        )
    return lark


class _Compiler:
    """Schema nodes to rules. Depth is bounded by `check_size`, so recursion is safe."""

    def __init__(self, root: Mapping[str, Any], sources: tuple[Source, ...]) -> None:
        self.rules = Rules()
        self._root = root
        self._sources = sources
        self._chunks: dict[tuple[Granularity, int], tuple[str, ...]] = {}
        self._counted: set[tuple[Granularity, int, int, int | None]] = set()
        self._num_chunks = dict.fromkeys(_MAX_CHUNKS, 0)
        self._references: dict[str, str] = {}
        self._plain: dict[str, str] = {}
        self._grounded_refs = self._find_grounded_refs()
        self._whole_strings = self._has_open_choice()

    def _has_open_choice(self) -> bool:
        """Whether a choice may have two alternatives that both start, or hold, a string.

        Lexing is greedy: there, the quote of a verbatim value must not be a lexeme of its own, or
        the start of another string would swallow it. Where it can be, masks cost a tenth.
        """
        plain = {"boolean", "integer", "null", "number"}
        return any(
            sum(not types_of(target_of(self._root, branch)) <= plain for branch in node[kind]) > 1
            for _, node in walk(self._root)
            for kind in ("anyOf", "oneOf")
            if isinstance(node.get(kind), list | tuple)
        )

    def _find_grounded_refs(self) -> set[str]:
        """The references that lead, directly or through others, to a verbatim leaf."""
        refs = {node["$ref"] for _, node in walk(self._root) if isinstance(node.get("$ref"), str)}
        targets = {ref: list(walk(resolve(self._root, ref))) for ref in refs if ref[:1] == "#"}
        found: set[str] = set()
        grown = True
        while grown:
            grown = False
            for ref, nodes in targets.items():
                if ref not in found and any(
                    "x-verbatim" in node or node.get("$ref") in found for _, node in nodes
                ):
                    found.add(ref)
                    grown = True
        return found

    def _is_grounded(self, schema: Any) -> bool:
        nodes = (node for _, node in walk(schema))
        return any("x-verbatim" in n or n.get("$ref") in self._grounded_refs for n in nodes)

    def compile(self, schema: Any, pointer: str) -> str:
        """The name of a rule that derives the values of `schema`."""
        if not isinstance(schema, Mapping) or not self._is_own(schema):
            return self._compile_plain(schema)
        if isinstance(schema.get("type"), list | tuple):
            return self._compile_types(schema, pointer)
        for kind in ("$ref", "anyOf", "oneOf", "allOf"):
            if kind in schema:
                self._refuse_others(schema, pointer, kind)
                return self._compile_combination(schema, pointer, kind)
        if "x-verbatim" in schema:
            self._refuse_others(schema, pointer, "verbatim")
            return self._compile_leaf(schema, pointer)
        if "properties" in schema:
            self._refuse_others(schema, pointer, "object")
            return self._compile_object(schema, pointer)
        self._refuse_others(schema, pointer, "array")
        return self._compile_array(schema, pointer)

    def _is_own(self, schema: Mapping[str, Any]) -> bool:
        """Whether the node is compiled here: it leads to a leaf, or is a closed object."""
        if self._is_grounded(schema):
            return True
        return (
            schema.get("type") == "object"
            and "properties" in schema
            and not (schema.keys() & _ASSERTIONS) - _ALLOWED["object"]
            and not isinstance(schema.get("additionalProperties"), Mapping)
            and schema.get("additionalProperties") is not True
        )

    def _refuse_others(self, schema: Mapping[str, Any], pointer: str, kind: str) -> None:
        for keyword in sorted((schema.keys() & _ASSERTIONS) - _ALLOWED[kind] - ANNOTATIONS):
            raise unsupported(keyword, pointer, f"not beside {kind} where values are verbatim")

    def _compile_plain(self, schema: Any) -> str:
        if isinstance(schema, Mapping):
            schema = exact_schema(self._with_definitions(schema))
        elif schema is False:
            return self.rules.new_name("never")
        else:
            schema = exact_schema({})
        text = json.dumps(schema)
        if text not in self._plain:
            name = self.rules.new_name("json")
            self._plain[text] = self.rules.add(name, [Symbol(f"%json {text}")])
        return self._plain[text]

    def _with_definitions(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """`schema` as a document of its own."""
        document = {"$schema": self._root["$schema"]} if "$schema" in self._root else {}
        if any("$ref" in node for _, node in walk(schema)):
            document |= {k: self._root[k] for k in ("$defs", "definitions") if k in self._root}
        document |= schema
        for pointer, node in walk(document):
            if not str(node.get("$ref", "#/$defs/")).startswith(("#/$defs/", "#/definitions/")):
                raise unsupported("$ref", pointer, "only definitions can be referred to here")
        return document

    def _compile_types(self, schema: Mapping[str, Any], pointer: str) -> str:
        name = self.rules.new_name("types")
        for kind in dict.fromkeys(schema["type"]):
            narrowed = {**schema, "type": kind}
            if kind != "string":
                narrowed.pop("x-verbatim", None)
            self.rules.add(name, [reference(self.compile(narrowed, pointer))])
        return name

    def _compile_combination(self, schema: Mapping[str, Any], pointer: str, kind: str) -> str:
        if kind == "$ref":
            return self._compile_reference(schema["$ref"])
        branches = schema[kind]
        if not isinstance(branches, list | tuple) or not branches:
            raise InvalidGrammarError(f"{kind} at {pointer or 'the root'} is not a list of schemas")
        if kind == "allOf" and len(branches) > 1:
            raise unsupported(kind, pointer, "several schemas at once where values are verbatim")
        if kind == "oneOf" and not are_disjoint(self._root, branches):
            raise unsupported(kind, pointer, "its alternatives may overlap")
        name = self.rules.new_name("choice")
        for i, branch in enumerate(branches):
            rule = self.compile(branch, f"{pointer}/{kind}/{i}")
            self.rules.add(name, [reference(rule)])
        return name

    def _compile_reference(self, ref: str) -> str:
        if ref not in self._references:
            self._references[ref] = name = self.rules.new_name("ref")
            target = self.compile(resolve(self._root, ref), ref[1:])
            self.rules.add(name, [reference(target)])
        return self._references[ref]

    def _compile_leaf(self, schema: Mapping[str, Any], pointer: str) -> str:
        granularity = schema["x-verbatim"]
        if granularity not in GRANULARITIES or schema.get("type", "string") != "string":
            raise InvalidGrammarError(
                f"x-verbatim at {pointer or 'the root'} must be one of {', '.join(GRANULARITIES)}, "
                "on a string"
            )
        name = self.rules.new_name("leaf")
        least, most = _bounds(schema, pointer)
        spans = []
        for i, source in enumerate(self._sources):
            if (granularity, i) not in self._chunks:
                self._chunks[granularity, i] = chunks(source, granularity)
            pieces = self._chunks[granularity, i]
            if (granularity, i, least, most) not in self._counted:
                self._counted.add((granularity, i, least, most))
                self._count(granularity, len(pieces))
            if holds_value(pieces, least, most):
                stem = f"{granularity}_{i}".upper()
                spans.append(runs_terminal(self.rules, stem, pieces, granularity, (least, most)))
        body = " | ".join(spans)
        leaf = f"{granularity}_{least}_{'ANY' if most is None else most}".upper()
        if spans and self._whole_strings:
            quoted = rf'"\"" ({body}) "\""'
            self.rules.add(name, [self.rules.terminal(f"QUOTED_{leaf}", quoted)])
        elif spans:
            span = self.rules.terminal(f"SPAN_{leaf}", body)
            self.rules.add(name, [literal('"'), span, literal('"')])
        return name

    def _count(self, granularity: Granularity, num_chunks: int) -> None:
        self._num_chunks[granularity] += num_chunks
        most = _MAX_CHUNKS[granularity]
        if self._num_chunks[granularity] > most:
            raise GrammarTooComplexError(
                f"the sources hold more than {most} units of granularity {granularity}",
                remedy="choose the segments that matter",
            )

    def _compile_object(self, schema: Mapping[str, Any], pointer: str) -> str:
        """Two rules a property: the rest of the object with nothing written yet, or something.

        Linear in the number of properties, whatever subset of them is optional.
        """
        properties, required = schema["properties"], set(schema.get("required", ()))
        if not isinstance(properties, Mapping):
            raise InvalidGrammarError(f"properties at {pointer or 'the root'} is not an object")
        for missing in sorted(required - properties.keys()):
            raise unsupported("required", pointer, f"{missing!r} is not a declared property")
        if isinstance(schema.get("additionalProperties"), Mapping):
            raise unsupported("additionalProperties", pointer, "names would be free")
        rules = self.rules
        first = rest = rules.add(rules.new_name("end"), [literal("}")])
        for key, member in reversed(list(properties.items())):
            value = reference(self.compile(member, f"{pointer}/properties/{escape_pointer(key)}"))
            quoted = json.dumps(key, ensure_ascii=False)
            next_first, next_rest = rules.new_name("first"), rules.new_name("rest")
            rules.add(next_first, [literal(f"{quoted}: "), value, reference(rest)])
            rules.add(next_rest, [literal(f", {quoted}: "), value, reference(rest)])
            if key not in required and not self._is_always_there(member):
                rules.add(next_first, [reference(first)])
                rules.add(next_rest, [reference(rest)])
            first, rest = next_first, next_rest
        return rules.add(rules.new_name("object"), [literal("{"), reference(first)])

    def _is_always_there(self, member: Any) -> bool:
        return admits_null(self._root, member) or is_constant(self._root, member)

    def _compile_array(self, schema: Mapping[str, Any], pointer: str) -> str:
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        if types_of(schema) != {"array"} or not isinstance(schema.get("items"), Mapping):
            raise unsupported("type", pointer, "a list of verbatim values needs type and items")
        if not _is_count(least) or not (most is None or _is_count(most)):
            raise InvalidGrammarError(f"minItems or maxItems at {pointer} is not a count")
        item = self.compile(schema["items"], f"{pointer}/items")
        name = self.rules.new_name("array")
        if least == 0:
            self.rules.add(name, [literal("["), literal("]")])
        if most is None or (most > 0 and most >= least):
            upper = "" if most is None else most - 1
            repeat = f'(", " {{rule}}){{{max(least - 1, 0)},{upper}}}'
            more = [] if most == 1 else [reference(item, repeat)]
            self.rules.add(name, [literal("["), reference(item), *more, literal("]")])
        return name


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _bounds(schema: Mapping[str, Any], pointer: str) -> tuple[int, int | None]:
    """The least (at least 1) and the most code points of a verbatim value."""
    least, most = schema.get("minLength", 1), schema.get("maxLength")
    if not _is_count(least) or not (most is None or _is_count(most)):
        raise InvalidGrammarError(f"minLength or maxLength at {pointer} is not a count")
    return max(least, 1), most
