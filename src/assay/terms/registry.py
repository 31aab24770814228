"""Whose glossary is whose, replaced while requests run.

A tenant's entry is one reference to something immutable, swapped as a whole: a request takes it
once, when it begins, and keeps it to its end. Nothing is locked for reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType

from assay.terms.glossary import Glossary


@dataclass(frozen=True, slots=True)
class TenantTerms:
    """A tenant's glossary, and whether its terms are read as one token each."""

    glossary: Glossary
    merges: bool = False


class GlossaryRegistry:
    """The glossaries of tenants, by name; "" is for those who give none. May be used from any
    thread."""

    def __init__(self, entries: Mapping[str, TenantTerms | Glossary] | None = None) -> None:
        self._lock = Lock()
        self._entries: Mapping[str, TenantTerms] = MappingProxyType(
            {
                tenant: TenantTerms(entry) if isinstance(entry, Glossary) else entry
                for tenant, entry in (entries or {}).items()
            }
        )

    def get(self, tenant: str) -> TenantTerms | None:
        """What holds for a tenant now; None where it has no glossary. What is returned never
        changes."""
        return self._entries.get(tenant)

    def set(self, tenant: str, glossary: Glossary, *, merges: bool | None = None) -> None:
        """Gives a tenant a glossary in place of its old one, for requests to come. `merges` stays
        as it was where it is not said, off at first."""
        with self._lock:
            old = self._entries.get(tenant)
            entry = TenantTerms(glossary, old.merges if old is not None else False)
            if merges is not None:
                entry = replace(entry, merges=merges)
            self._entries = MappingProxyType({**self._entries, tenant: entry})

    def remove(self, tenant: str) -> None:
        """Takes a tenant's glossary away, for requests to come."""
        with self._lock:
            kept = {name: entry for name, entry in self._entries.items() if name != tenant}
            self._entries = MappingProxyType(kept)

    def __iter__(self) -> Iterator[str]:
        """The tenants that have one."""
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
