"""`assay audit`: what was done with a service, and whether that record is whole."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from assay.cli.output import as_line, write_stdout
from assay.cli.server_options import config_option, make_settings, opened, store_option

EPILOG = """\b
Examples:
  assay audit show --tenant acme
  assay audit verify
  assay audit verify --head 5d2c…   (the head that an earlier run printed)
"""


@click.group(epilog=EPILOG)
def audit() -> None:
    """The audit log: append-only, each entry chained to the one before."""


@audit.command()
@click.option("--tenant", metavar="NAME", help="Only what this tenant did.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@config_option
@store_option
def show(
    tenant: str | None, limit: int, as_json: bool, config: Path | None, store: str | None
) -> int:
    """Prints the last entries, the newest first."""
    with opened(make_settings(config, store=store)) as kept:
        for entry in kept.audit.entries(tenant, limit):
            at = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="seconds")
            event = entry.event
            if as_json:
                row = {"number": entry.number, "at": at, **asdict(event)}
                write_stdout(as_line(row))
            else:
                who = f"{event.tenant or '-'}/{event.key_id or '-'}"
                shown = f"{entry.number:6}  {at}  {who:30}  {event.action} {event.subject}"
                write_stdout(f"{shown}  {event.outcome}\n")
    return 0


@audit.command()
@click.option("--head", metavar="HASH", help="A head kept elsewhere: tells if the end was cut off.")
@config_option
@store_option
def verify(head: str | None, config: Path | None, store: str | None) -> int:
    """Checks that no entry was changed, added or taken away."""
    with opened(make_settings(config, store=store)) as kept:
        count, last = kept.audit.verify(head)
    write_stdout(f"{count:,} entries, all as they were written; head {last}\n")
    return 0
