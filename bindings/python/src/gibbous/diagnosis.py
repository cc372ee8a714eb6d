"""Whether the chains of a model have run long enough, and agree."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, check, ffi, library
from gibbous.errors import ConvergenceWarning, OutOfMemoryError, depth_of_package
from gibbous.html import diagnosis_html
from gibbous.tables import Table, ask

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["Diagnosis", "Judgement", "Trace", "diagnose", "warn_unless_settled"]


@dataclass(frozen=True)
class Trace:
    """The way of one number of a chain from its first sweep on.

    Attributes
    ----------
    name : str
        "log joint", "loss (rating)", ...
    chain : int
        From 0.
    sweeps, values : ndarray of int64 and float64, shape (n,)
        The number after each of these sweeps.
    trend : str
        "level", "rising", "falling", or "unclear": too few independent sweeps to say.
    first_kept : int
        The sweep of the chain's first draw; 0 without one.
    """

    name: str
    chain: int
    sweeps: NDArray[np.int64]
    values: NDArray[np.float64]
    trend: str
    first_kept: int


@dataclass(frozen=True)
class Judgement:
    """A sentence of the verdict.

    Attributes
    ----------
    about : str
        "conclusion", "predictions", "topics", "effects", "scales", "log joint", or "next": the one
        thing to do, if there is one.
    holds : bool or None
        Whether it can be used or reported; None where that is not known, or not asked.
    text : str
        The sentence.
    """

    about: str
    holds: bool | None
    text: str

    def __str__(self) -> str:
        """The sentence, as ``gibbous diagnose`` prints it."""
        return self.text


class Diagnosis:
    """What is known of the chains of a model; from :func:`diagnose`.

    Attributes
    ----------
    n_chains : int
    verdict : list of Judgement
        What holds, what does not, and what to do; the conclusion comes first.
    traces : list of Trace
        Of all chains for one number, then for the next.
    """

    def __init__(self, handle: Handle, model: Model) -> None:
        def cells(question: str) -> Table:
            return ask(question, model=model._pointer, diagnosis=handle.pointer)

        self._table = cells("diagnosis")
        self.verdict = _judgements(cells("verdict"))
        self.traces = [_trace(row) for row in cells("traces").rows()]
        self.n_chains = int(max(self._table.columns["chains"][: self._n_quantities()], default=1))

    def _n_quantities(self) -> int:
        kinds = self._table.columns["kind"]
        return sum(kind not in ("topic", "acceptance") for kind in kinds)

    @property
    def passed(self) -> bool:
        """Whether the conclusion holds, as far as that is known."""
        return self.verdict[0].holds is not False

    def table(self, *, frame: str | None = None) -> Any:
        """One row per quantity, per topic of the leading chain, and per chain's proposals.

        Parameters
        ----------
        frame : str, optional
            See :mod:`gibbous.frames`.

        Returns
        -------
        DataFrame
            The table of ``gibbous diagnose``, with `r_hat`, effective sample sizes, and `agrees`:
            whether `r_hat` is what independent draws would have.  Of a topic `chains` says how many
            have it.

        Examples
        --------
        >>> "name" in model.diagnose().table(frame="arrays")
        True
        """
        return self._table.frame(frame)

    def recurrence(self) -> NDArray[np.int64]:
        """In how many chains each topic of the leading one is found, itself included.

        0 for an empty topic.

        Examples
        --------
        >>> model.diagnose().recurrence()  # doctest: +SKIP
        """
        return np.asarray(self._table.only("kind", ["topic"]).columns["chains"], dtype=np.int64)

    def _repr_html_(self) -> str:
        return diagnosis_html(self)

    def __repr__(self) -> str:
        chains = "1 chain" if self.n_chains == 1 else f"{self.n_chains} chains"
        return "\n  ".join([f"<gibbous.Diagnosis of {chains}:", *map(str, self.verdict)]) + ">"


def _judgements(verdict: Table) -> list[Judgement]:
    rows = zip(*(verdict.columns[name] for name in ("about", "holds", "text")), strict=True)
    return [Judgement(about, None if np.isnan(h) else bool(h), text) for about, h, text in rows]


def _trace(row: dict[str, Any]) -> Trace:
    sweeps = (np.arange(len(row["values"]), dtype=np.int64) + 1) * int(row["stride"])
    first = row["first_kept"]
    return Trace(
        row["name"],
        int(row["chain"]) - 1,
        sweeps,
        row["values"],
        row["trend"],
        0 if np.isnan(first) else int(first),
    )


def diagnose(model: Model) -> Diagnosis:
    """Diagnose the chains of a model.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Diagnosis
        Traces from the first sweep on, R-hat and effective sample sizes of what does not depend on
        the numbers of topics, which topics recur in other chains, and the verdict on all of it.
    """
    return Diagnosis(create(model), model)


def create(model: Model) -> Handle:
    """A diagnosis of the library."""
    out = ffi.new("gb_diagnosis **")
    check(library.gb_diagnosis_create, model._pointer, library.GB_DIAGNOSE_ALL, out)
    return Handle(out[0], library.gb_diagnosis_free)


def warn_unless_settled(model: Model) -> None:
    """Warn with the conclusion of the verdict, and what to do, if it does not hold.

    Parameters
    ----------
    model : Model
    """
    try:
        handle = create(model)
        verdict = _judgements(ask("verdict", model=model._pointer, diagnosis=handle.pointer))
    except OutOfMemoryError:  # the model counts more than what is said of it
        return
    if verdict[0].holds is False:
        text = "\n".join(str(j) for j in verdict if j.holds is False or j.about == "next")
        warnings.warn(text, ConvergenceWarning, stacklevel=depth_of_package())
