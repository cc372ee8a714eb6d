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

from gibbous._library import Callback, Handle, check, encoded, ffi, library, text
from gibbous.errors import ArgumentError
from gibbous.html import estimate_html
from gibbous.options import Settings
from gibbous.tables import ask, make_frame

if TYPE_CHECKING:
    from gibbous.model import Model
    from gibbous.results import Response

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

_EFFECT = np.dtype(
    [("n_draws", "u8"), ("n_unused", "u8")]
    + [(name, "f8") for name in ("mean", "sd", "q05", "median", "q95", "p_positive", "shrinkage")]
)
_STATISTICS = ("mean", "sd", "q05", "median", "q95", "p_positive")


def effect_array(n: int) -> tuple[Any, NDArray[Any]]:
    """Memory for n posteriors: for the library, and as NumPy sees it."""
    assert ffi.sizeof("gb_effect") == _EFFECT.itemsize
    # Zeros take memory when they are written: not if the library refuses a table of that size.
    records = np.zeros(max(n, 1), _EFFECT)
    return ffi.from_buffer("gb_effect[]", records), records[:n]


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


def _response_of(model: Model, output: int) -> tuple[int, Response]:
    for number, response in enumerate(model.responses):
        if response.first_output <= output < response.first_output + response.n_outputs:
            return number, response
    raise ArgumentError(f"output {output} of {model.n_outputs}")


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
    Coefficients of the training itself are shaped by the labels that they explain: where
    :attr:`Model.has_pseudo_posterior` is true their intervals say little.  Train with
    `cross_fit=5`, or use :func:`estimate`.
    """
    table = ask("effects", {"words": n_words}, **_subject(model))
    return (table if outputs is None else table.only("output", outputs)).frame(frame)


def _features(model: Model, given: Any) -> list[int]:
    """Numbers of features: topics by their numbers from 1, columns by their names."""
    names = column_names(model)
    found = []
    for one in [given] if isinstance(given, (int, str, np.integer)) else list(given):
        if isinstance(one, str) and one in names:
            found.append(model.n_topics + names.index(one))
        elif not isinstance(one, str) and 1 <= int(one) <= model.n_topics:
            found.append(int(one) - 1)
        else:
            raise ArgumentError(
                f"{one!r} is neither a topic from 1 to {model.n_topics} "
                f"nor a column of the covariates"
            )
    return found


def _shown(given: Any) -> str:
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
        ``field``, ``output``, ``contrast``, ``minus``, ``mean``, ``sd``, ``q05``, ``median``,
        ``q95``, ``p_positive``, ``n_draws``.
    """
    shown = model.model if isinstance(model, Estimate) else model
    a, b = _features(shown, plus), _features(shown, minus)
    columns: dict[str, list[Any]] = {
        name: [] for name in ("field", "output", "contrast", "minus", *_STATISTICS, "n_draws")
    }
    pointer, effect = effect_array(1)
    for output, name in enumerate(shown.outputs):
        check(
            library.gb_model_contrast,
            shown._pointer,
            output,
            len(a),
            ffi.new("uint64_t[]", a),
            len(b),
            ffi.new("uint64_t[]", b),
            pointer,
        )
        columns["field"].append(_response_of(shown, output)[1].field)
        columns["output"].append(name)
        columns["contrast"].append(_shown(plus))
        columns["minus"].append(_shown(minus))
        for statistic in _STATISTICS:
            columns[statistic].append(float(effect[statistic][0]))
        columns["n_draws"].append(int(effect["n_draws"][0]))
    return make_frame(columns, frame)


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
        return estimate_html(effects(self, n_words=6, frame="arrays"))

    def effects(self, **arguments: Any) -> Any:
        """:func:`gibbous.frames.effects` of this estimate."""
        return effects(self, **arguments)

    def contrast(self, plus: Any, minus: Any = (), **arguments: Any) -> Any:
        """:func:`gibbous.frames.contrast` of this estimate."""
        return contrast(self, plus, minus, **arguments)


def estimate(model: Model, data: Any, **options: Any) -> Estimate:
    """Estimate effects on labelled documents that the topics have not seen.

    Parameters
    ----------
    model : Model
    data : str or path, Corpus, or documents in memory
        Other documents than those of the training, or all documents of a training with
        `estimate_on`, of which the part is used that it has left out.
    **options
        `infer_sweeps`, `infer_burn_in`, `use_labels`, `coefficient_variance`, `covariate_variance`,
        `seed`, `threads`, and those of reading.

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

    documents, settings = model._labelled_documents(data, options, "effects", "estimate", request)
    unseen = ffi.new("gb_corpus **")
    check(library.gb_estimate_find_unseen, model._pointer, documents.corpus._pointer, unseen)
    left_out = None if unseen[0] == ffi.NULL else Handle(unseen[0], library.gb_corpus_free)
    docs = documents.corpus._pointer if left_out is None else left_out.pointer
    watch = Callback("gb_apply_progress", lambda _: True)
    out = ffi.new("gb_estimate **")
    watch.check(
        library.gb_estimate_create,
        model._pointer,
        docs,
        settings.pointer,
        watch.pointer,
        ffi.NULL,
        out,
    )
    return Estimate(Handle(out[0], library.gb_estimate_free), model)


# ---- groups of documents


def group_names(model: Model) -> list[str]:
    """Names of the groups in the order of their graph."""
    return [
        text(library.gb_model_group(model._pointer, g))
        for g in range(library.gb_model_n_groups(model._pointer))
    ]


def _check_has_groups(model: Model) -> None:
    if library.gb_model_n_groups(model._pointer) == 0:
        raise ArgumentError("the model has no groups: train with prior='graph' and group=...")


def _chosen_topics(model: Model, chosen: Sequence[int] | None) -> list[int]:
    numbers = range(1, model.n_topics + 1) if chosen is None else chosen
    for number in numbers:
        if not 1 <= number <= model.n_topics:
            raise ArgumentError(f"topic {number}: the model has topics 1 to {model.n_topics}")
    return [int(number) - 1 for number in numbers]


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
        Numbers of topics from 1; all by default.
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
        say how well that is known.  From the draws of the first chain.
    """
    _check_has_groups(model)
    chosen = _chosen_topics(model, topics)
    names, n = group_names(model), model.n_topics
    pointer, effect = effect_array(len(names) * n)
    check(library.gb_model_group_shares, model._pointer, 0, len(names), threads, pointer)
    table = effect.reshape(len(names), n)[:, chosen]
    n_docs = [library.gb_model_group_n_docs(model._pointer, g) for g in range(len(names))]
    words = words_of(model, n_words)
    columns: dict[str, Any] = {
        "group": [name for name in names for _ in chosen],
        "n_documents": np.repeat(np.array(n_docs, dtype=np.int64), len(chosen)),
        "topic": np.tile(np.array(chosen, dtype=np.int64) + 1, len(names)),
    }
    for statistic in _STATISTICS[:-1]:
        columns[statistic] = table[statistic].ravel().copy()
    columns["words"] = [words[k] for _ in names for k in chosen]
    return make_frame(columns, frame)


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
    _check_has_groups(model)
    number = ffi.new("uint64_t *")
    found = []
    for name in (group, minus):
        if not library.gb_model_find_group(
            model._pointer, encoded(str(name), "the name of a group"), number
        ):
            raise ArgumentError(f"the model has no group {name!r}")
        found.append(int(number[0]))
    pointer, effect = effect_array(model.n_topics)
    check(library.gb_model_group_contrast, model._pointer, found[0], found[1], pointer)
    columns: dict[str, Any] = {
        "group": [str(group)] * model.n_topics,
        "minus": [str(minus)] * model.n_topics,
        "topic": np.arange(1, model.n_topics + 1),
    }
    for statistic in _STATISTICS:
        columns[statistic] = effect[statistic].copy()
    columns["words"] = words_of(model, n_words)
    return make_frame(columns, frame)
