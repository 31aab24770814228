"""A contract of 300,000 characters whose one governing law clause stands at nine tenths of it."""

from dataclasses import replace
from typing import Annotated

import pytest
from pydantic import create_model

from assay.analysis import Analyzer
from assay.errors import ModelNotPulledError
from assay.models.store import resolve_model
from assay.types import AnswerPath
from assay.units import Unit, get_unit

NUM_CHARS = 300_000
CLAUSE = "This Agreement shall be governed by and construed in accordance with the laws of Norway."
FILLERS = (
    "The Supplier shall deliver the goods listed in Schedule {n} within {m} days of each order.",
    "The Customer shall store lot {n} in dry rooms and inspect it at least {m} times a year.",
    "A notice under clause {n} takes effect {m} hours after it was sent to the registered office.",
    "Samples of lot {n} are kept for {m} months and are handed over when the Customer asks.",
)


def long_contract() -> tuple[str, int]:
    """The text, and where the clause stands in it."""
    pieces, length, place = ["SUPPLY AGREEMENT\n"], 17, 0
    number = 0
    while length < NUM_CHARS:
        number += 1
        sentence = FILLERS[number % len(FILLERS)].format(n=number, m=number % 89 + 2)
        if not place and length > 0.9 * NUM_CHARS:
            sentence, place = CLAUSE, length + len(f"\n{number}. ")
        pieces.append(f"\n{number}. {sentence}")
        length += len(pieces[-1])
    return "".join(pieces), place


def governing_law_by_the_model() -> Unit:
    """The catalogue's question, with nothing behind the model."""
    field = get_unit("extract_clause").fields["governing_law"]
    question = replace(field.question, fallbacks=(), floor=0.0)
    output = create_model("Law", law=(Annotated[field.annotation, question], None))
    return Unit("extract_law", "For the test.", output)


@pytest.mark.parametrize("slices", ["independent", "chained"])
def test_the_clause_is_found_in_bounded_memory(slices):
    """64 MiB hold 3,000 tokens of keys and values; the contract has more than 60,000."""
    try:
        resolve_model("smollm2")
    except ModelNotPulledError:
        pytest.skip("smollm2 is not pulled")
    text, place = long_contract()
    settings = {"kv_cache_bytes": 64 * 2**20, "slices": slices}
    with Analyzer(engine=settings) as analyzer:
        max_model_len = analyzer.backend.info.max_model_len
        dense = text[: place + len(CLAUSE)]
        assert analyzer.backend.count_tokens(dense) > 2 * max_model_len
        result = analyzer.analyze(text.encode(), units=[governing_law_by_the_model()])
    field = result.results["extract_law"].fields["law"]
    assert field.evidence[0].quote == CLAUSE == text[place : place + len(CLAUSE)]
    assert field.path is AnswerPath.MODEL
    assert result.usage.num_prompt_tokens < max_model_len
