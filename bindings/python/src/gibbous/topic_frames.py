"""Data frames of topics beside documents: documents of topics, and which topics go together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gibbous._library import check, ffi, library
from gibbous.frames import _STATISTICS, effect_array, make_frame, words_of
from gibbous.model import on_apply

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["topic_correlations", "topic_documents"]

_NO_DOCUMENT = 2**64 - 1


def topic_documents(
    model: Model,
    data: Any,
    n_documents: int = 3,
    *,
    n_words: int = 12,
    frame: str | None = None,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> Any:
    """For each topic the documents with the largest shares of it.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, Corpus, or documents in memory
        A model does not keep its training documents: give them again, or others.
    n_documents : int
        Documents of each topic; topics have fewer rows if there are fewer documents with words.
    n_words : int
        Words of the passage.
    frame : str, optional
        See :mod:`gibbous.frames`.
    callback, **options
        As in :meth:`Model.infer`.

    Returns
    -------
    DataFrame
        ``topic``, ``document`` (its row, from 0), ``id``, ``share`` and ``passage``: of the
        document's known words those in a row that are most the topic's own.
    """
    documents, settings = model._with_settings(data, options, "infer", "topic_documents")
    n = model.n_topics * n_documents
    found = np.empty(n, np.uint64)
    share = np.empty(n)
    passage = np.empty(n, np.uint64)
    watch = on_apply(callback)
    watch.check(
        library.gb_topic_documents,
        model._pointer,
        documents.corpus._pointer,
        settings.pointer,
        watch.pointer,
        ffi.NULL,
        n_documents,
        n_words,
        ffi.from_buffer("uint64_t[]", found),
        ffi.from_buffer("double[]", share),
        ffi.from_buffer("uint64_t[]", passage),
    )
    rows = np.flatnonzero(found != _NO_DOCUMENT)
    ids, vocabulary = documents.corpus.ids, model.vocabulary

    def text_of(row: int) -> str:
        tokens = documents.corpus.tokens(int(found[row]))
        first = int(passage[row])
        return " ".join(vocabulary[word] for word in tokens[first : first + n_words])

    columns = {
        "topic": rows // max(n_documents, 1) + 1,
        "document": found[rows].astype(np.int64),
        "id": [ids[int(d)] for d in found[rows]],
        "share": share[rows],
        "passage": [text_of(row) for row in rows],
    }
    return make_frame(columns, frame)


def topic_correlations(
    model: Model,
    data: Any = None,
    *,
    n_words: int = 3,
    frame: str | None = None,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> Any:
    """Which topics go together in documents: one row per pair of topics.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, Corpus, or documents in memory, optional
        Without: by the covariance of the document prior, which a model has that was trained with
        ``prior="logistic-normal", covariance="full"``; correlations of the logarithms of shares,
        each relative to the mean over the topics.  With: of the shares of these documents' tokens.
    n_words : int
        Words of each topic.
    frame : str, optional
        See :mod:`gibbous.frames`.
    callback, **options
        With `data`, as in :meth:`Model.infer`.

    Returns
    -------
    DataFrame
        ``topic``, ``with``, the posterior of the correlation in ``mean``, ``sd``, ``q05``,
        ``median``, ``q95``, ``p_positive`` and ``n_draws``, ``source`` ("covariance" or
        "documents"), ``words`` and ``with_words``, and where topics have names ``name`` and
        ``with_name``.
    """
    k = model.n_topics
    pointer, effect = effect_array(k * k)
    if data is None:
        check(library.gb_model_topic_correlations, model._pointer, pointer)
    else:
        documents, settings = model._with_settings(data, options, "infer", "topic_correlations")
        watch = on_apply(callback)
        watch.check(
            library.gb_topic_correlations,
            model._pointer,
            documents.corpus._pointer,
            settings.pointer,
            watch.pointer,
            ffi.NULL,
            pointer,
        )
    a, b = np.triu_indices(k, 1)
    of, words, names = effect[a * k + b], words_of(model, n_words), model.topic_names
    columns: dict[str, Any] = {"topic": a + 1, "with": b + 1}
    columns.update({name: of[name].copy() for name in _STATISTICS})
    columns["n_draws"] = of["n_draws"].astype(np.int64)
    columns["source"] = ["covariance" if data is None else "documents"] * len(a)
    columns["words"] = [words[i] for i in a]
    columns["with_words"] = [words[i] for i in b]
    if any(names):
        columns["name"] = [names[i] for i in a]
        columns["with_name"] = [names[i] for i in b]
    return make_frame(columns, frame)
