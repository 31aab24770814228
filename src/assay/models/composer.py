"""One row in place of several tokens: what a model makes of them, mapped to an embedding.

A model puts the tokens of a word together in its first layers, at the last of them ("From Tokens to
Words", https://arxiv.org/abs/2410.05864). So a linear map from what it holds there, and from the
mean of the tokens' own rows, gives a row that stands for all of them. `training/merger.py` fits the
map once for a model; a few steps of gradient then bring each row closer. Both go by the same
measure (`Likeness`): what the model holds behind the row after its first layers, against what it
holds behind the tokens. A term costs a pass through a few layers and some more for its steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from assay.models.plain import PlainModel, pad

#: The layers whose output at a term's last token the map reads, and rows are held to.
LAYERS = (3, 6)
#: What a term is read after: the first token of a sequence is like no other.
OPENING = "\n"
# Terms read together.
_BATCH = 64


class Composer:
    """The map of `arrays`: `weight` `(num_features, hidden_size)`, `bias`, and the `mean` and
    `scale` that features are brought to size with. `opening` are the tokens of `OPENING`."""

    def __init__(
        self, model: PlainModel, opening: Sequence[int], arrays: Mapping[str, NDArray[np.float32]]
    ) -> None:
        self._model = model
        self._opening = tuple(opening)
        self._arrays = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
        self._likeness = Likeness(model, opening, 1 / self._arrays["scale"])

    def fit(
        self, terms: Sequence[Sequence[int]], num_steps: int, learning_rate: float = 0.01
    ) -> tuple[torch.Tensor, list[float]]:
        """The row of each term's tokens, `(num_terms, hidden_size)`, float32, after `num_steps` of
        gradient, and how far it is from them (`Likeness.errors`)."""
        read = features(self._model, self._opening, terms)
        rows = compose(self._arrays, read)
        if num_steps:
            rows.requires_grad_()
            optimizer = torch.optim.Adam([rows], lr=learning_rate)
            for step in range(num_steps):
                for group in optimizer.param_groups:
                    group["lr"] = learning_rate * (1 - step / num_steps)
                loss = self._likeness.errors(read, rows).sum()
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
        rows = rows.detach()
        with torch.no_grad():
            return rows, self._likeness.errors(read, rows).tolist()


class Likeness:
    """How far rows are from doing what the tokens of their terms do. `sizes` are the spread of each
    of the `features`."""

    def __init__(self, model: PlainModel, opening: Sequence[int], sizes: torch.Tensor) -> None:
        self._model = model
        self._opening = model.embed(torch.tensor(opening))
        self._sizes = sizes[model.config.hidden_size :].view(len(LAYERS), -1)

    def errors(self, read: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """For each of `rows` in place of the terms that `features` `read` were read of: the mean
        squared difference in units of the spread, `(num_terms,)`."""
        opening = self._opening.expand(len(rows), *self._opening.shape)
        hidden = torch.cat((opening, rows[:, None]), dim=1)
        size, done = self._model.config.hidden_size, 0
        total = rows.new_zeros(len(rows))
        for index, layer in enumerate(LAYERS):
            hidden = self._model.hidden(hidden, layer, first=done)
            done = layer
            wanted = read[:, (index + 1) * size : (index + 2) * size]
            total = total + ((hidden[:, -1] - wanted) / self._sizes[index]).square().mean(dim=1)
        return total / len(LAYERS)


def compose(arrays: Mapping[str, torch.Tensor], read: torch.Tensor) -> torch.Tensor:
    """Rows from `features`."""
    sized = (read - arrays["mean"]) * arrays["scale"]
    return sized @ arrays["weight"] + arrays["bias"]


@torch.no_grad()
def features(
    model: PlainModel, opening: Sequence[int], terms: Sequence[Sequence[int]]
) -> torch.Tensor:
    """What the map reads of each term: `(num_terms, (len(LAYERS) + 1) * hidden_size)`, the mean of
    its tokens' rows first."""
    parts = [torch.empty(0, (len(LAYERS) + 1) * model.config.hidden_size)]
    for start in range(0, len(terms), _BATCH):
        batch = terms[start : start + _BATCH]
        own = torch.stack([model.embed(torch.tensor(term)).mean(0) for term in batch])
        hidden = model.embed(pad([[*opening, *term] for term in batch]))
        last = torch.tensor([len(opening) + len(term) - 1 for term in batch])
        read, done = [own], 0
        for layer in LAYERS:
            hidden = model.hidden(hidden, layer, first=done)
            done = layer
            read.append(hidden[torch.arange(len(batch)), last])
        parts.append(torch.cat(read, dim=1))
    return torch.cat(parts)
