"""What each draw says of documents, and the groups that ArviZ makes of it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import gibbous

N_DOCS, N_WORDS = 120, 40


def documents(seed: int = 1) -> gibbous.Corpus:
    """Documents of two kinds of words with a label, several labels and a number."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, N_DOCS)
    rate = np.full((2, N_WORDS), 0.1)
    rate[0, :20] = rate[1, 20:] = 0.9
    counts = scipy.sparse.csr_matrix(rng.poisson(rate[kind]).astype(np.int32))
    number = 5 + 3 * kind + rng.normal(0, 0.5, N_DOCS)
    number[:10] = np.nan
    start = np.zeros(N_DOCS + 1, np.uint64)
    start[1:] = np.cumsum(kind + 1)
    tags = np.concatenate([[0, 1][: k + 1] for k in kind]).astype(np.uint32)
    return gibbous.Corpus.from_arrays(
        counts.indptr,
        counts.indices,
        counts.data,
        [f"word{i}" for i in range(N_WORDS)],
        [
            gibbous.Field(
                "kind", "response", "one", class_name=["a", "b"], class_of=kind.astype(np.uint32)
            ),
            gibbous.Field(
                "tags", "response", "several", class_name=["x", "y"], start=start, class_of=tags
            ),
            gibbous.Field("number", "response", "number", numbers=number),
        ],
    )


def fit(corpus: gibbous.Corpus, response: str, **options: Any) -> gibbous.Model:
    return gibbous.train(
        corpus,
        topics=3,
        response=response,
        sweeps=120,
        burn_in=20,
        chains=2,
        snapshots=50,
        seed=1,
        calibrate=0,
        **options,
    )


@pytest.fixture(scope="module")
def corpus() -> gibbous.Corpus:
    return documents()


@pytest.fixture(scope="module")
def model(corpus: gibbous.Corpus) -> gibbous.Model:
    response = "kind=logistic,tags=probit,number=gaussian"
    return fit(corpus, response, cost="kind=1,number=1")


def of_arviz(tree: Any) -> Any:
    arviz = pytest.importorskip("arviz")
    return arviz.InferenceData.from_datatree(tree) if arviz.__version__.startswith("0.") else tree


def test_mean_scores_are_those_of_predict(model: gibbous.Model, corpus: gibbous.Corpus) -> None:
    draws = model.predict_draws(corpus, infer_sweeps=3)
    assert draws.scores.shape == (100, N_DOCS, 4)
    mean = model.predict(corpus, infer_sweeps=3).scores
    np.testing.assert_allclose(draws.scores.mean(axis=0), mean, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(np.unique(draws.chains, return_counts=True)[1], [50, 50])
    again = model.predict_draws(corpus, infer_sweeps=3, threads=1)
    np.testing.assert_array_equal(draws.responses[2].simulated, again.responses[2].simulated)
    other = model.predict_draws(corpus, infer_sweeps=3, seed=99)
    assert (other.responses[2].simulated != again.responses[2].simulated).any()


def test_groups_have_the_names_and_dimensions_of_arviz(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    pytest.importorskip("xarray")
    tree = model.to_datatree(corpus)
    assert {"log_likelihood", "posterior_predictive", "observed_data", "expected_values"} <= set(
        tree.children
    )
    assert "missing_groups" not in tree.attrs
    log_likelihood, simulated = tree["log_likelihood"], tree["posterior_predictive"]
    assert log_likelihood["kind"].dims == ("chain", "draw", "document")
    assert log_likelihood["kind"].shape == (2, 50, N_DOCS)
    assert simulated["tags"].dims == ("chain", "draw", "document", "tags_class")
    assert simulated["kind"].dtype.kind == "i"
    observed = tree["observed_data"]
    assert observed["kind"].dims == ("document",)
    np.testing.assert_array_equal(observed["kind"], np.array(observed["kind"]).astype(int))
    # documents without a number are left out of what is compared with it
    assert observed["number"].dims == ("document_number",)
    assert log_likelihood["number"].shape == (2, 50, N_DOCS - 10)
    assert int(observed["document_number"][0]) == 10
    assert tree["expected_values"]["number"].shape == (2, 50, N_DOCS)
    assert np.isfinite(log_likelihood["number"]).all()


def test_log_likelihood_of_labels_is_that_of_their_expected_scores(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    kind = model.predict_draws(corpus, infer_sweeps=1).responses[0]
    assert kind.is_likelihood
    assert kind.expected is not None
    p = np.take_along_axis(kind.expected, kind.observed.astype(int)[None, :, None], axis=2)
    np.testing.assert_allclose(kind.log_factor, np.log(p[..., 0]), rtol=1e-9)


def test_loo_of_arviz_runs_and_prefers_the_model_that_knows_the_labels(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    arviz = pytest.importorskip("arviz")
    blind = gibbous.train(
        corpus,
        topics=2,
        response="kind=logistic,tags=probit,number=gaussian",
        two_stage=True,
        cost="kind=1,number=1",
        variance=1e-6,
        sweeps=120,
        burn_in=20,
        chains=2,
        snapshots=50,
        seed=1,
        calibrate=0,
    )
    elpd = []
    for fitted in (model, blind):
        tree = of_arviz(fitted.to_datatree(corpus, infer_sweeps=10))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = arviz.loo(tree, var_name="number")
        elpd.append(float(getattr(found, "elpd_loo", getattr(found, "elpd", np.nan))))
    assert np.isfinite(elpd).all()
    assert elpd[0] > elpd[1] + 10


def test_arviz_plots_the_posterior_predictive_check(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    arviz = pytest.importorskip("arviz")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    tree = of_arviz(model.to_datatree(corpus))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plot = getattr(arviz, "plot_ppc", None) or arviz.plot_ppc_dist
        assert plot(tree, var_names=["number"]) is not None
    matplotlib.pyplot.close("all")


def test_losses_are_not_called_likelihoods(corpus: gibbous.Corpus) -> None:
    pytest.importorskip("xarray")
    for response, cost in (("hinge", 4), ("logistic", 4)):
        tree = fit(corpus, response, label="kind", cost=cost).to_datatree(corpus)
        assert "log_likelihood" not in tree.children
        pseudo = tree["log_pseudo_likelihood"]["kind"]
        assert (pseudo <= 0).all()
        assert "not a likelihood" in pseudo.attrs["meaning"]
        has_law = response != "hinge"
        assert ("posterior_predictive" in tree.children) == has_law
        assert tree["expected_values"]["score"].shape == (2, 50, N_DOCS, 1)


def test_a_netcdf_file_has_the_groups(
    model: gibbous.Model, corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4")
    model.to_netcdf(tmp_path / "model.nc", corpus)
    with xarray.open_datatree(tmp_path / "model.nc") as tree:
        assert tree["log_likelihood"]["kind"].shape == (2, 50, N_DOCS)
        assert list(tree["observed_data"]["tags_class"].values) == ["x", "y"]


def test_documents_without_values_are_simulated(model: gibbous.Model) -> None:
    pytest.importorskip("xarray")
    tree = model.to_datatree(["word1 word2", "word30"])
    assert "observed_data" not in tree.children
    assert "log_likelihood" not in tree.children
    assert tree["posterior_predictive"]["kind"].shape == (2, 50, 2)


def test_too_many_predictions_are_refused_with_advice(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    with pytest.raises(gibbous.ArgumentError, match="documents or fewer"):
        model.predict_draws(corpus, most_bytes=100_000)


def test_models_that_predict_nothing_together_are_refused(corpus: gibbous.Corpus) -> None:
    topics = gibbous.train(corpus, topics=3, response="none", sweeps=10, chains=1, seed=1)
    with pytest.raises(gibbous.ArgumentError, match="no response"):
        topics.predict_draws(corpus)
    each = gibbous.train(
        corpus, topics=3, labels="tags", sweeps=10, chains=1, seed=1, strategy="one-vs-rest"
    )
    with pytest.raises(gibbous.ArgumentError, match="one-vs-rest"):
        each.predict_draws(corpus)
