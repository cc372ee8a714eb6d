"""Scores as sums, from Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import gibbous

N_DOCS, N_WORDS = 60, 30


@pytest.fixture(scope="module")
def corpus() -> gibbous.Corpus:
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, N_DOCS)
    rate = np.full((3, N_WORDS), 0.1)
    for i in range(3):
        rate[i, 10 * i : 10 * i + 10] = 1.0
    counts = scipy.sparse.csr_matrix(rng.poisson(rate[kind]).astype(np.int32))
    field = gibbous.Field(
        "kind", "response", "one", class_name=["a", "b", "c"], class_of=kind.astype(np.uint32)
    )
    number = gibbous.Field("number", "response", "number", numbers=rng.normal(kind, 0.3))
    words = [f"word{i}" for i in range(N_WORDS)]
    arrays = (counts.indptr, counts.indices, counts.data, words, [field, number])
    return gibbous.Corpus.from_arrays(*arrays)


@pytest.fixture(scope="module")
def model(corpus: gibbous.Corpus) -> gibbous.Model:
    return gibbous.train(
        corpus,
        topics=4,
        response="kind=logistic,number=gaussian",
        sweeps=60,
        burn_in=20,
        chains=2,
        word_effects="tfidf",
        seed=1,
        calibrate=0,
    )


def sums(frame: dict[str, np.ndarray], column: str) -> dict[tuple[str, str, str], float]:
    """Sums of a column over the rows of each score."""
    found: dict[tuple[str, str, str], float] = {}
    for *score, value in zip(
        frame["id"], frame["field"], frame["class"], frame[column], strict=True
    ):
        found[tuple(score)] = found.get(tuple(score), 0.0) + value
    return found


def test_parts_add_up_to_the_scores_of_predict(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    found = model.explain(corpus, outputs=["all"])
    prediction = model.predict(corpus)
    mean = prediction.responses[1].mean
    scores = [*np.column_stack([prediction.scores[:, :3], mean]).ravel()]
    parts = found.parts(frame="arrays")
    starts = parts["kind"] == "average"
    np.testing.assert_allclose(parts["score"][starts], scores, rtol=1e-9)
    np.testing.assert_allclose([*sums(parts, "part").values()], scores, rtol=1e-9, atol=1e-9)
    few = found.parts(2, frame="arrays")
    np.testing.assert_allclose([*sums(few, "part").values()], scores, rtol=1e-9, atol=1e-9)
    assert len(few["part"]) <= 4 * starts.sum()
    of_topics = {name: cells[parts["kind"] == "topic"] for name, cells in parts.items()}
    split = sums(found.topic_words(frame="arrays"), "part")
    for score, total in sums(of_topics, "part").items():
        assert split[score] == pytest.approx(total, abs=1e-9)


def test_the_predicted_class_is_explained(model: gibbous.Model, corpus: gibbous.Corpus) -> None:
    found, predicted = model.explain(corpus, without=2), model.predict(corpus)
    parts = found.parts(frame="arrays")
    kind, number = parts["field"] == "kind", parts["field"] == "number"
    starts = parts["kind"] == "average"
    classes = [model.outputs[i] for i in predicted.responses[0].index]
    assert list(parts["class"][starts & kind]) == list(parts["predicted"][starts & kind]) == classes
    np.testing.assert_allclose(
        parts["score"][starts & number], predicted.responses[1].mean, rtol=1e-9
    )
    words = found.words(frame="arrays")
    known = {name: cells[words["field"] == "kind"] for name, cells in words.items()}
    known["without"] = np.isfinite(known["without"])
    assert set(sums(known, "without").values()) == {2}
    first = np.abs(words["part"][(words["id"] == words["id"][0]) & (words["field"] == "kind")])
    assert (np.diff(first) <= 0).all()


def test_an_unknown_score_is_refused(model: gibbous.Model, corpus: gibbous.Corpus) -> None:
    with pytest.raises(gibbous.ArgumentError, match='"d": not a class of the model'):
        model.explain(corpus, outputs=["d"])


def test_names_of_topics_stay_in_the_model(model: gibbous.Model, tmp_path: Path) -> None:
    assert model.topic_names == [""] * 4
    named = model.name_topics({2: "<b>\u202e'two'", 4: "four"})
    named.write(tmp_path / "named.gibbous")
    again = gibbous.Model.read(tmp_path / "named.gibbous")
    assert again.topic_names == ["", "<b>\u202e'two'", "", "four"]
    assert model.topic_names == [""] * 4
    assert list(again.topics()["name"]) == again.topic_names
    (tmp_path / "names.csv").write_text("topic,name\n1,one\n", encoding="utf-8")
    assert again.name_topics(tmp_path / "names.csv").topic_names[0] == "one"
    with pytest.raises(gibbous.ArgumentError, match="5 is not a topic from 1 to 4"):
        model.name_topics({5: "five"})


def test_documents_of_topics_are_those_of_the_largest_shares(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    found = model.topic_documents(corpus, 2, n_words=3, frame="arrays")
    shares = model.infer(corpus)
    assert list(found["topic"]) == ["1", "1", "2", "2", "3", "3", "4", "4"]
    for topic, document, share in zip(
        found["topic"], found["document"], found["share"], strict=True
    ):
        assert share == shares[document, int(topic) - 1]
        assert share >= np.sort(shares[:, int(topic) - 1])[-2]
    assert [corpus.ids[d] for d in found["document"]] == list(found["id"])
    assert all(len(passage.split()) == 3 for passage in found["passage"])


def test_correlations_of_topics_say_where_they_are_from(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    found = model.topic_correlations(corpus, infer_sweeps=4, frame="arrays")
    pairs = sorted(zip(found["topic"], found["with"], strict=True))
    assert pairs == [("1", "2"), ("1", "3"), ("1", "4"), ("2", "3"), ("2", "4"), ("3", "4")]
    assert (np.diff(np.abs(found["mean"])) <= 0).all()
    assert set(found["source"]) == {"documents"}
    assert (found["q05"] <= found["median"]).all()
    assert (found["median"] <= found["q95"]).all()
    named = model.name_topics({1: "one"}).topic_correlations(corpus, frame="arrays")
    assert [bool(name) for name in named["name"]] == [topic == "1" for topic in named["topic"]]
    assert set(named["with_name"]) == {""}
    with pytest.raises(gibbous.ArgumentError, match="needs documents, or a model with"):
        model.topic_correlations()
    full = gibbous.train(
        corpus,
        topics=3,
        response="none",
        prior="logistic-normal",
        covariance="full",
        sweeps=20,
        seed=1,
    )
    assert set(full.topic_correlations(frame="arrays")["source"]) == {"covariance"}


def test_united_topics_count_as_one_and_predict_as_before(
    model: gibbous.Model, corpus: gibbous.Corpus, tmp_path: Path
) -> None:
    united = model.unite_topics([[2, 4]], drop=[3])
    assert united.topic_unions == [[1], [2, 4]]
    assert model.topic_unions == [[1], [2], [3], [4]]
    assert united.unite_topics([[4, 1], [3]]).topic_unions == [[1, 2, 4], [3]]
    np.testing.assert_array_equal(united.predict(corpus).scores, model.predict(corpus).scores)
    whole, alone = (one.explain(corpus).parts(frame="arrays") for one in (united, model))
    of_number = alone["field"] == "number"
    assert set(whole["feature"][whole["kind"] == "topic"]) == {"1", "2+4"}
    assert (whole["kind"] == "left-out-topics").sum() == 2 * N_DOCS
    both = (whole["field"] == "number") & (whole["feature"] == "2+4")
    each = [alone["part"][of_number & (alone["feature"] == topic)] for topic in ("2", "4")]
    np.testing.assert_allclose(whole["part"][both], each[0] + each[1], rtol=1e-12)
    found = united.topics(3, frame="arrays")
    assert list(found["topic"]) == ["1", "2+4"]
    np.testing.assert_allclose(found["share"][1], model.topic_shares[[1, 3]].sum())
    assert found["mean_share_q05"][1] <= found["mean_share"][1] <= found["mean_share_q95"][1]
    documents = united.topic_documents(corpus, 1, frame="arrays")
    assert list(documents["topic"]) == ["1", "2+4"]
    correlations = united.topic_correlations(corpus, frame="arrays")
    assert list(zip(correlations["topic"], correlations["with"], strict=True)) == [("1", "2+4")]
    shares = model.infer(corpus)[:, [1, 3]].sum(axis=1)
    np.testing.assert_allclose(documents["share"][1], shares.max())
    (tmp_path / "groups.csv").write_text("topic,group\n1,One\n3,One\n", encoding="utf-8")
    grouped = model.unite_topics(tmp_path / "groups.csv", drop=[4])
    assert grouped.topic_unions == [[1, 3], [2]]
    assert list(grouped.topics(frame="arrays")["name"]) == ["One", ""]
    with pytest.raises(gibbous.ArgumentError, match="5 is not a topic from 1 to 4"):
        model.unite_topics([[1, 5]])


def test_the_nearest_documents_are_others_of_the_smallest_hellinger_distance(
    model: gibbous.Model, corpus: gibbous.Corpus
) -> None:
    found = model.nearest_documents(corpus, corpus, 2, frame="arrays", seed=3)
    root = np.sqrt(model.infer(corpus, seed=3))
    squared = 0.5 * ((root[:, None, :] - root[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    order = np.sort(squared, axis=1)[:, :2]
    np.testing.assert_allclose(1 - found["affinity"].reshape(-1, 2), order, atol=1e-9)
    assert list(found["id"][:2]) == corpus.ids[:1] * 2
    assert list(found["rank"][:2]) == [1, 2]
    assert not (found["id"] == found["nearest"]).any()
    among = dict(zip(corpus.ids, range(N_DOCS), strict=True))
    for one, other, affinity in zip(found["id"], found["nearest"], found["affinity"], strict=True):
        assert 1 - squared[among[one], among[other]] == pytest.approx(affinity, abs=1e-9)
    assert len(model.nearest_documents(corpus, corpus, 61, frame="arrays")["id"]) == 60 * 59


def test_methods_are_the_answers_to_questions(model: gibbous.Model, corpus: gibbous.Corpus) -> None:
    united = model.unite_topics([[2, 4]], drop=[3]).name_topics({2: "two"})
    options = {"infer_sweeps": 3, "seed": 2, "frame": "arrays"}
    pairs = [
        (
            united.topics(4, frame="arrays"),
            united.table("topics", words=4, coherence_words=4, frame="arrays"),
        ),
        (
            united.topic_documents(corpus, 2, n_words=3, **options),
            united.table("topic-documents", corpus, documents_shown=2, passage_words=3, **options),
        ),
        (
            united.topic_correlations(corpus, **options),
            united.table("correlations", corpus, **options),
        ),
    ]
    for named, asked in pairs:
        assert named.keys() == asked.keys()
        for name, column in named.items():
            np.testing.assert_array_equal(column, asked[name])
    assert list(pairs[0][0]["topic"]) == ["1", "2+4"]
    assert list(pairs[0][0]["name"]) == ["", "two"]
    words = united.table("topic-words", words=2, frame="arrays")
    assert set(words["topic"]) == {"1", "2+4"}
    with pytest.raises(gibbous.UnknownOptionError, match="has no option lambda_"):
        united.table("topics", lambda_=2)
