"""What a service keeps: tenants, keys, documents, analyses and the audit log, in SQLite or
PostgreSQL."""

from assay.server.store.database import Database, open_database

__all__ = ["Database", "open_database"]
