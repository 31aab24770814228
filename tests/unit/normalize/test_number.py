"""What is read as a number, which readings are left open, and what is not a number."""

from decimal import Decimal

import pytest

from assay.normalize.number import find_numbers, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("3 038,14", "3038.14"),
        ("1'234'567.8", "1234567.8"),
        ("12,34,567.50", "1234567.50"),
        ("2,34", "2.34"),
        ("0,125", "0.125"),
        ("1,234", "1234"),
        ("１，２３４．５", "1234.5"),
        ("(1,234.50)", "-1234.50"),
        ("minus five", "-5"),
        ("-7", "-7"),
        ("thirty (30)", "30"),
        ("30 (thirty)", "30"),
        ("one hundred and forty-two", "142"),
        ("Two Million Three Hundred Thousand", "2300000"),
        ("three thousand million", "3000000000"),
        ("a hundred thousand", "100000"),
        ("two point five million", "2500000"),
        ("eight million and a half", "8500000"),
        ("two and a half", "2.5"),
        ("3 1/2", "3.5"),
        ("5½", "5.5"),
        ("three quarters", "0.75"),
        ("two dozen", "24"),
        ("1.5 million", "1500000"),
        ("10K", "10000"),
        ("一万五千亿", "1500000000000"),
        ("1,100万", "11000000"),
        ("3万4000", "34000"),
        ("10萬萬", "1000000000"),
        ("4.78萬億", "4780000000000"),
        ("叁仟", "3000"),
        ("一万零十二", "10012"),
        ("二〇一三", "2013"),
        ("三百五", "350"),
        ("三點一四", "3.14"),
        ("负三十", "-30"),
        ("三分之一", str(Decimal(1) / 3)),
    ],
)
def test_reads_a_number_exactly(text: str, value: str) -> None:
    """Whatever the script and the marks, the value is exact and the only one."""
    assert read_number(text).values == (Decimal(value),)


def test_a_dot_before_three_digits_is_read_both_ways() -> None:
    """1.234 is a decimal in one country and a thousand in another: both are candidates."""
    assert read_number("1.234").values == (Decimal("1.234"), Decimal(1234))
    assert read_number("1.234").value is None


def test_words_and_figure_that_disagree_are_both_candidates() -> None:
    """Neither "thirty" nor "(20)" is thrown away."""
    assert read_number("thirty (20)").values == (Decimal(30), Decimal(20))


def test_different_numbers_of_one_text_are_all_candidates() -> None:
    """A reader does not choose the first of two numbers."""
    assert read_number("between 10 and twenty").values == (Decimal(10), Decimal(20))


@pytest.mark.parametrize(
    "text", ["", "none", "1.2.3", "12.03.2025", "1,23.4,5", "the 21st", "thirty-first", "COVID19"]
)
def test_what_is_no_number_is_not_understood(text: str) -> None:
    """Versions, dates, badly grouped digits, ordinals and parts of names give no value."""
    assert not read_number(text).understood


def test_a_run_of_words_is_cut_where_it_stops_being_one_number() -> None:
    """Words that cannot join are separate numbers."""
    assert read_number("five hundred hundred").values == (Decimal(500), Decimal(100))
    assert read_number("four thirty six").values == (Decimal(4), Decimal(36))


def test_mentions_stand_where_they_say() -> None:
    """Offsets are of the given text, full-width characters and brackets included."""
    text = "共计１，０００件，thirty (30) days, no more than 1.5 million units"
    found = [text[mention.start : mention.end] for mention in find_numbers(text)]
    assert found == ["１，０００", "thirty (30)", "1.5 million"]


def test_a_range_is_two_numbers_and_no_minus() -> None:
    """The dash between two figures is no sign."""
    assert [mention.values for mention in find_numbers("10 - 20")] == [
        (Decimal(10),),
        (Decimal(20),),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 hundred and 21", "321"),
        ("7 crore and three hundred", "70000300"),
        ("one over three", str(Decimal(1) / 3)),
        ("nine out of ten", "0.9"),
        ("six million and one half", "6500000"),
        ("three billion and a half million", "3000500000"),
        ("twenty and three fifths", "20.6"),
        ("one eighth", "0.125"),
        ("four hundred point sixty-three", "400.63"),
        ("four hundred and three dozens", "436"),
        ("-127.32e3", "-127320"),
        ("2^-1", "0.5"),
        ("2.33 k", "2330"),
        ("百三", "130"),
        ("1000  万", "10000000"),
        ("十打", "120"),
    ],
)
def test_joins_the_pieces_of_one_number(text: str, value: str) -> None:
    """Figures and words that say one number together are one mention."""
    assert read_number(text).values == (Decimal(value),)


@pytest.mark.parametrize(
    "text", ["which one would you take", "我一看你就笑", "陆地", "四川", "二三十"]
)
def test_words_that_only_look_like_numbers_are_none(text: str) -> None:
    """Pronouns, parts of other words, and "twenty or thirty" give no value."""
    assert not read_number(text).understood


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("cuatro mil millones treinta y seis", "es", "4000000036"),
        ("Veintiséis", "es", "26"),
        ("сорока четырем", "", "44"),
        ("один мільйон один", "", "1000001"),
        ("बीस लाख दस हजार", "", "2010000"),
    ],
)
def test_reads_number_words_of_other_languages(text: str, language: str, value: str) -> None:
    """The script tells Russian, Ukrainian and Hindi; Spanish has to be named."""
    assert [mention.values for mention in find_numbers(text, language)] == [(Decimal(value),)]


def test_a_full_width_comma_parts_figures() -> None:
    """In a Chinese list the comma is no group mark, between full-width digits it is."""
    assert read_number("20，300").values == (Decimal(20), Decimal(300))
    assert read_number("１，０００").values == (Decimal(1000),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7T", "7e12"),
        ("8 mn", "8e6"),
        ("6 hundred thousand", "600000"),
        ("-  512", "-512"),
        ("half a dozen", "6"),
        ("a half dozen", "6"),
        ("⅝", "0.625"),
        ("3⅖", "3.4"),
        ("a half", "0.5"),
        ("an eighth", "0.125"),
        ("one twenty-fifth", "0.04"),
        ("a quarter of a million", "250000"),
        ("one and a half million", "1500000"),
        ("two thousand and a half million", "502000"),
        ("半打", "6"),
        ("7打", "84"),
        ("仨", "3"),
        ("12 lkh", "1200000"),
        ("two krores", "20000000"),
    ],
)
def test_reads_parts_dozens_and_scales(text: str, value: str) -> None:
    """As they are said and abbreviated."""
    (mention,) = find_numbers(text)
    assert (mention.start, mention.end) == (0, len(text))
    assert mention.values == (Decimal(value),)


@pytest.mark.parametrize(
    "text", ["a third party", "paid each quarter", "a fifth time", "wait a second"]
)
def test_an_ordinal_with_an_article_is_a_part_only_of_something(text: str) -> None:
    """A third party is no third."""
    assert find_numbers(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [("six seventy-fifths", "0.08"), ("two and seven twentieths", "2.35"), ("三亿万", "3e12")],
)
def test_reads_compound_parts_and_scales(text: str, value: str) -> None:
    """Seventy-fifths are one part; ten thousand times 亿 is 兆."""
    (mention,) = find_numbers(text)
    assert (text[mention.start : mention.end], mention.values) == (text, (Decimal(value),))
