"""Options that say how the engine computes, shared by the commands that start one.

Each has an environment variable; the command line wins. Left out, the engine chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

import click

Result = TypeVar("Result")
AUTO = "auto"


def _count_or_auto(_ctx: click.Context, _param: click.Parameter, value: str) -> int | str:
    """A whole number of at least 1, or `auto`."""
    if value == AUTO:
        return AUTO
    number = int(value) if value.isdecimal() and value.isascii() else 0
    if number < 1:
        raise click.BadParameter(f"{value!r} is neither auto nor a whole number of at least 1")
    return number


_OPTIONS = (
    click.option(
        "--precision",
        type=click.Choice([AUTO, "int8", "bf16", "float32"]),
        default=AUTO,
        envvar="ASSAY_PRECISION",
        show_envvar=True,
        help="What weights and products are computed in; auto asks the processor.",
    ),
    click.option(
        "--kernels",
        type=click.Choice([AUTO, "native", "torch"]),
        default=AUTO,
        envvar="ASSAY_KERNELS",
        show_envvar=True,
        help="Compiled operators or PyTorch's; auto takes the compiled where they can run.",
    ),
    click.option(
        "--threads",
        metavar="N|auto",
        callback=_count_or_auto,
        default=AUTO,
        envvar="ASSAY_THREADS",
        show_envvar=True,
        help="Threads that compute; auto is PyTorch's choice, a thread a core.",
    ),
    click.option(
        "--cache-mb",
        metavar="N|auto",
        callback=_count_or_auto,
        default=AUTO,
        envvar="ASSAY_CACHE_MB",
        show_envvar=True,
        help="MB of keys and values kept; auto is 512, or half of the free memory if less.",
    ),
)


def engine_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds the options to a command, which gets them as one mapping `engine` of the engine's own
    settings; what is `auto` is not in it."""

    @wraps(command)
    def with_engine(
        *, precision: str, kernels: str, threads: int | str, cache_mb: int | str, **others: Any
    ) -> Result:
        settings: Mapping[str, int | str] = {
            "precision": precision,
            "kernels": kernels,
            "num_threads": threads,
            "kv_cache_bytes": cache_mb * 2**20 if isinstance(cache_mb, int) else cache_mb,
        }
        given = {name: value for name, value in settings.items() if value != AUTO}
        return command(**others, engine=given)

    for option in reversed(_OPTIONS):
        with_engine = option(with_engine)
    return with_engine
