"""What a model sees keeps its way back to the document."""

from hypothesis import given
from hypothesis import strategies as st

from assay.units.excerpt import make_passage, read_passages


def test_white_space_is_folded_and_offsets_lead_back():
    text = "  Acme\n   Corporation,\t\tLtd. "
    passage = make_passage(text, 0, len(text))
    assert passage.text == "Acme Corporation, Ltd."
    start = passage.text.index("Corporation")
    begin, end = passage.span_in_document(start, start + len("Corporation, Ltd."))
    assert text[begin:end] == "Corporation,\t\tLtd."


@given(st.text(alphabet=" \n\tab。，七x", max_size=60), st.data())
def test_every_span_of_a_passage_is_its_document_span_with_white_space_folded(text, data):
    passage = make_passage(text, 0, len(text))
    assert passage.text == " ".join(text.split())
    assert len(passage.origins) == len(passage.text)
    if passage.text:
        start = data.draw(st.integers(0, len(passage.text) - 1))
        end = data.draw(st.integers(start + 1, len(passage.text)))
        begin, finish = passage.span_in_document(start, end)
        assert " ".join(text[begin:finish].split()) == passage.text[start:end].strip()


def test_boundaries_keep_their_place_and_the_ends_are_none():
    text = "One is here.  Two is there."
    passage = make_passage(text, 0, len(text), [0, 14, 27])
    (boundary,) = passage.boundaries
    assert passage.text[boundary:] == "Two is there."


def test_text_that_was_left_out_shows_as_a_gap():
    text = "First part. Middle part. Last part."
    reading = read_passages(text, [(0, 12, ()), (12, 25, ()), (25, 35, ())])
    assert reading.excerpt([2, 0]).text == "First part.\n[…]\nLast part."
    assert reading.excerpt([0, 1]).text == "First part.\nMiddle part."


def test_a_cut_keeps_its_place():
    passage = make_passage("pay  USD 5 now", 0, 14)
    start = passage.text.index("USD")
    cut = passage.cut(start, start + 5)
    assert cut.text == "USD 5"
    assert cut.span_in_document(0, 5) == (5, 10)
