"""Any matrix and any column that a user may have, compared with a plain loop over it."""

import unicodedata

import numpy as np
import pytest
from scipy import sparse

import gibbous
from gibbous import NO_CLASS, inputs

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

settings.register_profile(
    "fixed",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")

WHOLE = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
TYPES = [*WHOLE, np.float32, np.float64, np.longdouble]


@st.composite
def entries(draw, low=0, high=1):
    """Entries of a matrix in any order, some given twice, some zero; and its shape."""
    shape = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cell = st.tuples(
        st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1), st.integers(low, high)
    )
    return draw(st.lists(cell, max_size=25)), shape


def csr(cells, shape, dtype, index):
    """A CSR matrix with the entries of each row in the order in which they are given."""
    by_row = sorted(cells, key=lambda cell: cell[0])
    start = np.cumsum(np.bincount([row + 1 for row, _, _ in cells] + [0], minlength=shape[0] + 1))
    start -= 1  # the 0 above, for a matrix without entries
    data = np.array([count for _, _, count in by_row], dtype=dtype)
    made = sparse.csr_array(shape, dtype=dtype)
    made.data, made.indices = data, np.array([word for _, word, _ in by_row], dtype=index)
    made.indptr = start.astype(index)
    return made


def added_up(cells, shape):
    matrix = np.zeros(shape, dtype=np.int64)
    for row, word, count in cells:
        matrix[row, word] += count
    return matrix


def dense(found):
    matrix = np.zeros((found.n_docs, found.n_words), dtype=np.int64)
    for d in range(found.n_docs):
        for i in range(int(found.start[d]), int(found.start[d + 1])):
            matrix[d, found.word[i]] += found.count[i]
    return matrix


# ---- documents


@given(entries(), st.sampled_from(TYPES), st.sampled_from([np.int32, np.int64]))
def test_any_csr_matrix_is_read_as_a_loop_reads_it(made, dtype, index):
    cells, shape = made
    matrix = csr(cells, shape, dtype, index)
    before = matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()
    found = inputs.documents(matrix)
    assert (dense(found) == added_up(cells, shape)).all()
    for array, was in zip((matrix.data, matrix.indices, matrix.indptr), before, strict=True):
        np.testing.assert_array_equal(array, was)


@given(entries(high=5), st.sampled_from(TYPES[1:]), st.sampled_from(["coo", "csc", "lil", "bsr"]))
def test_any_format_is_read_as_csr(made, dtype, form):
    matrix = csr(*made, dtype, np.int32)
    matrix.sum_duplicates()  # in the type of the matrix: what a user sees in it
    expected = matrix.toarray()
    assert (dense(inputs.documents(matrix.asformat(form))) == expected).all()
    assert (dense(inputs.documents(expected)) == expected).all()


@given(entries())
def test_words_ascend_once_in_each_document_where_they_were_out_of_order(made):
    cells, shape = made
    found = inputs.documents(csr(cells, shape, np.int64, np.int32))
    for first, end in zip(found.start[:-1].astype(int), found.start[1:].astype(int), strict=True):
        assert (np.diff(found.word[first:end].astype(int)) > 0).all()


@given(entries(-2, 3), st.sampled_from([np.int8, np.int32, np.int64, np.float32, np.float64]))
def test_negative_counts_are_refused_and_no_other(made, dtype):
    cells, shape = made
    matrix = csr(cells, shape, dtype, np.int32)
    if any(count < 0 for _, _, count in cells):
        with pytest.raises(
            ValueError, match=r"Negative values in data passed to X: X\[\d+, \d+\] is -"
        ):
            inputs.documents(matrix)
    else:
        assert (dense(inputs.documents(matrix)) == added_up(cells, shape)).all()


@given(st.lists(st.lists(st.floats(), min_size=3, max_size=3), min_size=1, max_size=5))
def test_floats_are_counts_or_refused_with_their_place(rows):
    matrix = np.array(rows)
    good = np.isfinite(matrix) & (matrix >= 0) & (matrix == np.trunc(matrix)) & (matrix < 2**32)
    if good.all():
        assert (dense(inputs.documents(matrix)) == matrix).all()
        return
    row, column = np.argwhere(~good)[0]
    for made in (matrix, sparse.csr_array(matrix)):
        with pytest.raises(ValueError, match=rf"X\[{row}, {column}\]"):
            inputs.documents(made)


@given(
    st.lists(
        st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 9)), min_size=1, max_size=5
    )
)
def test_any_mappings_are_read_as_they_are(bags):
    if not any(bags):
        return
    found = inputs.documents(bags)
    for d, bag in enumerate(bags):
        words = found.word[int(found.start[d]) : int(found.start[d + 1])]
        counts = found.count[int(found.start[d]) : int(found.start[d + 1])]
        assert {found.vocabulary[w]: int(c) for w, c in zip(words, counts, strict=True)} == bag


# ---- fields

MISSING = st.sampled_from([None, float("nan"), np.float32("nan")])
NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.booleans(),
    st.decimals(allow_nan=False),
)


@given(st.lists(st.one_of(NUMBERS, MISSING), max_size=8))
def test_any_numbers_are_numbers(values):
    found = inputs.field("y", values, "target").numbers
    expected = [np.nan if inputs._values.is_missing(value) else float(value) for value in values]
    np.testing.assert_array_equal(found, np.array(expected, dtype=float))


LETTERS = st.text(st.characters(categories=["L", "M"]), min_size=1)


@given(st.lists(st.one_of(LETTERS, st.integers(), st.booleans(), MISSING), max_size=8))
def test_any_names_are_classes(values):
    found = inputs.field("y", values, "label")
    for value, code in zip(values, found.class_of, strict=True):
        if value is None or value != value:
            assert code == NO_CLASS
        else:
            expected = str(value).lower() if isinstance(value, bool) else str(value)
            expected = unicodedata.normalize("NFC", expected)
            assert found.class_name[code] == expected


@given(
    st.lists(
        st.one_of(st.none(), st.lists(st.text("abc", min_size=1, max_size=2), max_size=4)),
        max_size=6,
    )
)
def test_any_lists_of_classes_are_lists(values):
    found = inputs.field("y", values, "labels")
    for d, value in enumerate(values):
        codes = found.class_of[int(found.start[d]) : int(found.start[d + 1])]
        assert [found.class_name[code] for code in codes] == (value or [])
        assert found.is_missing[d] == (value is None)


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=6))
def test_any_matrix_of_classes_is_lists(rows):
    for made in (np.array(rows), sparse.csr_array(np.array(rows)), np.array(rows).astype(float)):
        found = inputs.field("y", made, "labels")
        for d, row in enumerate(rows):
            codes = found.class_of[int(found.start[d]) : int(found.start[d + 1])]
            assert codes.tolist() == [j for j, has in enumerate(row) if has]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@given(values=st.lists(st.one_of(st.none(), st.integers(-(2**40), 2**40)), min_size=1, max_size=6))
def test_any_column_of_any_library_is_that_of_a_list(library, values):
    pl = pytest.importorskip("polars")
    series = pl.Series("y", values, dtype=pl.Int64)
    column = {"pandas": series.to_pandas, "pyarrow": series.to_arrow, "polars": lambda: series}[
        library
    ]()
    for role in ("target", "label"):
        one, other = inputs.field("y", values, role), inputs.field("y", column, role)
        if role == "target":
            np.testing.assert_array_equal(one.numbers, other.numbers)
        else:
            names = [
                [f.class_name[c] if c != NO_CLASS else None for c in f.class_of]
                for f in (one, other)
            ]
            assert names[0] == names[1]


# ---- through to the library


@settings(max_examples=40)
@given(
    entries(high=3), st.sampled_from(TYPES[1:]), st.sampled_from([np.int32, np.int64]), st.data()
)
def test_any_small_corpus_is_trained_and_predicted_or_refused_as_an_error(made, dtype, index, data):
    cells, shape = made
    matrix = csr(cells, shape, dtype, index)
    label = data.draw(
        st.lists(st.sampled_from(["a", "b", None]), min_size=shape[0], max_size=shape[0])
    )
    number = data.draw(st.lists(st.floats(-9, 9), min_size=shape[0], max_size=shape[0]))
    roles = {}
    if len({*label} - {None}) == 2:
        roles = {"label": label, "covariates": {"x": number}}

    def train():
        return gibbous.train(matrix, **roles, topics=2, sweeps=4, seed=1)

    if added_up(cells, shape).sum() == 0:
        with pytest.raises(ValueError, match="no word that stays"):
            train()
        return
    model = train()
    prediction = model.predict(matrix, covariates=roles.get("covariates"), seed=1)
    assert prediction.topic_shares.shape == (shape[0], 2)
    np.testing.assert_allclose(prediction.topic_shares.sum(axis=1), 1)
    np.testing.assert_array_equal(prediction.n_known, added_up(cells, shape).sum(axis=1))
