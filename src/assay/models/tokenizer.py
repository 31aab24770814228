"""Text to tokens and back.

Text is never trusted: a control token spelled out in it is encoded as the letters it is made of.
Control tokens come from the chat template alone (`encode_chat`) or are added by the model's own
rule (`add_special`). An instance may be used from several threads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import tokenizers

from assay.errors import CorruptModelError, UnsupportedModelError
from assay.models.chat_template import ChatTemplate
from assay.types import SEGMENT_SEPARATOR, Message, PromptDocument

_SPACE = r"\s*"
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The tokens of a conversation, and where in them the messages' segments stand."""

    token_ids: list[int]
    segments: tuple[range, ...]


class Tokenizer:
    """A tokenizer of the `tokenizers` library, with the model's chat template.

    `eos_token_ids` are the tokens that end an answer, the tokenizer's own end of sequence first.
    """

    def __init__(
        self,
        tokenizer_json: str,
        *,
        chat_template: str | None = None,
        eos_token_ids: Sequence[int] = (),
        bos_token_id: int | None = None,
    ) -> None:
        """Raises `CorruptModelError` if `tokenizer_json` cannot be read."""
        self._json = tokenizer_json
        self._tokenizer = _build(tokenizer_json)
        self.eos_token_ids = tuple(eos_token_ids)
        self.bos_token_id = bos_token_id
        added = self._tokenizer.get_added_tokens_decoder()
        self._control = {token_id: token for token_id, token in added.items() if token.special}
        self._plain_added = {i: token.content for i, token in added.items() if not token.special}
        self._chat_template = chat_template

    @property
    def vocab_size(self) -> int:
        """One more than the greatest token id. The model's own may be greater, from padding."""
        return int(self._tokenizer.get_vocab_size(with_added_tokens=True))

    def encode(self, text: str, *, add_special: bool = False) -> list[int]:
        """The tokens of `text`, all of it taken as text. `add_special` adds what the model expects
        around a sequence, such as a begin-of-sequence token."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=add_special).ids
        return ids

    def count(self, text: str) -> int:
        """How many tokens `text` takes, without special ones."""
        return len(self.encode(text))

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`, without control tokens. Bytes that are not UTF-8 become U+FFFD."""
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=True)
        return text

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes that a token adds to the text; none for a control token or an unknown id.

        Concatenated they are the UTF-8 text, except that SentencePiece tokenizers drop the very
        first space of a sequence in `decode`.
        """
        if token_id in self._control:
            return b""
        if (content := self._plain_added.get(token_id)) is not None:
            return content.encode()
        token = self._tokenizer.id_to_token(token_id)
        if token is None:
            return b""
        if self._is_byte_level:
            try:
                return bytes(_BYTE_OF_CHARACTER[character] for character in token)
            except KeyError:
                return token.encode()
        if match := _BYTE_TOKEN.fullmatch(token):
            return bytes([int(match[1], 16)])
        return token.replace("▁", " ").encode()

    def token_text(self, token_id: int) -> str:
        """How the vocabulary spells a token, control tokens included; "" for an unknown id."""
        return self._tokenizer.id_to_token(token_id) or ""

    def to_json(self) -> str:
        """The `tokenizer.json` this was made from."""
        return self._json

    @cached_property
    def chat_template(self) -> ChatTemplate:
        """Raises `UnsupportedModelError` if the model has none."""
        if self._chat_template is None:
            raise UnsupportedModelError(
                "the model has no chat template", remedy="use an instruction-tuned model"
            )
        return ChatTemplate(
            self._chat_template,
            bos_token="" if self.bos_token_id is None else self.token_text(self.bos_token_id),
            eos_token=self.token_text(self.eos_token_ids[0]) if self.eos_token_ids else "",
            control_tokens=[token.content for token in self._control.values()],
        )

    def render_chat(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> str:
        """The conversation as text. For people: use `encode_chat` for a model, since the text no
        longer tells control tokens from their lookalikes."""
        return self.chat_template.render(messages, add_generation_prompt=add_generation_prompt)

    def encode_chat(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> list[int]:
        """The tokens of a conversation. A last message of the assistant is left open, to continue.

        Equal to encoding the rendered text with control tokens parsed, as transformers does,
        except that control tokens quoted in messages stay text.

        Raises:
            InputError: the template refuses the messages.
            UnsupportedModelError: there is no template, or it does not run.
        """
        return self.encode_prompt(messages, add_generation_prompt=add_generation_prompt).token_ids

    def encode_prompt(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> Prompt:
        """As `encode_chat`, with where the messages' segments stand. Their ends are ends of tokens,
        so that a segment has the same tokens in every prompt."""
        text, guard, edge = self.chat_template.render_guarded(
            messages, add_generation_prompt=add_generation_prompt
        )
        ids: list[int] = []
        edges: list[int] = []
        position = 0

        def take(piece: str) -> None:
            nonlocal position
            for number, part in enumerate(piece.split(edge)):
                if number:
                    edges.append(len(ids))
                ids.extend(self._encode_piece(part.replace(guard, ""), position))
                position += len(part)

        end = 0
        for match in self._control_pattern(guard).finditer(text):
            take(text[end : match.start()])
            ids.append(self._id_of_control[match[match.lastindex or 0]])
            position = end = match.end()
        take(text[end:])
        segments = map(range, edges[::2], edges[1::2])
        return Prompt(ids, tuple(segment for segment in segments if segment))

    def encode_document(self, document: PromptDocument) -> list[list[int]]:
        """The tokens of each segment as they stand in prompts, each but the last with the separator
        after it."""
        pieces = [[*self._encode_piece(text, 1)] for text in document.segments]
        separator = self._encode_piece(SEGMENT_SEPARATOR, 1)
        for piece in pieces[:-1]:
            piece += separator
        return pieces

    def encode_spans(
        self, text: str, spans: Sequence[tuple[int, int]]
    ) -> tuple[list[int], list[range]]:
        """The tokens of a segment as they stand in prompts, and where in them those of `spans` do
        (code points, end exclusive; ascending). A span that does not begin and end with tokens is
        left out; a space before it may be part of its first token."""
        encoded = self._continuation.encode(text, add_special_tokens=False)
        firsts: dict[int, int] = {}
        lasts: dict[int, int] = {}
        for place, (start, end) in enumerate(encoded.offsets):
            firsts.setdefault(start + (text[start:end][:1] == " "), place)
            lasts[end] = place
        runs = [
            range(firsts[start], lasts[end] + 1)
            for start, end in spans
            if start in firsts and end in lasts
        ]
        return encoded.ids, runs

    def _encode_piece(self, text: str, position: int) -> list[int]:
        if not text:
            return []
        inner = self._continuation if position else self._tokenizer
        ids: list[int] = inner.encode(text, add_special_tokens=False).ids
        return ids

    @cached_property
    def _id_of_control(self) -> dict[str, int]:
        return {token.content: token_id for token_id, token in self._control.items()}

    def _control_pattern(self, guard: str) -> re.Pattern[str]:
        """Matches an unguarded control token, as its only group, with the white space around it
        that the token swallows."""
        kinds: dict[tuple[bool, bool], list[str]] = {}
        for token in sorted(self._control.values(), key=lambda token: -len(token.content)):
            kinds.setdefault((token.lstrip, token.rstrip), []).append(re.escape(token.content))
        alternatives = [
            rf"{before * _SPACE}(?<!{guard})({'|'.join(names)}){after * _SPACE}"
            for (before, after), names in kinds.items()
        ]
        return re.compile("|".join(alternatives) or "(?!)")

    @cached_property
    def _is_byte_level(self) -> bool:
        return "ByteLevel" in _types_in(json.loads(self._tokenizer.decoder.__getstate__()))

    @cached_property
    def _continuation(self) -> tokenizers.Tokenizer:
        """The tokenizer for text that does not open the sequence: SentencePiece tokenizers may put
        a space before the first word only."""
        step = self._tokenizer.pre_tokenizer
        if (
            not isinstance(step, tokenizers.pre_tokenizers.Metaspace)
            or step.prepend_scheme != "first"
        ):
            return self._tokenizer
        inner = _build(self._json)
        inner.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(
            replacement=step.replacement, prepend_scheme="never", split=step.split
        )
        return inner


def _build(tokenizer_json: str) -> tokenizers.Tokenizer:
    try:
        built = tokenizers.Tokenizer.from_str(tokenizer_json)
    except Exception as error:  # the library raises no narrower type
        raise CorruptModelError(f"the tokenizer cannot be read: {error}") from error
    built.encode_special_tokens = True
    built.no_truncation()
    built.no_padding()
    return built


def _types_in(component: object) -> set[str]:
    """The `type` of a tokenizer component and of those in it."""
    if isinstance(component, list):
        return set().union(*map(_types_in, component))
    if not isinstance(component, dict):
        return set()
    found = {component["type"]} if isinstance(component.get("type"), str) else set()
    return found.union(*map(_types_in, component.values()))


def _bytes_to_characters() -> dict[str, int]:
    """GPT-2's alphabet: a printable character for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    alphabet = {chr(byte): byte for byte in printable}
    alphabet.update({chr(0x100 + i): byte for i, byte in enumerate(others)})
    return alphabet


_BYTE_OF_CHARACTER = _bytes_to_characters()
