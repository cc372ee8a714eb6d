"""Data frames of what a model says, with the columns of the command's tables.

Every function takes ``frame``: the package that the frame is of, "pandas", "polars" or "pyarrow",
or "arrays" for a dict of NumPy arrays.  Without it, it is the first of these that is installed.

Topics have numbers from 1 here, as the command prints them: topic 1 is column 0 of
``Prediction.topic_shares``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous import _option_types
from gibbous._library import Callback, Handle, check, ffi, library, text
from gibbous._public import plain, short_errors, with_options
from gibbous.html import estimate_html
from gibbous.options import Settings
from gibbous.tables import Table, ask, make_frame

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import EstimateOptions
    from gibbous.model import Model

__all__ = [
    "Estimate",
    "contrast",
    "effects",
    "estimate",
    "group_contrast",
    "groups",
    "make_frame",
    "topics",
]

# ---- topics


def topics(
    model: Model,
    n_words: int = 10,
    *,
    by: str = "probability",
    by_weight: float | None = None,
    frame: str | None = None,
) -> Any:
    """One row per topic, with its words, its share and the classes that it raises most.

    Parameters
    ----------
    model : Model
    n_words : int
        Words of each topic; `exclusivity` is of the `n_words` most probable ones.
    by, by_weight
        The order of `words`, see :meth:`Model.rank_words`; unions are compared with unions.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``topic``, such as "3", or "3+7" of topics that count as one (:meth:`Model.unite_topics`),
        ``name`` where topics have names, ``share`` of the training tokens, ``mean_share`` of a
        training document with ``mean_share_q05`` and ``mean_share_q95``, ``exclusivity``,
        ``words``, and ``classes``: up to three scores that the topic raises most, with its
        coefficient.
    """
    options = {"words": n_words, "coherence_words": max(n_words, 2), "by": by}
    return ask("topics", {**options, "by_weight": by_weight}, **_subject(model)).frame(frame)


def words_of(model: Model, n_words: int, output: int = 0) -> list[str]:
    """The most probable words of each topic, with spaces between."""
    return [" ".join(words) for words in model.topic_words(n_words, output=output)]


# ---- effects


def _subject(model: Model | Estimate) -> dict[str, Any]:
    """What is asked, for :func:`gibbous.tables.ask`."""
    if isinstance(model, Estimate):
        return {"model": model.trained._pointer, "estimate": model._handle.pointer}
    return {"model": model._pointer}


def column_names(model: Model) -> list[str]:
    """Names of the columns of the covariates: ``year``, ``director=Ridley Scott``."""
    return [
        text(library.gb_model_column(model._pointer, j))
        for j in range(library.gb_model_n_columns(model._pointer) - n_word_columns(model))
    ]


def n_word_columns(model: Model) -> int:
    """Words with a coefficient of their own (option `word_effects`); their columns come last."""
    return int(library.gb_model_n_word_columns(model._pointer))


def effects(
    model: Model | Estimate,
    *,
    n_words: int = 10,
    outputs: Sequence[str] | None = None,
    frame: str | None = None,
) -> Any:
    """One row per score and feature: topics, covariates, embedding, words, intercept, parameters.

    Where scores have parts besides topics, rows of the kind "variance" follow: how much of the
    variance of the score over the training documents each part is.

    Parameters
    ----------
    model : Model or Estimate
        Of a model that was trained with `cross_fit`, its cross-fitted effects.
    n_words : int
        Words of each topic.
    outputs : sequence of str, optional
        Names of the scores that are wanted; all by default.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``field``, ``output``, ``kind``, ``feature``, ``mean``, ``sd``, ``q05``, ``median``,
        ``q95``, ``p_positive``, ``shrinkage``, ``n_draws``, ``words``; of an estimate and of
        cross-fitted effects also ``reliability``, and of the latter ``n_folds`` and ``between_sd``.
        Effects are in the units of the data and relative to the average document.

    Notes
    -----
    Topics of the training itself are shaped by the labels that they explain, and their effects
    cannot be told from chance: they have a mean, and NaN in place of intervals.  So have covariates
    and words where :attr:`Model.has_pseudo_posterior` is true.  For effects with intervals train
    with `cross_fit=5`, or use :func:`estimate`.
    """
    table = effects_table(model, n_words=n_words)
    return (table if outputs is None else table.only("output", outputs)).frame(frame)


def effects_table(model: Model | Estimate, *, n_words: int) -> Table:
    """The same as a table, with the sentences that belong to it."""
    return ask("effects", {"words": n_words}, **_subject(model))


def _set(given: Any) -> str:
    """Topics and levels as the option `contrast` takes them."""
    one = isinstance(given, (int, str, np.integer))
    return str(given) if one else "+".join(str(part) for part in given)


def contrast(
    model: Model | Estimate, plus: Any, minus: Any = (), *, frame: str | None = None
) -> Any:
    """One set of topics, or of levels of a factor, minus another: one row per score.

    Parameters
    ----------
    model : Model or Estimate
    plus, minus : int, str or sequence of them
        Topics by their numbers from 1, or levels by their names, such as ``"party=Whig"``.  A set
        counts as one topic: the mean of its topics, weighted by their shares.  Without `minus`:
        minus the average document.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``field``, ``output``, ``contrast``, ``words``, ``minus``, ``minus_words``, ``mean``,
        ``sd``, ``q05``, ``median``, ``q95``, ``p_positive``, ``n_draws``.
    """
    both = [text for text in (_set(plus), _set(minus)) if text]
    return ask("contrasts", {"contrast": [",".join(both)]}, **_subject(model)).frame(frame)


# ---- effects on other documents


class Estimate:
    """Effects of topics on the labels of documents that the training has not seen.

    :func:`estimate` makes them.

    Attributes
    ----------
    trained : Model
        The model that was given.
    model : Model
        The estimate as a model: :func:`effects`, :func:`contrast` and :func:`gibbous.to_datatree`
        take it.
    reliability : ndarray of float64, shape (n_topics,)
        Near 1 the words tell the share of a topic well; near 0 they say nothing of it.
    """

    def __init__(self, handle: Handle, trained: Model) -> None:
        self._handle = handle
        self.trained = trained
        inside = library.gb_estimate_model(handle.pointer)
        self.model = type(trained)(Handle(inside, lambda _: None, [handle]))
        self.reliability: NDArray[np.float64] = np.array(
            [library.gb_estimate_reliability(handle.pointer, k) for k in range(trained.n_topics)]
        )

    def _repr_html_(self) -> str:
        return estimate_html(effects_table(self, n_words=6))

    def effects(self, **arguments: Any) -> Any:
        """:func:`gibbous.frames.effects` of this estimate."""
        return effects(self, **arguments)

    def contrast(self, plus: Any, minus: Any = (), **arguments: Any) -> Any:
        """:func:`gibbous.frames.contrast` of this estimate."""
        return contrast(self, plus, minus, **arguments)


@short_errors
@with_options(_option_types.EstimateOptions)
def estimate(model: Model, data: Any, **options: Unpack[EstimateOptions]) -> Estimate:
    """Estimate effects on labelled documents that the topics have not seen.

    Parameters
    ----------
    model : Model
    data : str or path, Corpus, or documents in memory
        Other documents than those of the training.  Documents with the words of a training
        document are left out, so all documents of a training with `estimate_on` may be given.
    **options
        `infer_sweeps`, `infer_burn_in`, `use_labels`, `variance`, `seed`, `threads`, and those of
        reading.

    Returns
    -------
    Estimate

    Raises
    ------
    ArgumentError
        The documents are those of the training, or have no labels.
    """

    def request(settings: Settings) -> None:
        check(library.gb_estimate_request_fields, model._pointer, settings.pointer)

    documents, settings = model._labelled_documents(
        data, plain(options), "effects", "estimate", request
    )
    docs = documents.corpus._pointer
    watch = Callback("gb_apply_progress", lambda _: True)
    out = ffi.new("gb_estimate **")
    watch.run(library.gb_estimate_create, (model._pointer, docs, settings.pointer), out)
    return Estimate(Handle(out[0], library.gb_estimate_free), model)


# ---- groups of documents


def group_names(model: Model) -> list[str]:
    """Names of the groups in the order of their graph."""
    return [
        text(library.gb_model_group(model._pointer, g))
        for g in range(library.gb_model_n_groups(model._pointer))
    ]


def groups(
    model: Model,
    topics: Sequence[int] | None = None,
    *,
    n_words: int = 10,
    threads: int = 0,
    frame: str | None = None,
) -> Any:
    """Topic shares of groups of documents: one row per group and topic.

    Parameters
    ----------
    model : Model
        Trained with ``prior="graph", group=...``.
    topics : sequence of int, optional
        Numbers of topics from 1, whose groups follow each other; by default all topics of the first
        group come first.
    n_words : int
        Words of each topic.
    threads : int
        0: all processors.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``group``, ``n_documents``, ``topic``, ``mean``, ``sd``, ``q05``, ``median``, ``q95``,
        ``words``.  A share is the one that a document of the group is expected to have; quantiles
        say how well that is known.
    """
    options = {"words": n_words, "trend": topics, "threads": threads or None}
    return ask("groups", options, **_subject(model)).frame(frame)


def group_contrast(
    model: Model, group: str, minus: str, *, n_words: int = 10, frame: str | None = None
) -> Any:
    """Topic shares of one group minus those of another: one row per topic.

    Parameters
    ----------
    model : Model
    group, minus : str
        Names of groups.
    n_words : int
        Words of each topic.
    frame : str, optional
        See :mod:`gibbous.frames`.

    Returns
    -------
    DataFrame
        ``group``, ``minus``, ``topic``, ``mean``, ``sd``, ``q05``, ``median``, ``q95``,
        ``p_positive``, ``words``.
    """
    options = {"words": n_words, "contrast": [f"{group},{minus}"]}
    return ask("group-contrasts", options, **_subject(model)).frame(frame)
