"""Which precision and which operators suit the processor."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.engine.precision import (
    Choices,
    processor_flags,
    resolve_kernels,
    resolve_precision,
)
from assay.errors import ConfigError


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"avx2", "avx512f", "avx512_vnni", "avx512_bf16"}, "int8"),
        ({"avx2", "avx_vnni"}, "int8"),
        ({"avx512f", "avx512_bf16"}, "bf16"),
        ({"avx2", "fma"}, "float32"),
        ({"asimd", "bf16"}, "bf16"),
        (set(), "float32"),
    ],
)
def test_auto_takes_the_fastest_that_is_right_on_the_processor(flags, expected) -> None:
    assert resolve_precision("auto", flags) == expected


@pytest.mark.parametrize("precision", ["int8", "bf16", "float32"])
def test_a_precision_asked_for_is_taken_whatever_the_processor(precision) -> None:
    assert resolve_precision(precision, ()) == precision


def test_an_unknown_precision_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="auto, int8, bf16, float32"):
        resolve_precision("fp8", ())


@pytest.mark.parametrize("name", ["flags", "Features"])
def test_flags_are_read_as_the_system_lists_them(tmp_path: Path, name: str) -> None:
    path = tmp_path / "cpuinfo"
    path.write_text(f"processor\t: 0\n{name}\t\t: fpu avx2  avx512_vnni\n\nprocessor\t: 1\n")
    assert processor_flags(path) == {"fpu", "avx2", "avx512_vnni"}


def test_no_list_is_no_flags(tmp_path: Path) -> None:
    assert processor_flags(tmp_path / "absent") == frozenset()


def test_auto_takes_the_compiled_operators_where_nothing_is_against_them() -> None:
    assert resolve_kernels("auto", None) == "native"
    assert resolve_kernels("auto", "the processor lacks avx512f") == "torch"


def test_doing_without_the_compiled_operators_is_always_possible() -> None:
    assert resolve_kernels("torch", None) == "torch"


def test_compiled_operators_asked_for_in_vain_are_an_error_that_says_why() -> None:
    assert resolve_kernels("native", None) == "native"
    with pytest.raises(ConfigError, match="the processor lacks avx512f"):
        resolve_kernels("native", "the processor lacks avx512f")


def test_unknown_kernels_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="auto, native, torch"):
        resolve_kernels("triton", None)


CHOICES = Choices("smollm2", "int8", "native", None, 2, 1456, 16, 512 * 2**20)


def test_choices_are_one_line() -> None:
    expected = "smollm2, int8, compiled operators (AVX-512 VNNI), 2 threads, 512 MB cache"
    assert CHOICES.describe() == expected


def test_choices_say_what_is_behind_the_cache() -> None:
    told = replace(CHOICES, host_cache_bytes=256 * 2**20, disk_cache_dir="/var/assay")
    assert told.describe().endswith("512 MB cache and 256 MB behind it, disk cache in /var/assay")


def test_choices_say_why_compiled_operators_cannot_run() -> None:
    told = replace(CHOICES, kernels="torch", obstacle="the processor lacks avx512f", num_threads=1)
    assert "PyTorch operators (the processor lacks avx512f), 1 thread," in told.describe()


def test_choices_do_not_claim_compiled_products_where_there_are_none() -> None:
    assert "PyTorch products" in replace(CHOICES, precision="bf16").describe()
    assert "PyTorch operators" in replace(CHOICES, precision="float32").describe()
