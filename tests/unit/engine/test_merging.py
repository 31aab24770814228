"""Prompts with one token for a term, where there is a row for it."""

from tiny import tiny_tokenizer

from assay.engine.merging import TermMerger
from assay.types import FIRST_TERM_ID, Message, PromptDocument

TEXTS = ("The pact ends.", "A pact and 条款 stay.")
DOCUMENT = PromptDocument(TEXTS, (((4, 8),), ((2, 6), (11, 13))))
PACT = tuple(tiny_tokenizer().encode(" pact"))
CLAUSE = tuple(tiny_tokenizer().encode(" 条款"))
ID = FIRST_TERM_ID + 5


class FixedFitter:
    def __init__(self, ready):
        self.ready = ready
        self.wanted = []
        self.closed = False

    def want(self, terms):
        self.wanted += terms

    def close(self):
        self.closed = True


def message(terms=True):
    document = DOCUMENT if terms else PromptDocument(TEXTS)
    content = "Read.\n" + "\n".join(TEXTS) + "\nWho?"
    places = ((6, 20), (21, 21 + len(TEXTS[1])))
    return Message("user", content, places, document, (0, 1))


def merged(fitter, asked):
    prompt = tiny_tokenizer().encode_prompt([asked])
    return prompt, TermMerger(tiny_tokenizer(), fitter).merge(prompt, [asked])


def test_a_term_that_has_a_row_is_one_token_and_segments_stay_where_they_are():
    fitter = FixedFitter({PACT: ID})
    plain, short = merged(fitter, message())
    assert short.token_ids.count(ID) == 2
    assert len(plain.token_ids) - len(short.token_ids) == 2 * (len(PACT) - 1)
    spelled = [
        token for token_id in short.token_ids for token in (PACT if token_id == ID else (token_id,))
    ]
    assert spelled == plain.token_ids
    for before, after in zip(plain.segments, short.segments, strict=True):
        own = short.token_ids[after.start : after.stop]
        assert own.count(ID) == 1
        assert own[0] == plain.token_ids[before.start]
    assert fitter.wanted == [CLAUSE]


def test_a_prompt_without_marked_terms_is_left_alone():
    plain, short = merged(FixedFitter({PACT: ID}), message(terms=False))
    assert short is plain


def test_what_has_no_row_is_read_as_it_is_written():
    fitter = FixedFitter({})
    plain, short = merged(fitter, message())
    assert short.token_ids == plain.token_ids
    assert fitter.wanted == [PACT, PACT, CLAUSE]


def test_a_document_is_merged_as_its_prompts_are():
    merger = TermMerger(tiny_tokenizer(), FixedFitter({PACT: ID, CLAUSE: ID + 1}))
    asked = message()
    prompt = merger.merge(tiny_tokenizer().encode_prompt([asked]), [asked])
    pieces = merger.encode_document(DOCUMENT)
    newline = tiny_tokenizer().encode("\n")
    first, second = (prompt.token_ids[part.start : part.stop] for part in prompt.segments)
    assert pieces == [first + newline, second]
    assert merger.num_merged_terms == 2


def test_a_span_that_cuts_a_token_is_not_merged():
    document = PromptDocument(("the end",), (((1, 3),),))
    asked = Message("user", "the end\nWho?", ((0, 7),), document, (0,))
    prompt = tiny_tokenizer().encode_prompt([asked])
    fitter = FixedFitter({})
    assert TermMerger(tiny_tokenizer(), fitter).merge(prompt, [asked]).token_ids == prompt.token_ids
    assert fitter.wanted == []
