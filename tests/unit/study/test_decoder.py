"""The decoder that gradients pass through says what the engine's does."""

import pytest
import torch
from references import FAMILY, all_logits, make_checkpoint

from assay.models.llama import LlamaModel
from assay.study.decoder import FloatDecoder


@pytest.mark.parametrize("kind", sorted(FAMILY))
def test_logits_are_those_of_the_model(tmp_path, kind) -> None:
    packed = make_checkpoint(tmp_path, kind)
    ids = torch.randint(3, packed.config.vocab_size, (40,), generator=torch.manual_seed(0))
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    with torch.no_grad():
        found = FloatDecoder(packed.config, packed.weights).logits(ids, 40)
        few = FloatDecoder(packed.config, packed.weights).logits(ids, 3)
    torch.testing.assert_close(found, all_logits(model, ids.tolist()), atol=2e-4, rtol=1e-3)
    torch.testing.assert_close(few, found[-3:])


def test_what_a_watcher_gives_goes_on_in_place(decoder) -> None:
    ids = torch.tensor([5, 6, 7])
    seen = []

    def silence(layer, inside):
        seen.append((layer, tuple(inside.shape)))
        return torch.zeros_like(inside)

    with torch.no_grad():
        changed = decoder.logits(ids, 1, silence)
        assert not torch.allclose(changed, decoder.logits(ids, 1))
    size = decoder.config.intermediate_size
    assert seen == [(0, (3, size)), (1, (3, size))]
