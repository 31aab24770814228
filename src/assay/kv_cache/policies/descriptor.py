"""Only what the question needs is attached, and all of that is read.

Which segments those are is decided before prefill, where prompts are put together (`routing`,
`kv_cache/chains.py`): the others never get to the sequence, in no layer and for no head. What is
left for the heads to decide is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.kv_cache.policies.dense import Dense


@dataclass(frozen=True, slots=True)
class Descriptor(Dense):
    """Keeps all pairs of what is attached."""
