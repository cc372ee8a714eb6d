"""Data frames of any library by the names of their columns, and arrays side by side."""

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import gibbous
from gibbous import Field, inputs

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

COLUMNS = {
    "plot": ["A shark comes.", "A ring is lost.", ""],
    "genre": ["horror", None, "fantasy"],
    "tags": [["sea"], [], None],
    "stars": [3.5, None, 5.0],
    "year": [1975, 2001, 2001],
    "seen": [True, False, None],
    "vector": [[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]],
    "days": [10, 20, 30],
    "weight": [1.0, 0.0, 2.0],
    "id": ["a", None, "c"],
}


class Capsule:
    """A frame or column that speaks Arrow and nothing else."""

    def __init__(self, of):
        self.of = of

    def __arrow_c_stream__(self, requested_schema=None):
        of, self.of = self.of, None  # a stream can be read once
        return of.__arrow_c_stream__(requested_schema)


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "pandas on pyarrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "categories": lambda columns: pl.DataFrame(columns).with_columns(
        pl.col("genre").cast(pl.Categorical)
    ),
    "capsule": lambda columns: Capsule(pa.table(columns)),
}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param](COLUMNS)


INDEX = [4, 1, 3]


@pytest.mark.parametrize("index", [[1, 3, 4], [0, 1, 2], None])
@pytest.mark.parametrize(
    "argument", [*inputs.ROLES, "id", "embeddings", "covariates by name", "covariates in a frame"]
)
def test_values_whose_index_is_not_that_of_the_documents_are_refused(argument, index):
    values = {"labels": [["a"], [], ["b"]], "embeddings": [[1.0], [2.0], [3.0]]}
    given = values.get(argument, [1, 2, 3])
    make = pd.DataFrame if argument in ("embeddings", "covariates in a frame") else pd.Series
    name, *how = argument.split(maxsplit=1)

    def collect(documents, index):
        made = make(given, index=index)
        return inputs.collect(documents, **{name: {"x": made} if how == ["by name"] else made})

    documents = pd.DataFrame({"text": ["a", "b", "c"]}, index=INDEX)
    for of in (documents, documents["text"]):
        with pytest.raises(ValueError, match=rf"^{name}: its index is not that of the documents"):
            collect(of, index)
    for of, same in (
        (documents, INDEX),
        (documents["text"], INDEX),
        (documents.reset_index(drop=True), None),
        (documents["text"].to_numpy(), index),  # no index: by position
    ):
        assert collect(of, same).documents.n_docs == 3


def test_sparse_columns_of_pandas_are_words():
    words = pd.DataFrame.sparse.from_spmatrix(
        sparse.csr_matrix([[2, 0], [0, 3]]), columns=["a", "b"]
    )
    for frame in (words, words.assign(genre=["horror", "crime"])):
        found = inputs.collect(frame, label=None if frame is words else "genre")
        assert found.documents.vocabulary == ["a", "b"]
        assert found.documents.count.tolist() == [2, 3]
        assert [field.name for field in found.fields] == ([] if frame is words else ["genre"])


def test_a_frame_that_was_split_goes_with_its_labels():
    selection = pytest.importorskip("sklearn.model_selection")
    films = pd.DataFrame({"text": [f"film {i}" for i in range(9)], "year": range(9)})
    parts = selection.train_test_split(films[["text"]], films["year"], random_state=1)
    found = inputs.collect(parts[0], target=parts[2])
    assert found.fields[0].numbers.tolist() == parts[0].index.tolist()


def test_columns_are_found_by_name_and_have_the_same_meaning_in_every_library(frame):
    found = inputs.collect(
        frame,
        text="plot",
        label="genre",
        labels="tags",
        target="stars",
        covariates=["seen", "vector"],
        exposure="days",
        document_weight="weight",
        group="year",
    )
    assert found.documents.texts == COLUMNS["plot"]
    assert found.ids == ["a", "", "c"]
    genre, tags, stars, seen, v0, v1, days, weight, year = found.fields
    assert [(f.name, f.role, f.kind) for f in found.fields] == [
        ("genre", "response", "one"),
        ("tags", "response", "several"),
        ("stars", "response", "number"),
        ("seen", "covariate", "one"),
        ("vector_0", "covariate", "number"),
        ("vector_1", "covariate", "number"),
        ("days", "exposure", "number"),
        ("weight", "weight", "number"),
        ("year", "group", "one"),
    ]
    assert [genre.class_name[c] for c in genre.class_of[[0, 2]]] == ["horror", "fantasy"]
    assert tags.start.tolist() == [0, 1, 1, 1]
    assert tags.is_missing.tolist() == [False, False, True]
    np.testing.assert_array_equal(stars.numbers, [3.5, np.nan, 5.0])
    assert sorted(seen.class_name) == ["false", "true"]
    assert (v0.numbers.tolist(), v1.numbers.tolist()) == ([0.5, 1.5, 2.5], [1, 2, 3])
    assert days.numbers.tolist() == [10, 20, 30]
    assert weight.numbers.tolist() == [1, 0, 2]
    assert [year.class_name[c] for c in year.class_of] == ["1975", "2001", "2001"]


def test_the_columns_text_and_id_are_found_unasked(frame):
    del frame
    found = inputs.collect(pd.DataFrame({"text": ["a"], "id": [7]}))
    assert (found.documents.texts, found.ids) == (["a"], ["7"])


def test_a_covariate_may_have_its_kind_after_a_colon_or_in_a_mapping():
    frame = pd.DataFrame({"text": ["a", "b"], "year": [1975, 2001], "a:b": [1, 2]})
    for covariates in ("year:factor", ["year:factor"], {"year": "factor"}):
        assert [f.kind for f in inputs.collect(frame, covariates=covariates).fields] == ["one"]
    assert inputs.collect(frame, covariates={"year": None}).fields[0].kind == "number"
    assert inputs.collect(frame, covariates="a:b").fields[0].name == "a:b"
    with pytest.raises(
        ValueError, match='covariate "year": kind must be number, date, factor or list, not "day"'
    ):
        inputs.collect(frame, covariates="year:day")


def test_names_may_be_separated_by_commas_as_in_the_options_of_the_command():
    frame = pd.DataFrame({"text": ["a", "b"], "year": [1975, 2001], "x,y": [1, 2]})
    found = inputs.collect(frame, covariates="year:factor,text", group="x,y")
    assert [(f.name, f.kind) for f in found.fields] == [
        ("year", "one"),
        ("text", "one"),
        ("x,y", "one"),
    ]
    assert found.options["covariates"] == "year:factor,text"


@pytest.mark.parametrize(
    ("roles", "error", "message"),
    [
        (
            {},
            ValueError,
            'no column is named "text"; say which has the texts.*the columns are "plot", "genre"',
        ),
        ({"text": "plots"}, ValueError, 'text: no column is named "plots"'),
        ({"text": "plot", "label": "genres"}, ValueError, 'label: no column is named "genres"'),
        ({"text": "plot", "target": "genre"}, ValueError, r"target \"genre\", row 0 is 'horror'"),
        (
            {"text": "plot", "labels": "genre"},
            ValueError,
            "expected a list of classes, got 'horror'",
        ),
        ({"text": "plot", "label": [3]}, ValueError, "inconsistent numbers of samples"),
        ({"text": "stars"}, TypeError, "text 0 is 3.5"),
        ({"text": 3}, TypeError, "text: expected the name of a column, got 3"),
    ],
)
def test_a_column_that_does_not_fit_is_named(roles, error, message):
    with pytest.raises(error, match=message):
        inputs.collect(pd.DataFrame(COLUMNS), **roles)


def test_a_lazy_frame_is_collected():
    whole = inputs.collect(pl.DataFrame(COLUMNS), text="plot")
    assert inputs.collect(pl.LazyFrame(COLUMNS), text="plot").documents == whole.documents


def test_dates_are_refused():
    frame = pl.DataFrame({"text": ["a"], "day": [__import__("datetime").date(2020, 1, 1)]})
    for role in ("covariates", "group", "label", "target"):
        with pytest.raises(TypeError, match="dates and times are not taken"):
            inputs.collect(frame, **{role: "day"})


def test_arrow_is_read_by_polars_where_pyarrow_is_not_there(monkeypatch):
    if not hasattr(pl.DataFrame, "__arrow_c_stream__"):
        pytest.skip("this polars reads no streams")
    monkeypatch.setattr(inputs._values, "_arrow_library", lambda data: "polars")
    found = inputs.collect(Capsule(pa.table({"text": ["a", "b"], "year": [1, 2]})), target="year")
    assert found.documents.texts == ["a", "b"]
    assert inputs.documents(Capsule(pa.chunked_array([["a", "b"]]))).texts == ["a", "b"]


def test_arrow_is_refused_where_nothing_reads_it(monkeypatch):
    monkeypatch.setattr(inputs._values, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="needs pyarrow or polars: pip install pyarrow"):
        inputs.documents(Capsule(pa.table({"text": ["a"]})))


# ---- frames of counts


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table, lambda c: Capsule(pa.table(c))]
)
def test_a_frame_of_numbers_has_words_as_columns(make):
    found = inputs.documents(make({"cat": [2, 0], "dog": [0, 1]}))
    assert (found.vocabulary, found.word.tolist(), found.count.tolist()) == (
        ["cat", "dog"],
        [0, 1],
        [2, 1],
    )


def test_a_sparse_frame_has_words_as_columns():
    counts = sparse.csr_array(np.array([[2, 0], [0, 1]]))
    found = inputs.documents(pd.DataFrame.sparse.from_spmatrix(counts, columns=["cat", "dog"]))
    assert (found.vocabulary, found.word.tolist(), found.count.tolist()) == (
        ["cat", "dog"],
        [0, 1],
        [2, 1],
    )


def test_columns_without_names_are_words_by_number():
    assert inputs.documents(pd.DataFrame(np.eye(3, dtype=int))).vocabulary == ["0", "1", "2"]
    found = inputs.collect(np.eye(2), covariates=pd.DataFrame([[1, 2], [3, 4]]))
    assert [f.name for f in found.fields] == ["0", "1"]


def test_columns_that_an_argument_names_are_no_words():
    frame = pd.DataFrame({"cat": [2, 0], "genre": ["x", "y"], "dog": [0, 1]})
    assert inputs.collect(frame, label="genre").documents.vocabulary == ["cat", "dog"]


@pytest.mark.parametrize(
    "make", [pd.Series, pl.Series, pa.array, lambda t: Capsule(pa.chunked_array([t]))]
)
def test_a_column_of_texts_is_documents(make):
    assert inputs.documents(make(["a cat", ""])).texts == ["a cat", ""]
    assert inputs.documents(make(["a", None])).texts == ["a", ""]


# ---- arrays side by side


def test_values_beside_a_matrix_are_named_after_their_role():
    found = inputs.collect(
        np.eye(3),
        label=["a", "b", None],
        target=pd.Series([1, 2, 3], name="stars"),
        covariates=np.ones((3, 2)),
        group=[1, 1, 2],
    )
    assert [f.name for f in found.fields] == [
        "label",
        "stars",
        "covariate_0",
        "covariate_1",
        "group",
    ]


def test_several_fields_come_as_mapping_frame_or_list_of_fields():
    by_name = {"x": [1, 2], "y": ["u", "v"]}
    made = [inputs.field(name, values, "covariate") for name, values in by_name.items()]
    for covariates in (by_name, pd.DataFrame(by_name), pl.DataFrame(by_name), made, tuple(made)):
        found = inputs.collect(np.eye(2), covariates=covariates).fields
        assert [(f.name, f.role, f.kind) for f in found] == [
            ("x", "covariate", "number"),
            ("y", "covariate", "one"),
        ]
    assert isinstance(inputs.collect(np.eye(2), covariates=made[0]).fields[0], Field)


@pytest.mark.parametrize(
    "what",
    ["label", "target", "covariates", "exposure", "document_weight", "group", "cluster", "id"],
)
def test_lengths_that_disagree_are_named(what):
    with pytest.raises(
        ValueError, match=r"inconsistent numbers of samples: \[3, 2\]: 3 documents, but 2 values of"
    ):
        inputs.collect(np.eye(3), **{what: [1, 2]})


def test_a_cluster_is_one_field_that_widens_the_intervals_of_groups():
    rows = {
        "text": ["left right up down " * 3 + word for word in ["north"] * 20 + ["south"] * 20],
        "party": ["A", "B"] * 20,
        "speech": [f"{i // 8}{i % 2}" for i in range(40)],
    }
    data = pd.DataFrame(rows)
    (field,) = inputs.collect(data, text="text", cluster="speech").fields
    assert (field.name, field.role, field.kind) == ("speech", "cluster", "one")
    options = {
        "group": "party",
        "prior": "graph",
        "topics": 2,
        "sweeps": 30,
        "burn_in": 15,
        "seed": 1,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = gibbous.train(data, text="text", **options).groups()
        together = gibbous.train(data, text="text", cluster="speech", **options).groups()
    np.testing.assert_allclose(alone["mean"], together["mean"], rtol=1e-12)
    assert (np.asarray(together["sd"]) > 1.2 * np.asarray(alone["sd"])).all()


def test_a_name_without_a_frame_is_refused():
    with pytest.raises(
        ValueError, match='label="genre" names a column, but the documents are no data frame'
    ):
        inputs.collect(np.eye(3), label="genre")
    with pytest.raises(ValueError, match='text="plot" names a column'):
        inputs.collect(["a"], text="plot")


def test_fields_of_a_formula_come_from_columns_and_are_of_its_kinds() -> None:
    frame = pytest.importorskip("pandas").DataFrame(
        {
            "text": ["ape bee", "cat dog", "elk"],
            "party": ["x", "y", "x"],
            "year": [2001, 2002, 2003],
            "author": [7, 8, 7],
            "other": [1, 2, 3],
        }
    )
    found = inputs.collect(frame, label="party", prevalence="party * s(year) + (1|author)")
    assert [(f.name, f.role, f.kind) for f in found.fields] == [
        ("party", "response", "one"),
        ("year", "prevalence", "number"),
        ("author", "prevalence", "one"),
    ]
    corpus = gibbous.Corpus.from_documents(frame, prevalence="party + factor(year)")
    assert [(f.name, f.role, f.kind) for f in corpus.fields] == [
        ("party", "prevalence", "one"),
        ("year", "prevalence", "one"),
    ]


def test_groups_that_word_topics_differently_are_columns_or_values() -> None:
    texts, party = ["ape bee", "cat dog"] * 20, ["x", "y"] * 20
    frame = pytest.importorskip("pandas").DataFrame({"text": texts, "party": party})
    options: dict[str, Any] = {"topics": 2, "sweeps": 8, "seed": 1}
    of_frame = gibbous.train(frame, content="party", **options)
    beside = gibbous.train(texts, content=("party", party), **options)
    words = [list(one.table("wordings")["group_words"]) for one in (of_frame, beside)]
    assert words[0] == words[1]
    both = gibbous.train(
        frame, content="party", prior="logistic-normal", prevalence="party", **options
    )
    assert set(both.table("wordings")["group"]) == {"x", "y"}
    assert of_frame.infer(frame).shape == (40, 2)
    with pytest.raises(TypeError, match="the name of a column"):
        gibbous.train(frame, content=party, **options)


def test_fields_of_a_formula_are_given_beside_texts() -> None:
    values = {"year": [2001, 2002], "party": ["x", "y"]}
    found = inputs.collect(["ape bee", "cat dog"], prevalence=("party + year", values))
    assert [(f.name, f.role, f.kind) for f in found.fields] == [
        ("party", "prevalence", "one"),
        ("year", "prevalence", "number"),
    ]
    with pytest.raises(ValueError, match="give the values of the fields as well"):
        inputs.collect(["ape bee", "cat dog"], prevalence="party")
    with pytest.raises(ValueError, match='no column is named "partei"; the columns are'):
        inputs.collect(["ape bee", "cat dog"], prevalence=("partei", values))
    with pytest.raises(gibbous.ArgumentError, match="at its end: a field is expected"):
        inputs.collect(["ape bee", "cat dog"], prevalence=("party +", values))
