"""Progress of long work: one line on standard error, only where a terminal shows it."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from assay.cli.messages import one_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from assay.analysis import Progress


class Activity:
    """The line `⠋ contract.pdf  3/6 units  0:00:12`, gone when the work is done."""

    def __init__(self, name: str, *, enabled: bool) -> None:
        self._name = one_line(name)
        self._bars: Bars | None = None
        if enabled and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bars = Progress(
                SpinnerColumn(),
                TextColumn("{task.fields[file]}", markup=False),
                TextColumn("{task.description}", style="dim", markup=False),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )

    def __enter__(self) -> Self:
        if self._bars:
            self._bars.start()
            self._task = self._bars.add_task("", total=None, file=self._name)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bars:
            self._bars.stop()

    def say(self, what: str) -> None:
        """Shows what is being done now."""
        if self._bars:
            self._bars.update(self._task, description=what)

    def tell(self, text: str) -> None:
        """Prints a line that stays, terminal or not."""
        line = one_line(text)
        if self._bars:
            self._bars.console.print(
                line, style="dim", markup=False, highlight=False, soft_wrap=True
            )
        else:
            print(line, file=sys.stderr, flush=True)

    def advance(self, progress: Progress) -> None:
        """Shows how many units are done. Called by the analyzer, from any thread."""
        self.say(f"{progress.done}/{progress.total} units")
