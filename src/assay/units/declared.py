"""Units declared in YAML: what a user writes who writes no Python.

A declaration says what a Python one does, in words and numbers only: no code, no patterns that can
run away. `assay units new NAME` writes one to start from.

::

    name: extract_warranty
    summary: How long a warranty lasts, and what voids it.
    triggers: [warranty, 保修]
    fields:
      length:
        type: period
        question: How long is the warranty?
        question_zh: 保修期多长？
        keywords: {warranty: 2, 保修: 2}
        label: warranty
      voided_by:
        type: {list: clause}
        question: Which sentences say what voids the warranty?
        keywords: {void: 2, warranty: 1}
        must_have: [void*, 失效]
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from assay.errors import UnitDeclarationError
from assay.units.fallbacks.base import DraftFallback, Fallback
from assay.units.fallbacks.labelled import LabelledValue, NearbyValue
from assay.units.fallbacks.mentions import EveryMention
from assay.units.fallbacks.wording import SentenceByWords, word_pattern
from assay.units.fields import Clause, Date, Grounded, Money, Percentage, Period, Verbatim
from assay.units.question import Example, Question, Validator
from assay.units.unit import Unit
from assay.units.validators import between, mentions, not_blank

MAX_BYTES = 64 * 1024

KINDS: dict[str, type[Grounded]] = {
    "date": Date,
    "period": Period,
    "money": Money,
    "percentage": Percentage,
}
_LEAVES: dict[str, Any] = {"text": Verbatim, "clause": Clause, "flag": bool, **KINDS}
_ARGUMENTS: dict[str, type] = {"text": str, "number": float, "integer": int, "flag": bool}

_Word = Annotated[str, Field(min_length=1, max_length=80, pattern=r"[^*\s]")]
_Words = dict[_Word, float]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Example(_Strict):
    excerpt: str
    answer: Any


class _Argument(_Strict):
    type: Literal["text", "number", "integer", "flag"] = "text"
    default: str | float | bool | None = None
    required: bool = False


class _Field(_Strict):
    type: Any
    question: str = Field(min_length=5, max_length=500)
    question_zh: str | None = Field(default=None, max_length=500)
    keywords: _Words = Field(default_factory=dict, max_length=60)
    keywords_from: tuple[str, ...] = ()
    head: float = Field(default=0.0, ge=0, le=10)
    tail: float = Field(default=0.0, ge=0, le=10)
    num_segments: int = Field(default=4, ge=1, le=16)
    max_tokens: int = Field(default=160, ge=8, le=1024)
    max_items: int = Field(default=8, ge=1, le=64)
    label: str | None = Field(default=None, max_length=80)
    must_have: tuple[_Word, ...] = Field(default=(), max_length=40)
    length: tuple[int, int] | None = None
    examples: tuple[_Example, ...] = Field(default=(), max_length=8)
    enough: float = Field(default=0.8, ge=0, le=1)
    floor: float = Field(default=0.25, ge=0, le=1)


class _Declaration(_Strict):
    name: str
    summary: str = Field(min_length=5, max_length=300)
    triggers: tuple[_Word, ...] = Field(default=(), max_length=60)
    languages: tuple[Literal["en", "zh"], ...] = ("en", "zh")
    arguments: dict[str, _Argument] = Field(default_factory=dict, max_length=16)
    fields: dict[str, _Field] = Field(min_length=1, max_length=40)


class _Loader(yaml.SafeLoader):
    """Without aliases, by which a small file can stand for a huge one."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("a unit cannot have aliases")
        return super().compose_node(parent, index)


def load_unit(path: str | Path) -> Unit:
    """The unit that a YAML file declares.

    Raises:
        UnitDeclarationError: it cannot be read, or says what no unit can; the message says where.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UnitDeclarationError(f"{path}: {error.strerror}") from None
    return parse_unit(content, str(path))


def parse_unit(content: bytes, source: str = "the unit") -> Unit:
    """As `load_unit`, from the bytes of a file that is called `source` in errors."""
    if len(content) > MAX_BYTES:
        raise UnitDeclarationError(f"{source} has more than {MAX_BYTES // 1024} KiB")
    try:
        data = yaml.load(content.decode("utf-8"), Loader=_Loader)
        declared = _Declaration.model_validate(data)
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise UnitDeclarationError(f"{source}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise UnitDeclarationError(f"{source}: {place}: {first['msg']}") from None
    return _make_unit(declared)


def _make_unit(declared: _Declaration) -> Unit:
    fields: dict[str, Any] = {}
    for name, item in declared.fields.items():
        annotation = _type_of(item.type, f"fields.{name}.type")
        question = _question(item, annotation)
        fields[name] = (Annotated[annotation | None, question], None)
    title = "".join(part.title() for part in declared.name.split("_"))
    return Unit(
        name=declared.name,
        summary=declared.summary,
        output=_model(title, fields),
        arguments=_arguments(declared, title) if declared.arguments else None,
        triggers=declared.triggers,
        languages=declared.languages,
    )


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    try:
        return create_model(name, **fields)
    except (NameError, TypeError, ValueError) as error:
        raise UnitDeclarationError(f"{name}: {error}") from None


def _arguments(declared: _Declaration, title: str) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for name, item in declared.arguments.items():
        kind = _ARGUMENTS[item.type]
        fields[name] = (kind, ...) if item.required else (kind | None, item.default)
    return create_model(f"{title}Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def _type_of(content: Any, place: str) -> Any:
    """The type that a declaration names."""
    if isinstance(content, str) and content in _LEAVES:
        return _LEAVES[content]
    if isinstance(content, dict) and len(content) == 1:
        ((form, inner),) = content.items()
        if form == "list":
            return list[_type_of(inner, f"{place}.list")]  # type: ignore[misc]
        if form == "choice" and isinstance(inner, list) and inner:
            if bare := [item for item in inner if not isinstance(item, str)]:
                remedy = "put each choice in quotes: YAML reads yes and no as true and false"
                raise UnitDeclarationError(f"{place}: {bare[0]!r} is no text", remedy=remedy)
            return Literal[tuple(inner)]
        if form == "object" and isinstance(inner, dict) and inner:
            leaves = {
                str(name): (_type_of(item, f"{place}.{name}") | None, None)
                for name, item in inner.items()
            }
            return _model(place.split(".")[1].title(), leaves)
    raise UnitDeclarationError(
        f"{place}: {content!r} is no type",
        remedy=f"one of {', '.join(_LEAVES)}, or {{list: TYPE}}, {{choice: [A, B]}}, "
        "{object: {NAME: TYPE}}",
    )


def _question(item: _Field, annotation: Any) -> Question:
    patterns = tuple(map(word_pattern, item.must_have))
    validators: list[Validator] = [not_blank]
    if patterns:
        validators.append(mentions(*patterns))
    if item.length:
        validators.append(between(*item.length))
    return Question(
        item.question,
        keywords=item.keywords,
        text_zh=item.question_zh,
        keywords_from=item.keywords_from,
        head=item.head,
        tail=item.tail,
        num_segments=item.num_segments,
        cues=patterns if annotation in (Clause, list[Clause]) else (),
        max_tokens=item.max_tokens,
        max_items=item.max_items,
        examples=tuple(Example(example.excerpt, example.answer) for example in item.examples),
        validators=tuple(validators),
        fallbacks=_fallbacks(item, annotation),
        enough=item.enough,
        floor=item.floor,
    )


def _fallbacks(item: _Field, annotation: Any) -> tuple[Fallback | DraftFallback, ...]:
    """What answers without a model, as far as the declaration tells how."""
    if annotation in KINDS.values():
        if item.label:
            return (
                LabelledValue(annotation, label=item.label),
                NearbyValue(annotation, label=item.label),
            )
        return ()
    for kind in KINDS.values():
        if annotation == list[kind]:  # type: ignore[valid-type]
            return (EveryMention(kind),)
    if annotation in (Clause, list[Clause]):
        words = item.keywords or dict.fromkeys(item.must_have, 1.0)
        return (SentenceByWords(words, item.must_have),) if words else ()
    return ()
