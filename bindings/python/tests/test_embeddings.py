"""Embeddings beside topics: arrays in training and prediction, and what is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gibbous
from gibbous import inputs
from gibbous.sklearn import TopicClassifier, TopicRegressor

RANDOM = np.random.default_rng(3)
ROWS = RANDOM.normal(size=(120, 4))
COUNTS = RANDOM.poisson(1, size=(120, 12))
NUMBERS = 3 * ROWS[:, 1] + RANDOM.normal(scale=0.1, size=120)
SETTINGS = {"topics": 2, "sweeps": 30, "chains": 1, "seed": 1, "response": "gaussian"}


def inputs_with(rows: Any, **given: Any) -> inputs.Inputs:
    documents = inputs.documents([{"moon": 1}, {"tide": 2}, {"moon": 1, "bread": 1}])
    return inputs.Inputs(dataclasses.replace(documents, **given), embeddings=rows)


def test_rows_of_embeddings_are_converted_and_counted(tmp_path: Path) -> None:
    rows = np.arange(6.0).reshape(3, 2)
    found = set()
    for kind in ("<f4", "<f8", ">f8", "<i2"):
        for made in (rows.astype(kind), np.asfortranarray(rows, dtype=kind)):
            gibbous.Corpus.from_documents(inputs_with(made)).write(tmp_path / "c", force=True)
            found.add((tmp_path / "c").read_bytes())
    assert len(found) == 1
    for made, given, message in (
        (rows[:2], {}, "there are 3 documents, but 2 rows"),
        (rows.ravel(), {}, "not 1 dimensions of type float64"),
        (rows.astype(str), {}, "2 dimensions of type <U"),
        (rows[:1], {"n_docs": 1}, "there are 3 documents, but 1 rows"),
    ):
        with pytest.raises(gibbous.ArgumentError, match=message):
            gibbous.Corpus.from_documents(inputs_with(made, **given))


def test_a_model_uses_them_and_asks_for_them_again() -> None:
    model = gibbous.train(COUNTS, target=NUMBERS, embeddings=ROWS, **SETTINGS)
    predicted = model.predict(COUNTS, embeddings=ROWS).responses[0].mean
    assert np.corrcoef(predicted, NUMBERS)[0, 1] > 0.98
    with pytest.raises(gibbous.FormatError, match="a row of 4 numbers is needed"):
        model.predict(COUNTS)
    with pytest.raises(gibbous.FormatError, match="embeddings of 3 numbers, and of 4 in training"):
        model.predict(COUNTS, embeddings=ROWS[:, :3])


def test_the_type_of_numbers_does_not_matter() -> None:
    single = ROWS.astype(np.float32)
    scores = [
        gibbous.train(COUNTS, target=NUMBERS, embeddings=rows, **SETTINGS)
        .predict(COUNTS, embeddings=single)
        .scores
        for rows in (single, np.asfortranarray(single), ROWS)
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:5], "there are 120 documents, but 5 rows of embeddings"),
        (ROWS[0], "a row for each document, not 1 dimensions"),
        (ROWS.astype(str), "must be an array of numbers"),
        (np.where(ROWS[7, 2] == ROWS, np.nan, ROWS), "document 8, number 3 is not finite"),
        (np.where(ROWS[7, 2] == ROWS, 1e300, ROWS), "document 8, number 3 is not finite"),
    ],
)
def test_what_they_cannot_be_is_refused(rows: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gibbous.train(COUNTS, target=NUMBERS, embeddings=rows, **SETTINGS)


def test_estimators_take_them() -> None:
    settings = {"topics": 2, "sweeps": 30, "random_state": 1}
    regressor = TopicRegressor(**settings).fit(COUNTS, NUMBERS, embeddings=ROWS)
    assert regressor.score(COUNTS, NUMBERS, embeddings=ROWS) > 0.95
    classifier = TopicClassifier(**settings).fit(COUNTS, NUMBERS > 0, embeddings=ROWS)
    assert classifier.score(COUNTS, NUMBERS > 0, embeddings=ROWS) > 0.9


def test_effects_of_an_embedding_are_called_that_and_have_a_share_of_the_variance() -> None:
    model = gibbous.train(COUNTS, target=NUMBERS, embeddings=ROWS, **SETTINGS)
    table = model.effects(frame="arrays")
    assert (table["kind"] == "embedding").sum() == ROWS.shape[1]
    shares = table["mean"][table["kind"] == "variance"]
    assert len(shares) == 2
    np.testing.assert_allclose(shares.sum(), 1)
