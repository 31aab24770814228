"""What later tokens really attend to: the targets, and what a scorer may know of a pair.

After KVzip (https://arxiv.org/abs/2505.23416): a pair of the context matters as much as the
greatest attention probability that any later token gives it, over the query heads that share it.
Later tokens are the text itself, repeated, and each question's answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from assay.models.llama import LlamaModel
from assay.models.tokenizer import Tokenizer
from assay.training.corpus import Example, Question
from assay.training.reading import Reading
from assay.types import Message

SYSTEM = "You read documents and answer with words copied from them."
#: How many of the prompt's last tokens speak for what comes.
NUM_RECENT = 32
_ASK = "{document}\n\n{question}\nAnswer in JSON with the exact words of the document."
_REPEAT = "Repeat the document word by word."
_ANSWER_OPENING = '{"quote": "'


@dataclass(frozen=True, slots=True)
class Asked:
    """A question read after the context.

    `prompt` and `answer` are the tokens after the context; the last `num_quoted` of the answer are
    the gold quotation's. `queries` `(num_layers, num_heads, num_recent, head_dim)` are those of the
    prompt's last tokens. `attention` `(num_layers, num_kv_heads, num_context)` is the greatest
    probability that a pair gets from the answer's tokens (and from the prompt's last, which
    predicts the first of them); `mass` the mean over the group of what it gets in sum.
    """

    prompt: list[int]
    answer: list[int]
    num_quoted: int
    queries: torch.Tensor
    attention: torch.Tensor
    mass: torch.Tensor


@dataclass(frozen=True, slots=True)
class Recording:
    """An example read: its context, what repeating it attends to, and its questions."""

    reading: Reading
    repeated: torch.Tensor | None
    asked: tuple[Asked, ...]


class AttentionStatistics:
    """An observer: the greatest and the summed attention on each pair from place `first` on, and
    the queries of places `[first_query, last_query)`."""

    def __init__(self, reading: Reading, first: int, query_places: range = range(0)) -> None:
        config = reading.model.config
        shape = (config.num_layers, config.num_kv_heads, reading.num_context)
        self.greatest, self.mass = torch.zeros(shape), torch.zeros(shape)
        self._queries: list[list[torch.Tensor]] = [[] for _ in range(config.num_layers)]
        self._first = first
        self._query_places = query_places

    def __call__(
        self, layer: int, first: int, queries: torch.Tensor, attention: torch.Tensor
    ) -> None:
        places = torch.arange(first, first + queries.shape[1])
        later = places >= self._first
        if later.any():
            seen = attention[:, :, later]
            torch.maximum(self.greatest[layer], seen.amax((1, 2)), out=self.greatest[layer])
            self.mass[layer] += seen.mean(1).sum(1)
        recent = (places >= self._query_places.start) & (places < self._query_places.stop)
        if recent.any():
            self._queries[layer].append(queries[:, recent])

    @property
    def queries(self) -> torch.Tensor:
        return torch.stack([torch.cat(found, dim=1) for found in self._queries])


def record(
    model: LlamaModel, tokenizer: Tokenizer, example: Example, *, repeat: bool = True
) -> Recording:
    """Reads an example and its questions; without `repeat`, not the text repeated."""
    context, repetition = _split(tokenizer, example.document, _REPEAT)
    document = tokenizer.encode(example.document)
    branches = [_branch(tokenizer, example.document, item) for item in example.questions]
    longest = max(len(prompt) + len(answer) for prompt, answer, _ in branches)
    if repeat:
        longest = max(longest, len(repetition) + len(document))
    reading = Reading(model, context, longest)
    repeated = None
    if repeat:
        statistics = AttentionStatistics(reading, len(repetition))
        reading.branch(repetition + document, observer=statistics)
        repeated = statistics.greatest
    return Recording(reading, repeated, tuple(_ask(reading, *branch) for branch in branches))


def _ask(reading: Reading, prompt: list[int], answer: list[int], num_quoted: int) -> Asked:
    first = len(prompt) - 1
    recent = range(max(0, len(prompt) - NUM_RECENT), len(prompt))
    statistics = AttentionStatistics(reading, first, recent)
    reading.branch(prompt + answer, observer=statistics)
    return Asked(
        prompt, answer, num_quoted, statistics.queries, statistics.greatest, statistics.mass
    )


def _branch(
    tokenizer: Tokenizer, document: str, question: Question
) -> tuple[list[int], list[int], int]:
    prompt = _split(tokenizer, document, question.text)[1]
    quoted = tokenizer.encode(question.quote)
    return prompt, tokenizer.encode(_ANSWER_OPENING) + quoted, len(quoted)


def _split(tokenizer: Tokenizer, document: str, question: str) -> tuple[list[int], list[int]]:
    """The tokens of a prompt, to the end of the document and after it."""
    content = _ASK.format(document=document, question=question)
    message = Message("user", content, ((0, len(document)),))
    prompt = tokenizer.encode_prompt([Message("system", SYSTEM), message])
    end = prompt.segments[0].stop
    return prompt.token_ids[:end], prompt.token_ids[end:]
