"""Which settings suit the documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gibbous import _option_types
from gibbous._library import Callback, Handle, check, encoded, encoded_path, ffi, library
from gibbous._public import plain, short_errors, with_options
from gibbous.corpus import Corpus, corpus_of, is_in_memory
from gibbous.errors import Stopped
from gibbous.evaluation import sections
from gibbous.inputs import loaded, split
from gibbous.options import Settings, _items, options
from gibbous.plan import choose_seed
from gibbous.tables import Table, ask

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import SelectOptions

__all__ = ["Candidate", "Selection", "SelectionProgress", "select"]


@dataclass(frozen=True)
class SelectionProgress:
    """How far a selection is.

    Attributes
    ----------
    n_done, n_fits : int
        Fits of this stage; those from the file of results are done.
    stage, n_stages : int
        From 0; there are several with `halving`.
    seconds : float
        Wall time since the selection began.
    """

    n_done: int
    n_fits: int
    stage: int
    n_stages: int
    seconds: float


@dataclass(frozen=True)
class Candidate:
    """Settings that were tried, and how good they are.

    Attributes
    ----------
    settings : dict of str
        The values of the options in which candidates differ.
    scores : dict of dict of float
        Of the documents of all folds together, by section and name; of topics, means over folds.
    standard_errors : dict of dict of float
        Of these scores; NaN for counts.
    folds : dict of dict of dict of float
        Scores in each fold by its name.
    divisor : int
        1; or 3 or 9 if halving has dropped the candidate: its scores are then of 1/3 or 1/9 of the
        work.
    """

    settings: dict[str, str]
    scores: dict[str, dict[str, float]]
    standard_errors: dict[str, dict[str, float]]
    folds: dict[str, dict[str, dict[str, float]]]
    divisor: int


@dataclass(frozen=True)
class Selection:
    """Candidates with their scores.

    Attributes
    ----------
    candidates : list of Candidate
    criterion : tuple of str
        Section and name of the score that they are compared by.
    best, advised : Candidate
        The one with the best score, and the one with the fewest topics of those whose difference
        from it is within one standard error.
    advice : str
        What to take and why.
    tables : dict of str to Table
        The answers to "selection" and "selection-scores".
    """

    candidates: list[Candidate]
    criterion: tuple[str, str]
    best: Candidate
    advised: Candidate
    advice: str
    tables: dict[str, Table] = field(repr=False)

    def __repr__(self) -> str:
        section, name = self.criterion
        lines = [f"<gibbous.Selection of {len(self.candidates)} settings>"]
        for one in self.candidates:
            values = ", ".join(f"{option} {value}" for option, value in one.settings.items())
            mean, error = one.scores[section][name], one.standard_errors[section][name]
            dropped = f" (on 1/{one.divisor} of the work)" if one.divisor > 1 else ""
            lines.append(f"{values}: {name} {mean:.6g} ± {error:.2g}{dropped}")
        return "\n".join([*lines, self.advice])


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, os.PathLike))


def _split_grid(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Options with one value, and those with a list of them, as the library takes them."""
    plain, grid = {}, {}
    for name, value in given.items():
        option = options().get(name)
        varies = (
            option is not None
            and option.group in ("Model", "Sampler")
            and option.kind != "list"
            and _is_list(value)
        )
        if option is not None and varies:
            grid[option.long_name] = ";".join(",".join(_items(one)) for one in value)
        else:
            plain[name] = value
    return plain, grid


@short_errors
@with_options(_option_types.SelectOptions)
def select(
    data: Any,
    *,
    callback: Callable[[SelectionProgress], object] | None = None,
    **options: Unpack[SelectOptions],
) -> Selection:
    """Try settings on documents that their models have not seen.

    Parameters
    ----------
    data : Corpus, str or path, or documents in memory
    callback : callable, optional
        Called with a :class:`SelectionProgress` several times a second; stops by returning False.
    **options
        Options of training and evaluation.  A list gives an option of the model or the sampler
        several values to choose between, every combination of which is tried: ``topics=[20, 50]``,
        ``cost=[1, 8]``; a value that is a list itself is in another one: ``alpha=[[0.1, 0.2]]``.
        `folds`, `fold_by`, `hold_out_group`, `halving`, `criterion`, and `results`, the file
        that keeps finished fits.

    Raises
    ------
    Stopped
        Ctrl-C, or the callback returned False; with `results` the same call goes on.

    Examples
    --------
    >>> found = gibbous.select(texts, label=labels, folds=2, **{**quick, "topics": [2, 3]})
    >>> len(found.candidates)
    2
    """
    data, in_memory, given = loaded(data), None, plain(options)
    if is_in_memory(data):
        in_memory, given = split(data, given)
    single, grid = _split_grid(given)
    settings = Settings({}, ("select",), "select")
    for name, values in grid.items():
        what = f"the option {name}"
        check(library.gb_selection_set, settings.pointer, encoded(name), encoded(values, what))
    settings.give(single, ("select",), "select")
    check(library.gb_selection_take_seed, settings.pointer)
    choose_seed(settings)
    out = ffi.new("gb_selection **")
    if isinstance(data, (str, os.PathLike)):
        reading = Callback("gb_read_progress", lambda _: True)
        reading.run(library.gb_selection_read, (encoded_path(data), settings.pointer), out)
        borrowed: list[Handle] = [settings]
    else:
        corpus: Corpus = data if in_memory is None else corpus_of(in_memory, settings)
        check(library.gb_selection_create, corpus._pointer, settings.pointer, out)
        borrowed = [settings, corpus._handle]
    handle = Handle(out[0], library.gb_selection_free, borrowed)
    watch = Callback("gb_selection_progress", _progress_function(callback))
    try:
        watch.check(library.gb_selection_run, handle.pointer, watch.pointer, ffi.NULL)
    except KeyboardInterrupt as interrupt:
        raise Stopped("the selection was stopped") from interrupt
    return _results(handle.pointer)


def _progress_function(
    callback: Callable[[SelectionProgress], object] | None,
) -> Callable[[Any], bool]:
    def on_progress(p: Any) -> bool:
        if callback is None:
            return True
        now = SelectionProgress(p.n_done, p.n_fits, p.stage, p.n_stages, float(p.seconds))
        return callback(now) is not False

    return on_progress


def _candidate(scores: Table, number: int, settings: dict[str, str]) -> Candidate:
    own = scores.only("candidate", [number])
    names = dict.fromkeys(own.columns["fold"])
    folds = {fold: own.only("fold", [fold]) for fold in names}
    return Candidate(
        settings=settings,
        scores=sections(folds[""], keep_nan=True),
        standard_errors=sections(folds[""], "se"),
        folds={fold: sections(table, keep_nan=True) for fold, table in folds.items() if fold != ""},
        divisor=int(own.columns["divisor"][0]),
    )


def _results(selection: Any) -> Selection:
    questions = ("selection", "selection-scores")
    tables = {question: ask(question, selection=selection) for question in questions}
    table, scores = tables.values()
    names = list(scores.columns)[: list(scores.columns).index("divisor")]
    verdicts = table.columns["verdict"]
    candidates = [
        _candidate(scores, i + 1, {name: row[name] for name in names})
        for i, row in enumerate(table.rows())
    ]

    def judged(word: str) -> Candidate:
        return next(c for c, verdict in zip(candidates, verdicts, strict=True) if word in verdict)

    criterion = next(scores.only("is_criterion", [True]).rows())
    return Selection(
        candidates=candidates,
        criterion=(criterion["section"], criterion["score"]),
        best=judged("best"),
        advised=judged("advised"),
        advice=table.remarks[0],
        tables=tables,
    )
