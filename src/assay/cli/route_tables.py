"""Routes as tables for a terminal: one request, or the counts of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.cli.messages import one_line
from assay.cli.render import stdout_console, without_padding
from assay.routing import DIMENSIONS, Route
from assay.routing.explain import RouteExplanation

_BAR = 20
#: Words shown of those that moved a route, and what a word must have moved.
_NUM_WORDS, _LEAST_EFFECT = 8, 0.01
#: Units shown that were not chosen.
_NUM_OTHERS = 3


def render_route(
    route: Route, explanation: RouteExplanation | None = None, *, console: Console | None = None
) -> str:
    """Five numbers and the units; with an explanation, why."""
    console = console or stdout_console()
    with console.capture() as capture:
        console.print(Text(one_line(route.text), "bold"))
        for name, value in route.descriptor.as_json().items():
            bar = "█" * round(value * _BAR)
            style = "green" if name in route.descriptor.active else "dim"
            console.print(Text(f"  {name:<10} {value:4.2f} {bar}", style))
        console.print(_verdict(route))
        for unit in route.units:
            console.print(f"  {unit.name:<24} {unit.probability:4.2f}  by {unit.by.value}")
        if explanation is not None:
            _print_explanation(console, route, explanation)
    return without_padding(capture.get(), console)


def _verdict(route: Route) -> Text:
    said = f"fits {route.fit:.2f}"
    if route.rule is not None:
        said += f", decided by the rule {route.rule.name!r} at {route.rule.words!r}"
    if not route.is_refused:
        return Text(f"units ({said})")
    if route.rule is not None:
        return Text(f"refused ({said}): {one_line(route.rule.reason)}", "yellow")
    return Text(f"refused ({said}); nearest are {', '.join(route.nearest())}", "yellow")


def _print_explanation(console: Console, route: Route, explanation: RouteExplanation) -> None:
    others = [name for name in route.probabilities if name not in route.unit_names]
    console.print(Text("not chosen", "dim"))
    for name in others[:_NUM_OTHERS]:
        console.print(Text(f"  {name:<24} {route.probabilities[name]:4.2f}", "dim"))
    console.print("words that moved it (what leaving one out takes away)")
    for item in explanation.words[:_NUM_WORDS]:
        if abs(item.effect) >= _LEAST_EFFECT:
            console.print(Text(f"  {one_line(item.word):<24} {item.effect:+.2f}  {item.target}"))
    console.print("labelled requests most like it")
    for request, likeness in explanation.examples:
        units = ", ".join(request.units) or "none"
        console.print(Text(f"  {likeness:4.2f}  {request.text}  → {units}"))


def render_statistics(
    tenants: Mapping[str, Mapping[str, Any]], *, console: Console | None = None
) -> str:
    """A row a tenant: how many requests and refusals, and the share of each dimension; then its
    units."""
    console = console or stdout_console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    table.add_column("Tenant")
    for title in ("Requests", "Refused", *(name.capitalize() for name in DIMENSIONS)):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("Units")
    for tenant, counts in tenants.items():
        answered = counts["num_requests"] - counts["num_refused"]
        shares = (counts["descriptors"].get(name, 0) / max(1, answered) for name in DIMENSIONS)
        table.add_row(
            Text(one_line(tenant) or "-"),
            str(counts["num_requests"]),
            str(counts["num_refused"]),
            *(f"{share:.0%}" for share in shares),
            ", ".join(f"{name} {count}" for name, count in counts["units"].items()),
        )
    with console.capture() as capture:
        console.print(table)
    return without_padding(capture.get(), console)
