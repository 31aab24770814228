"""Where sentences of business and legal text end, and where they do not."""

from __future__ import annotations

import pytest

from assay.documents.sentences import sentences


def split(text: str, page_starts: tuple[int, ...] = ()) -> list[str]:
    return [text[start:end] for start, end in sentences(text, page_starts)]


def test_terminal_punctuation_ends_a_sentence():
    assert split('He said "Yes." Then he left (early.) Really? Yes! It cost $7.20.') == [
        'He said "Yes."', "Then he left (early.)", "Really?", "Yes!", "It cost $7.20.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Acme Inc. and Beta Co., Ltd. signed it.",
        "See No. 7 and Sec. 2.1 of the U.S. Code.",
        "An act of the U.S. Congress applies.",
        "Some goods, e.g. Castings, are listed in Sched. A of it.",
        "J. P. Morgan and Mr. Smith v. Jones decided it.",
        "It is due at 5 p.m. Monday.",
        "The fee is 7.2 percent of $1.5 million.",
        "Visit www.example.com for it.",
        "Notices go to Attn. Legal Dept. Berlin.",
        "7. Term and termination",
        "Section 4. Term of the agreement",
        "Definitions . . . . . . . 5",
    ],
)
def test_abbreviations_and_numbers_end_none(text):
    assert split(text) == [text]


def test_an_item_in_lower_case_starts_a_sentence_after_one_has_ended():
    assert split("Binding effect. (a) Except as stated, see Sec. (b) of it. (ii) the rest") == [
        "Binding effect.", "(a) Except as stated, see Sec. (b) of it.", "(ii) the rest",
    ]  # fmt: skip


def test_an_abbreviation_ends_a_sentence_if_one_plainly_starts_after_it():
    assert split("It is owned by Acme Inc. The Seller pays in the U.S. Each party signs.") == [
        "It is owned by Acme Inc.", "The Seller pays in the U.S.", "Each party signs.",
    ]  # fmt: skip


def test_a_number_of_a_clause_ends_a_sentence_that_refers_to_it():
    assert split("This is stated in Section 4. The Buyer pays.") == [
        "This is stated in Section 4.", "The Buyer pays.",
    ]  # fmt: skip


def test_a_line_wrap_ends_no_sentence_and_a_blank_line_ends_one():
    assert split("The Seller shall\ndeliver the goods\n \nwithin a week") == [
        "The Seller shall\ndeliver the goods", "within a week",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "clause",
    ["7.2 The Buyer pays", "7. The Buyer pays", "(a) the Buyer pays", "(iv) the Buyer pays",
     "Section 4. The Buyer pays", "ARTICLE IV the Buyer pays", "SCHEDULE A Prices",
     "第三条 付款", "三、付款", "（二）付款", "• the Buyer pays", "- The Buyer pays"],
)  # fmt: skip
def test_a_numbered_clause_starts_a_sentence(clause):
    before = "The parties have agreed upon all of the following terms and conditions:"
    assert split(f"{before}\n{clause}") == [before, clause]


@pytest.mark.parametrize(
    "text",
    ["This is subject to the conditions that are set out in clause\n7.2 of this Agreement.",
     "The terms that the parties have agreed upon pursuant to\nSection 4 of the Agreement apply.",
     "The parties shall be bound by the terms that are set out in\n(b) and (c) above.",
     "The total amount that the Buyer owes to the Seller is a sum of\n3.5 Million dollars."],
)  # fmt: skip
def test_a_number_that_a_sentence_speaks_of_starts_none(text):
    assert split(text) == [text]


def test_headings_stand_alone():
    text = "GOVERNING LAW\nThis Agreement is governed by German law.\nTERM\nIt ends in 2030."
    assert split(text) == [
        "GOVERNING LAW", "This Agreement is governed by German law.", "TERM", "It ends in 2030.",
    ]  # fmt: skip


def test_capitals_inside_a_sentence_are_no_heading():
    text = "This Agreement is made between\nACME CORP.\nand Beta."
    assert split(text) == [text]
    shouted = "EXCEPT AS STATED HEREIN, THE SELLER DISCLAIMS\nALL WARRANTIES. It also pays."
    assert split(shouted) == [shouted[:61], "It also pays."]


def test_rows_of_a_table_are_sentences():
    text = "Item\tPrice\nBolt\t5\nNut | 6\nSteel     10     7\nThanks for\nyour order"
    assert split(text) == [
        "Item\tPrice", "Bolt\t5", "Nut | 6", "Steel     10     7", "Thanks for\nyour order",
    ]  # fmt: skip


def test_a_tab_after_a_clause_number_makes_no_row():
    text = "7.2\tThe Buyer shall pay\nthe price"
    assert split(text) == [text]


def test_line_breaks_that_were_flattened_to_spaces_are_found():
    text = (
        "8. NON-SOLICITATION     Each Party agrees:     8.1 not to solicit;     8.2 to pay as"
        " clause     7.2 says; and     WHEREAS it is so.     12"
    )
    assert split(text) == [
        "8. NON-SOLICITATION", "Each Party agrees:", "8.1 not to solicit;",
        "8.2 to pay as clause     7.2 says; and", "WHEREAS it is so.", "12",
    ]  # fmt: skip


def test_a_numbered_title_before_a_run_of_spaces_is_a_heading():
    assert split("2.8 Term and Exclusivity   The licence is exclusive   For ten years") == [
        "2.8 Term and Exclusivity", "The licence is exclusive   For ten years",
    ]  # fmt: skip


def test_chinese_sentences_end_at_their_own_punctuation():
    text = "甲方（买方）应付款。“乙方应交货。”逾期的，付违约金；损失另计！可以吗？可以"
    assert split(text) == [
        "甲方（买方）应付款。", "“乙方应交货。”", "逾期的，付违约金；",
        "损失另计！", "可以吗？", "可以",
    ]  # fmt: skip


def test_chinese_line_wraps_end_no_sentence():
    text = "甲方应于本合同签订之日起三十日内\n支付货款。"
    assert split(text) == [text]


def test_a_sentence_goes_on_over_a_page_break_in_lower_case_only():
    text = "The Buyer\n\nshall pay."
    at = text.index("shall")
    assert split(text, (0, at)) == [text]
    assert split(text) == ["The Buyer", "shall pay."]
    assert split(text.replace("s", "S"), (0, at)) == ["The Buyer", "Shall pay."]
    assert split("It ends.\n\nshall pay.", (0, 10)) == ["It ends.", "shall pay."]


def test_nothing_but_space_has_no_sentence():
    assert split(" \n\n\t ") == []
