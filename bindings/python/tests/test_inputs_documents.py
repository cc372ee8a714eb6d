"""Documents in the shapes that users have: what arrays come of them, and what is refused."""

import tracemalloc

import numpy as np
import pytest
import scipy
from scipy import sparse

from gibbous import inputs

SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])
COUNTS = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 0]])


def dense(found):
    """The counts of `Documents` as a matrix, by other means than the code under test."""
    matrix = np.zeros((found.n_docs, found.n_words), dtype=np.int64)
    for d in range(found.n_docs):
        for i in range(int(found.start[d]), int(found.start[d + 1])):
            matrix[d, found.word[i]] += found.count[i]
    return matrix


# ---- matrices


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_every_sparse_format_gives_the_same_documents(form, kind):
    made = getattr(sparse, f"{form}_{kind}")(COUNTS)
    found = inputs.documents(made)
    assert (dense(found) == COUNTS).all()
    assert (found.start.dtype, found.word.dtype, found.count.dtype) == (
        np.uint64,
        np.uint32,
        np.uint32,
    )


@pytest.mark.parametrize(
    "dtype",
    [
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        ">i4",
        "float16",
        "float32",
        "float64",
        "longdouble",
    ],
)
def test_whole_numbers_of_every_type_are_counts(dtype):
    assert (dense(inputs.documents(COUNTS.astype(dtype))) == COUNTS).all()
    if dtype not in ("float16", ">i4"):  # SciPy has none of these
        for make in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
            assert (dense(inputs.documents(make(COUNTS.astype(dtype)))) == COUNTS).all()


def test_true_counts_once():
    assert (dense(inputs.documents(COUNTS > 0)) == (COUNTS > 0)).all()
    assert (dense(inputs.documents(sparse.csr_array(COUNTS > 0))) == (COUNTS > 0)).all()


@pytest.mark.parametrize("count_type", [np.int32, np.uint32])
def test_a_matrix_of_32_bits_is_not_copied(count_type):
    made = sparse.csr_array(COUNTS.astype(count_type))
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    found = inputs.documents(made)
    assert np.shares_memory(found.word, made.indices)
    assert np.shares_memory(found.count, made.data)


def test_indices_of_64_bits_are_converted():
    made = sparse.csr_array(COUNTS)
    made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    assert (dense(inputs.documents(made)) == COUNTS).all()


def test_words_out_of_order_and_given_twice_are_put_in_order_and_added_up():
    made = sparse.csr_array(
        (np.array([1, 2, 1, 1], dtype=np.uint8), [2, 0, 2, 1], [0, 3, 3, 4]), shape=(3, 4)
    )
    found = inputs.documents(made)
    assert found.word.tolist() == [0, 2, 1]
    assert found.count.tolist() == [2, 2, 1]
    assert found.start.tolist() == [0, 2, 2, 3]


def test_counts_that_are_added_up_do_not_overflow_their_type():
    made = sparse.csr_array((np.array([200, 200], dtype=np.uint8), [1, 1], [0, 2]), shape=(1, 2))
    assert inputs.documents(made).count.tolist() == [400]
    assert inputs.documents(
        sparse.coo_array((np.uint8([200, 200]), ([0, 0], [1, 1])), shape=(1, 2))
    ).count.tolist() == [400]


def test_zeros_that_are_stored_are_passed_on_as_zeros():
    made = sparse.csr_array((np.array([0, 2]), [0, 1], [0, 2]), shape=(1, 2))
    assert (dense(inputs.documents(made)) == [[0, 2]]).all()


def test_the_callers_matrix_stays_as_it_is():
    made = sparse.csr_array((np.array([1.0, 2.0, 0.0]), [2, 0, 0], [0, 3]), shape=(1, 3))
    before = [made.data.copy(), made.indices.copy(), made.indptr.copy(), dict(made.__dict__)]
    for array in (made.data, made.indices, made.indptr):
        array.flags.writeable = False
    inputs.documents(made)
    assert all(
        (a == b).all() for a, b in zip(before, (made.data, made.indices, made.indptr), strict=False)
    )
    assert made.__dict__.keys() == before[3].keys()


def test_room_behind_the_last_entry_is_not_read():
    made = sparse.csr_array(COUNTS)
    made.data, made.indices = np.append(made.data, -1), np.append(made.indices, 99).astype(np.int32)
    assert (dense(inputs.documents(made)) == COUNTS).all()


@pytest.mark.parametrize(
    ("counts", "index", "bytes_each"),
    [
        ("int32", "int32", 0),
        ("int64", "int32", 4),
        ("float32", "int32", 4),
        ("int32", "int64", 4),
        ("float64", "int64", 8),
    ],
)
def test_conversion_takes_no_memory_beside_its_result(counts, index, bytes_each):
    n_docs, n_words, length = 2_000, 50_000, 1_000
    rng = np.random.default_rng(1)
    steps = rng.integers(1, n_words // length, size=(n_docs, length))
    made = sparse.csr_array(
        (
            np.ones(n_docs * length, counts),
            np.cumsum(steps, axis=1).ravel(),
            np.arange(n_docs + 1) * length,
        ),
        shape=(n_docs, n_words),
    )
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    tracemalloc.start()
    found = inputs.documents(made)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    few = 4_000_000  # starts of documents, and the chunk at work with its comparisons
    assert peak < bytes_each * made.nnz + few
    assert found.n_docs == n_docs


# ---- wrong matrices


@pytest.mark.parametrize("make", [np.array, sparse.csr_array, sparse.coo_array, sparse.csc_matrix])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1.0, r"Negative values in data passed to X: X\[1, 2\] is -1.0; expected counts"),
        (
            0.5,
            r"X\[1, 2\] is 0.5, not a whole number.*use CountVectorizer, not TfidfVectorizer",
        ),
        (np.nan, r"Input X contains NaN: X\[1, 2\]"),
        (np.inf, r"Input X contains infinity: X\[1, 2\]"),
        (1e12, r"X\[1, 2\] is 1000000000000.0, too large for a count"),
    ],
)
def test_what_is_no_count_is_named_with_its_place(make, value, message):
    wrong = COUNTS.astype(float)
    wrong[1, 2] = value
    with pytest.raises(ValueError, match=message):
        inputs.documents(make(wrong))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_negative_whole_numbers_are_refused(dtype):
    with pytest.raises(ValueError, match=r"Negative values in data passed to X: X\[0, 0\] is -1"):
        inputs.documents(sparse.csr_array(np.array([[-1, 2]], dtype=dtype)))


def test_complex_numbers_are_refused():
    with pytest.raises(ValueError, match="Complex data not supported"):
        inputs.documents(COUNTS * 1j)


def test_a_matrix_without_rows_or_columns_is_refused_in_the_words_of_scikit_learn():
    for make in (np.zeros, sparse.csr_array):
        with pytest.raises(
            ValueError, match=r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required"
        ):
            inputs.documents(make((0, 3)))
        with pytest.raises(
            ValueError, match=r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required"
        ):
            inputs.documents(make((3, 0)))


@pytest.mark.parametrize("shape", [(4,), (2, 2, 2)])
def test_other_than_two_dimensions_are_refused(shape):
    with pytest.raises(ValueError, match=f"Expected 2D array, got {len(shape)}D array instead"):
        inputs.documents(np.ones(shape))
    made = sparse.coo_array(np.ones(shape)) if SCIPY >= (1, 15) else None
    if made is None:
        pytest.skip("this SciPy has no such arrays")
    with pytest.raises(ValueError, match=f"Expected 2D array, got {len(shape)}D array instead"):
        inputs.documents(made)


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 3, 2], [0, 1]), ([0, 1, 5], [0, 1]), ([1, 1, 2], [0, 1]), ([0, 2], [0, 1])],
)
def test_arrays_that_make_no_matrix_are_refused(indptr, indices):
    made = sparse.csr_array(np.array([[1, 0], [0, 1]]))
    made.indptr, made.indices = np.array(indptr, dtype=np.int32), np.array(indices, dtype=np.int32)
    with pytest.raises(ValueError, match="indptr of a CSR matrix"):
        inputs.documents(made)


@pytest.mark.parametrize("column", [-1, 2, 2**31 - 1])
def test_a_column_that_is_not_there_is_refused(column):
    made = sparse.csr_array(np.array([[1, 0], [0, 1]]))
    made.indices = np.array([0, column], dtype=np.int32)
    with pytest.raises(ValueError, match="column indices must be from 0 to 1"):
        inputs.documents(made)


@pytest.mark.parametrize("bad", [-1, 40, 10**9])
@pytest.mark.parametrize(
    ("format", "array"),
    [("csc", "indices"), ("coo", "row"), ("coo", "col"), ("bsr", "indices"), ("lil", "rows")],
)
def test_an_index_out_of_range_is_refused_in_every_format(format, array, bad):
    made = sparse.csr_array(np.eye(40, dtype=np.int32)).asformat(format)
    getattr(made, array)[0] = [bad] if format == "lil" else bad
    for take in (
        inputs.documents,
        lambda matrix: inputs.field("tags", matrix, "labels"),
        inputs.graph,
    ):
        with pytest.raises(ValueError, match=r"ind(ex|ices)"):
            take(made)


@pytest.mark.parametrize("format", ["csc", "bsr"])
def test_lines_that_end_beyond_the_entries_are_refused_in_every_format(format):
    made = sparse.csr_array(np.eye(40, dtype=np.int32)).asformat(format)
    made.indptr[1] = 10**9
    for take in (inputs.documents, lambda matrix: inputs.field("tags", matrix, "labels")):
        with pytest.raises(ValueError, match=r"indptr|repeats"):
            take(made)


def test_a_vocabulary_has_a_name_for_each_column():
    assert inputs.documents(COUNTS, np.array(list("abcd"), dtype=object)).vocabulary == list("abcd")
    assert inputs.documents(COUNTS, {"d": 3, "a": 0, "c": 2, "b": 1}).vocabulary == list("abcd")
    with pytest.raises(ValueError, match="the vocabulary has 3 words, but X has 4 columns"):
        inputs.documents(COUNTS, list("abc"))


# ---- texts and words


@pytest.mark.parametrize("make", [list, tuple, np.array, lambda t: np.array(t, dtype=object), iter])
def test_texts_are_taken_from_lists_arrays_and_iterators(make):
    found = inputs.documents(make(["a cat", "", "a dog"]))
    assert found.texts == ["a cat", "", "a dog"]
    assert all(type(text) is str for text in found.texts)
    assert found.start is None


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_a_missing_text_is_an_empty_document(missing):
    for texts in ([missing, "a cat"], ["a cat", missing]):
        expected = ["a cat" if isinstance(text, str) else "" for text in texts]
        assert inputs.documents(texts).texts == expected
        assert inputs.documents(np.array(texts, dtype=object)).texts == expected
    assert inputs.documents([missing, {"cat": 1}]).start.tolist() == [0, 0, 1]
    assert inputs.documents([["cat"], missing]).start.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ("one text", ValueError, "expected a list of texts, got 'one text'"),
        (["a", b"b"], TypeError, r"text 1 is b'b' \(bytes\), expected str"),
        (["a", 3], TypeError, r"text 1 is 3 \(int\), expected str"),
        ([], ValueError, r"0 sample\(s\)"),
        (7, TypeError, "expected documents"),
        ({"a": 1}, TypeError, "a data frame can be made of columns"),
        ([{"a": 1}, "b"], TypeError, "document 1 is 'b' .str., expected a mapping"),
        ([["a"], "b"], TypeError, "document 1 is 'b' .str., expected a list of words"),
        (
            [{"a": 1}, {"a": -2}],
            ValueError,
            'Negative values in data passed to X: the count of "a" in document 1 is -2',
        ),
        ([{"a": 0.5}], ValueError, "not a whole number"),
        ([{3: 1}], TypeError, r"document 0 has the word 3 \(int\), expected str"),
        ([[1, 2], [3]], ValueError, "rows of counts must all have the same length"),
    ],
)
def test_what_is_no_document_is_named(data, error, message):
    with pytest.raises(error, match=message):
        inputs.documents(data)


def test_mappings_give_counts_with_words_in_sorted_order():
    found = inputs.documents([{"moon": 2, "tide": 1}, {}, {"bread": 3}])
    assert found.vocabulary == ["bread", "moon", "tide"]
    assert (dense(found) == [[0, 2, 1], [0, 0, 0], [3, 0, 0]]).all()


def test_lists_of_words_keep_their_order():
    found = inputs.documents([["the", "cat", "the"], [], ["dog"]])
    assert [found.vocabulary[w] for w in found.word] == ["the", "cat", "the", "dog"]
    assert found.count is None
    assert found.start.tolist() == [0, 3, 3, 4]


def test_words_outside_of_a_given_vocabulary_are_left_out():
    found = inputs.documents([{"moon": 2, "tide": 1}], vocabulary=["tide", "sun"])
    assert found.vocabulary == ["tide", "sun"]
    assert (dense(found) == [[1, 0]]).all()
    assert inputs.documents([["moon", "tide"]], vocabulary=["tide"]).word.tolist() == [0]


def test_nested_lists_of_numbers_are_rows_of_counts():
    assert (dense(inputs.documents(COUNTS.tolist())) == COUNTS).all()
