"""Leaves that are computed from others when an answer is lifted."""

from assay.units.catalogue import get_unit
from assay.units.lifting import lift


def lifted(*parts):
    field = get_unit("sum_amounts").fields["total"]
    return lift(field.annotation, {"parts": list(parts)})


def test_total_is_the_exact_sum():
    """A sum of decimals has no rounding error."""
    assert lifted("0.1元", "0.2元").value["amount"] == "0.3"


def test_total_of_what_reads_in_two_ways_is_not_computed():
    """Where a part is ambiguous, so is the sum."""
    total = lifted("5元", "人民币2，847元")
    assert total.value["amount"] is None
    assert "/parts/1" in total.ambiguous


def test_model_is_not_asked_for_what_is_computed():
    """The schema that constrains a model has no place for a computed leaf."""
    field = get_unit("sum_amounts").fields["total"]
    (total, _null) = field.schema["properties"]["total"]["anyOf"]
    assert list(total["properties"]) == ["parts"]
