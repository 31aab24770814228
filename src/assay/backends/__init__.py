"""Sources of constrained generations: the protocol and what implements it.

`LocalBackend` and `EngineConfig` are imported on first use: they stand on the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.backends.base import Backend, BackendInfo
from assay.backends.scripted import ScriptedBackend

if TYPE_CHECKING:
    from assay.backends.local import LocalBackend
    from assay.engine.config import EngineConfig

__all__ = ["Backend", "BackendInfo", "EngineConfig", "LocalBackend", "ScriptedBackend"]


def __getattr__(name: str) -> Any:
    if name == "LocalBackend":
        from assay.backends.local import LocalBackend

        return LocalBackend
    if name == "EngineConfig":
        from assay.engine.config import EngineConfig

        return EngineConfig
    raise AttributeError(f"module 'assay.backends' has no attribute {name!r}")
