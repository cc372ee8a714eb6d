"""What a model says of documents, and what it predicts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, ffi
from gibbous.corpus import Corpus
from gibbous.errors import ArgumentError
from gibbous.html import rows_html
from gibbous.inputs._values import objects
from gibbous.tables import Framed, Table, ask

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["Documents", "HeldOut", "Prediction", "Response", "ResponsePrediction"]


@dataclass(frozen=True)
class Response:
    """A field that a model predicts.

    Attributes
    ----------
    field : str
    response : str
        "hinge", "gaussian", ...
    scale : str
        What scores and effects on them are in: "log odds", or "log" of what is predicted; "": the
        units of the field, or none.
    task : str
        "binary", "multiclass", "multilabel", "regression" or "ordinal".
    classes : list of str
        Their names.  Binary: the second is the positive one.  Ordinal: from the lowest to the
        highest.  Empty for a number.
    values : list
        The same classes as they were given in Python: numbers, true and false, or their names.  Of
        a model or of documents from a file: whole numbers, numbers, or true and false if all names
        are such, unless `text_labels` names the field.
    first_output, n_outputs : int
        Its scores are the columns ``first_output`` to ``first_output + n_outputs - 1``.
    has_probabilities : bool
        Its probabilities can be taken as such; if not, they are scores rescaled to 0 .. 1.
    is_calibrated : bool
        They come from curves that were fitted to held-out labels.
    lacks_probabilities : str or None
        Why classes have no probabilities.
    """

    field: str
    response: str
    scale: str
    task: str
    classes: list[str]
    values: list[Any]
    first_output: int
    n_outputs: int
    has_probabilities: bool
    is_calibrated: bool
    lacks_probabilities: str | None = None


@dataclass(frozen=True)
class ResponsePrediction:
    """The prediction of one response for some documents.

    Attributes
    ----------
    response : Response
    probabilities : ndarray of float64, shape (n_docs, n_classes), or None
        Of a number: None.
    index : ndarray of uint64, shape (n_docs,), or None
        The class that is predicted.  Of a number and of several labels: None.
    has_class : ndarray of bool, shape (n_docs, n_classes), or None
        Several labels: the classes that are predicted.
    mean, sd, q05, q95 : ndarray of float64, shape (n_docs,), or None
        A number: of the predictive distribution, in units of the field; its 5 % and 95 % quantiles.
    """

    response: Response
    probabilities: NDArray[np.float64] | None
    index: NDArray[np.uint64] | None
    has_class: NDArray[np.bool_] | None
    mean: NDArray[np.float64] | None
    sd: NDArray[np.float64] | None
    q05: NDArray[np.float64] | None
    q95: NDArray[np.float64] | None

    @property
    def labels(self) -> NDArray[Any]:
        """What is predicted, shape (n_docs,).

        Classes as they were given (:attr:`Response.values`); tuples of them, for several labels;
        the mean of a number.
        """
        if self.mean is not None:
            return self.mean
        values = self.response.values
        if self.index is not None:
            return _as_given(values)[self.index.astype(np.intp)]
        assert self.has_class is not None
        labels = np.empty(len(self.has_class), dtype=object)
        for d, row in enumerate(self.has_class):
            labels[d] = tuple(values[c] for c in np.flatnonzero(row))
        return labels


def typed(names: list[str]) -> dict[str, Any]:
    """The values that names of classes are of: all whole numbers, all numbers, or all truth values.

    Parameters
    ----------
    names : list of str

    Returns
    -------
    dict of str to int, float or bool
        Empty if they are texts.

    Examples
    --------
    >>> typed(["1", "2"]), typed(["0.5", "1"]), typed(["false", "true"]), typed(["007", "8"])
    ({'1': 1, '2': 2}, {'0.5': 0.5, '1': 1.0}, {'false': False, 'true': True}, {})
    """
    if all(name in ("true", "false") for name in names):
        return {name: name == "true" for name in names}
    if all(re.fullmatch(r"0|-?[1-9][0-9]{0,17}", name) for name in names):
        return {name: int(name) for name in names}
    if all(re.fullmatch(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]*[1-9])?", name) for name in names):
        return {name: float(name) for name in names}
    return {}


def _as_given(values: list[Any]) -> NDArray[Any]:
    """An array of numbers, or of true and false, if all values are of one such type."""
    kinds = {np.asarray(value).dtype for value in values}
    is_one = len(kinds) == 1 and next(iter(kinds)).kind in "biuf"
    return np.array(values) if is_one else objects(values)


@dataclass(frozen=True, repr=False)
class Prediction:
    """The prediction for some documents.  :meth:`to_frame` has a row for each of them.

    Attributes
    ----------
    topic_shares : ndarray of float64, shape (n_docs, n_topics)
        Expected shares of the topics of the leading chain; rows add up to 1.
    scores : ndarray of float64, shape (n_docs, n_outputs)
        Mean scores over the snapshots of the model.
    n_known, n_unknown : ndarray of uint64, shape (n_docs,)
        Words of the document that the model knows, and that it does not know.
    responses : list of ResponsePrediction
    ids : list of str
    score_errors : ndarray of float64, shape (n_docs, n_outputs)
        Standard errors of `scores` over the snapshots, as if these were independent.
    """

    topic_shares: NDArray[np.float64]
    scores: NDArray[np.float64]
    n_known: NDArray[np.uint64]
    n_unknown: NDArray[np.uint64]
    responses: list[ResponsePrediction]
    ids: list[str]
    score_errors: NDArray[np.float64]
    _model: Model = field(repr=False, compare=False)
    _options: dict[str, Any] = field(repr=False, compare=False)  # what :meth:`to_frame` shows

    def __repr__(self) -> str:
        n = len(self.ids)
        lines = [f"<gibbous.Prediction of {n} document{'' if n == 1 else 's'}>"]
        lines += [_summary(of) for of in self.responses]
        n_prior = int((self.n_known == 0).sum())
        if n_prior > 0:
            lines.append(f"{n_prior} of {n} documents have no word that the model knows")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        title = f"gibbous prediction of {len(self.ids)} documents"
        return rows_html(
            title, self._table().columns, notes=[_summary(of) for of in self.responses]
        )

    def _table(self, top: int | None = None) -> Table:
        """The rows of ``gibbous predict``, with classes as they were given."""
        asked = self._options if top is None else {**self._options, "top": top}
        made = ffi.new("gb_prediction *", {"size": ffi.sizeof("gb_prediction")})
        rows = ffi.new("gb_response_prediction[]", max(len(self.responses), 1))
        kept = [rows]  # what the library looks at

        def pointer(kind: str, values: NDArray[Any]) -> Any:
            kept.append(ffi.from_buffer(f"{kind}[]", np.ascontiguousarray(values)))
            return kept[-1]

        made.n_docs, made.n_topics = self.topic_shares.shape
        made.n_outputs, made.n_responses = self.scores.shape[1], len(self.responses)
        made.share, made.score = (pointer("double", x) for x in (self.topic_shares, self.scores))
        made.score_error = pointer("double", self.score_errors)
        made.n_known, made.response = pointer("uint64_t", self.n_known), rows
        for of, row in zip(self.responses, rows, strict=False):
            row.n_classes = len(of.response.classes)
            for name in ("mean", "sd", "q05", "q95"):
                if getattr(of, name) is not None:
                    setattr(row, name, pointer("double", getattr(of, name)))
            if of.probabilities is not None:
                row.probability = pointer("double", of.probabilities)
                index = of.index
                several = np.full(len(self.ids), 2**64 - 1, np.uint64)
                row.predicted = pointer("uint64_t", several if index is None else index)
        n_unknown = pointer("uint64_t", self.n_unknown)
        model = self._model._pointer
        table = ask("predictions", asked, model=model, prediction=made, n_unknown=n_unknown)
        return replace(table, columns={**table.columns, "id": self.ids, **self._given(table)})

    def _given(self, table: Table) -> dict[str, Any]:
        """The columns of classes, as the classes were given."""
        found: dict[str, Any] = {}
        for of in self.responses:
            start = f"{of.response.field}." if len(self.responses) > 1 else ""
            if of.mean is not None:
                continue
            labels = of.labels
            found[f"{start}predicted"] = (
                labels.tolist() if of.has_class is None else [list(row) for row in labels]
            )
            values = dict(zip(of.response.classes, of.response.values, strict=True))
            i = 1
            while (name := f"{start}top_{i}") in table.columns:
                found[name] = [values[cell] for cell in table.columns[name]]
                i += 1
        return found

    def to_frame(self, frame: str | None = None, *, top: int | None = None) -> Any:
        """A row for each document, with the columns of ``gibbous predict``.

        Parameters
        ----------
        top : int, optional
            List so many classes, the most probable first, in ``top_1``, ``p_top_1``, ``top_2``,
            ...; 0: a column for each class.  By default as :meth:`Model.predict` was asked.
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Returns
        -------
        DataFrame
            ``id``, ``predicted``; ``p_CLASS`` for each class that has a probability, else
            ``score_CLASS``; ``mean``, ``sd``, ``q05``, ``q95`` of a number; ``n_known`` and
            ``n_unknown`` words; ``note``.  With several responses, names begin with the field:
            ``genre.predicted``.

        Examples
        --------
        >>> import gibbous
        >>> texts = ["goal team match", "bank stock price"] * 10
        >>> model = gibbous.train(
        ...     texts, label=["sport", "money"] * 10, topics=2, sweeps=40, chains=1, seed=1
        ... )
        >>> list(model.predict(texts).to_frame("arrays"))[:2]
        ['id', 'predicted']
        """
        return self._table(top).frame(frame)

    def _only(self) -> ResponsePrediction:
        if len(self.responses) != 1:
            raise ArgumentError(
                f"the model has {len(self.responses)} responses: ask one of `responses`"
            )
        return self.responses[0]

    @property
    def labels(self) -> NDArray[Any]:
        """`labels` of the only response."""
        return self._only().labels

    @property
    def probabilities(self) -> NDArray[np.float64] | None:
        """`probabilities` of the only response."""
        return self._only().probabilities

    @property
    def mean(self) -> NDArray[np.float64] | None:
        """`mean` of the only response."""
        return self._only().mean


def _summary(of: ResponsePrediction) -> str:
    """One line: how often each class is predicted, or the range of numbers."""
    name = f"{of.response.field} ({of.response.response})"
    if of.mean is not None:
        low, high = (float(of.mean.min()), float(of.mean.max())) if len(of.mean) > 0 else (0.0, 0.0)
        return f"{name}: {low:.4g} to {high:.4g}"
    if of.has_class is not None:
        counts = of.has_class.sum(axis=0)
    else:
        assert of.index is not None
        counts = np.bincount(of.index.astype(np.intp), minlength=len(of.response.classes))
    order = np.argsort(-counts, kind="stable")[:5]
    shown = [f"{of.response.classes[c]} {counts[c]}" for c in order if counts[c] > 0]
    return f"{name}: {', '.join(shown)}{', ...' if (counts > 0).sum() > len(shown) else ''}"


@dataclass(frozen=True)
class Documents:
    """Documents in the vocabulary of a model, from :meth:`Model.documents`.

    Attributes
    ----------
    corpus : Corpus
    n_unknown : ndarray of uint64, shape (n_docs,)
        Words that the model does not know.
    """

    corpus: Corpus
    n_unknown: NDArray[np.uint64]


@dataclass(frozen=True, repr=False)
class HeldOut(Framed):
    """How probable documents are under a model; :meth:`to_frame` has the attributes as columns.

    Attributes
    ----------
    log_likelihood : ndarray of float64, shape (n_docs,)
        Natural logarithm of the estimate; 0 without words that the model knows.
    standard_error : ndarray of float64, shape (n_docs,)
        Monte Carlo standard error of the logarithm; NaN with one sample.
    n_scored : ndarray of uint64, shape (n_docs,)
        Tokens whose probability is estimated.
    """

    log_likelihood: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    n_scored: NDArray[np.uint64]
    _made: Handle = field(repr=False, compare=False)

    def __repr__(self) -> str:
        n = int(self.n_scored.sum())
        per_token = float(self.log_likelihood.sum()) / n if n > 0 else float("nan")
        return (
            f"<gibbous.HeldOut of {len(self.n_scored)} documents: log likelihood per token"
            f" {per_token:.4g}, {n} tokens>"
        )

    def _cells(self) -> dict[str, Any]:
        return {
            "log_likelihood": self.log_likelihood,
            "standard_error": self.standard_error,
            "n_scored": self.n_scored,
        }

    def _repr_html_(self) -> str:
        return rows_html(repr(self).strip("<>"), self._cells())
