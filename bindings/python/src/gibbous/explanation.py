"""Scores of documents as sums over topics, words, embedding and covariates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, check, ffi, library, view
from gibbous.errors import ArgumentError
from gibbous.options import Settings
from gibbous.progress import on_apply

if TYPE_CHECKING:
    from gibbous.model import Model
    from gibbous.results import Documents

__all__ = ["Explanation", "explain"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Explanation:
    """Scores of documents as sums.

    ``scores`` is ``average`` plus the sums over the last axis of ``topics`` and ``covariates``,
    plus ``embedding``, plus the sum of ``word_effects`` over the document's words, plus
    ``absent_words``. A number of its field's units is ``centre + scale * score``.

    Attributes
    ----------
    outputs : ndarray of int64, shape (n_docs, n_explained)
        Which scores: columns of :attr:`gibbous.Prediction.scores`.
    scores, average, embedding, absent_words : ndarray of float64, shape (n_docs, n_explained)
        The score; the score of the average training document; the parts of the embedding, and of
        words that the document lacks.
    topics, shares : ndarray of float64, shape (n_docs, n_explained, n_topics + 1)
        The part of each topic: the document's share of it times its effect.  The last is of topics
        of other chains that the first does not have.  Of topics that count as one, the first has
        the sum and the others have 0.
    covariates : ndarray of float64, shape (n_docs, n_explained, n_fields)
    centre, scale : ndarray of float64, shape (n_docs, n_explained)
    word_start : ndarray of int64, shape (n_docs + 1,)
        The different words of document d are rows ``word_start[d]`` to ``word_start[d + 1] - 1``
        below.
    words, counts : ndarray of uint32
        Numbers of words in the model's vocabulary, ascending, and how often each occurs.
    word_topics : ndarray of float64, shape (n_rows, n_explained, n_topics + 1)
        The parts of topics, split over the words of the document.
    word_effects : ndarray of float64, shape (n_rows, n_explained)
        The parts of the words' own coefficients (`word_effects` of the training).
    without : ndarray of float64, shape (n_rows, n_explained)
        The score that the document would have without the word; NaN where it was not asked for.
    """

    model: Model = field(repr=False)
    ids: list[str]
    outputs: NDArray[np.int64]
    scores: Floats
    average: Floats
    shares: Floats
    topics: Floats
    covariates: Floats
    embedding: Floats
    absent_words: Floats
    centre: Floats
    scale: Floats
    word_start: NDArray[np.int64]
    words: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    word_topics: Floats
    word_effects: Floats
    without: Floats
    _made: Handle = field(repr=False, compare=False)

    def words_of(self, document: int) -> list[tuple[str, Floats]]:
        """The words of a document with their parts of its scores, the largest first."""
        rows = range(int(self.word_start[document]), int(self.word_start[document + 1]))
        parts = {row: self.word_topics[row].sum(axis=-1) + self.word_effects[row] for row in rows}
        vocabulary = self.model.vocabulary
        order = sorted(rows, key=lambda row: -np.abs(parts[row]).sum())
        return [(vocabulary[self.words[row]], parts[row]) for row in order]


def explain(
    model: Model,
    data: Any,
    *,
    outputs: Sequence[str] | None = None,
    without: int = 0,
    first_row: int = 0,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> Explanation:
    """Explain the scores of documents.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, or documents in memory
    outputs : sequence of str, optional
        Names of scores (:attr:`gibbous.Model.outputs`); without, for each response the class that
        is predicted (of several labels the one with the highest score).
    without : int
        For so many words of each document, those with the largest parts, find the score without
        them.
    first_row, callback, **options
        As in :meth:`gibbous.Model.predict`: with the same ones the scores are the same.

    Returns
    -------
    Explanation
    """
    documents, settings = model._with_settings(data, options, "explain", "explain")
    n_docs, n_explained = documents.corpus.n_docs, len(outputs or model.responses)
    out = ffi.new("gb_explanation **")
    check(
        library.gb_explanation_create,
        model._pointer,
        documents.corpus._pointer,
        n_explained,
        without,
        out,
    )
    made = Handle(out[0], library.gb_explanation_free)
    chosen = np.frombuffer(ffi.buffer(out[0].output, 8 * n_docs * n_explained), np.uint64)
    chosen = chosen.reshape(n_docs, n_explained)
    if outputs is None:
        _choose_predicted(model, documents, settings, first_row, callback, out[0])
    else:
        chosen[:] = [_number(model, name) for name in outputs]
    watch = on_apply(callback)
    watch.check(
        library.gb_explain,
        model._pointer,
        documents.corpus._pointer,
        first_row,
        settings.pointer,
        watch.pointer,
        ffi.NULL,
        out[0],
    )
    return _explanation(model, documents, made, chosen.astype(np.int64))


def _choose_predicted(
    model: Model,
    documents: Documents,
    settings: Settings,
    first_row: int,
    callback: Callable[[Any], object] | None,
    explanation: Any,
) -> None:
    """For each response the score of the predicted class, or the highest of several labels."""
    out = ffi.new("gb_prediction **")
    check(library.gb_prediction_create, model._pointer, documents.corpus.n_docs, out)
    made = Handle(out[0], library.gb_prediction_free)
    watch = on_apply(callback)
    watch.check(
        library.gb_predict,
        model._pointer,
        documents.corpus._pointer,
        first_row,
        settings.pointer,
        watch.pointer,
        ffi.NULL,
        made.pointer,
    )
    library.gb_explanation_choose(model._pointer, made.pointer, 0, explanation)


def _number(model: Model, name: str) -> int:
    if name not in model.outputs:
        raise ArgumentError(f"{name!r} is not a score of the model")
    return model.outputs.index(name)


def _explanation(
    model: Model, documents: Documents, made: Handle, outputs: NDArray[np.int64]
) -> Explanation:
    of = made.pointer
    by_score, n_topics = outputs.shape, int(of.n_topics) + 1
    start = view(made, of.word_start, "U64", (by_score[0] + 1,)).astype(np.int64)
    n_words, n_explained = int(start[-1]), by_score[1]

    def numbers(pointer: Any, *shape: int) -> Floats:
        return view(made, pointer, "F64", shape)

    return Explanation(
        model=model,
        ids=documents.corpus.ids,
        outputs=outputs,
        scores=numbers(of.score, *by_score),
        average=numbers(of.average, *by_score),
        shares=numbers(of.share, *by_score, n_topics),
        topics=numbers(of.topic, *by_score, n_topics),
        covariates=numbers(of.covariate, *by_score, int(of.n_fields)),
        embedding=numbers(of.embedding, *by_score),
        absent_words=numbers(of.absent, *by_score),
        centre=numbers(of.centre, *by_score),
        scale=numbers(of.scale, *by_score),
        word_start=start,
        words=view(made, of.word, "U32", (n_words,)),
        counts=view(made, of.word_count, "U32", (n_words,)),
        word_topics=numbers(of.word_topic, n_words, n_explained, n_topics),
        word_effects=numbers(of.word_effect, n_words, n_explained),
        without=numbers(of.without, n_words, n_explained),
        _made=made,
    )
