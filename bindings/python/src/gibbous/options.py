"""The option table of the library, as Python sees it.

Options have the names of the command with underscores for dashes: ``--burn-in 50`` is
``burn_in=50``.  Values are given as Python has them; the library checks them.
"""

from __future__ import annotations

import json
import numbers
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count, takewhile
from typing import Any

from gibbous._library import Handle, check, encoded, ffi, library, text
from gibbous._verbs import VERBS_OF
from gibbous.errors import ArgumentError, UnknownOptionError
from gibbous.inputs import graph, name_of, square, words

__all__ = ["Option", "Settings", "arguments_of", "options"]

#: Options of the command alone: what it prints, and where it writes.
_COMMAND_ONLY = frozenset(
    [
        "config",
        "dry-run",
        "quiet",
        "verbose",
        "force",
        "json",
        "strict",
        "table",
        "output",
        "model",
        "words",
        "rows",
        "per-fold",
        "kind",
        "trend",
        "contrast",
        "prior-predictive",
        "reference",
        "coherence-words",
        "coherence-window",
        "shards",
        "to",
        "baseline-on",
        "selection",
        "format-only",
        "sandbox",
        "safe-cells",
    ]
)


#: What other packages call an option, and what it is called here.
_ELSEWHERE = {
    "k": "topics",
    "K": "topics",
    "n_topics": "topics",
    "num_topics": "topics",
    "nr_topics": "topics",
    "n_components": "topics",
    "number_of_topics": "topics",
    "random_state": "seed",
    "random_seed": "seed",
    "rng": "seed",
    "seed_topic_list": "seeds",
    "seed_words": "seeds",
    "n_jobs": "threads",
    "workers": "threads",
    "cores": "threads",
    "n_threads": "threads",
    "n_iter": "sweeps",
    "iterations": "sweeps",
    "max_iter": "sweeps",
    "passes": "sweeps",
    "draws": "sweeps",
    "num_iterations": "sweeps",
    "burnin": "burn_in",
    "tune": "burn_in",
    "warmup": "burn_in",
    "n_chains": "chains",
    "doc_topic_prior": "alpha",
    "topic_word_prior": "beta",
    "eta": "beta",
    "C": "cost",
    "stop_words": "stopwords",
    "stemmer": "stem",
    "ngram_range": "ngrams",
    "max_features": "max_vocabulary",
    "y": "label, or target for a number",
    "labels_column": "label",
    "text_column": "text",
    "sample_weight": "document_weight",
    "verbose": "progress",
}

#: Options that also take objects of Python, and what makes texts of them.
_OBJECTS: dict[str, Callable[[Any, str], str]] = {
    "graph": graph,
    "stopwords": words,
    "vocabulary": words,
    "psi_covariance": square,
}


@dataclass(frozen=True)
class Option:
    """One option of the library.

    Attributes
    ----------
    name : str
        The keyword in Python: ``burn_in``.
    long_name : str
        The name on the command line, without dashes before it: ``burn-in``.
    kind : str
        "int", "real", "text", "list", "flag", "switch" or "choice".
    group : str
        The heading in the help of the command, such as "Sampler".
    default : str
        As the command takes it; "": not set; "auto": the library decides.
    low, high : str
        The range of numbers; "" for other kinds.
    choices : tuple of str
        Of a choice.
    verbs : tuple of str
        Verbs of the command that have the option.
    is_kept : bool
        A model stores its value.
    needs : str
        What must be given, or must not be, if this option is.
    help : str
        What it does.
    """

    name: str
    long_name: str
    kind: str
    group: str
    default: str
    low: str
    high: str
    choices: tuple[str, ...]
    verbs: tuple[str, ...]
    is_kept: bool
    needs: str
    help: str


# An option of a newer library: models keep the options of their training.
_FITS = "train evaluate select"


def _option(of: Any) -> Option:
    long_name = text(of.name)
    choices = text(of.choices)
    return Option(
        name=long_name.replace("-", "_"),
        long_name=long_name,
        kind=text(library.gb_option_kind_name(of.kind)),
        group=text(library.gb_option_group_name(of.group)),
        default=text(of.default_value),
        low=text(of.low),
        high=text(of.high),
        choices=tuple(choices.split("|")) if choices else (),
        verbs=tuple(VERBS_OF.get(long_name, _FITS if of.kept else "").split()),
        is_kept=bool(of.kept),
        needs=text(of.needs),
        help=text(of.help),
    )


@cache
def options() -> dict[str, Option]:
    """All options by their names in Python, in the order of the command's help."""
    rows = takewhile(lambda row: row != ffi.NULL, map(library.gb_option_at, count()))
    found = map(_option, rows)
    return {option.name: option for option in found}


def _nearest(word: str, candidates: list[str]) -> str:
    array = [ffi.new("char[]", encoded(candidate)) for candidate in candidates]
    found = library.gb_text_nearest(
        encoded(word, "an option"), len(array), ffi.new("char *[]", array)
    )
    return "" if found == ffi.NULL else text(found)


def _known(name: str, verbs: tuple[str, ...], who: str) -> Option:
    option = options().get(name)
    names = [
        o.name
        for o in options().values()
        if set(o.verbs) & set(verbs) and o.long_name not in _COMMAND_ONLY
    ]
    if option is not None and option.name in names:
        return option
    nearest = _ELSEWHERE.get(name, "")
    if nearest.partition(",")[0] not in names and nearest != "progress":
        nearest = "" if option is not None else _nearest(name, names)
    hint = f"; did you mean {nearest}?" if nearest else ""
    raise UnknownOptionError(f"{who}() has no option {name}{hint}")


def _plain(value: Any) -> str:
    """One value as the command takes it."""
    if isinstance(value, str):
        return value
    if value is True or value is False or type(value).__name__ in ("bool_", "bool"):
        return "yes" if value else "no"
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    raise TypeError(
        "a value of an option is a number, a text, a truth value, a list or a mapping, "
        f"not {value!r}"
    )


def _class(value: Any) -> str:
    """The name of a class, as documents in memory have it."""
    return name_of(value, "the name of a class")


def _values(option: Option, value: Any) -> list[str]:
    """The texts of a value: one, or several for an option that may be given several times."""
    if option.name in _OBJECTS:
        return [_OBJECTS[option.name](value, option.long_name)]
    if option.name == "positive":
        return [_class(value)]
    if option.name == "levels":
        value = _levels(value)
    if isinstance(value, Mapping):
        if option.name == "class_weight":
            return [json.dumps({_class(key): float(weight) for key, weight in value.items()})]
        if option.name == "seeds":
            words = {_plain(topic): _seed_words(of) for topic, of in value.items()}
            return [json.dumps(words)]
        pairs = [f"{_plain(key)}={','.join(_items(item))}" for key, item in value.items()]
        return pairs if option.kind == "list" else [",".join(pairs)]
    if option.name == "seeds" and _is_list(value):
        return [json.dumps(_seed_lists(list(value)))]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        items = _items(value)
        if option.kind == "list" and option.name not in ("group", "levels"):
            return items
        return [",".join(items)]
    return [_plain(value)]


def arguments_of(option: Option, value: Any) -> list[str]:
    """An option and its value as arguments of the command."""
    name = option.long_name
    if option.kind in ("flag", "switch"):
        return [f"--{name}" if _plain(value) == "yes" else f"--no-{name}"]
    return [f"--{name}={one}" for one in _values(option, value)]


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike))


def _seed_lists(topics: list[Any]) -> dict[str, Any]:
    """Seed words without names: the topic has the name of its first word."""
    found: dict[str, Any] = {}
    for number, of in enumerate(topics):
        if isinstance(of, str) or not _is_list(of) or len(of) == 0:
            raise ArgumentError(
                f"seeds: expected a list of words for each topic, got {of!r} for topic {number};"
                ' a mapping gives names, as in seeds={"sport": ["goal", "team"]}'
            )
        words = _seed_words(of)
        name = next(iter(words))
        if name in found:
            raise ArgumentError(f"seeds: two topics begin with the word {name!r}: give names")
        found[name] = words
    return found


def _seed_words(words: Any) -> Any:
    """Words of a topic as a list, or with the strength of each."""
    if isinstance(words, Mapping):
        return {_plain(word): float(strength) for word, strength in words.items()}
    return _items(words)


def _levels(value: Any) -> Any:
    """The names of levels, or those of each field."""
    if isinstance(value, Mapping):
        return {field: _levels(names) for field, names in value.items()}
    return value if isinstance(value, str) else [_class(name) for name in value]


def _items(value: Any) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [_plain(value)]
    return [_plain(item) for item in value]


class Settings(Handle):
    """The options of one call, checked by the library.

    Parameters
    ----------
    given : mapping
        Options by their names in Python; None stands for "not given".
    verbs : tuple of str
        The call takes the options of these verbs of the command.
    who : str
        The function that was called, for messages.
    """

    __slots__ = ()

    def __init__(self, given: Mapping[str, Any], verbs: tuple[str, ...], who: str) -> None:
        out = ffi.new("gb_settings **")
        check(library.gb_settings_create, out)
        super().__init__(out[0], library.gb_settings_free)
        self.give(given, verbs, who)

    def give(self, given: Mapping[str, Any], verbs: tuple[str, ...], who: str) -> None:
        """Set options, and see whether they go together with each other and with those before."""
        for name, value in given.items():
            option = _known(name, verbs, who)
            if value is not None:
                for one in _values(option, value):
                    self.set(option.long_name, one)
        for name in given:
            self._check(options()[name])

    def _check(self, option: Option) -> None:
        """Whether the others go with it; what the documents decide is open."""
        long_name, needs = encoded(option.long_name), encoded(option.needs)
        none = ffi.NULL
        check(library.gb_settings_check, self.pointer, long_name, needs, none, 0, none)

    def set_some(self, given: Mapping[str, Any], long_names: Collection[str], who: str) -> None:
        """Set options by their names in Python; only those in `long_names` can be given."""
        for name, value in given.items():
            option = options().get(name)
            if option is None or option.long_name not in long_names:
                known = ", ".join(one.replace("-", "_") for one in long_names) or "none"
                raise UnknownOptionError(f"{who} has no option {name}; it has {known}")
            for one in [] if value is None else _values(option, value):
                self.set(option.long_name, one)

    def set(self, long_name: str, value: str) -> None:
        """Set one option to a text, by its name on the command line."""
        what = f"the option {long_name.replace('-', '_')}"
        check(library.gb_settings_set, self.pointer, encoded(long_name), encoded(value, what))

    def is_set(self, long_name: str) -> bool:
        """Whether somebody has given the option."""
        return bool(library.gb_settings_is_set(self.pointer, encoded(long_name)))

    def get(self, long_name: str) -> str:
        """The value of an option as text."""
        return text(library.gb_settings_get(self.pointer, encoded(long_name), 0))
