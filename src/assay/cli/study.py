"""`assay study`: what in a model matters to which request."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import as_line, check_target, write_file, write_stdout
from assay.cli.progress import Activity
from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.study.report import ActivationStudy

EPILOG = """\b
Examples:
  assay study activations --requests examples/requests.jsonl
  assay study activations --requests examples/requests.jsonl --png activations.png
  assay study activations --requests requests.jsonl --groups 4 --json
"""


@click.group(epilog=EPILOG)
def study() -> None:
    """Looks into a model: what of it matters to which request."""


@study.command()
@click.option(
    "--requests",
    "path",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="Lines of JSON with text, descriptor and units.",
)
@click.option("--model", metavar="NAME", default="smollm2", show_default=True)
@click.option(
    "--groups",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Groups of neurons that each layer is cut into.",
)
@click.option(
    "--mass",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Count the blocks that have so much of a request's importance.",
)
@click.option("--seed", metavar="N", default=0, show_default=True)
@click.option("--png", metavar="FILE", type=click.Path(path_type=Path), help="Draw it, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def activations(
    path: Path, model: str, groups: int, mass: float, seed: int, png: Path | None, as_json: bool
) -> int:
    """Measures which feed-forward blocks matter to each request, and whether alike requests use
    alike blocks.

    The importance of a block is gradient times activation, for the answer that the model gives
    itself. Requests are put into clusters by it, and these are held against descriptor and units.
    Takes four bytes of memory a weight, and about a second a request for a small model.
    """
    from assay.models.packed import load_packed
    from assay.models.store import resolve_model
    from assay.study.decoder import FloatDecoder
    from assay.study.importance import BlockMeter
    from assay.study.report import study_activations
    from assay.study.requests import read_requests

    _check_libraries(draws=png is not None)
    if png is not None:
        check_target(png, [path])
    requests = read_requests(path)
    packed = load_packed(resolve_model(model))
    with Activity(packed.name, enabled=True) as activity:
        activity.say("loading")
        decoder = FloatDecoder(packed.config, packed.weights)
        meter = BlockMeter(decoder, packed.tokenizer(), num_groups=groups)
        found = study_activations(
            meter,
            requests,
            num_layers=packed.config.num_layers,
            num_groups=groups,
            mass=mass,
            seed=seed,
            tell=activity.say,
        )
    write_stdout(as_line(found.as_json()) if as_json else _table(found))
    if png is not None:
        from assay.study.picture import draw_study

        write_file(png, draw_study(found))
    return 0


def _check_libraries(*, draws: bool) -> None:
    """Says what is missing before the model is run."""
    for name in ("sklearn", *(["matplotlib"] if draws else [])):
        if importlib.util.find_spec(name) is None:
            raise ConfigError(f"{name} is not installed", remedy="pip install 'assay[study]'")


def _table(found: ActivationStudy) -> str:
    said = found.as_json()
    needed = said["blocks_needed"]
    lines = [
        f"{said['num_requests']} requests, {said['num_blocks']} blocks in {said['num_layers']} "
        f"layers",
        f"blocks that have {found.mass:.0%} of a request's importance: {needed['mean']} on average "
        f"({needed['least']} to {needed['most']}); {len(found.common)} of them for every request",
        f"rank correlation with taking a block out: {found.estimate:.2f}",
        f"clusters: {said['num_clusters']} (silhouette "
        f"{found.clustering.silhouettes[said['num_clusters']]:.2f})",
        "",
        "clusters beside     Rand   information       p   labels",
    ]
    lines += [
        f"{name:<16} {item.rand:>7.2f} {item.information:>13.2f} {item.p_value:>7.3f} "
        f"{item.num_labels:>8}"
        for name, item in found.agreements.items()
    ]
    return "\n".join(lines) + "\n"
