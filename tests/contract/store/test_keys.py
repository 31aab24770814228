"""Who is let in."""

import pytest

from assay.errors import AuthenticationError, InputError, NotFoundError
from assay.server.store.keys import KeyStore, Scope


@pytest.fixture
def clock():
    class Clock:
        now = 1_000_000.0

        def __call__(self) -> float:
            return self.now

    return Clock()


@pytest.fixture
def keys(kept, clock) -> KeyStore:
    kept.tenants.create("acme")
    return KeyStore(kept.database, clock)


def test_a_token_leads_to_its_key(keys) -> None:
    made, token = keys.create("acme", "claims", [Scope.ANALYZE])
    assert keys.check(token) == made
    assert made.scopes == {Scope.ANALYZE}


def test_only_a_hash_of_the_secret_is_kept(keys, stored_bytes) -> None:
    _, token = keys.create("acme")
    stored = stored_bytes()
    assert token[-43:].encode() not in stored
    assert token[6:18].encode() in stored


def test_other_tokens_are_refused(keys) -> None:
    _, token = keys.create("acme")
    other = token[:-1] + ("A" if token[-1] != "A" else "B")
    for wrong in (other, "", "assay_", token.upper(), f"{token} ", "Bearer " + token):
        with pytest.raises(AuthenticationError):
            keys.check(wrong)


def test_a_key_ends_when_its_time_is_up(keys, clock) -> None:
    _, token = keys.create("acme", valid_for_s=10)
    clock.now += 9
    keys.check(token)
    clock.now += 1
    with pytest.raises(AuthenticationError):
        keys.check(token)


def test_a_revoked_key_ends_at_once(keys) -> None:
    made, token = keys.create("acme")
    keys.revoke(made.key_id)
    with pytest.raises(AuthenticationError):
        keys.check(token)


def test_an_old_key_goes_on_while_its_holder_changes(keys, clock) -> None:
    old, old_token = keys.create("acme", "claims", [Scope.USAGE], valid_for_s=1_000)
    new, new_token = keys.rotate(old.key_id, overlap_s=60)
    assert (new.label, new.scopes) == ("claims", {Scope.USAGE})
    assert new.expires_at == clock.now + 1_000
    keys.check(old_token)
    clock.now += 60
    keys.check(new_token)
    with pytest.raises(AuthenticationError):
        keys.check(old_token)


def test_a_suspended_tenant_is_kept_out(keys, kept) -> None:
    _, token = keys.create("acme")
    kept.tenants.set_active("acme", False)
    with pytest.raises(AuthenticationError):
        keys.check(token)
    kept.tenants.set_active("acme", True)
    keys.check(token)


def test_bad_keys_are_not_made(keys) -> None:
    with pytest.raises(NotFoundError, match="tenants create other"):
        keys.create("other")
    with pytest.raises(InputError, match="scope"):
        keys.create("acme", scopes=[])
    with pytest.raises(InputError):
        keys.create("acme", valid_for_s=0)
    with pytest.raises(NotFoundError):
        keys.revoke("000000000000")
