"""Which of a contract's dates is the one asked for."""

import pytest

from assay.units.fallbacks.date import DateFallback, DateHeuristic, DateKind


def best(kind: DateKind, text: str) -> str | None:
    found = DateFallback(kind=kind).find(text)
    return text[found[0].start : found[0].end] if found else None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        (
            'This Agreement is made this 1st day of June, 2017 by and between Ash Inc. ("A") and '
            "Bay Inc. It replaces one of March 3, 2010.",
            "1st day of June, 2017",
        ),
        (
            "The Master Agreement, described in the plan dated as of May 1, 2001, is amended by "
            "this Amendment, entered into as of July 9, 2003, between the parties.",
            "July 9, 2003",
        ),
        (
            "This Lease supersedes prior talks.\n\n      Dated the ____ day of June, 2003.",
            "____ day of June, 2003",
        ),
        ("This Agreement binds both. /s/ Ann Lee\nName: Ann Lee\n4/24/2018\n", "4/24/2018"),
        (
            "This Contract binds both.\nBy: /s/ Ann Lee\nDate: 12 May 2018\n\nBy: /s/ Bo Kay\n"
            "Date: 2 June 2018\n\nSource: KAY INC, 8-K, 9 July 2019",
            "2 June 2018",
        ),
        ("本合同签订于2021年3月5日，自2021年4月1日起生效。", "2021年3月5日"),
        (
            "SECRECY AGREEMENT\n\n4 June 2019\n\nElm Inc.\n5 Mill Lane\n\nLadies and Gentlemen:\n\n"
            "You ask for facts. The Merger Agreement dated as of May 3, 2018 between the parties "
            "stays in force beside this Agreement.",
            "4 June 2019",
        ),
        ("AGREEMENT DATE: 5 May 2020\n\nThis Deed binds both.", "5 May 2020"),
    ],
)
def test_the_date_made(text: str, date: str) -> None:
    """Words of making come before it, or a signature stands over it."""
    assert best("agreement", text) == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        (
            "Dated May 2, 2012. This Agreement, made effective as of February 20, 2012 "
            '("Effective Date"), is between the parties.',
            "February 20, 2012",
        ),
        (
            'This Deed is dated 3 May 2021. "Start Date" means 1 June 2021. It replaces drafts.',
            "1 June 2021",
        ),
        ("This Lease is made on 3 May 2021 and takes effect on 1 June 2021.", "1 June 2021"),
        (
            "This Agreement is effective on the date of the last signature.\n\nBy: /s/ Ann Lee\n"
            "Date: 12 May 2018\n\nBy: /s/ Bo Kay\nDate: 2 June 2018\n",
            "2 June 2018",
        ),
        (
            "Contract signed on May 1, 2020. The services shall commence on 1 July 2020.",
            "1 July 2020",
        ),
        ("本合同签订于2021年3月5日，自2021年4月1日起生效。", "2021年4月1日"),
        (
            "This Agreement is entered into as of the effective date below.\n\nBy: /s/ Ann Lee\n"
            "Effective Date: 12 May 2018 Address: 5 Mill Lane\n",
            "12 May 2018",
        ),
        (
            'This Deed is dated as of the latest date on the signature page (the "Effective Date").'
            "\n\nBy: /s/ Ann Lee\nDate: 12 May 2018\n\nBy: /s/ Bo Kay\nDate: 2 June 2018\n",
            "2 June 2018",
        ),
        (
            "DATE: 5 May 2020\n\nThis Agreement is effective as of the date set forth above.",
            "5 May 2020",
        ),
        (
            "This Deed, which shall be effective for all purposes as of 5 May 2020, binds both.",
            "5 May 2020",
        ),
        (
            'This Agreement is dated as of 5 May 2020 between us. "Restricted Period" means the '
            "period commencing on 9 May 2020.",
            "5 May 2020",
        ),
    ],
)
def test_the_date_it_takes_effect(text: str, date: str) -> None:
    """The date called so, or that words of beginning introduce."""
    assert best("effective", text) == date


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "The term of this Agreement begins on March 1, 2020 and continues until "
            "February 28, 2025.",
            "February 28, 2025",
        ),
        ("TERMINATION DATE:     September 30, 1997", "September 30, 1997"),
        (
            "Either party may end it on thirty (30) days notice. This Agreement shall have a term "
            "of four (4) years from the Effective Date, and shall renew for terms of one year.",
            "four (4) years from the Effective Date",
        ),
        (
            "The term of this Agreement commences today and continues in perpetuity.",
            "in perpetuity",
        ),
        (
            "This Agreement shall continue in effect until terminated by either party.",
            "This Agreement shall continue in effect until terminated by either party.",
        ),
        ("本合同有效期自2021年4月1日至2024年3月31日。", "2024年3月31日"),
        ("本合同有效期为三年。", "三年"),
        (
            "This Agreement will terminate on the second anniversary of the Signing Date.",
            "second anniversary of the Signing Date",
        ),
        (
            "This Agreement shall commence today and shall terminate one (1) year thereafter, "
            "unless earlier terminated by either party.",
            "one (1) year",
        ),
        (
            "This Agreement and the duty of confidentiality shall remain in force for six years.",
            "six years",
        ),
        ("This agreement is valid for three years.", "three years"),
        (
            "This agreement continues in effect until one of us terminates it.",
            "This agreement continues in effect until one of us terminates it.",
        ),
    ],
)
def test_the_end_of_the_term(text: str, answer: str) -> None:
    """A date that words of ending introduce; else the term's length, or what leaves it open."""
    assert best("expiry", text) == answer


@pytest.mark.parametrize("kind", ["agreement", "effective", "expiry"])
def test_a_text_without_such_a_date_gives_none(kind: DateKind) -> None:
    """Dates and periods of other things are no answer."""
    text = (
        "Invoices are due within thirty (30) days. The survey of August 5, 2011 is attached. "
        "The confidentiality duty survives for two (2) years after termination. "
        "During the term of this Agreement and for a period of one year thereafter no party hires "
        'staff. "Standstill Period" means the time of this Agreement until May 3, 2012. The '
        "confidentiality obligations of this Agreement shall continue for a period of five years."
    )
    assert DateFallback(kind=kind).find(text) == ()


@pytest.mark.parametrize("fallback", [DateFallback, DateHeuristic])
@pytest.mark.parametrize("kind", ["agreement", "effective", "expiry"])
@pytest.mark.parametrize(
    "text",
    [
        "INVOICE\nInvoice date: 8 May 2023\nPayment is made within 10 days, by 18 May 2023.\n"
        "Due on 7 June 2023.",
        "2 March 2022\n\nDear Mr Poe,\nYour claim of 3 February 2022 is made in time. Please keep "
        "the chair until 30 April 2022; the visit was between 8 and 12 on 9 February 2022.",
    ],
)
def test_a_text_that_is_no_agreement_has_none_of_its_dates(fallback, kind, text) -> None:
    """An invoice and a letter have dates, but none of an agreement."""
    assert fallback(kind=kind).find(text) == ()


def test_a_date_mostly_blank_is_less_sure() -> None:
    """A year alone scores below a day."""
    blank = DateFallback("agreement").find(
        "This Deed is made on [·] day of [·], 2015 between A and B."
    )
    whole = DateFallback("agreement").find("This Deed is made on 3 May 2015 between A and B.")
    assert blank[0].score < whole[0].score


def test_the_heuristic_weighs_words_and_position() -> None:
    """It ranks by nearby words and place, and never above the specialist's best rules."""
    text = "Agreement dated May 1, 2002 between us. " + "x. " * 3000 + "Exhibit of June 3, 2004."
    found = DateHeuristic("agreement").find(text)
    assert text[found[0].start : found[0].end] == "May 1, 2002"
    assert found[0].score < 0.9
    assert DateHeuristic("agreement").find("The survey of August 5, 2011.") == ()
