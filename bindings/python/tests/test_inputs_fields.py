"""Labels, targets, covariates and the like in the shapes that users have."""

import datetime
import decimal
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from gibbous import NO_CLASS, inputs

pd = pytest.importorskip("pandas")


def names(field):
    """The class of each document by its name."""
    return [None if c == NO_CLASS else field.class_name[c] for c in field.class_of]


def lists(field):
    """The classes of each document by their names."""
    ends = field.start.astype(int)
    found = [sorted(field.class_name[c] for c in field.class_of[a:b]) for a, b in pairwise(ends)]
    return [
        None if missing else classes
        for classes, missing in zip(found, field.is_missing, strict=True)
    ]


# ---- numbers


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 2.5],
        np.array([1, np.nan, 2.5]),
        np.array([1, np.nan, 2.5], dtype=np.float32),
        np.array([[1], [np.nan], [2.5]]),
        np.ma.MaskedArray([1, 7, 2.5], mask=[False, True, False]),
        pd.Series([1, None, 2.5]),
        pd.Series([1, None, 2.5], dtype="Float64"),
        pd.array([1, None, 2.5], dtype="Float64"),
        pd.Series([1, pd.NA, 2.5], dtype=object),
        [decimal.Decimal(1), float("nan"), np.float16(2.5)],
    ],
)
def test_numbers_have_nan_where_one_is_missing(values):
    np.testing.assert_array_equal(inputs.field("y", values, "target").numbers, [1, np.nan, 2.5])


def test_numbers_of_64_bits_are_not_copied():
    values = np.array([1.0, 2.0])
    assert np.shares_memory(inputs.field("y", values, "target").numbers, values)


def test_whole_numbers_and_truth_values_are_numbers():
    assert inputs.field("y", np.array([1, 2], dtype=np.uint8), "target").numbers.tolist() == [1, 2]
    assert inputs.field("y", [True, False], "target").numbers.tolist() == [1, 0]
    assert inputs.field("y", pd.Series([1, None], dtype="Int64"), "target").numbers[0] == 1


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([1, "two"], ValueError, r"target \"y\", row 1 is 'two' \(str\), expected a number"),
        (["1", "2"], ValueError, "row 0 is '1'"),
        ([1, object], TypeError, "row 1 is <class 'object'>"),
        ([1, 10**400], ValueError, "row 1 is too large"),
        (np.array([1j]), ValueError, "Complex data not supported"),
        (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "dates and times are not taken"),
        (pd.Series(pd.to_datetime(["2020-01-01"])), TypeError, "dates and times are not taken"),
        ([datetime.date(2020, 1, 1)], TypeError, "row 0 is .*dates and times are not taken"),
        ([pd.NaT], TypeError, "dates and times are not taken"),
        (np.ones((2, 2)), ValueError, "expected one value for each document, got 2 columns"),
        (np.ones((2, 2, 2)), ValueError, "expected one or two dimensions"),
        ("text", TypeError, "expected an array or a list"),
        (3, TypeError, "expected an array or a list"),
    ],
)
def test_what_is_no_number_is_named_with_its_row(values, error, message):
    with pytest.raises(error, match=message):
        inputs.field("y", values, "target")


# ---- classes


@pytest.mark.parametrize(
    "values",
    [
        ["b", None, "a", "b"],
        np.array(["b", None, "a", "b"], dtype=object),
        pd.Series(["b", np.nan, "a", "b"]),
        pd.Series(["b", None, "a", "b"], dtype="category"),
        pd.Categorical(["b", None, "a", "b"]),
        [np.str_("b"), pd.NA, "a", "b"],
    ],
)
def test_classes_are_names_and_may_be_missing(values):
    assert names(inputs.field("y", values, "label")) == ["b", None, "a", "b"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array(["x", "y", "x"]), ["x", "y", "x"]),
        (np.array([3, 1, 3]), ["3", "1", "3"]),
        (np.array([3.0, np.nan, 0.5]), ["3", None, "0.5"]),
        (pd.Series([1999, None]), ["1999", None]),
        (pd.Series([1999, None], dtype="Int64"), ["1999", None]),
        ([True, False, None], ["true", "false", None]),
        (np.array([True, False]), ["true", "false"]),
        ([1, "1", 1.0], ["1", "1", "1"]),
        (pd.Categorical([3, 4]), ["3", "4"]),
        (np.array([-0.0]), ["0"]),
        (np.array([2**63], dtype=np.uint64), ["9223372036854775808"]),
    ],
)
def test_numbers_and_truth_values_are_names_where_classes_are_expected(values, expected):
    assert names(inputs.field("y", values, "label")) == expected


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (
            ["a", ""],
            ValueError,
            'label "y", row 1 is an empty text; None stands for a missing value',
        ),
        ([1.0, np.inf], ValueError, "row 1 is inf"),
        (np.array([1.0, np.inf]), ValueError, "row 1 is inf"),
        ([("a", "b")], TypeError, r"row 0 is \('a', 'b'\) \(tuple\), expected the name of a class"),
        ([b"a"], TypeError, "row 0 is b'a'"),
        (np.array([b"a"]), TypeError, "row 0 is .*b'a'"),
        (pd.Series(pd.to_datetime(["2020-01-01"])), TypeError, "dates and times are not taken"),
    ],
)
def test_what_names_no_class_is_named_with_its_row(values, error, message):
    with pytest.raises(error, match=message):
        inputs.field("y", values, "label")


# ---- several classes


@pytest.mark.parametrize(
    "values",
    [
        [["a", "b"], None, []],
        [("b", "a"), float("nan"), ()],
        [{"a", "b"}, pd.NA, set()],
        [np.array(["a", "b"]), None, np.array([])],
        pd.Series([["a", "b"], None, []]),
        np.array([[1, 1], [np.nan, np.nan], [0, 0]]),
    ],
)
def test_several_classes_none_of_them_and_a_missing_list_differ(values):
    classes = ["a", "b"] if isinstance(values, np.ndarray) else None
    field = inputs.field("tags", values, "labels", classes=classes)
    assert lists(field) == [["a", "b"], None, []]
    assert (field.role, field.kind) == ("response", "several")


ONES = np.array([[1, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize(
    "values",
    [ONES, ONES > 0, ONES.astype(float), ONES.astype(object), sparse.csr_array(ONES),
     sparse.coo_matrix(ONES), sparse.csc_array(ONES.astype(bool)),
     pd.DataFrame(ONES, columns=["0", "1", "2"])],
)  # fmt: skip
def test_a_matrix_has_1_where_a_document_has_the_class(values):
    assert lists(inputs.field("tags", values, "labels")) == [["0", "2"], []]


def test_columns_of_a_frame_name_the_classes():
    frame = pd.DataFrame(ONES, columns=["x", "y", "z"])
    assert lists(inputs.field("tags", frame, "labels")) == [["x", "z"], []]


def test_entries_that_are_stored_twice_or_as_zero_are_added_up():
    made = sparse.coo_array(([1, -1, 1, 0], ([0, 0, 1, 1], [0, 0, 1, 0])), shape=(2, 2))
    assert lists(inputs.field("tags", made, "labels")) == [[], ["1"]]


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (
            ["a,b"],
            ValueError,
            r"labels \"tags\", row 0: expected a list of classes, got 'a,b' \(str\)",
        ),
        ([["a", None]], ValueError, "row 0: a class in the list is missing"),
        ([["a"], 3], ValueError, r"row 1: expected a list of classes, got 3 \(int\)"),
        (np.array([[0, 2]]), ValueError, "row 0, column 1: expected 0 or 1, got 2"),
        (np.array([[0, 1], [1, np.nan]]), ValueError, "row 1, column 1: expected 0 or 1, got nan"),
        (sparse.csr_array([[0.0, 0.5]]), ValueError, "row 0, column 1: expected 0 or 1, got 0.5"),
    ],
)
def test_what_is_no_list_of_classes_is_named_with_its_row(values, error, message):
    with pytest.raises(error, match=message):
        inputs.field("tags", values, "labels")


# ---- covariates


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2.5, None], "number"),
        (np.array([1, 2]), "number"),
        (pd.Series([1, None], dtype="Int64"), "number"),
        (["1", "2"], "one"),
        ([True, False], "one"),
        (np.array([True, False]), "one"),
        (pd.Categorical([1, 2]), "one"),
        (pd.Series(pd.Categorical([1, 2])), "one"),
        ([1, "x"], "one"),
        ([["a"], None], "several"),
        ([[3, 4], []], "several"),
    ],
)
def test_values_decide_what_a_covariate_is(values, kind):
    assert inputs.field("c", values, "covariate").kind == kind


def test_a_kind_that_is_given_decides():
    assert names(inputs.field("c", [1999, 2000], "covariate", "factor")) == ["1999", "2000"]
    assert inputs.field("c", [True, False], "covariate", "number").numbers.tolist() == [1, 0]
    assert lists(inputs.field("c", ONES, "covariate", "list")) == [["0", "2"], []]
    with pytest.raises(
        ValueError, match="kind must be number or date or factor or list, not 'text'"
    ):
        inputs.field("c", [1], "covariate", "text")
    with pytest.raises(ValueError, match="kind must be number, not 'factor'"):
        inputs.field("c", [1], "target", "factor")
    with pytest.raises(ValueError, match="role must be one of"):
        inputs.field("c", [1], "weights")


@pytest.mark.parametrize(
    "values",
    [
        np.array([[0.5, 1.0], [2.0, 3.0]]),
        sparse.csr_array([[0.5, 1.0], [2.0, 3.0]]),
        [[0.5, 1.0], [2.0, 3.0]],
        [np.array([0.5, 1.0], dtype=np.float32), np.array([2.0, 3.0], dtype=np.float32)],
        pd.Series([[0.5, 1.0], [2.0, 3.0]]),
    ],
)
def test_embeddings_are_numbered_covariates(values):
    found = inputs.fields("e", values, "covariate")
    assert [f.name for f in found] == ["e_0", "e_1"]
    assert [f.numbers.tolist() for f in found] == [[0.5, 2], [1, 3]]


def test_an_embedding_may_be_missing_but_not_shorter():
    found = inputs.fields("e", [[0.5, 1.0], None], "covariate")
    assert np.isnan([f.numbers[1] for f in found]).all()
    with pytest.raises(
        ValueError,
        match=r'covariate "e", row 1: expected 2 numbers as in the rows before, got \[0.5\]',
    ):
        inputs.fields("e", [[0.5, 1.0], [0.5]], "covariate")


def test_columns_of_a_frame_keep_their_names_and_kinds():
    frame = pd.DataFrame({"year": [1999, 2000], "place": ["x", None]})
    assert [(f.name, f.kind) for f in inputs.fields("c", frame, "covariate")] == [
        ("year", "number"),
        ("place", "one"),
    ]


def test_values_of_the_caller_stay_as_they_are():
    values = np.array([1.0, np.nan, 2.0])
    values.flags.writeable = False
    labels = np.array(["b", None], dtype=object)
    inputs.fields("c", values, "covariate")
    inputs.field("y", labels, "label")
    assert labels.tolist() == ["b", None]
