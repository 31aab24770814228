"""Amounts, percentages and payment terms found by rule."""

from assay.units.fallbacks.money import MoneyFallback, MoneyHeuristic
from assay.units.fallbacks.payment_terms import (
    PaymentPeriodFallback,
    PaymentTermsFallback,
    PaymentTermsHeuristic,
)
from assay.units.fallbacks.percentage import PercentageFallback, PercentageHeuristic


def test_amounts_that_are_paid_come_before_those_that_merely_occur() -> None:
    """Words of payment near an amount put it first; no amount is left out."""
    text = "Shares of $.01 par value exist." + " " * 100 + "The annual license fee is $30,000."
    found = MoneyFallback().find(text)
    assert [text[item.start : item.end] for item in found] == ["$30,000", "$.01"]
    assert found[0].score > found[1].score


def test_each_amount_comes_once_however_it_is_written() -> None:
    """The same amount in the same currency is one candidate."""
    text = "A fee of US$5,000 is due. The fee (USD 5,000.00) is final. 违约金为人民币5,000元。"
    found = sorted(MoneyFallback().find(text), key=lambda item: item.start)
    assert [text[item.start : item.end] for item in found] == ["US$5,000", "人民币5,000元"]


def test_bare_figures_beside_a_total_are_left_to_the_heuristic() -> None:
    """Without a currency mark the specialist is silent and the heuristic unsure: it takes what a
    line calls a sum, and no rate."""
    text = "Table 3\nCoffee 4.50\nRolls 12.00\nTotal discount 2.50 %\nGrand total 16.50\n"
    assert MoneyFallback().find(text) == ()
    best = MoneyHeuristic().find(text)[0]
    assert text[best.start : best.end] == "16.50"
    assert best.score <= 0.5
    assert [item.start for item in MoneyHeuristic().find(text)] == [best.start]


def test_percentages_of_rates_come_first_and_once() -> None:
    """Interest before an incidental share; repeats are dropped."""
    text = (
        "About 40% of visitors came by train." + " " * 100 + "Interest accrues at a rate of "
        "1.5% per month, and 1.5% is compounded."
    )
    found = PercentageFallback().find(text)
    assert [text[item.start : item.end] for item in found] == ["1.5%", "40%"]


def test_a_figure_under_a_heading_of_rate_is_left_to_the_heuristic() -> None:
    """A column headed by the sign holds bare figures."""
    text = "Rate (%): 7.25"
    assert PercentageFallback().find(text) == ()
    best = PercentageHeuristic().find(text)[0]
    assert text[best.start : best.end] == "7.25"


_TERMS = "Customer shall pay each undisputed invoice within forty-five (45) days of its receipt."
_CONTRACT = (
    "Vendor shall deliver within ten (10) days. " + _TERMS + " Late payments bear interest of 1% a "
    "month. A party may terminate if payment is not cured within thirty (30) days of notice."
)


def test_finds_the_sentence_that_says_when_payment_is_due() -> None:
    """Not delivery, interest on late payment, or the time to cure."""
    for fallback in (PaymentTermsFallback(), PaymentTermsHeuristic()):
        best = fallback.find(_CONTRACT)[0]
        assert _CONTRACT[best.start : best.end] == _TERMS


def test_the_time_allowed_is_a_part_and_an_answer_of_its_own() -> None:
    """The period stands in the sentence; the period fallback answers with it alone."""
    best = PaymentTermsFallback().find(_CONTRACT)[0]
    period = PaymentPeriodFallback().find(_CONTRACT)[0]
    assert best.parts["period"] == (period.start, period.end)
    assert _CONTRACT[period.start : period.end] == "forty-five (45) days"


def test_net_days_and_chinese_terms_are_understood() -> None:
    """ "Net 30" and 日内支付 state the time too."""
    english = "Terms of payment are net 30 days from the date of invoice."
    chinese = "甲方应在收到发票后三十日内支付货款。"
    for text, period in ((english, "30 days"), (chinese, "三十日")):
        best = PaymentPeriodFallback().find(text)[0]
        assert text[best.start : best.end] == period


def test_an_invoice_states_its_terms_in_a_label() -> None:
    """The label counts for a verb; a discount for early payment is no term of payment."""
    terms = "Payment terms: 60 days after the date of the invoice, due on 4 May 2024."
    text = f"Total 12.00\n\n{terms} A discount of 2% may be deducted if paid within 8 days."
    best = PaymentTermsFallback().find(text)[0]
    assert text[best.start : best.end] == terms
    period = PaymentPeriodFallback().find(text)[0]
    assert text[period.start : period.end] == "60 days"


def test_texts_without_terms_give_none() -> None:
    """A sentence that only mentions money says nothing of when it is due."""
    assert PaymentTermsFallback().find("The parties met. Payment was discussed at length.") == ()
    assert PaymentPeriodFallback().find("The parties met for three days.") == ()
