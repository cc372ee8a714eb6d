"""Documents and fields as arrays that the library takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gibbous._library import Handle, check, encoded, enumerators, ffi, library, texts
from gibbous.errors import ArgumentError

__all__ = ["KINDS", "NO_CLASS", "ROLES", "Arrays", "Field", "rows_of_numbers"]

#: In an array of classes: the document's class is unknown.
NO_CLASS = 0xFFFFFFFF

ROLES = enumerators("gb_role", "GB_ROLE_")
KINDS = enumerators("gb_field_kind", "GB_KIND_")[:-1]  # AUTO is for what is yet to be read


@dataclass
class Field:
    """A field of the documents, in arrays: what the library takes.

    Attributes
    ----------
    name : str
    role : str
        "response", "covariate", "exposure", "weight", "group", "cluster" or "prevalence".
    kind : str
        "number": `numbers`; "one" (at most one class per document): `class_name`, `class_of`;
        "several" (any number of classes): `class_name`, `start`, `class_of`, `is_missing`.
    numbers : ndarray of float64, shape (n_docs,)
        NaN: missing.
    class_name : list of str
        The classes have numbers in this order.
    class_of : ndarray of uint32
        "one", shape (n_docs,): a class number, or `NO_CLASS`.  "several", shape (start[n_docs],).
    start : ndarray of uint64, shape (n_docs + 1,)
        The classes of document d are ``class_of[start[d]:start[d + 1]]``.
    is_missing : ndarray of bool, shape (n_docs,), or None
        True where nobody knows which classes the document has.
    values : mapping of str to Any, or None
        The values that classes were given as, by their names; None if all are texts.
    levels : list of str, or None
        The classes from the lowest to the highest, if they were given in an order.
    """

    name: str
    role: str
    kind: str
    numbers: NDArray[np.float64] | None = None
    class_name: Sequence[str] | None = None
    class_of: NDArray[np.uint32] | None = None
    start: NDArray[np.uint64] | None = None
    is_missing: NDArray[np.bool_] | None = None
    values: Mapping[str, Any] | None = None
    levels: list[str] | None = None


def _array(
    values: Any, dtype: type[np.generic], what: str, length: int | None = None
) -> NDArray[Any]:
    """A contiguous array of that type; native signed integers of the same size are not copied."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ArgumentError(f"{what} must have one dimension, not {array.ndim}")
    if length is not None and len(array) != length:
        raise ArgumentError(f"{what} must have {length} values, not {len(array)}")
    wanted = np.dtype(dtype)
    if array.dtype != wanted:
        if wanted.kind == "u" and len(array) > 0:
            if array.dtype.kind not in "ui":
                raise ArgumentError(f"{what} must be whole numbers, not {array.dtype}")
            if array.dtype.kind == "i" and array.min() < 0:
                raise ArgumentError(f"{what} has a number below 0")
            if array.dtype.itemsize > wanted.itemsize and array.max() > np.iinfo(wanted).max:
                raise ArgumentError(f"{what} has a number above {np.iinfo(wanted).max}")
        if (
            wanted.kind == "u"
            and array.dtype.kind == "i"
            and array.dtype.itemsize == wanted.itemsize
            and array.dtype.isnative
        ):
            array = array.view(wanted)
        else:
            array = array.astype(wanted)
    return np.ascontiguousarray(array)


def rows_of_numbers(values: Any, n_docs: int) -> NDArray[np.float32]:
    """Embeddings as the library takes them, which looks for numbers that are not finite."""
    rows = np.asarray(values)
    if rows.ndim != 2 or rows.dtype.kind not in "fiu":
        raise ArgumentError(
            "embeddings must be an array of numbers with a row for each document,"
            f" not {rows.ndim} dimensions of type {rows.dtype}"
        )
    if len(rows) != n_docs:
        raise ArgumentError(f"there are {n_docs} documents, but {len(rows)} rows of embeddings")
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(rows, dtype=np.float32)


class Arrays:
    """A gb_corpus_arrays with all memory that it borrows."""

    def __init__(self) -> None:
        out = ffi.new("gb_corpus_arrays **")
        check(library.gb_corpus_arrays_create, out)
        self.handle = Handle(out[0], library.gb_corpus_arrays_free)
        self.pointer = out[0]
        self.kept: list[Any] = []

    def _borrow(self, kind: str, array: NDArray[Any]) -> Any:
        pointer = ffi.from_buffer(f"{kind}[]", array)
        self.kept += [array, pointer]
        return pointer

    def _texts(self, values: Iterable[str | None], what: str) -> Any:
        array, block = texts(values, what)
        self.kept += [array, block]
        return array

    def counts(self, start: Any, word: Any, count: Any) -> int:
        """Documents as counts; returns how many there are."""
        start = _array(start, np.uint64, "start")
        if len(start) == 0:
            raise ArgumentError("start must have a value for each document and one more")
        n_entries = int(start[-1])
        word = _array(word, np.uint32, "word")
        if len(word) < n_entries:
            raise ArgumentError(
                f"word must have {n_entries} values, as start says, not {len(word)}"
            )
        entries = self._borrow("uint64_t", start), self._borrow("uint32_t", word)
        counts = ffi.NULL
        if count is not None:
            counts = self._borrow("uint32_t", _array(count, np.uint32, "count", len(word)))
        check(library.gb_corpus_arrays_counts, self.pointer, len(start) - 1, *entries, counts)
        return len(start) - 1

    def texts(self, values: Sequence[str]) -> int:
        """Documents as texts; returns how many there are."""
        array = self._texts(values, "text")
        check(library.gb_corpus_arrays_texts, self.pointer, len(values), array)
        return len(values)

    def vocabulary(self, words: Sequence[str]) -> None:
        """The names of words; for texts, the only words to keep."""
        check(
            library.gb_corpus_arrays_vocabulary,
            self.pointer,
            len(words),
            self._texts(words, "vocabulary, word"),
        )

    def ids(self, ids: Sequence[str | None], n_docs: int) -> None:
        """An id for each document; None: the number of its row."""
        if len(ids) != n_docs:
            raise ArgumentError(f"there are {n_docs} documents, but {len(ids)} ids")
        given = (None if value is None else str(value) for value in ids)
        check(library.gb_corpus_arrays_ids, self.pointer, self._texts(given, "id"))

    def embeddings(self, rows: Any, n_docs: int) -> None:
        """A row of numbers for each document."""
        array = rows_of_numbers(rows, n_docs)
        values = self._borrow("float", array)
        check(library.gb_corpus_arrays_embeddings, self.pointer, array.shape[1], values)

    def field(self, field: Any, n_docs: int) -> None:
        """A :class:`Field`, with a value for each document."""
        if field.role not in ROLES:
            raise ArgumentError(
                f"the role of a field is one of {', '.join(ROLES)}, not {field.role!r}"
            )
        name, role = encoded(field.name, "the name of a field"), ROLES.index(field.role)
        what = f"field {field.name!r}"
        if field.kind == "number":
            numbers = _array(field.numbers, np.float64, what, n_docs)
            check(
                library.gb_corpus_arrays_numbers,
                self.pointer,
                name,
                role,
                self._borrow("double", numbers),
            )
            return
        classes = self._texts(field.class_name, f"{what}, class")
        if field.kind == "one":
            class_of = _array(field.class_of, np.uint32, what, n_docs)
            check(
                library.gb_corpus_arrays_classes,
                self.pointer,
                name,
                role,
                len(field.class_name),
                classes,
                self._borrow("uint32_t", class_of),
            )
        elif field.kind == "several":
            start = _array(field.start, np.uint64, what, n_docs + 1)
            class_of = _array(field.class_of, np.uint32, what, int(start[-1]))
            missing = ffi.NULL
            if field.is_missing is not None:
                missing = self._borrow("bool", _array(field.is_missing, np.bool_, what, n_docs))
            check(
                library.gb_corpus_arrays_lists,
                self.pointer,
                name,
                role,
                len(field.class_name),
                classes,
                self._borrow("uint64_t", start),
                self._borrow("uint32_t", class_of),
                missing,
            )
        else:
            raise ArgumentError(
                f"the kind of a field is one of {', '.join(KINDS)}, not {field.kind!r}"
            )
