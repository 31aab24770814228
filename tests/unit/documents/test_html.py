"""HTML as a reader sees it."""

from __future__ import annotations

import pytest

from assay.documents import read_document
from assay.errors import BrokenDocumentError


def text_of(markup: str | bytes) -> str:
    data = markup.encode() if isinstance(markup, str) else markup
    return read_document(b"<html>" + data, name="a.html").text


def test_blocks_are_apart_and_inline_elements_are_not():
    markup = "<h1>Title</h1><p>One <b>wo</b>rd</p><div>a</div><div>b</div>c<br>d<p>e"
    assert text_of(markup) == "Title\n\nOne word\n\na\nb\nc\nd\n\ne"


def test_white_space_is_collapsed_but_not_in_preformatted_text():
    assert text_of("<p>a\n   b <i> c</i></p><pre>x\n  y</pre>") == "a b c\n\nx\n  y"


def test_entities_are_decoded_and_nothing_is_normalised():
    assert text_of("<p>&#233; &mdash; &amp;&nbsp;&lt;b&gt; &#146; — ﬁ") == "é — &\xa0<b> ’ — ﬁ"


def test_what_is_not_shown_is_left_out():
    markup = """<head><title>t</title></head><script>var a = "x"</script><style>p {}</style>
    <p hidden>no</p><p style="color:red; display: none">no</p><!-- no -->yes
    <template>no</template>"""
    assert text_of(markup) == "yes"


def test_a_row_is_a_line_with_tabs_between_its_cells():
    markup = """<table><tr><th>Item</th> <th>Price</th></tr>
    <tr><td><p>Bolt</p></td><td></td><td><div>5</div></td></tr><tr><td></td><td>x</td></tr></table>end"""
    assert text_of(markup) == "Item\tPrice\nBolt\t\t5\n\tx\n\nend"


def test_items_of_ordered_lists_carry_their_numbers():
    markup = "<ol><li>a<li>b<ol type=a><li>c<li>d</ol></ol><ol start=7><li>e</ol><ul><li>f</ul>"
    assert text_of(markup).split("\n\n") == ["1. a\n2. b", "a. c\nb. d", "7. e", "f"]


@pytest.mark.parametrize("encoding", ["gb2312", "gbk", "utf-8", "iso-8859-1"])
def test_the_encoding_that_a_page_declares_is_used(encoding):
    shown = "café “x”" if encoding == "iso-8859-1" else "本合同自签订之日起生效。"
    codec = {"iso-8859-1": "cp1252"}.get(encoding, encoding)
    page = f'<head><meta charset="{encoding}"></head><p>{shown}'.encode(codec)
    assert text_of(page) == shown


def test_a_wrong_declaration_is_not_believed():
    page = '<meta charset="ascii"><p>本合同自签订之日起生效。'.encode()
    assert text_of(page) == "本合同自签订之日起生效。"


def test_an_xml_declaration_is_no_obstacle():
    page = '<?xml version="1.0" encoding="utf-8"?><html><body><p>合同</p></body></html>'
    assert read_document(page.encode()).text == "合同"


def test_nesting_that_the_parser_gives_up_on_is_said():
    """Text is never dropped in silence."""
    assert text_of("<div>" * 500 + "deep") == "deep"
    with pytest.raises(BrokenDocumentError, match="cannot be parsed"):
        text_of("<div>" * 5000 + "deep")
