"""What a layer and key head may read of a sequence's first tokens: one policy a file.

A policy decides for a whole sequence at once, head by head (`base.Policy`). `make_policy` finds one
by name; "a+b" keeps what both keep. Torch is imported when a policy is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import ConfigError

if TYPE_CHECKING:
    from assay.kv_cache.policies.base import Policy
    from assay.models.config import ModelConfig

POLICIES = ("dense", "descriptor", "local_global", "retention")


def make_policy(
    name: str, model: ModelConfig | None = None, *, retention_share: float = 0.25
) -> Policy:
    """The policy called `name`: one of `POLICIES`, or two joined by "+". With a `model`, it decides
    with what was trained for models of that shape, where there is something.

    Raises:
        ConfigError: there is none of that name.
        CorruptModelError: what was trained cannot be read.
    """
    from assay.kv_cache.policies.compose import Composed

    policies = [_make_one(part, model, retention_share) for part in parse_name(name)]
    policies.sort(key=lambda policy: policy.refreshes)
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


def _make_one(name: str, model: ModelConfig | None, retention_share: float) -> Policy:
    from assay.kv_cache.policies.dense import Dense
    from assay.kv_cache.policies.descriptor import Descriptor
    from assay.kv_cache.policies.local_global import CoverageRouter, LocalGlobal, TrainedRouter
    from assay.kv_cache.policies.retention import Retention
    from assay.kv_cache.policies.router import Router
    from assay.kv_cache.policies.scorer import Scorer
    from assay.kv_cache.policies.sketch import Sketcher

    if name == "retention":
        if model is None:
            return Retention(retention_share)
        scorer, sketcher = Scorer.load(model), Sketcher.load(model)
        return Retention(retention_share, scorer=scorer, sketcher=sketcher)
    if name == "local_global":
        router = None if model is None else Router.load(model)
        return LocalGlobal(CoverageRouter() if router is None else TrainedRouter(router))
    return Descriptor() if name == "descriptor" else Dense()
