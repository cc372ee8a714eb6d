"""Counts of words from matrices: the arrays of a CSR matrix, as the library takes them.

Nothing is copied where a type fits: 32-bit word numbers and counts are passed on as they lie in the
caller's matrix.  Other types are converted ``CHUNK`` entries at a time, so that nothing but the
result takes memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

CHUNK = 1 << 18
"""Entries that are converted or looked at together."""

LARGEST = float(np.iinfo(np.uint32).max)
NEED = "expected counts of words"


@dataclass(frozen=True)
class Counts:
    """Rows of a matrix: row d has the entries ``start[d]`` to ``start[d + 1] - 1``."""

    start: npt.NDArray[np.uint64]
    word: npt.NDArray[np.uint32]
    count: npt.NDArray[np.uint32]


def from_matrix(matrix: Any) -> Counts:
    """Rows of a sparse matrix of any format."""
    if matrix.ndim != 2:
        raise ValueError(f"Expected 2D array, got {matrix.ndim}D array instead: rows are documents")
    check_shape(matrix.shape)
    if matrix.format == "csr":
        return _from_csr(matrix)
    if matrix.format == "csc":
        return _from_csr(checked(matrix).tocsr())
    entries = checked(matrix).tocoo(copy=False)
    counts = to_counts(entries.data, lambda entry: f"X[{entries.row[entry]}, {entries.col[entry]}]")
    wide = counts.astype(np.int64)  # equal entries are added up
    return _from_csr(
        sparse.coo_array((wide, (entries.row, entries.col)), shape=entries.shape).tocsr()
    )


def from_dense(array: npt.NDArray[Any]) -> Counts:
    """Rows of a dense array."""
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead: rows are documents")
    check_shape(array.shape)
    if array.dtype.kind in "OUST":
        array = array.astype(np.float64)  # complains of what is no number as NumPy does
    n_rows = max(1, CHUNK // array.shape[1])
    parts = [_of_rows(array, first, first + n_rows) for first in range(0, array.shape[0], n_rows)]
    lengths = np.concatenate([[0], *(part[0] for part in parts)])
    return Counts(
        np.cumsum(lengths, dtype=np.uint64),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
    )


def _of_rows(array: npt.NDArray[Any], first: int, end: int) -> tuple[npt.NDArray[Any], ...]:
    """Number of entries in each of some rows, their words and counts."""
    block = array[first:end]
    row, word = np.nonzero(block)
    count = to_counts(block[row, word], lambda entry: f"X[{first + row[entry]}, {word[entry]}]")
    return np.bincount(row, minlength=len(block)), word.astype(np.uint32), count


def check_shape(shape: tuple[int, ...]) -> None:
    """Complain of a matrix without rows or columns, in the words of scikit-learn."""
    for size, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if size == 0:
            raise ValueError(
                f"Found array with 0 {what} (shape={tuple(shape)})"
                " while a minimum of 1 is required."
            )


# ---- CSR ----


def _from_csr(matrix: Any) -> Counts:
    checked(matrix)
    n_entries = int(matrix.indptr[-1])
    start = matrix.indptr.astype(np.uint64)
    data, indices = matrix.data[:n_entries], matrix.indices[:n_entries]

    def place(entry: int) -> str:
        row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
        return f"X[{row}, {indices[entry]}]"

    counts = Counts(start, _to_words(indices), to_counts(data, place))
    return counts if _is_canonical(counts) else _canonical(counts, matrix.shape[1])


def checked(matrix: Any) -> Any:
    """The matrix; an error if its arrays make none, as SciPy would read and write beyond their end.

    Other formats than CSR and CSC come back as COO: SciPy looks at their arrays when it makes that,
    and at nothing when it makes CSR.
    """
    if matrix.format not in ("csr", "csc", "coo"):
        matrix = matrix.tocoo()
    if matrix.format == "coo":
        if not len(matrix.row) == len(matrix.col) == len(matrix.data):
            raise ValueError(
                f"row, col and data of a COO matrix must have the same length, not"
                f" {len(matrix.row)}, {len(matrix.col)} and {len(matrix.data)}"
            )
        _check_indices(matrix.row, matrix.shape[0], "row")
        _check_indices(matrix.col, matrix.shape[1], "column")
        return matrix
    start, n_entries = matrix.indptr, min(len(matrix.indices), len(matrix.data))
    n_lines, n_across = matrix.shape if matrix.format == "csr" else matrix.shape[::-1]
    if (
        len(start) != n_lines + 1
        or start[0] != 0
        or start[-1] > n_entries
        or np.any(start[1:] < start[:-1])
    ):
        raise ValueError(
            f"indptr of a {matrix.format.upper()} matrix with shape {matrix.shape} and"
            f" {n_entries} entries must be {n_lines + 1} numbers that do not decrease,"
            f" from 0 to at most {n_entries}"
        )
    what = "column" if matrix.format == "csr" else "row"
    _check_indices(matrix.indices[: int(start[-1])], n_across, what)
    return matrix


def _check_indices(indices: npt.NDArray[Any], n: int, what: str) -> None:
    if indices.size > 0 and (indices.min() < 0 or indices.max() >= n):
        raise ValueError(
            f"{what} indices must be from 0 to {n - 1}, got {indices.min()} to {indices.max()}"
        )


def _to_words(indices: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    if indices.dtype in (np.int32, np.uint32) and indices.dtype.isnative:
        return np.ascontiguousarray(indices).view(np.uint32)
    return indices.astype(np.uint32)


def _is_canonical(counts: Counts) -> bool:
    """Whether words ascend in each row, so that no word is there twice."""
    start, word = counts.start, counts.word
    for first in range(1, len(word), CHUNK):
        end = min(first + CHUNK, len(word))
        ascends = word[first:end] > word[first - 1 : end - 1]
        begin_row = start[np.searchsorted(start, first) : np.searchsorted(start, end)].astype(
            np.int64
        )
        ascends[begin_row - first] = True
        if not ascends.all():
            return False
    return True


def _canonical(counts: Counts, n_words: int) -> Counts:
    """A copy with ascending words in each row, and the sum of entries for the same word."""
    start = counts.start.astype(np.int64)
    word, count = np.empty_like(counts.word), np.empty_like(counts.count)
    lengths = np.zeros(len(start), dtype=np.int64)
    row = end = 0
    while row < len(start) - 1:
        last = max(row + 1, int(np.searchsorted(start, start[row] + CHUNK, side="right")) - 1)
        here = slice(start[row], start[last])
        # no column beyond the vocabulary; SciPy takes signed numbers only
        arrays = (
            counts.count[here].astype(np.int64),
            counts.word[here].astype(np.int64),
            start[row : last + 1] - start[row],
        )
        block = sparse.csr_array(arrays, shape=(last - row, n_words))
        block.sum_duplicates()
        first, end = end, end + block.nnz
        word[first:end] = block.indices
        count[first:end] = to_counts(block.data, lambda _: "X, entries of a word added up")
        lengths[row + 1 : last + 1] = np.diff(block.indptr)
        row = last
    return Counts(np.cumsum(lengths).astype(np.uint64), word[:end], count[:end])


# ---- numbers to counts ----


def to_counts(data: npt.NDArray[Any], place: Callable[[int], str]) -> npt.NDArray[np.uint32]:
    """Numbers as counts.

    Parameters
    ----------
    data : array of shape (n_entries,)
        Whole numbers from 0 on, of any integer, boolean or floating type.
    place : callable
        What to call an entry in a message.

    Returns
    -------
    array of shape (n_entries,)
        A view of `data` where it has 32-bit integers.
    """
    if data.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {NEED}")
    if data.dtype.kind not in "biuf":
        raise TypeError(f"X has the type {data.dtype}: {NEED}, as integers")
    if data.dtype in (np.int32, np.uint32) and data.dtype.isnative:
        if data.size > 0 and data.min() < 0:
            _complain(data, place)
        return np.ascontiguousarray(data).view(np.uint32)
    counts = np.empty(data.size, dtype=np.uint32)
    for first in range(0, data.size, CHUNK):
        part = data[first : first + CHUNK]
        if not _fits(part):
            _complain(part, lambda entry, first=first: place(first + entry))  # type: ignore[misc]
        counts[first : first + CHUNK] = part
    return counts


def _fits(part: npt.NDArray[Any]) -> bool:
    if part.dtype.kind == "b":
        return True
    low, high = (
        float(part.min()),
        float(part.max()),
    )  # NaN if there is one, and then neither comparison holds
    return (
        low >= 0
        and high <= LARGEST
        and (part.dtype.kind != "f" or bool(np.all(part == np.trunc(part))))
    )


def _complain(part: npt.NDArray[Any], place: Callable[[int], str]) -> None:
    """Raise for the first number that is no count; scikit-learn's words come first."""
    wide = part.astype(np.float64)
    bad = ~(wide >= 0) | (wide > LARGEST) | (wide != np.trunc(wide))
    entry = int(np.flatnonzero(bad)[0])
    value, where = part[entry], place(entry)
    if np.isnan(value):
        raise ValueError(f"Input X contains NaN: {where}; {NEED}")
    if np.isinf(value):
        raise ValueError(f"Input X contains infinity: {where}; {NEED}")
    if value < 0:
        raise ValueError(f"Negative values in data passed to X: {where} is {value}; {NEED}")
    if value > LARGEST:
        raise ValueError(f"{where} is {value}, too large for a count")
    raise ValueError(
        f"{where} is {value}, not a whole number; {NEED}:"
        " use CountVectorizer, not TfidfVectorizer or TfidfTransformer"
    )
