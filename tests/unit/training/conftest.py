"""A tiny model, and what happens once in a process."""

import pytest
import torch
from references import make_checkpoint

from assay.models.llama import LlamaModel


@pytest.fixture(scope="package")
def packed(tmp_path_factory):
    return make_checkpoint(tmp_path_factory.mktemp("model"), "llama")


@pytest.fixture(scope="package")
def model(packed):
    return LlamaModel(packed.config, packed.weights, precision="float32")


@pytest.fixture(scope="package", autouse=True)
def first_step() -> None:
    """An optimiser's first step imports PyTorch's compiler, which takes seconds."""
    parameter = torch.zeros(1, requires_grad=True)
    torch.autograd.backward(parameter.sum())
    torch.optim.AdamW([parameter]).step()
