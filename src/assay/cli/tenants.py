"""`assay tenants`: who has documents with a service."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from assay.cli.output import as_line, write_stdout
from assay.cli.server_options import config_option, make_settings, opened, store_option

EPILOG = """\b
Examples:
  assay tenants create acme
  assay tenants list
  assay tenants suspend acme
"""


@click.group(epilog=EPILOG)
def tenants() -> None:
    """Tenants of a service: what one has, no other finds."""


@tenants.command()
@click.argument("name")
@config_option
@store_option
def create(name: str, config: Path | None, store: str | None) -> int:
    """Makes a tenant with a key of its own that encrypts what is kept of it."""
    with opened(make_settings(config, store=store)) as kept:
        kept.tenants.create(name)
    write_stdout(f"tenant {name} is there; `assay keys create {name}` lets it in\n")
    return 0


@tenants.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@config_option
@store_option
def list_tenants(as_json: bool, config: Path | None, store: str | None) -> int:
    """Lists the tenants."""
    with opened(make_settings(config, store=store)) as kept:
        for tenant in kept.tenants.all():
            made = datetime.fromtimestamp(tenant.created_at, UTC).isoformat(timespec="seconds")
            state = "active" if tenant.is_active else "suspended"
            if as_json:
                row = {"name": tenant.name, "created_at": made, "is_active": tenant.is_active}
                write_stdout(as_line(row))
            else:
                write_stdout(f"{tenant.name:24}  {state:10}  since {made}\n")
    return 0


@tenants.command()
@click.argument("name")
@config_option
@store_option
def suspend(name: str, config: Path | None, store: str | None) -> int:
    """Keeps a tenant out; what it has stays."""
    with opened(make_settings(config, store=store)) as kept:
        kept.tenants.set_active(name, False)
    return 0


@tenants.command()
@click.argument("name")
@config_option
@store_option
def resume(name: str, config: Path | None, store: str | None) -> int:
    """Lets a tenant in again."""
    with opened(make_settings(config, store=store)) as kept:
        kept.tenants.set_active(name, True)
    return 0
