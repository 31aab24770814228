"""Alembic's scripts: numbered, only ever added to."""
