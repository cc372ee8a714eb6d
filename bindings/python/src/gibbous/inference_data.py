"""Draws of a model in the layout of ArviZ: an xarray DataTree, or a netCDF file.

Groups have chain and draw first:

``posterior``
    ``effect`` (output, feature): what :func:`gibbous.frames.effects` summarises, draw by draw, in
    the units of the data; ``average_document`` (output); ``topic_share`` (topic): mean shares over
    the training documents; own parameters of responses (``noise_variance``, ``dispersion``,
    ``cut_points``); what is sampled of the prior (``alpha``, ``observation_precision``,
    ``evolution_precision``, ``group_log_weight``); ``shrinkage`` under the horseshoe.
``sample_stats``
    ``lp``: the log joint; ``loss`` of each response; ``sweep``; ``acceptance_rate`` by chain, of
    Metropolis proposals.
``training_scores``
    ``score`` (document, output): scores of at most 200 training documents, spread evenly.

Topics have the numbers of the leading chain: topics of other chains are matched by their words, as
``gibbous diagnose`` does, and a topic that a chain does not have is NaN there.  So R-hat of
``effect`` compares the same topic in all chains.

A model keeps no documents.  Given some, :func:`to_datatree` asks every draw that has topics (option
`snapshots`) what it says of them, and adds

``observed_data``
    What the documents have in the field of each response: classes as their numbers, several labels
    as 0 and 1 (document, class).
``posterior_predictive``
    Values simulated from the response given the draw and topics of the documents, which are drawn
    too; coded likewise.  Not for a hinge, which has no law of labels.
``log_likelihood``
    Of each document's value, its topics integrated out: one number for each document and response,
    which is what :func:`arviz.loo` leaves out.  Where the model was fitted with a loss or a
    likelihood to a power (hinge, insensitive, a cost other than 1, weights) there is no likelihood;
    then the group is called ``log_pseudo_likelihood``.
``expected_values``
    ``score`` (document, output), and by the name of each field the probabilities of its classes, or
    the expected number.

Documents without a value are left out of the first three.  Topics of these documents are drawn
without their labels, as :meth:`gibbous.Model.predict` does; `infer_sweeps` says how often.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import check, ffi, library, text
from gibbous.frames import column_names, group_names, n_word_columns, words_of
from gibbous.predicted_draws import MOST_BYTES, PredictedDraws, ResponseDraws, predict_draws

if TYPE_CHECKING:
    from xarray import Dataset, DataTree

    from gibbous.model import Model

__all__ = ["to_datatree", "to_inference_data", "to_netcdf"]

Floats = NDArray[np.float64]

_MISSING = (
    "log_likelihood, posterior_predictive and observed_data need documents, which a model does not "
    "keep: to_datatree(documents)"
)
_PSEUDO = (
    "not a likelihood: the response is a loss, or a likelihood to a power (its cost), so these are "
    "factors of a pseudo-posterior, and differences of their sums are no differences of log "
    "probabilities"
)
_OWN_LAW = (
    "by the law of the response given the parameters of the draw, with cost 1; predict() may know "
    "better from held-out labels"
)
_NO_TOPIC = 2**64 - 1


@dataclass(frozen=True)
class _Chains:
    """Draws that stand side by side: the chains of all outputs, or with one-vs-rest of one."""

    outputs: list[int]
    numbers: list[int]
    rows: NDArray[np.intp]  # chains x draws: numbers of kept draws


def _chains_of(model: Model) -> list[_Chains]:
    """With chains of different lengths the last draws count, as many as the shortest has."""
    place = ffi.new("gb_draw_place *")
    found: dict[int, dict[int, list[int]]] = {}
    for i in range(model.n_draws):
        library.gb_model_draw(model._pointer, i, place)
        first = int(place.first_output) if model.is_one_vs_rest else 0
        found.setdefault(first, {}).setdefault(int(place.chain), []).append(i)
    shortest = min(len(rows) for chains in found.values() for rows in chains.values())
    families = []
    for first, chains in sorted(found.items()):
        outputs = [first] if model.is_one_vs_rest else list(range(model.n_outputs))
        rows = [chains[number][-shortest:] for number in sorted(chains)]
        families.append(_Chains(outputs, sorted(chains), np.array(rows, dtype=np.intp)))
    return families


class _Parameters:
    """What is kept of every draw, by its name in the model file."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.shapes: dict[str, tuple[int, tuple[int, ...]]] = {}
        of = ffi.new("gb_draw_parameter *")
        for i in range(library.gb_model_n_draw_parameters(model._pointer)):
            library.gb_model_draw_parameter(model._pointer, i, of)
            shape = (int(of.n_columns),) if of.n_rows == 0 else (int(of.n_rows), int(of.n_columns))
            if of.n_columns > 0:
                self.shapes[text(of.name)] = (i, shape)

    def __contains__(self, name: str) -> bool:
        return name in self.shapes

    def read(self, name: str, rows: NDArray[np.intp]) -> Floats:
        """Its values in some draws, which have the shape of `rows`."""
        number, shape = self.shapes[name]
        out = np.empty((rows.size, *shape))
        for row, draw in zip(out, rows.ravel().tolist(), strict=True):
            value = library.gb_model_draw_value(self.model._pointer, draw, number)
            row[...] = np.frombuffer(ffi.buffer(value, row.nbytes), np.float64).reshape(shape)
        return out.reshape(*rows.shape, *shape)


def _own_topics(model: Model, output: int, chains: list[int]) -> NDArray[np.int64]:
    """Of each chain its own number of each topic; -1: it does not have it."""
    topic = ffi.new("uint64_t[]", model.n_topics)
    found = np.empty((len(chains), model.n_topics), np.int64)
    for c, chain in enumerate(chains):
        if len(chains) == 1:
            found[c] = np.arange(model.n_topics)
            continue
        check(library.gb_model_topics_of_chain, model._pointer, output, chain, topic)
        found[c] = [-1 if own == _NO_TOPIC else own for own in topic]
    return found


def _matched(values: Floats, own: NDArray[np.int64]) -> Floats:
    """Values of topics, on the last axis, by the numbers of the leading chain."""
    out = np.full((*values.shape[:-1], own.shape[1]), np.nan)
    for c, numbers in enumerate(own):
        has = numbers >= 0
        out[c][..., has] = values[c][..., numbers[has]]
    return out


def _is_sampled(values: Floats) -> bool:
    """What burn-in has fitted, or the user has set, is the same in all draws of a chain."""
    return bool((values != values[:, :1]).any())


class _Tree:
    """The groups in the making."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.families = _chains_of(model)
        self.parameters = _Parameters(model)
        self.own = [
            _own_topics(model, f.outputs[0] if f.outputs else 0, f.numbers) for f in self.families
        ]
        self.topics = [str(k + 1) for k in range(model.n_topics)]
        self.features = [f"topic {k}" for k in self.topics] + column_names(model)

    @property
    def _first(self) -> _Chains:
        return self.families[0]

    def _by_family(self, values: Callable[[int], Floats]) -> tuple[tuple[str, ...], Floats]:
        """Values that belong to chains: with one-vs-rest those of each output."""
        if not self.model.is_one_vs_rest:
            return (), values(0)
        return ("output",), np.stack([values(i) for i in range(len(self.families))], axis=2)

    def _effect_draws(self, output: int, first: int, n: int) -> Floats:
        """Effects of n features in all kept draws."""
        out = np.empty((self.model.n_draws, n))
        pointer = ffi.from_buffer("double[]", out)
        check(library.gb_model_effect_draws, self.model._pointer, output, first, n, pointer)
        return out

    def effects(self, names: list[str]) -> dict[str, Any]:
        """`effect` and `average_document` (of levels there is none)."""
        model = self.model
        n_chains, n_draws = self._first.rows.shape
        effect = np.full((n_chains, n_draws, len(names), len(self.features)), np.nan)
        average = np.full((n_chains, n_draws, len(names)), np.nan)
        for family in self.families:
            for output in family.outputs:
                rows, n = family.rows, len(self.features)
                effect[:, :, output] = self._effect_draws(output, 0, n)[rows]
                n_all = int(library.gb_model_n_effects(model._pointer, output))
                if n_all > n + n_word_columns(model):
                    average[:, :, output] = self._effect_draws(output, n_all - 1, 1)[rows][..., 0]
        return {
            "effect": (("chain", "draw", "output", "feature"), effect),
            "average_document": (("chain", "draw", "output"), average),
        }

    def shrinkage(self) -> dict[str, Any]:
        """Shares of shrinkage under the horseshoe, of topics and covariates."""
        if "shrinkage" not in self.parameters:
            return {}
        parts = []
        for family, own in zip(self.families, self.own, strict=True):
            values = self.parameters.read("shrinkage", family.rows)[..., : len(self.features)]
            values[..., : self.model.n_topics] = _matched(values[..., : self.model.n_topics], own)
            parts.append(values)
        return {
            "shrinkage": (("chain", "draw", "output", "feature"), np.concatenate(parts, axis=2))
        }

    def shares(self) -> dict[str, Any]:
        """Mean topic shares of the training documents."""
        if "mean_share" not in self.parameters:
            return {}
        dims, values = self._by_family(
            lambda i: _matched(
                self.parameters.read("mean_share", self.families[i].rows), self.own[i]
            )
        )
        return {"topic_share": (("chain", "draw", *dims, "topic"), values)}

    def own_parameters(self, coords: dict[str, Any]) -> dict[str, Any]:
        """Noise variances, dispersions and cut points, in the units of the fields."""
        model = self.model
        found: dict[str, Any] = {}
        responses = model.responses
        name, place = ffi.new("char const **"), ffi.new("uint64_t *")
        effect = ffi.new("gb_effect *")
        for r, response in enumerate(responses):
            values: dict[str, list[Floats]] = {}
            between = []
            for i in range(library.gb_model_n_own_parameters(model._pointer, r)):
                check(library.gb_model_own_parameter, model._pointer, r, i, name, place, effect)
                out = np.empty(model.n_draws)
                pointer = ffi.from_buffer("double[]", out)
                check(library.gb_model_own_parameter_draws, model._pointer, r, i, pointer)
                values.setdefault(text(name[0]), []).append(out[self._first.rows])
                if place[0] != _NO_TOPIC:
                    between.append(
                        f"{response.classes[place[0]]} | {response.classes[place[0] + 1]}"
                    )
            for own, parts in values.items():
                title = own if len(responses) == 1 else f"{own}_{response.field}"
                if not between:
                    found[title] = (("chain", "draw"), parts[0])
                    continue
                coords[f"{title}_between"] = between
                found[title] = (("chain", "draw", f"{title}_between"), np.stack(parts, axis=-1))
        return found

    def prior(self, coords: dict[str, Any]) -> dict[str, Any]:
        """What is sampled of the prior of the topic weights."""
        found: dict[str, Any] = {}
        parameters, family, own = self.parameters, self._first, self.own[0]
        if self.model.is_one_vs_rest:
            return found
        if "alpha" in parameters and _is_sampled(alpha := parameters.read("alpha", family.rows)):
            found["alpha"] = (("chain", "draw", "topic"), _matched(alpha, own))
        for name in ("observation_precision", "evolution_precision"):
            if name not in parameters:
                continue
            values = parameters.read(name, family.rows)
            if not _is_sampled(values):
                continue
            dims: tuple[str, ...] = ("chain", "draw")
            if values.ndim == 4:  # topics x types of edges
                coords.setdefault("edge_type", [str(i + 1) for i in range(values.shape[3])])
                dims = (*dims, "edge_type")
            found[name] = (dims, values.mean(axis=2))
        if "group_mean" in parameters:
            mean = parameters.read("group_mean", family.rows)
            weight = np.concatenate([mean, np.zeros((*mean.shape[:-1], 1))], axis=-1)
            weight -= weight.mean(axis=-1, keepdims=True)
            coords["group"] = group_names(self.model) or ["all"]
            found["group_log_weight"] = (("chain", "draw", "group", "topic"), _matched(weight, own))
        return found

    def posterior(self) -> Dataset:
        from xarray import Dataset

        names = self.model.outputs
        words = words_of(self.model, 5)
        coords: dict[str, Any] = {"topic": self.topics, "words": ("topic", words)}
        variables: dict[str, Any] = self.shares()
        if names:
            coords |= {"output": names, "feature": self.features}
            variables |= self.effects(names) | self.shrinkage()
            variables |= self.own_parameters(coords)
        variables |= self.prior(coords)
        return Dataset(variables, coords | self._chain_coords())

    def _chain_coords(self) -> dict[str, Any]:
        n_chains, n_draws = self._first.rows.shape
        return {"chain": np.arange(n_chains), "draw": np.arange(n_draws)}

    def sample_stats(self) -> Dataset:
        from xarray import Dataset

        model, place = self.model, ffi.new("gb_draw_place *")
        coords: dict[str, Any] = self._chain_coords()
        dims, lp = self._by_family(
            lambda i: self.parameters.read("log_joint", self.families[i].rows)[..., 0]
        )
        sweep = np.empty(self._first.rows.shape, np.int64)
        for at in np.ndindex(sweep.shape):
            library.gb_model_draw(model._pointer, int(self._first.rows[at]), place)
            sweep[at] = place.sweep
        variables: dict[str, Any] = {
            "lp": (("chain", "draw", *dims), lp),
            "sweep": (("chain", "draw"), sweep),
        }
        if dims:
            coords["output"] = model.outputs
        if "loss" in self.parameters:
            dims, loss = self._by_family(
                lambda i: self.parameters.read("loss", self.families[i].rows)
            )
            coords["response"] = [response.field for response in model.responses]
            variables["loss"] = (("chain", "draw", *dims, "response"), loss)
        n_proposals = int(library.gb_model_n_proposals(model._pointer))
        if n_proposals > 0 and not model.is_one_vs_rest:
            coords["proposal"] = [
                text(library.gb_model_proposal(model._pointer, p)) for p in range(n_proposals)
            ]
            rates = [
                [library.gb_model_acceptance(model._pointer, p, c) for p in range(n_proposals)]
                for c in self._first.numbers
            ]
            variables["acceptance_rate"] = (("chain", "proposal"), np.array(rates))
        return Dataset(variables, coords)

    def training_scores(self) -> Dataset | None:
        from xarray import Dataset

        if "sample_score" not in self.parameters:
            return None
        parts = [self.parameters.read("sample_score", family.rows) for family in self.families]
        score = np.concatenate(parts, axis=3)
        n, n_docs = score.shape[2], self.model.n_training_docs
        document = [n_docs // n * i + n_docs % n * i // n for i in range(n)]
        return Dataset(
            {"score": (("chain", "draw", "document", "output"), score)},
            self._chain_coords() | {"document": document, "output": self.model.outputs},
        )


class _Predictive:
    """Groups of what the draws with topics say of documents."""

    def __init__(self, model: Model, predicted: PredictedDraws) -> None:
        self.ids = np.array(predicted.ids, dtype=np.str_)
        rows = [np.flatnonzero(predicted.chains == chain) for chain in np.unique(predicted.chains)]
        shortest = min(len(of_chain) for of_chain in rows)
        self.rows = np.array([of_chain[-shortest:] for of_chain in rows])
        self.groups: dict[str, dict[str, Any]] = {}
        self.coords: dict[str, dict[str, Any]] = {
            "chain": {"chain": np.arange(len(rows))},
            "draw": {"draw": np.arange(shortest)},
            "output": {"output": model.outputs},
        }
        document = self._documents("document", np.ones(len(self.ids), np.bool_))
        self._put("expected_values", "score", predicted.scores, (document, "output"))
        for response in predicted.responses:
            self._put_response(response, document)

    def _documents(self, dimension: str, which: NDArray[np.bool_]) -> str:
        """A dimension of some documents."""
        self.coords[dimension] = {
            dimension: np.flatnonzero(which),
            f"{dimension}_id": (dimension, self.ids[which]),
        }
        return dimension

    def _by_chain(self, values: NDArray[Any]) -> NDArray[Any]:
        """Rows by chain and draw: a view where all chains have as many."""
        if self.rows.size == len(values):
            return values.reshape((*self.rows.shape, *values.shape[1:]))
        chosen: NDArray[Any] = values[self.rows]
        return chosen

    def _put(
        self,
        group: str,
        name: str,
        values: NDArray[Any],
        dims: tuple[str, ...],
        **attributes: Any,
    ) -> None:
        if group != "observed_data":
            values, dims = self._by_chain(values), ("chain", "draw", *dims)
        self.groups.setdefault(group, {})[name] = (dims, values, attributes)

    def _put_response(self, of: ResponseDraws, document: str) -> None:
        name, classes = of.response.field, of.response.classes
        known = {"classes": classes} if classes else {}
        by_class: tuple[str, ...] = ()
        if classes:
            by_class = (f"{name}_class",)
            self.coords[by_class[0]] = {by_class[0]: classes}
        if of.expected is not None:
            dims = (document, *by_class)
            self._put("expected_values", name, of.expected, dims, law=_OWN_LAW)
        has_value: NDArray[np.bool_] = np.isfinite(of.observed.reshape(len(self.ids), -1)[:, 0])
        n_known = int(has_value.sum())
        which = slice(None) if n_known in (0, len(has_value)) else has_value
        if 0 < n_known < len(has_value):
            document = self._documents(f"document_{name}", has_value)
        dims = (document, *(by_class if of.observed.ndim > 1 else ()))
        if of.simulated is not None:
            values = _whole(of.simulated[:, which])
            self._put("posterior_predictive", name, values, dims, law=_OWN_LAW, **known)
        if n_known > 0:
            self._put("observed_data", name, _whole(of.observed[which]), dims, **known)
            factor = of.log_factor[:, which]
            if of.is_likelihood:
                self._put("log_likelihood", name, factor, (document,))
            else:
                self._put("log_pseudo_likelihood", name, factor, (document,), meaning=_PSEUDO)

    def datasets(self) -> dict[str, Dataset]:
        """The groups."""
        from xarray import Dataset

        found = {}
        for group, variables in self.groups.items():
            used = dict.fromkeys(dim for dims, _, _ in variables.values() for dim in dims)
            coords = {name: of for dim in used for name, of in self.coords[dim].items()}
            found[group] = Dataset(variables, coords)
        return found


def _whole(values: Floats) -> NDArray[Any]:
    """Classes and counts as integers, which ArviZ draws as such."""
    return values.astype(np.int64) if bool((values == np.floor(values)).all()) else values


def to_datatree(
    model: Model,
    data: Any = None,
    *,
    most_bytes: int = MOST_BYTES,
    callback: Callable[[Any], object] | None = None,
    **options: Any,
) -> DataTree:
    """The draws of a model as an xarray DataTree in the layout of ArviZ.

    Parameters
    ----------
    model : Model
    data : str or path, Corpus, or documents in memory, optional
        Documents to predict by each draw that has topics (option `snapshots` of the training): the
        training documents for :func:`arviz.loo`, any for :func:`arviz.plot_ppc`.
    most_bytes : int
        Refuse predictions that take more; 0: do not.
    callback : callable, optional
        Called several times a second while documents are predicted; stops by returning False.
    **options
        As in :func:`gibbous.predict_draws`: `seed`, `infer_sweeps`, `label`, ...

    Returns
    -------
    xarray.DataTree
        Groups ``posterior``, ``sample_stats`` and, with a response, ``training_scores``; with
        documents also ``log_likelihood``, ``posterior_predictive``, ``observed_data`` and
        ``expected_values``.  :mod:`gibbous.inference_data` says what is in them.  ArviZ 1.x takes
        it as it is; for 0.x there is :func:`to_inference_data`.

    Raises
    ------
    ImportError
        xarray 2024.10 or newer is not installed.
    ArgumentError
        With documents: predictions of more than `most_bytes`; a model without a response, or with
        one-vs-rest topics.
    """
    from xarray import DataTree

    tree = _Tree(model)
    groups: dict[str, Any] = {"posterior": tree.posterior(), "sample_stats": tree.sample_stats()}
    scores = tree.training_scores()
    if scores is not None:
        groups["training_scores"] = scores
    if data is not None:
        predicted = predict_draws(model, data, most_bytes=most_bytes, callback=callback, **options)
        groups |= _Predictive(model, predicted).datasets()
    attributes = {
        "inference_library": "gibbous",
        "inference_library_version": text(library.gb_version()),
        "settings": json.dumps(model.settings),
        "seed": str(model.seed),
    }
    if data is None:
        attributes["missing_groups"] = _MISSING
    for dataset in groups.values():
        dataset.attrs.update(attributes)
    made = DataTree.from_dict(groups)
    made.attrs.update(attributes)
    return made


def to_inference_data(model: Model, data: Any = None, **options: Any) -> Any:
    """The draws of a model for the ArviZ that is installed.

    Parameters
    ----------
    model : Model
    data, **options
        As in :func:`to_datatree`.

    Returns
    -------
    arviz.InferenceData or xarray.DataTree
        ``InferenceData`` for ArviZ 0.x; ArviZ 1.x, and no ArviZ, have the DataTree.

    Examples
    --------
    >>> data = to_inference_data(model)  # doctest: +SKIP
    >>> arviz.summary(data, var_names="topic_share")  # doctest: +SKIP
    """
    tree = to_datatree(model, data, **options)
    try:
        import arviz
    except ImportError:
        return tree
    made = getattr(arviz, "InferenceData", None)
    return tree if made is None else made.from_datatree(tree)


def to_netcdf(model: Model, path: str | os.PathLike[str], data: Any = None, **options: Any) -> None:
    """Write :func:`to_datatree` to a netCDF file for ``arviz.from_netcdf``.

    Parameters
    ----------
    model : Model
    path : str or path
    data, **options
        As in :func:`to_datatree`.

    Raises
    ------
    ImportError
        Neither netCDF4 nor h5netcdf is installed.
    """
    to_datatree(model, data, **options).to_netcdf(os.fspath(path))
