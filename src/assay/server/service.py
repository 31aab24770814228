"""What all routes share: the analyzer, the store, and what runs now."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from assay.analysis import AsyncAnalyzer
from assay.server.accounts import Accounts
from assay.server.metrics import Metrics
from assay.server.rates import RateLimiter
from assay.server.runs import Runs
from assay.server.settings import ServerSettings
from assay.server.store import Database, open_database
from assay.server.store.analyses import AnalysisStore
from assay.server.store.audit import AuditLog
from assay.server.store.budgets import BudgetStore
from assay.server.store.documents import DocumentStore
from assay.server.store.glossaries import GlossaryStore
from assay.server.store.keys import KeyStore
from assay.server.store.sealing import MasterKeys
from assay.server.store.tenants import TenantStore
from assay.server.store.usage import UsageStore
from assay.server.turns import FairTurns
from assay.terms import read_glossary


@dataclass(frozen=True, slots=True)
class Kept:
    """The store, opened: its schema is the newest."""

    database: Database
    tenants: TenantStore
    keys: KeyStore
    audit: AuditLog
    budgets: BudgetStore
    usage: UsageStore


def open_kept(settings: ServerSettings) -> Kept:
    """Opens the store that settings name, and brings its schema up to date.

    Raises:
        ConfigError: the URL or the file of master keys is none.
        StoreError: the database does not answer.
    """
    master_keys = MasterKeys.open(settings.master_key_path)
    database = open_database(settings.store)
    database.migrate()
    tenants = TenantStore(database, master_keys)
    return Kept(
        database,
        tenants,
        KeyStore(database),
        AuditLog(database),
        BudgetStore(database),
        UsageStore(database),
    )


class Service:
    """One service: what it keeps, what it analyses with, what runs. `close` ends it."""

    def __init__(
        self, settings: ServerSettings, kept: Kept, analyzer: AsyncAnalyzer, metrics: Metrics
    ) -> None:
        self.settings = settings
        self.kept = kept
        self.keys = kept.keys
        self.audit = kept.audit
        self.documents = DocumentStore(kept.database, kept.tenants)
        self.glossaries = GlossaryStore(kept.database, kept.tenants)
        self.analyses = AnalysisStore(kept.database, kept.tenants)
        self.analyzer = analyzer
        self.budgets = kept.budgets
        self.usage = kept.usage
        turns = FairTurns(settings.max_running, settings.max_running_per_tenant or None)
        self.metrics = metrics
        metrics.watch(analyzer.route_statistics, lambda: (turns.num_taken, turns.num_waiting))
        accounts = Accounts(kept.budgets, kept.usage, kept.audit, metrics)
        self.runs = Runs(analyzer, self.analyses, accounts, turns)
        self.rates = RateLimiter(settings.requests_per_minute or None)

    def load_glossaries(self) -> None:
        """Has the analyzer know the glossaries that are kept."""
        for stored in self.glossaries.all():
            glossary = read_glossary(stored.table)
            self.analyzer.set_glossary(stored.tenant, glossary, merges=stored.merges)

    async def close(self) -> None:
        """Waits for what runs, then lets go of model and store."""
        await self.runs.drain()
        await self.analyzer.close()
        self.kept.database.close()


def service_of(request: Request) -> Service:
    service = request.app.state.service
    assert isinstance(service, Service)
    return service
