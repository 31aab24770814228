"""`assay keys`: API keys of a service, and the master keys of its store."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from assay.cli.output import as_line, write_stdout
from assay.cli.server_options import config_option, make_settings, opened, store_option

_DAY_S = 86_400
EPILOG = """\b
Examples:
  assay keys create acme --label "claims desk" --days 90
  assay keys list acme
  assay keys rotate 3f9a1c0b77de --overlap-days 7
  assay keys revoke 3f9a1c0b77de
  assay keys rotate-master
"""


@click.group(epilog=EPILOG)
def keys() -> None:
    """API keys of tenants. Only a hash of each is kept: a key is shown once."""


@keys.command()
@click.argument("tenant")
@click.option("--label", default="", help="What the key is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(["analyze", "documents", "glossaries", "usage", "admin"]),
    default=("analyze", "documents", "usage"),
    show_default=True,
    help="What it may do; may be repeated.",
)
@click.option(
    "--days", type=click.FloatRange(min=0, min_open=True), help="Ends after so many days."
)
@config_option
@store_option
def create(
    tenant: str,
    label: str,
    scopes: tuple[str, ...],
    days: float | None,
    config: Path | None,
    store: str | None,
) -> int:
    """Makes a key and prints it."""
    from assay.server.store.keys import Scope

    with opened(make_settings(config, store=store)) as kept:
        valid_for_s = None if days is None else days * _DAY_S
        _, token = kept.keys.create(tenant, label, map(Scope, scopes), valid_for_s)
    write_stdout(f"{token}\n")
    return 0


@keys.command("list")
@click.argument("tenant", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@config_option
@store_option
def list_keys(tenant: str | None, as_json: bool, config: Path | None, store: str | None) -> int:
    """Lists keys, the newest first."""
    with opened(make_settings(config, store=store)) as kept:
        for key in kept.keys.all(tenant):
            state = "valid" if key.is_valid(time.time()) else "ended"
            until = "" if key.expires_at is None else f"until {_day(key.expires_at)}"
            scopes = ",".join(sorted(key.scopes))
            if as_json:
                row = {"key_id": key.key_id, "tenant": key.tenant, "label": key.label}
                write_stdout(
                    as_line({**row, "scopes": sorted(key.scopes), "is_valid": state == "valid"})
                )
            else:
                shown = (
                    f"{key.key_id}  {key.tenant:16}  {state:5}  {scopes:24}  {key.label}  {until}"
                )
                write_stdout(shown.rstrip() + "\n")
    return 0


@keys.command()
@click.argument("key_id")
@click.option("--overlap-days", type=click.FloatRange(min=0), default=0.0, show_default=True)
@config_option
@store_option
def rotate(key_id: str, overlap_days: float, config: Path | None, store: str | None) -> int:
    """Makes a key in the place of another, which ends now or after some days."""
    with opened(make_settings(config, store=store)) as kept:
        _, token = kept.keys.rotate(key_id, overlap_days * _DAY_S)
    write_stdout(f"{token}\n")
    return 0


@keys.command()
@click.argument("key_id")
@config_option
@store_option
def revoke(key_id: str, config: Path | None, store: str | None) -> int:
    """Ends a key at once."""
    with opened(make_settings(config, store=store)) as kept:
        kept.keys.revoke(key_id)
    return 0


@keys.command("rotate-master")
@config_option
@store_option
def rotate_master(config: Path | None, store: str | None) -> int:
    """Makes a new master key and seals all tenants' keys with it. Running services read the file
    at their next start; the old master key stays in it until you take it out."""
    from assay.server.store.sealing import MasterKeys

    settings = make_settings(config, store=store)
    with opened(settings) as kept:
        renewed = MasterKeys.open(settings.master_key_path).with_new_key()
        renewed.save(settings.master_key_path)
        num_sealed = kept.tenants.seal_anew(renewed)
    write_stdout(f"master key {renewed.current}: {num_sealed} tenants' keys sealed anew\n")
    return 0


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
