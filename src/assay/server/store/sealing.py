"""Encryption at rest: AES-256-GCM under a data key per tenant, which a master key seals.

A sealed value is `nonce (12 bytes) || ciphertext || tag (16 bytes)` (NIST SP 800-38D); nonces are
random. What a value is and whose it is are authenticated with it, so that one that was moved to
another row or tenant does not open. Master keys lie in a file of their own or in the environment;
a new one takes over when tenants' keys are sealed with it anew, and no document is touched.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from assay.errors import ConfigError, SealBrokenError

KEY_BYTES = 32
_NONCE_BYTES = 12


def new_key() -> bytes:
    """A random key of 256 bits."""
    return secrets.token_bytes(KEY_BYTES)


def seal(key: bytes, content: bytes, subject: str) -> bytes:
    """`content` encrypted; opens only with the same key and `subject`."""
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, content, subject.encode())


def unseal(key: bytes, sealed: bytes, subject: str) -> bytes:
    """What `seal` was given.

    Raises:
        SealBrokenError: another key or subject, or the bytes were changed.
    """
    nonce, encrypted = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    try:
        return AESGCM(key).decrypt(nonce, encrypted, subject.encode())
    except (InvalidTag, ValueError):
        raise SealBrokenError(
            f"what is kept of {subject} does not open",
            remedy="its key is another, or the database was changed: restore both from one backup",
        ) from None


@dataclass(frozen=True, slots=True)
class MasterKeys:
    """Master keys by name; `current` seals, the others only open."""

    current: str
    keys: Mapping[str, bytes]

    @classmethod
    def open(cls, path: Path) -> Self:
        """The keys in a file, made with one key where there is none; readable by its owner alone.

        Raises:
            ConfigError: the file is no key file, or others may read it.
        """
        if not path.exists():
            return cls._create(path)
        if path.stat().st_mode & 0o077:
            raise ConfigError(f"{path} can be read by others", remedy=f"chmod 600 {path}")
        try:
            content = json.loads(path.read_text("utf-8"))
            keys = {name: base64.b64decode(key) for name, key in content["keys"].items()}
            found = cls(content["current"], keys)
            if any(len(key) != KEY_BYTES for key in keys.values()) or found.current not in keys:
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ConfigError(
                f"{path} is no file of master keys", remedy="restore it from a backup"
            ) from None
        return found

    @classmethod
    def _create(cls, path: Path) -> Self:
        name = secrets.token_hex(4)
        made = cls(name, {name: new_key()})
        made.save(path)
        return made

    def with_new_key(self) -> Self:
        """The same keys and a new current one."""
        name = secrets.token_hex(4)
        return type(self)(name, {**self.keys, name: new_key()})

    def save(self, path: Path) -> None:
        """Writes the file whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        encoded = {name: base64.b64encode(key).decode() for name, key in self.keys.items()}
        scratch = path.with_suffix(".new")
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"current": self.current, "keys": encoded}, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
