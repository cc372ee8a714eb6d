"""Data frames of topics: their documents, and which go together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gibbous.progress import on_apply
from gibbous.tables import ask, make_frame

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["nearest_documents", "topic_correlations", "topic_documents", "topic_words"]


def topic_words(
    model: Model,
    n_words: int = 10,
    *,
    by: str = "probability",
    by_weight: float | None = None,
    output: int = 0,
    frame: str | None = None,
) -> Any:
    """The words of topics with their probabilities, a row for each word.

    Parameters
    ----------
    model : Model
    n_words : int
        Words of each topic.
    by, by_weight, output
        The order of words, as in :meth:`Model.rank_words`.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``topic`` (from 1), ``name`` where topics have names, ``rank`` (from 1), ``word`` and
        ``probability`` of the word in the topic; n_topics * n_words rows.

    Examples
    --------
    >>> import gibbous
    >>> texts = ["goal team match", "bank stock price"] * 10
    >>> model = gibbous.train(texts, response="none", topics=2, sweeps=40, chains=1, seed=1)
    >>> sorted(topic_words(model, 2, frame="arrays"))
    ['probability', 'rank', 'topic', 'word']
    """
    if by == "probability":
        word, probability = model.top_words(n_words, output=output)
    else:
        word, probability = model.rank_words(by, n_words, weight=by_weight, output=output)
    n_topics, n = word.shape
    vocabulary, names = model.vocabulary, model.topic_names
    columns: dict[str, Any] = {"topic": np.repeat(np.arange(1, n_topics + 1), n)}
    if any(names):
        columns["name"] = [name for name in names for _ in range(n)]
    columns["rank"] = np.tile(np.arange(1, n + 1), n_topics)
    columns["word"] = [vocabulary[w] for w in word.ravel().tolist()]
    columns["probability"] = probability.ravel()
    return make_frame(columns, frame)


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
        ``topic``, ``name`` where topics have names, ``document`` (its row, from 0), ``id``,
        ``share`` and ``passage``: the sentences with the known words in a row that are most the
        topic's own, or these words where there is no text: of counts, and of a
        :class:`Corpus` made without ``keep_text=True``.
    """
    options |= {"documents_shown": n_documents, "passage_words": n_words}
    return model._answer("topic-documents", data, callback=callback, **options).frame(frame)


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
        How many are wanted; documents have fewer rows if `among` has fewer.
    frame : str, optional
        See :mod:`gibbous.frames`.
    callback, **options
        As in :meth:`Model.infer`, for both.

    Returns
    -------
    DataFrame
        ``id``, ``rank`` from 1, ``nearest`` (the id of the other document), and ``affinity``: the
        sum over topics of sqrt(p q), which is 1 minus the square of the Hellinger distance.  A
        document that is in both, with the same id and words, is not its own nearest.
    """
    documents, settings = model._with_settings(data, dict(options), "infer", "nearest_documents")
    others, _ = model._with_settings(among, dict(options), "infer", "nearest_documents")
    return ask(
        "nearest-documents",
        {"nearest": n_documents},
        settings=settings,
        watch=on_apply(callback),
        model=model._pointer,
        documents=documents.corpus._pointer,
        among=others.corpus._pointer,
    ).frame(frame)


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
        The largest correlations first: ``topic``, ``with``, the posterior of the correlation in
        ``mean``, ``sd``, ``q05``, ``median``, ``q95``, ``p_positive`` and ``n_draws``, ``source``
        ("covariance" or "documents"), ``words`` and ``with_words``, and where topics have names
        ``name`` and ``with_name``.
    """
    answer = model._answer("correlations", data, callback=callback, words=n_words, **options)
    return answer.frame(frame)
