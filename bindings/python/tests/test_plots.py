"""Figures show what the tables say, and can be drawn for every kind of model."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import gibbous

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot

from gibbous import plots


@pytest.fixture(autouse=True)
def _close_figures() -> object:
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def model() -> gibbous.Model:
    """Classes with a name that would be a formula, a number, and years."""
    rng = np.random.default_rng(2)
    n = 200
    matrix = scipy.sparse.csr_matrix(rng.poisson(rng.dirichlet(np.full(40, 0.1), n) * 30))
    kind = rng.integers(0, 3, n).astype(np.uint32)
    year = rng.integers(0, 4, n).astype(np.uint32)
    corpus = gibbous.Corpus.from_arrays(
        matrix.indptr,
        matrix.indices,
        matrix.data,
        [f"$w_{i}$" for i in range(40)],
        [
            gibbous.Field("kind", "response", "one", class_name=["a$b$", "q", "r"], class_of=kind),
            gibbous.Field("y", "response", "number", numbers=rng.normal(size=n)),
            gibbous.Field(
                "year", "group", "one", class_name=["1990", "2000", "2010", "2020"], class_of=year
            ),
        ],
    )
    return gibbous.train(
        corpus, topics=5, sweeps=40, chains=2, seed=1, prior="graph", group="year", graph="chain"
    )


def test_coefficients_are_sorted_and_lie_where_the_table_says(model: gibbous.Model) -> None:
    ax = plots.coefficients(model, "y")
    table = model.effects(outputs=["y"], frame="arrays")
    expected = np.sort(table["mean"][table["kind"] == "topic"])
    drawn = np.sort(np.concatenate([line.get_xdata() for line in ax.lines[1:]]))
    np.testing.assert_allclose(drawn, expected)
    labels = [label.get_text().split()[0] for label in ax.get_yticklabels()]
    mean = dict(zip(table["feature"], table["mean"], strict=True))
    assert [mean[label] for label in labels] == sorted(mean[label] for label in labels)


def test_the_output_must_be_chosen_where_there_are_several(model: gibbous.Model) -> None:
    with pytest.raises(gibbous.ArgumentError, match="choose an output"):
        plots.coefficients(model)
    with pytest.raises(gibbous.ArgumentError, match="not one of"):
        plots.coefficients(model, "z")
    with pytest.raises(gibbous.ArgumentError, match="score for each class"):
        plots.classes(model, "y")


def test_the_map_has_a_row_for_each_topic_and_a_column_for_each_class(model: gibbous.Model) -> None:
    ax = plots.classes(model)
    assert len(ax.get_yticklabels()) == 5
    assert [label.get_text() for label in ax.get_xticklabels()] == [r"a\$b\$", "q", "r"]
    ax.figure.canvas.draw()


def test_trends_have_a_figure_for_each_topic_at_the_years(model: gibbous.Model) -> None:
    axes = plots.trends(model, [2, 4])
    shown = [ax for ax in axes.ravel() if ax.get_visible()]
    assert len(shown) == 2
    np.testing.assert_array_equal(
        shown[0].lines[0].get_xdata(), np.arange(1990, 2021)
    )  # those between, too
    table = model.groups([2], frame="arrays")
    np.testing.assert_allclose(shown[0].lines[0].get_ydata(), 100 * table["mean"])
    shown[0].figure.canvas.draw()


def test_traces_show_all_chains_of_each_number(model: gibbous.Model) -> None:
    diagnosis = model.diagnose()
    axes = plots.traces(diagnosis)
    assert axes.shape[0] == 3  # the log joint and two losses
    assert all(len(ax.lines) == 2 for ax in axes.ravel())
    axes[0, 0].figure.canvas.draw()


def test_calibration_takes_any_table_and_leaves_out_empty_bins() -> None:
    table = {"n": [0, 10, 40], "mean_probability": [np.nan, 0.5, 0.9], "share": [np.nan, 0.4, 0.95]}
    ax = plots.calibration(table, label="one")
    assert len(ax.collections[-1].get_offsets()) == 2
    record = np.array([(5, 0.7, 0.6)], [("n", "u8"), ("mean_probability", "f8"), ("share", "f8")])
    assert len(plots.calibration(record).collections[-1].get_offsets()) == 1
    pandas = pytest.importorskip("pandas")
    plots.calibration(pandas.DataFrame(table), label="two", ax=ax)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]


TEXTS = ["goal team match", "bank stock price"] * 10


@pytest.fixture(scope="module")
def of_texts() -> gibbous.Model:
    return gibbous.train(
        TEXTS, label=["sport", "money"] * 10, topics=3, sweeps=40, chains=1, seed=1
    )


def test_words_of_topics_are_bars_of_their_probabilities(of_texts: gibbous.Model) -> None:
    axes = plots.topics(of_texts, [2, 1], n_words=3)
    assert axes.shape == (1, 2)
    _, probability = of_texts.top_words(3)
    drawn = [bar.get_width() for bar in axes[0, 0].patches]
    np.testing.assert_allclose(drawn, 100 * probability[1])
    with pytest.raises(gibbous.ArgumentError, match="from 1 to 3"):
        plots.topics(of_texts, [4])


def test_documents_with_the_same_topics_are_at_the_same_place(of_texts: gibbous.Model) -> None:
    ax = plots.documents(of_texts, TEXTS, by=["sport", "money"] * 10)
    assert [line.get_label() for line in ax.lines] == ["money", "sport"]
    for line in ax.lines:
        at = line.get_xydata()
        assert len(at) == 10
        np.testing.assert_allclose(at, np.broadcast_to(at[0], at.shape), atol=1e-9)
    assert len(plots.documents(of_texts, TEXTS).lines) >= 2
    with pytest.raises(gibbous.ArgumentError, match="2 values for 20 documents"):
        plots.documents(of_texts, TEXTS, by=["a", "b"])


def test_similarities_are_those_of_the_table(of_texts: gibbous.Model) -> None:
    image = plots.similarities(of_texts).images[0].get_array()
    table = of_texts.table("similarities", frame="arrays")
    assert image.shape == (3, 3)
    np.testing.assert_allclose(np.diag(image), 1)
    np.testing.assert_allclose(image, image.T)
    np.testing.assert_allclose(
        np.sort(image[np.tril_indices(3, -1)]), np.sort(table["affinity"]), rtol=1e-6
    )


def test_an_explanation_ends_at_the_score(of_texts: gibbous.Model) -> None:
    found = of_texts.explain(TEXTS[:2])
    ax = plots.explanation(found, 1)
    last = ax.patches[-1]
    table = found.parts(frame="arrays")
    score = table["score"][next(i for i, one in enumerate(table["id"]) if one == "2")]
    np.testing.assert_allclose(last.get_x() + last.get_width(), score)
    with pytest.raises(gibbous.ArgumentError, match="2 scores"):
        plots.explanation(found, 2)
