"""How the force of a sentence meets that of a statement."""

import numpy as np
import pytest

from assay.units.fallbacks.statement_conflict import (
    NUM_CONFLICTS,
    NUM_FORCES,
    conflicts_of,
    forces_of,
)

DENIES, ALLOWS, LIMITS = 0, 1, 3
ALLOWED_BUT_DENIED, LIMITED_BUT_WIDENED, DENIED_BUT_ALLOWED = 0, 5, 9


@pytest.mark.parametrize(
    ("text", "force"),
    [
        ("The tenant shall not keep dogs.", DENIES),
        ("The tenant may keep dogs.", ALLOWS),
        ("Dogs are kept only outside.", LIMITS),
        ("承租人不得养狗", DENIES),
        ("承租人有权养狗", ALLOWS),
    ],
)
def test_force_of_a_text(text, force):
    """Each force is known by its words, in both languages."""
    assert forces_of(text)[force] == 1
    assert sum(forces_of("Dogs bark.")) == 0


@pytest.mark.parametrize(
    ("statement", "sentence", "conflict"),
    [
        ("The tenant may keep dogs.", "The tenant shall not keep dogs.", ALLOWED_BUT_DENIED),
        ("Dogs only are pets.", "Pets are dogs, including any others.", LIMITED_BUT_WIDENED),
        ("The tenant shall not keep dogs.", "The tenant may keep dogs.", DENIED_BUT_ALLOWED),
    ],
)
def test_opposed_forces_meet(statement, sentence, conflict):
    """What one says and the other denies is counted, and what both say is not."""
    assert conflicts_of(statement, [sentence])[conflict] == 1
    assert conflicts_of(statement, [sentence, sentence])[conflict] == 2
    assert conflicts_of(statement, [statement])[conflict] == 0


def test_force_of_other_things_in_a_long_sentence_is_no_conflict():
    """Only the words around those that the statement shares are looked at."""
    far = "and the landlord shall not let the cellar, " + "which is dry and cool and large, " * 6
    sentence = f"{far} while the tenant may keep dogs."
    assert conflicts_of("The tenant may keep dogs.", [sentence])[ALLOWED_BUT_DENIED] == 0


def test_sizes_are_what_training_counts_on():
    """Without a sentence there is no conflict."""
    assert np.array_equal(conflicts_of("Dogs bark.", []), np.zeros(NUM_CONFLICTS))
    assert len(forces_of("")) == NUM_FORCES
