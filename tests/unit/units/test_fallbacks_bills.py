"""What a receipt, an invoice or a bill says at its head and foot, found by rule."""

from __future__ import annotations

import pytest

from assay.normalize.date import read_date
from assay.units import get_unit
from assay.units.fallbacks.address import AddressFallback
from assay.units.fallbacks.base import Fallback
from assay.units.fallbacks.issue_date import IssueDateFallback, IssueDateHeuristic
from assay.units.fallbacks.issuer import IssuerFallback
from assay.units.fallbacks.total import TotalFallback, TotalHeuristic, amount_of

RECEIPT = """\
lim paper

NORTH QUAY STATIONERY SDN BHD (123456-X)
NO. 12, JALAN MAWAR 3,
TAMAN MELATI, 50480
KUALA LUMPUR
TEL: 03-5555 0101
(GST ID : 000111222333)

TAX INVOICE

Bill No: A-7731\tDate: 04/11/2017 10:32:11
Card expiry: 31/12/2019

Notebook A5\t2\t4.50\t9.00
Pen\t1\t3.53\t3.53

Sub Total\t12.53
Total (Incl. GST)\t12.53
Rounding Adj\t-0.03
TOTAL\tRM 12.50
Cash\t20.00
Change\t7.50

GST Summary\tAmount\tTax
Total\t11.82\t0.71
"""

CHINESE = """\
晨光文具店
地址：上海市徐汇区天平路88号2楼
电话：021-5555 0102
购物小票
日期：2024年5月6日
品名\t数量\t金额
笔记本\t2\t18.00
合计\t18.00
现金\t20.00
找零\t2.00
"""


def best(fallback: Fallback, text: str) -> str | None:
    found = fallback.find(text)
    return text[found[0].start : found[0].end] if found else None


def test_the_issuer_is_the_firm_at_the_head_without_its_number() -> None:
    """Not the note above it, which is in lower case."""
    assert best(IssuerFallback(), RECEIPT) == "NORTH QUAY STATIONERY SDN BHD"
    assert best(IssuerFallback(), CHINESE) == "晨光文具店"


def test_a_name_over_several_rows_is_one_span() -> None:
    text = RECEIPT.replace("NORTH QUAY STATIONERY SDN BHD (", "NORTH QUAY\nCO. (M) SDN BHD\n(")
    assert best(IssuerFallback(), text) == "NORTH QUAY\nCO. (M) SDN BHD"


def test_who_owns_a_shop_is_named_without_the_words_before() -> None:
    text = RECEIPT.replace("NORTH QUAY STATIONERY SDN BHD", "OWNED BY: QUAY TRADING")
    assert best(IssuerFallback(), text) == "QUAY TRADING"


def test_an_address_runs_over_its_rows_and_ends_before_the_telephone() -> None:
    assert best(AddressFallback(), RECEIPT) == (
        "NO. 12, JALAN MAWAR 3,\nTAMAN MELATI, 50480\nKUALA LUMPUR"
    )


@pytest.mark.parametrize(
    ("head", "address"),
    [
        (
            "Harbour Cafe\n21 Mill Street, Suite 4\nSpringfield, IL 62704\nPhone 555-0103\nReceipt",
            "21 Mill Street, Suite 4\nSpringfield, IL 62704",
        ),
        (
            "SUNNY PLAZA BAKERY\nLot 7, Jalan Teratai,\n81200 Johor Bahru\nJOHOR\nTAX INVOICE",
            "Lot 7, Jalan Teratai,\n81200 Johor Bahru\nJOHOR",
        ),
        (
            "KEDAI SETIA\nHQ ADD: LOT 9, BATU 2, JALAN KAPAR\n41400 KLANG, SELANGOR\nTEL 5555 0104",
            "LOT 9, BATU 2, JALAN KAPAR\n41400 KLANG, SELANGOR",
        ),
        (
            "Harbour Cafe\n21 Mill Street\nSpringfield, IL 62704\n(217) 555-0103\nReceipt",
            "21 Mill Street\nSpringfield, IL 62704",
        ),
        ("Reiher GmbH\nLindenallee 7\n10115 Berlin\nReceipt 42", "Lindenallee 7\n10115 Berlin"),
        ("Creek Fuel\n5 Mill Street\nKatherine NT 0850\nABN 5", "5 Mill Street\nKatherine NT 0850"),
        ("Birch\n80084\n\nNo 7, Jalan Teratai, Klang\nBill", "No 7, Jalan Teratai, Klang"),
        ("晨光\n地址：上海市徐汇区天平路88号2楼\n电话：5555", "上海市徐汇区天平路88号2楼"),
    ],
)
def test_addresses_of_several_countries(head: str, address: str) -> None:
    """The name of a building in a firm's own name does not begin the address."""
    assert best(AddressFallback(), head) == address


def test_the_town_of_a_branch_below_a_complete_address_is_left_out() -> None:
    text = "Book House\nNo 8, Jalan 7, Desa Baru\n56000 Kuala Lumpur, Malaysia\nEAST SHAH ALAM\n"
    assert best(AddressFallback(), text) == "No 8, Jalan 7, Desa Baru\n56000 Kuala Lumpur, Malaysia"


def test_an_address_in_a_sentence_is_what_is_announced() -> None:
    text = (
        "This Agreement is made by Alder Ltd, with its place of business at 5 High Street, London"
        " EC1A 1BB, England (the “Seller”)."
    )
    assert best(AddressFallback(), text) == "5 High Street, London EC1A 1BB, England"


def test_an_address_ends_where_others_are_provided_for() -> None:
    text = (
        "Notices to Alder Ltd go to its office located at 5 High Street, London EC1A 1BB or at such"
        " other place as it may name in writing."
    )
    assert best(AddressFallback(), text) == "5 High Street, London EC1A 1BB"


def test_the_date_of_issue_is_the_one_called_date() -> None:
    """Neither the expiry of a card nor a date without a label goes before it."""
    assert best(IssueDateFallback(), RECEIPT) == "04/11/2017"
    assert best(IssueDateFallback(), CHINESE) == "2024年5月6日"


def test_a_time_printed_right_behind_a_date_does_not_hide_it() -> None:
    text = RECEIPT.replace("04/11/2017 10:32:11", "04/11/201710:32:11")
    assert best(IssueDateFallback(), text) == "04/11/2017"
    assert read_date("04/11/2017").values == ("2017-04-11", "2017-11-04")


def test_the_heuristic_takes_the_first_whole_date() -> None:
    assert best(IssueDateHeuristic(), "Memo\nMay 2019\n3 June 2019\n4 June 2019") == "3 June 2019"


def test_the_total_is_what_was_paid_after_rounding() -> None:
    """It is what the cash handed over leaves after change; the subtotal and taxes are not."""
    assert best(TotalFallback(), RECEIPT) == "RM 12.50"
    assert best(TotalFallback(), CHINESE) == "18.00"


def test_the_last_of_like_totals_counts_where_nothing_was_handed_over() -> None:
    text = RECEIPT.replace("Cash\t20.00\nChange\t7.50\n", "")
    assert best(TotalFallback(), text) == "RM 12.50"


def test_the_total_is_found_by_cash_and_change_where_its_word_was_misread() -> None:
    text = RECEIPT.replace("TOTAL\tRM", "T0TRL\tRM")
    assert best(TotalFallback(), text) == "RM 12.50"


def test_more_speaks_for_a_total_that_cash_and_change_confirm() -> None:
    unconfirmed = RECEIPT.replace("Change\t7.50\n", "")
    assert TotalFallback().find(RECEIPT)[0].score > TotalFallback().find(unconfirmed)[0].score


def test_the_heuristic_takes_the_amount_printed_most_often() -> None:
    text = "Receipt qty\n3.00\n9.00\n9.00\n"
    assert best(TotalHeuristic(), text) == "9.00"
    assert all(item.score <= 0.5 for item in TotalHeuristic().find(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [("RM1,234.50", "1234.50"), ("1.234,50", "1234.50"), ("7,00", "7.00"), (".40", "0.40")],
)
def test_the_last_mark_of_an_amount_is_the_decimal_one(text: str, value: str) -> None:
    assert str(amount_of(text)) == value


@pytest.mark.parametrize(
    "fallback", [IssuerFallback(), TotalFallback(), IssueDateFallback(), TotalHeuristic()]
)
def test_a_long_agreement_is_no_bill(fallback: Fallback) -> None:
    clause = "The Buyer shall pay the total of $12.50 on each invoice dated 04/11/2017. "
    assert fallback.find(clause * 200) == ()


def test_a_total_without_a_currency_has_an_amount_all_the_same() -> None:
    (amount,) = get_unit("extract_total").fields["total"].annotation.__args__[0].readings("12.50")
    assert (amount.amount, amount.currency) == ("12.50", None)


@pytest.mark.parametrize(
    ("row", "date"),
    [
        ("Reg #19-21/03/2018 19:53", "21/03/2018"),
        ("Slip 06/04/1711:43am", "06/04/17"),
        ("Slip 06/04/201711:43", "06/04/2017"),
    ],
)
def test_numbers_right_beside_a_date_do_not_hide_it(row: str, date: str) -> None:
    text = f"ELM FOODS LTD\n5 Mill Lane\nReceipt\n{row}\nTOTAL\t5.00\nCash\t5.00\n"
    assert best(IssueDateFallback(), text) == date


@pytest.mark.parametrize(
    ("foot", "total"),
    [
        ("合计：33.00\n实收：50.00\n找零：17.00\n", "33.00"),
        ("合计：43.00\n优惠：10.00\n实收：33.00\n", "33.00"),
    ],
)
def test_the_sum_received_is_the_total_unless_change_was_given(foot: str, total: str) -> None:
    assert best(TotalFallback(), f"青松超市\n收银小票\n牛奶 1 8.00 8.00\n{foot}") == total


def test_the_seller_of_an_invoice_stands_behind_its_label() -> None:
    """And the buyer, whose name comes first, is not the issuer."""
    text = (
        "普通发票\n购买方名称：松林设计有限公司\n购买方地址：杭州市文三路12号\n"
        "销售方名称：白鹭办公用品有限公司\n销售方地址：苏州市星湖街88号\n"
        "数量 1 金额 ¥200.00\n合计 ¥200.00\n"
    )
    assert best(IssuerFallback(), text) == "白鹭办公用品有限公司"
    assert best(AddressFallback(), text) == "苏州市星湖街88号"
    text = "INVOICE\nCustomer: Fir Ltd\nSeller: Gum & Sons\nQty 1\nTotal\t5.00\n"
    assert best(IssuerFallback(), text) == "Gum & Sons"


def test_a_rule_of_the_house_is_no_name() -> None:
    text = "Goods sold are not returnable.\nHOLLY\nQty 1\nTotal\t5.00\n"
    assert best(IssuerFallback(), text) == "HOLLY"
