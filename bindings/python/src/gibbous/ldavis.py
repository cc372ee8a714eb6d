"""What pyLDAvis needs to draw its map of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import check, ffi, library

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["to_ldavis", "topic_distributions"]


def topic_distributions(model: Model, output: int = 0) -> NDArray[np.float64]:
    """Topics as distributions over all words, mean over the snapshots of the leading chain.

    Parameters
    ----------
    model : Model
    output : int
        With one-vs-rest topics, the score whose topics are meant.

    Returns
    -------
    ndarray of float64, shape (n_topics, n_words)
        Rows add up to 1.
    """
    out = np.empty((model.n_topics, model.n_words))
    check(
        library.gb_model_topic_distributions,
        model._pointer,
        output,
        ffi.from_buffer("double[]", out),
    )
    return out


def to_ldavis(model: Model, data: Any, **options: Any) -> dict[str, Any]:
    """Arguments for ``pyLDAvis.prepare``.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, or documents in memory
        Documents to show: those of the training, or others.  Documents without a word that the
        model knows are left out.
    **options
        Of :meth:`Model.predict`.

    Returns
    -------
    dict
        ``topic_term_dists`` (n_topics, n_words), ``doc_topic_dists`` (n_docs, n_topics),
        ``doc_lengths`` (n_docs,), ``vocab`` (n_words) and ``term_frequency`` (n_words,).

    Notes
    -----
    pyLDAvis sorts topics by size unless it is told not to: ``pyLDAvis.prepare(**to_ldavis(model,
    data), sort_topics=False)`` keeps the numbers of the model, from 1.
    """
    documents = model.documents(data)
    prediction = model.predict(documents, **options)
    corpus = documents.corpus
    frequency = np.zeros(model.n_words, np.int64)
    lengths = np.zeros(corpus.n_docs, np.int64)
    for d in range(corpus.n_docs):
        tokens = corpus.tokens(d)
        lengths[d] = len(tokens)
        np.add.at(frequency, tokens, 1)
    known = lengths > 0
    return {
        "topic_term_dists": topic_distributions(model),
        "doc_topic_dists": prediction.topic_shares[known],
        "doc_lengths": lengths[known],
        "vocab": model.vocabulary,
        "term_frequency": frequency,
    }
