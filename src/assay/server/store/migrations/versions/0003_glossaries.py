"""Tenants' tables of terms."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "glossaries",
        sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("merges", sa.Boolean, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
