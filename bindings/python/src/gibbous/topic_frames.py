"""Data frames of topics: their documents, which go together, and which count as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gibbous._library import check, encoded, ffi, library, text
from gibbous.corpus import is_in_memory
from gibbous.frames import _STATISTICS, effect_array, make_frame, words_of
from gibbous.inputs import take
from gibbous.progress import on_apply

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["nearest_documents", "topic_correlations", "topic_documents", "unions"]

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
        "passage": [text_of(int(row)) for row in rows],
    }
    return make_frame(columns, frame)


def nearest_documents(
    model: Model,
    data: Any,
    among: Any,
    n_documents: int = 3,
    *,
    frame: str | None = None,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> Any:
    """For each document those among others that are nearest by their topics.

    Parameters
    ----------
    model : Model
    data, among : str or path, Documents, Corpus, or documents in memory
        A model does not keep its training documents: give them again as `among`, or others.
    n_documents : int
        How many are wanted, at most as many as `among` has.
    frame : str, optional
        See :mod:`gibbous.frames`.
    callback, **options
        As in :meth:`Model.infer`, for both.

    Returns
    -------
    DataFrame
        ``document`` and ``nearest`` (rows, from 0), ``id`` and ``nearest_id``, ``rank`` from 1, and
        ``affinity``: the sum over topics of sqrt(p q), which is 1 minus the square of the Hellinger
        distance.  A document that is in both is found as its own nearest.
    """
    documents, _ = model._with_settings(data, dict(options), "infer", "nearest_documents")
    others, _ = model._with_settings(among, dict(options), "infer", "nearest_documents")
    left = take(options)[1] if is_in_memory(data) or is_in_memory(among) else options
    share = model.infer(documents, callback=callback, **left)
    other = model.infer(others, callback=callback, **left)
    n, n_best = len(share), n_documents
    best, affinity = np.empty((n, n_best), np.uint64), np.empty((n, n_best))
    check(
        library.gb_nearest_documents,
        model.n_topics,
        n,
        ffi.from_buffer("double[]", share),
        len(other),
        ffi.from_buffer("double[]", other),
        n_best,
        ffi.from_buffer("uint64_t[]", best),
        ffi.from_buffer("double[]", affinity),
    )
    rows = np.repeat(np.arange(n), n_best)
    own, their = documents.corpus.ids, others.corpus.ids
    columns = {
        "document": rows,
        "id": [own[d] for d in rows],
        "rank": np.tile(np.arange(1, n_best + 1), n),
        "nearest": best.ravel().astype(np.int64),
        "nearest_id": [their[int(d)] for d in best.ravel()],
        "affinity": affinity.ravel(),
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


def unions(
    model: Model,
    n_words: int = 10,
    *,
    by: str = "probability",
    by_weight: float | None = None,
    frame: str | None = None,
) -> Any:
    """Topics that count as one (:meth:`Model.unite_topics`), and those that are alone.

    Parameters
    ----------
    model : Model
    n_words : int
        Words of each union.
    by, by_weight
        Their order, see :meth:`Model.rank_words`; unions are compared with unions.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``topic``, such as "3+7", ``name``, ``share`` of the training tokens, ``mean_share`` with
        ``mean_share_q05`` and ``mean_share_q95``: the mean share of a training document over the
        draws of the first chain, and ``words``.  Effects: ``model.contrast([3, 7])``.
    """
    n_words = min(n_words, model.n_words)
    word = np.empty((model.n_topics, n_words), np.uint64)
    probability = np.empty((model.n_topics, n_words))
    check(
        library.gb_model_rank_union_words,
        model._pointer,
        encoded(by, "by"),
        float("nan") if by_weight is None else by_weight,
        n_words,
        ffi.from_buffer("uint64_t[]", word),
        ffi.from_buffer("double[]", probability),
        ffi.new("uint64_t *"),
    )
    found, shares, vocabulary = model.topic_unions, model.topic_shares, model.vocabulary
    pointer, effect = effect_array(1)
    columns: dict[str, list[Any]] = {
        "topic": ["+".join(map(str, union)) for union in found],
        "name": [text(library.gb_model_union_name(model._pointer, u[0] - 1)) for u in found],
        "share": [float(shares[[k - 1 for k in union]].sum()) for union in found],
        "mean_share": [],
        "mean_share_q05": [],
        "mean_share_q95": [],
        "words": [" ".join(vocabulary[w] for w in word[union[0] - 1]) for union in found],
    }
    for union in found:
        topics = ffi.new("uint64_t[]", [k - 1 for k in union])
        check(library.gb_model_topics_share, model._pointer, len(union), topics, pointer)
        columns["mean_share"].append(float(effect["mean"][0]))
        columns["mean_share_q05"].append(float(effect["q05"][0]))
        columns["mean_share_q95"].append(float(effect["q95"][0]))
    return make_frame(columns, frame)
