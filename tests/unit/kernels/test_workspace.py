"""Buffers kept from step to step."""

import torch

from assay.kernels.workspace import Workspace


def test_a_name_is_the_same_memory_again_as_long_as_it_is_large_enough():
    workspace = Workspace()
    large = workspace.take("heads", 8, 4)
    small = workspace.take("heads", 3, 4)
    assert small.shape == (3, 4)
    assert small.data_ptr() == large.data_ptr()
    assert small.is_contiguous()
    larger = workspace.take("heads", 9, 4)
    assert larger.shape == (9, 4)
    assert workspace.take("heads", 9, 4).data_ptr() == larger.data_ptr()


def test_names_share_no_memory():
    workspace = Workspace()
    first = workspace.take("query", 2, 3, dtype=torch.bfloat16).fill_(1)
    second = workspace.take("logits", 2, 3).fill_(2)
    assert first.dtype == torch.bfloat16
    assert (first == 1).all()
    assert (second == 2).all()


def test_nothing_can_be_taken():
    assert Workspace().take("logits", 0, 5).shape == (0, 5)
