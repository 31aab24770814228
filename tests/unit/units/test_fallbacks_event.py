"""Words that tell of events."""

from assay.units.fallbacks.event import EventFallback

STORY = "孟某将手机卖给柏某后逃跑，次日被民警抓获归案。"


def triggers(*events):
    draft = EventFallback().draft(STORY, {"events": events})
    if draft is None:
        return None
    assert draft.value == [STORY[item.start : item.end] for item in draft.standings]
    return draft.value


def test_each_event_has_its_word_in_the_order_of_the_text():
    """Whatever the order in which events are asked for."""
    assert triggers("拘捕", "卖出", "逃匿") == ["卖给", "逃跑", "抓获归案"]


def test_event_that_is_not_listed_is_looked_for_by_name():
    """A kind of event of the caller's own."""
    assert triggers("次日/当日") == ["次日"]


def test_event_that_did_not_happen_has_no_word():
    """Nothing is given for it, and nothing at all if there is no other."""
    assert triggers("放火", "逃匿") == ["逃跑"]
    assert triggers("放火") is None
