"""What speaks for an answer never lowers its confidence, in the shipped weights."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.analysis.confidence import confidence_of, shipped_calibrator
from assay.analysis.evidence import DIRECTIONS
from assay.types import AnswerPath
from assay.units.answer import Signals

shares = st.floats(0, 1)
signals = st.builds(
    Signals,
    path=st.sampled_from(AnswerPath),
    family=st.sampled_from(["extract_date.agreement", "extract_new.field"]),
    probability=shares,
    margin=shares,
    entropy=st.floats(0, 5),
    num_decided=st.integers(0, 60),
    score=shares,
    relevance=st.floats(0, 30),
    agreement=st.none() | shares,
    num_silent=st.integers(0, 3),
    num_complaints=st.integers(0, 3),
    num_passed=st.integers(0, 3),
    num_occurrences=st.integers(0, 9),
    quality=shares,
    document_quality=shares,
    route_margin=shares,
)
#: By the name of a signal, which way it moves a confidence.
MOVES = {
    "probability": 1,
    "margin": 1,
    "entropy": -1,
    "score": 1,
    "num_silent": -1,
    "num_complaints": -1,
    "num_passed": 1,
    "quality": 1,
    "document_quality": 1,
    "route_margin": 1,
}


@settings(deadline=None)
@given(signals, st.sampled_from(sorted(MOVES)), st.data())
def test_more_of_what_speaks_for_an_answer_never_lowers_its_confidence(item, name, data):
    other = data.draw(signals)
    low, high = sorted([getattr(item, name), getattr(other, name)])
    if MOVES[name] < 0:
        low, high = high, low
    worse, better = replace(item, **{name: low}), replace(item, **{name: high})
    assert confidence_of(better) >= confidence_of(worse) - 1e-5


@settings(deadline=None)
@given(signals, shares, shares)
def test_more_agreement_never_lowers_a_confidence(item, one, other):
    low, high = sorted([one, other])
    worse, better = replace(item, agreement=low), replace(item, agreement=high)
    assert confidence_of(better) >= confidence_of(worse) - 1e-5


def test_the_shipped_weights_point_where_they_must():
    network = shipped_calibrator().network
    for index, direction in enumerate(DIRECTIONS.values()):
        if direction:
            assert (network.linear[:, index] * direction >= 0).all()
            assert (network.first[:, index] * direction >= 0).all()
    assert (network.second >= 0).all()
    assert (network.last >= 0).all()
