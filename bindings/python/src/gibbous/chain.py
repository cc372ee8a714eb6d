"""A Markov chain in hand: step it, watch it, read its state, save it, go on later."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import (
    Callback,
    Handle,
    check,
    encoded,
    encoded_path,
    ffi,
    library,
    text,
    view,
)
from gibbous.errors import GibbousError, NoDrawsError, Stopped, error_of
from gibbous.model import Model
from gibbous.plan import Plan
from gibbous.progress import Bar, OnSweep, Progress, copied, sweep_function

__all__ = ["Arrays", "Chain", "ModelBuilder"]


class Chain:
    """One Markov chain of a plan.

    Its result depends on documents, options, seed and number, never on threads or on how its sweeps
    are divided into steps. It starts by itself, without the short chains of ``pool``. A chain is
    used by one thread at a time; different chains may be stepped by different threads at once, and
    the interpreter is free while one works.

    Parameters
    ----------
    plan : Plan
    number : int
        Below ``plan.n_chains``.

    Examples
    --------
    >>> chain = Chain(plan)  # doctest: +SKIP
    >>> for progress in chain.step(100):  # doctest: +SKIP
    ...     if progress.sweep % 10 == 0:
    ...         print(progress.sweep, chain.log_joint())
    >>> chain.save("chain.gbs")  # doctest: +SKIP
    """

    def __init__(self, plan: Plan, number: int = 0) -> None:
        out = ffi.new("gb_chain **")
        check(library.gb_chain_create, plan._pointer, number, out)
        self._take(plan, out[0])

    def _take(self, plan: Plan, pointer: Any) -> None:
        self.plan = plan
        self._handle = Handle(pointer, library.gb_chain_free, [plan._handle])
        self._lock = threading.Lock()

    @contextmanager
    def _own(self) -> Iterator[Any]:
        """The chain, which nobody else uses meanwhile."""
        if not self._lock.acquire(blocking=False):
            raise GibbousError(
                "the chain is at work: another thread steps it, or this is its own callback"
            )
        try:
            yield self._handle.pointer
        finally:
            self._lock.release()

    def __repr__(self) -> str:
        return f"<gibbous.Chain: number {self.number}>"

    # ---- stepping

    def step(self, n_sweeps: int = 1) -> Iterator[Progress]:
        """Do sweeps one by one, as the iterator is asked for them.

        Ctrl-C in a sweep stops at its end; the chain keeps everything and can be stepped further.

        Parameters
        ----------
        n_sweeps : int

        Yields
        ------
        Progress
            After each sweep.

        Raises
        ------
        Stopped
            Ctrl-C; its attribute `chain` is this chain.
        NumericError
            A quantity became NaN or infinite.

        Examples
        --------
        >>> progress = [p.sweep for p in chain.step(2)]
        >>> len(progress)
        2
        """
        for _ in range(n_sweeps):
            last: list[Progress] = []

            def keep(p: Any, last: list[Progress] = last) -> bool:
                last[:] = [copied(p)]
                return True

            self._do(1, keep)
            last[0]._pointer.clear()
            yield last[0]

    def run(
        self,
        n_sweeps: int | None = None,
        *,
        callback: OnSweep | None = None,
        progress: bool = False,
    ) -> Chain:
        """Do sweeps at once.

        Parameters
        ----------
        n_sweeps : int, optional
            Without it, until the chain is done.
        callback : callable, optional
            Called with a :class:`Progress` after each sweep and about four times a second; stops by
            returning False.
        progress : bool
            Show a bar (tqdm), or without tqdm lines on standard error.

        Returns
        -------
        Chain
            This chain.

        Examples
        --------
        >>> chain.run(1)  # doctest: +SKIP
        """
        bar = Bar(progress)
        try:
            begin = self.n_sweeps

            def counts(p: Any) -> tuple[int, int]:
                return p.sweep - begin, p.n_sweeps - begin if n_sweeps is None else n_sweeps

            on_sweep = sweep_function(callback, bar, counts)
            if n_sweeps is not None:
                self._do(n_sweeps, on_sweep)
            while n_sweeps is None and not self.is_done:
                if not self._do(1, on_sweep):
                    break
        finally:
            bar.close()
        return self

    def _do(self, n_sweeps: int, on_sweep: Any) -> bool:
        """Step; False if the callback has said stop."""
        watch = Callback("gb_progress", on_sweep)
        with self._own() as chain:
            status, message = watch.call(
                library.gb_chain_step, chain, n_sweeps, watch.pointer, ffi.NULL
            )
        if isinstance(watch.error, KeyboardInterrupt):
            raise Stopped(
                f"stopped after sweep {self.n_sweeps}; the chain can be stepped further", chain=self
            ) from watch.error
        if watch.error is not None:
            raise watch.error
        if status not in (library.GB_OK, library.GB_ESTOP):
            raise error_of(status, message)
        return bool(status == library.GB_OK)

    @property
    def number(self) -> int:
        """Number of the chain in its plan."""
        with self._own() as chain:
            return int(library.gb_chain_facts_of(chain).number)

    @property
    def n_sweeps(self) -> int:
        """Sweeps that the chain has done."""
        with self._own() as chain:
            return int(library.gb_chain_facts_of(chain).n_sweeps)

    @property
    def burn_in(self) -> int:
        """Sweeps of burn-in; the most, until the chain has found out itself."""
        with self._own() as chain:
            return int(library.gb_chain_facts_of(chain).burn_in)

    @property
    def keeps(self) -> bool:
        """True if the state after the last sweep is kept as a draw."""
        with self._own() as chain:
            return bool(library.gb_chain_facts_of(chain).keeps)

    @property
    def is_done(self) -> bool:
        """True once the chain has done all sweeps of its plan."""
        with self._own() as chain:
            return bool(library.gb_chain_facts_of(chain).is_done)

    def log_joint(self) -> float:
        """The log joint density of the state; natural logarithm, up to a tenth of a sweep.

        Examples
        --------
        >>> chain.log_joint() < 0
        True
        """
        out = ffi.new("double *")
        with self._own() as chain:
            check(library.gb_chain_log_joint, chain, out)
        return float(out[0])

    def training_error(self) -> float:
        """Share of labels that the current scores get wrong; NaN without labels.

        Examples
        --------
        >>> 0 <= chain.training_error() <= 1
        True
        """
        with self._own() as chain:
            return float(library.gb_chain_training_error(chain))

    # ---- state

    @property
    def arrays(self) -> Arrays:
        """The arrays of the chain by name, as read-only views of its memory."""
        return Arrays(self)

    def start_from(self, model: Model) -> None:
        """Begin with the topics of a model; before the first step.

        Parameters
        ----------
        model : Model

        Examples
        --------
        >>> chain.start_from(model)  # doctest: +SKIP
        """
        with self._own() as chain:
            check(library.gb_chain_init_from, chain, model._pointer)

    # ---- files

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the state to a file, which appears whole or not at all.

        Parameters
        ----------
        path : str or path
        force : bool
            Replace an existing file.

        Examples
        --------
        >>> chain.save("chain.state")  # doctest: +SKIP
        """
        with self._own() as chain:
            check(library.gb_chain_save, chain, encoded_path(path), force)

    @classmethod
    def load(cls, plan: Plan, path: str | os.PathLike[str]) -> Chain:
        """Read a chain that was saved.

        Stepped further, it gives the same bits as if it had never been saved.

        Parameters
        ----------
        plan : Plan
            For the same documents, model and seed; `sweeps`, `burn_in` and `thin` may differ.
        path : str or path

        Examples
        --------
        >>> chain.load("chain.state")  # doctest: +SKIP
        """
        out = ffi.new("gb_chain **")
        check(library.gb_chain_load, plan._pointer, encoded_path(path), out)
        chain = cls.__new__(cls)
        chain._take(plan, out[0])
        return chain


class Arrays(Mapping[str, NDArray[Any]]):
    """The arrays of a chain by name.

    "coefficients" (outputs x features), "scores" (documents x outputs), "topics" (tokens in the
    order of the corpus), ...

    An array is a read-only view of the chain's memory, which lives as long as the array: steps
    change what is in it.  Keep a state by ``array.copy()``.  A few arrays grow or move in the
    engine; of these, and of "topics", you get the values of now.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def _names(self) -> list[str]:
        with self._chain._own() as chain:
            n = library.gb_chain_n_arrays(chain)
            found = (library.gb_chain_array(chain, i) for i in range(n))
            return [
                text(array.name) for array in found if array != ffi.NULL and array.data != ffi.NULL
            ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __getitem__(self, name: str) -> NDArray[Any]:
        if "\0" in name:
            raise KeyError(name)
        with self._chain._own() as chain:
            found = library.gb_chain_find_array(chain, encoded(name))
            if found == ffi.NULL:
                raise KeyError(name)
            axes = range(found.n_dimensions)
            shape = tuple(int(found.shape[i]) for i in axes)
            strides = tuple(int(found.stride[i]) for i in axes)
            array = view(self._chain._handle, found.data, text(found.type), shape, strides)
            if found.is_fixed and name != "topics":
                return array
            copy = np.array(array)
        copy.flags.writeable = False
        return copy


class ModelBuilder:
    """A model in the making: it collects draws of chains that the caller steps.

    If every chain of the plan adds a draw after each sweep for which ``chain.keeps``, the model is
    that of :func:`gibbous.train`.  Threads that step chains of the plan may share a builder, which
    takes one draw at a time.

    Parameters
    ----------
    plan : Plan
    """

    def __init__(self, plan: Plan) -> None:
        out = ffi.new("gb_model_builder **")
        check(library.gb_model_builder_create, plan._pointer, out)
        self._handle = Handle(out[0], library.gb_model_builder_free, [plan._handle])
        self._given = plan.corpus._given
        self._lock = threading.Lock()
        self.n_draws = 0

    def add(self, chain: Chain) -> None:
        """Add the state of a chain as a posterior draw.

        Parameters
        ----------
        chain : Chain

        Examples
        --------
        >>> builder.add(chain)  # doctest: +SKIP
        """
        with chain._own() as pointer, self._lock:
            check(library.gb_model_builder_add, self._handle.pointer, pointer)
            self.n_draws += 1

    def finish(self) -> Model:
        """Make the model; the builder can take no more draws.

        Examples
        --------
        >>> model = builder.finish()  # doctest: +SKIP
        """
        out = ffi.new("gb_model **")
        with self._lock:
            if self.n_draws == 0:
                raise NoDrawsError("no draw was added")
            check(library.gb_model_builder_finish, self._handle.pointer, out)
        return Model._owned(out[0], self._given)
