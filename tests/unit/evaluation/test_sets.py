"""The sets: found by their files, reading rows, and judging what is right and wrong in each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import ConfigError, DocumentNotFoundError
from assay.evaluation import Case, Counts, Finding, Place, all_sets, get_set, sets
from assay.evaluation.matching import occurrences
from assay.evaluation.sets.tatqa import lay_out


def read_one(folder: Path, name: str, row: dict[str, Any]) -> Case:
    (folder / f"{name}_dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (case,) = get_set(name).read(folder, "dev")
    return case


def judge(name: str, case: Case, number: int, value: Any, *quotes: tuple[str, str]) -> Counts:
    """The counts of a value whose leaves (pointer, words) are quoted from the document."""
    document = case.source
    assert not isinstance(document, bytes)
    places = tuple(
        Place(*occurrences(document.text, words)[0], pointer) for pointer, words in quotes
    )
    return get_set(name).judge(case.asks[number], document, Finding(value, places))


def test_every_file_of_the_package_is_a_set_of_its_name() -> None:
    files = {path.stem for path in Path(str(sets.__file__)).parent.glob("*.py")} - {"__init__"}
    assert {item.name for item in all_sets()} == files


def test_an_unknown_set_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ConfigError, match="cuad"):
        get_set("cuda")


def test_a_set_without_its_file_says_which(tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match=r"cfpb_hidden\.jsonl"):
        list(get_set("cfpb").read(tmp_path, "hidden"))


def test_a_product_needs_a_quotation(tmp_path: Path) -> None:
    case = read_one(tmp_path, "cfpb", {"id": "1", "text": "loan rate", "product": "credit_card"})
    assert judge("cfpb", case, 0, "credit_card", ("", "rate")) == Counts(1, 1, 1)
    assert judge("cfpb", case, 0, "credit_card") == Counts(0, 1, 1)
    assert judge("cfpb", case, 0, "debt_collection", ("", "rate")) == Counts(0, 1, 1)
    assert judge("cfpb", case, 0, None) == Counts(0, 0, 1)


def test_requests_count_as_they_are_found(tmp_path: Path) -> None:
    row = {"id": "1", "text": "Call me.", "is_request": True}
    case = read_one(tmp_path, "email_intent", row)
    assert judge("email_intent", case, 0, True, ("", "Call me.")) == Counts(1, 1, 1)
    assert judge("email_intent", case, 0, False) == Counts(0, 0, 1)
    case = read_one(tmp_path, "email_intent", row | {"is_request": False})
    assert judge("email_intent", case, 0, True, ("", "Call me.")) == Counts(0, 1, 0)
    assert judge("email_intent", case, 0, False) == Counts(0, 0, 0)


TABLE = [["", "2019", "2018"], ["Rent", "$1,250", "1,000"], ["Heat", "300", "(250)"]]
QUESTIONS = [
    {"question": "Which rents?", "answer": ["$1,250", "1,000"], "scale": "thousand"}
    | {"answer_type": "multi-span", "derivation": ""},
    {"question": "Why?", "answer": ["the cold winter"], "scale": ""}
    | {"answer_type": "span", "derivation": ""},
    {"question": "Change of rent?", "answer": 25, "scale": "percent"}
    | {"answer_type": "arithmetic", "derivation": "(1,250-1,000)/1,000*100"},
    {"question": "How many items?", "answer": "2", "scale": ""}
    | {"answer_type": "count", "derivation": "Rent##Heat"},
]


@pytest.fixture
def report(tmp_path: Path) -> Case:
    paragraphs = [{"order": 1, "text": "Heat rose in the cold winter."}]
    row = {"id": "1", "table": TABLE, "paragraphs": paragraphs, "questions": QUESTIONS}
    return read_one(tmp_path, "tatqa", row)


def test_a_table_is_laid_out_row_by_row_above_its_paragraphs(report: Case) -> None:
    text = (
        " | 2019 | 2018\nRent | $1,250 | 1,000\nHeat | 300 | (250)\n\nHeat rose in the cold winter."
    )
    assert lay_out(TABLE, [{"order": "1", "text": "Heat rose in the cold winter."}]) == text
    assert [ask.arguments["question"] for ask in report.asks] == [
        item["question"] for item in QUESTIONS
    ]


def test_spans_need_all_texts_their_places_and_the_scale(report: Case) -> None:
    quotes = ("/spans/0", "$1,250"), ("/spans/1", "1,000")
    value = {"spans": ["$1,250", "1,000"], "scale": "thousand"}
    assert judge("tatqa", report, 0, value, *quotes) == Counts(1, 1, 1)
    assert judge("tatqa", report, 0, value, quotes[0]) == Counts(0, 1, 1)
    assert judge("tatqa", report, 0, value | {"scale": "million"}, *quotes) == Counts(0, 1, 1)
    assert judge("tatqa", report, 0, value | {"spans": ["$1,250"]}, quotes[0]) == Counts(0, 1, 1)


def test_articles_make_no_difference_to_a_span(report: Case) -> None:
    value = {"spans": ["cold winter"], "scale": None}
    assert judge("tatqa", report, 1, value, ("/spans/0", "cold winter")) == Counts(1, 1, 1)


def test_a_number_needs_its_operands_quoted(report: Case) -> None:
    value = {"number": "25.0", "scale": "percent"}
    operands = ("/operands/0", "1,250"), ("/operands/1", "1,000")
    assert judge("tatqa", report, 2, value, *operands) == Counts(1, 1, 1)
    assert judge("tatqa", report, 2, value, operands[0]) == Counts(0, 1, 1)
    assert judge("tatqa", report, 2, value | {"number": "-25"}, *operands) == Counts(0, 1, 1)
    assert judge("tatqa", report, 2, value | {"number": "25.01"}, *operands) == Counts(0, 1, 1)


def test_a_count_quotes_as_many_places_as_it_counts(report: Case) -> None:
    value = {"number": "2", "scale": None}
    assert judge("tatqa", report, 3, value, ("/a", "Rent"), ("/b", "Heat")) == Counts(1, 1, 1)
    assert judge("tatqa", report, 3, value, ("/a", "Rent")) == Counts(0, 1, 1)


def lawbench(folder: Path, task: str, gold: Any, **others: Any) -> Case:
    text = "张三盗走李四手机一部和现金300元，共价值1500元，手机价值1200元，张三逃离。"
    row = {"id": "1", "task": task, "text": text, "gold": gold, "instruction": ""} | others
    return read_one(folder, "lawbench_zh", row)


def test_entities_count_one_by_one_and_a_repeated_one_once(tmp_path: Path) -> None:
    gold = [{"type": "犯罪嫌疑人", "text": "张三"}, {"type": "受害人", "text": "李四"}]
    case = lawbench(tmp_path, "zh_theft_ner", [*gold, gold[0]])
    fields = [ask.unit_field for ask in case.asks]
    suspects, victims = fields.index("suspects"), fields.index("victims")
    assert {ask.field for ask in case.asks} == {"entities"}
    assert judge("lawbench_zh", case, suspects, ["张三"], ("/0", "张三")) == Counts(1, 1, 1)
    assert judge("lawbench_zh", case, victims, ["张三"], ("/0", "张三")) == Counts(0, 1, 1)
    assert judge("lawbench_zh", case, victims, ["李四", "手机"], ("/0", "李四")) == Counts(1, 2, 1)


def test_a_total_is_explained_by_the_amounts_quoted(tmp_path: Path) -> None:
    case = lawbench(tmp_path, "zh_total_amount", 1500.0)
    value = {"amount": "1500"}
    parts = ("/operands/0", "300元"), ("/operands/1", "1200元")
    assert judge("lawbench_zh", case, 0, value, *parts) == Counts(1, 1, 1)
    assert judge("lawbench_zh", case, 0, value, ("/operands/0", "1500元")) == Counts(1, 1, 1)
    assert judge("lawbench_zh", case, 0, value, parts[0]) == Counts(0, 1, 1)
    assert judge("lawbench_zh", case, 0, {"amount": "1200"}, parts[1]) == Counts(0, 1, 1)


def test_reading_is_measured_in_characters(tmp_path: Path) -> None:
    case = lawbench(tmp_path, "zh_mrc", ["现金300元"], question="盗走多少现金？")
    counts = judge("lawbench_zh", case, 0, ["300元"], ("/0", "300元"))
    assert counts == Counts(pytest.approx(0.8), 1, 1)
    assert case.asks[0].arguments == {"question": "盗走多少现金？"}


def test_triggers_are_words(tmp_path: Path) -> None:
    instruction = "…事件，事件包括：盗窃,逃跑。请直接给出…"
    case = lawbench(tmp_path, "zh_trigger", ["盗走", "逃离"], instruction=instruction)
    assert case.asks[0].arguments == {"events": ["盗窃", "逃跑"]}
    value, quotes = ["盗走", "张三"], (("/0", "盗走"), ("/1", "张三"))
    assert judge("lawbench_zh", case, 0, value, *quotes) == Counts(1, 2, 2)


CONTRACT = "Lease. Either party may assign it. The tenant insures the house. Insured it stays."


def test_a_contract_is_asked_for_what_lawyers_labelled(tmp_path: Path) -> None:
    sentence = "The tenant insures the house."
    start = CONTRACT.index(sentence)
    span = {"start": start, "end": start + len(sentence), "text": sentence}
    clauses = {
        "Insurance": {"answer": "Yes", "spans": [span]},
        "Audit Rights": {"answer": "No", "spans": []},
    }
    case = read_one(tmp_path, "cuad", {"id": "1", "text": CONTRACT, "clauses": clauses})
    number = {ask.field: index for index, ask in enumerate(case.asks)}
    assert set(number) == {"insurance", "audit_rights"}
    found = judge("cuad", case, number["insurance"], [sentence], ("/0", sentence))
    assert found == Counts(1.0, 1, 1)
    half = judge("cuad", case, number["insurance"], ["x"], ("/0", "The tenant ins"))
    assert 0 < half.num_right < 1
    assert judge("cuad", case, number["insurance"], None) == Counts(0, 0, 1)
    assert judge("cuad", case, number["audit_rights"], ["x"], ("/0", "Lease.")) == Counts(0, 1, 0)
