"""Thefts in Chinese judgments: entities, and what the losses add up to."""

import pytest

from assay.units.fallbacks.theft import TheftFallback, spans_of_tags
from assay.units.fallbacks.total_amount import TotalAmountFallback

STORY = (
    "2019年3月2日凌晨，被告人孟某某来到宁川市东湖区柳园小区，将被害人柏某某停放在楼下的一辆黑色"
    "电动车盗走。经鉴定，被盗电动车价值人民币2350元。"
)


def found(kind, text=STORY):
    return [text[item.start : item.end] for item in TheftFallback(kind).find(text)]


def test_persons_are_told_apart_by_their_part():
    """The accused is a suspect, and whom it was taken from is a victim."""
    assert found("suspects") == ["孟某某"]
    assert found("victims") == ["柏某某"]


def test_value_and_time_are_found_whole():
    """A figure with its currency, and a date with the hour, are one span each."""
    assert found("item_values") == ["人民币2350元"]
    assert found("times") == ["2019年3月2日凌晨"]


def test_entities_outside_the_regions_are_not_found():
    """Only what lies in a region is looked at."""
    start = STORY.index("经鉴定")
    assert not TheftFallback("suspects").find(STORY, [(start, len(STORY))])


def test_tags_become_spans():
    """A begin tag starts a new span even behind one of its own kind."""
    tags = ["O", "B-times", "I-times", "B-times", "I-tools"]
    assert list(spans_of_tags(tags)) == [("times", 1, 3), ("times", 3, 4), ("tools", 4, 5)]


def parts(text):
    draft = TotalAmountFallback().draft(text, {})
    if draft is None:
        return None
    spans = [text[item.start : item.end] for item in draft.standings]
    assert spans == draft.value["parts"]
    return spans


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("盗走现金500元及价值人民币1200元的手机一部。", ["500元", "1200元"]),
        ("盗窃手机一部，经鉴定价值900元，后以300元的价格卖给他人。", ["900元"]),
        ("被盗手机价值900元。曾因盗窃被判处罚金2000元。", ["900元"]),
        ("手机价值900元、手表价值100元，合计人民币1000元。", ["1000元"]),
        ("共计骗取3万元，其中现金1万元，转账2万元。", ["3万元"]),
        ("骗取现金5000元。案发后退赔5000元。", ["5000元"]),
        ("盗走小卖部抽屉里的现金80元。", ["80元"]),
    ],
)
def test_losses_are_the_parts_of_the_total(text, expected):
    """What was sold, fined or paid back is no loss, and a total stands for its parts."""
    assert parts(text) == expected


def test_equal_losses_of_two_thefts_both_count():
    """The same value in another paragraph is another loss."""
    assert parts("1、盗走钢管一根，价值44元。\n2、盗走钢管一根，价值44元。") == ["44元", "44元"]


def test_judgment_without_amounts_has_no_total():
    """Nothing to add up is no answer, not nought."""
    assert parts("被告人盗走钥匙一串，无法鉴定价值。") is None
