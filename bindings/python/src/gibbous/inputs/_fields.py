"""Labels, targets, covariates, groups and the like, as arrays that the library takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from gibbous.arrays import NO_CLASS, Field

from ._counts import checked
from ._values import (
    as_column,
    as_frame,
    categories_of,
    is_missing,
    name_of,
    number_of,
    objects,
    opened,
    refuse_dates,
    shown,
    years,
)

Kind = Literal["number", "date", "factor", "list"]

_ROLES: dict[str, str] = {
    "label": "response",
    "labels": "response",
    "target": "response",
    "covariate": "covariate",
    "covariates": "covariate",
    "exposure": "exposure",
    "document_weight": "weight",
    "group": "group",
    "cluster": "cluster",
    "prevalence": "prevalence",
}
_COVARIATES = ("covariate", "covariates", "prevalence")
_KINDS: dict[str, Kind] = {
    "label": "factor",
    "labels": "list",
    "target": "number",
    "exposure": "number",
    "document_weight": "number",
    "group": "factor",
    "cluster": "factor",
}


def field(
    name: str,
    values: Any,
    role: str,
    kind: Kind | None = None,
    classes: Sequence[str] | None = None,
) -> Field:
    """A field of documents from an array, a list or a column of a data frame.

    A data frame with one column gives the field the name of the column.

    Parameters
    ----------
    name : str
        Its name in the model.
    values : array-like of shape (n_docs,), or of shape (n_docs, n_classes) for several labels
        Missing are None, NaN and ``pandas.NA``.  A list of classes may be empty: the document has
        none of them.  A matrix, dense or sparse, has 1 where the document has the class and 0
        elsewhere; a row of NaN is missing.
    role : str
        ``label`` (one class), ``labels`` (several), ``target`` (a number), ``covariate``,
        ``exposure``, ``document_weight``, ``group``, ``cluster`` or ``prevalence``.
    kind : {"number", "date", "factor", "list"}, optional
        What a covariate is; a date becomes a number, the year with its fraction.  By default
        numbers are numbers, lists are lists, and all else is the name of a class: texts,
        categories, true and false.
    classes : sequence of str, optional
        Names of the columns of a matrix; by default 0, 1, and so on, or the columns' names in a
        data frame.

    Returns
    -------
    Field
        Nothing in `values` is changed; an array of float64 is not copied.

    Raises
    ------
    ValueError, TypeError
        The message names the row, from 0, and what was expected there.

    Examples
    --------
    >>> from gibbous import inputs
    >>> inputs.field("stars", [4, None, 2.5], "target").numbers
    array([4. , nan, 2.5])
    >>> inputs.field("genre", ["crime", None, "poetry"], "label").class_name
    ['crime', 'poetry']
    """
    found = fields(name, values, role, kind, classes)
    if len(found) != 1:
        raise ValueError(
            f'{role} "{name}": expected one value for each document, got {len(found)} columns'
        )
    return found[0]


def fields(
    name: str,
    values: Any,
    role: str,
    kind: Kind | None = None,
    classes: Sequence[str] | None = None,
) -> list[Field]:
    """As `field`, also for several columns of numbers or names, such as embeddings.

    Column ``j`` of an array is then the field ``NAME_j``; columns of a data frame keep their names.

    Parameters
    ----------
    name : str
        As for `field`.
    values : array-like of shape (n_docs,) or (n_docs, n_columns)
        As for `field`; a covariate may also be a column of vectors.
    role : str
        As for `field`.
    kind : {"number", "date", "factor", "list"}, optional
        As for `field`.
    classes : sequence of str, optional
        As for `field`.

    Returns
    -------
    list of Field
        One for each column.
    """
    _check(name, role, kind)
    what = _What(name, role, f'{"covariate" if role == "covariates" else role} "{name}"')
    kind, values = _KINDS.get(role, kind), opened(values)
    if kind in ("number", "date") and role in _COVARIATES:
        values = years(values, what.where, kind == "date")
        kind = "number"
    frame = as_frame(values)
    if frame is not None and kind != "list":
        return [
            f
            for column in frame.columns
            for f in fields(str(column), frame.get_column(column), role, kind)
        ]
    if frame is not None:
        classes = (
            [name_of(column, "a column") for column in frame.columns]
            if classes is None
            else classes
        )
        values = frame.to_numpy()
    matrix = _as_matrix(values, kind, what.where)
    if kind == "list":
        return [_lists(what, values) if matrix is None else _indicators(what, matrix, classes)]
    if matrix is None:
        return _with_categories(_of_column(what, as_column(values, what.where), kind), values)
    if sparse.issparse(matrix):
        matrix = checked(matrix).toarray()
    return [_of_column(what.numbered(j), matrix[:, j], kind)[0] for j in range(matrix.shape[1])]


def _check(name: str, role: str, kind: str | None) -> None:
    if role not in _ROLES:
        raise ValueError(f"role must be one of {', '.join(_ROLES)}, not {role!r}")
    allowed = (_KINDS[role],) if role in _KINDS else ("number", "date", "factor", "list")
    if kind is not None and kind not in allowed:
        raise ValueError(f'{role} "{name}": its kind must be {" or ".join(allowed)}, not {kind!r}')


def length(of: Field) -> int:
    """Number of documents that a field is for."""
    if of.start is not None:
        return len(of.start) - 1
    values = of.numbers if of.class_of is None else of.class_of
    return 0 if values is None else len(values)


@dataclass(frozen=True)
class _What:
    name: str
    role: str
    where: str  # begins messages

    def numbered(self, j: int) -> _What:
        return _What(f"{self.name}_{j}", self.role, f'{self.role} "{self.name}_{j}"')

    def row(self, row: int) -> str:
        return f"{self.where}, row {row}"


def _as_matrix(values: Any, kind: Kind | None, where: str) -> Any:
    """Values with two dimensions as a matrix; None if they have one, or are a single column."""
    if not sparse.issparse(values):
        values = np.asarray(values) if getattr(values, "ndim", 1) > 1 else None
    if values is None:
        return None
    if values.ndim != 2 or values.shape[1] == 0:
        raise ValueError(f"{where}: expected one or two dimensions, got the shape {values.shape}")
    is_column = (
        values.shape[1] == 1
        and not sparse.issparse(values)
        and (kind != "list" or values.dtype.kind == "O")
    )
    return None if is_column else values


def _of_column(what: _What, column: npt.NDArray[Any], kind: Kind | None) -> list[Field]:
    """One field; or those of a column of vectors."""
    kind = kind or _kind_of(column)
    if kind == "list":
        return [_lists(what, column)]
    vectors = _stacked(what, column)
    if vectors is not None:
        return [_numbers(what.numbered(j), vectors[:, j]) for j in range(vectors.shape[1])]
    return [_numbers(what, column) if kind == "number" else _classes(what, column)]


def _kind_of(column: npt.NDArray[Any]) -> Kind:
    """A number if all values are, else lists or names; true and false are names, as in files."""
    if column.dtype.kind in "iuf":
        return "number"
    if column.dtype.kind != "O":
        return "factor"
    known = [value for value in column if not is_missing(value)]
    if known and _is_list(known[0]):
        return "number" if _is_vector(known[0]) else "list"
    is_name = any(isinstance(value, (str, bool, np.bool_)) for value in known)
    return "factor" if is_name else "number"


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _is_vector(value: Any) -> bool:
    """Whether a list has fractional numbers, as an embedding has."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind == "f"
    known = [x for x in value if not is_missing(x)] if isinstance(value, (list, tuple)) else []
    return any(isinstance(x, (float, np.floating)) for x in known)


# ---- numbers ----


def _numbers(what: _What, column: npt.NDArray[Any]) -> Field:
    if column.dtype.kind in "biuf":
        numbers = np.ascontiguousarray(column, dtype=np.float64)
    else:
        numbers = np.array(
            [number_of(value, what.row(row)) for row, value in enumerate(column)], dtype=np.float64
        )
    return Field(what.name, _ROLES[what.role], "number", numbers=numbers)


def _stacked(what: _What, column: npt.NDArray[Any]) -> npt.NDArray[np.float64] | None:
    """A column of vectors as a matrix; None for any other column."""
    if column.dtype.kind != "O" or what.role not in _COVARIATES:
        return None
    first = next((value for value in column if not is_missing(value)), None)
    if not _is_list(first):
        return None
    n_columns = len(first)  # type: ignore[arg-type]
    rows = np.full((len(column), n_columns), np.nan)
    for row, vector in enumerate(column):
        if is_missing(vector):
            continue
        if not _is_list(vector) or len(vector) != n_columns:
            raise ValueError(
                f"{what.row(row)}: expected {n_columns} numbers as in the rows before,"
                f" got {shown(vector)}"
            )
        rows[row] = [number_of(value, what.row(row)) for value in vector]
    return rows


# ---- classes ----


class _Codes:
    """Classes in the order of their appearance, and the value that each was given as first."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._code: dict[str, int] = {}

    def code(self, value: Any, where: str) -> int:
        name = name_of(value, where)
        self.values.setdefault(name, value)
        return self._code.setdefault(name, len(self._code))

    @property
    def names(self) -> list[str]:
        return list(self._code)

    @property
    def typed(self) -> dict[str, Any] | None:
        return _typed(self.values)


def _typed(values: dict[str, Any]) -> dict[str, Any] | None:
    """Values by their names; None if they are texts, of which the library has the names."""
    return None if all(isinstance(value, str) for value in values.values()) else values


def _classes(what: _What, column: npt.NDArray[Any]) -> Field:
    codes = _Codes()
    class_of = np.full(len(column), NO_CLASS, dtype=np.uint32)
    if column.dtype.kind == "O":
        for row, value in enumerate(column):
            if not is_missing(value):
                class_of[row] = codes.code(value, what.row(row))
    else:  # names are made once for each of the different values
        known = ~np.isnan(column) if column.dtype.kind == "f" else np.ones(len(column), dtype=bool)
        values, first, code = np.unique(column[known], return_index=True, return_inverse=True)
        rows = np.flatnonzero(known)
        found = [
            codes.code(value, what.row(rows[i])) for value, i in zip(values, first, strict=True)
        ]
        class_of[known] = np.array(found, dtype=np.uint32)[code]
    return Field(
        what.name,
        _ROLES[what.role],
        "one",
        class_name=codes.names,
        class_of=class_of,
        values=codes.typed,
    )


def _with_categories(found: list[Field], values: Any) -> list[Field]:
    """Fields of a categorical column, with its values and their order."""
    categories = categories_of(values)
    if categories is None:
        return found
    of_name: dict[str, Any] = {}
    for value in categories.values:
        of_name.setdefault(name_of(value, "a category"), value)
    levels = list(of_name) if categories.is_ordered else None
    return [
        f if f.kind == "number" else replace(f, values=_typed(of_name), levels=levels)
        for f in found
    ]


def _lists(what: _What, values: Any) -> Field:
    column = (
        as_column(values, what.where)
        if not isinstance(values, np.ndarray)
        else objects(list(values))
    )
    codes = _Codes()
    class_of: list[int] = []
    ends = [0]
    missing = np.zeros(len(column), dtype=bool)
    for row, classes in enumerate(column):
        missing[row] = is_missing(classes)
        if not missing[row]:
            where = what.row(row)
            class_of.extend(
                codes.code(value, f"{where}: a class") for value in _known_in(where, classes)
            )
        ends.append(len(class_of))
    found = _list_field(
        what, codes.names, np.array(ends), np.array(class_of, dtype=np.uint32), missing
    )
    return replace(found, values=codes.typed)


def _known_in(where: str, classes: Any) -> list[Any]:
    refuse_dates(classes, where)
    if not _is_list(classes):
        raise ValueError(f"{where}: expected a list of classes, got {shown(classes)}")
    for value in classes:
        if is_missing(value):
            raise ValueError(
                f"{where}: a class in the list is missing;"
                " a list that is not known is None as a whole"
            )
    return list(classes)


def _list_field(
    what: _What,
    names: list[str],
    start: npt.NDArray[Any],
    class_of: npt.NDArray[np.uint32],
    missing: npt.NDArray[np.bool_],
) -> Field:
    start = start.astype(np.uint64)
    role = _ROLES[what.role]
    return Field(
        what.name,
        role,
        "several",
        class_name=names,
        class_of=class_of,
        start=start,
        is_missing=missing,
    )


# ---- matrices of classes ----


def _indicators(what: _What, matrix: Any, classes: Sequence[str] | None) -> Field:
    """A field of lists from a matrix with 1 where a document has a class."""
    n_docs, n_classes = matrix.shape
    names = (
        [str(j) for j in range(n_classes)]
        if classes is None
        else [name_of(c, "a class") for c in classes]
    )
    if len(names) != n_classes:
        raise ValueError(f"{what.where}: {len(names)} names of classes for {n_classes} columns")
    row, column, value, missing = (
        _sparse_ones(matrix) if sparse.issparse(matrix) else _dense_ones(what, matrix)
    )
    wrong = np.flatnonzero(value != 1)
    if len(wrong) > 0:
        i = wrong[0]
        raise ValueError(f"{what.row(row[i])}, column {column[i]}: expected 0 or 1, got {value[i]}")
    start = np.cumsum(np.bincount(row + 1, minlength=n_docs + 1))
    return _list_field(what, names, start, column.astype(np.uint32), missing)


def _sparse_ones(matrix: Any) -> tuple[npt.NDArray[Any], ...]:
    entries = checked(matrix).tocsr(copy=True)
    entries.sum_duplicates()
    entries.eliminate_zeros()
    entries = entries.tocoo()
    return entries.row, entries.col, entries.data, np.zeros(matrix.shape[0], dtype=bool)


def _dense_ones(what: _What, matrix: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    if matrix.dtype.kind not in "biuf":
        cells = [
            [number_of(value, what.row(row)) for value in values]
            for row, values in enumerate(matrix)
        ]
        matrix = np.array(cells, dtype=np.float64).reshape(matrix.shape)
    missing = (
        np.isnan(matrix).all(axis=1)
        if matrix.dtype.kind == "f"
        else np.zeros(len(matrix), dtype=bool)
    )
    row, column = np.nonzero(np.where(missing[:, None], 0, matrix))
    return row, column, matrix[row, column], missing
