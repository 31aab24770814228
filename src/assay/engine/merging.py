"""Prompts with one token in place of each term that a row was fitted for.

Only the prompt's segments are merged, and only where a term begins and ends with tokens. What is
copied into an answer is the text, as ever: a grammar knows characters, not the prompt's tokens.
Torch-free, but for what the fitter does on its own thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from assay.models.tokenizer import Prompt, Tokenizer
from assay.types import Message, PromptDocument

Tokens = tuple[int, ...]


class Fitter(Protocol):
    """What fits rows to terms (`engine.term_fitting.RowFitter` is one)."""

    @property
    def ready(self) -> Mapping[Tokens, int]:
        """The token id for each term, by its tokens, that has a row."""
        ...

    def want(self, terms: Sequence[Tokens]) -> None:
        """Says that rows for these terms are wanted; known ones are passed over."""
        ...

    def close(self) -> None: ...


class TermMerger:
    """Puts tokens of terms into prompts; has rows fitted for terms that have none yet, for prompts
    to come. May be used from any thread."""

    def __init__(self, tokenizer: Tokenizer, fitter: Fitter) -> None:
        self._tokenizer = tokenizer
        self._fitter = fitter

    @property
    def num_merged_terms(self) -> int:
        """How many terms have a row; it grows only."""
        return len(self._fitter.ready)

    def merge(self, prompt: Prompt, messages: Sequence[Message]) -> Prompt:
        """`prompt`, the tokens of `messages`, with the terms in their documents merged."""
        texts: list[tuple[str, Sequence[tuple[int, int]]]] = []
        for message in messages:
            document = message.document
            for index, (start, end) in enumerate(message.segments):
                spans: Sequence[tuple[int, int]] = ()
                if document is not None and document.terms:
                    spans = document.terms[message.chosen[index]]
                texts.append((message.content[start:end], spans))
        if len(texts) != len(prompt.segments) or not any(spans for _, spans in texts):
            return prompt
        ids: list[int] = []
        segments = []
        end = 0
        for place, (text, spans) in zip(prompt.segments, texts, strict=True):
            ids += prompt.token_ids[end : place.start]
            start = len(ids)
            ids += self._merged(prompt.token_ids[place.start : place.stop], text, spans)
            segments.append(range(start, len(ids)))
            end = place.stop
        ids += prompt.token_ids[end:]
        return Prompt(ids, tuple(segments))

    def encode_document(self, document: PromptDocument) -> list[list[int]]:
        """As `Tokenizer.encode_document`, with the document's terms merged."""
        pieces = []
        for piece, text, spans in zip(
            self._tokenizer.encode_document(document),
            document.segments,
            document.terms,
            strict=True,
        ):
            pieces.append(self._merged(piece, text, spans))
        return pieces

    def close(self) -> None:
        """Ends the fitting of rows."""
        self._fitter.close()

    def _merged(
        self, token_ids: Sequence[int], text: str, spans: Sequence[tuple[int, int]]
    ) -> list[int]:
        """The tokens of a segment, which may go on behind its text."""
        own, runs = self._tokenizer.encode_spans(text, spans)
        if list(token_ids[: len(own)]) != own:
            return list(token_ids)
        ready = self._fitter.ready
        merged: list[int] = []
        wanted: list[Tokens] = []
        end = 0
        for run in runs:
            term = tuple(own[run.start : run.stop])
            if len(term) < 2 or run.start < end:
                continue
            token_id = ready.get(term)
            if token_id is None:
                wanted.append(term)
                continue
            merged += own[end : run.start]
            merged.append(token_id)
            end = run.stop
        if wanted:
            self._fitter.want(wanted)
        return [*merged, *token_ids[end:]]
