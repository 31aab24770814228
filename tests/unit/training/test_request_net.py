"""The head in PyTorch is the head in NumPy, but for the switches while it trains."""

import numpy as np
import torch

from assay.routing.head import RouterHead
from assay.routing.router import Router
from assay.training.request_net import Recipe, RouterNet, make_batch

TEXTS = ["who signed", "list the dates and the total", "免赔额"]


class Numbers:
    """An encoder of four numbers."""

    size = 4

    def embed(self, text):
        return np.array([len(text), 1, 0, -1], np.float32) / 10


def test_training_and_use_compute_the_same():
    torch.manual_seed(0)
    net = RouterNet(3, 4, Recipe(hidden_size=8)).eval()
    settings = {"units": ["a", "b", "c"]}
    router = Router(RouterHead(net.arrays(), settings), encoder=Numbers())
    vectors = np.stack([Numbers().embed(text) for text in TEXTS])
    with torch.no_grad():
        descriptor, units, fit = (item.sigmoid() for item in net(make_batch(TEXTS, vectors)))
    for row, text in enumerate(TEXTS):
        reading = router.read(text)
        said = list(reading.descriptor.as_json().values())
        np.testing.assert_allclose(said, descriptor[row].numpy(), atol=1e-4)
        np.testing.assert_allclose(list(reading.units.values()), units[row].numpy(), atol=1e-5)
        np.testing.assert_allclose(reading.fit, fit[row].numpy(), atol=1e-5)


def test_switches_are_drawn_in_training_alone():
    torch.manual_seed(0)
    recipe = Recipe(hidden_size=8, hidden_dropout=0.0, vector_dropout=0.0)
    net = RouterNet(3, 4, recipe)
    batch = make_batch(TEXTS, np.zeros((3, 4), np.float32))
    drawn = [net(batch)[1].detach() for _ in range(2)]
    assert not torch.equal(*drawn)
    drawn = [net.eval()(batch)[1].detach() for _ in range(2)]
    assert torch.equal(*drawn)


def test_features_are_left_out_by_chance():
    torch.manual_seed(0)
    vectors = np.zeros((3, 4), np.float32)
    assert len(make_batch(TEXTS, vectors, keep=0.5).rows) < len(make_batch(TEXTS, vectors).rows)
