"""What a service is told at its start: where it keeps things, what it serves, what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from assay.config import assay_home
from assay.errors import ConfigError

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of one service. `engine` are those of the engine, by name (`EngineConfig`).

    `store` is a database URL; by default SQLite beside the models. `master_key_file` seals what is
    kept. `max_body_bytes` and `max_pages` bound a document, `max_running` the analyses that run at
    once: more wait for their turn, tenants one after the other. `max_running_per_tenant` bounds one
    tenant's share of them, `requests_per_minute` how often one may ask; 0: no bound.
    """

    model: str = "smollm2"
    store: str = ""
    master_key_file: str = ""
    max_body_bytes: int = 32 * _MIB
    max_pages: int = 500
    max_running: int = 64
    max_running_per_tenant: int = 0
    requests_per_minute: int = 0
    engine: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        home = assay_home() / "server"
        if not self.store:
            object.__setattr__(self, "store", f"sqlite:///{home / 'assay.db'}")
        if not self.master_key_file:
            object.__setattr__(self, "master_key_file", str(home / "master_keys.json"))
        for name in ("max_body_bytes", "max_pages", "max_running"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is to be at least 1")
        for name in ("max_running_per_tenant", "requests_per_minute"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} is to be at least 0")

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Settings in YAML.

        Raises:
            ConfigError: no such file, no mapping, or a key that is not known.
        """
        import yaml

        try:
            content = yaml.safe_load(path.read_text("utf-8")) or {}
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from None
        if not isinstance(content, dict):
            raise ConfigError(f"{path} is no mapping of settings")
        return cls.from_mapping(content)

    @classmethod
    def from_mapping(cls, content: Mapping[str, Any]) -> Self:
        """Raises `ConfigError` for a key that is not known or a value of another type."""
        known = {item.name: item for item in fields(cls)}
        for name, value in content.items():
            if name not in known:
                raise ConfigError(
                    f"no setting is called {name!r}", remedy=f"settings are {', '.join(known)}"
                )
            wanted = {"str": str, "int": int}.get(str(known[name].type), Mapping)
            if not isinstance(value, wanted) or isinstance(value, bool):
                raise ConfigError(f"the setting {name} cannot be {value!r}")
        return cls(**content)

    @property
    def master_key_path(self) -> Path:
        return Path(self.master_key_file)
