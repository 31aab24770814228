"""An operator's own rules for requests: words that mean units, or that are refused.

::

    rules:
      - name: premium
        words: [premium, 保费]
        units: [extract_currency]
        descriptor: [numeric]
      - name: no-advice
        words: [should we sign]
        tenants: [acme]
        refuse: legal advice is not given

A rule speaks where one of its words or phrases stands in the request, whole and spelled so (case
and plural are ignored); the first that does decides. Its units take the place of what the router
would say, or come on top of it with `adds: true`. Words only: a file from elsewhere cannot bring a
pattern that never ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from assay.errors import ConfigError
from assay.routing.descriptor import DIMENSIONS
from assay.routing.matcher import stands_in
from assay.routing.route import FiredRule

_KEYS = frozenset({"name", "words", "tenants", "units", "descriptor", "adds", "refuse"})


@dataclass(frozen=True, slots=True)
class RouteRule:
    """One rule: units, or the reason why such a request is refused. Without `tenants` it is for
    all, without a `descriptor` the router's stands."""

    name: str
    words: tuple[str, ...]
    units: tuple[str, ...] = ()
    descriptor: tuple[str, ...] | None = None
    tenants: tuple[str, ...] = ()
    adds: bool = False
    refuse: str = ""


@dataclass(frozen=True, slots=True)
class RouteRules:
    """Rules in the order in which they are tried."""

    rules: tuple[RouteRule, ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a YAML file.

        Raises:
            ConfigError: it cannot be read, or says what no rules can say.
        """
        try:
            content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            first = str(error).splitlines()[0]
            raise ConfigError(f"the rules in {path} cannot be read: {first}") from None
        return cls.from_mapping(content)

    @classmethod
    def from_mapping(cls, content: Any) -> Self:
        """Raises `ConfigError` if it says what no rules can say."""
        if not isinstance(content, Mapping) or not isinstance(content.get("rules"), list):
            raise ConfigError("routing rules are no list", remedy="write `rules:` and a list")
        if unknown := sorted(map(str, set(content) - {"rules"})):
            raise ConfigError(f"unknown key {unknown[0]!r}", remedy="known: rules")
        rules = tuple(_rule(item, number) for number, item in enumerate(content["rules"], 1))
        names = [rule.name for rule in rules]
        if doubled := next((name for name in names if names.count(name) > 1), None):
            raise ConfigError(f"two routing rules are named {doubled!r}")
        return cls(rules)

    def check(self, known: Iterable[str]) -> None:
        """Raises `ConfigError` if a rule names a unit that there is not."""
        names = set(known)
        for rule in self.rules:
            if missing := [name for name in rule.units if name not in names]:
                raise ConfigError(
                    f"routing rule {rule.name!r} names the unit {missing[0]!r}, which there is not",
                    remedy="`assay units` lists them",
                )

    def fired(self, text: str, tenant: str) -> tuple[RouteRule, FiredRule] | None:
        """The first rule for the tenant that speaks, and what it spoke at."""
        for rule in self.rules:
            if rule.tenants and tenant not in rule.tenants:
                continue
            for words in rule.words:
                if stands_in(words, text):
                    return rule, FiredRule(rule.name, words, rule.refuse)
        return None


def _rule(item: Any, number: int) -> RouteRule:
    place = f"routing rule {number}"
    if not isinstance(item, Mapping):
        raise ConfigError(f"{place} is no mapping")
    if unknown := sorted(map(str, set(item) - _KEYS)):
        remedy = f"known: {', '.join(sorted(_KEYS))}"
        raise ConfigError(f"{place}: unknown key {unknown[0]!r}", remedy=remedy)
    rule = RouteRule(
        name=_text(item.get("name"), f"{place}: name"),
        words=_texts(item.get("words"), f"{place}: words"),
        units=_texts(item["units"], f"{place}: units") if "units" in item else (),
        descriptor=_dimensions(item["descriptor"], place) if "descriptor" in item else None,
        tenants=_texts(item["tenants"], f"{place}: tenants") if "tenants" in item else (),
        adds=item.get("adds", False),
        refuse=_text(item["refuse"], f"{place}: refuse") if "refuse" in item else "",
    )
    if not isinstance(rule.adds, bool):
        raise ConfigError(f"{place}: adds is neither true nor false")
    if bool(rule.units) == bool(rule.refuse):
        raise ConfigError(f"{place} must have either units or refuse")
    if rule.refuse and (rule.adds or rule.descriptor is not None):
        raise ConfigError(f"{place} refuses: it can neither add nor describe")
    return rule


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{place} is no text")
    return value.strip()


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ConfigError(f"{place} is no list of texts")
    return tuple(_text(item, place) for item in value)


def _dimensions(value: Any, place: str) -> tuple[str, ...]:
    names = _texts(value, f"{place}: descriptor") if value else ()
    if unknown := sorted(set(names) - set(DIMENSIONS)):
        remedy = f"known: {', '.join(DIMENSIONS)}"
        raise ConfigError(f"{place}: there is no dimension {unknown[0]!r}", remedy=remedy)
    return names
