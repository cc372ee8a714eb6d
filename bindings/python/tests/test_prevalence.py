"""`Model.prevalence` says, prints and draws what the command answers."""

from __future__ import annotations

import numpy as np
import pytest

import gibbous

N = 60


def posts() -> tuple[list[str], dict[str, list[object]]]:
    rng = np.random.default_rng(3)
    party = rng.choice(["Tory", "Whig, old"], N)
    year = rng.integers(1900, 1950, N)
    words = [["ape", "bee", "cat"], ["oak", "fir", "yew"]]
    texts = [
        " ".join(
            rng.choice(words[int(rng.random() < (0.8 if p == "Tory" else 0.2))]) for _ in range(15)
        )
        for p in party
    ]
    return texts, {"party": party.tolist(), "year": year.tolist()}


@pytest.fixture(scope="module")
def model() -> gibbous.Model:
    texts, fields = posts()
    return gibbous.train(
        texts,
        topics=2,
        prior="logistic-normal",
        prevalence=("party * s(year, df=4)", fields),
        sweeps=100,
        burn_in=50,
        chains=1,
        seed=1,
    )


def test_differences_are_those_of_the_table(model: gibbous.Model) -> None:
    shown = model.prevalence()
    assert shown.kind == "differences"
    frame = shown.to_frame("arrays")
    table = model.table("prevalence-contrasts", frame="arrays")
    np.testing.assert_array_equal(frame["mean"], table["mean"])
    only = model.prevalence("party").to_frame("arrays")
    assert set(only["field"]) == {"party"}
    assert len(only["mean"]) == 2
    assert abs(only["mean"].sum()) < 1e-9
    clear = only["mean"][np.argmax(np.abs(only["mean"]))]
    assert abs(clear) > 0.3


def test_asked_differences_have_the_sign_of_their_order(model: gibbous.Model) -> None:
    there = model.prevalence(contrasts={"party": ("Tory", "Whig, old")}).to_frame("arrays")
    back = model.prevalence(contrasts={"party": ("Whig, old", "Tory")}).to_frame("arrays")
    np.testing.assert_allclose(there["mean"], -back["mean"])
    assert there["value"][0] == "Tory"
    assert there["minus"][0] == "Whig, old"
    one = model.prevalence(contrasts={"year": (1940.5, 1910)}, topics=[2]).to_frame("arrays")
    assert one["topic"].tolist() == ["2"]
    assert one["value"][0] == "1940.5"


def test_shares_at_values_add_up_to_one(model: gibbous.Model) -> None:
    shown = model.prevalence(at={"year": [1910, 1940], "party": ["Tory", "Whig, old"]})
    assert shown.kind == "shares"
    frame = shown.to_frame("arrays")
    assert len(frame["mean"]) == 2 * 2 * 2
    assert frame["mean"].sum() == pytest.approx(4)
    assert (frame["band_low"] <= frame["mean"]).all()


def test_fields_without_values_are_curves_along_the_training(model: gibbous.Model) -> None:
    curve = model.prevalence(at="year").to_frame("arrays")
    assert (curve["by_field"] == "").all()
    assert len(curve["mean"]) == 2 * 25
    both = model.prevalence(at=("party", "year"), topics=[1]).to_frame("arrays")
    assert set(both["by_value"]) == {"Tory", "Whig, old"}
    assert len(both["mean"]) == 2 * 25
    ends = model.prevalence(at={"year": curve["number"][[0, 24]]}).to_frame("arrays")
    np.testing.assert_allclose(ends["mean"], curve["mean"][[0, 24, 25, 49]], rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"at": "place"}, "'place' is no field with a curve"),
        ({"at": "year", "field": "party"}, "at: gives shares"),
        ({"field": "place"}, "these have: party, year"),
        ({"at": {"party": ["Lib"]}}, "no level of party"),
        ({"contrasts": {"party": ["Tory"]}}, "expected two values"),
    ],
)
def test_what_cannot_be_asked_is_named(
    model: gibbous.Model, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(gibbous.ArgumentError, match=message):
        model.prevalence(**arguments)


def test_models_without_a_formula_say_so() -> None:
    texts, _ = posts()
    plain = gibbous.train(texts, topics=2, sweeps=20, chains=1, seed=1)
    with pytest.raises(gibbous.ArgumentError, match="regression on metadata"):
        plain.prevalence()


def test_the_summary_has_rows_intervals_and_notes(model: gibbous.Model) -> None:
    text = repr(model.prevalence())
    assert "party = Tory minus Whig, old, topic 1" in text or (
        "party = Whig, old minus Tory, topic 1" in text
    )
    assert " to " in text
    assert "like the training's" in text
    long = repr(model.prevalence(at=("year", "party")))
    assert "party = Tory, topic 1" in long
    assert "88 more" in long
    page = model.prevalence()._repr_html_()
    assert "<table" in page
    assert "Whig, old" in page
    assert "like the training&#x27;s" in page


def test_figures_lie_where_the_table_says(model: gibbous.Model) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = model.prevalence()
    axes = shown.plot()
    assert sum(ax.get_visible() for ax in axes.ravel()) == 2
    drawn = [line.get_xdata()[0] for line in axes.ravel()[0].lines[1:]]
    np.testing.assert_allclose(np.sort(drawn), np.sort(100 * shown.to_frame("arrays")["mean"][:2]))
    curves = model.prevalence(at=("year", "party")).plot([2])
    lines = [line for line in curves[0, 0].lines if line.get_linestyle() != ":"]
    assert len(lines) == 2
    assert len(lines[0].get_xdata()) == 25
    assert {label.get_text() for label in curves[0, 0].get_legend().get_texts()} == {
        "Tory",
        "Whig, old",
    }
    points = model.prevalence(at="party").plot()
    assert [label.get_text() for label in points[0, 0].get_xticklabels()] == ["Tory", "Whig, old"]
    with pytest.raises(gibbous.ArgumentError, match="none of them"):
        shown.plot([7])
    pyplot.close("all")


def test_estimators_take_a_formula_and_its_fields() -> None:
    pandas = pytest.importorskip("pandas")
    sklearn = pytest.importorskip("gibbous.sklearn")
    texts, fields = posts()
    frame = pandas.DataFrame(fields)
    options = {"prior": "logistic-normal", "sweeps": 60, "burn_in": 30, "random_state": 1}
    transformer = sklearn.TopicTransformer(2, prevalence="party + year", chains=1, **options)
    shares = transformer.fit_transform(texts, metadata=frame)
    assert shares.shape == (N, 2)
    expected = gibbous.train(
        texts,
        topics=2,
        prior="logistic-normal",
        prevalence=("party + year", frame),
        response="none",
        sweeps=60,
        burn_in=30,
        chains=1,
        seed=1,
    )
    np.testing.assert_array_equal(
        transformer.model_.prevalence("party").to_frame("arrays")["mean"],
        expected.prevalence("party").to_frame("arrays")["mean"],
    )
    empty = transformer.transform(
        ["", ""], metadata={"party": ["Tory", "Whig, old"], "year": [1920, 1920]}
    )
    assert abs(empty[0, 0] - empty[1, 0]) > 0.2
    assert np.isfinite(transformer.score(texts, metadata=frame))
    for estimator, given in (
        (sklearn.TopicTransformer(2, prevalence="party", **options), {}),
        (sklearn.TopicTransformer(2, **options), {"metadata": frame}),
    ):
        with pytest.raises(ValueError, match="metadata"):
            estimator.fit(texts, **given)
    regressor = sklearn.TopicRegressor(2, prevalence="party", chains=1, **options)
    regressor.fit(texts, np.asarray(fields["year"], float), metadata=frame)
    assert regressor.predict(texts[:3], metadata=frame[:3]).shape == (3,)
