"""From documents and options to a model, in one call."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gibbous import _option_types
from gibbous._library import Callback, check, encoded_path, ffi, library
from gibbous._public import plain, short_errors, with_options
from gibbous.corpus import Corpus, corpus_of, is_in_memory
from gibbous.diagnosis import warn_unless_settled
from gibbous.errors import NoDrawsError, Stopped, error_of
from gibbous.inputs import loaded, split
from gibbous.model import Model
from gibbous.options import Settings
from gibbous.plan import choose_seed
from gibbous.progress import Bar, OnSweep, sweep_function
from gibbous.results import typed
from gibbous.tables import words_after

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import TrainOptions

__all__ = ["train"]


@short_errors
@with_options(_option_types.TrainOptions)
def train(
    data: Any,
    *,
    callback: OnSweep | None = None,
    progress: bool = False,
    init_from: Model | str | os.PathLike[str] | None = None,
    **options: Unpack[TrainOptions],
) -> Model:
    """Fit a model.

    Parameters
    ----------
    data : Corpus, str or path, or documents in memory
        A path is read as the command reads it.  Documents in memory are a data frame, a matrix of
        counts, a list of texts, or anything else that :func:`gibbous.inputs.collect` takes.  Its
        arguments (`text`, `label`, `labels`, `target`, `covariates`, `group`, `exposure`,
        `document_weight`, `vocabulary`, `id`) name columns of a data frame, or are values.
    callback : callable, optional
        Called with a :class:`Progress` after each sweep and about four times a second, on the
        calling thread.  It stops the training by returning False.  What it raises is raised after
        the sweep; the draws so far are in the exception's attribute `model`.
    progress : bool
        Show a bar (tqdm), or without tqdm lines on standard error.
    init_from : Model or path, optional
        Begin with the topics of this model.
    **options
        Options of the command ``gibbous train`` with underscores: ``topics=20``,
        ``response="logistic"``, ``sweeps=500``, ``seed=1``. ``gibbous.options()`` lists them.

    Returns
    -------
    Model
        The same, bit for bit, that the command gives for the same documents, options and seed.  If
        the callback or `time_limit` has stopped the training, a model of the draws that were kept.

    Raises
    ------
    Stopped
        Ctrl-C; its attribute `model` has the draws so far.  It is a KeyboardInterrupt.
    ArgumentError, FormatError
        Options that do not go together, labels that do not suit the task.
    NoDrawsError
        The training was stopped before a draw was kept.

    Warns
    -----
    ConvergenceWarning
        The run has not settled; the message is the one of the command, see :meth:`Model.diagnose`.

    Examples
    --------
    >>> import gibbous
    >>> texts = ["goal team match", "bank stock price"] * 10
    >>> gibbous.train(
    ...     texts, label=["sport", "money"] * 10, topics=2, sweeps=40, chains=1, seed=1
    ... )
    <gibbous.Model: 2 topics, 6 words, 20 draws; label: hinge>
    """
    data, in_memory, given = loaded(data), None, plain(options)
    if is_in_memory(data):
        in_memory, given = split(data, given)
    if init_from is not None and not isinstance(init_from, Model):
        given["init_from"], init_from = init_from, None
    settings = Settings(given, ("train",), "train")
    if "resume" in given:
        check(library.gb_settings_resume, settings.pointer, encoded_path(given["resume"]))
    choose_seed(settings)
    with words_after():
        corpus = _as_corpus(data, settings) if in_memory is None else corpus_of(in_memory, settings)
        data = in_memory = None  # the corpus has all that it needs; converted arrays are freed
        model = _train(corpus, settings, callback, progress, init_from)
    warn_unless_settled(model)
    return model


def _train(
    corpus: Corpus,
    settings: Settings,
    callback: OnSweep | None,
    progress: bool,
    init_from: Model | None,
) -> Model:
    n_folds = int(settings.get("cross-fit"))
    if n_folds > 0:
        check(library.gb_cross_fit_check, corpus._pointer, settings.pointer)
    if float(settings.get("estimate-on")) > 0:
        out = ffi.new("gb_corpus **")
        check(library.gb_estimate_hold_out, corpus._pointer, settings.pointer, out)
        corpus = Corpus._owned(out[0], corpus._given)
    _note_texts(corpus, settings)
    bar = Bar(progress)
    try:
        return _fit(corpus, settings, n_folds > 0, callback, bar, init_from)
    finally:
        bar.close()


def _note_texts(corpus: Corpus, settings: Settings) -> None:
    """Have a model remember which classes were texts, where their names do not say so."""
    values = corpus._given.values
    for field in corpus.fields if values else []:
        if values.get(field.name) == {} and field.classes and typed(field.classes):
            settings.set("text-labels", field.name)


def _as_corpus(data: Any, settings: Settings) -> Corpus:
    return data if isinstance(data, Corpus) else Corpus._read(data, settings)


def _fit(
    corpus: Corpus,
    settings: Settings,
    has_folds: bool,
    callback: OnSweep | None,
    bar: Bar,
    begin_with: Model | None,
) -> Model:
    watch = Callback("gb_progress", sweep_function(callback, bar))
    if has_folds:
        begun = ffi.new("gb_model **")
        watch.run(library.gb_cross_fit_begin, (corpus._pointer, settings.pointer), begun)
        begin_with = Model._owned(begun[0])
    beginning = ffi.NULL if begin_with is None else begin_with._pointer
    out = ffi.new("gb_model **")
    status, message = watch.call(
        library.gb_train_from,
        corpus._pointer,
        settings.pointer,
        beginning,
        watch.pointer,
        ffi.NULL,
        out,
        ffi.NULL,
    )
    model = None if out[0] == ffi.NULL else Model._owned(out[0], corpus._given)
    if model is not None and (settings.get("checkpoint") or settings.get("resume")):
        # A model reads its draws from the file beside the checkpoint, which another run needs.
        model = Model._unpickled(model.to_bytes(), corpus._given)
    _raise_failure(watch, status, message, model, settings)
    assert model is not None
    if has_folds:
        model = _cross_fit(corpus, settings, beginning, watch, model)
    return model


def _cross_fit(
    corpus: Corpus, settings: Settings, beginning: Any, watch: Callback, model: Model
) -> Model:
    # Effects are estimated between the trainings; Ctrl-C stops there, too.
    apply = Callback("gb_apply_progress", lambda _: True)
    calls = ffi.new("gb_cross_fit_calls *")
    calls.on_sweep, calls.on_apply = watch.pointer, apply.pointer
    status, message = watch.call(
        library.gb_cross_fit, corpus._pointer, settings.pointer, beginning, model._pointer, calls
    )
    watch.error = watch.error or apply.error
    _raise_failure(watch, status, message, model, settings)
    return model


def _way_on(settings: Settings) -> str:
    """How a run that was stopped goes on from its checkpoint; empty if it has none."""
    path = settings.get("resume") or settings.get("checkpoint")
    kept = path and Path(path).exists()
    return f"; the run is kept in {path}, go on with resume={path!r}" if kept else ""


def _raise_failure(
    watch: Callback, status: int, message: str, model: Model | None, settings: Settings
) -> None:
    """Raise, unless a training came to its end, or was stopped by its caller and has draws."""
    error: BaseException
    if isinstance(watch.error, KeyboardInterrupt):
        left = (
            "no draw was kept"
            if model is None
            else f"sys.last_value.model has the {model.n_draws} draws kept so far"
        )
        where = message if status == library.GB_ESTOP else "the training was stopped"
        error = Stopped(f"{where}; {left}{_way_on(settings)}", model=model)
    elif watch.error is not None:
        error = watch.error
    elif status == library.GB_ESTOP:
        if model is not None:
            return
        error = NoDrawsError(f"{message}; no draw was kept so far{_way_on(settings)}")
    elif status != library.GB_OK:
        error = error_of(status, message)
    else:
        return
    if model is not None:
        with suppress(AttributeError):
            error.model = model  # type: ignore[attr-defined]
    raise error from (watch.error if isinstance(error, Stopped) else None)
