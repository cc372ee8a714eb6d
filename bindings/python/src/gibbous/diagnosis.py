"""Whether the chains of a model have run long enough, and agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, check, ffi, library, take_text, text
from gibbous.errors import in_python
from gibbous.frames import make_frame
from gibbous.html import diagnosis_html

if TYPE_CHECKING:
    from gibbous.model import Model

__all__ = ["Diagnosis", "Finding", "Trace", "diagnose"]

_TRENDS = ("unclear", "level", "rising", "falling")
_FINDINGS = ("moving", "unclear", "burn-in", "disagree", "topics", "few-draws", "apart")
_MIXING = ("mean", "sd", "r_hat", "r_hat_within", "ess_bulk", "ess_tail", "mcse")


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
class Finding:
    """Something that speaks against a run.

    Attributes
    ----------
    kind : str
        "moving", "unclear", "burn-in", "disagree", "topics", "few-draws" or "apart".
    name : str
        Of the trace or quantity; "" for topics.
    value : float
        moving: by how much it rises or falls in 100 sweeps; unclear: independent values in the last
        half; burn-in: the sweep; disagree and apart: R-hat; few-draws: effective sample size.
    n, n_all : int
        Chains (of topics: topics) that it is about, of how many.
    text : str
        What it is and what to do about it, as a sentence or two.
    """

    kind: str
    name: str
    value: float
    n: int
    n_all: int
    text: str

    def __str__(self) -> str:
        """What it is and what to do about it, in the words of ``gibbous diagnose``."""
        return self.text


class Diagnosis:
    """What is known of the chains of a model; from :func:`diagnose`.

    Attributes
    ----------
    n_chains : int
    findings : list of Finding
        Empty: nothing speaks against the run.
    traces : list of Trace
        Of all chains for one number, then for the next.
    """

    def __init__(self, handle: Handle, model: Model) -> None:
        self._handle = handle
        self._is_one_vs_rest = model.is_one_vs_rest
        self._outputs = model.outputs
        d = handle.pointer
        self.n_chains = int(library.gb_diagnosis_n_chains(d))
        self.findings = [self._finding(i) for i in range(library.gb_diagnosis_n_findings(d))]
        self.traces = [
            self._trace(library.gb_diagnosis_trace(d, i))
            for i in range(library.gb_diagnosis_n_traces(d))
        ]

    def _finding(self, index: int) -> Finding:
        d = self._handle.pointer
        f, out = library.gb_diagnosis_finding(d, index), ffi.new("char **")
        check(library.gb_diagnosis_finding_text, d, index, b"", out)
        words = in_python(take_text(out[0]))
        return Finding(
            _FINDINGS[f.kind], text(f.name), float(f.value), int(f.n), int(f.n_all), words
        )

    @staticmethod
    def _trace(t: Any) -> Trace:
        n = int(t.n)
        values = (
            np.frombuffer(ffi.buffer(t.value, 8 * n), np.float64).copy() if n > 0 else np.empty(0)
        )
        sweeps = (np.arange(n, dtype=np.int64) + 1) * int(t.stride)
        return Trace(
            text(t.name), int(t.chain), sweeps, values, _TRENDS[t.levelled.trend], int(t.first_kept)
        )

    @property
    def passed(self) -> bool:
        """True if nothing speaks against the run.  No test can show that a chain has converged."""
        return not self.findings

    def table(self, *, frame: str | None = None) -> Any:
        """One row per quantity, then one per topic of the first chain: the table of the command.

        Parameters
        ----------
        frame : str, optional
            See :mod:`gibbous.frames`.

        Returns
        -------
        DataFrame
            ``kind``, ``name``, ``numbers``, ``chains``, ``mean``, ``sd``, ``r_hat``,
            ``r_hat_within``, ``ess_bulk``, ``ess_tail``, ``mcse``, ``median_r_hat``,
            ``median_ess_bulk``, ``limit``; and ``agrees``, whether `r_hat` is what independent
            draws would have.  Of a topic `chains` says how many have it.
        """
        columns: dict[str, list[Any]] = {
            name: []
            for name in (
                "kind",
                "name",
                "numbers",
                "chains",
                *_MIXING,
                "median_r_hat",
                "median_ess_bulk",
                "limit",
                "agrees",
            )
        }

        def add(mixing: Any, has_mean: bool, **values: Any) -> None:
            for name in _MIXING:
                known = has_mean or name not in ("mean", "sd", "mcse")
                columns[name].append(float(getattr(mixing, name)) if known else np.nan)
            for name, value in values.items():
                columns[name].append(value)

        for i in range(library.gb_diagnosis_n_quantities(self._handle.pointer)):
            q = library.gb_diagnosis_quantity(self._handle.pointer, i)
            add(
                q.mixing,
                q.n_numbers == 1,
                kind=text(q.group),
                name=text(q.name),
                numbers=int(q.n_numbers),
                chains=int(q.mixing.n_chains),
                median_r_hat=float(q.median_r_hat),
                median_ess_bulk=float(q.median_ess),
                limit=float(q.limit),
                agrees=bool(q.agrees),
            )
        n_outputs = 1 if self._is_one_vs_rest else len(self._outputs)
        for i in range(library.gb_diagnosis_n_topics(self._handle.pointer)):
            t = library.gb_diagnosis_topic(self._handle.pointer, i)
            of = f" of {self._outputs[t.output]}" if self._is_one_vs_rest else ""
            add(
                t.mixing,
                len(self._outputs) == 1,
                kind="topic",
                name=f"{t.topic + 1}{of}",
                numbers=n_outputs,
                chains=int(t.n_recur),
                median_r_hat=np.nan,
                median_ess_bulk=np.nan,
                limit=float(t.limit),
                agrees=bool(t.agrees),
            )
        return make_frame(columns, frame)

    def recurrence(self) -> NDArray[np.int64]:
        """In how many chains each topic of the first one is found, itself included."""
        d = self._handle.pointer
        n = library.gb_diagnosis_n_topics(d)
        return np.array(
            [library.gb_diagnosis_topic(d, i).n_recur for i in range(n)], dtype=np.int64
        )

    def _repr_html_(self) -> str:
        return diagnosis_html(self)

    def __repr__(self) -> str:
        chains = "1 chain" if self.n_chains == 1 else f"{self.n_chains} chains"
        if self.passed:
            return f"<gibbous.Diagnosis of {chains}: no findings>"
        return f"<gibbous.Diagnosis of {chains}:\n  " + "\n  ".join(map(str, self.findings)) + ">"


def diagnose(model: Model) -> Diagnosis:
    """Diagnose the chains of a model.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Diagnosis
        Traces from the first sweep on, R-hat and effective sample sizes of what does not depend on
        the numbers of topics, which topics recur in other chains, and what speaks against the run.
    """
    out = ffi.new("gb_diagnosis **")
    check(library.gb_diagnosis_create, model._pointer, library.GB_DIAGNOSE_ALL, out)
    return Diagnosis(Handle(out[0], library.gb_diagnosis_free), model)
