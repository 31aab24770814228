"""From probabilities to a decision: which units are meant, and which dimensions go with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.routing.descriptor import DIMENSIONS, Descriptor

#: What fits, but no unit for sure, is taken for the likeliest if that is as likely as this.
GUESS_THRESHOLD = 0.15


def choose_units(
    probabilities: Mapping[str, float], fit: float, *, fit_threshold: float, unit_threshold: float
) -> tuple[str, ...]:
    """The units that are meant, the likeliest first: none below the threshold of fit; the likeliest
    alone where something fits but no unit is likely."""
    if fit < fit_threshold:
        return ()
    ranked = sorted(probabilities, key=lambda name: -probabilities[name])
    likely = tuple(name for name in ranked if probabilities[name] >= unit_threshold)
    return likely or tuple(name for name in ranked[:1] if probabilities[name] >= GUESS_THRESHOLD)


def settle_descriptor(
    descriptor: Descriptor, units: Iterable[str], dimensions: Mapping[str, Iterable[str]]
) -> Descriptor:
    """The descriptor of a request for these units: half of each dimension is what was read of the
    words alone, half whether a unit that is meant has it (`dimensions`, by unit)."""
    chosen = [name for name in units if name in dimensions]
    if not chosen:
        return descriptor
    theirs = {dimension for name in chosen for dimension in dimensions[name]}
    read = descriptor.as_json()
    return Descriptor.of({name: (read[name] + (name in theirs)) / 2 for name in DIMENSIONS})
