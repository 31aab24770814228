"""`assay replay`: runs made again from their records, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.messages import complain, display_name
from assay.cli.output import as_line, write_stdout
from assay.cli.sources import ocr_option, read_source
from assay.cli.tasks import chains_option
from assay.cli.values import format_value
from assay.errors import ConfigError, RecordError

if TYPE_CHECKING:
    from assay.analysis import ChainTable
    from assay.analysis.record import RunRecord
    from assay.documents import Document
    from assay.documents.ocr import OcrMode

EPILOG = """\b
Examples:
  assay analyze contract.pdf --trace runs.jsonl
  assay replay runs.jsonl contract.pdf
  assay replay runs.jsonl contract.pdf --steps
  assay replay runs.jsonl contract.pdf --chains cheapest-first

\b
Exit codes:
  0  every answer came out as recorded
  1  some came out otherwise
  2  some input was bad, or none of the records is of this document
"""


@click.command(epilog=EPILOG)
@click.argument("records", metavar="RECORDS", type=click.Path(path_type=Path))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--steps", is_flag=True, help="Show the states that each recorded run went through.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a field.")
@chains_option
@ocr_option
def replay(
    records: Path,
    file: Path,
    steps: bool,
    as_json: bool,
    chains: ChainTable | None,
    ocr: OcrMode,
) -> int:
    """Makes recorded runs again and says which answers come out otherwise.

    RECORDS is what `assay analyze --trace` wrote of FILE. What the model said is taken from there;
    rules, validators and calibration are those of this installation.
    """
    from assay.analysis.record import digest_of

    document = read_source(file, ocr=ocr)
    own = [item for item in _read(records) if item.document == digest_of(document.text)]
    if not own:
        complain(f"{records} has no record of this document", about=display_name(file))
        return 2
    again = _run_again(own, document, chains)
    differs = False
    for record in own:
        now = again[record.task, record.field]
        same = _same(record.result, now)
        differs |= not same
        if as_json:
            told = {"task": record.task, "field": record.field, "same": same}
            write_stdout(as_line({**told, "recorded": record.result, "replayed": now}))
        else:
            write_stdout(_tell(record, now, same=same, steps=steps))
    return int(differs)


def _read(path: Path) -> list[RunRecord]:
    from assay.analysis.record import RunRecord

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(RunRecord.from_line(line))
        except RecordError as error:
            raise RecordError(f"{path}, line {number}: {error.message}") from None
    return records


def _run_again(
    records: list[RunRecord], document: Document, chains: ChainTable | None
) -> dict[tuple[str, str], dict[str, Any]]:
    """The results of the same tasks, by task and field."""
    from assay.analysis import Analyzer
    from assay.analysis.record import RecordedBackend
    from assay.units import Task, get_unit

    tasks = {
        record.task: Task(get_unit(record.unit), record.arguments, record.task)
        for record in records
    }
    with Analyzer(backend=RecordedBackend(records), chains=chains) as analyzer:
        analysis = analyzer.analyze(document, units=list(tasks.values()))
    return {
        (name, field): {"value": item.value, **item.as_json()}
        for name, result in analysis.results.items()
        for field, item in result.fields.items()
    }


def _same(recorded: Any, now: dict[str, Any]) -> bool:
    """Whether value, status, path and confidence are as they were."""
    return all(recorded.get(key) == now[key] for key in ("value", "status", "path", "confidence"))


def _tell(record: RunRecord, now: dict[str, Any], *, same: bool, steps: bool) -> str:
    lines = [f"{record.task}.{record.field}: {'as recorded' if same else 'otherwise'}"]
    lines.append(f"  recorded  {_one(record.result)}")
    if not same:
        lines.append(f"  now       {_one(now)}")
    if steps:
        lines += [
            f"  {step['at_ms']:8.1f} ms  {step['state']:13s} {step['note']}"
            for step in record.steps
        ]
    return "\n".join(lines) + "\n"


def _one(result: Any) -> str:
    value = format_value(result["value"]) if result["value"] is not None else result["status"]
    return f"{value}  ({result['confidence']:.2f}, {result['path'] or 'no path'})"
