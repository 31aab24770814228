"""Options that say which model answers and how its engine computes, shared by the commands that
start one.

Each has an environment variable; the command line wins. Left out, the engine chooses.
"""

from __future__ import annotations

from collections.abc import Callable
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


def _bytes_or_auto(ctx: click.Context, param: click.Parameter, value: str) -> int | str:
    """As `_count_or_auto`, in MB, or 0."""
    number = 0 if value == "0" else _count_or_auto(ctx, param, value)
    return number * 2**20 if isinstance(number, int) else number


model_option = click.option(
    "--model",
    "-m",
    metavar="NAME",
    default="smollm2",
    show_default=True,
    help="A model that has been pulled, or a path.",
)
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
    click.option(
        "--host-cache-mb",
        metavar="N|auto",
        callback=_bytes_or_auto,
        default=AUTO,
        envvar="ASSAY_HOST_CACHE_MB",
        show_envvar=True,
        help="MB of memory for what that gives up; auto is 256, or an eighth of the free if less.",
    ),
    click.option(
        "--disk-cache",
        metavar="DIR",
        type=click.Path(file_okay=False),
        envvar="ASSAY_DISK_CACHE",
        show_envvar=True,
        help="Folder that keeps keys and values for the next run; none unless given.",
    ),
    click.option(
        "--disk-cache-mb",
        metavar="N",
        type=click.IntRange(min=1),
        default=2048,
        show_default=True,
        envvar="ASSAY_DISK_CACHE_MB",
        show_envvar=True,
        help="The most MB that it takes.",
    ),
    click.option(
        "--slices",
        type=click.Choice(["independent", "chained", "off"]),
        default="independent",
        show_default=True,
        envvar="ASSAY_SLICES",
        show_envvar=True,
        help="How what was read of a document is kept for other questions.",
    ),
    click.option(
        "--policy",
        metavar="NAME",
        default="dense",
        show_default=True,
        envvar="ASSAY_POLICY",
        show_envvar=True,
        help="What layers and heads keep: dense, descriptor, local_global, retention, or two with "
        "a +.",
    ),
)


def engine_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds the options to a command, which gets them as one mapping `engine` of the engine's own
    settings; what is `auto` is not in it."""

    @wraps(command)
    def with_engine(
        *,
        precision: str,
        kernels: str,
        threads: int | str,
        cache_mb: int | str,
        host_cache_mb: int | str,
        disk_cache: str | None,
        disk_cache_mb: int,
        slices: str,
        policy: str,
        **others: Any,
    ) -> Result:
        settings: dict[str, int | str] = {
            "precision": precision,
            "kernels": kernels,
            "num_threads": threads,
            "kv_cache_bytes": cache_mb * 2**20 if isinstance(cache_mb, int) else cache_mb,
            "host_cache_bytes": host_cache_mb,
            "slices": slices,
            "policy": policy,
        }
        if disk_cache is not None:
            settings["disk_cache_dir"] = disk_cache
            settings["disk_cache_bytes"] = disk_cache_mb * 2**20
        given = {name: value for name, value in settings.items() if value != AUTO}
        return command(**others, engine=given)

    for option in reversed(_OPTIONS):
        with_engine = option(with_engine)
    return with_engine
