"""Objects some of whose leaves are computed from the others: a total from its parts.

The model and the fallbacks say which parts; the leaves marked `DerivedLeaf` are worked out with
Decimal when the answer is lifted, the same way whoever answered. Such a leaf has no evidence of its
own: that of the parts is its evidence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class DerivedLeaf:
    """Marks a leaf that nobody writes."""


class Derived(BaseModel, ABC):
    """A model with `DerivedLeaf` leaves."""

    @classmethod
    @abstractmethod
    def derive(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """The computed leaves, by name, of an object whose other leaves have been lifted. A leaf
        that cannot be computed is None."""
