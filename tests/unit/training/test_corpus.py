"""Documents with questions: what is read, how it is cut and how it is split."""

from __future__ import annotations

import json

import pytest
from tiny_corpus import write_contracts

from assay.errors import InputError
from assay.training.corpus import fold, read_corpus

ALL = {"contracts": (100, 100)}


def test_every_question_quotes_its_document(tmp_path) -> None:
    corpus = read_corpus(write_contracts(tmp_path, 12), ALL, max_questions=3)
    examples = [*corpus.training, *corpus.held_out]
    assert len(examples) == 12
    for example in examples:
        assert len(example.questions) == 2  # a label without a span is not asked for
        assert all(question.quote in example.document for question in example.questions)


def test_a_third_of_the_documents_is_held_out_whatever_else_is_there(tmp_path) -> None:
    few = read_corpus(write_contracts(tmp_path / "few", 30), ALL, max_questions=1)
    many = read_corpus(write_contracts(tmp_path / "many", 60), ALL, max_questions=1)
    names = {example.name for example in few.held_out}
    assert names <= {example.name for example in many.held_out}
    assert not names & {example.name for example in many.training}
    assert 12 <= len(many.held_out) <= 28


def test_the_digest_tells_corpora_apart(tmp_path) -> None:
    one = read_corpus(write_contracts(tmp_path / "one", 12), ALL, max_questions=1)
    same = read_corpus(write_contracts(tmp_path / "same", 12), ALL, max_questions=1)
    other = read_corpus(write_contracts(tmp_path / "other", 12), ALL, max_questions=2)
    assert one.digest == same.digest != other.digest


def test_a_window_of_a_long_contract_holds_the_clause_that_is_asked_for(tmp_path) -> None:
    quote = "Neither party may assign this Agreement."
    text = "word " * 4000 + quote + " word" * 4000
    span = {"start": 20000, "end": 20000 + len(quote), "text": quote}
    rows = [
        {"id": f"long:{number}", "text": text, "clauses": {"Assignment": {"spans": [span]}}}
        for number in range(12)
    ]
    (tmp_path / "cuad_dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus = read_corpus(tmp_path, ALL, max_questions=1)
    assert all(quote in example.document for example in corpus.training)
    assert all(len(example.document) <= 6000 for example in corpus.training)


def test_line_breaks_stay_and_other_white_space_is_one_space() -> None:
    assert fold(" a \t b \n\n c\n") == "a b\nc"


@pytest.mark.parametrize("content", ["", "{\n", '{"id": "x"}\n'])
def test_a_folder_without_usable_rows_is_refused(tmp_path, content) -> None:
    (tmp_path / "cuad_dev.jsonl").write_text(content)
    with pytest.raises(InputError):
        read_corpus(tmp_path, ALL, max_questions=1)
