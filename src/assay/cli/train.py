"""`assay train`: training what ships with the package on a user's own documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from assay.cli.output import write_stdout
from assay.cli.progress import Activity

EPILOG = """\b
Examples:
  assay train scorer --data data
  assay train scorer --data documents --model smollm2 --out trained
  assay train theft --data data --out trained
  assay train merger --model smollm2
  assay train clauses --data data --out trained
  assay train router --data data --out trained
  assay train calibrator --data data --out trained --answers answers.jsonl
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


_DATA = click.option(
    "--data",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The folder of the labelled data.",
)
_OUT = click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write weights and card.",
)


@train.command()
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write.  [default: weights, in ASSAY_HOME, where they are used from then on]",
)
@click.option("--model", metavar="NAME", default="smollm2", show_default=True)
@click.option("--seed", metavar="N", default=0, show_default=True)
@click.option("--steps", metavar="N", type=click.IntRange(min=1), help="[default: 250]")
@click.option(
    "--glossary",
    metavar="FILE|starter",
    default="starter",
    show_default=True,
    help="Whose terms it is fitted to.",
)
def merger(out: Path | None, model: str, seed: int, steps: int | None, glossary: str) -> int:
    """Trains the map that makes one token of a term for a model to read.

    Needs no documents. Writes the weights and merger.json, a card with figures on held-out terms.
    """
    from dataclasses import replace

    from assay.cli.terms import open_glossary
    from assay.models.packed import load_packed
    from assay.models.plain import PlainModel
    from assay.models.store import resolve_model
    from assay.training.merger import MergerSettings, save_merger, train_merger

    settings = MergerSettings(seed=seed)
    if steps is not None:
        settings = replace(settings, num_steps=steps)
    packed = load_packed(resolve_model(model))
    spellings = [name for term in open_glossary(glossary).terms for name in term.spellings]
    with Activity(packed.name, enabled=True) as activity:
        trained = train_merger(
            PlainModel(packed.config, packed.weights),
            packed.tokenizer(),
            spellings,
            settings,
            activity.tell,
        )
    for path in save_merger(out, packed, settings, trained):
        write_stdout(f"{path}\n")
    return 0


@train.command()
@_DATA
@_OUT
def theft(folder: Path, out: Path) -> int:
    """Trains the tagger of thefts in Chinese judgments, from lawbench_zh_dev.jsonl.

    Writes theft.crf and theft.json, a card with figures out of fold.
    """
    from assay.training.theft import TheftSettings, read_sentences, train_theft

    out.mkdir(parents=True, exist_ok=True)
    settings = TheftSettings()
    with Activity("theft", enabled=True) as activity:
        sentences = read_sentences(folder, settings)
        card = train_theft(sentences, settings, out / "theft.crf", activity.tell)
    _write_card(out / "theft.json", card)
    return 0


@train.command()
@_DATA
@_OUT
@click.option("--seed", metavar="N", default=0, show_default=True)
def clauses(folder: Path, out: Path, seed: int) -> int:
    """Trains what tells the sentences of each kind of clause, from cuad_dev.jsonl.

    Writes clauses.json, the weights, and card.json, with figures out of fold.
    """
    from assay.training.clause_card import make_card
    from assay.training.clause_fit import Recipe
    from assay.training.clauses import train_clauses
    from assay.training.contracts import read_contracts
    from assay.units.fallbacks.clause_model import write_models

    contracts, recipe = read_contracts(folder), Recipe()
    with Activity("clauses", enabled=True) as activity:
        trained = train_clauses(contracts, recipe, seed, activity.tell)
    write_models(out / "clauses.json", {kind: item.model for kind, item in trained.items()})
    _write_card(out / "card.json", make_card(contracts, recipe, seed, trained))
    return 0


def _write_card(path: Path, card: dict[str, Any]) -> None:
    text = json.dumps(card, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    write_stdout(f"{path}\n")


@train.command()
@_DATA
@_OUT
@click.option("--only", metavar="NAME", multiple=True, help="Train this one.  [default: all]")
def classifiers(folder: Path, out: Path, only: tuple[str, ...]) -> int:
    """Trains the small text classifiers of units.

    Reads cfpb_dev.jsonl, email_intent_dev.jsonl and tatqa_dev.jsonl. Writes NAME.npz for each, and
    classifiers.json, a card with figures out of fold. The adapter of requests takes about 5
    minutes of processor time.
    """
    from assay.training.classifiers import train_classifier
    from assay.training.labelled_texts import SOURCES, read_texts
    from assay.units.fallbacks.text_classifier import save_classifier

    out.mkdir(parents=True, exist_ok=True)
    card: dict[str, Any] = {}
    with Activity("classifiers", enabled=True) as activity:
        for name in only or SOURCES:
            activity.tell(name)
            classifier, figures = train_classifier(
                read_texts(folder, SOURCES[name]), SOURCES[name].settings, activity.tell
            )
            save_classifier(out / f"{name}.npz", classifier)
            card[name] = {"data": SOURCES[name].credit, **figures}
    _write_card(out / "classifiers.json", card)
    return 0


@train.command()
@_DATA
@_OUT
def statements(folder: Path, out: Path) -> int:
    """Trains the judge of statements, from contractnli_dev.jsonl and contractnli_hypotheses.json.

    Writes statement.json: the weights, with figures out of fold.
    """
    from assay.training.statements import train_statements

    out.mkdir(parents=True, exist_ok=True)
    with Activity("statements", enabled=True) as activity:
        card = train_statements(folder, activity.tell)
    _write_card(out / "statement.json", card)
    return 0


@train.command()
@_DATA
@_OUT
@click.option("--seed", metavar="N", default=0, show_default=True)
def router(folder: Path, out: Path, seed: int) -> int:
    """Trains the head that routes requests in words.

    From the labelled requests and the grammar that come with the package; what is refused comes
    from clinc150_dev.jsonl and banking77_dev.jsonl, segments from cuad, contractnli, lawbench_zh,
    cfpb and email_intent, as far as the folder has them. Writes router.npz, the weights, and
    router.json, a card with figures out of fold.
    """
    from assay.routing.head import save_head
    from assay.training.request_router import RouterSettings, RouterTraining

    out.mkdir(parents=True, exist_ok=True)
    with Activity("router", enabled=True) as activity:
        training = RouterTraining(folder, RouterSettings(), seed, activity.tell)
        head, card = training.train()
    save_head(out / "router.npz", head)
    write_stdout(f"{out / 'router.npz'}\n")
    _write_card(out / "router.json", card)
    return 0


@train.command()
@_DATA
@_OUT
@click.option(
    "--answers",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep what was answered in FILE; what it has is not asked again.",
)
@click.option("--sets", metavar="A,B", help="Only these.  [default: all whose evidence is judged]")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only N cases of each set.")
@click.option(
    "--model-limit",
    metavar="N",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Ask the model in N cases of each set.",
)
@click.option("--model", metavar="NAME", default="smollm2", show_default=True)
@click.option("--seed", metavar="N", default=0, show_default=True)
def calibrator(
    folder: Path,
    out: Path,
    answers: Path | None,
    sets: str | None,
    limit: int | None,
    model_limit: int,
    model: str,
    seed: int,
) -> int:
    """Trains what turns the signals of an answer into the chance that it is right.

    Has every path answer labelled cases, by specialists fitted without them. Writes calibrator.npz
    and abstention.json, the weights; calibrator.json, a card with figures out of fold; and, where
    matplotlib is installed, calibration.png.
    """
    from assay.evaluation.answered_cases import SETS, Choice
    from assay.training.calibrator import save_trained, train_calibrator
    from assay.training.calibrator_answers import gather_answers
    from assay.training.calibrator_fit import Recipe

    names = SETS if sets is None else tuple(name.strip() for name in sets.split(","))
    with Activity("calibrator", enabled=True) as activity:
        choice = Choice(limit, model_limit)
        records = gather_answers(folder, names, choice, model, answers, activity.tell)
        recipe = Recipe()
        trained = train_calibrator(records, recipe, seed, activity.tell)
        written = save_trained(out, records, recipe, seed, trained)
    for path in written:
        write_stdout(f"{path}\n")
    return 0
