"""Scores of documents as sums over topics, words, embedding and covariates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gibbous import _option_types
from gibbous._library import Handle, check, ffi, library
from gibbous._public import plain, short_errors, short_errors_of, with_options
from gibbous.html import rows_html
from gibbous.progress import on_apply
from gibbous.tables import Framed, Table, answer, ask

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import ExplainOptions
    from gibbous.model import Model
    from gibbous.results import Documents

__all__ = ["Explanation", "explain"]


@short_errors_of
class Explanation(Framed):
    """Why documents have their scores, in the tables that the command prints.

    Every frame has ``id``, ``field``, ``class`` and ``score``: a score of a document, in units of
    its field if that has numbers; and ``predicted``, the class that the model predicts.
    :meth:`to_frame` is that of :meth:`parts`.
    """

    def __init__(self, model: Model, documents: Documents, made: Handle) -> None:
        self._model, self._documents, self._made = model, documents, made
        self._topics = answer("topics", {"words": 3}, model=model._pointer)

    def __repr__(self) -> str:
        n = self._documents.corpus.n_docs
        lines = [f"<gibbous.Explanation of {n} document{'' if n == 1 else 's'}>"]
        for row in self._first(1):
            what = f"{row['kind']} {row['feature']}".strip()
            words = " ".join(row["words"]) if isinstance(row["words"], list) else row["words"]
            if not lines[1:]:
                lines.append(f"{row['id']}: {row['class'] or row['field']} {row['score']:.4g} =")
            lines.append(f"  {row['part']:+.4g}  {what}{f'  ({words})' if words else ''}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = self._first(3)
        names = ("id", "field", "class", "score", "kind", "feature", "part", "words")
        columns = {name: [row[name] for row in rows] for name in names if name in (rows or [{}])[0]}
        n = self._documents.corpus.n_docs
        return rows_html(f"gibbous explanation of {n} documents", columns, n_rows=len(rows))

    def _first(self, n_scores: int) -> list[dict[str, Any]]:
        """The largest parts of the first scores."""
        found: list[dict[str, Any]] = []
        seen: list[tuple[Any, ...]] = []
        for row in self._answer("explanation", rows=6, words=3).rows():
            score = (row["id"], row["field"], row.get("class"))
            if score not in seen:
                seen.append(score)
            if len(seen) > n_scores:
                break
            found.append({"class": "", "words": "", **row})
        return found

    def _cells(self) -> Table:
        return self._answer("explanation", words=5)

    def _answer(self, question: str, **options: Any) -> Table:
        return ask(
            question,
            options,
            model=self._model._pointer,
            documents=self._documents.corpus._pointer,
            explanation=self._made.pointer,
            topics=self._topics.pointer,
        )

    def parts(self, rows: int | None = None, *, n_words: int = 5, frame: str | None = None) -> Any:
        """The terms of each score, the largest first; they add up to it.

        Parameters
        ----------
        rows : int, optional
            At most so many parts, and one row for all that are smaller.
        n_words : int
            Words of the document that carry a part.
        frame : str, optional
            See :mod:`gibbous.frames`.

        Returns
        -------
        DataFrame
            ``kind`` and ``feature``, such as "topic" and "3"; ``value`` of a covariate, ``share``
            of a topic, ``part``, ``topic_words`` and ``words``.  The first row of each score is
            the average training document.

        Examples
        --------
        >>> parts = model.explain(texts[:1]).parts(frame="arrays")
        >>> bool(abs(parts["part"].sum() - parts["score"][0]) < 1e-9)
        True
        """
        return self._answer("explanation", rows=rows, words=n_words).frame(frame)

    def words(self, rows: int | None = None, *, frame: str | None = None) -> Any:
        """What each word adds to each score, the largest first.

        Parameters
        ----------
        rows : int, optional
            So many words of each score; by default all.
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Returns
        -------
        DataFrame
            ``word``, ``count``, ``topic`` with the largest part of it, ``part``, and ``without``:
            the score without the word, where :func:`explain` was asked for it.

        Examples
        --------
        >>> sorted(model.explain(texts[:1]).words(frame="arrays")["word"])
        ['goal', 'match', 'team']
        """
        return self._answer("explanation-words", rows=rows).frame(frame)

    def topic_words(self, *, frame: str | None = None) -> Any:
        """The part of each topic, split over the words: ``topic``, ``word``, ``part``.

        Parameters
        ----------
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Examples
        --------
        >>> sorted(set(model.explain(texts[:1]).topic_words(frame="arrays")["word"]))
        ['goal', 'match', 'team']
        """
        return self._answer("explanation-topic-words").frame(frame)


@short_errors
@with_options(_option_types.ExplainOptions)
def explain(
    model: Model,
    data: Any,
    *,
    outputs: Sequence[str] | None = None,
    without: int = 0,
    callback: Callable[[Any], object] | None = None,
    **options: Unpack[ExplainOptions],
) -> Explanation:
    """Explain the scores of documents.

    Parameters
    ----------
    model : Model
    data : str or path, Documents, or documents in memory
    outputs : sequence of str, optional
        Names of scores (:attr:`gibbous.Model.outputs`), classes, or "all"; without, for each
        response the class that is predicted (of several labels the one with the highest score).
    without : int
        For so many words of each document, those with the largest parts, find the score without
        them.
    callback, **options
        As in :meth:`gibbous.Model.predict`: with the same ones the scores are the same.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> gibbous.explain(model, texts[:1]).words(frame="arrays")["word"].tolist()  # doctest: +SKIP
    ['goal', 'match', 'team']
    """
    asked = {"of": list(outputs or []), "without": without}
    documents, settings = model._with_settings(
        data, {**plain(options), **asked}, "explain", "explain"
    )
    prediction = model._predict(documents, settings, callback)
    out = ffi.new("gb_explanation **")
    corpus = documents.corpus._pointer
    given = (model._pointer, corpus, settings.pointer, prediction.pointer, 0)
    check(library.gb_explanation_make, *given, out)
    made, watch = Handle(out[0], library.gb_explanation_free), on_apply(callback)
    run = (model._pointer, corpus, 0, settings.pointer, watch.pointer, ffi.NULL, out[0])
    watch.check(library.gb_explain, *run)
    return Explanation(model, documents, made)
