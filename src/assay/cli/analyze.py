"""`assay analyze`: files in, results out. One file's failure is not another's."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.engine_options import engine_options, model_option
from assay.cli.messages import complain, display_name, report
from assay.cli.output import as_line, check_target, write_file, write_stdout
from assay.cli.progress import Activity
from assay.cli.sources import ocr_option, read_source
from assay.cli.tasks import (
    arguments_option,
    chains_option,
    glossary_option,
    make_tasks,
    merge_option,
    rules_option,
    tenant_option,
)
from assay.errors import AssayError, CapacityError, ConfigError, ModelError
from assay.types import ErrorInfo, Status, UnitResult

if TYPE_CHECKING:
    from assay.analysis import Analysis, Analyzer, ChainTable
    from assay.analysis.run import OnRun
    from assay.documents import Document
    from assay.documents.ocr import OcrMode
    from assay.routing import Route
    from assay.terms import Glossary
    from assay.types import FieldResult
    from assay.units import Task
    from assay.units.machine import FieldRun

EPILOG = """\b
Examples:
  assay analyze contract.pdf
  assay analyze contract.pdf --unit extract_party --unit extract_date
  assay analyze policy.pdf --unit compare_numeric_range --arg what=deductible --arg high=500
  assay analyze contract.pdf --ask "when does it end, and which law governs?"
  assay analyze policy.pdf --ask "how much is the SIR?" --glossary terms.csv
  assay analyze *.pdf --json > results.jsonl
  assay analyze contract.pdf --min-precision 0.95
  assay analyze contract.pdf --out results.json
  cat letter.txt | assay analyze - --json

\b
JSON:
  One object a line for each document that could be read, in the order given.
  A single one is indented when standard output is a terminal.

\b
Exit codes:
  0  all went well (a unit may have found nothing: that is "absent")
  1  a unit ended in an error, or runs could not be recorded
  2  some input was bad; the other files still got their results
"""


@dataclass(slots=True)
class Outcome:
    """What has been said and found so far in one call."""

    bad_input: bool = False
    failed: bool = False

    def note(self, error: BaseException, *, about: str | None = None) -> None:
        """Reports an error and remembers which exit code it asks for."""
        code = report(error, about=about)
        self.bad_input |= code == 2
        self.failed |= code == 1

    @property
    def exit_code(self) -> int:
        return 2 if self.bad_input else int(self.failed)


@click.command(epilog=EPILOG)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--unit",
    "-u",
    "unit_names",
    metavar="NAME",
    multiple=True,
    help="Run this unit; may be given several times. Without it, those run that suit the document.",
)
@arguments_option
@click.option(
    "--ask", metavar="TEXT", help="Run the units that a request in words means (see `assay route`)."
)
@rules_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the JSON to FILE, whole or not at all, in place of standard output.",
)
@click.option(
    "--trace",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add a record of each field's run to FILE, a line each; `assay replay` reads it.",
)
@click.option(
    "--min-precision",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Give only answers that are right this often, such as 0.95; what is less sure is absent.",
)
@model_option
@tenant_option
@chains_option
@glossary_option
@merge_option
@ocr_option
@engine_options
@click.option("--quiet", "-q", is_flag=True, help="Show no progress and not what computes.")
@click.option("--verbose", "-v", is_flag=True, help="Say what computes, in a pipe as well.")
def analyze(
    files: tuple[Path, ...],
    unit_names: tuple[str, ...],
    arguments: tuple[str, ...],
    ask: str | None,
    rules: str | None,
    as_json: bool,
    out: Path | None,
    trace: Path | None,
    min_precision: float | None,
    model: str,
    tenant: str,
    chains: ChainTable | None,
    glossary: Glossary | None,
    merge_terms: bool,
    ocr: OcrMode,
    engine: Mapping[str, Any],
    quiet: bool,
    verbose: bool,
) -> int:
    """Analyses documents and shows what was found, and where.

    FILE is text, Markdown, PDF, DOCX, HTML, e-mail or a picture (PNG, JPEG, TIFF, WebP); `-` is
    standard input.
    """
    to_file = out is not None and str(out) != "-"
    if out and to_file:
        check_target(out, files)
    if trace:
        check_target(trace, files)
    outcome = Outcome()
    emit = Emitter(len(files), table=not as_json and (to_file or out is None), to_file=to_file)
    tells_engine = verbose or (sys.stderr.isatty() and not quiet)
    with _open_analyzer(model, engine, chains, rules) as analyzer:
        if glossary is not None:
            analyzer.set_glossary(tenant, glossary, merges=merge_terms)
        routing = None if ask is None else analyzer.route(ask, tenant=tenant)
        tasks, unknown = _resolve(unit_names, arguments, routing, outcome)
        if unknown and not tasks:
            return outcome.exit_code
        service = Service(analyzer, model, tenant, ocr, tells_engine, trace, routing, min_precision)
        for path in files:
            name = display_name(path)
            try:
                with Activity(name, enabled=not quiet) as activity:
                    analysis = _analyze_one(service, path, tasks, activity)
            except (ModelError, CapacityError, ConfigError) as error:
                outcome.note(error)  # no other file would fare better
                break
            except Exception as error:  # noqa: BLE001 (told to the user; other files go on)
                outcome.note(error, about=name)
                continue
            if pages := analysis.document.unread_pages:
                numbers = ", ".join(map(str, pages))
                complain(f"pages without a text layer were not read: {numbers}", about=name)
            analysis = replace(analysis, results={**analysis.results, **unknown})
            for warning in analysis.warnings:
                complain(f"not all runs were recorded: {warning.message}", about=name)
            outcome.failed |= bool(analysis.warnings)
            outcome.failed |= any(r.status is Status.ERROR for r in analysis.results.values())
            emit(analysis)
    if out and to_file and emit.lines:
        write_file(out, "".join(emit.lines))
    return outcome.exit_code


@dataclass(slots=True)
class Service:
    """What reads and analyses, for whom, whether its engine is still to be told about, where runs
    are recorded, what a request in words was taken to mean, and how often the answers given have
    to be right."""

    analyzer: Analyzer
    model: str
    tenant: str
    ocr: OcrMode
    tells_engine: bool
    trace: Path | None
    routing: Route | None
    min_precision: float | None

    def start(self, activity: Activity) -> None:
        """Loads the model, the first time, and says what it is computed with."""
        activity.say(f"loading {self.model}")
        backend = self.analyzer.backend
        backend.start()
        if self.tells_engine and backend.info.engine:
            activity.tell(f"engine: {backend.info.engine}")
            self.tells_engine = False


def _analyze_one(
    service: Service, path: Path, tasks: Sequence[Task], activity: Activity
) -> Analysis:
    """Reads and analyses one file. One that cannot be read never costs the loading of a model."""
    started = time.perf_counter()
    activity.say("reading")
    document = read_source(path, service.ocr, activity)
    read = time.perf_counter()
    service.start(activity)
    loaded = time.perf_counter()
    activity.say("analysing")
    analysis = service.analyzer.analyze(
        document,
        units=tasks or None,
        tenant=service.tenant,
        min_precision=service.min_precision,
        on_progress=activity.advance,
        on_run=_recorder(service.trace, document, service.routing) if service.trace else None,
        routing=service.routing,
    )
    timing = {"read": (read - started) * 1000, "load": (loaded - read) * 1000}
    total = (time.perf_counter() - started) * 1000
    return replace(analysis, timing_ms={**analysis.timing_ms, **timing, "total": total})


def _recorder(path: Path, document: Document, routing: Route | None) -> OnRun:
    """What adds each run to a file of records."""
    from assay.analysis.record import record_run

    def on_run(task: Task, run: FieldRun, result: FieldResult) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(record_run(document, task, run, result, routing).to_line())

    return on_run


class Emitter:
    """Puts each analysis where it belongs, as it comes: table, standard output, or kept `lines`."""

    def __init__(self, num_files: int, *, table: bool, to_file: bool) -> None:
        self.lines: list[str] = []
        self._table = table
        self._to_file = to_file
        self._indent = 2 if num_files == 1 and not to_file and sys.stdout.isatty() else None

    def __call__(self, analysis: Analysis) -> None:
        line = as_line(analysis.as_json(), indent=self._indent)
        if self._table:
            from assay.cli.render import render_analysis

            write_stdout(render_analysis(analysis))
        elif not self._to_file:
            write_stdout(line)
        if self._to_file:
            self.lines.append(line)


def _resolve(
    names: tuple[str, ...],
    arguments: tuple[str, ...],
    routing: Route | None,
    outcome: Outcome,
) -> tuple[list[Task], dict[str, UnitResult]]:
    """The tasks to run, and for each unit that cannot be run the error that stands for it.

    Units named come first, then those that a request means; none at all stands for every unit.

    Raises:
        UnitArgumentError: an argument cannot be read, or no unit takes it.
        NoMatchingUnitError: the request means no unit.
    """
    failed: dict[str, UnitResult] = {}

    def on_error(name: str, error: Exception) -> None:
        outcome.note(error)
        code = error.code if isinstance(error, AssayError) else AssayError.code
        info = ErrorInfo(code, str(error))
        failed[name] = UnitResult(Status.ERROR, None, (), 0.0, None, info)

    if routing is not None:
        from assay.analysis.choosing import routed_units

        names += routed_units(routing)
    return make_tasks(names, arguments, on_error), failed


def _open_analyzer(
    model: str, engine: Mapping[str, Any], chains: ChainTable | None, rules: str | None
) -> Analyzer:
    from assay.analysis import Analyzer
    from assay.routing import load_router

    router = None if rules is None else load_router(rules)
    return Analyzer(model, engine=engine, chains=chains, router=router)
