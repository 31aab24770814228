"""A store in a file of the test's own, and a service over a back end that answers from a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.server.settings import ServerSettings


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Path:
    """A database with the newest schema, to be copied: migrations run once."""
    from assay.server.store import open_database

    path = tmp_path_factory.mktemp("store") / "empty.db"
    database = open_database(f"sqlite:///{path}")
    database.migrate()
    with database.transaction() as connection:
        connection.exec_driver_sql("SELECT 1")
    database.close()
    return path


@pytest.fixture
def settings(tmp_path, migrated) -> ServerSettings:
    (tmp_path / "assay.db").write_bytes(migrated.read_bytes())
    return ServerSettings(
        store=f"sqlite:///{tmp_path / 'assay.db'}",
        master_key_file=str(tmp_path / "master_keys.json"),
        max_body_bytes=100_000,
        max_pages=2,
    )


@pytest.fixture
def kept(settings) -> Iterator:
    from assay.server.service import open_kept

    kept = open_kept(settings)
    yield kept
    kept.database.close()
