"""What Chinese words about time mean on a Tuesday morning."""

from datetime import datetime

import pytest

from assay.normalize.temporal.find import find_times

REFERENCE = datetime(2021, 6, 15, 9, 30)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("明天", datetime(2021, 6, 16), datetime(2021, 6, 17)),
        ("大后天", datetime(2021, 6, 18), datetime(2021, 6, 19)),
        ("上個月", datetime(2021, 5, 1), datetime(2021, 6, 1)),
        ("二零二一年七月三號", datetime(2021, 7, 3), datetime(2021, 7, 4)),
        ("两千零七年九月十二", datetime(2007, 9, 12), datetime(2007, 9, 13)),
        ("下周五", datetime(2021, 6, 25), datetime(2021, 6, 26)),
        ("今晚8点", datetime(2021, 6, 15, 20), datetime(2021, 6, 15, 21)),
        ("明天下午三点半", datetime(2021, 6, 16, 15, 30), datetime(2021, 6, 16, 15, 31)),
        ("九月的第一个星期一", datetime(2021, 9, 6), datetime(2021, 9, 7)),
        ("前两天", datetime(2021, 6, 13), datetime(2021, 6, 15)),
        ("2022年春节", datetime(2022, 2, 1), datetime(2022, 2, 2)),
        ("未来三天", datetime(2021, 6, 16), datetime(2021, 6, 19)),
        ("上周末", datetime(2021, 6, 11, 18), datetime(2021, 6, 14)),
        ("第三季度", datetime(2021, 7, 1), datetime(2021, 10, 1)),
        ("中秋節", datetime(2021, 9, 21), datetime(2021, 9, 22)),
        ("五月初五", datetime(2022, 6, 3), datetime(2022, 6, 4)),
        ("7月3日到7月5日", datetime(2021, 7, 3), datetime(2021, 7, 6)),
    ],
)
def test_reads_a_time(text: str, start: datetime, end: datetime) -> None:
    """Simplified or traditional, in characters or figures."""
    (mention,) = find_times(text, REFERENCE)
    assert (mention.start, mention.end) == (0, len(text))
    assert (mention.values[0].start, mention.values[0].end) == (start, end)


def test_years_may_come_first_in_figures() -> None:
    """In a Chinese text 12-11-10 is read with the year first, and last as well."""
    (mention,) = find_times("你12-11-10有时间吗", REFERENCE)
    assert mention.values[0].start == datetime(2012, 11, 10)
    assert datetime(2010, 11, 12) in [value.start for value in mention.values]
