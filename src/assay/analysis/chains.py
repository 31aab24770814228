"""Which chain answers a unit for a tenant: a table of settings.

::

    units:
      "*": cheapest-first
      extract_party: {steps: [specialist, model], enough: 0.9, strict: true}
    tenants:
      acme:
        extract_date: rules-only

A tenant's own setting for a unit wins, then its setting for all units ("*"), then the setting of
the unit, then that of all; without any, the unit's own chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assay.errors import ConfigError
from assay.types import AnswerPath
from assay.units.chain import MODEL_FIRST, NAMED_CHAINS, Chain

EVERY = "*"


class _ChainSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    steps: tuple[AnswerPath, ...] = Field(default=MODEL_FIRST.steps, min_length=1)
    enough: float | None = Field(default=None, ge=0, le=1)
    floor: float | None = Field(default=None, ge=0, le=1)
    strict: bool = False


@dataclass(frozen=True, slots=True)
class ChainTable:
    """`units` are the chains by unit, "*" for all that have none of their own; `tenants` the same
    for each tenant that has settings of its own."""

    units: Mapping[str, Chain] = field(default_factory=dict)
    tenants: Mapping[str, Mapping[str, Chain]] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str) -> Self:
        """One named chain for everybody.

        Raises:
            ConfigError: there is none of that name.
        """
        return cls({EVERY: _named(name)})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a YAML file.

        Raises:
            ConfigError: it cannot be read, or says what no table can say.
        """
        try:
            content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            first = str(error).splitlines()[0]
            raise ConfigError(f"the chains in {path} cannot be read: {first}") from None
        return cls.from_mapping(content)

    @classmethod
    def from_mapping(cls, content: Any) -> Self:
        """Raises `ConfigError` if it says what no table can say."""
        content = _mapping(content or {}, "the table")
        if unknown := sorted(set(content) - {"units", "tenants"}):
            raise ConfigError(f"unknown key {unknown[0]!r}", remedy="known: units, tenants")
        tenants = _mapping(content.get("tenants") or {}, "tenants")
        return cls(
            _chains(content.get("units") or {}, "units"),
            {str(name): _chains(item, f"tenants.{name}") for name, item in tenants.items()},
        )

    def chain_for(self, unit: str, tenant: str = "") -> Chain | None:
        """The chain that answers the unit for the tenant; None leaves it to the unit."""
        own = self.tenants.get(tenant, {})
        for chain in (own.get(unit), own.get(EVERY), self.units.get(unit), self.units.get(EVERY)):
            if chain is not None:
                return chain
        return None


def _chains(content: Any, place: str) -> dict[str, Chain]:
    items = _mapping(content, place).items()
    return {str(unit): _chain(item, f"{place}.{unit}") for unit, item in items}


def _chain(content: Any, place: str) -> Chain:
    if isinstance(content, str):
        return _named(content)
    try:
        settings = _ChainSettings.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join((place, *map(str, first["loc"])))
        raise ConfigError(f"{where}: {first['msg']}", remedy="see `assay analyze --help`") from None
    return Chain(settings.steps, settings.enough, settings.floor, settings.strict)


def _named(name: str) -> Chain:
    if name not in NAMED_CHAINS:
        raise ConfigError(f"there is no chain {name!r}", remedy=f"known: {', '.join(NAMED_CHAINS)}")
    return NAMED_CHAINS[name]


def _mapping(content: Any, place: str) -> Mapping[Any, Any]:
    if not isinstance(content, Mapping):
        raise ConfigError(f"{place} is no mapping of names")
    return content
