"""The declaration of an atomic analysis unit.

A unit is one object in one file: a pydantic output model whose fields each carry a `Question`.
Each field is asked, validated and answered by itself, so that one failing leaves the others whole.

::

    class Dates(BaseModel):
        agreement: Annotated[
            Date | None,
            Question("On what date was the agreement made?", keywords={"dated": 1.0}, …),
        ] = None

    UNIT = Unit(name="extract_date", summary="…", output=Dates, triggers=("date",))
"""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeVar, get_args

from pydantic import BaseModel

from assay.errors import UnitDeclarationError
from assay.patterns import lazy_pattern
from assay.types import GenerationRequest, Message, SamplingParams
from assay.units.chain import MODEL_FIRST, Chain
from assay.units.computed import Computed, ComputedField
from assay.units.excerpt import Excerpt
from assay.units.question import (
    NO_ARGUMENTS,
    Example,
    Question,
    Validator,
    placeholders_of,
)
from assay.units.schemas import generation_schema, model_fields

DEFAULT_SYSTEM = "You read documents and answer with words copied from them."
# What is the same in every question stands before the document, where it is computed once. With
# SmolLM2's template it ends with a block of 16 tokens: a rest would be computed with every segment.
_DEFAULT_OPENING = "Copy exact words of the text below. Answer in JSON.\n\n"
DEFAULT_PROMPT = f"{_DEFAULT_OPENING}$document\n\n$examples$question"

ANY_KIND = "any"

#: Behind every question.
PREPARATION_PRIORITY = 100

_NAME = lazy_pattern(r"[a-z][a-z0-9_]{2,63}")
_PLACEHOLDERS = frozenset({"document", "question", "examples"})


@dataclass(frozen=True, slots=True)
class UnitField:
    """A field of a unit's output: its name, type (less the question), question and the schema of
    what a model writes for it. `family` names the field for calibration."""

    name: str
    annotation: Any
    question: Question
    schema: Mapping[str, Any]
    family: str


@dataclass(frozen=True)
class Unit:
    """An atomic analysis unit.

    - `arguments` is the model of what a caller must or may say with it; questions, fallbacks and
      computed fields see them.
    - `triggers` are the words of a request that mean it.
    - `suits` are the kinds of document (as `classify_document` tells them) on which it is run where
      nobody says what to run; `ANY_KIND` stands for those of no known kind.
    - `chain` says who answers, in which order, unless a caller sets another.
    - `prompt` is a template with the placeholders `$document`, `$examples` and `$question`, and
      nothing else: no code, no logic.

    Raises:
        UnitDeclarationError: the declaration contradicts itself; the message says where.
    """

    name: str
    summary: str
    output: type[BaseModel]
    arguments: type[BaseModel] | None = None
    triggers: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en", "zh")
    system: str = DEFAULT_SYSTEM
    prompt: str = DEFAULT_PROMPT
    version: str = "1"
    chain: Chain = MODEL_FIRST

    def __post_init__(self) -> None:
        if not is_unit_name(self.name):
            raise UnitDeclarationError(
                f"{self.name!r} is not a unit name", remedy="use lower case, digits and underscores"
            )
        found = placeholders_of(self.prompt)
        if found - _PLACEHOLDERS or not {"document", "question"} <= found:
            raise UnitDeclarationError(
                f"the prompt of {self.name} has the placeholders {sorted(found)}",
                remedy="it needs $document and $question, and may have $examples",
            )
        if self.prompt.index("document") > self.prompt.index("question"):
            raise UnitDeclarationError(
                f"the prompt of {self.name} asks before it shows the document",
                remedy="put $document first: every question on it then shares its cached keys",
            )
        if not self.fields and not self.computed:
            raise UnitDeclarationError(f"{self.name} asks nothing")
        known = frozenset(self.arguments.model_fields if self.arguments else ())
        for item in self.fields.values():
            asked = item.question.placeholders | frozenset(item.question.keywords_from)
            if known and asked - known:
                raise UnitDeclarationError(
                    f"{item.family} asks about {sorted(asked - known)}, which are no arguments",
                    remedy=f"arguments of {self.name}: {', '.join(sorted(known))}",
                )
        check_operands(self)

    @cached_property
    def fields(self) -> Mapping[str, UnitField]:
        """The output model's fields that are asked, in order."""
        return {
            name: _unit_field(self.name, name, annotation)
            for name, annotation in model_fields(self.output).items()
            if not _marks(annotation, Computed)
        }

    @cached_property
    def computed(self) -> Mapping[str, ComputedField]:
        """The output model's fields that are worked out from others, in order."""
        return {
            name: ComputedField(name, mark, f"{self.name}.{name}")
            for name, annotation in model_fields(self.output).items()
            for mark in _marks(annotation, Computed)
        }

    @property
    def field_names(self) -> tuple[str, ...]:
        """Of all fields, in the output model's order."""
        return tuple(self.output.model_fields)

    @property
    def required_arguments(self) -> tuple[str, ...]:
        """The arguments that it cannot be run without."""
        if self.arguments is None:
            return ()
        fields = self.arguments.model_fields.items()
        return tuple(name for name, field in fields if field.is_required())

    @property
    def uses(self) -> tuple[str, ...]:
        """The other units whose results its computed fields need."""
        units = (operand.unit for item in self.computed.values() for operand in item.operands)
        return tuple(dict.fromkeys(unit for unit in units if unit is not None))

    def messages(
        self,
        unit_field: UnitField,
        excerpt: Excerpt,
        *,
        chinese: bool,
        arguments: Mapping[str, Any] = NO_ARGUMENTS,
    ) -> tuple[Message, ...]:
        """The prompt for one field: the document first, the question last."""
        question = unit_field.question
        filled = {
            "document": excerpt.text,
            "question": question.asked(arguments, chinese=chinese),
            "examples": "".join(
                f"Example: “{item.excerpt}” gives {_to_json({unit_field.name: item.answer})}\n"
                for item in question.examples
            ),
        }
        content = string.Template(self.prompt).substitute(filled)
        opening = string.Template(self.prompt[: self._document_at]).substitute(filled)
        segments = [(len(opening) + start, len(opening) + end) for start, end in excerpt.segments]
        return (
            Message("system", self.system),
            Message("user", content, tuple(segments), excerpt.document, excerpt.numbers),
        )

    @property
    def opening(self) -> tuple[str, str]:
        """What stands before the document in its prompts. Units that begin alike share what a model
        makes of a document."""
        return self.system, self.prompt[: self._document_at]

    @property
    def has_public_preamble(self) -> bool:
        """Whether nothing but the package's own words stands before the document in its prompts."""
        return self.opening == (DEFAULT_SYSTEM, _DEFAULT_OPENING)

    def preparation(self, excerpt: Excerpt, cache_salt: str) -> GenerationRequest:
        """What has a back end read an excerpt once, for the unit's questions to come."""
        asked = next(iter(self.fields.values()))
        messages = self.messages(asked, excerpt, chinese=False)
        return GenerationRequest(
            messages,
            sampling=SamplingParams(max_tokens=1),
            cache_salt=cache_salt,
            priority=PREPARATION_PRIORITY,
            is_preamble_public=self.has_public_preamble,
        )

    @cached_property
    def _document_at(self) -> int:
        """Where the document's placeholder stands in the prompt."""
        found = string.Template.pattern.finditer(self.prompt)
        return next(
            match.start() for match in found if "document" in (match["named"], match["braced"])
        )


def is_unit_name(name: str) -> bool:
    """Lower case, digits and underscores, 3 to 64 of them, a letter first."""
    return _NAME.fullmatch(name) is not None


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


T = TypeVar("T")


def _marks(annotation: Any, kind: type[T]) -> list[T]:
    """What an annotation is marked with, of one kind."""
    return [item for item in get_args(annotation)[1:] if isinstance(item, kind)]


def check_operands(unit: Unit) -> None:
    """Raises `UnitDeclarationError` if a computed field needs a field that is not there, or not
    yet."""
    known = set(unit.fields)
    for item in unit.computed.values():
        for operand in item.operands:
            if operand.unit is None and operand.field not in known:
                raise UnitDeclarationError(
                    f"{item.family} is computed from {operand.field!r}",
                    remedy="name a field that is asked, or computed before it, or UNIT.FIELD",
                )
        known.add(item.name)


def _unit_field(unit_name: str, name: str, annotation: Any) -> UnitField:
    questions = _marks(annotation, Question)
    if len(questions) != 1:
        raise UnitDeclarationError(
            f"{unit_name}.{name} has {len(questions)} questions", remedy="annotate it with one"
        )
    (question,) = questions
    inner, *marks = get_args(annotation)
    for mark in marks:
        inner = inner if mark is question else Annotated[inner, mark]
    placed = (question.keywords, question.keywords_from, question.head, question.tail)
    if not any(placed):
        raise UnitDeclarationError(
            f"{unit_name}.{name} does not say where in a document it stands",
            remedy="give keywords, head or tail",
        )
    schema = {
        "type": "object",
        "properties": {name: generation_schema(inner, max_items=question.max_items)},
        "required": [name],
        "additionalProperties": False,
    }
    return UnitField(name, inner, question, schema, f"{unit_name}.{name}")


__all__ = [
    "DEFAULT_PROMPT",
    "DEFAULT_SYSTEM",
    "Computed",
    "Example",
    "Question",
    "Unit",
    "UnitField",
    "Validator",
]
