"""The contracts benchmark: the work is the same for all, and one judge looks at the words."""

from dataclasses import replace

import pytest

from benchmarks.contract_judge import is_grounded, is_right, judge_all
from benchmarks.contract_tasks import COLD, WARM, Answered, Task, heads, make_tasks, read_answer
from benchmarks.contracts import summary
from benchmarks.cuad import Contract

TEXT = (
    "This Agreement is made on 3 March 2024 between Alder\nMills Ltd and Birch Works GmbH. "
    "This Agreement is governed by the laws of England. " + "Nothing else. " * 600
)
LAW = "This Agreement is governed by the laws of England."


def clause(*spans: str) -> dict[str, object]:
    return {
        "answer": "; ".join(spans),
        "spans": [
            {"start": TEXT.index(span), "end": TEXT.index(span) + len(span), "text": span}
            for span in spans
        ],
    }


CONTRACT = Contract(
    "made up",
    TEXT,
    {question.label: clause() for question in (*COLD, *WARM)}
    | {
        "Parties": clause("Alder\nMills Ltd", "Birch Works GmbH"),
        "Agreement Date": clause("3 March 2024"),
        "Governing Law": clause(LAW),
    },
)
PARTIES, DATE, GOVERNING_LAW, ASSIGNMENT = (Task(CONTRACT, question) for question in COLD)


def answer(task: Task, *values: str, **rest: object) -> Answered:
    return Answered(task, values, None, 1.0, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        (answer(DATE, "3 March 2024"), True),
        (answer(DATE, "2024-03-03"), False),
        (answer(DATE), False),
        (answer(PARTIES, "alder mills ltd", "Birch Works GmbH"), True),
        (answer(PARTIES, "Birch Works GmbH", "England"), False),
        (answer(GOVERNING_LAW, LAW), True),
        (answer(GOVERNING_LAW, "Agreement"), False),
        (answer(ASSIGNMENT), True),
        (answer(ASSIGNMENT, "Nothing else."), False),
        (answer(ASSIGNMENT, is_whole=False), False),
    ],
)
def test_an_answer_is_right_when_its_words_lie_on_the_gold(
    answered: Answered, expected: bool
) -> None:
    assert is_right(answered) is expected


def test_what_does_not_stand_in_the_document_is_invented() -> None:
    good, bad = answer(DATE, "3 March 2024"), answer(DATE, "1 May 1999")
    assert is_grounded(good)
    assert not is_grounded(bad)
    assert judge_all([good, bad])["invented"] == 1


def test_gold_beyond_the_text_shown_is_not_asked_for() -> None:
    late = replace(CONTRACT, text=TEXT[:20])
    task = Task(late, DATE.question)
    assert is_right(answer(task))


def test_heads_are_cut_at_6000_characters() -> None:
    (head,) = heads([CONTRACT], 5)
    assert head.text == TEXT[:6000]


def test_peers_get_the_same_schema_less_the_grounding() -> None:
    def strip(node: object) -> object:
        if isinstance(node, dict):
            return {key: strip(item) for key, item in node.items() if key != "x-verbatim"}
        return [strip(item) for item in node] if isinstance(node, list) else node

    for question in (*COLD, *WARM):
        assert strip(question.schema(grounded=True)) == question.schema(grounded=False)
        assert question.schema(grounded=True) != question.schema(grounded=False)


def test_a_prompt_shows_the_document_before_the_question_and_the_salt_first() -> None:
    system, user = DATE.messages("THE DOCUMENT", "7")
    assert user.content.startswith("THE DOCUMENT")
    assert DATE.question.text in user.content
    assert system != DATE.messages("THE DOCUMENT", "8")[0]


def test_all_tasks_of_a_round_are_distinct() -> None:
    contracts = [replace(CONTRACT, name=f"{i}") for i in range(32)]
    tasks = make_tasks(contracts, COLD)
    assert len({(task.contract.name, task.question) for task in tasks}) == 128


def test_answers_are_read_by_shape() -> None:
    assert read_answer({"value": ["a", "b"], "quote": "a and b"}) == (("a", "b"), "a and b")
    assert read_answer({"quote": "a clause"}) == (("a clause",), "a clause")
    assert read_answer({"value": None, "quote": None}) == ((), None)
    assert read_answer(None) == ((), None)


def test_a_round_is_as_long_as_its_slowest_answer() -> None:
    fast = answer(DATE, "3 March 2024", num_decoded_tokens=2, num_forced_tokens=6)
    slow = replace(fast, latency_s=4.0)
    figures = summary([[fast, slow]])
    assert figures["rps"] == 0.5
    assert figures["forced_tokens"] == 12
    assert figures["kv_mb_written"] is None
