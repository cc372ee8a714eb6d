"""Documents, words and fields in the engine's memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gibbous import _option_types
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
    view,
)
from gibbous._public import plain, short_errors_of, with_options
from gibbous.arrays import KINDS, NO_CLASS, ROLES, Arrays, Field
from gibbous.errors import ArgumentError, ReadWriteError
from gibbous.html import corpus_html
from gibbous.inputs import Inputs, arrays_of, loaded, split
from gibbous.options import Settings
from gibbous.tables import warn_of_suspects

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gibbous._option_types import ReadOptions

__all__ = ["NO_CLASS", "Corpus", "CorpusField", "Field", "corpus_of", "is_in_memory"]


@dataclass(frozen=True)
class Given:
    """What documents in memory had that a corpus of the library does not keep.

    Attributes
    ----------
    values : mapping of str to mapping of str to Any
        Of fields to predict: classes that were given as other values than texts, by their names.
    n_columns : int or None
        Columns of a matrix whose words have no names.
    """

    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    n_columns: int | None = None


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


@short_errors_of
class Corpus:
    """Documents, words and fields.  A corpus never changes; any number of threads may use it.

    Make one by :meth:`from_documents`, :meth:`read` or :meth:`from_arrays`.
    """

    def __init__(self, handle: Handle, given: Given | None = None) -> None:
        self._handle = handle
        self._given = given or Given()

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @classmethod
    def _owned(cls, pointer: Any, given: Given | None = None) -> Corpus:
        return cls(Handle(pointer, library.gb_corpus_free), given)

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

        Examples
        --------
        >>> import gibbous
        >>> corpus = gibbous.Corpus.from_arrays([0, 2, 3], [0, 1, 1], [2, 1, 1], ["moon", "tide"])
        >>> corpus.n_docs, corpus.n_tokens
        (2, 4)
        """
        settings = Settings(options, ("import",), "Corpus.from_arrays")
        arrays = Arrays()
        n_docs = arrays.counts(start, word, count)
        arrays.vocabulary(vocabulary)
        if ids is not None:
            arrays.ids(ids, n_docs)
        fields = list(fields)
        for of in fields:
            arrays.field(of, n_docs)
        out = ffi.new("gb_corpus **")
        check(library.gb_corpus_from_arrays, arrays.pointer, settings.pointer, out)
        made = cls._owned(out[0], Given(_values_of(fields)))
        warn_of_suspects(made._pointer, settings)
        return made

    @classmethod
    @with_options(_option_types.ReadOptions)
    def from_documents(cls, data: Any, **options: Unpack[ReadOptions]) -> Corpus:
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

        Examples
        --------
        >>> corpus = gibbous.Corpus.from_documents(["moon and tide", "moon"], stopwords="en")
        >>> corpus.n_docs, corpus.n_tokens
        (2, 3)
        """
        inputs, left = split(data, plain(options))
        return corpus_of(inputs, Settings(left, ("import",), "Corpus.from_documents"))

    @classmethod
    @with_options(_option_types.ReadOptions)
    def read(
        cls,
        path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        mmap: bool = False,
        **options: Unpack[ReadOptions],
    ) -> Corpus:
        """Read documents, as the command does.

        Parameters
        ----------
        path : str, path or list of them
            A file or a folder; compressed files are unpacked.  Several are read as one corpus.
            One Parquet, Arrow or Feather file is read with polars or pyarrow.
        mmap : bool
            Map a corpus file instead of copying it into memory; see :meth:`Model.read`.
        **options
            Options of the groups data and words: `format`, `text`, `label`, `labels`, `target`,
            `covariates`, `group`, `stopwords`, `min_df`, ...

        Raises
        ------
        FormatError
            The message names file and line.
        ReadWriteError
            A file cannot be read.

        Examples
        --------
        >>> gibbous.Corpus.read("reviews.csv", label="stars", stopwords="en")  # doctest: +SKIP
        """
        frame = loaded(path)
        if frame is not path:
            return cls.from_documents(frame, **options)
        settings = Settings(plain(options), ("import",), "Corpus.read")
        return cls._read(path, settings, mmap)

    @classmethod
    def _read(cls, path: Any, settings: Settings, mmap: bool = False) -> Corpus:
        paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
        for one in paths:
            check_is_file(one)
        array, block = texts(encoded_path(one) for one in paths)
        out = ffi.new("gb_corpus **")
        watch = Callback("gb_read_progress", lambda _: True)
        if len(paths) == 1:
            read = library.gb_corpus_read if mmap else library.gb_corpus_read_copy
            watch.check(read, array[0], settings.pointer, watch.pointer, ffi.NULL, out)
        else:
            watch.run(library.gb_corpus_read_several, (len(paths), array, settings.pointer), out)
        made = cls._owned(out[0])
        kinds = [library.gb_file_kind_of(one) for one in array[0 : len(paths)]]
        del block
        if any(kind != library.GB_FILE_CORPUS for kind in kinds):  # of which it was said
            warn_of_suspects(made._pointer, settings)
        return made

    def write(self, path: str | os.PathLike[str], *, force: bool = True) -> None:
        """Write a corpus file.  The same corpus always gives the same bytes.

        Parameters
        ----------
        path : str or path
        force : bool
            Replace an existing file; False: raise ArgumentError if there is one.

        Examples
        --------
        >>> corpus.write("reviews.gbc")  # doctest: +SKIP
        """
        check(library.gb_corpus_write, self._pointer, encoded_path(path), force)

    def export(
        self, path: str | os.PathLike[str], format: str = "auto", *, force: bool = True
    ) -> dict[str, Any]:
        """Write the corpus in another format, as ``gibbous convert`` does.

        What the format has no place for goes to files beside it: the vocabulary, ids, fields and
        embeddings.

        Parameters
        ----------
        path : str or path
        format : str
            One that ``gibbous convert --to`` takes, such as "jsonl" or "mtx"; "auto": by the ending
            of `path`.
        force : bool
            Replace existing files; False: raise ArgumentError if there is one.

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

        Examples
        --------
        >>> corpus.export("reviews.jsonl")["changes"]  # doctest: +SKIP
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
        return Corpus(Handle(out[0], library.gb_corpus_free, [self._handle]))

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
        found: list[CorpusField] = []
        while library.gb_corpus_field(self._pointer, i := len(found), name, role, kind):
            classes = self._names(
                library.gb_corpus_class, library.gb_corpus_n_classes(self._pointer, i), i
            )
            found.append(CorpusField(text(name[0]), ROLES[role[0]], KINDS[kind[0]], classes))
        return found

    def _field_number(self, name: str) -> int:
        number = ffi.new("uint64_t *")
        if not library.gb_corpus_find_field(self._pointer, encoded(name, "a name"), number):
            have = ", ".join(field.name for field in self.fields) or "none"
            raise ArgumentError(f"the corpus has no field {name!r}; it has: {have}")
        return int(number[0])

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The values of a field of numbers, shape (n_docs,), read-only; NaN: missing.

        Parameters
        ----------
        name : str
            The field.

        Examples
        --------
        >>> gibbous.Corpus.from_documents(["a moon"], target={"y": [2.5]}).numbers("y")
        array([2.5])
        """
        values = library.gb_corpus_numbers(self._pointer, self._field_number(name))
        if values == ffi.NULL:
            raise ArgumentError(f"the field {name!r} has classes, not numbers")
        return view(self._handle, values, "F64", (self.n_docs,))

    def classes_of(self, name: str) -> list[list[str] | None]:
        """The classes that each document has in a field; None where they are unknown.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        list of list of str or None, n_docs of them

        Examples
        --------
        >>> gibbous.Corpus.from_documents(["a moon"], label={"y": ["x"]}).classes_of("y")
        [['x']]
        """
        number = self._field_number(name)
        names = self.fields[number].classes
        classes, n = ffi.new("uint32_t const **"), ffi.new("uint64_t *")
        found: list[list[str] | None] = []
        for d in range(self.n_docs):
            known = library.gb_corpus_classes_of(self._pointer, number, d, classes, n)
            found.append([names[classes[0][i]] for i in range(n[0])] if known else None)
        return found

    def tokens(self, document: int) -> NDArray[np.uint32]:
        """The words of a document as numbers, in the order of the text; read-only.

        Parameters
        ----------
        document : int
            Its row, from 0.

        Returns
        -------
        ndarray of uint32, shape (n_tokens,)

        Examples
        --------
        >>> gibbous.Corpus.from_documents(["tide moon tide"]).tokens(0)
        array([1, 0, 1], dtype=uint32)
        """
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


def check_is_file(path: str | os.PathLike[str]) -> None:
    """Complain of a text where a file is expected; what else is wrong with a path, reading says."""
    name = os.fspath(path)
    if isinstance(path, str) and any(c.isspace() for c in name) and not os.path.exists(path):
        shown = name if len(name) <= 40 else name[:37] + "..."
        raise ReadWriteError(
            f"there is no file {shown!r}; if it is a text: give a list of texts, [{shown!r}]"
        )


def as_documents(data: Any) -> Any:
    """A text with blanks that names no file, nor ends as files do, is one document."""
    is_name = isinstance(data, str) and (
        len(data.split()) < 2 or os.path.exists(data) or re.search(r"\.\w{1,8}$", data.strip())
    )
    return [data] if isinstance(data, str) and not is_name else data


def is_in_memory(data: Any) -> bool:
    """Whether documents are in memory, and not in a file or in a corpus of the library."""
    return not isinstance(data, (str, os.PathLike, Corpus))


def corpus_of(inputs: Inputs, settings: Settings) -> Corpus:
    """The corpus of documents in memory; settings choose the words."""
    arrays, out = arrays_of(inputs), ffi.new("gb_corpus **")
    check(library.gb_corpus_from_arrays, arrays.pointer, settings.pointer, out)
    documents = inputs.documents
    is_unnamed = documents.is_matrix and documents.vocabulary is None
    n_columns = documents.n_words if is_unnamed else None
    made = Corpus._owned(out[0], Given(_values_of(inputs.fields), n_columns))
    warn_of_suspects(made._pointer, settings)
    return made


def _values_of(fields: Iterable[Field]) -> dict[str, Mapping[str, Any]]:
    return {f.name: f.values or {} for f in fields if f.role == "response" and f.kind != "number"}
