"""`assay budgets`: what tenants may spend, and what they have."""

from __future__ import annotations

import csv
import io
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from assay.cli.output import write_stdout
from assay.cli.server_options import config_option, make_settings, opened, store_option
from assay.errors import InputError

EPILOG = """\b
Examples:
  assay budgets set acme --tokens 5000000
  assay budgets set acme --money 200 --price 2.50 --currency EUR --alert 80 --alert 100
  assay budgets show
  assay budgets report --month 2031-05 --field cost_centre=4711 --field tax=VAT20 > may.csv
  assay budgets remove acme
"""


@click.group(epilog=EPILOG)
def budgets() -> None:
    """Budgets in tokens a month. A tenant without one is not held up."""


@budgets.command("set")
@click.argument("tenant")
@click.option("--tokens", type=click.IntRange(min=0), help="Tokens a month.")
@click.option("--money", metavar="AMOUNT", help="An amount a month, which buys tokens at --price.")
@click.option("--price", metavar="AMOUNT", default="0", help="Of a million tokens.")
@click.option("--currency", metavar="CODE", default="EUR", show_default=True)
@click.option(
    "--alert",
    "alerts",
    type=click.IntRange(1, 100),
    multiple=True,
    default=(50, 80, 100),
    show_default=True,
    help="Tell when so many per cent are spent; may be repeated.",
)
@config_option
@store_option
def set_budget(
    tenant: str,
    tokens: int | None,
    money: str | None,
    price: str,
    currency: str,
    alerts: tuple[int, ...],
    config: Path | None,
    store: str | None,
) -> int:
    """Gives a tenant a budget."""
    from assay.server.store.budgets import Budget

    if (tokens is None) == (money is None):
        raise click.UsageError("give either --tokens or --money")
    shares = tuple(sorted(set(alerts)))
    if tokens is not None:
        budget = Budget(tokens, _decimal(price), currency, shares)
    else:
        budget = Budget.of_money(_decimal(str(money)), _decimal(price), currency, shares)
    with opened(make_settings(config, store=store)) as kept:
        kept.budgets.set(tenant, budget)
    write_stdout(f"{tenant}: {budget.num_tokens:,} tokens a month\n")
    return 0


@budgets.command()
@click.argument("tenant")
@config_option
@store_option
def remove(tenant: str, config: Path | None, store: str | None) -> int:
    """Takes a tenant's budget away: nothing holds it up then."""
    with opened(make_settings(config, store=store)) as kept:
        kept.budgets.set(tenant, None)
    return 0


@budgets.command()
@config_option
@store_option
def show(config: Path | None, store: str | None) -> int:
    """Shows how each tenant stands this month."""
    with opened(make_settings(config, store=store)) as kept:
        for tenant in kept.tenants.all():
            standing = kept.budgets.standing(tenant.name)
            spent = f"{standing.num_spent:,} spent, {standing.num_reserved:,} set aside"
            budget = standing.budget
            limit = "no budget" if budget is None else f"of {budget.num_tokens:,}"
            write_stdout(f"{tenant.name:24}  {standing.month}  {spent}  {limit}\n")
    return 0


@budgets.command()
@click.option("--tenant", metavar="NAME", help="Only this one's usage.")
@click.option("--month", metavar="YYYY-MM", help="Only this month's.")
@click.option(
    "--field",
    "columns",
    metavar="NAME=TEXT",
    multiple=True,
    help="A column with the same text in each row: cost centre, invoice text, tax category.",
)
@config_option
@store_option
def report(
    tenant: str | None,
    month: str | None,
    columns: tuple[str, ...],
    config: Path | None,
    store: str | None,
) -> int:
    """Prints usage as CSV: a row by tenant, month, project and unit, with what it cost."""
    extra = {}
    for item in columns:
        name, equals, text = item.partition("=")
        if not equals or not name:
            raise InputError(f"--field {item!r} is not NAME=TEXT")
        extra[name] = text
    out = io.StringIO()
    names = ["tenant", "month", "project", "unit", "results", "prompt_tokens", "answer_tokens"]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, "cost", "currency", *extra])
    with opened(make_settings(config, store=store)) as kept:
        prices = {item.name: kept.budgets.standing(item.name).budget for item in kept.tenants.all()}
        for row in kept.usage.rows(tenant, month):
            budget = prices[row.tenant]
            cost = "" if budget is None else budget.cost_of(row.num_tokens)
            counts = (row.num_results, row.num_prompt_tokens, row.num_answer_tokens)
            currency = budget.currency if budget else ""
            key = (row.tenant, row.month, row.project, row.unit)
            writer.writerow([*key, *counts, cost, currency, *extra.values()])
    write_stdout(out.getvalue())
    return 0


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise InputError(f"{text!r} is no amount", remedy="such as 2.50") from None
