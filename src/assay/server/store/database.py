"""One database: its connections, its transactions and its schema.

SQLite (`sqlite:///PATH`) is the default; PostgreSQL (`postgresql://…`) serves several machines.
Calls block: the server makes them on threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects import postgresql, sqlite

from assay.errors import ConfigError, StoreError

_MIGRATIONS = Path(__file__).with_name("migrations")
#: How long a writer waits for another.
_BUSY_TIMEOUT_S = 30.0


class Database:
    """Hands out transactions; may be shared between threads."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    @property
    def is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """A connection whose changes are kept if the block ends well, all or none. With SQLite one
        transaction follows another.

        Raises:
            StoreError: the database cannot be reached, is full or locked.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.IntegrityError:
            raise
        except sa.exc.DBAPIError as error:
            raise StoreError(
                f"the store does not answer: {error.orig}",
                remedy="check that the database is up and has room",
            ) from error

    def insert_if_new(self, table: sa.Table) -> Any:
        """An insert that does nothing where a row with this primary key is there already."""
        insert = sqlite.insert if self.is_sqlite else postgresql.insert
        return insert(table).on_conflict_do_nothing(index_elements=list(table.primary_key))

    def migrate(self) -> None:
        """Brings the schema to the newest revision.

        Raises:
            StoreError: the database cannot be reached or changed.
        """
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self.transaction() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def ping(self) -> None:
        """Raises `StoreError` if the database does not answer."""
        with self.transaction() as connection:
            connection.execute(sa.text("SELECT 1"))

    def close(self) -> None:
        self._engine.dispose()


def open_database(url: str) -> Database:
    """Opens the database at `url`, schema as it is.

    Raises:
        ConfigError: the URL is none, or of a database that is not supported.
    """
    try:
        parsed = sa.make_url(url)
        kind = parsed.get_backend_name()
    except (sa.exc.ArgumentError, ValueError):
        raise ConfigError(f"{url!r} is no database URL", remedy=_URLS) from None
    if kind == "sqlite":
        return Database(_sqlite(parsed))
    if kind == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
        return Database(sa.create_engine(parsed, pool_pre_ping=True, pool_size=16))
    raise ConfigError(f"no store keeps things in {kind}", remedy=_URLS)


_URLS = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME"


def _sqlite(url: sa.URL) -> sa.Engine:
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, connect_args={"timeout": _BUSY_TIMEOUT_S})

    @sa.event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # The driver's own idea of when a transaction begins is turned off: see `begin`.
        connection.isolation_level = None
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
