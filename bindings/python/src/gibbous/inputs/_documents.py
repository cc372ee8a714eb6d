"""Documents as users have them: matrices of counts, texts, lists of words, words with counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _counts
from ._values import as_column, as_frame, as_series, is_missing, opened, shown, text_of


@dataclass(frozen=True)
class Documents:
    """Documents, as texts or as words with numbers.

    Attributes
    ----------
    n_docs : int
        Number of documents.
    texts : list of str or None
        The texts, in which the library finds the words; then `start`, `word` and `count` are None.
    start : array of shape (n_docs + 1,) or None
        Document d has the entries ``start[d]`` to ``start[d + 1] - 1``.
    word : array of shape (n_entries,) or None
        Numbers of words, from 0.
    count : array of shape (n_entries,) or None
        How often the document has the word; None if `word` has the words in the order of the text.
    n_words : int
        Size of the vocabulary; 0 for texts.
    vocabulary : list of str or None
        Names of words, None if nobody has named them; for texts the only words to keep.
    is_matrix : bool
        Whether the words are columns of a matrix.
    """

    n_docs: int
    texts: list[str] | None = None
    start: npt.NDArray[np.uint64] | None = None
    word: npt.NDArray[np.uint32] | None = None
    count: npt.NDArray[np.uint32] | None = None
    n_words: int = 0
    vocabulary: list[str] | None = None
    is_matrix: bool = False


def documents(data: Any, vocabulary: Any = None) -> Documents:
    """Documents from what users have.

    Parameters
    ----------
    data : sparse matrix or array, array, data frame, column, or list
        One of

        - counts, documents x words: a SciPy matrix or array of any format, a NumPy array, or a data
          frame of numbers, whose columns are then the words.  Whole numbers of any type;
        - texts: a list, an array, or a column of a data frame; a missing one is an empty document;
        - a list with a mapping of words to counts for each document;
        - a list with a list of words for each document, in the order of the text.
    vocabulary : sequence of str, optional
        Names of the columns of a matrix.  With mappings or lists of words: the only words to keep.

    Returns
    -------
    Documents
        Nothing in `data` is changed.

    Raises
    ------
    ValueError
        Counts that are negative, no whole numbers or not known; shapes that disagree; no documents
        or no words.
    TypeError
        Anything that is none of the above.

    Notes
    -----
    A CSR matrix with 32-bit indices and 32-bit counts is not copied: `word` and `count` are views
    of its arrays.  Indices of 64 bits and other types of counts (``CountVectorizer`` makes
    ``int64``) are converted, which takes 4 bytes for each entry and nothing else.  A matrix with
    words out of order, or with a word twice in a row, is copied with the words in order and the
    counts added up, which takes 8 bytes for each entry.

    Examples
    --------
    >>> import numpy as np
    >>> from gibbous import inputs
    >>> inputs.documents(np.array([[2, 0, 1], [0, 1, 0]])).count
    array([2, 1, 1], dtype=uint32)
    >>> inputs.documents([{"moon": 2, "tide": 1}, {"bread": 1}]).vocabulary
    ['bread', 'moon', 'tide']
    """
    if isinstance(data, (str, bytes, os.PathLike)):
        raise ValueError(
            f"expected a list of texts, got {shown(data)}; gibbous.Corpus.read() reads files"
        )
    data = opened(data)
    if sparse.issparse(data):
        return _of_counts(_counts.from_matrix(data), data.shape[1], vocabulary)
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(
            "masked arrays are not taken as counts; fill in zeros where a document lacks the word"
        )
    frame = as_frame(data)
    if frame is not None:
        return _of_frame(frame, vocabulary)
    if as_series(data) is not None:
        return _of_column(data, vocabulary)
    if hasattr(data, "__array__"):
        return _of_array(np.asarray(data), vocabulary)
    if isinstance(data, Mapping):
        raise TypeError("expected documents, got a mapping; a data frame can be made of columns")
    if not isinstance(data, Iterable):
        raise TypeError(
            f"expected documents (a matrix of counts, or a list of texts), got {shown(data)}"
        )
    return _of_list(list(data), vocabulary)


# ---- shapes that documents come in ----


def _of_column(column: Any, vocabulary: Any) -> Documents:
    """Texts one below the other; or lists of words, which Parquet files give as arrays."""
    items = as_column(column, "texts")
    first = next((item for item in items if not is_missing(item)), "")
    if not isinstance(first, (list, tuple, np.ndarray, Mapping)):
        return _of_texts(items, vocabulary)
    lists = [item.tolist() if isinstance(item, np.ndarray) else item for item in items]
    return _of_list(lists, vocabulary)


def _of_array(array: npt.NDArray[Any], vocabulary: Any) -> Documents:
    if array.ndim == 1 and array.dtype.kind in "OUT":
        return _of_list(array.tolist(), vocabulary)
    return _of_counts(_counts.from_dense(array), array.shape[1], vocabulary)


def _of_frame(frame: Any, vocabulary: Any) -> Documents:
    """A frame of counts; or one column of texts."""
    if len(frame.columns) == 1 and not frame.get_column(frame.columns[0]).dtype.is_numeric():
        return _of_column(frame.get_column(frame.columns[0]), vocabulary)
    if vocabulary is not None:
        raise ValueError(
            "a data frame has the words as names of its columns, so no vocabulary goes with it"
        )
    names = [text_of(name, "a column") for name in frame.columns]
    native = frame.to_native()
    if hasattr(native, "sparse"):  # pandas: all columns are sparse
        return _of_counts(_counts.from_matrix(native.sparse.to_coo()), len(names), names)
    for name in frame.columns:
        dtype = frame.get_column(name).dtype
        if not (dtype.is_numeric() or dtype == nw.Boolean):
            raise ValueError(
                f'column "{name}" has {dtype}, expected counts of a word in each column, or the'
                ' name of the column with the texts: text="..."'
            )
    _counts.check_shape(frame.shape)
    return _of_counts(_counts.from_dense(np.asarray(frame.to_numpy())), len(names), names)


def _of_list(items: list[Any], vocabulary: Any) -> Documents:
    """Texts, mappings, lists of words or rows of numbers, whichever the first document is."""
    if not items:
        _counts.check_shape((0, 1))
    first = next((item for item in items if not is_missing(item)), "")
    if isinstance(first, Mapping):
        return _of_mappings([{} if is_missing(item) else item for item in items], vocabulary)
    if isinstance(first, (str, bytes)):
        return _of_texts(items, vocabulary)
    if isinstance(first, (list, tuple)) and not _are_numbers(items):
        return _of_word_lists([[] if is_missing(item) else item for item in items], vocabulary)
    return _of_array(_as_rows(items), vocabulary)


def _are_numbers(items: list[Any]) -> bool:
    """Whether no row begins with a word; rows without anything leave it open."""
    row = next((row for row in items if isinstance(row, (list, tuple)) and len(row) > 0), [])
    return len(row) > 0 and not isinstance(row[0], str)


def _as_rows(items: list[Any]) -> npt.NDArray[Any]:
    try:
        return np.asarray(items)
    except ValueError:
        raise ValueError("rows of counts must all have the same length") from None


def _of_texts(texts: Iterable[Any], vocabulary: Any) -> Documents:
    names = None if vocabulary is None else _names_of_words(vocabulary)
    checked = ["" if is_missing(text) else text for text in texts]
    if not checked:
        _counts.check_shape((0, 1))
    for row, text in enumerate(checked):
        if not isinstance(text, str):
            remedy = '; decode it, as in text.decode("utf-8")' if isinstance(text, bytes) else ""
            raise TypeError(f"text {row} is {shown(text)}, expected str{remedy}")
    return Documents(n_docs=len(checked), texts=checked, vocabulary=names)


def _of_counts(counts: _counts.Counts, n_words: int, vocabulary: Any) -> Documents:
    names = None if vocabulary is None else _names_of_words(vocabulary)
    if names is not None and len(names) != n_words:
        raise ValueError(f"the vocabulary has {len(names)} words, but X has {n_words} columns")
    n_docs = len(counts.start) - 1
    return Documents(n_docs, None, counts.start, counts.word, counts.count, n_words, names, True)


def _names_of_words(vocabulary: Any) -> list[str]:
    if isinstance(vocabulary, Mapping):  # CountVectorizer.vocabulary_: words to columns
        vocabulary = sorted(vocabulary, key=vocabulary.__getitem__)
    return [
        text_of(word, f"word {i} of the vocabulary")
        for i, word in enumerate(as_column(vocabulary, "vocabulary").tolist())
    ]


# ---- words by name ----


def _of_mappings(items: Sequence[Any], vocabulary: Any) -> Documents:
    for row, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise TypeError(
                f"document {row} is {shown(item)}, expected a mapping of words to counts,"
                " as document 0"
            )
    number = _numbers_of_words(items, vocabulary)
    entries = [
        sorted((number[word], count) for word, count in item.items() if word in number)
        for item in items
    ]
    start = _starts([len(of_document) for of_document in entries])
    names = list(number)
    word = np.array([w for of_document in entries for w, _ in of_document], dtype=np.uint32)
    given = [count for of_document in entries for _, count in of_document]
    count = np.asarray(given) if given else np.zeros(0, np.uint32)

    def place(entry: int) -> str:
        row = int(np.searchsorted(start, entry, side="right")) - 1
        return f'the count of "{names[word[entry]]}" in document {row}'

    return Documents(
        len(items), None, start, word, _counts.to_counts(count, place), len(names), names
    )


def _of_word_lists(items: Sequence[Any], vocabulary: Any) -> Documents:
    for row, item in enumerate(items):
        if isinstance(item, (str, bytes)) or not isinstance(item, Sequence):
            raise TypeError(
                f"document {row} is {shown(item)}, expected a list of words, as document 0"
            )
    number = _numbers_of_words(items, vocabulary)
    words = [[number[word] for word in item if word in number] for item in items]
    start = _starts([len(of_document) for of_document in words])
    tokens = np.array([w for of_document in words for w in of_document], dtype=np.uint32)
    return Documents(len(items), None, start, tokens, None, len(number), list(number))


def _numbers_of_words(items: Iterable[Iterable[Any]], vocabulary: Any) -> dict[str, int]:
    """Numbers of the words in sorted order, or in the order of the vocabulary."""
    if vocabulary is not None:
        return {word: i for i, word in enumerate(_names_of_words(vocabulary))}
    words: set[Any] = set()
    for row, item in enumerate(items):
        for word in item:
            if not isinstance(word, str):
                raise TypeError(f"document {row} has the word {shown(word)}, expected str")
        words.update(item)
    return {word: i for i, word in enumerate(sorted(words))}


def _starts(lengths: Sequence[int]) -> npt.NDArray[np.uint64]:
    return np.cumsum([0, *lengths], dtype=np.uint64)
