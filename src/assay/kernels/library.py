"""Finds and loads the compiled operators. Nothing happens on import.

The library knows neither PyTorch nor Python: it takes addresses. Its threads are those of the
OpenMP runtime that PyTorch brought along: a second pool would compete with it for the cores.
"""

from __future__ import annotations

import ctypes
import importlib.util
import logging
import platform
from collections.abc import Collection
from ctypes import CDLL, POINTER, c_float, c_int, c_int64, c_void_p
from functools import cache
from pathlib import Path

_logger = logging.getLogger(__name__)

REQUIRED_FLAGS = (
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512_vnni",
    "avx512_bf16",
)
_NAME = "assay.kernels._native"


class Matrix(ctypes.Structure):
    """`AssayMatrix` of gemm.hpp."""

    _fields_ = (
        ("packed", c_void_p),
        ("scale", c_void_p),
        ("compensation", c_void_p),
        ("bias", c_void_p),
        ("n", c_int64),
        ("k", c_int64),
        ("k4", c_int64),
        ("panels", c_int64),
    )


class Heads(ctypes.Structure):
    """`AssayHeads` of attention.hpp."""

    _fields_ = (
        ("num_heads", c_int64),
        ("num_kv_heads", c_int64),
        ("head_dim", c_int64),
        ("block_size", c_int64),
        ("block_stride", c_int64),
        ("window", c_int64),
    )


class Sequences(ctypes.Structure):
    """`AssaySequences` of attention.hpp."""

    _fields_ = (
        ("first_rows", c_void_p),
        ("starts", c_void_p),
        ("table_starts", c_void_p),
        ("tables", c_void_p),
        ("windows", c_void_p),
        ("count", c_int64),
    )


_MATRIX, _HEADS, _SEQUENCES = POINTER(Matrix), POINTER(Heads), POINTER(Sequences)
_P, _N, _I, _F = c_void_p, c_int64, c_int, c_float
_SIGNATURES = {
    "assay_pack": (None, (_P, _P, _P, _N, _N, _I, _P, _P, _P, _P, _I)),
    "assay_linear": (c_int, (_MATRIX, _P, _N, _P, _F, _P, _I, _I)),
    "assay_gated_mlp": (c_int, (_MATRIX, _MATRIX, _P, _N, _P, _F, _I)),
    "assay_normalise_heads": (None, (_P, _N, _N, _N, _N, _P, _F, _I)),
    "assay_rotate_and_store": (None, (_HEADS, _SEQUENCES, _P, _P, _P, _F, _P, _P, _I)),
    "assay_attend_layer": (c_int, (_HEADS, _SEQUENCES, _P, _P, _N, _P, _I)),
    "assay_query_attention": (c_int, (_HEADS, _N, _P, _P, _N, _P, _N, _P, _I)),
    "assay_keep_highest": (c_int, (_P, _N, _N, _P, _P, _I)),
    "assay_rescore": (c_int, (_P, _P, _P, _N, _N, _N, _N, _F, _F, _P, _I)),
    "assay_copy_slots": (None, (_HEADS, _N, _P, _P, _N, _P, _N, _N, _P, _P, _I)),
    "assay_move_pairs": (None, (_P, _P, _P, _N, _N, _N, _I)),
    "assay_weigh_choices": (None, (_P, _N, _P, _N, _P, _N, _P, _I)),
}


def why_not(flags: Collection[str]) -> str | None:
    """Why the operators cannot run on a processor with these instruction sets; None: they can."""
    missing = [flag for flag in REQUIRED_FLAGS if flag not in flags]
    if missing:
        return f"the processor lacks {', '.join(missing)}"
    if _library_path() is None:
        return "they were not compiled when the package was installed"
    if load() is None:
        return "their library cannot be loaded"
    return None


@cache
def load() -> CDLL | None:
    """The library, or None where it is missing or broken. Only for processors that it suits."""
    path = _library_path()
    if path is None:
        return None
    try:
        _share_openmp()
        library = CDLL(str(path))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        _logger.warning("compiled operators cannot be used: %s", error)
        return None
    return library


def functions() -> CDLL:
    """The library, where `why_not` finds nothing against it."""
    library = load()
    assert library is not None
    return library


def check_memory(result: int) -> None:
    """Turns what an operator returns into an exception."""
    if result != 0:
        raise MemoryError("no memory for a step's intermediate results")


def _library_path() -> Path | None:
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"):
        return None
    spec = importlib.util.find_spec(_NAME)
    return None if spec is None or spec.origin is None else Path(spec.origin)


def _share_openmp() -> None:
    """Lets the library, which names no OpenMP runtime, find PyTorch's."""
    import torch

    own = sorted((Path(torch.__file__).parent / "lib").glob("libgomp*.so*"))
    CDLL(str(own[0]) if own else "libgomp.so.1", mode=ctypes.RTLD_GLOBAL)
