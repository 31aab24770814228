"""A tenant's glossary: its own, sealed, one."""

import pytest

from assay.errors import NotFoundError
from assay.server.store.glossaries import GlossaryStore


@pytest.fixture
def glossaries(kept) -> GlossaryStore:
    kept.tenants.create("acme")
    kept.tenants.create("globex")
    return GlossaryStore(kept.database, kept.tenants)


def test_a_glossary_takes_the_place_of_the_last(glossaries) -> None:
    glossaries.put("acme", b"old", False)
    made = glossaries.put("acme", b"new", True)
    assert glossaries.get("acme") == made
    assert [(item.table, item.merges) for item in glossaries.all()] == [(b"new", True)]


def test_another_tenants_is_not_there(glossaries, stored_bytes) -> None:
    glossaries.put("acme", b"drop-dead day", False)
    with pytest.raises(NotFoundError):
        glossaries.get("globex")
    with pytest.raises(NotFoundError):
        glossaries.delete("globex")
    assert b"drop-dead" not in stored_bytes()
    glossaries.delete("acme")
    with pytest.raises(NotFoundError):
        glossaries.get("acme")
