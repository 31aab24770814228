"""An explanation as tables for a terminal: one a field, and what its prompt cost below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.analysis.explain import (
    IS_READ,
    Explanation,
    FieldExplanation,
    Reason,
    SegmentPlace,
    SegmentUse,
)
from assay.cli.messages import one_line
from assay.cli.render import STYLES, stdout_console, without_padding
from assay.cli.values import format_value, shorten_middle
from assay.reports import CacheReport, TokenSources

_REASON_STYLES = {
    Reason.CHOSEN: "green",
    Reason.NEIGHBOUR: "cyan",
    Reason.UNCHOSEN: "dim",
    Reason.NOTHING_TO_COPY: "yellow",
    Reason.OUTRANKED: "dim",
    Reason.IRRELEVANT: "dim",
}
_BARS = "▁▂▃▄▅▆▇█"
# Segments shown that are not read, the most relevant; and words shown of a score.
_NUM_UNREAD = 3
_NUM_WORDS = 4


def render_explanation(explanation: Explanation, *, console: Console | None = None) -> str:
    """All fields in order, styled for `console`, by default standard output."""
    console = console or stdout_console()
    with console.capture() as capture:
        console.print(_header(explanation))
        for name in explanation.rounds[0]:
            rounds = [asked[name] for asked in explanation.rounds]
            console.print()
            console.print(_title(rounds[-1]))
            console.print(_segments(explanation, rounds))
            for line in _lines(rounds):
                console.print(Text(line))
        console.print()
    return without_padding(capture.get(), console)


def _header(explanation: Explanation) -> Text:
    document = explanation.document
    parts = [
        f"{len(explanation.segments)} segments",
        f"{explanation.num_document_tokens:,} tokens",
    ]
    if document.num_pages:
        parts.insert(0, f"{document.num_pages} page{'' if document.num_pages == 1 else 's'}")
    name = f"{one_line(document.name)} · {explanation.unit}"
    return Text.assemble((name, "bold"), (f"  {', '.join(parts)}", "dim"))


def _title(item: FieldExplanation) -> Text:
    result = item.result
    answer = result.status.value
    if result.error is not None:
        answer = f"error: {one_line(result.error.message)}"
    elif result.value is not None:
        answer = f"{shorten_middle(one_line(format_value(result.value)), 60)}"
    return Text.assemble(
        (item.name, "bold"),
        (f"  {item.question}", "dim"),
        " → ",
        (answer, STYLES[result.status]),
        (f" {result.confidence:.2f}", "dim"),
    )


def _segments(explanation: Explanation, rounds: Sequence[FieldExplanation]) -> Table:
    """What is read, in document order, and the most relevant of the rest."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    for title in ("Segment", "Page", "Tokens", "Score"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("About", no_wrap=True)
    table.add_column("Read", no_wrap=True)
    for title in ("Keys and values", "and again")[: len(rounds)]:
        table.add_column(title)
    table.add_column("Because", ratio=1)
    for uses in _shown(rounds):
        use = uses[-1]
        place = explanation.segments[use.number]
        table.add_row(
            str(use.number + 1),
            "" if place.page is None else str(place.page),
            str(place.num_tokens),
            f"{use.score:.1f}",
            Text(_about(place), "dim"),
            Text(use.reason.value, _REASON_STYLES[use.reason]),
            *("" if each.sources is None else format_sources(each.sources) for each in uses),
            Text(_because(use), "dim"),
        )
    return table


def _shown(rounds: Sequence[FieldExplanation]) -> list[list[SegmentUse]]:
    uses = [list(each) for each in zip(*(item.segments for item in rounds), strict=True)]
    wanted = {Reason.NOTHING_TO_COPY, Reason.CHOSEN, Reason.NEIGHBOUR}
    shown = [each for each in uses if any(use.reason in wanted for use in each)]
    others = [each for each in uses if each[-1].reason in (Reason.OUTRANKED, Reason.UNCHOSEN)]
    others.sort(key=lambda each: -each[-1].score)
    return sorted(shown + others[:_NUM_UNREAD], key=lambda each: each[-1].number)


def _about(place: SegmentPlace) -> str:
    return ", ".join(place.descriptor.active) or "-"


def _because(use: SegmentUse) -> str:
    words = [f"{word} {amount:.1f}" for word, amount in use.words[:_NUM_WORDS]]
    return ", ".join(words) + (", …" if len(use.words) > _NUM_WORDS else "")


def _lines(rounds: Sequence[FieldExplanation]) -> Iterator[str]:
    counts = Counter(use.reason for use in rounds[-1].segments)
    for title, is_read in (("read", True), ("not read", False)):
        told = [f"{count} {item}" for item, count in counts.items() if (item in IS_READ) == is_read]
        if told:
            yield f"{title}: {', '.join(told)}"
    for title, item in zip(("asked", "again"), rounds, strict=False):
        cache = item.cache
        if cache is None:
            yield f"{title}: the model read nothing"
            continue
        yield (
            f"{title}: {cache.reading}; prompt of {cache.prompt.num_tokens:,} tokens, "
            f"{format_sources(cache.prompt)}; holds {item.kept_share:.0%} of the "
            f"{item.num_dense_tokens:,} tokens that a dense cache would; "
            f"attends {item.attended_share:.0%} of {item.num_dense_pairs / 1e6:,.1f} million pairs"
        )
    if (cache := rounds[-1].cache) is not None and cache.kept:
        yield describe_kept(cache)


def format_sources(sources: TokenSources) -> str:
    """How many tokens came from where; what is nought is left out."""
    parts = {
        "live": sources.num_live,
        "host": sources.num_host,
        "disk": sources.num_disk,
        "computed": sources.num_computed,
    }
    return ", ".join(f"{count:,} {name}" for name, count in parts.items() if count) or "none"


def describe_kept(cache: CacheReport) -> str:
    """The shares that layers and key heads kept, the extremes and a bar for each layer."""
    heads = {
        (layer, head): count
        for layer, counts in enumerate(cache.kept)
        for head, count in enumerate(counts)
    }
    total = cache.num_windowed_tokens
    least, most = min(heads, key=lambda key: heads[key]), max(heads, key=lambda key: heads[key])
    bars = ""
    for counts in cache.kept:
        share = sum(counts) / len(counts) / total
        bars += _BARS[min(len(_BARS) - 1, int(share * len(_BARS)))]
    ends = " and ".join(
        f"{heads[key] / total:.0%} in layer {key[0] + 1}, head {key[1] + 1}"
        for key in (least, most)
    )
    mean = sum(heads.values()) / len(heads) / total
    return f"kept of the first {total:,} tokens: {mean:.0%}, between {ends}; by layer {bars}"
