"""Tokens that stand for whole terms."""

import torch

from assay.models.term_rows import TermRows
from assay.types import FIRST_TERM_ID


def test_a_term_s_id_is_made_of_its_row():
    rows, other = TermRows(), TermRows()
    row = torch.tensor([0.5, -1.25, 3.0])
    token_id = rows.add(row)
    assert token_id >= FIRST_TERM_ID
    assert token_id < 2**63
    assert other.add(row.clone()) == token_id
    assert other.add(row + 1) != token_id


def test_terms_and_tokens_are_looked_up_together():
    rows = TermRows()
    embedding = torch.arange(6.0).view(3, 2).to(torch.bfloat16)
    token_id = rows.add(torch.tensor([7.0, 8.0]))
    found = rows.embed(torch.tensor([2, token_id, 0]), embedding)
    assert found.tolist() == [[4.0, 5.0], [7.0, 8.0], [0.0, 1.0]]
    assert rows.embed(torch.tensor([1]), embedding).tolist() == [[2.0, 3.0]]
