"""What holds for every fallback: order, spans, regions, time."""

import time

import pytest

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Fallback, rank, scan_spans
from assay.units.fallbacks.clause import ClauseFallback, ClauseHeuristic
from assay.units.fallbacks.date import DateFallback, DateHeuristic
from assay.units.fallbacks.deductible import DeductibleFallback
from assay.units.fallbacks.document_name import DocumentNameFallback, DocumentNameHeuristic
from assay.units.fallbacks.jurisdiction import GoverningLawFallback, GoverningLawHeuristic
from assay.units.fallbacks.money import MoneyFallback, MoneyHeuristic
from assay.units.fallbacks.obligation import ObligationFallback, ObligationHeuristic
from assay.units.fallbacks.party import PartyFallback, PartyHeuristic
from assay.units.fallbacks.payment_terms import (
    PaymentPeriodFallback,
    PaymentTermsFallback,
    PaymentTermsHeuristic,
)
from assay.units.fallbacks.percentage import PercentageFallback, PercentageHeuristic

ALL: list[Fallback] = [
    PartyFallback(),
    PartyHeuristic(),
    *(DateFallback(kind) for kind in ("agreement", "effective", "expiry")),
    *(DateHeuristic(kind) for kind in ("agreement", "effective", "expiry")),
    *(ClauseFallback(kind) for kind in ("governing_law", "termination", "renewal")),
    *(ClauseHeuristic(kind) for kind in ("assignment", "liability_cap")),
    DocumentNameFallback(),
    DocumentNameHeuristic(),
    GoverningLawFallback(),
    GoverningLawHeuristic(),
    MoneyFallback(),
    MoneyHeuristic(),
    ObligationFallback(),
    ObligationHeuristic(),
    PercentageFallback(),
    PercentageHeuristic(),
    PaymentTermsFallback(),
    PaymentPeriodFallback(),
    PaymentTermsHeuristic(),
]
_TEXT = (
    "SUPPLY AND SERVICE AGREEMENT\n"
    'AGREEMENT dated May 3, 2019 (the "Effective Date") by and between Alder Inc. ("Seller") and '
    'Birch Ltd. ("Buyer"). Buyer shall pay each invoice of $1,200.00 within thirty (30) days of '
    "receipt. The discount rate is 5%. Total 1,200.00. Rate (%) 7. The term of this Agreement is "
    "three (3) years from the Effective Date; it shall automatically renew for successive terms of "
    "one (1) year. Either party may terminate this Agreement at any time upon written notice. "
    "Neither party may assign this Agreement without consent. In no event shall the aggregate "
    "liability of a party exceed the price, nor is it liable for consequential damages. This "
    "Agreement is governed by the laws of Utah. It expires on May 2, 2022."
)


@pytest.mark.parametrize("fallback", ALL, ids=repr)
def test_candidates_come_best_first_with_honest_scores(fallback: Fallback) -> None:
    """Scores fall and lie between 0 and 1; no two candidates have one span; parts are spans."""
    found = fallback.find(_TEXT)
    assert found
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert len({(item.start, item.end) for item in found}) == len(found)
    for item in found:
        assert 0 <= item.start < item.end <= len(_TEXT)
        assert 0 < item.score < 1
        assert all(0 <= start < end <= len(_TEXT) for start, end in item.parts.values())


@pytest.mark.parametrize("fallback", ALL, ids=repr)
def test_nothing_is_found_outside_the_regions(fallback: Fallback) -> None:
    """Every candidate lies in one region; no region, no candidate; an empty text gives none."""
    half = len(_TEXT) // 2
    for item in fallback.find(_TEXT, [(0, half)]):
        assert item.end <= half
    assert list(fallback.find(_TEXT, [])) == []
    assert list(fallback.find("")) == []


def test_rules_and_weights_are_told_apart_by_their_path() -> None:
    """The path says which step of the chain answered."""
    for fallback in ALL:
        heuristic = type(fallback).__name__.endswith("Heuristic")
        assert fallback.path is (AnswerPath.HEURISTIC if heuristic else AnswerPath.SPECIALIST)


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "1 ",
        "and ",
        "one ",
        "Inc. ",
        '("',
        "January ",
        "_",
        "terminate ",
        "Party shall ",
        "excess ",
        "一万",
        "\n",
        "$",
    ],
)
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    """Text made to trip a pattern that backtracks takes about as long again when doubled."""
    fallbacks = [
        PartyFallback(),
        DateFallback("expiry"),
        ClauseFallback("termination"),
        DocumentNameFallback(),
        GoverningLawFallback(),
        MoneyFallback(),
        ObligationFallback(),
        DeductibleFallback(),
    ]

    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        start = time.process_time()
        for fallback in fallbacks:
            fallback.find(text)
        return time.process_time() - start

    assert seconds(8_000) < 8 * seconds(2_000) + 0.05


def test_rank_keeps_the_best_of_one_span_and_orders_ties_by_place() -> None:
    """Equal scores keep document order."""
    ranked = rank([Candidate(5, 9, 0.4), Candidate(0, 4, 0.4), Candidate(5, 9, 0.8)])
    assert [(item.start, item.score) for item in ranked] == [(5, 0.8), (0, 0.4)]


def test_regions_are_clipped_sorted_and_joined() -> None:
    """None means everything; overlapping and touching regions are one."""
    assert scan_spans("abcdef", None) == ((0, 6),)
    assert scan_spans("abcdef", [(4, 99), (0, 2), (1, 3), (5, 5)]) == ((0, 3), (4, 6))
