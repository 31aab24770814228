"""Automatic numbers of Word paragraphs: "7.2", "(a)", "第三条" (ECMA-376 part 1, 17.9).

A paragraph names a numbering instance and a level, itself or through its style. The instance names
an abstract numbering, whose levels say how to count and how to print. Counters belong to the
abstract numbering; a paragraph on one level restarts the deeper ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from assay.documents.numerals import chinese, letters, roman
from assay.documents.ooxml import attribute, child, child_value, children
from assay.patterns import lazy_pattern

_NUM_LEVELS = 9
_PLACE = lazy_pattern(r"%([1-9])")
_MAX_STYLE_DEPTH = 32


@dataclass(slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    text: str = ""
    suffix: str = "tab"
    legal: bool = False
    restarts: bool = True
    style: str | None = None


@dataclass(slots=True)
class _Style:
    based_on: str | None
    number: str | None
    level: int | None


class Numbering:
    """The numbers of one document. `label` is asked for each paragraph once, in document order."""

    def __init__(self, numbering: etree._Element | None, styles: etree._Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default_style: str | None = None
        self._abstract: dict[str, list[_Level]] = {}
        self._instances: dict[str, str] = {}
        self._overrides: dict[str, dict[int, int]] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._seen: set[tuple[str, int]] = set()
        if styles is not None:
            self._read_styles(styles)
        if numbering is not None:
            self._read_numbering(numbering)

    def label(self, paragraph: etree._Element) -> str:
        """The number of the next paragraph with what separates it from the text, or ""."""
        number, level_index = self._number_of(paragraph)
        if number is None or number not in self._instances:
            return ""
        abstract = self._instances[number]
        levels = self._abstract[abstract]
        if not 0 <= level_index < len(levels):
            return ""
        counters = self._counters.setdefault(abstract, [None] * _NUM_LEVELS)
        self._count(number, level_index, levels, counters)
        level = levels[level_index]
        if level.format == "bullet":
            return "• "
        if level.format == "none" and not _PLACE.sub("", level.text):
            return ""
        text = _PLACE.sub(
            lambda match: _print(int(match[1]) - 1, level, levels, counters), level.text
        )
        return text + ("" if level.suffix == "nothing" or not text else " ")

    def _count(
        self, number: str, index: int, levels: list[_Level], counters: list[int | None]
    ) -> None:
        override = self._overrides[number].get(index)
        first = override if override is not None else levels[index].start
        current = counters[index]
        if override is not None and (number, index) not in self._seen:
            current = None
        self._seen.add((number, index))
        counters[index] = first if current is None else current + 1
        for deeper in range(index + 1, len(levels)):
            if levels[deeper].restarts:
                counters[deeper] = None

    def _number_of(self, paragraph: etree._Element) -> tuple[str | None, int]:
        """The numbering instance and the level (from 0) of a paragraph."""
        properties = child(paragraph, "pPr")
        style_id = child_value(properties, "pStyle") or self._default_style
        own = child(properties, "numPr") if properties is not None else None
        number = child_value(own, "numId")
        level = _integer(child_value(own, "ilvl"))
        style_id_of_number = style_id
        for _ in range(_MAX_STYLE_DEPTH):
            style = self._styles.get(style_id) if style_id else None
            if style is None or (number is not None and level is not None):
                break
            if number is None and style.number is not None:
                number, style_id_of_number = style.number, style_id
            if level is None:
                level = style.level
            style_id = style.based_on
        if number in (None, "0"):
            return None, 0
        if level is None:
            levels = self._abstract.get(self._instances.get(number or "", ""), [])
            level = next((i for i, it in enumerate(levels) if it.style == style_id_of_number), 0)
        return number, level

    def _read_styles(self, root: etree._Element) -> None:
        for element in children(root, "style"):
            style_id = attribute(element, "styleId")
            if style_id is None:
                continue
            properties = child(element, "pPr")
            numbering = child(properties, "numPr") if properties is not None else None
            self._styles[style_id] = _Style(
                based_on=child_value(element, "basedOn"),
                number=child_value(numbering, "numId"),
                level=_integer(child_value(numbering, "ilvl")),
            )
            if attribute(element, "type") == "paragraph" and attribute(element, "default") == "1":
                self._default_style = style_id

    def _read_numbering(self, root: etree._Element) -> None:
        links: dict[str, str] = {}
        for element in children(root, "abstractNum"):
            abstract = attribute(element, "abstractNumId") or ""
            self._abstract[abstract] = _levels(element)
            link = child_value(element, "numStyleLink")
            if link is not None:
                links[abstract] = link
        for element in children(root, "num"):
            number = attribute(element, "numId") or ""
            abstract = child_value(element, "abstractNumId") or ""
            if abstract not in self._abstract:
                continue
            self._instances[number] = abstract
            overrides = self._overrides.setdefault(number, {})
            for override in children(element, "lvlOverride"):
                start = _integer(child_value(override, "startOverride"))
                if start is not None:
                    overrides[_integer(attribute(override, "ilvl")) or 0] = start
        for number, abstract in list(self._instances.items()):
            style = self._styles.get(links.get(abstract, ""))
            if style is not None and style.number in self._instances:
                self._instances[number] = self._instances[style.number]


def _levels(abstract: etree._Element) -> list[_Level]:
    levels = [_Level() for _ in range(_NUM_LEVELS)]
    for element in children(abstract, "lvl"):
        index = _integer(attribute(element, "ilvl")) or 0
        if not 0 <= index < _NUM_LEVELS:
            continue
        legal = child(element, "isLgl")
        start = _integer(child_value(element, "start"))
        levels[index] = _Level(
            start=0 if start is None else start,
            format=child_value(element, "numFmt") or "decimal",
            text=child_value(element, "lvlText") or "",
            suffix=child_value(element, "suff") or "tab",
            legal=legal is not None and attribute(legal, "val") not in ("0", "false", "off"),
            restarts=child_value(element, "lvlRestart") != "0",
            style=child_value(element, "pStyle"),
        )
    return levels


def _print(index: int, level: _Level, levels: list[_Level], counters: list[int | None]) -> str:
    count = counters[index]
    number = levels[index].start if count is None else count
    kind = "decimal" if level.legal else levels[index].format
    match kind:
        case "lowerLetter":
            return letters(number)
        case "upperLetter":
            return letters(number).upper()
        case "lowerRoman":
            return roman(number).lower()
        case "upperRoman":
            return roman(number)
        case "decimalZero":
            return f"{number:02d}"
        case "none":
            return ""
        case "chineseCounting" | "chineseCountingThousand" | "japaneseCounting":
            return chinese(number)
        case "ordinal":
            ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
            return f"{number}{'th' if number // 10 % 10 == 1 else ending}"
        case _:
            return str(number)


def _integer(value: str | None) -> int | None:
    return int(value) if value is not None and value.lstrip("-").isdigit() else None
