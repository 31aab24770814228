"""Nothing in the audit log changes unseen."""

import pytest
import sqlalchemy as sa

from assay.errors import AuditBrokenError, StoreError
from assay.server.store.audit import AuditLog, Event, fingerprint_of


@pytest.fixture
def log(kept) -> AuditLog:
    log = AuditLog(kept.database, clock=lambda: 1_000_000.0)
    for number in range(5):
        log.append(Event("analyses.create", "ok", "acme", "k1", f"an_{number}", "f", {"n": number}))
    return log


def tamper(kept, statement: str) -> None:
    """As somebody who owns the database would, triggers removed."""
    removals = (
        ["DROP TRIGGER audit_log_no_update", "DROP TRIGGER audit_log_no_delete"]
        if kept.database.is_sqlite
        else ["DROP TRIGGER audit_log_append_only ON audit_log"]
    )
    with kept.database.transaction() as connection:
        for line in (*removals, statement):
            connection.exec_driver_sql(line)


def test_entries_are_read_as_they_were_written(log) -> None:
    newest = log.entries("acme", limit=1)[0]
    assert (newest.number, newest.event.subject, newest.event.details) == (5, "an_4", {"n": 4})
    assert log.entries("other") == []
    assert log.verify()[0] == 5


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE audit_log SET subject = 'an_9' WHERE number = 3", "entry 3 is not as"),
        ("UPDATE audit_log SET at = at + 1 WHERE number = 1", "entry 1 is not as"),
        ("DELETE FROM audit_log WHERE number = 2", "entry 2 is missing"),
        ("DELETE FROM audit_log WHERE number = 1", "entry 1 is missing"),
    ],
)
def test_tampering_is_found(log, kept, statement: str, what: str) -> None:
    tamper(kept, statement)
    with pytest.raises(AuditBrokenError, match=what):
        log.verify()


def test_an_end_that_was_cut_off_is_found_by_a_head_kept_elsewhere(log, kept) -> None:
    _, head = log.verify()
    tamper(kept, "DELETE FROM audit_log WHERE number = 5")
    assert log.verify()[0] == 4
    with pytest.raises(AuditBrokenError, match="gone"):
        log.verify(head)


@pytest.mark.parametrize("statement", ["UPDATE audit_log SET at = 0", "DELETE FROM audit_log"])
def test_the_database_refuses_changes(log, kept, statement: str) -> None:
    with (
        pytest.raises((StoreError, sa.exc.IntegrityError), match="append-only"),
        kept.database.transaction() as connection,
    ):
        connection.exec_driver_sql(statement)
    assert log.verify()[0] == 5


def test_a_fingerprint_names_a_client_for_an_hour() -> None:
    first = fingerprint_of("10.0.0.1", "curl", 7_200)
    assert first == fingerprint_of("10.0.0.1", "curl", 10_799)
    assert first != fingerprint_of("10.0.0.1", "curl", 10_800)
    assert first != fingerprint_of("10.0.0.2", "curl", 7_200)
