"""Options decided against a corpus."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gibbous import _option_types
from gibbous._library import Handle, check, encoded, ffi, library, take_text, text
from gibbous._public import plain, short_errors_of, with_options
from gibbous.corpus import Corpus
from gibbous.options import Settings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import TrainOptions

__all__ = ["Plan"]


def choose_seed(settings: Settings) -> None:
    """As the command does: a seed that was not given is short enough to be typed again."""
    if settings.get("seed") == "auto":
        settings.set("seed", str(secrets.randbits(32)))


@short_errors_of
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

    @with_options(_option_types.TrainOptions)
    def __init__(self, corpus: Corpus, **options: Unpack[TrainOptions]) -> None:
        settings = Settings(plain(options), ("train",), "Plan")
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
        name, value = ffi.new("char const **"), ffi.new("char const **")
        for i in itertools.count():
            if not library.gb_plan_decision(self._pointer, i, name, value):
                return
            yield text(name[0]).replace("-", "_")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __str__(self) -> str:
        """One line: documents, task, topics, sweeps."""
        out = ffi.new("char **")
        check(library.gb_plan_describe, self._pointer, out)
        return take_text(out[0])

    def __repr__(self) -> str:
        return f"<gibbous.Plan: {self}>"

    @property
    def _facts(self) -> Any:
        return library.gb_plan_facts_of(self._pointer)

    @property
    def n_topics(self) -> int:
        """Number of topics."""
        return int(self._facts.n_topics)

    @property
    def n_outputs(self) -> int:
        """Scores per document, all responses together."""
        return int(self._facts.n_outputs)

    @property
    def n_chains(self) -> int:
        """All chains of the run; those from `n_model_chains` on are for calibration."""
        return int(self._facts.n_chains)

    @property
    def n_model_chains(self) -> int:
        """Chains that give draws to the model."""
        return int(self._facts.n_model_chains)

    @property
    def n_sweeps(self) -> int:
        """Sweeps of a chain, burn-in included; the most, if the option `sweeps` is not given."""
        return int(self._facts.n_sweeps)

    @property
    def burn_in(self) -> int:
        """Sweeps before the first draw may be kept; the most, without the option `sweeps`."""
        return int(self._facts.burn_in)

    @property
    def seed(self) -> int:
        """Seed of the random numbers."""
        return int(self._facts.seed)

    @property
    def memory(self) -> int:
        """Peak memory of a training by this plan, in bytes, the corpus included."""
        out = ffi.new("uint64_t *")
        check(library.gb_plan_memory, self._pointer, out)
        return int(out[0])
