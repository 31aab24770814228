"""What is kept opens for its own subject alone, and only unchanged."""

import pytest

from assay.errors import ConfigError, SealBrokenError
from assay.server.store.sealing import MasterKeys, new_key, seal, unseal


def test_what_was_sealed_opens() -> None:
    key = new_key()
    sealed = seal(key, b"a clause", "document 1 of acme")
    assert b"clause" not in sealed
    assert unseal(key, sealed, "document 1 of acme") == b"a clause"


def test_the_same_content_is_never_sealed_alike() -> None:
    key = new_key()
    assert seal(key, b"a clause", "x") != seal(key, b"a clause", "x")


@pytest.mark.parametrize("place", [0, 14, -1])
def test_a_changed_byte_is_found(place: int) -> None:
    key = new_key()
    sealed = bytearray(seal(key, b"a clause", "x"))
    sealed[place] ^= 1
    with pytest.raises(SealBrokenError):
        unseal(key, bytes(sealed), "x")


@pytest.mark.parametrize("cut", [0, 5, 20])
def test_what_was_cut_off_does_not_open(cut: int) -> None:
    key = new_key()
    with pytest.raises(SealBrokenError):
        unseal(key, seal(key, b"a clause", "x")[:cut], "x")


def test_what_was_moved_to_another_row_does_not_open() -> None:
    key = new_key()
    with pytest.raises(SealBrokenError):
        unseal(key, seal(key, b"a clause", "document 1 of acme"), "document 2 of acme")


def test_master_keys_are_made_once_and_for_their_owner(tmp_path) -> None:
    path = tmp_path / "keys" / "master.json"
    made = MasterKeys.open(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert MasterKeys.open(path) == made


def test_master_keys_that_others_can_read_are_refused(tmp_path) -> None:
    path = tmp_path / "master.json"
    MasterKeys.open(path)
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        MasterKeys.open(path)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"current": "a", "keys": {}}', '{"current": "a", "keys": {"a": "eA=="}}'],
)
def test_a_damaged_key_file_is_not_replaced(tmp_path, content: str) -> None:
    """A new key would lock everybody out for good."""
    path = tmp_path / "master.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="backup"):
        MasterKeys.open(path)
    assert path.read_text() == content
