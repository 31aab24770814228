"""Fitting the map of terms to rows, on a tiny model."""

import pytest
import torch
from kernel_references import num_threads
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.models import composer
from assay.models.composer import Composer, features
from assay.models.plain import PlainModel
from assay.training import merger
from assay.training.merger import MergerSettings, train_merger

WORDS = ("alder", "birch", "cedar", "maple", "hazel", "rowan", "aspen", "larch")
SPELLINGS = [f"{one} {two}" for one in ("oak", "elm") for two in WORDS]


@pytest.fixture
def model(tmp_path, monkeypatch):
    for module in (composer, merger):
        monkeypatch.setattr(module, "LAYERS", (1, 2))
    packed = pack_tiny(tmp_path)
    with num_threads(1):
        yield PlainModel(packed.config, packed.weights)


def test_fitting_brings_rows_closer_to_what_their_tokens_do(model):
    opening = tiny_tokenizer().encode(composer.OPENING)
    terms = [tuple(tiny_tokenizer().encode(f" {name[:5]}")) for name in SPELLINGS]

    def error(num_steps, steps_of_rows=0):
        # The tiny vocabulary has few words of its own.
        settings = MergerSettings(num_words=2, num_terms=16, num_steps=num_steps, batch_size=16)
        spellings = [name[:5] for name in SPELLINGS]
        trained = train_merger(model, tiny_tokenizer(), spellings, settings, lambda _: None)
        _, errors = Composer(model, opening, trained.arrays).fit(terms, steps_of_rows)
        return sum(errors)

    start = error(1)
    assert error(15) < start
    assert error(1, steps_of_rows=5) < start


def test_features_do_not_depend_on_what_is_read_beside_a_term(model):
    terms = [(5, 6), (7, 8, 9, 10)]
    together = features(model, (1,), terms)
    alone = torch.cat([features(model, (1,), [term]) for term in terms])
    assert torch.allclose(together, alone, atol=1e-4)
