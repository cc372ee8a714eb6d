"""What a model answers."""

from __future__ import annotations

import copy
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gibbous
from gibbous._library import library


def test_a_model_that_was_read_does_not_see_that_its_file_was_replaced(
    model: gibbous.Model, corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    path = tmp_path / "m.gibbous"
    model.write(path)
    read, other = gibbous.Model.read(path), gibbous.train(corpus, topics=2, sweeps=5, seed=2)
    other.write(path, force=True)
    assert read.to_bytes() == model.to_bytes()
    assert gibbous.Model.read(path).to_bytes() == other.to_bytes()


def overwrite(path: Path) -> None:
    """What ``cp`` and a disk that is full do to a file in use: another one under the same inode."""
    with path.open("r+b") as file:
        file.truncate(0)
        file.write(b"not what it was")


def test_a_model_in_use_does_not_see_that_its_file_is_overwritten(
    model: gibbous.Model, tmp_path: Path
) -> None:
    path = tmp_path / "m.gibbous"
    model.write(path)
    mapped, read = gibbous.Model.read(path, mmap=True), gibbous.Model.read(path)
    assert mapped.to_bytes() == model.to_bytes()
    overwrite(path)
    assert read.to_bytes() == model.to_bytes()


@pytest.mark.parametrize("shards", [1, 2])
def test_a_corpus_in_use_does_not_see_that_its_files_are_overwritten(
    command: Path, tmp_path: Path, shards: int
) -> None:
    path = tmp_path / "c.gbc"
    n = 600
    corpus = gibbous.Corpus.from_arrays(
        np.arange(n + 1), np.arange(n) % 5, np.ones(n, int), ["a", "b", "c", "d", "e"]
    )
    corpus.write(path)
    if shards > 1:
        out = tmp_path / "s.gbc"
        subprocess.run(
            [command, "import", "-q", path, "--shards", str(shards), "-o", out], check=True
        )
        path = out
    read = gibbous.Corpus.read(path)
    for file in tmp_path.glob("*.gbc"):
        overwrite(file)
    assert [read.tokens(d).tolist() for d in range(n)] == [[d % 5] for d in range(n)]
    read.write(tmp_path / "again")
    assert read.vocabulary == corpus.vocabulary


def test_bytes_are_those_of_the_file(model: gibbous.Model, tmp_path: Path) -> None:
    model.write(tmp_path / "m")
    data = model.to_bytes()
    assert data == (tmp_path / "m").read_bytes()
    assert gibbous.Model.read(tmp_path / "m").to_bytes() == data
    assert gibbous.Model.from_bytes(data).to_bytes() == data
    with pytest.raises(gibbous.FormatError, match="damaged"):
        gibbous.Model.from_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def test_a_pickled_model_predicts_the_same(model: gibbous.Model, corpus: gibbous.Corpus) -> None:
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.predict(corpus).scores, again.predict(corpus).scores)
    assert copy.copy(model) is model
    assert copy.deepcopy(model) is model


def test_a_corpus_in_memory_is_predicted_as_its_file(
    model: gibbous.Model, corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    corpus.write(tmp_path / "c")
    one, other = model.predict(corpus), model.predict(tmp_path / "c")
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.topic_shares, other.topic_shares)
    assert one.ids == other.ids == corpus.ids


def test_predictions_have_the_shapes_that_they_say(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    prediction = model.predict(corpus)
    n = corpus.n_docs
    assert prediction.topic_shares.shape == (n, 4)
    np.testing.assert_allclose(prediction.topic_shares.sum(axis=1), 1)
    assert prediction.scores.shape == (n, 1)
    assert prediction.probabilities is not None
    assert prediction.probabilities.shape == (n, 2)
    assert prediction.labels.shape == (n,)
    assert set(prediction.labels) <= {"first", "second"}
    np.testing.assert_array_equal(prediction.n_unknown, 0)
    np.testing.assert_array_equal(model.infer(corpus), prediction.topic_shares)


def test_batches_give_the_bits_of_all_at_once(
    model: gibbous.Model, counts: object, corpus: gibbous.Corpus
) -> None:
    rows = counts[120:]  # type: ignore[index]
    part = gibbous.Corpus.from_arrays(
        rows.indptr, rows.indices, rows.data, [f"word{i}" for i in range(60)]
    )
    whole = model.predict(corpus)
    np.testing.assert_array_equal(whole.scores[120:], model.predict(part).scores)


def test_an_evaluation_has_the_scores_of_the_command(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    evaluation = model.evaluate(corpus, held_out="completion")
    assert list(evaluation) == ["kind", "held_out"]
    share = np.mean(
        model.predict(corpus).labels == [label[0] for label in corpus.classes_of("kind")]  # type: ignore[index]
    )
    assert evaluation["kind"]["accuracy"] == pytest.approx(share)
    confusion = evaluation.confusion("kind")
    assert confusion is not None
    assert confusion.sum() == corpus.n_docs
    assert evaluation.class_scores("kind")["n"].sum() == corpus.n_docs
    assert len(evaluation.calibration("kind")) == 0  # its scores are no probabilities
    assert "kind.accuracy" in repr(evaluation)
    with pytest.raises(gibbous.ArgumentError, match="there are: kind"):
        evaluation.class_scores("other")


def test_probabilities_are_compared_with_what_came_true(corpus: gibbous.Corpus) -> None:
    model = gibbous.train(corpus, topics=4, sweeps=30, chains=1, seed=1, response="probit")
    assert model.responses[0].has_probabilities
    bins = model.evaluate(corpus).calibration()
    assert bins["n"].sum() == corpus.n_docs
    assert (bins["low"] < bins["high"]).all()


def test_held_out_likelihood_is_negative_and_has_an_error(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    held_out = model.held_out_likelihood(corpus, held_out="left-to-right", held_out_samples=2)
    assert (held_out.log_likelihood < 0).all()
    assert (held_out.standard_error > 0).any()
    assert held_out.n_scored.sum() == corpus.n_tokens


def test_cross_validation_scores_every_part(corpus: gibbous.Corpus) -> None:
    result = gibbous.cross_validate(corpus, folds=3, topics=3, sweeps=10, seed=1)
    assert list(result.parts) == ["1", "2", "3"]
    scores = [part["kind"] for part in result.parts.values()]
    right = sum(part["n"] * part["accuracy"] for part in scores)
    n = sum(part["n"] for part in scores)
    assert result.scores["kind"]["accuracy"] == pytest.approx(right / n)
    assert result.standard_errors["kind"]["accuracy"] >= 0
    assert result.linear is None


def test_a_selection_scores_every_combination_and_goes_on_from_its_file(
    corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    options = {"topics": [2, 3], "cost": [1, 4.5], "folds": 3, "sweeps": 10, "seed": 1}
    found = gibbous.select(corpus, **options, results=tmp_path / "fits.jsonl")
    assert [one.settings for one in found.candidates][1] == {"topics": "2", "cost": "4.5"}
    alone = gibbous.cross_validate(
        corpus, topics=3, cost=1, folds=3, fold_by="label", sweeps=10, seed=1
    )
    assert found.candidates[2].scores["kind"] == alone.scores["kind"]
    assert found.criterion == ("kind", "accuracy")
    assert found.advised in found.candidates
    assert found.advice in repr(found)
    again = gibbous.select(corpus, **options, results=tmp_path / "fits.jsonl")
    assert repr(again) == repr(found)
    assert (tmp_path / "fits.jsonl").read_text().count("\n") == 12
    with pytest.raises(gibbous.ArgumentError, match="nothing to choose between"):
        gibbous.select(corpus, topics=3)


def test_simulated_documents_can_be_trained_on() -> None:
    corpus = gibbous.simulate(documents=50, length=10, topics=3, seed=1)
    assert corpus.n_docs == 50
    model = gibbous.train(corpus, topics=3, sweeps=10, seed=1, chains=1)
    assert gibbous.simulate(model, documents=5, seed=2).n_docs == 5


def test_a_data_frame_is_evaluated_by_the_fields_of_the_model() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"text": ["moon tide sea", "bread yeast oven"] * 30, "kind": ["sky", "kitchen"] * 30}
    )
    model = gibbous.train(frame, label="kind", topics=2, sweeps=20, seed=1)
    assert model.evaluate(frame).scores["accuracy"] == 1
    result = gibbous.cross_validate(frame, label="kind", folds=2, topics=2, sweeps=20, seed=1)
    assert result.scores["kind"]["accuracy"] == 1


def test_evaluation_in_batches_is_that_of_all_documents(
    model: gibbous.Model,
    corpus: gibbous.Corpus,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = model.evaluate(corpus, held_out="completion", infer_sweeps=2)
    corpus.write(tmp_path / "docs.gbc")
    monkeypatch.setattr(gibbous.model, "_BATCH", 70)
    for data in (corpus, tmp_path / "docs.gbc"):
        batches = model.evaluate(data, held_out="completion", infer_sweeps=2)
        assert dict(batches) == dict(whole)


def test_topics_are_those_of_the_chain_that_is_chosen(corpus: gibbous.Corpus) -> None:
    model = gibbous.train(corpus, topics=4, sweeps=40, chains=3, seed=1)
    chains = [model.with_chain(i) for i in range(3)]
    assert [m.topic_chain for m in chains] == [0, 1, 2]
    np.testing.assert_array_equal(
        chains[model.topic_chain].topics(frame="arrays")["share"],
        model.topics(frame="arrays")["share"],
    )
    means = [
        np.mean([library.gb_model_draw_value(m._pointer, i, 0)[0] for i in range(m.n_topic_draws)])
        for m in chains
    ]
    assert int(np.argmax(means)) == model.topic_chain
    with pytest.raises(gibbous.ArgumentError, match="3 chains"):
        model.with_chain(3)
