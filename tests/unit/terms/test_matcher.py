import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.terms.matcher import TermMatcher

SPELLINGS = (
    "deductible",
    "excess of loss",
    "excess",
    "set-off",
    "party",
    "ALL",
    "免赔额",
    "绝对免赔额",
    "İstanbul",
    "401(k)",
    "$",
)


def read(text, *, overlapping=False, spellings=SPELLINGS):
    found = TermMatcher(spellings).find(text, overlapping=overlapping)
    return [(text[start:end], spellings[number]) for start, end, number in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The DEDUCTIBLE applies.", ["DEDUCTIBLE"]),
        ("undeductible deductibility deductible2", []),
        ("excess of loss", ["excess of loss"]),
        ("excess of lossy", ["excess"]),
        ("an excess\n   of  losses", ["excess\n   of  losses"]),
        ("set off, set-off and Set\u2010Off", ["set off", "set-off", "Set\u2010Off"]),
        ("deductibles of both parties", ["deductibles", "parties"]),
        ("all ALL BALL ALLY", ["ALL"]),
        ("保单绝对免赔额为", ["绝对免赔额"]),
        ("每次免赔额为", ["免赔额"]),
        ("the免赔额is a deductible", ["免赔额", "deductible"]),
        ("ＤＥＤＵＣＴＩＢＬＥ", ["ＤＥＤＵＣＴＩＢＬＥ"]),
        ("to İSTANBUL: deductible", ["İSTANBUL", "deductible"]),
        ("déductible deductiblé", []),
        ("a 401(k) plan, $5", ["401(k)", "$"]),
        ("", []),
    ],
)
def test_finds_whole_words_in_any_case_and_spacing_with_the_text_s_own_offsets(text, expected):
    assert [found for found, _ in read(text)] == expected


def test_gives_terms_inside_of_longer_ones_when_asked():
    assert read("绝对免赔额") == [("绝对免赔额", "绝对免赔额")]
    assert [name for _, name in read("绝对免赔额", overlapping=True)] == ["绝对免赔额", "免赔额"]


def test_a_longer_term_that_is_no_whole_word_hides_none_of_the_shorter_ones():
    spellings = ("a 1", "1 b", "b c")
    assert read("a 12 a 1 b c", spellings=("a 1", "1 b c", "b c")) == [
        ("a 1", "a 1"),
        ("b c", "b c"),
    ]
    assert read("x1 b c", spellings=spellings) == [("b c", "b c")]


WORDS = st.sampled_from(["a", "ab", "b1", "1", "c", "Ab", "é", "免", "赔"])


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=6, unique_by=" ".join),
    st.lists(WORDS, max_size=12),
)
def test_agrees_with_looking_for_every_spelling_at_every_place(parts, words):
    spellings = [" ".join(part) for part in parts]
    text = " ".join(words)
    found = TermMatcher(spellings).find(text)
    taken = 0
    for start in range(len(text)):
        if start < taken:
            continue
        ends = [
            start + len(candidate)
            for spelling in spellings
            for candidate in (spelling, *plurals(spelling))
            if stands(text, candidate, start)
        ]
        if ends:
            taken = max(ends)
            assert (start, taken) in [item[:2] for item in found]
    assert len(found) == len({item[0] for item in found})


def plurals(spelling):
    return ()  # no word above is followed by what makes it a plural


def stands(text, spelling, start):
    end = start + len(spelling)
    if text[start:end].lower() != spelling.lower():
        return False
    before, after = text[:start][-1:], text[end:][:1]
    return not (joins(before, spelling[0]) or joins(spelling[-1], after))


def joins(left, right):
    return all(item and item.isalnum() and item not in "免赔" for item in (left, right))
