"""Attention modes: what each sees, which is the cheapest that covers enough, and learning it."""

from __future__ import annotations

from types import SimpleNamespace

import torch

from assay.kv_cache.policies.router import Mode, Router
from assay.training.modes import Routed, attended_share, cheapest_mode, fit_router, visible
from assay.training.recording import Asked, Recording

LAYERS, HEADS, CONTEXT, DIM, PROMPT = 1, 3, 900, 4, 40


def made_up(mass: torch.Tensor) -> tuple[Recording, Asked]:
    keys = torch.ones(LAYERS, HEADS, CONTEXT, DIM)
    keys[..., 70, :] = 0.5  # the key node of the second run of 64
    reading = SimpleNamespace(keys=keys, num_context=CONTEXT)
    asked = Asked([0] * PROMPT, [0], 1, torch.zeros(0), torch.zeros(0), mass)
    return Recording(reading, None, (asked,)), asked


def test_modes_see_sinks_and_window_then_key_nodes_then_all() -> None:
    seen = visible(*made_up(torch.zeros(LAYERS, HEADS, CONTEXT)))
    local, nodes, full = seen[:, 0, 0]
    assert local.sum() == 16 + 512 - PROMPT
    assert local[:16].all()
    assert not local[16 : CONTEXT + PROMPT - 512].any()
    assert nodes[70]
    assert (nodes & ~local).sum() == 6  # of the seven runs before the window, one node is a sink
    assert full.all()


def test_the_cheapest_mode_that_covers_enough_is_the_target() -> None:
    """Two queries, so that a mass of 0.2 is a tenth of the attention."""
    mass = torch.zeros(LAYERS, HEADS, CONTEXT)
    mass[0, 0, 899] = mass[0, 1, 70] = mass[0, 2, 71] = 0.2
    cheapest, covered = cheapest_mode(*made_up(mass))
    assert cheapest.tolist() == [[Mode.LOCAL, Mode.GLOBAL, Mode.FULL]]
    assert covered[:, 0, 2].tolist() == [False, False, True]


def test_the_router_learns_what_the_queries_tell() -> None:
    generator = torch.Generator().manual_seed(0)
    questions = []
    for number in range(60):
        mode = number % 3
        features = torch.randn(LAYERS, HEADS, 2 * DIM, generator=generator)
        features[..., 0] += 6 * (mode - 1)
        questions.append(Routed(features, torch.full((LAYERS, HEADS), mode)))
    router = Router(fit_router(questions, 0, lambda _: None))
    queries = torch.zeros(LAYERS, HEADS * 2, 1, DIM)
    for mode in Mode:
        queries[:, ::2, :, 0] = 6.0 * (mode - 1)
        assert (router.modes(queries) == mode).all()


def test_all_pairs_in_sight_is_the_dense_number() -> None:
    recording, asked = made_up(torch.zeros(LAYERS, HEADS, CONTEXT))
    full = visible(recording, asked)[Mode.FULL]
    assert attended_share(full, asked) == 1
    assert attended_share(full & False, asked) < 0.1
