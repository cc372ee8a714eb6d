"""What each draw of a model says of documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, check, ffi, library, view
from gibbous.options import Settings
from gibbous.progress import on_apply
from gibbous.results import Response

if TYPE_CHECKING:
    from gibbous.model import Model
    from gibbous.results import Documents

__all__ = ["MOST_BYTES", "PredictedDraws", "ResponseDraws", "predict_draws"]

Floats = NDArray[np.float64]

#: More than these bytes of predictions are refused unless the caller says another number.
MOST_BYTES = 2**30


@dataclass(frozen=True)
class ResponseDraws:
    """One response in every snapshot.

    Attributes
    ----------
    response : Response
    is_likelihood : bool
        The model was fitted with a likelihood of the values, not with a loss (hinge, insensitive)
        or a likelihood to a power (a cost other than 1, weights): then `log_factor` is one.
    observed : ndarray of float64, shape (n_docs,) or (n_docs, n_classes)
        What the documents have: the number of a class; of several labels 1 or 0 for each; a number
        in the units of its field.  NaN: missing.
    expected : ndarray of float64, shape (n_snapshots, n_docs) or (n_snapshots, n_docs, n_classes)
        The expected number, or probabilities of the classes, given the draw.  None for a hinge.
    simulated : ndarray of float64, shape (n_snapshots, n_docs) or (n_snapshots, n_docs, n_classes)
        Values drawn from the law of the response given the draw, coded as `observed`.  None for a
        hinge, which has no law of labels.
    log_factor : ndarray of float64, shape (n_snapshots, n_docs)
        Log of the factor that the document's value has in the posterior, its topics integrated
        out: with `is_likelihood` the log likelihood, else the log pseudo-likelihood.  NaN where the
        value is missing.
    """

    response: Response
    is_likelihood: bool
    observed: Floats
    expected: Floats | None
    simulated: Floats | None
    log_factor: Floats


@dataclass(frozen=True)
class PredictedDraws:
    """What every snapshot of a model says of some documents.

    Attributes
    ----------
    scores : ndarray of float64, shape (n_snapshots, n_docs, n_outputs)
        Expected scores; their mean over the snapshots is that of :meth:`gibbous.Model.predict`,
        unless words have coefficients (`word_effects`).
    responses : list of ResponseDraws
    draws : ndarray of int64, shape (n_snapshots,)
        The kept draw of the model that each row belongs to.
    chains : ndarray of int64, shape (n_snapshots,)
        Its chain, from 0.
    ids : list of str
        Of the documents.
    """

    scores: Floats
    responses: list[ResponseDraws]
    draws: NDArray[np.int64]
    chains: NDArray[np.int64]
    ids: list[str]
    _made: Handle = field(repr=False, compare=False)


def predict_draws(
    model: Model,
    data: Any,
    *,
    most_bytes: int = MOST_BYTES,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> PredictedDraws:
    """Predict documents by each snapshot of a model alone.

    Parameters
    ----------
    model : Model
    data : str or path, Corpus, or documents in memory
        With the fields that the model predicts; where they are missing, so are the values.
    most_bytes : int
        Refuse predictions that take more; 0: do not.
    callback : callable, optional
        Called several times a second; stops by returning False.
    **options
        Those of :meth:`gibbous.Model.evaluate`; of them `infer_sweeps` says how many draws of a
        document's topics a row is a mean of, `seed` which values are simulated, and
        `unknown_label` whether a label that is not a class of the model is an error or missing.

    Returns
    -------
    PredictedDraws

    Raises
    ------
    ArgumentError
        More than `most_bytes`; a model without a response, or with one-vs-rest topics.

    Examples
    --------
    >>> gibbous.predict_draws(model, texts)  # doctest: +SKIP
    """

    def begin(settings: Settings) -> None:
        if not model.responses:
            return  # refused below, in the library's words
        out = ffi.new("gb_evaluation **")
        check(library.gb_evaluation_create, model._pointer, settings.pointer, out)
        handle = Handle(out[0], library.gb_evaluation_free, [model._handle, settings])
        check(library.gb_evaluation_request_fields, handle.pointer, settings.pointer)

    found, settings = model._labelled_documents(data, options, "evaluate", "predict_draws", begin)
    return _predict(model, found, settings, most_bytes, callback)


def _predict(
    model: Model,
    documents: Documents,
    settings: Settings,
    most_bytes: int,
    callback: Callable[[Any], object] | None,
) -> PredictedDraws:
    out = ffi.new("gb_predicted_draws **")
    n_docs = documents.corpus.n_docs
    check(library.gb_predicted_draws_create, model._pointer, n_docs, most_bytes, out)
    made = Handle(out[0], library.gb_predicted_draws_free)
    watch = on_apply(callback)
    watch.run(
        library.gb_predict_draws,
        (model._pointer, documents.corpus._pointer, 0, settings.pointer),
        out[0],
    )
    shape = (int(out[0].n_snapshots), n_docs)
    places = _snapshots(model)
    return PredictedDraws(
        scores=view(made, out[0].score, "F64", (*shape, int(out[0].n_outputs))),
        responses=[
            _response(model, made, number, response, shape)
            for number, response in enumerate(model.responses)
        ],
        draws=places[:, 0].copy(),
        chains=places[:, 1].copy(),
        ids=documents.corpus.ids,
        _made=made,
    )


def _snapshots(model: Model) -> NDArray[np.int64]:
    """Of each snapshot the number of its kept draw, and its chain."""
    place = ffi.new("gb_draw_place *")
    found = np.empty((model.n_snapshots, 2), np.int64)
    for draw in range(model.n_draws):
        library.gb_model_draw(model._pointer, draw, place)
        if place.snapshot < len(found):
            found[place.snapshot] = draw, place.chain
    return found


def _response(
    model: Model, made: Handle, number: int, response: Response, shape: tuple[int, int]
) -> ResponseDraws:
    of = made.pointer.response[number]
    value = () if response.task != "multilabel" else (int(of.n_values),)
    expected = () if not response.classes else (int(of.n_expected),)

    def by_draw(pointer: Any, last: tuple[int, ...]) -> Floats | None:
        return None if pointer == ffi.NULL else view(made, pointer, "F64", (*shape, *last))

    return ResponseDraws(
        response=response,
        is_likelihood=bool(library.gb_model_is_likelihood(model._pointer, number)),
        observed=view(made, of.observed, "F64", (shape[1], *value)),
        expected=by_draw(of.expected, expected),
        simulated=by_draw(of.simulated, value),
        log_factor=view(made, of.log_factor, "F64", shape),
    )
