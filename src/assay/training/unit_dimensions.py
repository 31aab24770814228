"""Which dimensions a request for a unit has, as the labelled requests are labelled.

A request has those of its units together. What a request is about decides, not what the value looks
like: the number that names a policy is an entity, a deadline to pay is a rule about time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from assay.routing.descriptor import DIMENSIONS

UNIT_DIMENSIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "answer_question": (),
        "check_statement": ("clause",),
        "classify_complaint": ("sentiment",),
        "classify_document": ("entity",),
        "classify_sentiment": ("sentiment",),
        "compare_numeric_range": ("numeric",),
        "compare_periods": ("temporal",),
        "detect_complaint": ("sentiment",),
        "detect_request": (),
        "extract_address": ("entity",),
        "extract_clause": ("clause",),
        "extract_currency": ("numeric",),
        "extract_date": ("temporal",),
        "extract_deductible": ("numeric",),
        "extract_event": ("temporal",),
        "extract_identifier": ("entity",),
        "extract_issue_date": ("temporal",),
        "extract_issuer": ("entity",),
        "extract_number": ("numeric",),
        "extract_obligation": ("clause",),
        "extract_party": ("entity",),
        "extract_payment_terms": ("clause", "temporal"),
        "extract_penalty": ("numeric", "clause"),
        "extract_percentage": ("numeric",),
        "extract_theft": ("entity",),
        "extract_total": ("numeric",),
        "sum_amounts": ("numeric",),
        "validate_date_format": ("temporal",),
    }
)
#: Units that only a request which clearly means them should reach.
RARE_UNITS = frozenset(
    {
        "answer_question", "classify_complaint", "detect_request", "extract_event",
        "extract_issue_date", "extract_issuer", "extract_penalty", "extract_theft", "sum_amounts",
    }
)  # fmt: skip
#: Units whose requests name what other units find ("is the rent above 900?"), which takes more
#: wordings to tell apart: how often the grammar asks for them, beside 1.
OFTEN_WORDED: Mapping[str, float] = MappingProxyType(
    {"check_statement": 1.5, "compare_numeric_range": 2.0, "compare_periods": 1.5}
)


def dimensions_of(units: Iterable[str]) -> tuple[str, ...]:
    """Those of all units together, in order."""
    found = {name for unit in units for name in UNIT_DIMENSIONS[unit]}
    return tuple(name for name in DIMENSIONS if name in found)
