"""Which confidence a precision takes: never less than the answers judged bear out."""

import pytest

from assay.analysis.abstention import (
    UNREACHABLE,
    Abstention,
    abstention_as_json,
    bound_of,
    check_min_precision,
    make_curve,
    read_abstention,
    shipped_abstention,
)
from assay.errors import ConfigError, PrecisionUnreachableError

#: Six thousand answers, right as often as they say.
HONEST = [(n / 6000, float((n * 7919) % 6000 < n)) for n in range(1, 6001)]
CURVES = Abstention(make_curve(HONEST), {"sure.one": make_curve([(0.9, 1.0)] * 200)})


def right_from(confidence):
    kept = [right for said, right in HONEST if said >= confidence]
    return sum(kept) / len(kept)


@pytest.mark.parametrize("asked", [0.6, 0.8, 0.9])
def test_what_is_given_is_right_so_often(asked):
    needed = CURVES.confidence_for(asked, "some.field")
    assert right_from(needed) >= asked
    assert needed < asked + 0.1


def test_more_precision_takes_more_confidence():
    needed = [CURVES.confidence_for(asked, "") for asked in (0.55, 0.7, 0.85, 0.95)]
    assert needed == sorted(needed)
    assert needed[0] < needed[-1]


def test_a_field_with_many_answers_is_judged_by_its_own():
    assert CURVES.confidence_for(0.95, "sure.one") == pytest.approx(0.9)
    never = Abstention(CURVES.overall, {"bad.one": make_curve([(0.9, 0.0)] * 200)})
    assert never.confidence_for(0.9, "bad.one") == UNREACHABLE


def test_what_no_answer_reaches_is_refused_with_what_can_be_asked_for():
    with pytest.raises(PrecisionUnreachableError, match=r"0\.9\d+ or less"):
        CURVES.confidence_for(0.9999, "")


def test_few_answers_bind_less_than_many():
    assert bound_of(0.9, 10) < bound_of(0.9, 1000) < 0.9
    assert bound_of(1.0, 20) < 0.95


def test_equally_sure_answers_are_never_parted():
    curve = make_curve([(0.5, 1.0)] * 10 + [(0.5, 0.0)] * 10)
    assert [(point.confidence, point.precision) for point in curve] == [(0.5, 0.5)]


def test_curves_are_read_as_they_were_written():
    again = read_abstention(abstention_as_json(CURVES))
    assert again.confidence_for(0.8, "") == pytest.approx(CURVES.confidence_for(0.8, ""), abs=1e-4)


@pytest.mark.parametrize("asked", [0.0, 1.0, -0.5, 2.0])
def test_a_precision_is_a_share(asked):
    with pytest.raises(ConfigError):
        check_min_precision(asked)


def test_the_shipped_curves_reach_nine_in_ten():
    check_min_precision(0.9)
    assert 0 < shipped_abstention().confidence_for(0.9, "") <= 1
