"""Fields worked out from others: values, readings, evidence, failures; units that need units."""

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import Annotated

import pytest
from pydantic import BaseModel

from assay.analysis import AsyncAnalyzer, ChainTable
from assay.backends.scripted import ScriptedBackend
from assay.errors import CapacityError, UnitArgumentError, UnitDeclarationError
from assay.types import AnswerPath, ErrorInfo, Evidence, FieldResult, Status
from assay.units import Computed, Money, Question, Task, Unit, get_unit
from assay.units.computed import ComputedField, compute
from assay.units.fallbacks.mentions import EveryMention


def ok(value, confidence=0.9, **rest) -> FieldResult:
    quote = Evidence(3, 5, "12", None, "/n")
    return FieldResult(Status.OK, value, (quote,), confidence, AnswerPath.MODEL, **rest)


def field(function, *of) -> ComputedField:
    return ComputedField("sum", Computed(of, function), "unit.sum")


def add(operands, arguments):
    return str(sum(map(Decimal, operands.values())) + arguments.get("more", 0))


SUM = field(add, "a", "b")


def test_it_is_worked_out_with_the_operands_quotations_and_the_least_confidence():
    result = compute(SUM, {"a": ok("1.10"), "b": ok("2.20", 0.6)}, {"more": Decimal(1)})
    assert (result.status, result.value, result.confidence) == (Status.OK, "4.30", 0.6)
    assert [(item.start, item.pointer) for item in result.evidence] == [(3, "/sum")]


def test_an_operand_that_is_absent_or_failed_decides():
    absent = FieldResult(Status.ABSENT, None, (), 0.8, None)
    failed = FieldResult(Status.ERROR, None, (), 0.0, None, ErrorInfo("capacity", "full"))
    assert compute(SUM, {"a": ok("1"), "b": absent}, {}).status is Status.ABSENT
    assert compute(SUM, {"a": absent, "b": failed}, {}).error.code == "capacity"


def test_readings_that_lead_to_the_same_leave_nothing_open():
    open_result = replace(
        ok({"n": None}),
        status=Status.AMBIGUOUS,
        candidates=({"pointer": "/n", "readings": [3, 4]},),
    )
    above = field(lambda values, _: values["a"]["n"] > 2, "a")
    assert compute(above, {"a": open_result}, {}).value is True
    parity = field(lambda values, _: values["a"]["n"] % 2, "a")
    result = compute(parity, {"a": open_result}, {})
    assert (result.status, result.value) == (Status.AMBIGUOUS, None)
    assert result.candidates == ({"pointer": "", "readings": [1, 0]},)


def add_up(operands, _arguments):
    return str(sum(Decimal(item["amount"]) for item in operands["extract_currency.amounts"]))


class Totals(BaseModel):
    total: Annotated[str | None, Computed(("extract_currency.amounts",), add_up)] = None


TOTAL = Unit("total_amount", "The sum of all amounts.", Totals)
LETTER = b"Please pay $1,250.00 for March and $40.50 for April."


def analyze(units, source=LETTER, backend=None):
    backend = backend or ScriptedBackend(CapacityError("full") for _ in range(9))

    async def run():
        async with AsyncAnalyzer(backend=backend) as analyzer:
            return await analyzer.analyze(source, units=units)

    return asyncio.run(run())


def test_a_unit_can_be_computed_from_another_unit():
    analysis = analyze([TOTAL])
    assert list(analysis.results) == ["total_amount"]
    result = analysis.results["total_amount"]
    assert result.value == {"total": "1290.50"}
    assert [item.quote for item in result.evidence] == ["$1,250.00", "$40.50"]


def test_what_was_asked_for_as_well_runs_once():
    backend = ScriptedBackend(CapacityError("full") for _ in range(9))
    analysis = analyze(["extract_currency", TOTAL], backend=backend)
    assert analysis.results["total_amount"].value == {"total": "1290.50"}
    assert len(backend.requests) == 1


def test_code_that_fails_fails_its_field_alone():
    class Broken(BaseModel):
        amounts: Annotated[
            list[Money] | None,
            Question("Which?", keywords={"owe": 1.0}, fallbacks=(EveryMention(Money),)),
        ] = None
        share: Annotated[str | None, Computed(("amounts",), lambda values, _: 1 // 0)] = None

    result = analyze([Unit("share_of_amounts", "A share.", Broken)]).results["share_of_amounts"]
    assert result.status is Status.PARTIAL
    assert result.error.code == "unit_failed"
    assert len(result.value["amounts"]) == 2


@pytest.mark.parametrize(
    ("operand", "told"),
    [
        ("extract_nothing.x", "no unit"),
        ("extract_currency.x", "not there"),
        ("compare_periods.first", "arguments"),
    ],
)
def test_what_is_needed_must_be_there(operand, told):
    class Output(BaseModel):
        it: Annotated[str | None, Computed((operand,), lambda values, _: None)] = None

    with pytest.raises(UnitDeclarationError, match=told):
        analyze([Unit("needs_another", "It.", Output)])


def test_a_field_of_the_unit_itself_must_come_before():
    class Output(BaseModel):
        first: Annotated[str | None, Computed(("second",), lambda values, _: None)] = None
        second: Annotated[str | None, Computed(("first",), lambda values, _: None)] = None

    with pytest.raises(UnitDeclarationError, match="computed from 'second'"):
        Unit("goes_round", "It.", Output)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("extract_date", {"x": 1}, "no arguments"),
        ("compare_numeric_range", {"what": "fee", "lo": 1}, "no argument 'lo'"),
        ("compare_numeric_range", {"low": 1}, "what"),
        ("compare_numeric_range", {"what": "fee", "low": "x"}, "low"),
        ("compare_numeric_range", {"what": "fee"}, "low, high or both"),
        ("validate_date_format", {"format": "words"}, "YYYY"),
    ],
)
def test_arguments_are_checked_before_anything_runs(name, arguments, told):
    with pytest.raises(UnitArgumentError, match=told):
        Task(get_unit(name), arguments)


def test_what_is_needed_is_answered_by_the_chain_that_is_set_for_it():
    backend = ScriptedBackend(CapacityError("full") for _ in range(9))

    async def work():
        chains = ChainTable.from_mapping({"units": {"extract_currency": "rules-only"}})
        async with AsyncAnalyzer(backend=backend, chains=chains) as analyzer:
            return await analyzer.analyze(LETTER, units=[TOTAL, "extract_currency"])

    assert asyncio.run(work()).results["total_amount"].value == {"total": "1290.50"}
    assert backend.requests == []
