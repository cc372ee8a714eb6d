"""From what users have to a model and to predictions, and what is refused on the way."""

import subprocess
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

import gibbous
from gibbous import inputs

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

QUICK = {"topics": 3, "sweeps": 20, "seed": 1, "chains": 1}
WORDS = {"pets": ["cat", "dog", "mouse", "cheese"], "sky": ["moon", "star", "sun", "tide"]}


def frame(n_docs=60, seed=0):
    rng = np.random.default_rng(seed)
    genre = rng.choice(["pets", "sky"], n_docs)
    return pd.DataFrame(
        {
            "plot": [" ".join(rng.choice(WORDS[g], 8)) for g in genre],
            "genre": [None if i % 9 == 8 else g for i, g in enumerate(genre)],
            "tags": [[g, "all"] if i % 5 else None for i, g in enumerate(genre)],
            "stars": np.where(genre == "sky", 4.0, 1.0) + rng.normal(size=n_docs).round(2),
            "year": rng.integers(1990, 1994, n_docs),
            "place": rng.choice(["x", "y"], n_docs),
            "vector": list(rng.normal(size=(n_docs, 2)).round(3)),
            "seen": rng.integers(0, 9, n_docs),
            "days": rng.integers(1, 5, n_docs).astype(float),
            "weight": rng.choice([0.5, 1.0], n_docs),
        }
    )


def same(one, other):
    """Whether two predictions are the same bits."""
    return (one.scores == other.scores).all() and (one.topic_shares == other.topic_shares).all()


# ---- the same model, however the documents are given


def test_every_kind_of_frame_gives_the_same_model_and_predictions():
    films = frame()
    films["vector"] = [vector.tolist() for vector in films["vector"]]
    roles = {"text": "plot", "label": "genre", "target": "stars", "covariates": ["place", "vector"]}
    roles |= {"document_weight": "weight", "group": "year", "prior": "graph", "graph": "chain"}
    of = {
        "pandas": films,
        "polars": pl.from_pandas(films),
        "arrow": pl.from_pandas(films).to_arrow(),
    }
    models = {name: gibbous.train(data, **roles, **QUICK) for name, data in of.items()}
    expected = models["pandas"].predict(films, seed=1)
    for name, model in models.items():
        for data in of.values():
            assert same(model.predict(data, seed=1), expected), name


def test_values_beside_the_documents_are_the_same_as_columns():
    films = frame()
    by_name = gibbous.train(
        films, text="plot", label="genre", covariates=["year", "place"], **QUICK
    )
    beside = gibbous.train(
        films["plot"].tolist(), label=films["genre"], covariates=films[["year", "place"]], **QUICK
    )
    expected = by_name.predict(films, seed=1)
    covariates = {"year": films["year"].to_numpy(), "place": films["place"].tolist()}
    assert same(beside.predict(films["plot"], covariates=covariates, seed=1), expected)


def test_a_frame_gives_the_model_of_the_command(tmp_path, command):
    films = frame()[["plot", "genre", "year", "place"]]
    films.to_csv(tmp_path / "films.csv", index=False)
    roles = ["--text", "plot", "--label", "genre", "--covariates", "year:number,place"]
    options = ["-k", "3", "--sweeps", "20", "--seed", "1", "--chains", "1", "-q"]
    subprocess.run(
        [command, "train", tmp_path / "films.csv", "-m", tmp_path / "command", *roles, *options],
        check=True,
    )
    model = gibbous.train(
        films, text="plot", label="genre", covariates=["year:number", "place"], **QUICK
    )
    model.write(tmp_path / "python")
    by_command = gibbous.Model.read(tmp_path / "command")
    assert same(model.predict(films, seed=2), by_command.predict(films, seed=2))
    assert (
        by_command.predict(tmp_path / "films.csv", seed=2).scores.tolist()
        == model.predict(films, seed=2).scores.tolist()
    )


@pytest.mark.parametrize(
    "make", [sparse.csr_matrix, sparse.csc_array, np.asarray, lambda c: c.astype(float)]
)
def test_every_kind_of_matrix_gives_the_same_model(counts, make):
    label = np.arange(counts.shape[0]) % 2
    expected = gibbous.train(counts, label=label, **QUICK)
    model = gibbous.train(make(counts.toarray()), label=label.astype(bool).astype(str), **QUICK)
    assert (
        model.predict(counts, seed=1).scores
        == expected.predict(make(counts.toarray()), seed=1).scores
    ).all()


@pytest.mark.parametrize("names", [["1999", "cat", "moon"], None])
def test_columns_without_a_name_are_no_words_of_a_model_with_names(names):
    matrix = sparse.csr_matrix([[2, 0, 1], [0, 3, 0], [1, 1, 1]])
    texts = ["1999 cat moon", "cat cat"]
    model = (
        gibbous.train(matrix, vocabulary=names, **QUICK) if names else gibbous.train(texts, **QUICK)
    )
    for made in (matrix, matrix.toarray()):
        with pytest.raises(ValueError, match=r"give the names of the columns.*vocabulary="):
            model.predict(made)
        with pytest.raises(ValueError, match=r'no column of X is a word of the model: .*"a", "b"'):
            model.infer(made, vocabulary=["a", "b", "c"])
        assert model.predict(made, vocabulary=["moon", "a", "b"]).n_known.tolist() == [2, 0, 1]
    with pytest.raises(ValueError, match="no column of X is a word of the model"):
        model.predict(pd.DataFrame({"Cat": [1, 2]}))
    assert model.predict([{"yeast": 2}]).n_unknown.tolist() == [2]


def test_columns_of_a_model_without_names_are_numbers_although_rare_ones_are_left_out():
    matrix = np.array([[2, 0, 1], [0, 3, 1], [1, 1, 0]]) * [1, 0, 1]
    model = gibbous.train(matrix, min_df=1, **QUICK)
    assert model.vocabulary == ["0", "2"]
    assert model.predict(np.array([[1, 5, 2]])).n_known.tolist() == [3]


def test_mappings_and_lists_of_words_are_documents():
    bags = [{"cat": 2, "dog": 1}, {"moon": 3}, {"cat": 1, "moon": 1}]
    model = gibbous.train(bags, **QUICK)
    assert model.vocabulary == ["cat", "dog", "moon"]
    prediction = model.predict([{"cat": 4, "zebra": 2}, {}], seed=1)
    assert prediction.n_known.tolist() == [4, 0]
    assert prediction.n_unknown.tolist() == [2, 0]
    assert gibbous.train([["cat", "dog", "cat"], ["moon"]], **QUICK).vocabulary == [
        "cat",
        "dog",
        "moon",
    ]


def test_several_classes_numbers_and_missing_values_go_together():
    films = frame()
    films.loc[3, "stars"] = np.nan
    model = gibbous.train(films, text="plot", labels="tags", target="stars", **QUICK)
    assert [(r.field, r.task) for r in model.responses] == [
        ("tags", "multilabel"),
        ("stars", "regression"),
    ]


def test_counts_have_an_exposure():
    films = frame()
    roles = {"target": "seen", "exposure": "days", "response": "negative-binomial"}
    model = gibbous.train(films, text="plot", **roles, **QUICK)
    assert model.predict(films, seed=1).mean.shape == (60,)
    with pytest.raises(ValueError, match='exposure: no column is named "days"'):
        model.predict(films.drop(columns="days"))


def test_a_frame_of_counts_is_predicted_without_its_label():
    counts = pd.DataFrame({"cat": [2, 0, 1], "moon": [0, 3, 1], "stars": [1.0, 4.0, 2.0]})
    model = gibbous.train(counts, target="stars", **QUICK)
    assert model.vocabulary == ["cat", "moon"]
    assert model.predict(counts, seed=1).n_unknown.tolist() == [0, 0, 0]


def test_a_covariate_keeps_the_kind_that_it_had_in_training():
    films = frame()
    model = gibbous.train(films, text="plot", label="genre", covariates="year:factor", **QUICK)
    assert same(
        model.predict(films, seed=1),
        model.predict(films.assign(year=films["year"].astype(str)), seed=1),
    )


def test_a_graph_is_given_as_edges_networkx_or_matrix():
    nx = pytest.importorskip("networkx")
    films = frame()
    years = [1990, 1991, 1992, 1993]
    edges = list(pairwise(years))
    roles = {"text": "plot", "group": "year", "prior": "graph"}
    graphs = [edges, nx.Graph(edges), nx.path_graph(4)]
    models = [gibbous.train(films, **roles, graph=graph, **QUICK) for graph in graphs[:2]]
    assert same(*(model.predict(films, seed=1) for model in models))
    renamed = films.assign(year=films["year"] - 1990)
    matrix = nx.to_scipy_sparse_array(graphs[2])
    gibbous.train(renamed, **roles, graph=matrix, **QUICK)
    with pytest.raises(ValueError, match=r"the group .1993. is not in the graph"):
        gibbous.train(films, **roles, graph=[(1990, 1991), (1991, 1992)], **QUICK)
    with pytest.raises(ValueError, match=r"edge 2: the edge joins .1990. with itself"):
        gibbous.train(films, **roles, graph=[(1990, 1991), (1990, 1990)], **QUICK)


def test_a_covariance_is_given_as_an_array():
    roles = {"prior": "logistic-normal", "covariance": "full", "response": "none"}
    model = gibbous.train(
        frame()["plot"], **roles, psi_covariance=np.array([[2, 0.5], [0.5, 1]]), **QUICK
    )
    assert model.settings["psi-covariance"] == "[[2.0, 0.5], [0.5, 1.0]]"


def test_words_are_chosen_by_lists(tmp_path):
    films = frame()
    assert "cat" not in gibbous.train(films["plot"], stopwords=["cat"], **QUICK).vocabulary
    assert gibbous.train(films["plot"], vocabulary=["moon", "cat"], **QUICK).vocabulary == [
        "moon",
        "cat",
    ]
    (tmp_path / "words").write_text("moon\ncat\n")
    assert gibbous.train(films["plot"], vocabulary=tmp_path / "words", **QUICK).vocabulary == [
        "moon",
        "cat",
    ]


@pytest.mark.parametrize("names", [(False, True), (1, 2), (1.0, 2.5), ("no", "yes")])
def test_options_name_classes_as_the_labels_are(names):
    films = frame().assign(
        label=lambda films: films["genre"].map({"pets": names[0], "sky": names[1]})
    )
    films = films[films["label"].notna()].infer_objects()
    weight = {names[0]: 2, names[1]: 0.5}
    model = gibbous.train(
        films, text="plot", label="label", positive=names[0], class_weight=weight, **QUICK
    )
    classes = model.responses[0].classes
    assert classes[1] == inputs.name_of(names[0], "a class")
    levels = list(reversed(names))
    ordinal = gibbous.train(
        films, text="plot", label="label", response="ordinal", levels=levels, **QUICK
    )
    assert ordinal.responses[0].classes == classes


# ---- what is refused


def test_negative_counts_fractions_and_nan_are_refused_before_any_work():
    for wrong, message in [
        (-1, "Negative values in data passed to X"),
        (0.5, "use CountVectorizer, not TfidfVectorizer or TfidfTransformer"),
        (np.nan, "Input X contains NaN"),
    ]:
        matrix = np.ones((3, 2))
        matrix[1, 1] = wrong
        with pytest.raises(ValueError, match=message):
            gibbous.train(matrix, **QUICK)
        with pytest.raises(ValueError, match=message):
            gibbous.train(np.ones((3, 2)), **QUICK).predict(sparse.csr_array(matrix))


def test_a_missing_covariate_is_refused_unless_it_is_imputed():
    films = frame()
    films["year"] = films["year"].astype(float)
    films.loc[4, "year"] = np.nan
    roles = {"text": "plot", "label": "genre", "covariates": "year"}
    with pytest.raises(
        ValueError, match='covariate "year" is missing; `impute` mean would do without'
    ):
        gibbous.train(films, **roles, **QUICK)
    gibbous.train(films, **roles, impute="mean", **QUICK)


def test_shapes_that_disagree_are_refused():
    films = frame()
    model = gibbous.train(films, text="plot", label="genre", covariates="year", **QUICK)
    with pytest.raises(ValueError, match="inconsistent numbers of samples: \\[60, 3\\]"):
        gibbous.train(films["plot"], label=["a", "b", "a"], **QUICK)
    with pytest.raises(ValueError, match="inconsistent numbers of samples: \\[60, 2\\]"):
        model.predict(films["plot"], covariates={"year": [1990, 1991]})
    with pytest.raises(ValueError, match='covariates: no column is named "year"'):
        model.predict(films.drop(columns="year"))
    with pytest.raises(ValueError, match="year"):
        model.predict(films["plot"])


def test_an_unknown_option_is_refused_with_the_nearest_one():
    with pytest.raises(TypeError, match="no option lable; did you mean label"):
        gibbous.train(frame(), text="plot", lable="genre")
    with pytest.raises(TypeError, match=r"predict\(\) has no option topics"):
        gibbous.train(frame(), text="plot", **QUICK).predict(frame(), topics=3)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"document_weight": "neg"}, 'field "neg": document 1: -1 is below 0'),
        ({"covariates": "inf"}, 'field "inf": document 1: inf'),
        ({"label": "genre", "group": "genre"}, 'field "genre": given twice'),
        ({"label": "none"}, "none"),
    ],
)
def test_the_library_refuses_what_no_field_may_be(roles, message):
    films = frame().assign(neg=-1.0, inf=np.inf, none=None)
    with pytest.raises(ValueError, match=message):
        gibbous.train(films, text="plot", **roles, **QUICK)


def test_documents_without_words_are_refused():
    with pytest.raises(ValueError, match="no word that stays"):
        gibbous.train(np.zeros((3, 2), dtype=int), **QUICK)
    with pytest.raises(ValueError, match="no word that stays"):
        gibbous.train(["", "1 2 3"], **QUICK)


def test_the_callers_data_stay_as_they_are():
    films = frame()
    before = films.copy(deep=True)
    gibbous.train(films, text="plot", label="genre", covariates=["vector", "place"], **QUICK)
    pd.testing.assert_frame_equal(films, before)


def test_inputs_are_collected_once_and_used_again():
    films = frame()
    collected = inputs.collect(films, text="plot", label="genre")
    model = gibbous.train(collected, **QUICK)
    assert model.settings["label"] == ["genre"]
    assert same(model.predict(collected, seed=1), model.predict(films, seed=1))


def test_seed_words_name_the_first_topics() -> None:
    texts = ["red red green fire", "ice ice snow frost", "tree leaf leaf root"] * 40
    options = {"topics": 3, "alpha": 0.1, "sweeps": 40, "chains": 1, "seed": 2}
    as_lists = gibbous.train(texts, seeds={"cold": ["ice"], "warm": ["red", "fire"]}, **options)
    as_strengths = gibbous.train(
        texts, seeds={"cold": {"ice": 1}, "warm": {"red": 1, "fire": 1.0}}, **options
    )
    for model in (as_lists, as_strengths):
        word, _ = model.top_words(1)
        assert [model.vocabulary[w] for w in word[:, 0]] == ["ice", "red", "leaf"]
    with pytest.raises(gibbous.GibbousError, match="no seed word of the topic"):
        gibbous.train(texts, seeds={"none": ["apple"]}, **options)
