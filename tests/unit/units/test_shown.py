"""Labels that a model writes: each has the words that speak for it, or is taken out."""

import asyncio

import pytest

from assay.backends.scripted import ScriptedBackend
from assay.documents.sentences import sentences
from assay.types import AnswerPath
from assay.units import get_unit
from assay.units.chain import MODEL_FIRST
from assay.units.machine import FieldRun, FieldTask
from tests.support.excerpts import make_excerpt

LEASE = (
    "Rent is due on the first of each month.\n\n"
    "7.2 For any late payment the Tenant shall pay a penalty equal to 10% of the rent.\n\n"
    "7.3 If the Landlord delivers late it owes liquidated damages of EUR 50 a day."
)
POLICY = "The policy excess is GBP 250 for each and every loss. The limit is GBP 9,000 a year."


def answered(unit_name, field, text, value, arguments=None):
    """What the machine makes of a model's answer to a field."""
    unit = get_unit(unit_name)
    backend = ScriptedBackend([{field: value}])
    bounds = tuple(offset for span in sentences(text) for offset in span)
    task = FieldTask(
        unit=unit,
        field=unit.fields[field],
        document_text=text,
        excerpt=make_excerpt(text, [(0, len(text), bounds)]),
        relevance=1.0,
        chinese=False,
        backend=backend,
        confidence=lambda _signals: 0.9,
        chain=MODEL_FIRST,
        arguments=arguments or {},
    )
    answer = asyncio.run(FieldRun(task).run()).answers[0]
    assert answer.signals.path is AnswerPath.MODEL
    return answer, {item.pointer: text[item.start : item.end] for item in answer.standings}


def penalty(**leaves):
    return {"id": None, "amount": None, "currency": None, "trigger": [], **leaves}


def test_labels_stand_where_the_clause_says_so() -> None:
    """A currency that the clause does not name is shown by the sums of the document."""
    said = penalty(id="7.2", amount="10%", currency="EUR", trigger=["late_payment"])
    answer, evidence = answered("extract_penalty", "clauses", LEASE, [said])
    assert answer.value == [said]
    assert not answer.complaints
    assert evidence == {
        "/0/id": "7.2",
        "/0/amount": "10%",
        "/0/currency": "EUR",
        "/0/trigger/0": "late payment",
    }


def test_what_no_word_speaks_for_is_taken_out_and_said() -> None:
    """Words of another clause do not speak for it, and the rest keeps its evidence."""
    said = penalty(amount="EUR 50", currency="USD", trigger=["non_compete", "late_delivery"])
    answer, evidence = answered("extract_penalty", "clauses", LEASE, [said])
    assert answer.value == [penalty(amount="EUR 50", trigger=["late_delivery"])]
    assert evidence == {"/0/amount": "EUR 50", "/0/trigger/0": "delivers late"}
    assert len(answer.complaints) == 2
    assert "'non_compete'" in answer.complaints[1]
    assert answer.signals.num_complaints == 2


def test_a_sign_of_several_currencies_speaks_for_each() -> None:
    text = LEASE.replace("EUR 50", "$50")
    said = penalty(amount="$50", currency="CAD", trigger=["late_delivery"])
    _, evidence = answered("extract_penalty", "clauses", text, [said])
    assert evidence["/0/currency"] == "$"


@pytest.mark.parametrize(
    ("basis", "shown"), [("per_occurrence", "each and every loss"), ("per_person", None)]
)
def test_what_a_deductible_counts_on(basis, shown) -> None:
    clause = POLICY.partition(". ")[0] + "."
    said = {"clause": clause, "amount": None, "percent": None, "basis": basis}
    answer, evidence = answered("extract_deductible", "deductibles", POLICY, [said])
    assert answer.value[0]["basis"] == (basis if shown else None)
    assert evidence.get("/0/basis") == shown


def test_a_verdict_stands_where_its_sentence_does() -> None:
    sentence = "Rent is due on the first of each month."
    said = {"verdict": "contradicted", "evidence": sentence}
    arguments = {"statement": "Rent is paid yearly."}
    answer, evidence = answered("check_statement", "check", LEASE, said, arguments)
    assert answer.value["verdict"] == "contradicted"
    assert evidence == {"/verdict": sentence, "/evidence": sentence}


@pytest.mark.parametrize(
    ("unit", "field", "label", "shown"),
    [
        ("classify_sentiment", "sentiment", "negative", "I am very disappointed."),
        ("classify_sentiment", "sentiment", "positive", None),
        ("classify_sentiment", "sentiment", "neutral", "My parcel came today."),
        ("detect_request", "is_request", True, "Please send me another one."),
    ],
)
def test_a_label_of_the_whole_text_has_its_sentence(unit, field, label, shown) -> None:
    text = "My parcel came today. I am very disappointed. Please send me another one."
    answer, evidence = answered(unit, field, text, label)
    assert answer.value == (label if shown else None)
    assert evidence.get("") == shown
