"""From a finished answer back to the places in the sources that its verbatim values stand at."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from assay.decoding.chunks import Granularity, cuts
from assay.decoding.json_scan import string_leaves
from assay.decoding.subschemas import escape_pointer, resolve
from assay.types import JsonConstraint, Source, SourceSpan


def locate_spans(
    constraint: JsonConstraint, text: str, tokens: Sequence[bytes]
) -> tuple[SourceSpan, ...]:
    """A span for each verbatim value in `text`, in the order of the answer.

    `text` is a complete answer under `constraint`, `tokens` the bytes of its tokens (what follows
    the answer may be among them). The token range of a span covers its JSON string with the
    quotes: the tokens that decided that there is a value, which, and where it ends.

    Raises:
        ValueError: `text` is not a complete answer under `constraint`.
    """
    sources = _Sources(constraint.sources)
    try:
        grounded = dict(_verbatim_leaves(constraint.schema, json.loads(text), sources))
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error
    if not grounded:
        return ()
    byte_offsets = [0, *accumulate(len(char.encode()) for char in text)]
    token_ends = list(accumulate(map(len, tokens)))
    if not token_ends or token_ends[-1] < byte_offsets[-1]:
        raise ValueError("the tokens do not spell the answer")
    spans = []
    for leaf in string_leaves(text):
        granularity = grounded.get(leaf.pointer)
        if granularity is None:
            continue
        places = sources.occurrences(leaf.value, granularity)
        if not places:
            raise ValueError(f"the value at {leaf.pointer or 'the root'} is not in the sources")
        source, start = places[0]
        spans.append(
            SourceSpan(
                pointer=leaf.pointer,
                source=source,
                start=start,
                end=start + len(leaf.value),
                num_occurrences=len(places),
                first_token=bisect_right(token_ends, byte_offsets[leaf.start]),
                last_token=bisect_left(token_ends, byte_offsets[leaf.end]) + 1,
            )
        )
    return tuple(spans)


class _Sources:
    """Occurrences of values, with the cuts of each granularity computed once."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self._sources = sources
        self._cuts: dict[Granularity, list[frozenset[int]]] = {}

    def occurrences(self, value: str, granularity: Granularity) -> list[tuple[int, int]]:
        """Source index and start of each place where `value` stands between two cuts."""
        if granularity not in self._cuts:
            self._cuts[granularity] = [cuts(source, granularity) for source in self._sources]
        places: list[tuple[int, int]] = []
        if not value or value != value.strip():
            return places
        for i, (source, legal) in enumerate(
            zip(self._sources, self._cuts[granularity], strict=True)
        ):
            start = source.text.find(value)
            while start >= 0:
                if start in legal and start + len(value) in legal:
                    places.append((i, start))
                start = source.text.find(value, start + 1)
        return places


def _verbatim_leaves(
    root: Mapping[str, Any], answer: Any, sources: _Sources
) -> Iterator[tuple[str, Granularity]]:
    """Pointer and granularity of each value that a verbatim leaf of the schema speaks of."""
    pending: list[tuple[Any, Any, str]] = [(root, answer, "")]
    while pending:
        schema, value, pointer = pending.pop()
        if not isinstance(schema, Mapping):
            continue
        if "$ref" in schema:
            pending.append((resolve(root, schema["$ref"]), value, pointer))
        for kind in ("anyOf", "oneOf", "allOf"):
            if kind in schema:
                branch = _branch(root, schema[kind], value, sources)
                pending.append((branch, value, pointer))
        if isinstance(value, str) and "x-verbatim" in schema:
            yield pointer, schema["x-verbatim"]
        elif isinstance(value, dict):
            for key, member in schema.get("properties", {}).items():
                if key in value:
                    pending.append((member, value[key], f"{pointer}/{escape_pointer(key)}"))
        elif isinstance(value, list):
            items = schema.get("items")
            pending.extend((items, item, f"{pointer}/{i}") for i, item in enumerate(value))


def _branch(root: Mapping[str, Any], branches: Sequence[Any], value: Any, sources: _Sources) -> Any:
    """The first alternative that `value` satisfies, verbatim leaves included."""
    if value is None or len(branches) == 1:
        return branches[0] if value is not None else None
    for branch in branches:
        if _satisfies(root, branch, value, sources):
            return branch
    raise ValueError("the answer satisfies no alternative of the schema")


def _satisfies(root: Mapping[str, Any], schema: Any, value: Any, sources: _Sources) -> bool:
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend, validator_for

    def verbatim(
        _validator: Any, granularity: Granularity, instance: Any, _schema: Any
    ) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not sources.occurrences(instance, granularity):
            yield ValidationError("not in the sources")

    draft = validator_for(root, default=Draft202012Validator)
    validator = extend(draft, {"x-verbatim": verbatim})(root)  # type: ignore[no-untyped-call]
    return bool(validator.evolve(schema=schema).is_valid(value))
