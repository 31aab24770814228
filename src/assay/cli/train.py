"""`assay train`: training what ships with the package on a user's own documents."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import write_stdout
from assay.cli.progress import Activity

EPILOG = """\b
Examples:
  assay train scorer --data data
  assay train scorer --data documents --model smollm2 --out trained
"""


@click.group(epilog=EPILOG)
def train() -> None:
    """Trains small parts that run beside the model."""


@train.command()
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder with cuad_dev.jsonl, contractnli_dev.jsonl or lawbench_zh_dev.jsonl.",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write.  [default: weights, in ASSAY_HOME, where they are used from then on]",
)
@click.option("--model", metavar="NAME", default="smollm2", show_default=True)
@click.option("--seed", metavar="N", default=0, show_default=True)
@click.option(
    "--epochs",
    metavar="N",
    type=click.IntRange(min=1),
    help="Train no longer than this.  [default: 40]",
)
@click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=1),
    help="Threads of PyTorch.  [default: all]",
)
def scorer(
    folder: Path,
    out: Path | None,
    model: str,
    seed: int,
    epochs: int | None,
    threads: int | None,
) -> int:
    """Trains the importance scorer and the router of attention modes.

    Reads documents with the model, learns which cached pairs their repetition and the answers to
    questions attend to, and measures on documents held out. Writes the weights, card.json and,
    where matplotlib is installed, curves.png.
    """
    from dataclasses import replace

    import torch

    from assay.models.packed import load_packed
    from assay.models.store import resolve_model
    from assay.training.card import make_card, save
    from assay.training.run import Run, Settings

    if threads is not None:
        torch.set_num_threads(threads)
    settings = Settings()
    if epochs is not None:
        settings = replace(settings, recipe=replace(settings.recipe, num_epochs=epochs))
    packed = load_packed(resolve_model(model))
    with Activity(packed.name, enabled=True) as activity:
        run = Run(packed, folder, settings, seed, activity.tell)
        trained = run.train()
    card = make_card(packed, run.corpus, settings, seed, trained)
    for path in save(out, packed, trained, card):
        write_stdout(f"{path}\n")
    return 0
