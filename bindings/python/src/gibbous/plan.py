"""Options decided against a corpus."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from gibbous._library import Handle, check, encoded, ffi, library, take_text, text
from gibbous.corpus import Corpus
from gibbous.options import Settings

__all__ = ["Plan"]


def choose_seed(settings: Settings) -> None:
    """As the command does: a seed that was not given is short enough to be typed again."""
    if settings.get("seed") == "auto":
        settings.set("seed", str(secrets.randbits(32)))


class Plan(Mapping[str, str]):
    """A run with everything decided before any sampling: names of decisions and their values.

    A plan never changes; any number of threads may use it.

    Parameters
    ----------
    corpus : Corpus
    **options
        Options of training: `topics`, `response`, `sweeps`, `seed`, `threads`, ...

    Raises
    ------
    ArgumentError
        Options that do not go together.
    FormatError
        Labels that do not suit the task.

    Examples
    --------
    >>> plan = Plan(corpus, topics=20, seed=1)  # doctest: +SKIP
    >>> plan["chains"]  # doctest: +SKIP
    '1'
    """

    def __init__(self, corpus: Corpus, **options: Any) -> None:
        settings = Settings(options, ("train",), "Plan")
        choose_seed(settings)
        out = ffi.new("gb_plan **")
        check(library.gb_plan_create, corpus._pointer, settings.pointer, out)
        self._handle = Handle(out[0], library.gb_plan_free, [corpus._handle, settings])
        self.corpus = corpus

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    def __getitem__(self, name: str) -> str:
        if "\0" in name:
            raise KeyError(name)
        value = library.gb_plan_value(self._pointer, encoded(name.replace("_", "-")))
        if value == ffi.NULL:
            raise KeyError(name)
        return text(value)

    def __iter__(self) -> Iterator[str]:
        for i in range(len(self)):
            yield text(library.gb_plan_decision_name(self._pointer, i)).replace("-", "_")

    def __len__(self) -> int:
        return int(library.gb_plan_n_decisions(self._pointer))

    def __str__(self) -> str:
        """One line: documents, task, topics, sweeps."""
        out = ffi.new("char **")
        check(library.gb_plan_describe, self._pointer, out)
        return take_text(out[0])

    def __repr__(self) -> str:
        return f"<gibbous.Plan: {self}>"

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(library.gb_plan_n_topics(self._pointer))

    @property
    def n_outputs(self) -> int:
        """Scores per document, all responses together."""
        return int(library.gb_plan_n_outputs(self._pointer))

    @property
    def n_chains(self) -> int:
        """All chains of the run; those from `n_model_chains` on are for calibration."""
        return int(library.gb_plan_n_chains(self._pointer))

    @property
    def n_model_chains(self) -> int:
        """Chains that give draws to the model."""
        return int(library.gb_plan_n_model_chains(self._pointer))

    @property
    def n_sweeps(self) -> int:
        """Sweeps of a chain, burn-in included; the most, if the option `sweeps` is not given."""
        return int(library.gb_plan_n_sweeps(self._pointer))

    @property
    def burn_in(self) -> int:
        """Sweeps before the first draw may be kept; the most, without the option `sweeps`."""
        return int(library.gb_plan_burn_in(self._pointer))

    @property
    def seed(self) -> int:
        """Seed of the random numbers."""
        return int(library.gb_plan_seed(self._pointer))

    @property
    def memory(self) -> int:
        """Peak memory of a training by this plan, in bytes, the corpus included."""
        out = ffi.new("uint64_t *")
        check(library.gb_plan_memory, self._pointer, out)
        return int(out[0])
