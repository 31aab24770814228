"""What blocks matter to a request, by gradient and by taking them out."""

import numpy as np
import pytest
import torch

from assay.errors import ConfigError
from assay.study.importance import Asked

TEXT = "Who signs the lease?"


def test_the_answer_is_the_models_own(make_meter, decoder) -> None:
    asked = make_meter(num_answer_tokens=3).ask(TEXT)
    assert 1 <= len(asked.answer) <= 3
    with torch.no_grad():
        logits = decoder.logits(torch.tensor(asked.prompt), 1)
    assert int(logits.argmax()) == asked.answer[0]


def test_importance_is_what_a_small_cut_costs(make_meter, decoder) -> None:
    """At one token, to first order: the likelihood's change by a hundredth of the block."""
    meter = make_meter()
    asked = Asked((5,), (9,))

    def likelihood(layer, factor):
        def watch(index, inside):
            return inside * factor if index == layer else inside

        with torch.no_grad():
            logits = decoder.logits(torch.tensor([5]), 1, watch)
        return float(torch.log_softmax(logits.double(), -1)[0, 9])

    importance = meter.importance(asked)
    for layer in range(2):
        slope = (likelihood(layer, 1.005) - likelihood(layer, 0.995)) / 0.01
        assert importance[layer] == pytest.approx(abs(slope), rel=0.02, abs=1e-4)


def test_groups_of_neurons_are_blocks_of_their_own(make_meter) -> None:
    """Together they have at least what the layer has; without all of a layer's the layer is out."""
    asked = make_meter().ask(TEXT)
    whole, parts = (make_meter(num_groups=n).importance(asked) for n in (1, 4))
    assert parts.shape == (8,)
    assert np.all(parts.reshape(2, 4).sum(1) >= whole * (1 - 1e-5))
    with pytest.raises(ConfigError):
        make_meter(num_groups=7)


def test_taking_a_block_out_changes_the_likelihood(make_meter) -> None:
    meter = make_meter(num_groups=2)
    losses = meter.losses(meter.ask(TEXT))
    assert losses.shape == (4,)
    assert np.all(losses != 0)
