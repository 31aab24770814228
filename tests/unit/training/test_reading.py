"""Reading a context and branches after it, beside the engine's own attention."""

from __future__ import annotations

import pytest
import torch
from references import all_logits, make_checkpoint

from assay.models.llama import LlamaModel
from assay.training.reading import Reading
from assay.training.recording import AttentionStatistics

CONTEXT, BRANCH = list(range(40, 90)), list(range(100, 112))


@pytest.mark.parametrize("kind", ["llama", "mistral"])
def test_a_branch_reads_as_the_engine_does(tmp_path, kind) -> None:
    packed = make_checkpoint(tmp_path, kind)
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    reading = Reading(model, CONTEXT, len(BRANCH))
    reading.branch(BRANCH[::-1])  # whatever was read before
    logits = reading.branch(BRANCH, num_logits=5)
    expected = all_logits(model, CONTEXT + BRANCH)[-5:]
    torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-4)


def test_what_was_just_read_need_not_be_read_again(model) -> None:
    reading = Reading(model, CONTEXT, len(BRANCH))
    whole = reading.branch(BRANCH, num_logits=4)
    again = reading.branch(BRANCH, first=8, num_logits=4)
    torch.testing.assert_close(again, whole, rtol=1e-4, atol=1e-4)


def test_denied_pairs_are_as_if_they_were_not_there(model) -> None:
    """Denying the whole context leaves the branch, at its own positions."""
    reading = Reading(model, CONTEXT, len(BRANCH))
    kept = torch.zeros(reading.keys.shape[:3], dtype=torch.bool)
    alone = Reading(model, [], len(BRANCH))
    torch.testing.assert_close(
        reading.branch(BRANCH, kept=kept, num_logits=3),
        alone.branch(BRANCH, num_logits=3),  # rotary positions are relative
        rtol=1e-3,
        atol=1e-3,
    )
    kept[0, 1, 7] = True
    changed = reading.branch(BRANCH, kept=kept, num_logits=3)
    assert not torch.allclose(changed, alone.branch(BRANCH, num_logits=3), atol=1e-4)


def test_statistics_are_of_the_places_asked_for(model) -> None:
    reading = Reading(model, CONTEXT, len(BRANCH))
    whole = AttentionStatistics(reading, 0, range(3, 6))
    reading.branch(BRANCH, observer=whole)
    last = AttentionStatistics(reading, len(BRANCH) - 1)
    reading.branch(BRANCH, observer=last)
    assert whole.queries.shape[2] == 3
    assert (whole.greatest >= last.greatest).all()
    group = model.config.num_heads // model.config.num_kv_heads
    assert (last.greatest >= last.mass).all()
    assert (last.greatest <= group * last.mass).all()
    assert float(whole.mass.sum(-1).max()) <= len(BRANCH)
