"""From a type to what a model may write, and from what it wrote to the value."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel

from assay.errors import UnitDeclarationError
from assay.units.fields import (
    Clause,
    CopiedFrom,
    Date,
    Money,
    Percentage,
    Period,
    Verbatim,
)
from assay.units.lifting import lift
from assay.units.schemas import generation_schema, sole_kind


class Party(BaseModel):
    name: Verbatim
    role: Verbatim | None = None


class Payment(BaseModel):
    what: Verbatim
    amount: Money


def test_copied_strings_carry_their_granularity():
    assert generation_schema(Verbatim) == {"type": "string", "x-verbatim": "word"}
    assert generation_schema(Clause) == {"type": "string", "x-verbatim": "sentence"}
    assert generation_schema(Annotated[str, CopiedFrom("char")])["x-verbatim"] == "char"


def test_an_optional_type_may_be_null():
    assert generation_schema(Clause | None)["anyOf"][1] == {"type": "null"}


def test_a_list_has_at_least_one_item_and_at_most_the_questions_number():
    schema = generation_schema(list[Party], max_items=3)
    assert (schema["minItems"], schema["maxItems"]) == (1, 3)
    assert schema["items"]["required"] == ["name", "role"]
    assert schema["items"]["additionalProperties"] is False


def test_values_of_one_kind_are_chosen_whole_and_mixed_ones_word_by_word():
    assert sole_kind(list[Money]) is Money
    assert generation_schema(Date)["x-verbatim"] == "sentence"
    assert sole_kind(Payment) is None
    assert generation_schema(Payment)["properties"]["amount"]["x-verbatim"] == "word"


def test_choices_are_enumerated():
    assert generation_schema(Literal["yes", "no"]) == {"enum": ["yes", "no"]}


@pytest.mark.parametrize("annotation", [str, int, dict[str, str], float | None])
def test_what_a_model_could_invent_cannot_be_asked_for(annotation):
    with pytest.raises(UnitDeclarationError, match="use Verbatim"):
        generation_schema(annotation)


@pytest.mark.parametrize(
    ("annotation", "text", "expected"),
    [
        (Date, "January 5, 2013", {"text": "January 5, 2013", "iso": "2013-01-05"}),
        (Percentage, "1.5 per cent", {"text": "1.5 per cent", "percent": "1.5"}),
        (Money, "US$1,200.50", {"text": "US$1,200.50", "amount": "1200.50", "currency": "USD"}),
    ],
)
def test_normalised_values_stand_beside_the_copied_text(annotation, text, expected):
    assert lift(annotation, text).value == expected


def test_a_period_is_an_iso_duration():
    assert lift(Period, "thirty (30) days").value["duration"] == "P30D"


def test_what_the_text_leaves_open_is_reported_with_its_readings():
    lifted = lift(list[Date] | None, ["12.03.2025"])
    assert {reading["iso"] for reading in lifted.ambiguous["/0"]} == {"2025-03-12", "2025-12-03"}
    assert lifted.value == [{"text": "12.03.2025", "iso": None}]


def test_a_span_that_does_not_read_as_its_kind_is_a_complaint_and_not_a_value():
    lifted = lift(Date, "Supplier")
    assert lifted.value == {"text": "Supplier", "iso": None}
    assert lifted.complaints == ["the answer does not read as a date"]


def test_objects_and_nulls_are_lifted_leaf_by_leaf():
    lifted = lift(list[Party], [{"name": "Acme", "role": None}])
    assert lifted.value == [{"name": "Acme", "role": None}]


@pytest.mark.parametrize(
    ("document", "currency"),
    [
        ("All prices are in US dollars. You owe $40.00.", "USD"),
        ("The fee is CAD 12. You owe $40.00.", "CAD"),
        ("应付美元。共 $40.00。", "USD"),
        ("USD or CAD, as agreed. You owe $40.00.", None),
        ("Some pounds, some dollars. You owe $40.00.", None),
        ("EUR 3. You owe $40.00.", None),
    ],
)
def test_a_mark_of_several_currencies_is_the_one_that_the_document_names(document, currency):
    lifted = lift(Money, "$40.00", document)
    assert lifted.value["currency"] == currency
    assert bool(lifted.ambiguous) is (currency is None)
