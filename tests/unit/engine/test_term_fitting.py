"""Rows on a thread of their own: fitted, kept, refused."""

import torch

from assay.engine.term_cache import RowCache
from assay.engine.term_fitting import MAX_ERROR, RowFitter
from assay.models.term_rows import TermRows


class FakeComposer:
    """A row of the term's first token; a term that begins with 9 comes out badly."""

    def __init__(self):
        self.fitted = []

    def fit(self, terms, num_steps):
        assert num_steps > 0
        self.fitted += terms
        rows = torch.tensor([[float(term[0]), 1.0] for term in terms])
        return rows, [2 * MAX_ERROR if term[0] == 9 else 0.1 for term in terms]


def fitter_in(folder, composer=None):
    rows = TermRows()
    cache = RowCache(folder / "model.rows", 2)
    return RowFitter(lambda: composer or FakeComposer(), cache, rows), rows


def test_a_term_has_a_row_after_it_was_wanted_and_is_fitted_once(tmp_path):
    composer = FakeComposer()
    fitter, rows = fitter_in(tmp_path, composer)
    fitter.want([(1, 2), (3, 4)])
    fitter.want([(1, 2)])
    assert fitter.wait(5)
    fitter.want([(1, 2)])
    assert fitter.wait(5)
    assert composer.fitted == [(1, 2), (3, 4)]
    found = rows.embed(torch.tensor([fitter.ready[3, 4], 0]), torch.ones(1, 2))
    assert found.tolist() == [[3.0, 1.0], [1.0, 1.0]]
    fitter.close()


def test_a_bad_row_is_never_used(tmp_path):
    fitter, rows = fitter_in(tmp_path)
    fitter.want([(9, 2), (1, 2)])
    assert fitter.wait(5)
    assert set(fitter.ready) == {(1, 2)}
    assert (fitter.num_refused, len(rows)) == (1, 1)
    fitter.close()


def test_rows_are_found_on_disk_by_the_next_process(tmp_path):
    first, _ = fitter_in(tmp_path)
    first.want([(1, 2)])
    assert first.wait(5)
    first.close()
    composer = FakeComposer()
    second, _ = fitter_in(tmp_path, composer)
    second.want([(1, 2)])
    assert second.wait(5)
    assert composer.fitted == []
    assert second.ready == first.ready
    second.close()


def test_what_fails_leaves_terms_unmerged_and_the_thread_alive(tmp_path):
    class Failing(FakeComposer):
        def fit(self, terms, num_steps):
            if terms[0] == (5, 5):
                raise RuntimeError("no memory")
            return super().fit(terms, num_steps)

    fitter, _ = fitter_in(tmp_path, Failing())
    fitter.want([(5, 5)])
    assert fitter.wait(5)
    fitter.want([(1, 2)])
    assert fitter.wait(5)
    assert set(fitter.ready) == {(1, 2)}
    fitter.close()


def test_damaged_records_are_passed_over(tmp_path):
    path = tmp_path / "model.rows"
    cache = RowCache(path, 2)
    cache.add([(1, 2), (3, 4)], torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    data = bytearray(path.read_bytes())
    data[-1] ^= 255
    path.write_bytes(bytes(data) + b"cut")
    read = RowCache(path, 2)
    assert len(read) == 1
    assert read.get((1, 2)).tolist() == [1.0, 2.0]
    assert read.get((3, 4)) is None
