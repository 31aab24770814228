"""`assay route`: what a request in words means, before anything is run."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.messages import complain
from assay.cli.output import as_line, check_target, write_file, write_stdout
from assay.cli.tasks import glossary_option, rules_option, tenant_option

if TYPE_CHECKING:
    from assay.routing import Route, Router
    from assay.terms import Glossary

EPILOG = """\b
Examples:
  assay route "who signed it, and when does it end?"
  assay route "合同什么时候到期" --explain
  assay route "is the deductible above 500" --json
  assay route "what is the premium" --rules rules.yaml --tenant acme
  assay route --file requests.jsonl --png requests.png

\b
A file has one JSON object a line, with "text" and, where there are tenants, "tenant". Rules are
YAML: a list `rules`, each with `name`, `words`, and either `units` or `refuse` (a reason); and, as
wanted, `tenants`, `descriptor` and `adds: true`.

\b
Exit codes:
  0  each request means a unit
  1  one is refused: it fits no unit, or a rule refuses it
  2  some input was bad, or the picture could not be drawn
"""


@click.command(epilog=EPILOG)
@click.argument("text", metavar="[TEXT]", required=False)
@click.option(
    "--file",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Route each request of a file, and count what they mean, by tenant.",
)
@click.option("--explain", is_flag=True, help="Show like requests and the words that moved it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a request.")
@click.option(
    "--png",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw what the requests of --file mean.",
)
@rules_option
@glossary_option
@tenant_option
def route(
    text: str | None,
    file: Path | None,
    explain: bool,
    as_json: bool,
    png: Path | None,
    rules: str | None,
    glossary: Glossary | None,
    tenant: str,
) -> int:
    """Shows what a request in words is about, and which units it means."""
    if (text is None) == (file is None):
        raise click.UsageError("give either TEXT or --file")
    if png is not None and file is None:
        raise click.UsageError("--png draws the requests of --file")
    from assay.routing import load_router

    reader = Reader(load_router(rules), glossary, tenant)
    if text is not None:
        return _route_one(reader, text, explain=explain, as_json=as_json)
    assert file is not None
    return _route_file(reader, file, png, explain=explain, as_json=as_json)


@dataclass(frozen=True, slots=True)
class Reader:
    """What routes requests, and whose they are unless they say so themselves."""

    router: Router
    glossary: Glossary | None
    tenant: str

    def __call__(self, text: str, tenant: str = "") -> Route:
        from assay.analysis.choosing import unit_triggers

        read, terms = (text, ()) if self.glossary is None else self.glossary.explain(text)
        return self.router.route(read, unit_triggers(), tenant=tenant or self.tenant, terms=terms)


def _route_one(reader: Reader, text: str, *, explain: bool, as_json: bool) -> int:
    from assay.cli.route_tables import render_route
    from assay.routing.explain import explain_route

    found = reader(text)
    explanation = explain_route(reader.router, found) if explain else None
    if as_json:
        write_stdout(as_line((explanation or found).as_json()))
    else:
        write_stdout(render_route(found, explanation))
    return int(found.is_refused)


def _route_file(
    reader: Reader, file: Path, png: Path | None, *, explain: bool, as_json: bool
) -> int:
    from assay.cli.route_tables import render_statistics
    from assay.routing import RouteStatistics, read_requests
    from assay.routing.explain import explain_route

    draws = png is not None and importlib.util.find_spec("matplotlib") is not None
    if png is not None:
        check_target(png, [file])
    requests = read_requests(file)
    routes = [reader(request.text, request.tenant) for request in requests]
    statistics = RouteStatistics()
    for item in routes:
        statistics.count(item)
    for item in routes if as_json else ():
        told = explain_route(reader.router, item) if explain else item
        write_stdout(as_line(told.as_json() | {"tenant": item.tenant}))
    if not as_json:
        write_stdout(render_statistics(statistics.as_json()))
    if draws:
        from assay.cli.route_picture import draw_statistics

        assert png is not None
        write_file(png, draw_statistics(statistics.as_json()))
    elif png is not None:
        complain("no picture is drawn: matplotlib is missing (pip install 'assay[plots]')")
        return 2
    return int(any(item.is_refused for item in routes))
