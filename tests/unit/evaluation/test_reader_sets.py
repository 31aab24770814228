"""The sets that measure the normalisers: rows become cases, and judges hold them to the gold."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.evaluation.base import Counts, EvaluationSet
from assay.evaluation.sets import duckling, number_parser, price_parser, recognizers

RIGHT, WRONG = Counts(1, 1, 1), Counts(0, 1, 1)
Judge = Callable[[EvaluationSet, Mapping[str, Any]], Counts]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Writes one row, reads it back as a case, and lets the package answer."""

    def run(evaluation_set: EvaluationSet, row: Mapping[str, Any]) -> Counts:
        path = tmp_path / f"{evaluation_set.name}_dev.jsonl"
        path.write_text(json.dumps({"id": "row"} | dict(row)) + "\n", encoding="utf-8")
        (case,) = evaluation_set.read(tmp_path, "dev")
        (ask,) = case.asks
        assert ask.reader is not None
        assert not isinstance(case.source, bytes)
        return evaluation_set.judge(ask, case.source, ask.reader(case.source.text))

    return run


@pytest.mark.parametrize(
    ("kind", "text", "value", "counts"),
    [
        ("hundreds", "sixty-one", "61", RIGHT),
        ("hundreds", "sixty-one", "62", WRONG),
        ("test:test_parse_fraction", "six over seven", "6/7", RIGHT),
        ("test:test_parse_basic_sentences", "two dogs, one cat", "2 dogs, 1 cat", RIGHT),
        ("test:test_parse_number", "nothing at all", None, RIGHT),
    ],
)
def test_number_words(judge: Judge, kind: str, text: str, value: str, counts: Counts) -> None:
    """One number, a quotient, a sentence rewritten, or none."""
    row = {"lang": "en", "kind": kind, "text": text, "value": value}
    assert judge(number_parser.SET, row) == counts


def test_prices_need_amount_and_mark(judge: Judge) -> None:
    """A right amount with another mark is wrong."""
    row = {
        "list": "X",
        "currency_raw": "CHF",
        "price_raw": "12.50",
        "decimal_separator": None,
        "amount": "12.50",
        "currency": "CHF",
    }
    assert judge(price_parser.SET, row) == RIGHT
    assert judge(price_parser.SET, row | {"currency": "EUR"}) == WRONG


def _recognizer(spec: str, text: str, *results: dict[str, Any]) -> dict[str, Any]:
    return {"lang": "en", "recognizer": "X", "spec": spec, "input": text, "results": list(results)}


def test_mentions_need_place_and_value(judge: Judge) -> None:
    """A number at another place, or with another value, or one too many, is wrong."""
    item = {"text": "seven", "start": 4, "end_incl": 8, "resolution": {"value": "7"}}
    row = _recognizer("NumberModel", "all seven", item)
    assert judge(recognizers.SET, row) == RIGHT
    assert judge(recognizers.SET, row | {"results": [item | {"start": 3}]}) == WRONG
    assert judge(recognizers.SET, row | {"results": []}) == WRONG


def test_cents_are_hundredths_and_bare_currencies_are_not_asked_for(judge: Judge) -> None:
    """The gold's 34 cents are our 0.34."""
    cents = {
        "text": "34 cents",
        "start": 5,
        "end_incl": 12,
        "resolution": {"value": "34", "unit": "Cent"},
    }
    bare = {"text": "euro", "start": 18, "end_incl": 21, "resolution": {"value": None}}
    assert (
        judge(recognizers.SET, _recognizer("CurrencyModel", "down 34 cents per euro", cents, bare))
        == RIGHT
    )


def test_rows_that_the_python_port_fails_are_left_out(tmp_path: Path) -> None:
    """What is not supported is no case."""
    row = _recognizer("NumberModel", "one") | {"id": "row", "not_supported": "javascript, python"}
    (tmp_path / "recognizers_dev.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert [*recognizers.SET.read(tmp_path, "dev")] == []


@pytest.mark.parametrize(
    ("dimension", "text", "gold", "counts"),
    [
        ("Time", "tomorrow", "(datetime (2013, 2, 13, 0, 0, 0) Day)", RIGHT),
        ("Time", "tomorrow", "(datetime (2013, 2, 13, 0, 0, 0) Hour)", WRONG),
        ("Time", "since 2011", "(datetimeOpenInterval After (2011, 1, 1, 0, 0, 0) Year)", RIGHT),
        ("Duration", "3 weeks", "(DurationData 3 Week)", RIGHT),
        ("Numeral", "sixty", "(NumeralValue 60)", RIGHT),
        ("Distance", "6 km", "(simple Kilometre 6)", RIGHT),
        ("AmountOfMoney", "over 6 euros", "(above EUR 6)", RIGHT),
        ("AmountOfMoney", "over 6 euros", "(under EUR 6)", WRONG),
    ],
)
def test_expressions(judge: Judge, dimension: str, text: str, gold: str, counts: Counts) -> None:
    """Read whole, with both ends and the grain; in base units; with the bound that is told."""
    row = {"dim": dimension, "lang": "en", "locale": "", "text": text, "haskell": gold}
    assert judge(duckling.SET, row) == counts
