"""Amounts, their currencies, and currencies that the text leaves open."""

from decimal import Decimal

import pytest

from assay.normalize.money import Money, find_money, read_money


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("US$1,234.56", "1234.56", "USD"),
        ("USD50", "50", "USD"),
        ("20 usd", "20", "USD"),
        ("C$ 10", "10", "CAD"),
        ("50 CAD", "50", "CAD"),
        ("HK$30", "30", "HKD"),
        ("€ 139,95", "139.95", "EUR"),
        ("3 038,14 €", "3038.14", "EUR"),
        ("Rp 350.000", "350000", "IDR"),
        ("1,000 pounds sterling", "1000", "GBP"),
        ("ten U.S. dollars", "10", "USD"),
        ("RMB 5,000", "5000", "CNY"),
        ("人民币1,100万元", "11000000", "CNY"),
        ("叁仟元整", "3000", "CNY"),
        ("五元六角", "5.6", "CNY"),
        ("5万美元", "50000", "USD"),
        ("港币300", "300", "HKD"),
        ("75 USD million", "75000000", "USD"),
        ("-US$5", "-5", "USD"),
    ],
)
def test_reads_amount_and_currency(text: str, amount: str, currency: str) -> None:
    """A mark that denotes one currency decides it."""
    assert read_money(text).values == (Money(Decimal(amount), currency),)


def test_a_bare_dollar_sign_leaves_the_currency_open() -> None:
    """The amount is decided, the currency is one of several, the most traded first."""
    money = read_money("$1,234.56").value
    assert money is not None
    assert (money.amount, money.currency) == (Decimal("1234.56"), None)
    assert money.currency_candidates[:3] == ("USD", "CAD", "AUD")


def test_the_yen_sign_is_also_the_yuan_sign() -> None:
    """¥ is read both ways."""
    assert read_money("¥100").values == (Money(Decimal(100), None, ("CNY", "JPY")),)


def test_a_figure_without_a_mark_has_no_currency() -> None:
    """No currency is made up for a bare figure."""
    assert read_money("1,234.50").values == (Money(Decimal("1234.50")),)


def test_words_and_figure_are_one_amount_and_pool_their_currency() -> None:
    """ "Ten U.S. dollars ($10)" is one mention, in US dollars."""
    text = "a deposit of ten U.S. dollars ($10) is due"
    (mention,) = find_money(text)
    assert text[mention.start : mention.end] == "ten U.S. dollars ($10)"
    assert mention.values == (Money(Decimal(10), "USD"),)


def test_cents_join_their_dollars() -> None:
    """Dollars and cents are one amount; cents alone are a hundredth."""
    assert [item.amount for item in read_money("20 dollars and 43 cents").values] == [
        Decimal("20.43")
    ]
    assert [item.amount for item in read_money("five cents").values] == [Decimal("0.05")]


def test_three_digits_after_a_dot_stay_open_where_the_currency_has_decimals() -> None:
    """A lone dot before three digits groups more often in money, but not surely."""
    assert [item.amount for item in read_money("1.234 €").values] == [
        Decimal(1234),
        Decimal("1.234"),
    ]


def test_only_amounts_with_a_mark_are_found_in_text() -> None:
    """Section numbers, quantities and words in capitals that look like codes are no money."""
    text = "Under Section 4.2 ALL 5 parties pay £250.00 within 30 days, and EUR 1.5 million later."
    assert [text[m.start : m.end] for m in find_money(text)] == ["£250.00", "EUR 1.5 million"]


def test_neighbouring_amounts_do_not_share_a_mark() -> None:
    """A mark belongs to one amount."""
    assert [m.values[0].currency for m in find_money("10 RMB 20 USD")] == ["CNY", "USD"]


def test_json_form_keeps_the_amount_exact() -> None:
    """The amount is a decimal string, never a float or an exponent."""
    assert Money(Decimal("1E+6"), "EUR").as_json() == {
        "amount": "1000000",
        "currency": "EUR",
        "currency_candidates": [],
    }


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("seventeen dollars sixty two", "17.62"),
        ("两美元又三美分", "2.03"),
        ("four dollars and six", "4.06"),
    ],
)
def test_hundredths_said_behind_the_currency_belong_to_it(text: str, amount: str) -> None:
    """What is said of cents is part of the amount."""
    assert [item.values[0].amount for item in find_money(text)] == [Decimal(amount)]


def test_a_count_of_something_else_is_not_cents() -> None:
    """ "one dollar and six shares" is a dollar."""
    assert find_money("one dollar and six shares")[0].values[0].amount == 1


def test_the_mark_that_said_the_currency_is_kept() -> None:
    """Whoever judges a currency can see what it was read from."""
    assert read_money("5 Finnish markka").values[0].mark == "Finnish markka"


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("40 Uruguayan pesos", "40", "UYU"),
        ("forty Botswana pula", "40", "BWP"),
        ("40 Costa Rican colón", "40", "CRC"),
        ("40 costa rica colons", "40", "CRC"),
        ("40 east caribbean dollars", "40", "XCD"),
        ("Hong Kong $40", "40", "HKD"),
        ("us$ 40", "40", "USD"),
        ("40阿根廷比索", "40", "ARS"),
        ("四十东加勒比元", "40", "XCD"),
        ("40俄罗斯卢布", "40", "RUB"),
    ],
)
def test_a_country_and_a_unit_name_a_currency(text: str, amount: str, currency: str) -> None:
    """Names are made of countries and units, in English and Chinese."""
    assert read_money(text).values == (Money(Decimal(amount), currency),)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("8 swiss francs and 35 rappen", "8.35", "CHF"),
        ("8 zloty and 35 groszy", "8.35", "PLN"),
        ("8 yuan 3 jiao 5 fen", "8.35", "CNY"),
        ("2 bahraini dinars and 350 fils", "2.35", "BHD"),
        ("35 us cents", "0.35", "USD"),
        ("八英镑三十五便士", "8.35", "GBP"),
        ("八角五分", "0.85", "CNY"),
        ("八毛五", "0.85", "CNY"),
        ("六块三毛钱", "6.3", "CNY"),
        ("九分钱", "0.09", "CNY"),
        ("9分", "0.09", "CNY"),
    ],
)
def test_parts_of_a_currency_count_what_they_are_of_it(
    text: str, amount: str, currency: str
) -> None:
    """Hundredths, tenths and thousandths, alone or behind the whole."""
    assert read_money(text).values == (Money(Decimal(amount), currency),)


@pytest.mark.parametrize(
    "text", ["he won 30 games", "得了9分", "a 300 m race", "等了三十分", "五角大楼"]
)
def test_words_that_are_also_money_are_not(text: str) -> None:
    """A verb, a mark, a minute."""
    assert find_money(text) == ()


def test_an_article_is_no_sign() -> None:
    """ "A $" is Australia's; "a $" is not."""
    (mention,) = find_money("a $300 million dollar bond")
    assert mention.start == 2


def test_hundredths_without_their_name_where_nothing_else_is_said() -> None:
    """ "$12 45" is a price by itself; in a column it is two figures."""
    assert find_money("$12 45")[0].values[0].amount == Decimal("12.45")
    assert find_money("$12 45 36")[0].values[0].amount == Decimal(12)
    assert find_money("$12 and 45c each")[0].values[0].amount == Decimal("12.45")


@pytest.mark.parametrize(
    ("text", "span", "currency"),
    [
        ("They owe us $5.", "$5", None),
        ("Pay us$ 5 today", "$ 5", None),
        ("They owe US $5.", "US $5", "USD"),
        ("us $5", "us $5", "USD"),
        ("a us $5 note", "us $5", "USD"),
        ("more than us$5 million", "us$5 million", "USD"),
    ],
)
def test_us_behind_a_verb_is_no_country(text: str, span: str, currency: str | None) -> None:
    """In small letters it is one where a text begins or a word stands before it that takes no
    pronoun behind it."""
    (found,) = find_money(text)
    assert text[found.start : found.end] == span
    assert found.values[0].currency == currency


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [("八块半", "8.5", "CNY"), ("L.E. 15", "15", "EGP"), ("15 kopiykas", "0.15", "UAH")],
)
def test_reads_halves_and_short_forms(text: str, amount: str, currency: str) -> None:
    """A half behind the unit is a half of it."""
    assert read_money(text).values == (Money(Decimal(amount), currency),)
