"""`assay explain`: which parts of a document a unit's questions read, why, and at what cost."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.engine_options import engine_options, model_option
from assay.cli.messages import complain, display_name, report
from assay.cli.output import as_line, check_target, write_file, write_stdout
from assay.cli.progress import Activity
from assay.cli.sources import read_source
from assay.cli.tasks import arguments_option, chains_option, make_tasks, tenant_option
from assay.errors import CapacityError, ConfigError, ModelError

if TYPE_CHECKING:
    from assay.analysis import ChainTable, Explanation
    from assay.units import Task

EPILOG = """\b
Examples:
  assay explain contract.pdf --unit extract_clause
  assay explain contract.pdf --unit extract_clause --field governing_law --again
  assay explain contract.pdf --unit extract_clause --out explained.png
  assay explain contract.pdf --unit extract_clause --whole --policy retention --out kept.png
  assay explain contract.pdf --unit extract_date --slices chained --json

\b
Columns:
  About     what the router reads in the segment: numeric, clause, sentiment, temporal, entity
  Because   what makes the score: words (plural or not), “phrases”, the place in the document
  Read      chosen; neighbour: as far as it shares blocks with one chosen; nothing to copy: chosen,
            but holds nothing that may be the answer; outranked: others are more relevant;
            irrelevant: none of the words; read with all: only for --whole
  Keys and values
            where those of its tokens come from: found live, in host memory or on disk, or computed
  Segments count from 1; in JSON from 0. Pairs are those of a query and a key: dense attention has
  every query see the whole document.

\b
Exit codes:
  0  all went well
  1  a question ended in an error
  2  some input was bad, or the picture could not be drawn
"""

PICTURES = (".png", ".svg", ".pdf")


def _check_picture(_ctx: click.Context, _param: click.Parameter, out: Path | None) -> Path | None:
    if out is not None and out.suffix.lower() not in PICTURES:
        raise click.BadParameter(f"{str(out)!r} ends in none of {', '.join(PICTURES)}")
    return out


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--unit", "-u", metavar="NAME", required=True, help="The unit to ask.")
@click.option(
    "--field",
    "-f",
    "fields",
    metavar="NAME",
    multiple=True,
    help="Ask only for this field; may be given several times.",
)
@arguments_option
@tenant_option
@chains_option
@click.option("--again", is_flag=True, help="Ask a second time, so that what is used again shows.")
@click.option(
    "--whole",
    is_flag=True,
    help="Have each question read the whole document, so that what a policy keeps shows.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    type=click.Path(path_type=Path),
    callback=_check_picture,
    help="Draw it, too: FILE.png, .svg or .pdf.",
)
@model_option
@engine_options
@click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
def explain(
    file: Path,
    unit: str,
    fields: tuple[str, ...],
    arguments: tuple[str, ...],
    tenant: str,
    chains: ChainTable | None,
    again: bool,
    whole: bool,
    as_json: bool,
    out: Path | None,
    model: str,
    engine: Mapping[str, Any],
    quiet: bool,
) -> int:
    """Shows which segments of a document a unit reads and why, and what of it is kept.

    FILE is as for `analyze`. The questions are really asked.
    """
    draws = out is not None and _can_draw()
    if out is not None:
        check_target(out, [file])
    name = display_name(file)
    try:
        with Activity(name, enabled=not quiet) as activity:
            explanation = _explain(
                activity, file, model, engine, chains, unit=_task(unit, arguments), fields=fields,
                tenant=tenant, num_rounds=1 + again, reads_whole=whole,
            )  # fmt: skip
    except (ModelError, CapacityError, ConfigError):
        raise
    except Exception as error:  # noqa: BLE001 (told to the user, with the file's name)
        return report(error, about=name)
    if pages := explanation.document.unread_pages:
        numbers = ", ".join(map(str, pages))
        complain(f"pages without a text layer were not read: {numbers}", about=name)
    _show(explanation, as_json=as_json)
    if out is not None and draws:
        from assay.cli.explain_picture import draw_explanation

        write_file(out, draw_explanation(explanation, out.suffix.lower().lstrip(".")))
    if out is not None and not draws:
        return 2
    return int(any(item.result.error for asked in explanation.rounds for item in asked.values()))


def _task(name: str, arguments: tuple[str, ...]) -> Task:
    """Raises `UnitError` if there is no such unit, or it takes no such arguments."""

    def on_error(_name: str, error: Exception) -> None:
        raise error

    (task,) = make_tasks([name], arguments, on_error)
    return task


def _can_draw() -> bool:
    if importlib.util.find_spec("matplotlib") is not None:
        return True
    complain("no picture is drawn: matplotlib is missing (pip install 'assay[plots]')")
    return False


def _explain(
    activity: Activity,
    file: Path,
    model: str,
    settings: Mapping[str, Any],
    chains: ChainTable | None,
    **asked: Any,
) -> Explanation:
    """Reads and asks; what cannot be read or is not known never costs the loading of a model."""
    from assay.analysis import Analyzer
    from assay.analysis.explain import choose_fields

    choose_fields(asked["unit"].unit, asked["fields"])
    activity.say("reading")
    document = read_source(file, activity=activity)
    with Analyzer(model, engine=settings, chains=chains) as analyzer:
        activity.say(f"loading {model}")
        analyzer.backend.start()
        activity.say("asking")
        return analyzer.explain(document, **asked)


def _show(explanation: Explanation, *, as_json: bool) -> None:
    if as_json:
        write_stdout(as_line(explanation.as_json(), indent=2 if sys.stdout.isatty() else None))
        return
    from assay.cli.explain_tables import render_explanation

    write_stdout(render_explanation(explanation))
