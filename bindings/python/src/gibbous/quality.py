"""How good topics are by their most probable words: coherence, diversity, exclusivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._public import short_errors
from gibbous.errors import ArgumentError
from gibbous.tables import Table, ask

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["coherence", "diversity", "exclusivity"]

#: Tokens of a window, as the literature has them; 0: whole documents.
_WINDOWS = {"npmi": 10, "c_v": 110, "umass": 0}


@short_errors
def coherence(
    model: Model,
    data: Any,
    measure: str = "npmi",
    *,
    n_words: int = 10,
    window: int | None = None,
    **options: Any,
) -> NDArray[np.float64]:
    """Whether the words of each topic occur together in documents.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, Corpus, or documents in memory
        Where words are counted: the training documents, or better a large collection of the kind.
    measure : {"npmi", "c_v", "umass"}
        docs/evaluation.md has the formulas.
    n_words : int
        Most probable words of each topic.
    window : int, optional
        Words occur together if they are within so many tokens; 0: in the same document.  By default
        10 for npmi, 110 for c_v and 0 for umass.
    **options
        Those of reading, as in :meth:`gibbous.Model.documents`.

    Returns
    -------
    ndarray of float64, shape (n_topics,)
        In the order of :meth:`gibbous.Model.topics`; NaN where words do not occur.

    Examples
    --------
    >>> import gibbous
    >>> texts = ["goal team match", "bank stock price"] * 10
    >>> model = gibbous.train(texts, response="none", topics=2, sweeps=40, chains=1, seed=1)
    >>> gibbous.coherence(model, texts, "umass", n_words=3).round(3)
    array([0.095, 0.095])
    """
    if measure not in _WINDOWS:
        raise ArgumentError(f"measure must be one of {', '.join(_WINDOWS)}, not {measure!r}")
    among = model.documents(data, **options)
    asked = {
        "coherence_words": n_words,
        "coherence_window": _WINDOWS[measure] if window is None else window,
    }
    table = _topics(model, asked, among=among.corpus._pointer)
    return np.asarray(table.columns[measure], dtype=np.float64)


@short_errors
def exclusivity(model: Model, *, n_words: int = 10) -> NDArray[np.float64]:
    """How much the words of each topic are its own.

    Parameters
    ----------
    model : Model
    n_words : int
        Most probable words of each topic.

    Returns
    -------
    ndarray of float64, shape (n_topics,)
        1: no other topic has these words; 1 / n_topics: all topics have them alike.

    Examples
    --------
    >>> import gibbous
    >>> texts = ["goal team match", "bank stock price"] * 10
    >>> model = gibbous.train(texts, response="none", topics=2, sweeps=40, chains=1, seed=1)
    >>> bool((gibbous.exclusivity(model, n_words=3) > 0.5).all())
    True
    """
    table = _topics(model, {"coherence_words": n_words})
    return np.asarray(table.columns["exclusivity"], dtype=np.float64)


@short_errors
def diversity(model: Model, *, n_words: int = 25) -> float:
    """The share of different words among the most probable ones of all topics.

    Parameters
    ----------
    model : Model
    n_words : int
        Most probable words of each topic.

    Returns
    -------
    float
        1: no word is in two topics.

    Examples
    --------
    >>> import gibbous
    >>> texts = ["goal team match", "bank stock price"] * 10
    >>> model = gibbous.train(texts, response="none", topics=2, sweeps=40, chains=1, seed=1)
    >>> gibbous.diversity(model, n_words=3)
    1.0
    """
    columns = _topics(model, {"words": n_words}).columns
    rows = zip(columns["words"], columns["empty"], strict=True)
    words = [word for text, is_empty in rows if not is_empty for word in text.split()]
    return len(set(words)) / len(words) if words else float("nan")


def _topics(model: Model, asked: dict[str, Any], **subject: Any) -> Table:
    return ask("topics", asked, model=model._pointer, **subject)
