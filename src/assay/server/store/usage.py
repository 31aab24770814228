"""What was used: results and tokens by tenant, month, project and unit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from assay.server.store.database import Database
from assay.server.store.tables import usage
from assay.types import UnitResult


@dataclass(frozen=True, slots=True)
class UsageRow:
    tenant: str
    month: str
    project: str
    unit: str
    num_results: int
    num_prompt_tokens: int
    num_answer_tokens: int

    @property
    def num_tokens(self) -> int:
        return self.num_prompt_tokens + self.num_answer_tokens


class UsageStore:
    """Counts, and reports."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def count(self, tenant: str, project: str, results: Mapping[str, UnitResult]) -> None:
        """Adds the results of an analysis, by the name of each unit."""
        month = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m")
        with self._database.transaction() as connection:
            for unit, result in results.items():
                key = {"tenant": tenant, "month": month, "project": project, "unit": unit}
                counts = {
                    "num_results": 1,
                    "num_prompt_tokens": result.usage.num_prompt_tokens,
                    "num_answer_tokens": result.usage.num_decoded_tokens
                    + result.usage.num_forced_tokens,
                }
                connection.execute(
                    self._database.insert_if_new(usage).values(**key, **dict.fromkeys(counts, 0))
                )
                added = {name: usage.c[name] + number for name, number in counts.items()}
                row = sa.and_(*(usage.c[name] == value for name, value in key.items()))
                connection.execute(usage.update().where(row).values(**added))

    def rows(self, tenant: str | None = None, month: str | None = None) -> Sequence[UsageRow]:
        """What was used, of all or one tenant, ever or in a month (`2031-05`)."""
        chosen = sa.select(usage).order_by(*usage.primary_key.columns)
        if tenant is not None:
            chosen = chosen.where(usage.c.tenant == tenant)
        if month is not None:
            chosen = chosen.where(usage.c.month == month)
        with self._database.transaction() as connection:
            return [UsageRow(*row) for row in connection.execute(chosen)]
