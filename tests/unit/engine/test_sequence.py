"""Sequence: its counts and its order."""

from assay.engine.sequence import Sequence
from assay.engine.text import IncrementalDecoder
from assay.types import GeneratedToken, SamplingParams


def sequence(seq_id: int = 0, priority: int = 0, **sampling) -> Sequence:
    return Sequence(
        seq_id,
        [1, 2, 3],
        SamplingParams(**sampling),
        IncrementalDecoder(lambda _: b"x"),
        priority=priority,
    )


def test_tokens_added_are_pending_and_counted_by_how_they_came():
    grown = sequence()
    grown.num_computed_tokens = 3
    grown.append(GeneratedToken(7, "x", -0.5, forced=False))
    grown.append_forced([GeneratedToken(8, "x", 0.0, forced=True)])
    assert grown.token_ids == [1, 2, 3, 7, 8]
    assert grown.num_pending_tokens == 2
    assert (grown.num_prompt_tokens, grown.num_decoded_tokens, grown.num_forced_tokens) == (3, 1, 1)


def test_priority_goes_before_arrival():
    early, late, urgent = sequence(0), sequence(1), sequence(2, priority=-1)
    assert sorted([late, early, urgent], key=lambda item: item.order) == [urgent, early, late]


def test_the_same_seed_gives_the_same_stream():
    first, second, other = sequence(0, seed=5), sequence(1, seed=5), sequence(2, seed=6)
    draws = [[item.random.random() for _ in range(3)] for item in (first, second, other)]
    assert draws[0] == draws[1] != draws[2]


def test_the_greatest_length_is_prompt_and_answer():
    assert sequence(max_tokens=10).max_num_tokens == 13
