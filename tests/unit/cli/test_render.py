"""The table: what is shown for each status, and that it fits."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from assay.cli.render import render_analysis
from assay.documents import Document
from assay.types import AnswerPath, ErrorInfo, Evidence, FieldResult, Status, UnitResult

TEXT = (
    "This Agreement is made between Harrowgate Castings Limited and Lindqvist Rotor Systems.\n"
    "It is governed by and shall be construed in accordance with the laws of England and Wales, "
    "and the courts of England and Wales have exclusive jurisdiction over any dispute.\n"
    "质量保证期为最终验收合格之日起二十四个月。\n"
)
DOCUMENT = Document("contract.pdf", TEXT, "application/pdf")


def plain(analysis, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    return render_analysis(analysis, console=console)


def one_field(status: Status, **changes: object) -> UnitResult:
    field = replace(FieldResult(status, None, (), 0.5, AnswerPath.MODEL), **changes)
    return UnitResult(status, None, field.evidence, 0.5, None, fields={"law": field})


def test_a_value_comes_with_confidence_page_and_the_words_around_it(found, analysis_of) -> None:
    result = found(DOCUMENT, "Harrowgate Castings Limited", "Harrowgate Castings Limited", "name")
    result = replace(
        result,
        fields={
            "name": replace(result.fields["name"], evidence=(replace(result.evidence[0], page=7),))
        },
    )
    shown = " ".join(plain(analysis_of(DOCUMENT, {"extract_party": result}), 140).split())
    assert "extract_party" in shown
    assert "0.91 7" in shown
    assert "between “Harrowgate Castings Limited” and Lindqvist" in shown


def test_a_long_quotation_is_shortened_in_the_middle(found, analysis_of) -> None:
    clause = TEXT.splitlines()[1]
    shown = plain(analysis_of(DOCUMENT, {"extract_clause": found(DOCUMENT, "yes", clause)}))
    flat = " ".join(shown.split())
    assert " … " in flat
    assert "It is governed by" in flat
    assert "dispute." in flat


def test_an_ambiguous_field_shows_its_readings(analysis_of) -> None:
    readings = [{"iso": "2025-04-03"}, {"iso": "2025-03-04"}]
    result = one_field(
        Status.AMBIGUOUS, candidates=({"pointer": "", "readings": readings},), value={"iso": None}
    )
    shown = plain(analysis_of(DOCUMENT, {"extract_date": result}), 160)
    assert "ambiguous: 2025-04-03 or 2025-03-04" in shown


def test_items_that_are_decided_stand_beside_those_that_are_not(analysis_of) -> None:
    readings = [{"amount": "5", "currency": code} for code in ("USD", "CAD", "AUD", "NZD")]
    amounts = [{"amount": "3", "currency": "EUR"}, {"amount": "5", "currency": None}]
    result = one_field(
        Status.AMBIGUOUS, value=amounts, candidates=({"pointer": "/1", "readings": readings},)
    )
    shown = plain(analysis_of(DOCUMENT, {"extract_currency": result}), 160).splitlines()
    (decided,) = [line for line in shown if "3 EUR" in line]
    assert "ambiguous" not in decided
    assert any("ambiguous: 5 USD or 5 CAD or 5 AUD or 1 more" in line for line in shown)


@pytest.mark.parametrize(
    ("status", "word"), [(Status.ABSENT, "absent"), (Status.ERROR, "error: no room")]
)
def test_what_has_no_value_says_so_without_colour(analysis_of, status, word) -> None:
    result = one_field(status, error=ErrorInfo("capacity", "no room"))
    assert word in plain(analysis_of(DOCUMENT, {"extract_clause": result}))


def test_a_list_takes_a_row_an_item_with_its_own_evidence(analysis_of) -> None:
    names = ["Harrowgate Castings Limited", "Lindqvist Rotor Systems"]
    evidence = tuple(
        Evidence(TEXT.index(n), TEXT.index(n) + len(n), n, i + 1, f"/law/{i}/name")
        for i, n in enumerate(names)
    )
    value = [{"name": name} for name in names]
    result = one_field(Status.OK, value=value, evidence=evidence)
    lines = plain(analysis_of(DOCUMENT, {"extract_party": result}), 160).splitlines()
    for page, name in enumerate(names, 1):
        (line,) = (
            item for item in lines if item.strip().removeprefix("law").strip().startswith(name)
        )
        assert f" {page} " in line


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(found, analysis_of, width) -> None:
    clause = TEXT.splitlines()[1]
    results = {
        "extract_clause": found(DOCUMENT, clause, clause, "a_field_with_a_rather_long_name"),
        "extract_period": found(DOCUMENT, {"text": "二十四个月", "duration": "P24M"}, "二十四个月"),
    }
    shown = plain(analysis_of(DOCUMENT, results), width)
    assert max(cell_len(line) for line in shown.splitlines()) <= width


def test_a_document_cannot_write_to_the_terminal(found, analysis_of) -> None:
    text = "Dear \x1b]0;owned\x07 \x1b[31mSir, [bold]pay[/bold] now"
    document = Document("a\x1b[2J.txt", text, "text/plain")
    shown = plain(analysis_of(document, {"extract_party": found(document, text, text)}))
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]pay" in " ".join(shown.split())


def test_what_is_withheld_is_not_called_absent(analysis_of) -> None:
    error = ErrorInfo("below_min_precision", "an answer of confidence 0.50 is withheld")
    shown = plain(analysis_of(DOCUMENT, {"u": one_field(Status.ABSENT, error=error)}))
    assert "withheld: not sure enough" in shown
