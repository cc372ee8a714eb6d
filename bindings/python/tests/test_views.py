"""What a model contains, as frames, for ArviZ, pyLDAvis and notebooks."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
from html import escape
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import gibbous
from gibbous import frames

N_DOCS, N_WORDS, N_TOPICS = 300, 60, 4


def simulate(seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Counts, a number, a covariate and levels: documents of clear topics."""
    rng = np.random.default_rng(seed)
    words = rng.dirichlet(np.full(N_WORDS, 0.05), N_TOPICS)
    share = rng.dirichlet(np.full(N_TOPICS, 0.3), N_DOCS)
    counts = np.array([rng.multinomial(30, row) for row in share @ words])
    x, level = rng.normal(size=N_DOCS), rng.integers(0, 3, N_DOCS)
    return (
        counts,
        5 + 3 * share[:, 0] - 2 * share[:, 2] + 0.8 * x + rng.normal(0, 0.5, N_DOCS),
        x,
        level,
    )


def make_corpus(**roles: gibbous.Field) -> gibbous.Corpus:
    matrix = scipy.sparse.csr_matrix(simulate()[0])
    vocabulary = [f"<word>{i}" for i in range(N_WORDS)]
    return gibbous.Corpus.from_arrays(
        matrix.indptr, matrix.indices, matrix.data, vocabulary, roles.values()
    )


@pytest.fixture(scope="module")
def numbers() -> gibbous.Corpus:
    _, y, x, level = simulate()
    return make_corpus(
        y=gibbous.Field("y", "response", "number", numbers=y),
        x=gibbous.Field("x", "covariate", "number", numbers=x),
        level=gibbous.Field(
            "level",
            "covariate",
            "one",
            class_name=["a & b", "<b>", "c"],
            class_of=level.astype(np.uint32),
        ),
    )


@pytest.fixture(scope="module")
def number_model(numbers: gibbous.Corpus) -> gibbous.Model:
    return gibbous.train(
        numbers, topics=N_TOPICS, sweeps=120, chains=3, seed=1, response="gaussian"
    )


@pytest.fixture(scope="module")
def class_model() -> gibbous.Model:
    _, y, _, level = simulate()
    corpus = make_corpus(
        kind=gibbous.Field(
            "kind", "response", "one", class_name=["p", "q", "r"], class_of=level.astype(np.uint32)
        ),
        high=gibbous.Field(
            "high",
            "response",
            "one",
            class_name=["no", "yes"],
            class_of=(y > 5.3).astype(np.uint32),
        ),
    )
    return gibbous.train(
        corpus, topics=N_TOPICS, sweeps=60, chains=2, seed=1, coefficient_prior="horseshoe"
    )


@pytest.fixture(scope="module")
def group_model() -> gibbous.Model:
    _, y, _, level = simulate()
    corpus = make_corpus(
        year=gibbous.Field(
            "year",
            "group",
            "one",
            class_name=["2001", "2002", "2003"],
            class_of=level.astype(np.uint32),
        ),
        y=gibbous.Field("y", "response", "number", numbers=y),
    )
    return gibbous.train(
        corpus,
        topics=N_TOPICS,
        sweeps=60,
        chains=2,
        seed=1,
        prior="graph",
        group="year",
        graph="chain",
        response="gaussian",
    )


def rows_of_command(
    command: Path, model: gibbous.Model, folder: Path, *arguments: str
) -> list[dict[str, str]]:
    path = folder / "model.gibbous"
    model.write(path, force=True)
    run = subprocess.run(
        [command, arguments[0], "-m", path, "--table", "csv", *arguments[1:]],
        capture_output=True,
        text=True,
        check=True,
    )
    return list(csv.DictReader(io.StringIO(run.stdout)))


def assert_same(rows: list[dict[str, str]], columns: dict[str, np.ndarray]) -> None:
    """Rows of the command are those of the frame, number by number."""
    assert rows
    for name, told in rows[0].items():
        assert name in columns, name
        assert told is not None
    for i, row in enumerate(rows):
        for name, cell in row.items():
            value = columns[name][i]
            if isinstance(value, np.bool_):
                assert cell == str(int(value))
            elif isinstance(value, (float, np.floating)):
                expected = float(cell) if cell else np.nan
                np.testing.assert_allclose(value, expected, rtol=1e-6, err_msg=f"{name} of row {i}")
            else:
                assert str(value) == cell, f"{name} of row {i}"
    assert len(next(iter(columns.values()))) == len(rows)


# ---- frames


@pytest.mark.parametrize("fixture", ["number_model", "class_model"])
def test_effects_are_the_table_of_the_command(
    fixture: str, request: pytest.FixtureRequest, command: Path, tmp_path: Path
) -> None:
    model = request.getfixturevalue(fixture)
    rows = rows_of_command(command, model, tmp_path, "effects", "--words", "10")
    assert_same(rows, model.effects(frame="arrays"))


def test_words_come_in_the_order_asked_for(number_model: gibbous.Model) -> None:
    phi = number_model.topic_distributions()
    column = [int(word.removeprefix("<word>")) for word in number_model.vocabulary]
    share = simulate()[0].sum(axis=0)[column] / simulate()[0].sum()
    word, probability = number_model.rank_words("lift", 5)
    for k in range(N_TOPICS):
        lift = phi[k] / share
        assert np.all(np.diff(lift[word[k]]) <= 1e-12)
        assert lift[word[k, 0]] == pytest.approx(lift.max())
        np.testing.assert_array_equal(probability[k], phi[k, word[k]])
    shown = number_model.topics(3, by="relevance", by_weight=1, frame="arrays")["words"]
    assert list(shown) == list(number_model.topics(3, frame="arrays")["words"])
    assert number_model.topic_words(3, by="frex") != number_model.topic_words(3, by="lift")
    with pytest.raises(ValueError, match="no order of words"):
        number_model.rank_words("salience")


@pytest.mark.parametrize("fixture", ["number_model", "class_model"])
def test_topics_are_the_table_of_the_command(
    fixture: str, request: pytest.FixtureRequest, command: Path, tmp_path: Path
) -> None:
    model = request.getfixturevalue(fixture)
    rows = rows_of_command(
        command, model, tmp_path, "topics", "--words", "10", "--coherence-words", "10"
    )
    columns = model.topics(frame="arrays")
    for row, classes in zip(rows, columns["classes"], strict=True):
        assert row.pop("classes") == ";".join(classes)
    assert_same(rows, {name: column for name, column in columns.items() if name != "classes"})


def test_diagnosis_is_the_table_of_the_command(
    number_model: gibbous.Model, command: Path, tmp_path: Path
) -> None:
    rows = rows_of_command(command, number_model, tmp_path, "diagnose")
    columns = number_model.diagnose().table(frame="arrays")
    assert_same(rows, columns)
    assert set(np.unique(columns["agrees"][~np.isnan(columns["r_hat"])])) <= {0, 1}
    asked = number_model.table("diagnosis", frame="arrays")
    assert list(asked) == list(columns)
    np.testing.assert_array_equal(asked["r_hat"], columns["r_hat"])
    said = number_model.table("verdict", frame="arrays")
    assert list(said["text"]) == [str(one) for one in number_model.diagnose().verdict]
    traces = number_model.table("traces", frame="arrays")
    for values, trace in zip(traces["values"], number_model.diagnose().traces, strict=True):
        np.testing.assert_array_equal(values, trace.values)


def test_groups_are_the_table_of_the_command(
    group_model: gibbous.Model, command: Path, tmp_path: Path
) -> None:
    rows = rows_of_command(
        command, group_model, tmp_path, "effects", "--kind", "groups", "--words", "10"
    )
    assert_same(rows, group_model.groups(frame="arrays"))
    rows = rows_of_command(command, group_model, tmp_path, "effects", "--trend", "2,3", "--words=2")
    assert_same(rows, group_model.groups([3, 2], n_words=2, frame="arrays"))
    rows = rows_of_command(command, group_model, tmp_path, "effects", "--prior-predictive", "2002")
    assert_same(
        rows,
        group_model.table("group-prediction", prior_predictive="2002", frame="arrays"),
    )
    rows = rows_of_command(
        command,
        group_model,
        tmp_path,
        "effects",
        "--kind",
        "groups",
        "--words",
        "10",
        "--contrast",
        "2003,2001",
    )
    assert_same(rows, group_model.group_contrast("2003", "2001", frame="arrays"))


def test_contrasts_are_those_of_the_command(
    number_model: gibbous.Model, command: Path, tmp_path: Path
) -> None:
    rows = rows_of_command(
        command, number_model, tmp_path, "effects", "--contrast", "1+3,2", "--contrast", "level=c"
    )
    both = [
        number_model.contrast([1, 3], 2, frame="arrays"),
        number_model.contrast("level=c", frame="arrays"),
    ]
    for row, columns in zip(rows, both, strict=True):
        assert_same([row], columns)


def test_cross_fitted_effects_are_those_of_the_command(
    numbers: gibbous.Corpus, command: Path, tmp_path: Path
) -> None:
    model = gibbous.train(
        numbers, topics=N_TOPICS, sweeps=20, chains=1, seed=1, response="gaussian", cross_fit=2
    )
    assert model.n_folds == 2
    assert_same(
        rows_of_command(command, model, tmp_path, "effects", "--words", "10"),
        model.effects(frame="arrays"),
    )


def test_words_with_coefficients_of_their_own_have_rows(
    numbers: gibbous.Corpus, command: Path, tmp_path: Path
) -> None:
    model = gibbous.train(
        numbers, topics=3, sweeps=20, chains=1, seed=1, response="gaussian", word_effects="tfidf"
    )
    columns = model.effects(frame="arrays")
    assert (columns["kind"] == "word").sum() == model.n_words
    assert_same(rows_of_command(command, model, tmp_path, "effects", "--words", "10"), columns)
    pytest.importorskip("xarray")
    posterior = model.to_datatree()["posterior"]
    assert posterior.sizes["feature"] == 3 + 1 + 3
    mean = columns["mean"][columns["kind"] == "intercept"]
    np.testing.assert_allclose(posterior["average_document"].mean(("chain", "draw")), mean)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_frames_are_of_the_package_that_was_asked_for(
    kind: str, number_model: gibbous.Model
) -> None:
    pytest.importorskip(kind)
    frame = number_model.effects(frame=kind)
    assert type(frame).__module__.startswith(kind)
    arrays = number_model.effects(frame="arrays")
    assert list(frame.columns if kind != "pyarrow" else frame.column_names) == list(arrays)
    np.testing.assert_array_equal(np.asarray(frame["mean"]), arrays["mean"])


def test_what_does_not_exist_is_refused(number_model: gibbous.Model) -> None:
    with pytest.raises(gibbous.ArgumentError, match="neither a topic"):
        number_model.contrast(5)
    with pytest.raises(gibbous.ArgumentError, match="nor a level of a covariate"):
        number_model.contrast("level=none")
    with pytest.raises(gibbous.ArgumentError, match="needs a model with groups"):
        number_model.groups()
    with pytest.raises(gibbous.ArgumentError, match="frame must be one of"):
        number_model.effects(frame="excel")
    with pytest.raises(gibbous.ArgumentError):
        frames.groups(number_model, [0])


# ---- ArviZ


def test_posterior_has_chain_and_draw_first(
    number_model: gibbous.Model, class_model: gibbous.Model
) -> None:
    pytest.importorskip("xarray")
    for model in (number_model, class_model):
        tree = model.to_datatree()
        assert {"posterior", "sample_stats", "training_scores"} <= set(tree.children)
        for group in tree.children.values():
            for name, values in group.data_vars.items():
                assert values.dims[:1] == ("chain",), name
                assert values.dims[1] == "draw" or name == "acceptance_rate"
        assert "log_likelihood" in tree.attrs["missing_groups"]


def test_means_of_draws_are_the_effects(number_model: gibbous.Model) -> None:
    pytest.importorskip("xarray")
    posterior = number_model.to_datatree()["posterior"]
    table = number_model.effects(frame="arrays")
    mean = posterior["effect"].mean(("chain", "draw")).to_numpy()[0]
    np.testing.assert_allclose(mean, table["mean"][: mean.size], rtol=1e-10)
    own = {name: i for i, name in enumerate(table["feature"])}
    np.testing.assert_allclose(
        posterior["average_document"].mean(), table["mean"][own[""]], rtol=1e-10
    )
    noise = posterior["noise_variance"].mean()
    np.testing.assert_allclose(noise, table["mean"][own["noise_variance"]], rtol=1e-10)


def test_r_hat_of_arviz_is_that_of_the_diagnosis(
    number_model: gibbous.Model, tmp_path: Path
) -> None:
    arviz = pytest.importorskip("arviz")
    number_model.to_netcdf(tmp_path / "model.nc")
    opened = arviz.from_netcdf(tmp_path / "model.nc")
    summary = arviz.summary(opened, var_names=["effect", "noise_variance"], round_to="none")
    table = number_model.diagnose().table(frame="arrays")
    r_hat = {
        name if kind == "topic" else f"{kind} {name}": value
        for kind, name, value in zip(table["kind"], table["name"], table["r_hat"], strict=True)
    }
    chains = {
        name: n
        for kind, name, n in zip(table["kind"], table["name"], table["chains"], strict=True)
        if kind == "topic"
    }
    # Distances of the two middle draws from the median are equal but for rounding, and R-hat is
    # of ranks.
    tolerance = {"rtol": 2e-3}
    compared = 0
    for k in range(1, N_TOPICS + 1):
        if chains[f"topic {k}"] == 3:
            found = float(summary.loc[f"effect[y, topic {k}]", "r_hat"])
            np.testing.assert_allclose(found, r_hat[f"topic {k}"], **tolerance)
            compared += 1
    assert compared > 0
    np.testing.assert_allclose(
        float(summary.loc["effect[y, x]", "r_hat"]), r_hat["covariate x"], **tolerance
    )
    np.testing.assert_allclose(
        float(summary.loc["noise_variance", "r_hat"]),
        r_hat["parameter noise_variance"],
        **tolerance,
    )


def test_the_tree_goes_into_arviz_as_it_is(class_model: gibbous.Model) -> None:
    arviz = pytest.importorskip("arviz")
    tree = class_model.to_datatree()
    if arviz.__version__.startswith("0."):
        tree = arviz.InferenceData.from_datatree(tree)
    assert len(arviz.summary(tree, var_names=["effect"])) == 4 * N_TOPICS
    assert class_model.to_datatree()["posterior"]["shrinkage"].shape == (2, 30, 4, N_TOPICS)


def test_groups_have_log_weights_that_add_up_to_0(group_model: gibbous.Model) -> None:
    pytest.importorskip("xarray")
    weight = group_model.to_datatree()["posterior"]["group_log_weight"]
    assert weight.sizes["group"] == 3
    leading = weight.isel(chain=group_model.topic_chain)  # it has all of the topics
    np.testing.assert_allclose(leading.sum("topic"), 0, atol=1e-12)


def test_topics_of_one_vs_rest_belong_to_their_outputs() -> None:
    pytest.importorskip("xarray")
    _, _, _, level = simulate()
    corpus = make_corpus(
        kind=gibbous.Field(
            "kind", "response", "one", class_name=["p", "q", "r"], class_of=level.astype(np.uint32)
        )
    )
    model = gibbous.train(corpus, topics=3, sweeps=20, chains=2, seed=1, strategy="one-vs-rest")
    tree = model.to_datatree()
    assert tree["posterior"]["effect"].dims == ("chain", "draw", "output", "feature")
    assert tree["posterior"]["topic_share"].dims == ("chain", "draw", "output", "topic")
    assert tree["sample_stats"]["lp"].dims == ("chain", "draw", "output")
    mean = tree["posterior"]["average_document"].mean(("chain", "draw"))
    table = model.effects(frame="arrays")
    np.testing.assert_allclose(mean, table["mean"][table["kind"] == "intercept"])


def test_a_model_without_response_has_shares() -> None:
    pytest.importorskip("xarray")
    model = gibbous.train(make_corpus(), topics=3, sweeps=20, chains=2, seed=1)
    tree = model.to_datatree()
    assert set(tree["posterior"].data_vars) >= {"topic_share"}
    assert "training_scores" not in tree.children
    assert "of 0 effects" not in model._repr_html_()
    assert "effects</summary>" not in model._repr_html_()


# ---- pyLDAvis


def test_pyldavis_takes_what_it_is_given(
    number_model: gibbous.Model, numbers: gibbous.Corpus, tmp_path: Path
) -> None:
    numbers.write(tmp_path / "docs.gbc")
    prepared = number_model.to_ldavis(tmp_path / "docs.gbc")
    np.testing.assert_allclose(prepared["topic_term_dists"].sum(1), 1)
    np.testing.assert_allclose(prepared["doc_topic_dists"].sum(1), 1)
    assert prepared["doc_lengths"].sum() == prepared["term_frequency"].sum() == numbers.n_tokens
    assert len(prepared["vocab"]) == number_model.n_words
    pyldavis = pytest.importorskip("pyLDAvis")
    assert (
        pyldavis.prepare(**prepared, n_jobs=1, sort_topics=False).topic_coordinates.shape[0]
        == N_TOPICS
    )


def test_exported_files_have_what_the_model_says(
    number_model: gibbous.Model, numbers: gibbous.Corpus, tmp_path: Path
) -> None:
    numbers.write(tmp_path / "docs.gbc")
    expected = number_model.to_ldavis(tmp_path / "docs.gbc")
    number_model.export(tmp_path / "docs.gbc", tmp_path / "v.json")
    written = json.loads((tmp_path / "v.json").read_text("utf-8"))
    assert written.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(written[name], value)
    number_model.export(tmp_path / "docs.gbc", tmp_path / "s.gz")
    with gzip.open(tmp_path / "s.gz", "rt", encoding="utf-8") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    assert [int(row[3]) for row in rows] == [
        word for d in range(numbers.n_docs) for word in numbers.tokens(d)
    ]
    shares = np.zeros_like(expected["doc_topic_dists"])
    np.add.at(shares, ([int(row[0]) for row in rows], [int(row[5]) for row in rows]), 1)
    shares /= shares.sum(1, keepdims=True)
    assert np.abs(shares - expected["doc_topic_dists"]).mean() < 0.1
    with pytest.raises(gibbous.ArgumentError, match="exists"):
        number_model.export(tmp_path / "docs.gbc", tmp_path / "s.gz", force=False)


# ---- notebooks


def test_html_is_escaped(number_model: gibbous.Model, numbers: gibbous.Corpus) -> None:
    for page in (
        number_model._repr_html_(),
        numbers._repr_html_(),
        number_model.diagnose()._repr_html_(),
    ):
        assert page.count("<div") == page.count("</div>")
        assert "<word>" not in page
    assert "&lt;word&gt;" in number_model._repr_html_()
    for judgement in number_model.diagnose().verdict:
        assert escape(str(judgement)) in number_model._repr_html_()
        assert escape(str(judgement)) in number_model.diagnose()._repr_html_()
    assert "a &amp; b" in numbers._repr_html_()


def test_estimate_has_the_effects_of_other_documents(
    number_model: gibbous.Model, tmp_path: Path
) -> None:
    _, y, x, level = simulate()
    counts, *_ = simulate(4)
    matrix = scipy.sparse.csr_matrix(counts)
    others = gibbous.Corpus.from_arrays(
        matrix.indptr,
        matrix.indices,
        matrix.data,
        [f"<word>{i}" for i in range(N_WORDS)],
        [
            gibbous.Field("y", "response", "number", numbers=y),
            gibbous.Field("x", "covariate", "number", numbers=x),
            gibbous.Field(
                "level",
                "covariate",
                "one",
                class_name=["a & b", "<b>", "c"],
                class_of=level.astype(np.uint32),
            ),
        ],
    )
    others.write(tmp_path / "others.gbc")
    estimate = number_model.estimate(tmp_path / "others.gbc", seed=1)
    table = estimate.effects(frame="arrays")
    assert ((table["reliability"][:N_TOPICS] > 0) & (table["reliability"][:N_TOPICS] <= 1)).all()
    assert np.isfinite(table["mean"]).all()
    assert "gibbous estimate" in estimate._repr_html_()
