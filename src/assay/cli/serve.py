"""`assay serve`: the HTTP service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from assay.cli.engine_options import engine_options
from assay.cli.messages import complain
from assay.cli.server_options import config_option, make_settings, opened, store_option

EPILOG = """\b
Examples:
  assay serve
  assay tenants create acme && assay keys create acme
  curl -H "Authorization: Bearer $KEY" localhost:8080/v1/analyses \\
    -d '{"document": {"text": "…"}, "units": ["extract_party"]}' \\
    -H 'Content-Type: application/json'
  assay serve --store postgresql://assay@db/assay --host 0.0.0.0

\b
The API is described at /docs and /openapi.json.
"""


@click.command(epilog=EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@click.option("--model", metavar="NAME", help="Which pulled model answers.  [default: smollm2]")
@config_option
@store_option
@engine_options
def serve(
    host: str,
    port: int,
    model: str | None,
    config: Path | None,
    store: str | None,
    engine: Mapping[str, Any],
) -> int:
    """Serves analyses over HTTP to many tenants, until it is ended (SIGTERM: what runs is finished
    first)."""
    settings = make_settings(config, store=store, model=model, engine=engine)
    from assay.analysis import AsyncAnalyzer
    from assay.server.app import create_app
    from assay.server.http import run_server

    with opened(settings) as kept:
        if not kept.tenants.all():
            complain("no tenant yet: `assay tenants create NAME`, then `assay keys create NAME`")
        analyzer = AsyncAnalyzer(settings.model, engine=settings.engine)
        app = create_app(settings, kept, analyzer)
        run_server(app, host, port)
    return 0
