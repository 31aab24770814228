"""Figures as a table, and as the object that other programs read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.errors import UnknownUnitError
from assay.evaluation.figures import (
    Figure,
    by_set_and_field,
    group_figures,
    path_figures,
    ratio_to,
)
from assay.evaluation.judgement import Judgement

Fields = Mapping[str, Mapping[str, Figure]]


@dataclass(frozen=True)
class Report:
    """The judgements of the units, and of a baseline on the same cases (may be empty)."""

    judgements: Sequence[Judgement]
    baseline: Sequence[Judgement] = ()

    @cached_property
    def figures(self) -> Fields:
        return by_set_and_field(self.judgements)

    @cached_property
    def baseline_figures(self) -> Fields:
        return by_set_and_field(self.baseline)

    @cached_property
    def errors(self) -> Mapping[str, int]:
        """How many asks failed, by code."""
        return Counter(item.error for item in self.judgements if item.error)

    @property
    def missing_units(self) -> list[str]:
        """The units that sets ask for and that there are not."""
        code = UnknownUnitError.code
        return sorted({item.unit.split(".")[0] for item in self.judgements if item.error == code})

    def as_json(self) -> dict[str, Any]:
        """`{SET: {FIELD: {"f1", "low", "high", "n", …}}, "baseline_ratio", "ungrounded",
        "errors"}`; the ratio is None without a baseline, or where it got nothing right."""
        ratio = ratio_to(self.figures, self.baseline_figures)
        return {
            **{
                name: {field: figure.as_json() for field, figure in fields.items()}
                for name, fields in self.figures.items()
            },
            "baseline_ratio": None if ratio is None else round(ratio, 3),
            "ungrounded": sum(item.num_ungrounded for item in self.judgements),
            "errors": sum(self.errors.values()),
        }

    def lines(self) -> Iterator[str]:
        """The tables, line by line."""
        yield f"{'set.field':38s} {'P':>6s} {'R':>6s} {'F1':>6s}  95% interval  exact/cases" + (
            "  baseline F1" if self.baseline else ""
        )
        for name, fields in self.figures.items():
            for field, figure in fields.items():
                beside = self.baseline_figures.get(name, {}).get(field)
                yield _line(f"{name}.{field}", figure) + (
                    f"  {beside.f1:.2f} ({beside.low:.2f}-{beside.high:.2f})" if beside else ""
                )
        yield from self._groups("by unit", lambda item: item.unit)
        yield from self._groups("by language", lambda item: item.language)
        yield from self._paths()
        yield from self._notes()

    def _groups(self, title: str, key: Any) -> Iterator[str]:
        yield ""
        yield title
        for name, figure in group_figures(self.judgements, key).items():
            yield _line(f"  {name}", figure)

    def _paths(self) -> Iterator[str]:
        yield ""
        yield f"{'by path':38s} {'P':>6s}  95% interval  share of what is right  values"
        for name in self.figures:
            mine = [item for item in self.judgements if item.set_name == name]
            for path, item in path_figures(mine).items():
                yield (
                    f"  {name + '.' + path:36s} {item.precision:6.2f}  "
                    f"{item.low:.2f}-{item.high:.2f}     {item.share:22.2f}  {item.num_answered:6d}"
                )

    def _notes(self) -> Iterator[str]:
        yield ""
        ungrounded = sum(item.num_ungrounded for item in self.judgements)
        yield f"values or quotations that are not in the document: {ungrounded}"
        if self.baseline:
            theirs = sum(item.num_ungrounded for item in self.baseline)
            yield f"the baseline's: {theirs} of {sum(_is_answer(item) for item in self.baseline)}"
            failed = sum(bool(item.error) for item in self.baseline)
            yield f"the baseline's failures: {failed}"
            ratio = ratio_to(self.figures, self.baseline_figures)
            if ratio is not None:
                yield f"mean F1 by the baseline's: {ratio:.2f}"
        for code, number in sorted(self.errors.items()):
            yield f"failed with {code}: {number}"
        if self.missing_units:
            names = ", ".join(self.missing_units)
            yield f"units that there are not (all their fields count 0): {names}"


def _line(name: str, figure: Figure) -> str:
    return (
        f"{name:38s} {_share(figure.precision)} {_share(figure.recall)} {figure.f1:6.2f}"
        f"  {figure.low:.2f}-{figure.high:.2f}     {f'{figure.num_exact}/{figure.n}':>11s}"
    )


def _share(share: float | None) -> str:
    return f"{'-':>6s}" if share is None else f"{share:6.2f}"


def _is_answer(item: Judgement) -> bool:
    return bool(item.counts.num_answered) or bool(item.num_ungrounded)
