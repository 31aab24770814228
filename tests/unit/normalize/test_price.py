"""Prices in cells: the amount, and the mark of the currency, wherever it stands."""

from decimal import Decimal

import pytest

from assay.normalize.price import read_price


@pytest.mark.parametrize(
    ("text", "hint", "amount", "mark"),
    [
        ("1.899,-", "EUR", "1899", "EUR"),
        ("Price: $32.00", "", "32.00", "$"),
        ("NZD $100.70", "", "100.70", "NZD"),
        ("$5 AUD", "", "5", "AUD"),
        ("36. 24", "", "36.24", ""),
        ("1 049,95", "CHF", "1049.95", "CHF"),
        ("12 R", "", "12", "R"),
        ("1 دج", "", "1", "دج"),
        ("Rp 235.000", "", "235000", "Rp"),
        ("-20% 15 €", "", "15", "€"),
        ("Free!", "", "0", ""),
    ],
)
def test_reads_a_price(text: str, hint: str, amount: str, mark: str) -> None:
    """The amount is exact; the mark is the one that says most."""
    price = read_price(text, hint)
    assert (price.amount, price.mark) == (Decimal(amount), mark)


def test_a_cell_without_figures_has_no_amount() -> None:
    """A currency alone is no price."""
    price = read_price("Kč")
    assert (price.amount, price.mark, price.currencies) == (None, "Kč", ("CZK",))


def test_a_known_decimal_mark_decides() -> None:
    """1.234 is a thousand, unless the dot is known to be the decimal mark."""
    assert read_price("1.234 €").amount == 1234
    assert read_price("1.234 €", decimal_mark=".").amount == Decimal("1.234")
    assert read_price("1250€60", decimal_mark="€").amount == Decimal("1250.60")


@pytest.mark.parametrize(
    ("text", "amount", "mark"),
    [
        ("руб.25", "25", "руб."),
        ("S/.25", "25", "S/."),
        ("AR$ 25", "25", "AR$"),
        ("25 $U", "25", "$U"),
        ("25 ر.ع.\u200f", "25", "ر.ع.\u200f"),
        ("25 XAU", "25", "XAU"),
        ("25€ 90", "25.90", "€"),
        ("1.025€90", "1025.90", "€"),
        ("25 € 90 ml", "25", "€"),
        ("25 MOP$", "25", "MOP$"),
    ],
)
def test_marks_are_read_whole(text: str, amount: str, mark: str) -> None:
    """The dot of a short form is no decimal mark; a sign between figures is one."""
    price = read_price(text)
    assert (price.amount, price.mark) == (Decimal(amount), mark)
