"""scikit-learn's own checks, on all estimators."""

from __future__ import annotations

import inspect
import os
from typing import Any

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks

from gibbous.sklearn import TopicClassifier, TopicRegressor, TopicTransformer

SMALL = {"topics": 3, "sweeps": 12, "chains": 1, "n_jobs": 1}
ESTIMATORS = [
    TopicClassifier(**SMALL),
    TopicClassifier(response="logistic", cost=1, **SMALL),
    TopicClassifier(response="probit", **SMALL),
    TopicRegressor(**SMALL),
    TopicRegressor(response="insensitive", **SMALL),
    TopicTransformer(**SMALL),
    TopicTransformer(response="hinge", **SMALL),
]
if "GIBBOUS_LONG_TESTS" not in os.environ:
    ESTIMATORS = [ESTIMATORS[i] for i in (0, 3, 5)]

FRACTIONS = "the check gives fractions whatever the tags say, and counts of words are whole numbers"
MEANS = "classes are predicted by their mean probability, which is no function of the mean score"
WEIGHTS = "the probit has no weights: its power has no exact sampler"

OF_ALL = {
    "check_sample_weight_equivalence_on_dense_data": FRACTIONS,
    "check_sample_weight_equivalence_on_sparse_data": FRACTIONS,
}
OF_CLASSIFIERS = {
    "check_classifiers_one_label_sample_weights": FRACTIONS,
    "check_class_weight_classifiers": FRACTIONS,
    "check_decision_proba_consistency": FRACTIONS,
}


OF_PROBIT = {
    f"check_sample_weights_{what}": WEIGHTS
    for what in ("pandas_series", "not_an_array", "list", "shape", "not_overwritten")
}
OF_PROBABILITIES = {"check_classifiers_train": MEANS}


def expected_failures(estimator: Any) -> dict[str, str]:
    failures = dict(OF_ALL)
    if isinstance(estimator, TopicClassifier):
        failures |= OF_CLASSIFIERS
        if estimator.response is not None:
            failures |= OF_PROBABILITIES
        if estimator.response == "probit":
            failures |= OF_PROBIT
    return failures


# `xfail_strict` is of scikit-learn 1.8; earlier ones give a generator, which pytest 9 does not like
STRICT = "xfail_strict" in inspect.signature(parametrize_with_checks).parameters
CHECKS = parametrize_with_checks(
    ESTIMATORS,
    expected_failed_checks=expected_failures,
    **({"xfail_strict": True} if STRICT else {}),
)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_finds_nothing_to_object_to(estimator: Any, check: Any) -> None:
    check(estimator)
