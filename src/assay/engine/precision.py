"""Which precision and which operators suit the processor.

int8 needs VNNI (without it oneDNN's int8 products are slow, and on x86 saturate); bf16 needs
hardware products too, or it is slower than float32.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from assay.errors import ConfigError
from assay.models.layers import Kernels, Precision

_INT8_FLAGS = ("avx512_vnni", "avx_vnni", "amx_int8")
_BF16_FLAGS = ("avx512_bf16", "amx_bf16", "bf16")
# What is compiled, in each precision.
_COMPILED: dict[Precision, str] = {
    "int8": "compiled operators (AVX-512 VNNI)",
    "bf16": "PyTorch products, compiled attention",
    "float32": "PyTorch operators (none are compiled for float32)",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What the settings of an engine came to on this machine.

    `obstacle` says why compiled operators cannot run; None where they can.
    """

    model: str
    precision: Precision
    kernels: Kernels
    obstacle: str | None
    num_threads: int
    num_blocks: int
    block_size: int
    kv_cache_bytes: int
    host_cache_bytes: int = 0
    disk_cache_dir: str | None = None

    @property
    def kind(self) -> str:
        """What decides how costs are spread: precision and operators."""
        return f"{self.precision}/{self.kernels}"

    def describe(self) -> str:
        """One line for people, without a full stop."""
        threads = f"{self.num_threads} thread{'' if self.num_threads == 1 else 's'}"
        cache = f"{self.kv_cache_bytes / 2**20:.0f} MB cache"
        if self.host_cache_bytes:
            cache += f" and {self.host_cache_bytes / 2**20:.0f} MB behind it"
        if self.disk_cache_dir is not None:
            cache += f", disk cache in {self.disk_cache_dir}"
        return f"{self.model}, {self.precision}, {self._operators()}, {threads}, {cache}"

    def _operators(self) -> str:
        if self.kernels == "torch":
            return f"PyTorch operators ({self.obstacle})" if self.obstacle else "PyTorch operators"
        return _COMPILED[self.precision]


def resolve_precision(setting: str, flags: Collection[str]) -> Precision:
    """The precision that `setting` ("auto", or a precision's name) comes to on a processor.

    Raises:
        ConfigError: there is no such precision.
    """
    known = get_args(Precision)
    if setting in known:
        return cast(Precision, setting)
    if setting != "auto":
        raise ConfigError(
            f"unknown precision {setting!r}", remedy=f"known: auto, {', '.join(known)}"
        )
    if any(flag in flags for flag in _INT8_FLAGS):
        return "int8"
    return "bf16" if any(flag in flags for flag in _BF16_FLAGS) else "float32"


def resolve_kernels(setting: str, obstacle: str | None) -> Kernels:
    """The operators that `setting` ("auto", "native" or "torch") comes to, where `obstacle` says
    why the compiled ones cannot run (None: they can).

    Raises:
        ConfigError: there is no such setting, or "native" is asked for and cannot run.
    """
    if setting == "auto":
        return "native" if obstacle is None else "torch"
    if setting not in get_args(Kernels):
        raise ConfigError(
            f"unknown kernels {setting!r}",
            remedy=f"known: auto, {', '.join(get_args(Kernels))}",
        )
    if setting == "native" and obstacle is not None:
        raise ConfigError(
            f"the compiled operators cannot run: {obstacle}", remedy='set kernels to "auto"'
        )
    return cast(Kernels, setting)


def processor_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """The instruction sets that the system reports; none where it reports nothing."""
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()
