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

Topics have the numbers of the first chain: topics of other chains are matched by their words, as
``gibbous diagnose`` does, and a topic that a chain does not have is NaN there.  So R-hat of
``effect`` compares the same topic in all chains.

A model keeps no documents, and no likelihood of single documents for each draw.  So there are no
groups ``log_likelihood``, ``posterior_predictive`` and ``observed_data``; the attribute
``missing_groups`` says so.  :meth:`gibbous.Model.predict` has predictions with their spread, and
``gibbous evaluate`` scores them on documents that the training has not seen.
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

if TYPE_CHECKING:
    from xarray import Dataset, DataTree

    from gibbous.model import Model

__all__ = ["to_datatree", "to_netcdf"]

Floats = NDArray[np.float64]

_MISSING = (
    "log_likelihood, posterior_predictive and observed_data are not there: a model keeps no "
    "documents, and no likelihood of single documents for each draw"
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
    """Values of topics, on the last axis, by the numbers of the first chain."""
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


def to_datatree(model: Model) -> DataTree:
    """The draws of a model as an xarray DataTree in the layout of ArviZ.

    Parameters
    ----------
    model : Model

    Returns
    -------
    xarray.DataTree
        Groups ``posterior``, ``sample_stats`` and, with a response, ``training_scores``;
        :mod:`gibbous.inference_data` says what is in them.  ArviZ 1.x takes it as it is; for 0.x,
        ``arviz.InferenceData.from_datatree(tree)``, or by way of :func:`to_netcdf`.

    Raises
    ------
    ImportError
        xarray 2024.10 or newer is not installed.
    """
    from xarray import DataTree

    tree = _Tree(model)
    groups: dict[str, Any] = {"posterior": tree.posterior(), "sample_stats": tree.sample_stats()}
    scores = tree.training_scores()
    if scores is not None:
        groups["training_scores"] = scores
    attributes = {
        "inference_library": "gibbous",
        "inference_library_version": text(library.gb_version()),
        "settings": json.dumps(model.settings),
        "seed": str(model.seed),
        "missing_groups": _MISSING,
    }
    for dataset in groups.values():
        dataset.attrs.update(attributes)
    made = DataTree.from_dict(groups)
    made.attrs.update(attributes)
    return made


def to_netcdf(model: Model, path: str | os.PathLike[str]) -> None:
    """Write :func:`to_datatree` to a netCDF file for ``arviz.from_netcdf``.

    Parameters
    ----------
    model : Model
    path : str or path

    Raises
    ------
    ImportError
        Neither netCDF4 nor h5netcdf is installed.
    """
    to_datatree(model).to_netcdf(os.fspath(path))
