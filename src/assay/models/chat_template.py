"""Chat templates: messages into the text a model was trained on, safe against injection.

A message may quote a control token (`<|im_end|>` in a contract is text, not the end of a turn). Its
occurrences in contents are marked with a guard character, the template is rendered, and only
unguarded occurrences, which the template itself wrote, become control tokens. Nothing else of the
rendered text differs from plain rendering, so filters such as `trim` and tests on the content
behave as they would.

Templates come with models from elsewhere: they run in Jinja's immutable sandbox, as in
transformers, with the same settings and helpers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from assay.errors import InputError, UnsupportedModelError
from assay.types import Message

if TYPE_CHECKING:
    import jinja2

_PRIVATE_USE = range(0xE000, 0xF900)


class ChatTemplate:
    """A model's chat template. Compiled at first use; rendering is thread-safe.

    `control_tokens` are the strings that the tokenizer turns into control tokens. Lookalikes in
    messages stay text.
    """

    def __init__(
        self,
        source: str,
        *,
        bos_token: str = "",
        eos_token: str = "",
        control_tokens: Sequence[str] = (),
    ) -> None:
        self.source = source
        self._special = {"bos_token": bos_token, "eos_token": eos_token}
        tokens = sorted(control_tokens, key=len, reverse=True)
        # A pattern that never matches where there are no control tokens.
        self._control = "|".join(re.escape(token) for token in tokens) or r"(?!)"

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool = True) -> str:
        """The text of a conversation. A last message of the assistant is left open, to continue.

        Raises:
            InputError: there are no messages, or the template refuses them.
            UnsupportedModelError: the template cannot be compiled or run.
        """
        text, guard, edge = self.render_guarded(
            messages, add_generation_prompt=add_generation_prompt
        )
        return text.replace(guard, "").replace(edge, "")

    def render_guarded(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> tuple[str, str, str]:
        """The text, with a guard character before each control token that a message quotes and an
        edge character at both ends of each of a message's segments; and the guard and the edge,
        characters that stand in no message."""
        if not messages:
            raise InputError("a conversation needs at least one message")
        guard, end, edge = self._unused_characters(messages)
        quoted = re.compile(f"(?<!{guard})(?={self._control})")
        turns = [
            {"role": message.role, "content": quoted.sub(guard, _with_edges(message, edge))}
            for message in messages
        ]
        continued = messages[-1].role == "assistant"
        if continued:
            turns[-1]["content"] += end
        text = self._run(turns, add_generation_prompt=add_generation_prompt and not continued)
        if continued:
            text, found, _ = text.rpartition(end)
            if not found:
                raise UnsupportedModelError("the chat template drops the assistant's last message")
        return text, guard, edge

    @cached_property
    def _compiled(self) -> jinja2.Template:
        from jinja2 import TemplateError, nodes
        from jinja2.ext import Extension, loopcontrols
        from jinja2.parser import Parser
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        class Generation(Extension):
            """`{% generation %}` marks what to train on; when rendering it is transparent."""

            tags = {"generation"}  # noqa: RUF012 - as the base class declares it

            def parse(self, parser: Parser) -> nodes.Node:
                line = next(parser.stream).lineno
                body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
                return nodes.Scope(body, lineno=line)

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _raise_exception
        environment.globals["strftime_now"] = _strftime_now
        try:
            return environment.from_string(self.source)
        except TemplateError as error:
            raise UnsupportedModelError(f"the chat template does not compile: {error}") from error

    def _run(self, turns: list[dict[str, str]], *, add_generation_prompt: bool) -> str:
        from jinja2 import TemplateError

        try:
            return self._compiled.render(
                messages=turns,
                add_generation_prompt=add_generation_prompt,
                tools=None,
                documents=None,
                **self._special,
            )
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise UnsupportedModelError(f"the chat template fails: {error}") from error

    def _unused_characters(self, messages: Sequence[Message]) -> tuple[str, str, str]:
        used = set(self.source).union(*(message.content for message in messages))
        free = (chr(code) for code in _PRIVATE_USE if chr(code) not in used)
        try:
            return next(free), next(free), next(free)
        except StopIteration:
            raise InputError("the messages use up all of Unicode's private characters") from None


def _with_edges(message: Message, edge: str) -> str:
    """Raises `InputError` if the segments do not ascend within the content."""
    pieces, position = [], 0
    for start, end in message.segments:
        if not position <= start < end <= len(message.content):
            raise InputError(f"segment {start}-{end} overlaps another or leaves the message")
        pieces += [message.content[position:start], edge, message.content[start:end], edge]
        position = end
    return "".join([*pieces, message.content[position:]])


def _to_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise_exception(message: str) -> NoReturn:
    raise InputError(f"the model's chat template refuses the conversation: {message}")


def _strftime_now(pattern: str) -> str:
    return datetime.now().strftime(pattern)
