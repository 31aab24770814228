"""MaskFiller: the legal tokens of a step, found beside the forward pass."""

from threading import Event, get_ident

import numpy as np
import pytest
from tiny import tiny_tokenizer, tiny_vocabulary

from assay.decoding.matcher import compile_constraint
from assay.engine.masks import Deciding, MaskFiller
from assay.errors import GrammarTooComplexError
from assay.types import JsonConstraint, RegexConstraint, Source

VOCAB_SIZE = tiny_tokenizer().vocab_size
TIMEOUT_S = 10


def encode(text: str) -> list[int]:
    return tiny_tokenizer().encode(text)


def matcher(pattern: str):
    return compile_constraint(RegexConstraint(pattern), tiny_vocabulary())


def alone(constraint) -> np.ndarray:
    row = np.zeros(tiny_vocabulary().num_mask_words, dtype=np.int32)
    constraint.fill_mask(row)
    return row


def test_each_row_is_what_the_constraint_says_alone():
    schema = {"type": "string", "x-verbatim": "word"}
    verbatim = JsonConstraint(schema, (Source("the buyer pays the seller"),))
    constraints = [
        matcher("ab|cd"),
        compile_constraint(verbatim, tiny_vocabulary()),
        matcher("[^x]*"),
    ]
    deciding = [Deciding(constraints[0]), Deciding(None), *map(Deciding, constraints[1:])]
    legality = MaskFiller(VOCAB_SIZE).begin(deciding).result(TIMEOUT_S)
    assert legality.failed == {}
    assert np.array_equal(legality.masks[0], alone(constraints[0]))
    assert (legality.masks[1] == -1).all()
    assert np.array_equal(legality.masks[2:], np.stack([alone(item) for item in constraints[1:]]))


def test_a_draft_has_a_row_after_each_of_its_tokens_and_leaves_the_state_as_it_was():
    drafted, plain = matcher("abc|xyz"), matcher("[0-9]+")
    before = alone(drafted)
    deciding = [Deciding(drafted, encode("ab")), Deciding(None, [1]), Deciding(plain)]
    masks = MaskFiller(VOCAB_SIZE).begin(deciding).result(TIMEOUT_S).masks
    assert len(masks) == 3 + 2 + 1
    expected = matcher("abc|xyz")
    for row in range(3):
        assert np.array_equal(masks[row], alone(expected))
        if row < 2:
            expected.advance(encode("ab")[row])
    assert (masks[3:5] == -1).all()
    assert np.array_equal(masks[5], alone(plain))
    assert np.array_equal(alone(drafted), before)


def test_without_constraints_there_is_nothing_to_find():
    legality = MaskFiller(VOCAB_SIZE).begin([Deciding(None), Deciding(None)]).result(0)
    assert (legality.masks, legality.failed) == (None, {})


class Probe:
    """A constraint that says where and when it was asked."""

    is_accepting = is_finished = False

    def __init__(self, error=None) -> None:
        self.asked, self.thread, self.error = Event(), None, error

    def fill_mask(self, row) -> None:
        self.thread = get_ident()
        self.asked.set()
        if self.error:
            raise self.error
        row[:] = 1

    def advance(self, *token_ids): ...

    def rollback(self, num_tokens): ...

    def forced_tokens(self):
        return []


def test_masks_are_found_while_the_caller_does_something_else():
    probe = Probe()
    pending = MaskFiller(VOCAB_SIZE).begin([Deciding(probe)])
    assert probe.asked.wait(TIMEOUT_S), "nothing happens until the result is asked for"
    assert probe.thread != get_ident()
    assert (pending.result(TIMEOUT_S).masks == 1).all()


def test_a_constraint_that_fails_is_named_and_the_others_have_their_rows():
    failed = matcher("ab")
    failed.raw.consume_token(encode("x")[0])
    deciding = [
        Deciding(Probe()),
        Deciding(Probe(GrammarTooComplexError("too many states")), [1, 2]),
        Deciding(failed),
        Deciding(matcher("c")),
    ]
    legality = MaskFiller(VOCAB_SIZE).begin(deciding).result(TIMEOUT_S)
    assert {place: type(error) for place, error in legality.failed.items()} == {
        1: GrammarTooComplexError,
        2: GrammarTooComplexError,
    }
    assert (legality.masks[0] == 1).all()
    assert np.array_equal(legality.masks[5], alone(matcher("c")))


def test_an_error_that_is_none_of_ours_comes_out_where_the_result_is_taken():
    pending = MaskFiller(VOCAB_SIZE).begin([Deciding(Probe(ZeroDivisionError()))])
    with pytest.raises(ZeroDivisionError):
        pending.result(TIMEOUT_S)
