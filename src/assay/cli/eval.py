"""`assay eval`: labelled data in, figures out."""

from __future__ import annotations

import asyncio
import importlib.util
import resource
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.engine_options import engine_options
from assay.cli.output import as_line, write_file, write_stdout
from assay.cli.progress import Activity
from assay.cli.tasks import chains_option, glossary_option, merge_option
from assay.errors import ConfigError, DocumentNotFoundError

if TYPE_CHECKING:
    from assay.analysis import ChainTable
    from assay.evaluation import Case, EvaluationSet
    from assay.evaluation.judgement import Answerer, Judgement, JudgementLog
    from assay.terms import Glossary, GlossaryRegistry

EPILOG = """\b
Examples:
  assay eval --data data
  assay eval --data data --sets cuad,cfpb --limit 10 --png figures.png
  assay eval --data data --backend none
  assay eval --data data --chains cheapest-first
  assay eval --data data --sets cuad --glossary starter --merge-terms
  assay eval --data data --sets cuad --baseline http://127.0.0.1:8901/v1

\b
A field counts only if its value and its evidence are right; what fails counts 0.
The last line is one JSON object:
  {SET: {FIELD: {"f1", "low", "high", "n", ...}}, "baseline_ratio", "ungrounded", "errors"}
"""
#: A line of progress is printed for every such share of a set, where no terminal shows it live.
_TOLD_SHARE = 0.1


@click.command(epilog=EPILOG)
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder with a file NAME_SPLIT.jsonl for each set (sroie: .zip).",
)
@click.option("--split", metavar="SPLIT", default="dev", show_default=True)
@click.option("--sets", metavar="A,B", help="Only these.  [default: all that DIR has]")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=1),
    help="Only N cases of each set, spread over it.",
)
@click.option("--model", metavar="NAME", default="smollm2", show_default=True)
@click.option(
    "--backend",
    type=click.Choice(["local", "none"]),
    default="local",
    show_default=True,
    help="What generates; with none, units go on to their fallbacks at once.",
)
@click.option(
    "--baseline",
    metavar="URL",
    help="An OpenAI-compatible server, asked plainly for the same, such as vLLM's at …/v1.",
)
@click.option("--baseline-model", metavar="NAME", help="Which of its models.  [default: the first]")
@click.option(
    "--rows",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Log every judgement to FILE; cases that it has are not asked again.",
)
@click.option(
    "--png",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the figures.",
)
@chains_option
@glossary_option
@merge_option
@engine_options
def eval(
    folder: Path,
    split: str,
    sets: str | None,
    limit: int | None,
    model: str,
    backend: str,
    baseline: str | None,
    baseline_model: str | None,
    rows: Path | None,
    png: Path | None,
    chains: ChainTable | None,
    glossary: Glossary | None,
    merge_terms: bool,
    engine: Mapping[str, Any],
) -> int:
    """Measures how often units are right on labelled data, and a baseline beside them."""
    from assay.evaluation.judgement import JudgementLog
    from assay.evaluation.report import Report
    from assay.terms import GlossaryRegistry

    if png and importlib.util.find_spec("matplotlib") is None:
        raise ConfigError("matplotlib is missing", remedy="pip install 'assay[plots]'")
    with Activity(split, enabled=True) as activity:
        cases = _read_cases(folder, split, sets, limit, activity)
        glossaries = GlossaryRegistry()
        if glossary is not None:
            glossaries.set("", glossary, merges=merge_terms)
        run = _Run(cases, JudgementLog(rows), activity, chains, glossaries)
        settings = None if backend == "none" else engine
        judged = asyncio.run(run.both(model, settings, baseline, baseline_model))
    report = Report(*judged)
    write_stdout("\n".join(report.lines()) + "\n")
    if png:
        from assay.evaluation.picture import draw_report

        write_file(png, draw_report(report))
    write_stdout(as_line(report.as_json()))
    return 0


def _read_cases(
    folder: Path, split: str, names: str | None, limit: int | None, activity: Activity
) -> list[tuple[EvaluationSet, list[Case]]]:
    """The cases of the sets named, or of all that have a file.

    Raises:
        DocumentNotFoundError: a set that was named has no file, or none at all has.
    """
    from assay.evaluation import all_sets, get_set
    from assay.evaluation.run import read_cases

    if names is not None:
        chosen = [get_set(name.strip()) for name in names.split(",")]
        return [(item, read_cases(item, folder, split, limit)) for item in chosen]
    found = []
    for item in all_sets():
        try:
            found.append((item, read_cases(item, folder, split, limit)))
        except DocumentNotFoundError as error:
            activity.tell(f"{item.name} is left out: {error.message}")
    if not found:
        raise DocumentNotFoundError(f"{folder} has no file of any set for the split {split}")
    return found


class _Run:
    """Has cases answered and says how far it is."""

    def __init__(
        self,
        cases: list[tuple[EvaluationSet, list[Case]]],
        log: JudgementLog,
        activity: Activity,
        chains: ChainTable | None,
        glossaries: GlossaryRegistry,
    ) -> None:
        self._settings: Any = {"chains": chains, "glossaries": glossaries}
        self._cases = cases
        self._log = log
        self._activity = activity

    async def both(
        self,
        model: str,
        engine: Mapping[str, Any] | None,
        baseline: str | None,
        baseline_model: str | None,
    ) -> tuple[list[Judgement], list[Judgement]]:
        """The units' judgements (without settings of an engine, those of fallbacks alone), and then
        those of a baseline. Its server is looked for first."""
        from assay.analysis import AsyncAnalyzer
        from assay.evaluation.baseline import BaselineAnswerer
        from assay.evaluation.run import with_plain_questions
        from assay.evaluation.units import NoModel, UnitAnswerer

        async with AsyncExitStack() as stack:
            peer: BaselineAnswerer | None = None
            if baseline:
                peer = BaselineAnswerer(baseline, baseline_model)
                await stack.enter_async_context(peer)
            async with (
                AsyncAnalyzer(backend=NoModel(), **self._settings)
                if engine is None
                else AsyncAnalyzer(model, engine=engine, **self._settings)
            ) as analyzer:
                ours = await self._evaluate(UnitAnswerer(analyzer), self._cases)
                self._activity.tell(f"{analyzer.backend.info.engine}, {_peak_mb()} MB at most")
            asked = with_plain_questions(self._cases)
            return ours, await self._evaluate(peer, asked) if peer else []

    async def _evaluate(
        self, answerer: Answerer, cases: list[tuple[EvaluationSet, list[Case]]]
    ) -> list[Judgement]:
        from assay.evaluation.run import evaluate

        started = time.perf_counter()

        def show(name: str, num_done: int, num_cases: int) -> None:
            told = int(num_done / num_cases / _TOLD_SHARE)
            text = f"{answerer.system} {name} {num_done}/{num_cases}"
            self._activity.say(text)
            if told > int((num_done - 1) / num_cases / _TOLD_SHARE):
                self._activity.tell(f"{text}  {time.perf_counter() - started:.1f} s")

        return await evaluate(cases, answerer, self._log, show)


def _peak_mb() -> int:
    """The most memory that this process has had."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
