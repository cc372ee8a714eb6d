"""What a training tells while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gibbous._library import Callback, library

__all__ = ["Bar", "OnSweep", "Progress", "on_apply"]


@dataclass(frozen=True)
class Progress:
    """The progress of a chain.

    Attributes
    ----------
    chain, n_chains : int
        Number of the chain, from 0; chains of the run.
    sweep, n_sweeps : int
        Sweeps that this chain has done, and that it will do; the most, while `is_open`.
    in_burn_in : bool
    seconds : float
        Wall time since the training began.
    tokens_per_second : float
        Of the chain's last sweep; 0 before there is one.
    is_partial : bool
        The call comes from the middle of a sweep, or of a chain's start (`sweep` is 0).
    n_done, n_left : int
        Sweeps of all chains: done, and still to do.
    is_open : bool
        The chain has not found out yet how long its burn-in is.
    """

    chain: int
    n_chains: int
    sweep: int
    n_sweeps: int
    in_burn_in: bool
    seconds: float
    tokens_per_second: float
    is_partial: bool
    n_done: int
    n_left: int
    is_open: bool
    _pointer: list[Any] = field(default_factory=list, repr=False, compare=False)

    def log_joint(self) -> float:
        """The log joint density of the state; only while the callback runs.

        NaN in the middle of a sweep.  It costs up to a tenth of a sweep.

        Examples
        --------
        >>> gibbous.train(texts, callback=lambda p: p.log_joint() < 0)  # doctest: +SKIP
        """
        return float(library.gb_progress_log_joint(self._now()))

    def training_error(self) -> float:
        """Share of labels that the current scores get wrong; only while the callback runs.

        Examples
        --------
        >>> gibbous.train(texts, callback=lambda p: p.training_error() > 0)  # doctest: +SKIP
        """
        return float(library.gb_progress_training_error(self._now()))

    def _now(self) -> Any:
        if not self._pointer:
            raise ValueError("the callback has returned: ask while it runs")
        return self._pointer[0]


#: Called after each sweep and about four times a second; stops the run by returning False.
OnSweep = Callable[[Progress], object]


def copied(p: Any) -> Progress:
    """The struct of the library as an object of Python."""
    return Progress(
        chain=p.chain,
        n_chains=p.n_chains,
        sweep=p.sweep,
        n_sweeps=p.n_sweeps,
        in_burn_in=p.in_burn_in,
        seconds=p.seconds,
        tokens_per_second=p.tokens_per_second,
        is_partial=p.is_partial,
        n_done=p.n_done,
        n_left=p.n_left,
        is_open=p.is_open,
        _pointer=[p],
    )


class _Lines:
    """A line on standard error for every tenth of the sweeps, where there is no tqdm."""

    def __init__(self) -> None:
        self.total, self.n, self._tenth = 0, 0, 0

    def update(self, n: int) -> None:
        """More sweeps are done."""
        self.n += n
        tenth = 10 * self.n // self.total if self.total > 0 else 0
        if tenth > self._tenth:
            self._tenth = tenth
            print(f"{self.n} of {self.total} sweeps", file=sys.stderr)

    def close(self) -> None:
        """Nothing is open."""


class Bar:
    """Progress over the sweeps of all chains: a bar of tqdm, or lines if it is not installed."""

    def __init__(self, shows: bool) -> None:
        self._bar: Any = None
        if shows:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._bar = _Lines()
            else:
                self._bar = tqdm(unit="sweep", leave=True)

    def show(self, n_done: int, n_all: int) -> None:
        """Sweeps that are done, of how many."""
        if self._bar is not None:
            self._bar.total = n_all
            self._bar.update(n_done - self._bar.n)

    def close(self) -> None:
        """End the line."""
        if self._bar is not None:
            self._bar.close()


def sweep_function(
    callback: OnSweep | None, bar: Bar, counts: Callable[[Any], tuple[int, int]] | None = None
) -> Callable[[Any], bool]:
    """What the library calls: shows the bar, then asks the user's function."""

    def on_sweep(p: Any) -> bool:
        bar.show(*((p.n_done, p.n_done + p.n_left) if counts is None else counts(p)))
        if callback is None:
            return True
        progress = copied(p)
        try:
            return callback(progress) is not False
        finally:
            progress._pointer.clear()

    return on_sweep


def on_apply(callback: Callable[[Any], object] | None) -> Callback:
    """What the library calls while it applies a model."""
    return Callback("gb_apply_progress", lambda p: callback is None or callback(p) is not False)
