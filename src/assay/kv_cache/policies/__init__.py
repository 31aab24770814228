"""What a layer and key head may read of a sequence's first tokens: one policy a file.

A policy decides for a whole sequence at once, head by head (`base.Policy`). `make_policy` finds one
by name; "a+b" keeps what both keep. Torch is imported when a policy is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.kv_cache.policies.base import Policy

POLICIES = ("dense", "descriptor", "local_global", "retention")


def make_policy(name: str, *, retention_share: float = 0.25) -> Policy:
    """The policy called `name`: one of `POLICIES`, or two joined by "+".

    Raises:
        ConfigError: there is none of that name.
    """
    from assay.kv_cache.policies.compose import Composed

    policies = [_make_one(part, retention_share) for part in parse_name(name)]
    return policies[0] if len(policies) == 1 else Composed(*policies)


def parse_name(name: object) -> list[str]:
    """The one or two policies that a name stands for.

    Raises:
        ConfigError: there is none of that name.
    """
    parts = name.split("+") if isinstance(name, str) else []
    if not 1 <= len(parts) <= 2 or not set(parts) <= set(POLICIES):
        raise ConfigError(
            f"unknown policy {name!r}", remedy=f"known: {', '.join(POLICIES)}, or two with a +"
        )
    return parts


def _make_one(name: str, retention_share: float) -> Policy:
    from assay.kv_cache.policies.dense import Dense
    from assay.kv_cache.policies.descriptor import Descriptor
    from assay.kv_cache.policies.local_global import CoverageRouter, LocalGlobal
    from assay.kv_cache.policies.retention import Retention

    if name == "retention":
        return Retention(retention_share)
    if name == "local_global":
        return LocalGlobal(CoverageRouter())
    return Descriptor() if name == "descriptor" else Dense()
