"""What the machine's matrix products alone would allow: the ceiling that prefill runs under.

For every matrix of a decoder layer, the bare product of a block of rows by the fastest kernel that
PyTorch offers in a precision: activations already quantised, nothing before or after. The head is
left out, since prefill needs one row of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

from assay.models.config import ModelConfig
from assay.models.layers import Precision

_MIN_SECONDS = 0.3
_MIN_CALLS = 5


def layer_shapes(config: ModelConfig) -> dict[str, tuple[int, int]]:
    """`(out_features, in_features)` of the matrices of one layer, fused as they can be."""
    heads = config.num_heads * config.head_dim
    keys = config.num_kv_heads * config.head_dim
    return {
        "qkv": (heads + 2 * keys, config.hidden_size),
        "o": (config.hidden_size, heads),
        "gate_up": (2 * config.intermediate_size, config.hidden_size),
        "down": (config.hidden_size, config.intermediate_size),
    }


def measure_ceiling(config: ModelConfig, precision: Precision, num_rows: int) -> dict[str, Any]:
    """Tokens a second if nothing but the matrices of all layers took time; fastest calls count."""
    seconds = {
        name: _fastest(_product(precision, num_rows, *shape))
        for name, shape in layer_shapes(config).items()
    }
    total = config.num_layers * sum(seconds.values())
    operations = 2 * num_rows * sum(out * inner for out, inner in layer_shapes(config).values())
    return {
        "tok_s": round(num_rows / total, 1),
        "gop_s": round(config.num_layers * operations / total / 1e9, 1),
        "us": {name: round(value * 1e6, 1) for name, value in seconds.items()},
        "num_rows": num_rows,
        "precision": precision,
    }


def _product(precision: Precision, num_rows: int, out: int, inner: int) -> Callable[[], object]:
    chooser = torch.Generator().manual_seed(0)
    if precision != "int8":
        dtype = torch.float32 if precision == "float32" else torch.bfloat16
        x = torch.randn(num_rows, inner, generator=chooser).to(dtype)
        weight = torch.randn(out, inner, generator=chooser).to(dtype)
        return lambda: F.linear(x, weight)
    weight = torch.randint(-127, 128, (out, inner), generator=chooser, dtype=torch.int8)
    rows = torch.randint(0, 256, (num_rows, inner), generator=chooser).to(torch.uint8)
    packed = torch.ops.onednn.qlinear_prepack(weight, None)
    scale, zero = torch.ones(out), torch.zeros(out, dtype=torch.int32)
    return lambda: torch.ops.onednn.qlinear_pointwise(
        rows, 1.0, 128, packed, scale, zero, None, 1.0, 0, torch.float32, "none", [], ""
    )


def _fastest(call: Callable[[], object]) -> float:
    """The shortest time of a call, in seconds, over at least a third of a second of calls."""
    times: list[float] = []
    with torch.inference_mode():
        call()
        while len(times) < _MIN_CALLS or sum(times) < _MIN_SECONDS:
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    return min(times)
