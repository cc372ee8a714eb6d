"""Documents, words and fields in the engine's memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    take_text,
    text,
    texts,
)
from gibbous.errors import ArgumentError
from gibbous.html import corpus_html
from gibbous.options import Settings

__all__ = ["NO_CLASS", "Corpus", "CorpusField", "Field"]

#: In an array of classes: the document's class is unknown.
NO_CLASS = 0xFFFFFFFF

_ROLES = ("response", "covariate", "exposure", "weight", "group")
_KINDS = ("one", "several", "number")


@dataclass
class Field:
    """A field of the documents, in arrays: what the library takes.

    Attributes
    ----------
    name : str
    role : str
        "response", "covariate", "exposure", "weight" or "group".
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
    """

    name: str
    role: str
    kind: str
    numbers: NDArray[np.float64] | None = None
    class_name: Sequence[str] | None = None
    class_of: NDArray[np.uint32] | None = None
    start: NDArray[np.uint64] | None = None
    is_missing: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class CorpusField:
    """A field of a corpus.

    Attributes
    ----------
    name, role, kind : str
        As in :class:`Field`.
    classes : list of str
        Sorted by their bytes; empty for numbers.
    """

    name: str
    role: str
    kind: str
    classes: list[str]


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
        if count is None:
            check(library.gb_corpus_arrays_tokens, self.pointer, len(start) - 1, *entries)
        else:
            count = _array(count, np.uint32, "count", len(word))
            check(
                library.gb_corpus_arrays_counts,
                self.pointer,
                len(start) - 1,
                *entries,
                self._borrow("uint32_t", count),
            )
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
        if field.role not in _ROLES:
            raise ArgumentError(
                f"the role of a field is one of {', '.join(_ROLES)}, not {field.role!r}"
            )
        name, role = encoded(field.name, "the name of a field"), _ROLES.index(field.role)
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
                f"the kind of a field is one of {', '.join(_KINDS)}, not {field.kind!r}"
            )


class Corpus:
    """Documents, words and fields.  A corpus never changes; any number of threads may use it.

    Make one by :meth:`from_documents`, :meth:`read` or :meth:`from_arrays`.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @classmethod
    def _owned(cls, pointer: Any) -> Corpus:
        return cls(Handle(pointer, library.gb_corpus_free))

    @classmethod
    def from_arrays(
        cls,
        start: Any,
        word: Any,
        count: Any,
        vocabulary: Sequence[str],
        fields: Iterable[Field] = (),
        ids: Sequence[str | None] | None = None,
        **options: Any,
    ) -> Corpus:
        """Make a corpus from counts of words: the rows of a sparse matrix (CSR).

        Parameters
        ----------
        start : array of int, shape (n_docs + 1,)
            Document d has the entries ``start[d]`` to ``start[d + 1] - 1``; ``indptr`` of a CSR
            matrix.
        word : array of int, shape (n_entries,)
            Word numbers; ``indices``.  Arrays of 32 bits are used without a copy.
        count : array of int, shape (n_entries,), or None
            How often the word occurs; ``data``.  None: entries are the tokens of a text in their
            order.
        vocabulary : sequence of str
            All words, all different.
        fields : iterable of Field
            Labels, targets, covariates, groups, exposure and weight.
        ids : sequence of str, optional
            The ids of documents; without one it is the number of the row, from 1.
        **options
            `stopwords`, `min_df`, `max_df` and `max_vocabulary`.

        Raises
        ------
        ArgumentError
            Shapes that disagree, negative numbers.
        FormatError
            A word number outside of the vocabulary, a word that is there twice, ...; the message
            names the document.
        """
        settings = Settings(options, ("import",), "Corpus.from_arrays")
        arrays = Arrays()
        n_docs = arrays.counts(start, word, count)
        arrays.vocabulary(vocabulary)
        if ids is not None:
            arrays.ids(ids, n_docs)
        for field in fields:
            arrays.field(field, n_docs)
        out = ffi.new("gb_corpus **")
        check(library.gb_corpus_from_arrays, arrays.pointer, settings.pointer, out)
        return cls._owned(out[0])

    @classmethod
    def from_documents(cls, data: Any, **options: Any) -> Corpus:
        """Make a corpus from documents in memory: a data frame, a matrix of counts, texts, ...

        Parameters
        ----------
        data
            Anything that :func:`gibbous.inputs.collect` takes.
        **options
            Its arguments (`text`, `label`, `labels`, `target`, `covariates`, `group`, `exposure`,
            `document_weight`, `vocabulary`, `id`, `embeddings`), and options that make words:
            `lowercase`, `token_pattern`, `stopwords`, `min_df`, `max_df`, `max_vocabulary`,
            `ngrams`, `stem`, `word_breaks`, ...

        Returns
        -------
        Corpus

        Raises
        ------
        ValueError, TypeError
            What the documents and fields cannot be; the message names row and column.
        """
        from gibbous.inputs import corpus_of, split

        inputs, left = split(data, options)
        return corpus_of(inputs, Settings(left, ("import",), "Corpus.from_documents"))

    @classmethod
    def read(
        cls, path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], **options: Any
    ) -> Corpus:
        """Read documents, as the command does.

        A corpus file is mapped, not copied: while the corpus is in use, nobody may shorten it or
        write into it, which would end Python (SIGBUS) or change the corpus.  A new file that takes
        its name does no harm: gibbous writes files so.

        Parameters
        ----------
        path : str, path or list of them
            A file or a folder; compressed files are unpacked.  Several are read as one corpus.
        **options
            Options of the groups data and words: `format`, `text`, `label`, `labels`, `target`,
            `covariates`, `group`, `stopwords`, `min_df`, ...

        Raises
        ------
        FormatError
            The message names file and line.
        ReadWriteError
            A file cannot be read.
        """
        settings = Settings(options, ("import",), "Corpus.read")
        return cls._read(path, settings)

    @classmethod
    def _read(cls, path: Any, settings: Settings) -> Corpus:
        paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
        array, block = texts(encoded_path(one) for one in paths)
        out = ffi.new("gb_corpus **")
        watch = Callback("gb_read_progress", lambda _: True)
        if len(paths) == 1:
            watch.check(
                library.gb_corpus_read, array[0], settings.pointer, watch.pointer, ffi.NULL, out
            )
        else:
            watch.check(
                library.gb_corpus_read_several,
                len(paths),
                array,
                settings.pointer,
                watch.pointer,
                ffi.NULL,
                out,
            )
        del block
        return cls._owned(out[0])

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a corpus file.  The same corpus always gives the same bytes.

        Parameters
        ----------
        path : str or path
        force : bool
            Replace an existing file.
        """
        check(library.gb_corpus_write, self._pointer, encoded_path(path), force)

    def export(
        self, path: str | os.PathLike[str], format: str = "auto", *, force: bool = False
    ) -> dict[str, Any]:
        """Write the corpus in another format, as ``gibbous convert`` does.

        What the format has no place for goes to files beside it: the vocabulary, ids, fields and
        embeddings.

        Parameters
        ----------
        path : str or path
        format : str
            "corpus", "jsonl", "csv", "tsv", "mallet", "fasttext", "svmlight", "uci", "ldac", "mtx",
            "npz", or "auto": by the ending of `path`.
        force : bool
            Replace existing files.

        Returns
        -------
        dict
            ``files``, the paths that were written; ``read_with``, the options that read them back:
            ``Corpus.read(path, **notes["read_with"])`` is the same corpus; ``changes``, a sentence
            for each thing that is lost.

        Raises
        ------
        ArgumentError
            No such format, or a file exists.
        FormatError
            A word that the format cannot hold.
        """
        out = ffi.new("char **")
        check(
            library.gb_corpus_export,
            self._pointer,
            encoded_path(path),
            encoded(format, "the format"),
            force,
            out,
        )
        notes: dict[str, Any] = json.loads(take_text(out[0]))
        notes["read_with"] = {
            name.replace("-", "_"): value for name, value in notes["read_with"].items()
        }
        return notes

    def _documents(self, first: int, last: int) -> Corpus:
        """Documents first to last - 1 as a corpus, which shares what this one has."""
        out = ffi.new("gb_corpus **")
        check(library.gb_corpus_view_create, self._pointer, first, last, out)
        return Corpus(Handle(out[0], library.gb_corpus_view_free, [self._handle]))

    def __len__(self) -> int:
        return self.n_docs

    def _repr_html_(self) -> str:
        return corpus_html(self)

    def __repr__(self) -> str:
        fields = ", ".join(f"{field.name} ({field.role})" for field in self.fields)
        return (
            f"<gibbous.Corpus: {self.n_docs} documents, {self.n_tokens} tokens, "
            f"{self.n_words} words"
            f"{'; ' + fields if fields else ''}>"
        )

    @property
    def n_docs(self) -> int:
        """Number of documents."""
        return int(library.gb_corpus_n_docs(self._pointer))

    @property
    def n_tokens(self) -> int:
        """Number of tokens in all documents; a word that occurs twice counts twice."""
        return int(library.gb_corpus_n_tokens(self._pointer))

    @property
    def n_words(self) -> int:
        """Number of words in the vocabulary."""
        return int(library.gb_corpus_n_words(self._pointer))

    def _names(self, function: Any, n: int, *first: Any) -> list[str]:
        length = ffi.new("size_t *")
        return [text(function(self._pointer, *first, i, length), length[0]) for i in range(n)]

    @property
    def vocabulary(self) -> list[str]:
        """The words in the order of their numbers."""
        return self._names(library.gb_corpus_word, self.n_words)

    @property
    def ids(self) -> list[str]:
        """The ids of the documents."""
        return self._names(library.gb_corpus_id, self.n_docs)

    @property
    def fields(self) -> list[CorpusField]:
        """The fields; those with classes come first, then those with numbers."""
        name, role, kind = (
            ffi.new("char const **"),
            ffi.new("gb_role *"),
            ffi.new("gb_field_kind *"),
        )
        found = []
        for i in range(library.gb_corpus_n_fields(self._pointer)):
            library.gb_corpus_field(self._pointer, i, name, role, kind)
            classes = self._names(
                library.gb_corpus_class, library.gb_corpus_n_classes(self._pointer, i), i
            )
            found.append(CorpusField(text(name[0]), _ROLES[role[0]], _KINDS[kind[0]], classes))
        return found

    def _field_number(self, name: str) -> int:
        number = ffi.new("uint64_t *")
        if not library.gb_corpus_find_field(self._pointer, encoded(name, "a name"), number):
            have = ", ".join(field.name for field in self.fields) or "none"
            raise ArgumentError(f"the corpus has no field {name!r}; it has: {have}")
        return int(number[0])

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The values of a field of numbers, shape (n_docs,), read-only; NaN: missing."""
        values = library.gb_corpus_numbers(self._pointer, self._field_number(name))
        if values == ffi.NULL:
            raise ArgumentError(f"the field {name!r} has classes, not numbers")
        return view(self._handle, values, "F64", (self.n_docs,))

    def classes_of(self, name: str) -> list[list[str] | None]:
        """The classes that each document has in a field; None where they are unknown."""
        number = self._field_number(name)
        names = self.fields[number].classes
        classes, n = ffi.new("uint32_t const **"), ffi.new("uint64_t *")
        found: list[list[str] | None] = []
        for d in range(self.n_docs):
            known = library.gb_corpus_classes_of(self._pointer, number, d, classes, n)
            found.append([names[classes[0][i]] for i in range(n[0])] if known else None)
        return found

    def tokens(self, document: int) -> NDArray[np.uint32]:
        """The words of a document as numbers, in the order of the text; read-only."""
        if not 0 <= document < self.n_docs:
            raise IndexError(f"the corpus has {self.n_docs} documents")
        n = ffi.new("uint64_t *")
        return view(
            self._handle, library.gb_corpus_tokens(self._pointer, document, n), "U32", (int(n[0]),)
        )

    @property
    def notes(self) -> Mapping[str, Any]:
        """How text became words ("preparation"), and what was read and left out ("source")."""
        out = ffi.new("char **")
        check(library.gb_corpus_notes, self._pointer, out)
        notes: dict[str, Any] = json.loads(take_text(out[0]))
        return notes


_TYPES = {
    "U8": "|u1",
    "U16": "=u2",
    "U32": "=u4",
    "U64": "=u8",
    "I32": "=i4",
    "I64": "=i8",
    "F32": "=f4",
    "F64": "=f8",
}


class _Memory:
    """Memory of the library for NumPy: the array holds this, and this holds the object."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Handle, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def view(
    owner: Handle,
    pointer: Any,
    kind: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None = None,
) -> NDArray[Any]:
    """A read-only array over memory of the library, which lives as long as the array does."""
    dtype = np.dtype(_TYPES[kind])
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape, dtype)
    interface = {
        "version": 3,
        "typestr": dtype.str,
        "shape": shape,
        "strides": strides,
        "data": (int(ffi.cast("uintptr_t", pointer)), True),
    }
    return np.asarray(_Memory(owner, interface))
