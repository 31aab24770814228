"""The tables, as the newest migration leaves them (`migrations/versions`).

Times are seconds since 1970 in UTC. Columns named `sealed` hold bytes that `sealing` encrypted;
what is not sealed tells who asked and when, never what a document says.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tenants = sa.Table(
    "tenants",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("is_active", sa.Boolean, nullable=False),
    # The tenant's data key, sealed with the master key of this name.
    sa.Column("master_key", sa.Text, nullable=False),
    sa.Column("sealed_key", sa.LargeBinary, nullable=False),
)

keys = sa.Table(
    "api_keys",
    metadata,
    sa.Column("key_id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), nullable=False, index=True),
    sa.Column("label", sa.Text, nullable=False),
    # SHA-256 of the secret: 256 random bits need no slow hash.
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("expires_at", sa.Float),
    sa.Column("revoked_at", sa.Float),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("document_id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), nullable=False, index=True),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("num_bytes", sa.Integer, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)

analyses = sa.Table(
    "analyses",
    metadata,
    sa.Column("analysis_id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), nullable=False, index=True),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("ended_at", sa.Float),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("sealed", sa.LargeBinary),
    sa.Column("idempotency_key", sa.Text),
    sa.Column("request_hash", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("tenant", "idempotency_key"),
)

audit = sa.Table(
    "audit_log",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("tenant", sa.Text, nullable=False, index=True),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("details", sa.Text, nullable=False),
    sa.Column("previous_hash", sa.LargeBinary, nullable=False),
    sa.Column("entry_hash", sa.LargeBinary, nullable=False),
)

budgets = sa.Table(
    "budgets",
    metadata,
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
    # Tokens a month; what money buys is worked out when a budget is set.
    sa.Column("num_tokens", sa.BigInteger, nullable=False),
    # A decimal amount in the currency, per million tokens; for reports.
    sa.Column("price", sa.Text, nullable=False),
    sa.Column("currency", sa.Text, nullable=False),
    # Per cent of the budget, ascending, with blanks between.
    sa.Column("alerts", sa.Text, nullable=False),
)

spending = sa.Table(
    "spending",
    metadata,
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("num_reserved", sa.BigInteger, nullable=False),
    sa.Column("num_spent", sa.BigInteger, nullable=False),
)

reservations = sa.Table(
    "reservations",
    metadata,
    sa.Column("reservation_id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text, nullable=False),
    sa.Column("month", sa.Text, nullable=False),
    sa.Column("num_tokens", sa.BigInteger, nullable=False),
)

usage = sa.Table(
    "usage",
    metadata,
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("project", sa.Text, primary_key=True),
    sa.Column("unit", sa.Text, primary_key=True),
    sa.Column("num_results", sa.BigInteger, nullable=False),
    sa.Column("num_prompt_tokens", sa.BigInteger, nullable=False),
    sa.Column("num_answer_tokens", sa.BigInteger, nullable=False),
)

glossaries = sa.Table(
    "glossaries",
    metadata,
    sa.Column("tenant", sa.Text, sa.ForeignKey("tenants.name"), primary_key=True),
    sa.Column("created_at", sa.Float, nullable=False),
    sa.Column("merges", sa.Boolean, nullable=False),
    # The table of terms as it was uploaded.
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)
