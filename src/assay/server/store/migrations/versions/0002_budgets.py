"""Budgets, what is reserved and spent of them, and usage by project and unit."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "budgets",
        sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
        sa.Column("num_tokens", sa.BigInteger, nullable=False),
        sa.Column("price", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("alerts", sa.Text, nullable=False),
    )
    op.create_table(
        "spending",
        sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("num_reserved", sa.BigInteger, nullable=False),
        sa.Column("num_spent", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "reservations",
        sa.Column("reservation_id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("month", sa.Text, nullable=False),
        sa.Column("num_tokens", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "usage",
        sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("project", sa.Text, primary_key=True),
        sa.Column("unit", sa.Text, primary_key=True),
        sa.Column("num_results", sa.BigInteger, nullable=False),
        sa.Column("num_prompt_tokens", sa.BigInteger, nullable=False),
        sa.Column("num_answer_tokens", sa.BigInteger, nullable=False),
    )
