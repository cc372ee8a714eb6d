"""The estimators beyond what scikit-learn's own checks ask."""

from __future__ import annotations

import copy
import csv
import io
import pickle
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")
pd = pytest.importorskip("pandas")

import joblib
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import gibbous
from gibbous import inputs
from gibbous.sklearn import TopicClassifier, TopicRegressor, TopicTransformer

SMALL: dict[str, Any] = {"topics": 4, "sweeps": 40, "chains": 1, "random_state": 1, "n_jobs": 1}
N_DOCS, N_WORDS, N_THEMES = 120, 30, 3


def corpus(n_docs: int = N_DOCS, seed: int = 0) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Documents of 20 words, most of them from the ten words of a theme; and the themes."""
    rng = np.random.default_rng(seed)
    theme = rng.integers(N_THEMES, size=n_docs)
    probability = np.full((N_THEMES, N_WORDS), 0.3 / N_WORDS)
    for k in range(N_THEMES):
        probability[k, 10 * k : 10 * k + 10] += 0.07
    return sparse.csr_matrix([rng.multinomial(20, probability[k]) for k in theme]), theme


X, THEME = corpus()
X_NEW, THEME_NEW = corpus(60, seed=1)
NAMES = np.array(["crime", "travel", "poetry"])
TEXTS = [
    " ".join(f"word{'abcdefghijklmnopqrstuvwxyzABCD'[w]}" for w in row.indices for _ in range(2))
    for row in X
]


def bits(model: gibbous.Model) -> bytes:
    return model.to_bytes()


# ---- classes ----


@pytest.mark.parametrize("response", [None, "hinge", "logistic", "probit"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_of_new_documents_are_predicted(response: str | None, n_classes: int) -> None:
    label, truth = NAMES[THEME % n_classes], NAMES[THEME_NEW % n_classes]
    model = TopicClassifier(response=response, **SMALL).fit(X, label)
    assert model.score(X_NEW, truth) > 0.9
    assert model.predict(X_NEW).dtype == label.dtype


@pytest.mark.parametrize(
    "values",
    [
        np.array([9, 10, -2]),
        np.array([1.5, 10.5, 9.5]).round(),
        np.array(["b", "a", "ü"]),
        np.array([True, False, True]),
    ],
    ids=["int", "float", "str", "bool"],
)
def test_classes_keep_their_type_and_the_order_of_their_values(values: np.ndarray) -> None:
    y, truth = values[THEME], values[THEME_NEW]
    model = TopicClassifier(**SMALL).fit(X, y)
    assert model.classes_.tolist() == np.unique(values).tolist()
    assert model.classes_.dtype == values.dtype
    assert (model.predict(X_NEW) == truth).mean() > 0.9
    score = model.decision_function(X_NEW)
    side = (score > 0).astype(int) if len(model.classes_) == 2 else score.argmax(axis=1)
    assert (model.classes_[side] == model.predict(X_NEW)).all()


def test_the_second_of_two_classes_is_the_positive_one() -> None:
    # "10" stands before "9" in the order of names
    model = TopicClassifier(**SMALL).fit(X, np.where(THEME == 0, 9, 10))
    assert roc_auc_score(THEME_NEW != 0, model.decision_function(X_NEW)) > 0.9
    assert model.coef_.shape == (1, 4)
    assert model.intercept_.shape == (1,)
    assert model.model_.responses[0].classes == ["9", "10"]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA], ids=["None", "NaN", "NA"])
def test_a_missing_label_is_not_a_class(missing: object) -> None:
    label = NAMES[THEME].astype(object)
    label[::3] = missing
    for y in (label, label.tolist(), pd.Series(label), pd.Series(label, dtype="category")):
        model = TopicClassifier(**SMALL).fit(X, y)
        assert model.classes_.tolist() == sorted(NAMES)
        assert model.score(X_NEW, NAMES[THEME_NEW]) > 0.9
    assert bits(model.model_) != bits(TopicClassifier(**SMALL).fit(X, NAMES[THEME]).model_)


def test_missing_labels_of_numbers_are_nan() -> None:
    y = THEME.astype(float)
    y[::3] = np.nan
    model = TopicClassifier(**SMALL).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="all labels are missing"):
        model.fit(X, np.full(len(y), np.nan))


def indicators(theme: np.ndarray) -> np.ndarray:
    """Three classes: theme 0, theme 1, and one that documents of theme 0 and 2 have."""
    return np.column_stack([theme == 0, theme == 1, theme != 1]).astype(int)


@pytest.mark.parametrize(
    "form", [np.asarray, np.ndarray.tolist, sparse.csr_matrix, sparse.csc_array, pd.DataFrame]
)
def test_an_indicator_matrix_has_any_number_of_classes(form: Any) -> None:
    model = TopicClassifier(**SMALL).fit(X, form(indicators(THEME)))
    predicted = model.predict(X_NEW)
    assert predicted.shape == (60, 3)
    assert (predicted == indicators(THEME_NEW)).mean() > 0.9
    assert model.decision_function(X_NEW).shape == (60, 3)
    assert model.score(X_NEW, indicators(THEME_NEW)) > 0.8
    assert model.coef_.shape == (3, 4)


def test_columns_of_a_data_frame_name_the_classes() -> None:
    y = pd.DataFrame(indicators(THEME), columns=["z", "y", "x"])
    model = TopicClassifier(**SMALL).fit(X, y)
    assert model.classes_.tolist() == ["z", "y", "x"]
    assert (model.predict(X_NEW) == indicators(THEME_NEW)).mean() > 0.9


def test_a_row_of_nan_is_a_missing_set_of_classes() -> None:
    y = indicators(THEME).astype(float)
    y[::4] = np.nan
    model = TopicClassifier(**SMALL).fit(X, y)
    assert (model.predict(X_NEW) == indicators(THEME_NEW)).mean() > 0.9


def test_a_class_that_no_document_has_is_never_predicted() -> None:
    y = np.column_stack([THEME == 0, np.zeros(N_DOCS), THEME == 1]).astype(int)
    model = TopicClassifier(**SMALL).fit(X, y)
    assert not model.predict(X_NEW)[:, 1].any()
    assert not model.decision_function(X_NEW)[:, 1].any()
    assert model.predict(X_NEW)[:, 0].any()


def test_several_columns_of_more_than_two_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 0 or 1"):
        TopicClassifier(**SMALL).fit(X, np.column_stack([THEME, THEME]))


def test_classes_in_an_order_share_a_score() -> None:
    model = TopicClassifier(response="ordinal", **SMALL).fit(X, THEME + 9)
    assert model.score(X_NEW, THEME_NEW + 9) > 0.9
    assert model.classes_.tolist() == [9, 10, 11]
    assert model.coef_.shape == (1, 4)
    best, score = model.predict_proba(X_NEW).argmax(axis=1), model.decision_function(X_NEW)
    assert (model.classes_[best] == model.predict(X_NEW)).all()
    assert score[best == 0].max() < score[best == 2].min()
    ordered = {"levels": ["poetry", "crime", "travel"]}
    named = TopicClassifier(response="ordinal", options=ordered, **SMALL).fit(X, NAMES[THEME])
    assert named.classes_.tolist() == sorted(NAMES)
    assert named.score(X_NEW, NAMES[THEME_NEW]) > 0.9
    best = named.predict_proba(X_NEW).argmax(axis=1)
    assert (named.classes_[best] == named.predict(X_NEW)).all()


def test_each_class_can_have_topics_of_its_own() -> None:
    model = TopicClassifier(options={"strategy": "one-vs-rest"}, **SMALL).fit(X, THEME)
    assert model.score(X_NEW, THEME_NEW) > 0.9
    assert model.decision_function(X_NEW).shape == (60, 3)
    assert model.transform(X_NEW).shape == (60, 4)


# ---- probabilities ----


def test_probabilities_are_there_where_they_are_probabilities() -> None:
    for estimator in (
        TopicClassifier(response="probit", **SMALL),
        TopicClassifier(response="logistic", cost=1, **SMALL),
    ):
        probability = estimator.fit(X, THEME).predict_proba(X_NEW)
        assert probability.sum(axis=1) == pytest.approx(np.ones(60))
        assert (estimator.classes_[probability.argmax(axis=1)] == estimator.predict(X_NEW)).all()
        assert estimator.predict_log_proba(X_NEW) == pytest.approx(np.log(probability))


def test_scores_are_not_called_probabilities() -> None:
    estimator = TopicClassifier(**SMALL)
    assert hasattr(estimator, "predict_proba")
    estimator.fit(X, THEME)  # 120 labels are too few to calibrate
    assert not hasattr(estimator, "predict_proba")
    assert not hasattr(estimator, "predict_log_proba")
    with pytest.raises(AttributeError) as raised:
        estimator.predict_proba(X)
    assert "fewer than 200 documents have labels" in str(raised.value.__cause__)


@pytest.mark.parametrize(
    ("n_docs", "options", "why"),
    [
        (300, {"burn_in": 5}, "burn-in has fewer than 20 sweeps"),
        (120, {}, "fewer than 200 documents have labels"),
        (300, {"options": {"two_stage": True}}, "two stages"),
        (300, {}, None),
        (120, {"options": {"calibrate": 3}}, None),
        (120, {"response": "logistic", "cost": 1}, None),
    ],
)
def test_a_fit_says_why_there_are_no_probabilities(
    n_docs: int, options: dict[str, Any], why: str | None
) -> None:
    counts, theme = corpus(n_docs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = TopicClassifier(**SMALL | options).fit(counts, theme)
    said = [str(w.message) for w in caught if w.category is gibbous.ProbabilityWarning]
    assert hasattr(model, "predict_proba") == (why is None)
    assert len(said) == (why is not None)
    assert all(why in one and "calibrate" in one for one in said)
    if why is not None:
        with pytest.raises(AttributeError) as raised:
            model.predict_proba(counts)
        assert why in str(raised.value.__cause__)


def test_what_scikit_learn_makes_of_probabilities_works() -> None:
    counts, theme = corpus(300)
    model = TopicClassifier(**SMALL)
    probability = cross_val_predict(model, counts, theme, cv=3, method="predict_proba")
    assert probability.sum(axis=1) == pytest.approx(np.ones(300))
    assert (probability.argmax(axis=1) == theme).mean() > 0.9
    found = GridSearchCV(model, {"topics": [3, 4]}, scoring="neg_log_loss", cv=3).fit(counts, theme)
    assert found.best_score_ > -0.5
    voting = VotingClassifier([("topics", model), ("bayes", MultinomialNB())], voting="soft")
    assert voting.fit(counts, theme).score(X_NEW, THEME_NEW) > 0.9
    few = CalibratedClassifierCV(model, cv=3).fit(X, THEME)  # from scores
    assert (few.predict_proba(X_NEW).argmax(axis=1) == THEME_NEW).mean() > 0.9


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_labels_do_not_count_in_a_score(missing: Any) -> None:
    y = np.array([missing if d % 5 == 0 else NAMES[k] for d, k in enumerate(THEME)], dtype=object)
    known = np.arange(N_DOCS) % 5 != 0
    weight = np.arange(1.0, N_DOCS + 1)
    model = TopicClassifier(**SMALL).fit(X, y)
    right = model.predict(X[known]) == NAMES[THEME[known]]
    assert model.score(X, y) == pytest.approx(right.mean())
    assert model.score(X, y, weight) == pytest.approx(np.average(right, weights=weight[known]))
    numbers = np.where(known, THEME, np.nan)
    assert TopicClassifier(**SMALL).fit(X, numbers).score(X, numbers) > 0.9
    several = np.eye(3)[THEME]
    several[~known] = np.nan
    assert TopicClassifier(**SMALL).fit(X, several).score(X, several) > 0.5
    regressor = TopicRegressor(**SMALL).fit(X, numbers)
    assert regressor.score(X, numbers) == pytest.approx(regressor.score(X[known], THEME[known]))
    both = np.column_stack([numbers, THEME])
    of_two = TopicRegressor(**SMALL).fit(X, both)
    expected = [
        r2_score(THEME[known], of_two.predict(X)[known, 0]),
        r2_score(THEME, of_two.predict(X)[:, 1]),
    ]
    assert of_two.score(X, both) == pytest.approx(np.mean(expected))


def test_classes_keep_the_type_and_order_of_a_categorical() -> None:
    y = pd.Series(THEME).astype("category")
    model = TopicClassifier(**SMALL).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(X, y) == model.score(X, THEME) > 0.9
    order = ["low", "mid", "high"]
    levels = pd.Series(pd.Categorical(np.array(order)[THEME], order, ordered=True))
    ordinal = TopicClassifier(response="ordinal", **SMALL).fit(X, levels)
    assert ordinal.model_.responses[0].classes == order
    assert ordinal.classes_.tolist() == sorted(order)


def test_values_of_one_name_are_one_class() -> None:
    y = np.array(["1", "1.0", "b"])[THEME]
    model = TopicClassifier(**SMALL).fit(X, y)
    assert model.classes_.tolist() == ["1", "b"]
    assert model.score(X, y) > 0.9


def test_texts_that_are_missing_are_empty_documents() -> None:
    kind = ["a", *NAMES[THEME]]
    expected = TopicClassifier(**SMALL).fit(["", *TEXTS], kind).predict([TEXTS[0], ""])
    for make in (list, pd.Series, lambda texts: np.array(texts, dtype=object)):
        model = TopicClassifier(**SMALL).fit(make([np.nan, *TEXTS]), kind)
        assert (model.predict(make([TEXTS[0], np.nan])) == expected).all()


def test_a_matrix_with_another_number_of_columns_is_refused() -> None:
    model = TopicClassifier(**SMALL).fit(X, THEME)
    wider = sparse.hstack([X, X[:, :1]]).tocsr()
    for other in (X[:, :-1], wider):
        with pytest.raises(ValueError, match="features"):
            model.predict(other)
    plain = gibbous.train(X, label=THEME, topics=4, sweeps=20, chains=1, seed=1)
    again = gibbous.Model.from_bytes(plain.to_bytes())
    for other in (X[:, :-1], wider):
        with pytest.raises(ValueError, match=r"columns, but the model was trained on 30"):
            plain.predict(other)
    with pytest.raises(ValueError, match=r"X has 29 columns, but column 29 is a word"):
        again.predict(X[:, :-1])


@pytest.mark.parametrize("seed", [-1, -(2**40)])
def test_a_negative_seed_is_refused(seed: int) -> None:
    for make in (
        lambda: TopicClassifier(**SMALL | {"random_state": seed}).fit(X, THEME),
        lambda: gibbous.train(X, label=THEME, topics=4, sweeps=5, seed=seed),
    ):
        with pytest.raises(gibbous.ArgumentError, match="`seed` must be"):
            make()


def test_enough_labels_calibrate_the_scores() -> None:
    many, theme = corpus(300)
    probability = (
        TopicClassifier(**SMALL | {"sweeps": 60}).fit(many, NAMES[theme]).predict_proba(X_NEW)
    )
    assert probability.sum(axis=1) == pytest.approx(np.ones(60))
    assert (np.sort(NAMES)[probability.argmax(axis=1)] == NAMES[THEME_NEW]).mean() > 0.9


# ---- weights ----


def test_class_weights_move_the_border() -> None:
    y = np.random.default_rng(2).integers(2, size=N_DOCS)  # nothing to learn
    share = [
        TopicClassifier(class_weight=weight, **SMALL).fit(X, y).predict(X_NEW).mean()
        for weight in ({0: 50, 1: 0.02}, "balanced", {1: 50, 0: 0.02})
    ]
    assert share[0] < 0.1 < share[1] < 0.9 < share[2]


@pytest.mark.parametrize(
    ("values", "key"),
    [([False, True], True), ([0.0, 1.0], 1.0), ([3, 4], 4), (["no", "yes"], "yes")],
)
def test_class_weights_name_classes_by_their_values(values: list[Any], key: object) -> None:
    y = np.array(values)[np.random.default_rng(2).integers(2, size=N_DOCS)]
    model = TopicClassifier(class_weight={key: 1000}, **SMALL).fit(X, y)
    assert (model.predict(X_NEW) == key).mean() > 0.9


def test_a_document_of_weight_0_keeps_its_label_to_itself() -> None:
    wrong = np.where(np.arange(N_DOCS) % 2 == 0, THEME, (THEME + 1) % 3)
    weight = (np.arange(N_DOCS) % 2 == 0).astype(float)
    assert (
        TopicClassifier(**SMALL).fit(X, wrong, sample_weight=weight).score(X_NEW, THEME_NEW) > 0.9
    )
    assert TopicRegressor(**SMALL).fit(X, wrong, sample_weight=weight).score(X_NEW, THEME_NEW) > 0.5


# ---- numbers ----


@pytest.mark.parametrize("response", [None, "gaussian", "insensitive", "negative-binomial"])
def test_numbers_of_new_documents_are_predicted(response: str | None) -> None:
    model = TopicRegressor(response=response, **SMALL).fit(X, 5 * THEME)
    assert model.score(X_NEW, 5 * THEME_NEW) > 0.7
    assert model.coef_.shape == (4,)
    assert isinstance(model.intercept_, float)


def test_several_numbers_are_predicted_in_the_order_of_their_columns() -> None:
    y, truth = (
        np.column_stack([THEME == 0, 100.0 - THEME]),
        np.column_stack([THEME_NEW == 0, 100.0 - THEME_NEW]),
    )
    for given in (y, y.tolist(), pd.DataFrame(y, columns=["z", "a"])):
        model = TopicRegressor(**SMALL).fit(X, given)
        assert model.predict(X_NEW).shape == truth.shape
        assert model.score(X_NEW, truth) > 0.7
        assert model.coef_.shape == (2, 4)
        assert model.intercept_.shape == (2,)
    assert [response.field for response in model.model_.responses] == ["z", "a"]


def test_a_column_with_one_number_stays_a_column() -> None:
    assert TopicRegressor(**SMALL).fit(X, THEME[:, np.newaxis]).predict(X_NEW).shape == (60, 1)


def test_standard_deviations_come_with_the_means() -> None:
    model = TopicRegressor(**SMALL).fit(X, THEME.astype(float))
    mean, sd = model.predict(X_NEW, return_std=True)
    assert (mean == model.predict(X_NEW)).all()
    assert sd.shape == mean.shape
    assert (sd > 0).all()


def test_a_missing_number_is_nan() -> None:
    y = THEME.astype(float)
    y[::3] = np.nan
    assert TopicRegressor(**SMALL).fit(X, y).score(X_NEW, THEME_NEW) > 0.7


def test_counts_are_in_proportion_to_their_exposure() -> None:
    days = np.tile([1.0, 10.0], N_DOCS // 2)
    y = np.random.default_rng(3).poisson(3 * days)
    model = TopicRegressor(response="negative-binomial", **SMALL).fit(X, y, exposure=days)
    short, long = (
        model.predict(X_NEW, exposure=np.ones(60)),
        model.predict(X_NEW, exposure=np.full(60, 10.0)),
    )
    assert (long > 5 * short).all()
    with pytest.raises(ValueError, match="exposure"):
        model.predict(X_NEW)


# ---- what is known besides ----


@pytest.mark.parametrize(
    "form",
    [
        np.asarray,
        list,
        lambda v: v[:, np.newaxis],
        lambda v: pd.DataFrame({"year": v}),
        lambda v: {"year": v},
    ],
)
def test_covariates_help_where_words_do_not(form: Any) -> None:
    rng = np.random.default_rng(4)
    year, year_new = rng.normal(size=N_DOCS), rng.normal(size=60)
    model = TopicRegressor(**SMALL).fit(X, 3 * year, covariates=form(year))
    assert model.score(X_NEW, 3 * year_new, covariates=form(year_new)) > 0.9
    with pytest.raises(ValueError, match="covariate"):
        model.predict(X_NEW)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.predict(X_NEW, covariates=form(year))


def test_factors_are_covariates_too() -> None:
    venue, venue_new = NAMES[np.arange(N_DOCS) % 3], NAMES[np.arange(60) % 3]
    model = TopicClassifier(**SMALL).fit(
        X, venue == "crime", covariates=pd.DataFrame({"venue": venue})
    )
    assert (
        model.score(X_NEW, venue_new == "crime", covariates=pd.DataFrame({"venue": venue_new})) == 1
    )


def test_groups_have_shares_of_their_own() -> None:
    model = TopicTransformer(prior="graph", options={"graph": "chain"}, **SMALL).fit(
        X, groups=1900 + THEME
    )
    shares = model.transform(X_NEW, groups=1900 + THEME_NEW)
    assert shares.sum(axis=1) == pytest.approx(np.ones(60))
    assert model.model_.settings["prior"] == "graph"
    with pytest.raises(ValueError, match="group"):
        model.transform(X_NEW)


def test_what_is_known_besides_is_routed_through_pipelines() -> None:
    rng = np.random.default_rng(4)
    year = rng.normal(size=N_DOCS)
    with sklearn.config_context(enable_metadata_routing=True):
        model = (
            TopicRegressor(**SMALL)
            .set_fit_request(covariates=True)
            .set_predict_request(covariates=True)
        )
        model.set_score_request(covariates=True)
        pipeline = make_pipeline(CountVectorizer(), model).fit(TEXTS, 3 * year, covariates=year)
        assert np.corrcoef(pipeline.predict(TEXTS, covariates=year), year)[0, 1] > 0.9
        found = cross_validate(model, X, 3 * year, cv=2, params={"covariates": year})
        assert found["test_score"].min() > 0.9


# ---- topics ----


def test_topics_are_found_without_labels() -> None:
    transformer = TopicTransformer(**SMALL | {"topics": 3}).fit(X)
    shares = transformer.transform(X_NEW)
    assert shares.sum(axis=1) == pytest.approx(np.ones(60))
    owner = [np.bincount(THEME_NEW[shares.argmax(axis=1) == k]).argmax() for k in range(3)]
    assert sorted(owner) == [0, 1, 2]
    assert (np.array(owner)[shares.argmax(axis=1)] == THEME_NEW).mean() > 0.9


def test_labels_are_not_looked_at_unless_there_is_a_response() -> None:
    plain = bits(TopicTransformer(**SMALL).fit(X).model_)
    assert bits(TopicTransformer(**SMALL).fit(X, THEME).model_) == plain
    assert (
        TopicTransformer(response="hinge", **SMALL).fit(X, THEME).model_.responses[0].task
        == "multiclass"
    )
    assert (
        TopicTransformer(response=None, **SMALL).fit(X, THEME + 0.5).model_.responses[0].task
        == "regression"
    )
    assert (
        TopicTransformer(response="gaussian", **SMALL).fit(X, THEME).model_.responses[0].task
        == "regression"
    )
    with pytest.raises(ValueError, match="requires y"):
        TopicTransformer(response="hinge", **SMALL).fit(X)


def test_documents_are_more_probable_under_topics_of_their_kind() -> None:
    mixed = sparse.csr_matrix(
        np.random.default_rng(5).multinomial(20, np.full(N_WORDS, 1 / N_WORDS), size=N_DOCS)
    )
    assert (
        TopicTransformer(**SMALL).fit(X).score(X_NEW)
        > TopicTransformer(**SMALL).fit(mixed).score(X_NEW) + 0.1
    )


def test_components_are_distributions_over_the_columns() -> None:
    wide = sparse.hstack(
        [sparse.csr_matrix((N_DOCS, 2)), X]
    ).tocsr()  # two words that no document has
    model = TopicTransformer(**SMALL).fit(wide)
    assert model.components_.shape == (4, N_WORDS + 2)
    assert model.components_.sum(axis=1) == pytest.approx(np.ones(4))
    assert not model.components_[:, :2].any()
    word, probability = model.model_.top_words(1)
    assert model.components_.max(axis=1) == pytest.approx(probability[:, 0])
    assert [model.model_.vocabulary[w] for w in word[:, 0]] == [
        str(c) for c in model.components_.argmax(axis=1)
    ]


def test_words_have_the_names_of_their_columns() -> None:
    words = [f"word {c}" for c in range(N_WORDS)]
    frame = pd.DataFrame(X.toarray(), columns=words)
    model = TopicTransformer(**SMALL).fit(frame)
    assert model.feature_names_in_.tolist() == words
    assert sorted(model.model_.vocabulary) == sorted(words)
    numbers = {word: c for c, word in reversed(list(enumerate(words)))}
    for vocabulary in (words, np.array(words), numbers):
        named = TopicTransformer(vocabulary=vocabulary, **SMALL).fit(X)
        assert bits(named.model_) == bits(model.model_)
        assert (named.components_ == model.components_).all()
    with pytest.raises(ValueError, match=r"3 words.* 30 columns"):
        TopicTransformer(vocabulary=["a", "b", "c"], **SMALL).fit(X)


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


OTHER = pd.DataFrame(X.toarray()[:, :20], columns=[f"v{j}" for j in range(20)])


@pytest.mark.parametrize(
    ("documents", "options"),
    [(OTHER, {"beta": -1}), (TEXTS, {"beta": -1}), (OTHER, None), (TEXTS, None), (OTHER / 2, None)],
)
def test_a_fit_that_fails_leaves_the_fit_before_it(
    documents: Any, options: dict[str, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.DataFrame(X.toarray(), columns=[f"w{j}" for j in range(N_WORDS)])
    model = TopicClassifier(**SMALL).fit(frame, NAMES[THEME])
    before, shares, predicted = set(vars(model)), model.transform(frame), model.predict(frame)
    monkeypatch.setattr("gibbous.sklearn.train", interrupt if options is None else gibbous.train)
    with pytest.raises((ValueError, KeyboardInterrupt)):
        model.set_params(options=options).fit(documents, NAMES[THEME % 2])
    model.set_params(options=None)
    assert set(vars(model)) == before
    assert (model.n_features_in_, model.feature_names_in_[0]) == (N_WORDS, "w0")
    np.testing.assert_array_equal(model.transform(frame), shares)
    np.testing.assert_array_equal(model.predict(frame), predicted)


def test_documents_without_known_words_have_no_score() -> None:
    model = TopicTransformer(**SMALL).fit(TEXTS)
    for texts in (["unheard"] * 3, [""]):
        with pytest.raises(ValueError, match="no document has a word that the model knows"):
            model.score(texts)
    assert np.isfinite(model.score(["worda", "unheard"]))


def test_rows_go_together_by_their_position() -> None:
    texts, years = pd.Series(TEXTS, index=np.arange(N_DOCS)[::-1]), pd.DataFrame({"year": THEME})
    labels = NAMES[np.arange(N_DOCS) % 2]
    model = TopicClassifier(**SMALL).fit(texts, labels, covariates=years)
    expected = TopicClassifier(**SMALL).fit(TEXTS, labels, covariates=years)
    assert bits(model.model_) == bits(expected.model_)
    np.testing.assert_array_equal(
        model.transform(texts, covariates=years), expected.transform(TEXTS, covariates=years)
    )


def test_a_first_fit_that_fails_leaves_nothing_fitted() -> None:
    model = TopicClassifier(options={"beta": -1}, **SMALL)
    before = set(vars(model))
    with pytest.raises(ValueError, match="beta"):
        model.fit(X, NAMES[THEME])
    assert set(vars(model)) == before
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_a_vocabulary_that_is_set_after_the_fit_is_for_the_next_fit() -> None:
    model = TopicTransformer(**SMALL).fit(X)
    shares, components = model.transform(X_NEW), model.components_
    model.set_params(vocabulary=[f"w{j}" for j in range(N_WORDS)])
    np.testing.assert_array_equal(model.transform(X_NEW), shares)
    np.testing.assert_array_equal(model.components_, components)
    assert model.fit(X).model_.vocabulary[0] == "w0"


def test_topic_shares_come_as_data_frames_too() -> None:
    model = TopicClassifier(**SMALL).set_output(transform="pandas")
    frame = model.fit_transform(X, THEME)
    assert frame.columns.tolist() == ["topic_1", "topic_2", "topic_3", "topic_4"]
    assert (
        frame.to_numpy() == clone(model).set_output(transform="default").fit(X, THEME).transform(X)
    ).all()


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_dataframe_column_names_consistency,
        estimator_checks.check_transformer_get_feature_names_out,
        estimator_checks.check_transformer_get_feature_names_out_pandas,
        estimator_checks.check_set_output_transform,
        estimator_checks.check_set_output_transform_pandas,
        estimator_checks.check_global_output_transform_pandas,
    ],
)
@pytest.mark.filterwarnings("default")
def test_scikit_learn_has_further_checks_for_its_own(check: Any) -> None:
    check("TopicTransformer", TopicTransformer(**SMALL))


# ---- documents ----


@pytest.mark.parametrize(
    "form",
    [
        sparse.csr_array,
        sparse.csc_matrix,
        sparse.coo_array,
        lambda m: m.astype(np.uint8),
        lambda m: m.astype(np.float32),
        lambda m: sparse.csr_matrix(
            (m.data, m.indices.astype(np.int64), m.indptr.astype(np.int64)), m.shape
        ),
        lambda m: m.toarray(),
        lambda m: m.toarray().tolist(),
    ],
    ids=["csr_array", "csc", "coo", "uint8", "float32", "int64 indices", "dense", "lists"],
)
def test_counts_are_the_same_in_any_form(form: Any) -> None:
    assert bits(TopicTransformer(**SMALL).fit(form(X)).model_) == bits(
        TopicTransformer(**SMALL).fit(X).model_
    )


def test_fractions_are_refused_with_advice() -> None:
    pipeline = make_pipeline(CountVectorizer(), TfidfTransformer(), TopicClassifier(**SMALL))
    with pytest.raises(
        ValueError, match="CountVectorizer, not TfidfVectorizer or TfidfTransformer"
    ):
        pipeline.fit(TEXTS, THEME)


def test_texts_are_documents() -> None:
    model = TopicClassifier(**SMALL).fit(TEXTS, THEME)
    assert model.score(TEXTS, THEME) > 0.9
    assert not hasattr(model, "n_features_in_")
    assert model.components_.shape == (4, len(model.model_.vocabulary))
    for same in (np.array(TEXTS), pd.Series(TEXTS), tuple(TEXTS)):
        assert bits(TopicClassifier(**SMALL).fit(same, THEME).model_) == bits(model.model_)
    assert not hasattr(clone(model).fit(X, THEME).fit(TEXTS, THEME), "n_features_in_")
    with pytest.raises(ValueError, match="was fitted on texts"):
        model.predict(X)
    with pytest.raises(ValueError, match="but X has texts"):
        TopicClassifier(**SMALL).fit(X, THEME).predict(TEXTS)


def test_options_of_words_are_for_texts() -> None:
    model = TopicTransformer(options={"lowercase": False, "min_df": 2}, **SMALL).fit(TEXTS)
    assert "wordA" in model.model_.vocabulary


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_columns_and_frames_of_other_libraries_are_taken(library: str) -> None:
    other = pytest.importorskip(library)
    column, frame = (
        (other.Series, other.DataFrame) if library == "polars" else (other.array, other.table)
    )
    words = [f"word {c}" for c in range(N_WORDS)]
    counts = frame({word: X.toarray()[:, c] for c, word in enumerate(words)})
    model = TopicClassifier(**SMALL).fit(counts, column(NAMES[THEME]))
    as_pandas = pd.DataFrame(X.toarray(), columns=words)
    again = TopicClassifier(**SMALL).fit(as_pandas, NAMES[THEME])
    assert bits(model.model_) == bits(again.model_)
    assert model.feature_names_in_.tolist() == words
    of_texts = TopicClassifier(**SMALL).fit(column(TEXTS), column(NAMES[THEME]))
    assert of_texts.score(column(TEXTS), NAMES[THEME]) > 0.9
    year = frame({"year": np.arange(N_DOCS)})
    regressor = TopicRegressor(**SMALL).fit(X, column(np.arange(N_DOCS)), covariates=year)
    assert regressor.score(X, np.arange(N_DOCS), covariates=year) > 0.9


def test_a_named_series_names_its_field() -> None:
    label, number = pd.Series(NAMES[THEME], name="genre"), pd.Series(THEME, name="stars")
    assert TopicClassifier(**SMALL).fit(X, label).model_.responses[0].field == "genre"
    assert TopicRegressor(**SMALL).fit(X, number).model_.responses[0].field == "stars"


# ---- parameters ----


def test_a_seed_gives_the_model_that_the_library_gives() -> None:
    label = inputs.field("label", NAMES[THEME], "label")
    given = inputs.collect(X, label=label)
    options = {"topics": 4, "sweeps": 40, "chains": 1, "seed": 1, "threads": 1}
    assert bits(TopicClassifier(**SMALL).fit(X, NAMES[THEME]).model_) == bits(
        gibbous.train(given, **options)
    )


class Command:
    """The command in a folder with the corpora of this file."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        words = [str(c) for c in range(N_WORDS)]
        label = inputs.field("label", NAMES[THEME], "label")
        target = inputs.field("target", THEME / 2, "target")
        for name, given, fields in (("train", X, [label, target]), ("new", X_NEW, [])):
            of = inputs.documents(given)
            corpus = gibbous.Corpus.from_arrays(of.start, of.word, of.count, words, fields)
            corpus.write(folder / name)

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run(
            [self.program, *arguments], cwd=self.folder, check=True, capture_output=True, text=True
        )
        return done.stdout

    def train(self, *options: str) -> bytes:
        sampler = ["-k", "4", "--sweeps", "40", "--chains", "1", "--seed", "1"]
        self("train", "train", *sampler, "-m", "model", *options)
        return (self.folder / "model").read_bytes()

    def table(self, verb: str, *columns: str) -> np.ndarray:
        rows = csv.DictReader(io.StringIO(self(verb, "new", "-m", "model")))
        return np.array([[float(row[column]) for column in columns] for row in rows])


@pytest.fixture
def shell(command: Path, tmp_path: Path) -> Command:
    return Command(command, tmp_path)


def test_the_command_gives_the_same_classifier_and_scores(shell: Command) -> None:
    model = TopicClassifier(**SMALL).fit(X, NAMES[THEME])
    assert bits(model.model_) == shell.train("--label", "label")
    printed = shell.table("predict", *(f"score_{name}" for name in model.classes_))
    assert model.decision_function(X_NEW) == pytest.approx(printed, rel=1e-8)  # nine digits


def test_the_command_gives_the_same_regressor_and_numbers(shell: Command) -> None:
    model = TopicRegressor(**SMALL).fit(X, THEME / 2)
    assert bits(model.model_) == shell.train("--target", "target")
    predicted = np.column_stack(model.predict(X_NEW, return_std=True))
    assert predicted == pytest.approx(shell.table("predict", "mean", "sd"), rel=1e-8)


def test_the_command_gives_the_same_topics_and_shares(shell: Command) -> None:
    model = TopicTransformer(**SMALL).fit(X)
    shell.train("--response", "none")  # its file names the fields that the corpus has
    printed = shell.table("infer", *model.get_feature_names_out())
    assert model.transform(X_NEW) == pytest.approx(printed, rel=1e-8)


def test_another_seed_gives_another_model() -> None:
    def fitted(**changed: Any) -> bytes:
        return bits(TopicTransformer(**SMALL | changed).fit(X).model_)

    assert fitted() == fitted(n_jobs=2) == fitted(n_jobs=-1)
    assert fitted() != fitted(random_state=2)
    assert fitted(random_state=None) != fitted(random_state=None)
    state = np.random.RandomState(0)
    assert fitted(random_state=np.random.RandomState(0)) == fitted(random_state=state)
    assert fitted(random_state=np.random.RandomState(0)) != fitted(random_state=state)


def test_options_go_where_they_belong_and_come_last() -> None:
    model = TopicTransformer(
        options={"topics": 2, "infer_sweeps": 3, "beta": 0.5, "prior": "uniform"}, **SMALL
    ).fit(X)
    assert model.model_.n_topics == 2
    assert float(model.model_.settings["beta"]) == 0.5
    assert not (
        model.transform(X)
        == model.set_params(options={"infer_sweeps": 30, "prior": "uniform"}).transform(X)
    ).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"topics": 0}, "topics"),
        ({"response": "hinges"}, "hinges"),
        ({"options": {"topcis": 3}}, "topcis.*topics"),
        ({"sweeps": 10, "burn_in": 10}, "burn_in.*below"),
        ({"class_weight": {7: 2}}, '"7" is not a class'),
        ({"options": {"folds": 3}}, "folds"),
    ],
)
def test_wrong_parameters_are_found_in_fit(parameters: dict[str, Any], message: str) -> None:
    estimator = TopicClassifier(**SMALL | parameters)
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, THEME)


def test_wrong_documents_are_refused_as_scikit_learn_does() -> None:
    negative, unknown = X.toarray().astype(float), X.toarray().astype(float)
    negative[0, 3] = -1
    unknown[1, 1] = np.nan
    for wrong, message in (
        (negative, "Negative values"),
        (unknown, "NaN"),
        (X[:5], "inconsistent numbers of samples"),
        (X[:, :0], r"0 feature\(s\)"),
        (X.toarray()[0], "Reshape your data"),
    ):
        with pytest.raises(ValueError, match=message):
            TopicClassifier(**SMALL).fit(wrong, THEME)
    model = TopicClassifier(**SMALL).fit(X, THEME)
    with pytest.raises(ValueError, match="expecting 30 features"):
        model.predict(X[:, :4])


def test_a_missing_covariate_is_named() -> None:
    year = np.arange(N_DOCS, dtype=float)
    year[7] = np.nan
    with pytest.raises(ValueError, match=r"8.*year|year.*8"):
        TopicClassifier(**SMALL).fit(X, THEME, covariates={"year": year})
    assert TopicClassifier(options={"impute": "mean"}, **SMALL).fit(
        X, THEME, covariates={"year": year}
    )


def test_nothing_is_predicted_before_fit() -> None:
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        with pytest.raises(NotFittedError):
            getattr(TopicClassifier(), method)(X)
    for attribute in ("components_", "coef_", "intercept_", "classes_", "model_"):
        assert not hasattr(TopicClassifier(), attribute)


# ---- the rest of scikit-learn ----


def test_a_pipeline_is_its_parts() -> None:
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(TEXTS)
    pipeline = make_pipeline(CountVectorizer(), TopicClassifier(**SMALL)).fit(TEXTS, THEME)
    assert (
        pipeline.decision_function(TEXTS)
        == TopicClassifier(**SMALL).fit(counts, THEME).decision_function(counts)
    ).all()


def test_a_grid_search_chooses_among_parameters() -> None:
    with joblib.parallel_backend("threading"):
        search = GridSearchCV(
            TopicClassifier(**SMALL), {"topics": [2, 6], "cost": [0.01, 8]}, cv=2, n_jobs=2
        ).fit(X, THEME)
    assert search.best_params_["cost"] == 8
    assert search.best_estimator_.score(X_NEW, THEME_NEW) > 0.9
    search = GridSearchCV(TopicTransformer(**SMALL), {"topics": [2, 3]}, cv=2).fit(X)
    assert search.best_params_["topics"] == 3


def test_folds_are_scored() -> None:
    scores = cross_val_score(
        TopicClassifier(response="probit", **SMALL), X, THEME, cv=3, scoring="neg_log_loss"
    )
    assert scores.shape == (3,)
    assert (scores > -1).all()
    assert cross_val_score(TopicRegressor(**SMALL), X, THEME, cv=3).min() > 0.5


@pytest.mark.parametrize("there_and_back", ["pickle", "joblib", "copy"])
def test_a_fitted_estimator_can_be_kept(there_and_back: str) -> None:
    model = TopicClassifier(**SMALL).fit(X, NAMES[THEME])
    if there_and_back == "pickle":
        again = pickle.loads(pickle.dumps(model))
    elif there_and_back == "joblib":
        file = io.BytesIO()
        joblib.dump(model, file)
        file.seek(0)
        again = joblib.load(file)
    else:
        again = copy.deepcopy(model)
    assert (again.decision_function(X_NEW) == model.decision_function(X_NEW)).all()
    assert (again.predict(X_NEW) == model.predict(X_NEW)).all()
    assert bits(again.model_) == bits(model.model_)


def test_a_clone_has_the_parameters_and_no_model() -> None:
    model = TopicClassifier(class_weight={0: 2}, options={"beta": 0.1}, **SMALL).fit(X, THEME)
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert not hasattr(again, "model_")


def test_coefficients_and_shares_give_the_score_of_one_chain() -> None:
    # means of products are close to products of means when topics are steady
    model = TopicRegressor(**SMALL | {"sweeps": 200}).fit(X, THEME.astype(float))
    linear = model.transform(X_NEW) @ model.coef_ + model.intercept_
    assert np.corrcoef(linear, model.predict(X_NEW))[0, 1] > 0.99


def test_the_decision_is_for_the_second_class_whatever_the_option_positive_says(
    corpus: gibbous.Corpus, counts: sparse.csr_matrix
) -> None:
    y = np.array([classes[0] for classes in corpus.classes_of("kind")])
    for positive in ("first", "second"):
        fitted = TopicClassifier(
            topics=4, sweeps=30, random_state=1, options={"positive": positive}
        ).fit(counts, y)
        assert fitted.model_.responses[0].classes[1] == positive
        decision = fitted.decision_function(counts)
        np.testing.assert_array_equal(fitted.predict(counts), fitted.classes_[(decision > 0) * 1])
        shares = fitted.transform(counts)
        by_hand = shares @ fitted.coef_[0] + fitted.intercept_[0]
        assert np.corrcoef(by_hand, decision)[0, 1] > 0.99
