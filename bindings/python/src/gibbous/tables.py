"""Answers of the library (gibbous/answer.h) as tables and data frames."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from gibbous._library import Callback, Handle, check, encoded, ffi, library, text
from gibbous.errors import (
    ArgumentError,
    DoubtWarning,
    SuspectWarning,
    depth_of_package,
    in_python,
)
from gibbous.options import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Framed", "Table", "ask", "make_frame", "questions"]

_NO_COUNT = 2**64 - 1


@dataclass
class Table:
    """The answer to a question: the cells that the command prints and the page shows.

    Attributes
    ----------
    columns : dict of str to list or ndarray
        Texts and lists of texts are lists; numbers are arrays.  Counts are integers, or floats with
        NaN where one is missing.
    help, units : dict of str to str
        What a column says, and in which unit.
    weights : ndarray of float64
        How much a row says: a shortened list shows the largest, and NaN always.
    doubts, remarks : list of str
        What must not be believed of the numbers, and what else belongs to them.
    """

    columns: dict[str, Any]
    help: dict[str, str] = field(repr=False)
    units: dict[str, str] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)
    doubts: list[str]
    remarks: list[str]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, as cells by the names of columns.

        Examples
        --------
        >>> next(model.evaluate(texts, label=labels).table().rows())["score"]
        'n'
        """
        for cells in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, cells, strict=True))

    def only(self, column: str, wanted: Collection[Any]) -> Table:
        """The rows with some values of a column.

        Parameters
        ----------
        column : str
        wanted : collection
            Cells of the column.

        Examples
        --------
        >>> model.evaluate(texts, label=labels).table().only("score", ["accuracy"]).columns["value"]
        array([1.])
        """
        rows = [i for i, value in enumerate(self.columns[column]) if value in wanted]
        columns = {
            name: cells[rows] if isinstance(cells, np.ndarray) else [cells[i] for i in rows]
            for name, cells in self.columns.items()
        }
        return replace(self, columns=columns, weights=self.weights[rows])

    def frame(self, frame: str | None = None) -> Any:
        """A data frame of it, see :func:`gibbous.frames.make_frame`; doubts become warnings."""
        for doubt in self.doubts:
            warnings.warn(doubt, DoubtWarning, stacklevel=depth_of_package())
        made = make_frame(self.columns, frame)
        if hasattr(made, "attrs"):
            made.attrs["notes"] = [*self.doubts, *self.remarks]
        return made


def make_frame(columns: Mapping[str, Any], frame: str | None = None) -> Any:
    """Make a data frame of columns.

    Parameters
    ----------
    columns : dict
        A list or an array for each name, all of one length.
    frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
        What to make; by default the first of them that is installed.

    Returns
    -------
    DataFrame, Table or dict of ndarray
    """
    kinds = ("pandas", "polars", "pyarrow", "arrays")
    if frame is None:
        frame = next(
            kind for kind in kinds if kind == "arrays" or importlib.util.find_spec(kind) is not None
        )
    if frame not in kinds:
        raise ArgumentError(f"frame must be one of {', '.join(kinds)}, not {frame!r}")
    if frame == "arrays":
        return {name: _array(values) for name, values in columns.items()}
    backend: Any = frame
    return nw.from_dict(dict(columns), backend=backend).to_native()


class Framed:
    """A result that is a data frame, too; the class says what its rows are."""

    def _cells(self) -> Table | Mapping[str, Any]:
        raise NotImplementedError

    def to_frame(self, frame: str | None = None) -> Any:
        """The rows as a data frame.

        Parameters
        ----------
        frame : {"pandas", "polars", "pyarrow", "arrays"}, optional
            What to make; by default the first of them that is installed.

        Examples
        --------
        >>> list(model.evaluate(texts, label=labels).to_frame("arrays"))[:2]
        ['field', 'score']
        """
        cells = self._cells()
        return cells.frame(frame) if isinstance(cells, Table) else make_frame(cells, frame)


def _array(values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray) or not any(isinstance(one, (str, list)) for one in values):
        return np.array(values)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _rows() -> dict[str, tuple[str, str, int]]:
    """Help, options and needs of each question."""
    found: dict[str, tuple[str, str, int]] = {}
    while (row := library.gb_question_at(len(found))) != ffi.NULL:
        found[text(row.name)] = text(row.help), text(row.options), int(row.needs)
    return found


def questions() -> dict[str, str]:
    """The questions that there are, with one line of help for each.

    Examples
    --------
    >>> "effects" in questions()
    True
    """
    return {name: row[0] for name, row in _rows().items()}


def stopwords(lists: Any) -> list[str]:
    """The words that the option `stopwords` leaves out.

    Parameters
    ----------
    lists : str, path or sequence of str
        A value of the option: languages and files with commas between them, or words.

    Returns
    -------
    list of str
        Sorted, in small letters.

    Examples
    --------
    >>> len(stopwords("en")) > 200, stopwords("german") == stopwords("de")
    (True, True)
    """
    found: list[str] = ask("stop-words", {"stopwords": lists}).columns["word"]
    return found


def needs_of(question: str) -> int:
    """What a question needs, as bits of ``enum gb_need``."""
    return _rows().get(question, ("", "", 0))[2]


def options_of(question: str) -> list[str]:
    """Names of the options that a question reads, as on the command line."""
    return _rows().get(question, ("", "", 0))[1].split()


def answer(
    question: str,
    options: Mapping[str, Any] | None = None,
    *,
    settings: Settings | None = None,
    watch: Callback | None = None,
    **subject: Any,
) -> Handle:
    """What :func:`ask` reads: a table of the library."""
    of = ffi.new("gb_subject *", {"size": ffi.sizeof("gb_subject"), **subject})
    settings = Settings({}, (), question) if settings is None else settings
    settings.set_some(options or {}, options_of(question), question)
    out = ffi.new("gb_table **")
    arguments = (library.gb_answer, encoded(question), of, settings.pointer, out)
    if watch is None:
        check(*arguments)
    else:
        of.on_apply = watch.pointer
        watch.check(*arguments)
    return Handle(out[0], library.gb_table_free)


def ask(
    question: str,
    options: Mapping[str, Any] | None = None,
    *,
    settings: Settings | None = None,
    watch: Callback | None = None,
    **subject: Any,
) -> Table:
    """Ask the library.

    Parameters
    ----------
    question : str
        One of :func:`questions`.
    options : mapping, optional
        Options that the question reads, by their names in Python.
    settings : Settings, optional
        Where the options are added: those of documents, by which they are read and their topics
        are inferred.
    watch : Callback, optional
        What is called while a question works on documents.
    **subject
        Members of ``gb_subject``: what is asked, as pointers of the library.
    """
    made = answer(question, options, settings=settings, watch=watch, **subject)
    return _read(made.pointer)


_words_later: ContextVar[list[str] | None] = ContextVar("_words_later", default=None)


class words_after:
    """Until the end of a training, nothing is said of stop words and rare words that are kept.

    No generator of contextlib, whose frames would hide the line of the caller.
    """

    def __enter__(self) -> None:
        self._found: list[str] = []
        self._before = _words_later.set(self._found)

    def __exit__(self, kind: object, *_: object) -> None:
        _words_later.reset(self._before)
        for sentence in self._found if kind is None else []:
            warnings.warn(sentence, SuspectWarning, stacklevel=depth_of_package())


def warn_of_suspects(
    documents: Any, settings: Settings | None = None, model: Any = ffi.NULL
) -> None:
    """Warn of what looks wrong in documents, or is far from those of a model's training."""
    found = ask("suspects", settings=settings, documents=documents, model=model).columns
    later = _words_later.get()
    for suspect, sentence in zip(found["suspect"], found["sentence"], strict=True):
        if suspect == "kept-words" and later is not None:
            later.append(sentence)
        else:
            warnings.warn(sentence, SuspectWarning, stacklevel=depth_of_package())


def _read(table: Any) -> Table:
    n_rows, columns = int(library.gb_table_n_rows(table)), {}
    shown = [library.gb_table_column(table, c) for c in range(library.gb_table_n_columns(table))]
    names = [text(column.name) for column in shown]
    for c, name in enumerate(names):
        columns[name] = _cells(table, c, shown[c].kind, n_rows)
        if shown[c].place == library.GB_PLACE_SENTENCE:
            columns[name] = [in_python(sentence) for sentence in columns[name]]
    notes: list[list[str]] = [[], []]
    kind = ffi.new("gb_note_kind *")
    for i in range(library.gb_table_n_notes(table)):
        note = in_python(text(library.gb_table_note(table, i, kind)))
        notes[int(kind[0] != library.GB_NOTE_DOUBT)].append(note)
    return Table(
        columns,
        {name: text(column.help) for name, column in zip(names, shown, strict=True)},
        {name: text(column.unit) for name, column in zip(names, shown, strict=True)},
        _numbers(library.gb_table_weights(table), n_rows, np.float64),
        *notes,
    )


def _numbers(pointer: Any, n: int, dtype: Any) -> NDArray[Any]:
    return np.frombuffer(ffi.buffer(pointer, 8 * n), dtype).copy() if n > 0 else np.empty(0, dtype)


def _cells(table: Any, c: int, kind: int, n_rows: int) -> Any:
    if kind == library.GB_CELL_REAL:
        return _numbers(library.gb_table_reals(table, c), n_rows, np.float64)
    if kind in (library.GB_CELL_COUNT, library.GB_CELL_FLAG):
        return _counts(_numbers(library.gb_table_counts(table, c), n_rows, np.uint64), kind)
    if kind == library.GB_CELL_REALS:
        n = ffi.new("uint64_t *")
        pointers = (library.gb_table_numbers(table, row, c, n) for row in range(n_rows))
        return [_numbers(pointer, int(n[0]), np.float64) for pointer in pointers]
    lists = [
        [text(library.gb_table_text(table, row, c, i)) for i in range(n)]
        for row, n in enumerate(library.gb_table_n_texts(table, row, c) for row in range(n_rows))
    ]
    return lists if kind == library.GB_CELL_LIST else ["".join(one) for one in lists]


def _counts(found: NDArray[np.uint64], kind: int) -> NDArray[Any]:
    """Whole numbers; floats if one is missing, which a whole number cannot be."""
    missing = found == _NO_COUNT
    if missing.any():
        return np.where(missing, np.nan, found.astype(np.float64))
    return found.astype(bool) if kind == library.GB_CELL_FLAG else found.astype(np.int64)
