"""What the commands around a service have in common: its settings and its store."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.server.service import Kept
    from assay.server.settings import ServerSettings

config_option = click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings in YAML.",
)
store_option = click.option(
    "--store",
    metavar="URL",
    envvar="ASSAY_STORE",
    help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME.  [default: SQLite in ASSAY_HOME]",
)


def make_settings(config: Path | None, **given: Any) -> ServerSettings:
    """The settings of a file, with what the command line gives in their place.

    Raises:
        ConfigError: a setting is unknown, or what a service needs is not installed.
    """
    for module in ("fastapi", "uvicorn", "sqlalchemy", "alembic", "cryptography"):
        if importlib.util.find_spec(module) is None:
            raise ConfigError(f"{module} is missing", remedy="pip install 'assay[serve]'")
    from assay.server.settings import ServerSettings

    settings = ServerSettings() if config is None else ServerSettings.from_file(config)
    return replace(settings, **{name: value for name, value in given.items() if value})


@contextmanager
def opened(settings: ServerSettings) -> Iterator[Kept]:
    """The store of these settings, closed again."""
    from assay.server.service import open_kept

    kept = open_kept(settings)
    try:
        yield kept
    finally:
        kept.database.close()
