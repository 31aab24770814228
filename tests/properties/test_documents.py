"""Whatever the text: segments and sentences cover it once, in order, with exact offsets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.documents import Document, Page, read_document, segment_document
from assay.documents.sentences import sentences

_PIECES = [
    "The Buyer shall pay", " ", "  ", "      ", "\n", "\n\n", "\t", " | ", ".", ". ", "; ", ", ",
    "! ", "7.2 ", "(a) ", "ARTICLE IV", "Section 4.", "Inc.", "No. ", "U.S.", "HEADING", "“", "”",
    "(", ")", "第三条", "甲方应付款", "。", "；", "一、", "•", "§ ", "—", "e\u0301", "𠀀", "\u3000",
    "\u00a0", "x" * 50,
]  # fmt: skip
_LEGAL = st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)
_ANY = st.text(max_size=200)
_TEXTS = st.one_of(_LEGAL, _ANY, st.builds(str.__add__, _LEGAL, _ANY))


def _assert_covers(text: str, spans: list[tuple[int, int]]) -> None:
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@settings(deadline=None)
@given(_TEXTS, st.lists(st.integers(0, 200)))
def test_sentences_cover_the_text_once(text, page_starts):
    _assert_covers(text, sentences(text, page_starts))


@settings(deadline=None)
@given(_TEXTS, st.integers(1, 40), st.integers(0, 60), st.sampled_from([None, len]))
def test_segments_cover_the_text_once_and_keep_to_the_limit(text, low, more, count_tokens):
    document = Document(name="a", text=text, media_type="text/plain")
    high = low + more
    segments = segment_document(
        document, count_tokens=count_tokens, min_tokens=low, max_tokens=high
    )
    assert [segment.index for segment in segments] == list(range(len(segments)))
    spans = [span for segment in segments for span in segment.sentences]
    _assert_covers(text, spans)
    for segment in segments:
        assert (segment.start, segment.end) == (segment.sentences[0][0], segment.sentences[-1][1])
        assert {offset for span in segment.sentences for offset in span} <= {*segment.boundaries}
        assert segment.boundaries == tuple(sorted(set(segment.boundaries)))
        assert segment.start == segment.boundaries[0]
        assert segment.end == segment.boundaries[-1]
        if count_tokens:
            assert sum(count_tokens(text[start:end]) for start, end in segment.sentences) <= high
    assert segments == segment_document(
        document, count_tokens=count_tokens, min_tokens=low, max_tokens=high
    )


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_text_of_a_file_is_kept_to_the_character(text):
    """Offsets that are exact in the file's text are exact in the document's."""
    kept = text.removeprefix("\ufeff")
    document = read_document(b"\xef\xbb\xbf" + kept.encode())
    assert document.text == kept.removeprefix("\ufeff")


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6))
def test_every_offset_is_on_one_page(lengths):
    pages, text = [], ""
    for number, length in enumerate(lengths, 1):
        text += "\n\n" if number > 1 else ""
        pages.append(Page(number, len(text), len(text) + length, 1, 1))
        text += "x" * length
    document = Document(name="a", text=text, media_type="application/pdf", pages=tuple(pages))
    numbers = [document.page_at(offset) for offset in range(len(text) + 1)]
    assert numbers == sorted(numbers)
    for page in pages:
        assert all(number == page.number for number in numbers[page.start : page.end])
