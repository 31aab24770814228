"""What a text is hashed to."""

import numpy as np
import pytest

from assay.routing.features import MAX_CHARACTERS, NUM_ROWS, hash_features, tokens_of


def test_numbers_are_alike_and_case_and_width_do_not_count():
    assert tokens_of("Pay 1,000.50 by ＭＡＹ 4%") == tokens_of("pay 7 by may 12%")
    assert tokens_of("合同A的Total") == ["合同", "a", "的", "total"]


def test_values_have_length_one_and_rows_are_in_range():
    rows, values = hash_features("who signed the lease?")
    assert len(rows) == len(set(rows.tolist())) == len(values)
    assert rows.max() < NUM_ROWS
    assert float(np.linalg.norm(values)) == pytest.approx(1.0)


def test_a_word_mistyped_shares_rows_with_the_right_one():
    right, wrong, other = (
        set(hash_features(text)[0].tolist())
        for text in ("confidentiality", "confidentality", "sum")
    )
    assert len(right & wrong) > len(right) / 3
    assert len(right & other) <= 1


def test_nothing_to_hash_is_nothing_and_the_rest_of_a_long_text_is_left():
    assert len(hash_features("…!")[0]) == 0
    long = "word " * 1000
    assert tokens_of(long) == tokens_of(long[:MAX_CHARACTERS])
