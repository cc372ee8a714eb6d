"""Scores of predictions, cross-validation, and documents that are drawn from a model."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous import _option_types
from gibbous._library import Callback, Handle, check, encoded_path, ffi, library
from gibbous._public import plain, short_errors, short_errors_of, with_options
from gibbous.corpus import Corpus, corpus_of, is_in_memory
from gibbous.errors import ArgumentError, Stopped
from gibbous.html import rows_html
from gibbous.inputs import loaded, split
from gibbous.options import Settings
from gibbous.plan import choose_seed
from gibbous.progress import Bar, OnSweep, on_apply, sweep_function
from gibbous.tables import Framed, Table, ask

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import EvaluateOptions
    from gibbous.model import Model

__all__ = ["CrossValidation", "Evaluation", "cross_validate", "simulate"]


def sections(
    table: Table, column: str = "value", *, keep_nan: bool = False
) -> dict[str, dict[str, float]]:
    """Scores by section and name; those that do not apply are left out, unless NaN is kept."""
    found: dict[str, dict[str, float]] = {}
    cells = table.columns
    names = cells["field"] if "field" in cells else cells["section"]
    for section, name, value in zip(names, cells["score"], cells[column], strict=True):
        of = found.setdefault(section, {})
        if keep_nan or column == "se" or not math.isnan(value):
            of[name] = float(value)
    return found


def _shown(table: Table) -> dict[str, Any]:
    """The columns that have anything in them, and the rows with values."""
    known = [not math.isnan(value) for value in table.columns["value"]]
    columns: dict[str, Any] = {}
    for name, cells in table.columns.items():
        kept = [cell for cell, is_known in zip(cells, known, strict=True) if is_known]
        if any(cell == cell and cell != "" for cell in kept):
            columns[name] = kept
    return columns


@short_errors_of
class Evaluation(Framed, Mapping[str, Mapping[str, float]]):
    """Scores by section: the field of each response, then "held_out".

    ``evaluation["genre"]["accuracy"]``; docs/outputs says what the scores mean.  A model with one
    response has them as ``evaluation.scores`` too.  :meth:`to_frame` has a row for each score, as
    the command prints them.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        table = self.table()
        self._sections, self._remarks = sections(table), table.remarks

    def __getitem__(self, section: str) -> Mapping[str, float]:
        return self._sections[section]

    def __iter__(self) -> Any:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def __repr__(self) -> str:
        lines = [f"<gibbous.Evaluation of {', '.join(self)}>"]
        for section, scores in self.items():
            lines += [f"{section}.{name}: {value:.6g}" for name, value in scores.items()]
        return "\n".join([*lines, *self._remarks])

    def _repr_html_(self) -> str:
        table = self.table()
        return rows_html("gibbous evaluation", _shown(table), n_rows=100, notes=self._remarks)

    def _cells(self) -> Table:
        return self.table()

    @property
    def scores(self) -> Mapping[str, float]:
        """The scores of the only section."""
        if len(self) != 1:
            raise ArgumentError(f"there are {len(self)} sections: {', '.join(self)}")
        return next(iter(self._sections.values()))

    def table(self, question: str = "evaluation") -> Table:
        """The answer to "evaluation", "classes", "calibration", "confusion" or "subgroups".

        Parameters
        ----------
        question : str

        Examples
        --------
        >>> model.evaluate(texts, label=labels).table("confusion").columns["n"].sum()
        np.int64(20)
        """
        return ask(question, evaluation=self._handle.pointer)

    def _of(self, question: str, field: str | None) -> Table:
        """The rows of a field, or of the only one."""
        n = int(library.gb_evaluation_n_responses(self._handle.pointer))
        fields = list(self)[:n]
        if field is None and n == 1:
            field = fields[0]
        if field not in fields:
            raise ArgumentError(
                f"no response {field!r} was evaluated; there are: {', '.join(fields)}"
            )
        return self.table(question).only("field", [field])

    def class_scores(self, field: str | None = None, *, frame: str | None = None) -> Any:
        """Precision, recall and F1 of each class of a response (the only one, or of this field).

        Parameters
        ----------
        field : str, optional
            The response; not needed if there is one.
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Examples
        --------
        >>> model.evaluate(texts, label=labels).class_scores(frame="arrays")["class"].tolist()
        ['money', 'sport']
        """
        return self._of("classes", field).frame(frame)

    def confusion(self, field: str | None = None) -> NDArray[np.int64] | None:
        """Documents by true class (rows) and predicted class.

        None for several labels, a number, or more than 30 classes.

        Parameters
        ----------
        field : str, optional
            The response; not needed if there is one.

        Returns
        -------
        ndarray of int64, shape (n_classes, n_classes), or None

        Examples
        --------
        >>> model.evaluate(texts, label=labels).confusion()
        array([[10,  0],
               [ 0, 10]])
        """
        cells = self._of("confusion", field).columns
        n = len(set(cells["true"]))
        return np.asarray(cells["n"]).reshape(n, n) if n > 0 else None

    def calibration(self, field: str | None = None, *, frame: str | None = None) -> Any:
        """How often predictions came true, by their probability.

        A data frame with the columns `field`, `event` (what the probability is of), `low`, `high`,
        `n` (predictions), `mean_probability` and `share` (of them that came true).

        Parameters
        ----------
        field : str, optional
            The response; not needed if there is one.
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Examples
        --------
        >>> model.evaluate(texts, label=labels).calibration()  # doctest: +SKIP
        """
        return self._of("calibration", field).frame(frame)


def evaluate(
    model: Model, data: Any, callback: Callable[[Any], object] | None, options: Mapping[str, Any]
) -> Evaluation:
    """See :meth:`gibbous.Model.evaluate`."""
    made: list[Handle] = []

    def begin(settings: Settings) -> None:
        out = ffi.new("gb_evaluation **")
        check(library.gb_evaluation_create, model._pointer, settings.pointer, out)
        made.append(Handle(out[0], library.gb_evaluation_free, [model._handle, settings]))
        check(library.gb_evaluation_request_fields, out[0], settings.pointer)

    batches = model._labelled_batches(data, options, begin)
    watch, first_row = on_apply(callback), 0
    for documents, settings in batches:
        n_unknown = np.ascontiguousarray(documents.n_unknown)
        watch.run(
            library.gb_evaluate,
            (
                made[0].pointer,
                documents.corpus._pointer,
                ffi.cast("uint64_t const *", n_unknown.ctypes.data),
                first_row,
                settings.pointer,
            ),
            ffi.NULL,
            ffi.NULL,
        )
        first_row += documents.corpus.n_docs
    check(library.gb_evaluation_finish, made[0].pointer)
    return Evaluation(made[0])


# ---- cross-validation


@dataclass(frozen=True)
class CrossValidation(Framed):
    """Scores of models that were trained on all parts but one, and evaluated on that one.

    :meth:`to_frame` has a row for each score of all parts together, with its standard error.

    Attributes
    ----------
    scores : dict of dict of float
        Of the documents of all parts together, by section and name.
    standard_errors : dict of dict of float
        Of these scores; NaN for counts.
    parts : dict of dict of dict of float
        Scores of each part by its name: "1", "2", ... or "FIELD=VALUE".
    linear : dict of dict of float, or None
        With ``baseline=True``, scores of linear models on TF-IDF in the same parts.
    tables : dict of str to Table
        The answers to "evaluation", "parts", "predictions" and, where they were asked for,
        "likelihood" and "subgroups".
    """

    scores: dict[str, dict[str, float]]
    standard_errors: dict[str, dict[str, float]]
    parts: dict[str, dict[str, dict[str, float]]]
    linear: dict[str, dict[str, float]] | None
    tables: dict[str, Table] = field(repr=False)

    def _repr_html_(self) -> str:
        title = f"gibbous cross-validation in {len(self.parts)} parts"
        table = self.tables["evaluation"]
        return rows_html(title, _shown(table), n_rows=100, notes=table.remarks)

    def predictions(self, frame: str | None = None) -> Any:
        """A row for each document, by the model that has not seen it.

        Parameters
        ----------
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Returns
        -------
        DataFrame
            ``id``, ``part``, ``true``, and the columns of :meth:`Prediction.to_frame`; n_docs rows
            in the order of the documents.

        Examples
        --------
        >>> gibbous.cross_validate(texts, label=labels, folds=2, **quick).predictions().shape[0]
        20
        """
        if "predictions" not in self.tables:
            raise ArgumentError("models without a response predict nothing")
        return self.tables["predictions"].frame(frame)

    def _cells(self) -> Table:
        return self.tables["evaluation"]

    def __repr__(self) -> str:
        lines = [f"<gibbous.CrossValidation, {len(self.parts)} parts>"]
        for section, scores in self.scores.items():
            for name, value in scores.items():
                error = self.standard_errors[section][name]
                lines.append(
                    f"{section}.{name}: {value:.6g}"
                    + ("" if math.isnan(error) else f" ± {error:.2g}")
                )
        return "\n".join(lines)


@short_errors
@with_options(_option_types.EvaluateOptions)
def cross_validate(
    data: Any,
    *,
    callback: OnSweep | None = None,
    progress: bool = False,
    **options: Unpack[EvaluateOptions],
) -> CrossValidation:
    """Train on all parts of the documents but one, evaluate on that one, for each part.

    Parameters
    ----------
    data : Corpus, str or path, or documents in memory
    callback : callable, optional
        Called with a :class:`Progress` after sweeps; stops by returning False.
    progress : bool
        Show a bar (tqdm), or without tqdm lines on standard error.
    **options
        `folds` (random parts) or `hold_out_group`; `baseline`; and options of training and
        evaluation.

    Raises
    ------
    Stopped
        Ctrl-C: nothing is scored then.

    Examples
    --------
    >>> gibbous.cross_validate(texts, label=labels, folds=2, **quick).scores["label"]["accuracy"]
    1.0
    """
    data, in_memory, given = loaded(data), None, plain(options)
    if is_in_memory(data):
        in_memory, given = split(data, given)
    settings = Settings(given, ("evaluate",), "cross_validate")
    choose_seed(settings)
    out = ffi.new("gb_cross_validation **")
    if isinstance(data, (str, os.PathLike)):
        reading = Callback("gb_read_progress", lambda _: True)
        reading.run(library.gb_cross_validation_read, (encoded_path(data), settings.pointer), out)
        borrowed: list[Handle] = [settings]
    else:
        corpus: Corpus = data if in_memory is None else corpus_of(in_memory, settings)
        check(library.gb_cross_validation_create, corpus._pointer, settings.pointer, out)
        borrowed = [settings, corpus._handle]
    handle = Handle(out[0], library.gb_cross_validation_free, borrowed)
    bar = Bar(progress)
    watch = Callback("gb_progress", sweep_function(callback, bar))
    try:
        watch.check(library.gb_cross_validation_run, handle.pointer, watch.pointer, ffi.NULL)
    except KeyboardInterrupt as interrupt:
        raise Stopped("the cross-validation was stopped; nothing is scored") from interrupt
    finally:
        bar.close()
    return _results(handle.pointer, settings.is_set("subgroups"))


def _results(validation: Any, is_split: bool) -> CrossValidation:
    questions = ["evaluation", "parts"]
    if library.gb_cross_validation_has_likelihood(validation):
        questions.append("likelihood")
    if is_split:
        questions.append("subgroups")
    tables = {question: ask(question, validation=validation) for question in questions}
    with suppress(ArgumentError):  # of models that predict nothing
        tables["predictions"] = ask("predictions", validation=validation)
    means, parts = tables["evaluation"], tables["parts"]
    return CrossValidation(
        scores=sections(means),
        standard_errors=sections(means, "se"),
        parts={
            name: sections(parts.only("part", [name]))
            for name in dict.fromkeys(parts.columns["part"])
        },
        linear=sections(means, "linear") if "linear" in means.columns else None,
        tables=tables,
    )


# ---- simulation


@short_errors
def simulate(model: Model | None = None, **options: Any) -> Corpus:
    """Draw documents: from the last draw of a model, or from the priors.

    Parameters
    ----------
    model : Model, optional
    **options
        `documents`, `length`, `vocabulary_size`, `classes`, `topics`, `seed`, and others of
        ``gibbous simulate``.

    Examples
    --------
    >>> gibbous.simulate(documents=5, length=20, vocabulary_size=9, topics=2, seed=1).n_docs
    5
    """
    settings = Settings(options, ("simulate",), "simulate")
    choose_seed(settings)
    out = ffi.new("gb_corpus **")
    watch = on_apply(None)
    pointer = ffi.NULL if model is None else model._pointer
    watch.check(library.gb_simulate, pointer, settings.pointer, watch.pointer, ffi.NULL, out)
    return Corpus._owned(out[0])
