"""How probable documents are under a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gibbous


def test_documents_of_another_kind_are_less_probable(
    corpus: gibbous.Corpus, model: gibbous.Model, tmp_path: Path
) -> None:
    corpus.write(tmp_path / "train.gbc")
    known = model.held_out_likelihood(tmp_path / "train.gbc", infer_sweeps=5)
    assert known.n_scored.sum() > 0
    # every word of every document stands for another one
    start = np.cumsum([0, *(len(corpus.tokens(d)) for d in range(corpus.n_docs))])
    tokens = np.concatenate([corpus.tokens(d) for d in range(corpus.n_docs)])
    mixed = np.random.default_rng(1).permutation(tokens)
    gibbous.Corpus.from_arrays(start, mixed, None, corpus.vocabulary).write(tmp_path / "mixed.gbc")
    strange = model.held_out_likelihood(tmp_path / "mixed.gbc", infer_sweeps=5)
    each = [h.log_likelihood.sum() / h.n_scored.sum() for h in (known, strange)]
    assert each[0] > each[1] + 0.1
    assert (known.standard_error >= 0).all()
