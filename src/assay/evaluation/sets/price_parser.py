"""price_parser: scraped prices, some with the currency in another cell (BSD-3).

Right is: the amount, and the mark that says the currency, as written in the page. A row without
an amount must give none. Where a row has no mark, none may be claimed. The lists that the library
itself gets wrong count like the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

from assay.documents import Document
from assay.evaluation.base import Ask, Case, Counts, Finding, one_value, read_rows, reader_case
from assay.normalize.price import read_price


@dataclass(frozen=True)
class Row:
    """The cell that may tell the currency, the decimal mark if it is known, and the gold."""

    hint: str
    decimal_mark: str | None
    amount: Decimal | None
    mark: str | None


class PriceParser:
    name = "price_parser"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for line in read_rows(folder, self.name, split):
            amount = None if line["amount"] is None else Decimal(line["amount"])
            row = Row(
                line["currency_raw"] or "", line["decimal_separator"], amount, line["currency"]
            )
            text = line["price_raw"] or ""
            yield reader_case(line["id"], "en", "price", text, row, partial(_find, row))

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """A row is one value: the amount and the mark, or that there is none."""
        wanted = (ask.gold.amount, ask.gold.mark)
        return one_value(right=finding.value == wanted, answered=True, expected=True)


def _find(row: Row, text: str) -> Finding:
    price = read_price(text, row.hint, decimal_mark=row.decimal_mark)
    return Finding((price.amount, price.mark or None))


SET = PriceParser()
