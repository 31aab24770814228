"""Which sequences attend together."""

from assay.engine.schedule import ScheduledSequence
from assay.engine.tiles import group_into_tiles


def sequence(num_new: int, start: int) -> ScheduledSequence:
    return ScheduledSequence([0] * num_new, start, range(-(-(start + num_new) // 16)))


def group(shapes: list[tuple[int, int]], max_blocks: int = 1000) -> list[list[int]]:
    tiles = group_into_tiles([sequence(*shape) for shape in shapes], 16, max_blocks)
    assert sorted(index for tile in tiles for index in tile) == list(range(len(shapes)))
    return sorted(sorted(tile) for tile in tiles)


def test_decodes_of_about_equal_context_go_together() -> None:
    assert group([(1, 500), (1, 511), (1, 470), (1, 500)]) == [[0, 1, 2, 3]]


def test_a_long_context_does_not_make_short_ones_long() -> None:
    assert group([(1, 4000), (1, 100), (1, 90), (1, 3900)]) == [[0, 3], [1, 2]]


def test_forced_runs_of_similar_length_go_together_apart_from_decodes() -> None:
    assert group([(1, 500), (5, 500), (7, 500), (1, 500), (30, 500)]) == [[0, 3], [1, 2], [4]]


def test_long_chunks_stand_alone() -> None:
    assert group([(200, 0), (200, 0), (65, 0), (100, 64)]) == [[0], [1], [2], [3]]


def test_a_tile_holds_no_more_blocks_than_it_may() -> None:
    assert [len(tile) for tile in group([(1, 511)] * 10, max_blocks=100)] == [3, 3, 3, 1]


def test_a_sequence_too_large_for_a_tile_still_gets_one() -> None:
    assert group([(1, 5000), (1, 5000)], max_blocks=10) == [[0], [1]]
