"""Bytes of tokens into text as they come: a character may be spread over several tokens."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence


class IncrementalDecoder:
    """UTF-8 into text, token by token. Bytes that spell no character become U+FFFD."""

    def __init__(self, token_bytes: Callable[[int], bytes]) -> None:
        self._token_bytes = token_bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.text = ""

    def feed(self, token_id: int) -> str:
        """The text that is certain with this token; the empty string within a character."""
        piece = self._decoder.decode(self._token_bytes(token_id))
        self.text += piece
        return piece

    def feed_all(self, token_ids: Sequence[int]) -> list[str]:
        """As `feed` of each in turn."""
        decode, token_bytes = self._decoder.decode, self._token_bytes
        pieces = [decode(token_bytes(token_id)) for token_id in token_ids]
        self.text += "".join(pieces)
        return pieces

    def flush(self) -> str:
        """The replacement for a character that was never finished, if any."""
        piece = self._decoder.decode(b"", final=True)
        self.text += piece
        return piece


def find_stop(text: str, num_new: int, stops: Sequence[str]) -> int | None:
    """Where the first of `stops` begins that ends within the last `num_new` characters."""
    places = []
    for stop in stops:
        place = text.find(stop, max(0, len(text) - num_new - len(stop) + 1))
        if place >= 0:
            places.append(place)
    return min(places, default=None)
