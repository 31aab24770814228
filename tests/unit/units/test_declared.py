"""Units in YAML: the same as in Python, checked whole, and without power to harm."""

import asyncio
import time

import pytest

from assay.analysis import AsyncAnalyzer
from assay.backends.scripted import ScriptedBackend
from assay.errors import CapacityError, UnitDeclarationError
from assay.types import AnswerPath, Status
from assay.units import Task
from assay.units.declared import parse_unit
from assay.units.lint import lint_unit

WARRANTY = """
name: extract_warranty
summary: How long a warranty lasts, and what voids it.
triggers: [warranty, 保修]
arguments:
  product: {type: text, required: true}
fields:
  length:
    type: period
    question: How long is the warranty of the $product?
    question_zh: $product的保修期多长？
    keywords: {warranty: 2, 保修: 2}
    keywords_from: [product]
    label: warranty
  voided_by:
    type: {list: clause}
    question: Which sentences say what voids the warranty?
    question_zh: 哪些情况使保修失效？
    keywords: {void*: 2, warranty: 1, 失效: 2}
    must_have: [void*, 失效]
  transferable:
    type: {choice: ["yes", "no", not said]}
    question: May the warranty be transferred?
    question_zh: 保修能否转让？
    keywords: {transfer: 2, 转让: 2}
"""
TEXT = """The boiler comes with a warranty of five years from delivery. Opening the casing
shall void the warranty. The warranty may be transferred to a new owner."""


def one_field(**changes) -> bytes:
    field = {"type": "date", "question": "When is it?", "keywords": "{day: 1}", **changes}
    body = "".join(f"    {key}: {value}\n" for key, value in field.items())
    return f"name: extract_day\nsummary: The day.\nfields:\n  day:\n{body}".encode()


def test_a_unit_in_yaml_answers_as_one_in_python():
    unit = parse_unit(WARRANTY.encode())
    assert unit.triggers == ("warranty", "保修")
    backend = ScriptedBackend(
        lambda request: (
            '{"transferable": "yes"}'
            if "transferred" in request.messages[-1].content.rpartition("\n")[2]
            else CapacityError("full")
        )
    )

    async def work():
        async with AsyncAnalyzer(backend=backend) as analyzer:
            task = Task(unit, {"product": "boiler"})
            return (await analyzer.analyze(TEXT.encode(), units=[task])).results[unit.name]

    result = asyncio.run(work())
    assert result.fields["length"].value["duration"] == "P5Y"
    assert result.fields["length"].path is AnswerPath.SPECIALIST
    (voided,) = result.fields["voided_by"].value
    assert voided == "Opening the casing\nshall void the warranty."
    assert any("warranty of the boiler" in item.messages[-1].content for item in backend.requests)
    assert result.status is Status.OK


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe", "decode"),
        (b"name: [", "line 1"),
        (b"- a\n- b", "mapping|dictionary"),
        (b"name: extract_day\nsummary: The day.\nfields: {}", "fields"),
        (
            b"name: Extract-Day\nsummary: The day.\nfields: {d: {type: date, question: 'When is'}}",
            "name",
        ),
        (one_field(type="datetime"), "fields.day.type: 'datetime' is no type"),
        (one_field(type="{list: {list: dates}}"), r"fields.day.type.list.list: 'dates'"),
        (one_field(type="{choice: []}"), "is no type"),
        (one_field(type="{choice: [yes, no]}"), "quotes"),
        (one_field(keyword="{day: 1}"), "fields.day.keyword: Extra"),
        (one_field(keywords="{day: much}"), "fields.day.keywords.day"),
        (one_field(floor="2"), "fields.day.floor"),
        (one_field(keywords="{}"), "where in a document"),
        (one_field(question="When is the $thing?") + b"arguments: {what: {}}\n", "thing"),
        (b"a: &a [x, x]\nb: *a", "aliases"),
        (b"x: 1\n" * 20_000, "64 KiB"),
        (b"[" * 5_000, "units?|recursion"),
        (b"!!python/object/apply:os.system ['true']", "constructor"),
    ],
)
def test_what_no_unit_can_be_is_told_with_its_place(content, told):
    with pytest.raises(UnitDeclarationError, match=f"(?i){told}"):
        parse_unit(content)


def test_a_word_is_never_a_pattern():
    """A word that would run away as a regular expression costs no more than another."""
    unit = parse_unit(one_field(type="clause", must_have='["(a+)+$*", "x.y"]'))
    (fallback,) = unit.fields["day"].question.fallbacks
    started = time.perf_counter()
    assert not fallback.find("a" * 5_000 + " xzy shall be. " * 200)
    assert time.perf_counter() - started < 1


def test_what_is_unwise_is_said():
    unit = parse_unit(one_field(floor="0.9", question="Say when"))
    told = "\n".join(lint_unit(unit))
    for complaint in ("triggers", "no fallback", "question in Chinese", "keyword in Chinese",
                      "does not end", "floor is above"):  # fmt: skip
        assert complaint in told
    assert lint_unit(parse_unit(WARRANTY.encode())) == [
        "transferable: no fallback: it fails where the model does (give a label, or keywords of a "
        "clause)"
    ]
