"""What of a document a model gets to see, and the way back from it to exact offsets.

Runs of white space are shown as one space: a line break in the middle of a name would otherwise
have to be copied too. Each character of the excerpt knows where it stands in the document.
"""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import SEGMENT_SEPARATOR, PromptDocument, Source

_RUN = lazy_pattern(r"\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the document as a model sees it.

    `origins[i]` is where `text[i]` stands in the document; `boundaries` are offsets into `text`
    at which a sentence may start or end.
    """

    text: str
    origins: Sequence[int]
    boundaries: tuple[int, ...] = ()

    def span_in_document(self, start: int, end: int) -> tuple[int, int]:
        """Document offsets of `text[start:end]`, end exclusive; the span must not be empty."""
        return self.origins[start], self.origins[end - 1] + 1

    def as_source(self) -> Source:
        return Source(self.text, self.boundaries)

    def cut(self, start: int, end: int, boundaries: Iterable[int] = ()) -> Passage:
        """`text[start:end]` as a passage of its own, with those `boundaries` inside it."""
        return Passage(
            self.text[start:end],
            self.origins[start:end],
            tuple(boundary - start for boundary in boundaries),
        )


def make_passage(
    document_text: str, start: int, end: int, boundaries: Iterable[int] = ()
) -> Passage:
    """The passage `document_text[start:end]`, white space folded and trimmed at both ends.

    `boundaries` are document offsets; each becomes the offset of the first character shown at or
    after it.
    """
    pieces: list[str] = []
    origins = array("q")
    position = start
    for run in _RUN.finditer(document_text, start, end):
        pieces.append(document_text[position : run.start()])
        origins.extend(range(position, run.start()))
        if pieces != [""] and run.end() < end:
            pieces.append(" ")
            origins.append(run.start())
        position = run.end()
    pieces.append(document_text[position:end])
    origins.extend(range(position, end))
    places = {bisect_left(origins, boundary) for boundary in boundaries}
    inner = tuple(sorted(place for place in places if 0 < place < len(origins)))
    return Passage("".join(pieces), origins, inner)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Passages in document order. `gaps[i]` says that text was left out before passage `i`.

    Where it is known, passage `i` is segment `numbers[i]` of `document`.
    """

    passages: tuple[Passage, ...]
    gaps: tuple[bool, ...]
    document: PromptDocument | None = None
    numbers: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The passages as one text: a blank line where they adjoin, an ellipsis at a gap."""
        return self._laid_out[0]

    @property
    def segments(self) -> tuple[tuple[int, int], ...]:
        """Where in `text` the passages stand."""
        return self._laid_out[1]

    @property
    def _laid_out(self) -> tuple[str, tuple[tuple[int, int], ...]]:
        text = ""
        segments = []
        for passage, gap in zip(self.passages, self.gaps, strict=True):
            if text:
                text += f"\n[…]{SEGMENT_SEPARATOR}" if gap else SEGMENT_SEPARATOR
            segments.append((len(text), len(text) + len(passage.text)))
            text += passage.text
        return text, tuple(segments)

    def only(self, kept: Sequence[bool]) -> Excerpt:
        """The passages marked in `kept`; where others stood between two of them there is a gap."""
        passages: list[Passage] = []
        gaps: list[bool] = []
        left_out = False
        for passage, gap, keep in zip(self.passages, self.gaps, kept, strict=True):
            left_out = left_out or gap
            if keep:
                passages.append(passage)
                gaps.append(left_out)
            left_out = not keep
        numbers = tuple(itertools.compress(self.numbers, kept))
        return Excerpt(tuple(passages), tuple(gaps), self.document, numbers)


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole document as passages, one a segment, none of them empty."""

    passages: tuple[Passage, ...]
    document: PromptDocument

    def excerpt(self, numbers: Iterable[int]) -> Excerpt:
        """The passages of these numbers."""
        ordered = tuple(sorted(numbers))
        gaps = tuple(
            number != previous + 1 for previous, number in itertools.pairwise((-1, *ordered))
        )
        passages = tuple(self.passages[number] for number in ordered)
        return Excerpt(passages, gaps, self.document, ordered)


def read_passages(
    document_text: str,
    regions: Iterable[tuple[int, int, Sequence[int]]],
    find_terms: Callable[[str], Iterable[tuple[int, int]]] | None = None,
) -> Reading:
    """The document cut into `regions` (start, end, boundaries); those of white space alone are left
    out. `find_terms` says what of a passage's text a model may read as one token each."""
    made = (make_passage(document_text, *region) for region in regions)
    passages = tuple(passage for passage in made if passage.text)
    texts = tuple(passage.text for passage in passages)
    terms: tuple[tuple[tuple[int, int], ...], ...] = ()
    if find_terms is not None:
        terms = tuple(tuple(find_terms(text)) for text in texts)
    return Reading(passages, PromptDocument(texts, terms))
