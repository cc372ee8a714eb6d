"""What a model cannot use is an error, what is not looked at a warning: of files and memory."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gibbous

N_DOCS = 60
SMALL: dict[str, Any] = {"topics": 3, "sweeps": 12, "burn_in": 4, "chains": 1, "seed": 1}


def made(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    words = np.array([f"w{a}{b}" for a in "abcde" for b in "uvwxyz"]).astype(object)
    kind = np.arange(N_DOCS) % 3
    return pd.DataFrame(
        {
            "id": [f"d{d}" for d in range(N_DOCS)],
            "text": [" ".join(rng.choice(words[10 * k : 10 * k + 10], 12)) for k in kind],
            "kind": np.array(["a", "b", "c"])[kind],
            "stars": kind + rng.random(N_DOCS),
            "x": rng.random(N_DOCS),
            "weight": 1.0 + kind,
            "year": 2000 + np.arange(N_DOCS) % 4,
        }
    )


FRAME, NEW = made(1), made(2)


def trained(**options: Any) -> gibbous.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gibbous.ConvergenceWarning)
        return gibbous.train(FRAME, text="text", id="id", **SMALL, **options)


@pytest.fixture(scope="module")
def kind() -> gibbous.Model:
    return trained(label="kind")


@pytest.fixture(scope="module")
def stars() -> gibbous.Model:
    return trained(target="stars", covariates=["x"], document_weight="weight")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = tmp_path_factory.mktemp("new") / "new.csv"
    NEW.to_csv(name, index=False)
    return name


REFUSED = [
    ({"covariates": ["x"]}, "`covariates` needs covariates in the model"),
    ({"group": ["year"]}, "`group` needs groups in the model"),
    ({"exposure": "weight"}, "`exposure` needs an exposure in the model"),
    ({"document_weight": "weight"}, "`document_weight` needs document weights in the model"),
    (
        {"impute": "mean"},
        "`impute` needs covariates in the model, metadata in the model or embeddings in the model",
    ),
    ({"new_groups": "level"}, "`new_groups` needs groups in the model"),
    ({"unknown_level": "reference"}, "`unknown_level` needs covariates with levels in the model"),
]


@pytest.mark.parametrize("of_file", [True, False])
@pytest.mark.parametrize("verb", ["predict", "infer", "evaluate"])
@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_what_the_model_does_not_have(
    kind: gibbous.Model, path: Path, of_file: bool, verb: str, options: Any, message: str
) -> None:
    with pytest.raises(gibbous.ArgumentError, match=message):
        getattr(kind, verb)(path if of_file else NEW, **options)


def test_some_options_of_one_verb(kind: gibbous.Model, stars: gibbous.Model, path: Path) -> None:
    with pytest.raises(
        gibbous.ArgumentError, match="`topics_alone` needs word effects in the model"
    ):
        kind.predict(path, topics_alone=True)
    with pytest.raises(
        gibbous.ArgumentError, match="`held_out_samples` needs `held_out` empirical"
    ):
        kind.evaluate(NEW, held_out_samples=3)
    with pytest.raises(gibbous.ArgumentError, match="`unknown_label` needs a field with classes"):
        stars.evaluate(NEW, unknown_label="skip")


@pytest.mark.parametrize("of_file", [True, False])
def test_a_covariate_that_the_model_does_not_have(
    stars: gibbous.Model, path: Path, of_file: bool
) -> None:
    data = path if of_file else NEW
    with pytest.raises(gibbous.ArgumentError, match='`covariates` "year": the model has no such'):
        stars.predict(data, covariates=["x", "year"])
    np.testing.assert_array_equal(
        stars.predict(data, covariates=["x"]).scores, stars.predict(data).scores
    )


@pytest.mark.parametrize("of_file", [True, False])
def test_labels_and_weights_are_not_looked_at(
    stars: gibbous.Model, path: Path, of_file: bool
) -> None:
    data = path if of_file else NEW
    with pytest.warns(
        gibbous.NoEffectWarning, match="labels and `document_weight` are not"
    ) as found:
        stars.predict(data, target="stars", document_weight="weight")
    assert found[0].filename == __file__
    with pytest.warns(gibbous.NoEffectWarning, match="labels are not looked at"):
        stars.infer(data, target="stars")
    with pytest.warns(gibbous.NoEffectWarning, match="`document_weight` is not looked at"):
        stars.evaluate(data, target="stars", document_weight="weight")
    with warnings.catch_warnings():
        warnings.simplefilter("error", gibbous.NoEffectWarning)
        stars.predict(data)
        stars.evaluate(data, target="stars")
        stars.estimate(data, target="stars", covariates=["x"], document_weight="weight")


@pytest.mark.parametrize("of_file", [True, False])
def test_passes_where_there_are_no_random_numbers(
    kind: gibbous.Model, stars: gibbous.Model, path: Path, of_file: bool
) -> None:
    data = path if of_file else NEW
    for options in ({"infer_sweeps": 9}, {"infer_burn_in": 1, "seed": 2}):
        for call in (kind.predict, kind.infer):
            with pytest.warns(gibbous.NoEffectWarning, match="`infer_sweeps`, .* change nothing"):
                call(data, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error", gibbous.NoEffectWarning)
        kind.predict(data, seed=1)  # as every call of a script may have it
        stars.predict(data, infer_sweeps=9)  # numbers have draws
        kind.evaluate(data, label="kind", infer_sweeps=9)
