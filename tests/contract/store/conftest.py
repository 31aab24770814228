"""Every test of the store runs on SQLite, and on PostgreSQL where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
import sqlalchemy as sa
from postgres import find_binaries, running_postgres

from assay.server.service import Kept, open_kept
from assay.server.settings import ServerSettings
from assay.server.store import open_database

_NUMBERS = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server with a database `template`, migrated."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed")
    with running_postgres(binaries) as url:
        _execute(url, "CREATE DATABASE template")
        database = open_database(url.format("template"))
        database.migrate()
        database.close()
        yield url


def _execute(url: str, statement: str) -> None:
    address = sa.make_url(url.format("postgres")).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path) -> ServerSettings:
    if request.param == "sqlite":
        store = f"sqlite:///{tmp_path / 'assay.db'}"
    else:
        url, name = request.getfixturevalue("postgres"), f"test_{next(_NUMBERS)}"
        _execute(url, f"CREATE DATABASE {name} TEMPLATE template")
        store = url.format(name)
    return ServerSettings(store=store, master_key_file=str(tmp_path / "master_keys.json"))


@pytest.fixture
def kept(settings) -> Iterator[Kept]:
    kept = open_kept(settings)
    yield kept
    kept.database.close()


@pytest.fixture
def stored_bytes(settings, kept):
    """All that a database holds, as one would find it on its disk."""

    def read() -> bytes:
        url = sa.make_url(settings.store)
        if url.get_backend_name() == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        engine = sa.create_engine(url)
        found = b""
        with engine.connect() as connection:
            for table in sa.inspect(engine).get_table_names():
                for row in connection.exec_driver_sql(f"SELECT * FROM {table}"):
                    cells = (
                        cell if isinstance(cell, bytes) else str(cell).encode() for cell in row
                    )
                    found += b"\n".join(cells)
        engine.dispose()
        return found

    return read
