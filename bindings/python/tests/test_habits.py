"""What users of pandas, scikit-learn and notebooks have in their fingers."""

from __future__ import annotations

import importlib.util
import inspect
import io
import pickle
import subprocess
import sys
import traceback

import numpy as np
import pandas as pd
import pytest

import gibbous

TEXTS = ["goal team match", "bank stock price"] * 15
LABELS = ["sport", "money"] * 15
QUICK = {"topics": 2, "sweeps": 20, "chains": 1, "seed": 1}


@pytest.fixture(scope="module")
def model() -> gibbous.Model:
    return gibbous.train(TEXTS, label=LABELS, **QUICK)


# ---- names of options


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("k", "topics"),
        ("n_topics", "topics"),
        ("random_state", "seed"),
        ("n_jobs", "threads"),
        ("stop_words", "stopwords"),
        ("lable", "label"),
        ("verbose", "progress"),
    ],
)
def test_the_name_of_another_package_leads_to_the_option(name, meant):
    with pytest.raises(gibbous.UnknownOptionError, match=f"did you mean {meant}"):
        gibbous.train(TEXTS, **{name: 1})


def test_options_can_be_completed():
    for call in (gibbous.train, gibbous.cross_validate, gibbous.select, gibbous.Model.predict):
        names = inspect.signature(call).parameters
        assert "seed" in names
        assert "options" not in names
    assert "topics" in inspect.signature(gibbous.train).parameters
    assert "topics" not in inspect.signature(gibbous.Model.predict).parameters


def test_every_option_that_can_be_completed_is_taken():
    from gibbous import _option_types

    for call, verbs in {"TrainOptions": "train", "PredictOptions": "predict"}.items():
        for name in getattr(_option_types, call).__annotations__:
            assert name in gibbous.options(), name
            assert verbs in gibbous.options()[name].verbs or name in ("group", "cluster")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_a_misspelt_option_is_an_error_for_type_checkers(tmp_path):
    source = tmp_path / "a.py"
    source.write_text(
        "import gibbous\n"
        'gibbous.train(["a"], label=["b"], topics=2, prior="dirichlet")\n'
        'gibbous.train(["a"], lable=["b"])\n'
        'gibbous.train(["a"], topics="many")\n'
    )
    package = str(gibbous.__path__[0]).rsplit("/", 1)[0]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(source)],
        capture_output=True,
        text=True,
        env={"MYPYPATH": package, "PATH": ""},
    )
    assert 'a.py:3: error: Unexpected keyword argument "lable"' in run.stdout
    assert "a.py:4: error: Argument" in run.stdout
    assert "a.py:2:" not in run.stdout


def test_dir_is_the_api():
    assert dir(gibbous) == sorted(gibbous.__all__)


# ---- what is given


def test_the_only_column_with_texts_is_the_text(model):
    frame = pd.DataFrame({"id": ["a", "b"], "review": TEXTS[:2]})
    assert list(model.predict(frame).labels) == LABELS[:2]
    trained = gibbous.train(frame.assign(y=LABELS[:2]), label="y", **QUICK)
    assert trained.n_words == 6


def test_a_text_is_one_document(model, tmp_path, monkeypatch):
    assert list(model.predict("A goal, of the team.").labels) == ["sport"]
    assert model.infer("the price of a stock").shape == (1, 2)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team goal").write_text('{"text": "bank stock"}\n')
    assert list(model.predict("team goal", format="jsonl").labels) == ["money"]
    with pytest.raises(gibbous.ReadWriteError, match="give a list of texts"):
        model.predict("no such file.csv")


def test_a_text_in_place_of_a_file_is_named(model):
    with pytest.raises(gibbous.ReadWriteError, match="give a list of texts"):
        gibbous.train("a goal of the team")


def test_tokens_and_embeddings_are_columns():
    vectors = [[float(i % 2), float(i), 1.0] for i in range(30)]
    frame = pd.DataFrame({"words": [t.split() for t in TEXTS], "y": LABELS, "vector": vectors})
    of_columns = gibbous.train(frame, text="words", label="y", embeddings="vector", **QUICK)
    of_arrays = gibbous.train(
        [t.split() for t in TEXTS], label={"y": LABELS}, embeddings=np.array(vectors), **QUICK
    )
    assert np.array_equal(of_columns.topic_shares, of_arrays.topic_shares)
    labels = of_columns.predict(frame, text="words", embeddings="vector").labels
    assert list(labels) == LABELS
    with pytest.raises(ValueError, match="all of one length"):
        gibbous.train(frame.assign(vector=[[1.0], [1.0, 2.0]] * 15), embeddings="vector", **QUICK)


def test_lazy_frames_and_hugging_face_data_sets_are_read(monkeypatch):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"text": TEXTS, "y": LABELS})
    whole = gibbous.train(frame, label="y", **QUICK)
    lazy = gibbous.train(frame.lazy(), label="y", **QUICK)
    assert lazy.to_bytes() == whole.to_bytes()

    class Dataset:  # as datasets.Dataset
        features = ("text", "y")

        def __len__(self):
            return len(frame)

        def with_format(self, name):
            assert name == "arrow"
            return _Whole()

    class _Whole:
        def __getitem__(self, rows):
            return frame.to_arrow()

    Dataset.__module__ = "datasets.arrow_dataset"
    pytest.importorskip("pyarrow")
    assert gibbous.train(Dataset(), label="y", **QUICK).to_bytes() == whole.to_bytes()

    class DatasetDict(dict):
        pass

    with pytest.raises(TypeError, match=r'\["train"\], \["test"\]'):
        gibbous.train(DatasetDict(train=Dataset(), test=Dataset()), label="y", **QUICK)


def test_seeds_and_names_are_lists():
    named = gibbous.train(TEXTS, response="none", seeds=[["goal", "team"], ["bank"]], **QUICK)
    assert named.topic_names == ["goal", "bank"]
    assert named.name_topics(["sport", None]).topic_names == ["sport", "bank"]
    with pytest.raises(gibbous.ArgumentError, match="3 names for 2 topics"):
        named.name_topics(["a", "b", "c"])
    with pytest.raises(gibbous.ArgumentError, match="a mapping gives names"):
        gibbous.train(TEXTS, response="none", seeds=["goal", "bank"], **QUICK)


# ---- what comes back


def test_writing_again_overwrites(model, tmp_path):
    path = tmp_path / "a.gibbous"
    model.write(path)
    model.write(path)
    with pytest.raises(gibbous.ArgumentError):
        model.write(path, force=False)
    corpus = gibbous.Corpus.from_documents(TEXTS)
    corpus.write(tmp_path / "a.gbc")
    corpus.write(tmp_path / "a.gbc")
    corpus.export(tmp_path / "a.jsonl")
    corpus.export(tmp_path / "a.jsonl")


def results(model):
    of_number = gibbous.train(TEXTS, target=[1.0, 2.5] * 15, **QUICK)
    several = gibbous.train(TEXTS, labels=[["a"], ["a", "b"]] * 15, **QUICK)
    yield model.predict(TEXTS), "money 15, sport 15"
    yield of_number.predict(TEXTS), "target (gaussian): "
    yield several.predict(TEXTS), "a 30, b 15"
    yield model.explain(TEXTS), "topic"
    yield model.evaluate(TEXTS, label=LABELS), "label.accuracy: 1"
    yield gibbous.cross_validate(TEXTS, label=LABELS, folds=3, **QUICK), "label.accuracy: 1"
    yield model.held_out_likelihood(TEXTS), "log likelihood per token"


def test_results_are_summed_up_and_are_frames(model):
    for result, sentence in results(model):
        assert sentence in repr(result)
        assert len(repr(result).splitlines()) < 20
        assert result._repr_html_().startswith('<div class="gb-view">')
        assert len(result.to_frame()) > 0


@pytest.mark.parametrize("options", [{}, {"top": 2}, {"scores": True}])
def test_a_frame_of_predictions_has_the_cells_of_the_command(model, tmp_path, options, command):
    frame = model.predict(TEXTS, **options).to_frame()
    model.write(tmp_path / "model.gibbous")
    (tmp_path / "texts.jsonl").write_text("".join(f'{{"text": "{text}"}}\n' for text in TEXTS))
    given = ["--scores"] if "scores" in options else ["--top=2"] if "top" in options else []
    rows = subprocess.run(
        [command, "predict", tmp_path / "texts.jsonl", "-m", tmp_path / "model.gibbous", *given],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = pd.read_csv(io.StringIO(rows), dtype={"id": str}, keep_default_na=False)
    pd.testing.assert_frame_equal(frame, told, rtol=1e-7)
    assert list(frame["predicted"]) == LABELS


def test_a_prediction_kept_by_pickle_has_the_same_rows(model):
    prediction = model.predict(TEXTS)
    copy = pickle.loads(pickle.dumps(prediction))
    pd.testing.assert_frame_equal(copy.to_frame(top=1), prediction.to_frame(top=1))


def test_classes_are_listed_as_they_were_given():
    model = gibbous.train(TEXTS, label=[1, 2] * 15, response="logistic", **QUICK)
    frame = model.table("predictions", TEXTS, top=1)
    assert list(frame["predicted"]) == list(frame["top_1"]) == [1, 2] * 15


def test_html_escapes_what_is_in_the_data():
    evil = "<script>x</script>"
    model = gibbous.train(TEXTS, label=[evil, "money"] * 15, **QUICK)
    for result in (model.predict(TEXTS), model.explain(TEXTS[:2])):
        assert "<script>" not in result._repr_html_()


# ---- errors


def lines_of(call) -> list[str]:
    try:
        call()
    except Exception:
        return traceback.format_exc().splitlines()
    raise AssertionError("no error")


def test_errors_show_little_of_the_inside(model, tmp_path):
    calls = [
        lambda: gibbous.train(TEXTS, k=3),
        lambda: gibbous.train(TEXTS, label=LABELS, response="gaussian"),
        lambda: gibbous.Corpus.read(tmp_path / "none.csv"),
        lambda: model.predict(3),
        lambda: model.predict(TEXTS, seed="x"),
        lambda: gibbous.Model.read(tmp_path / "none.gibbous"),
    ]
    for call in calls:
        lines = lines_of(call)
        assert len(lines) <= 15, "\n".join(lines)


def test_errors_can_be_shown_as_a_whole(monkeypatch):
    monkeypatch.setenv("GIBBOUS_TRACEBACKS", "full")
    assert "options.py" in "\n".join(lines_of(lambda: gibbous.train(TEXTS, k=3)))


def test_what_a_callback_raises_keeps_its_traceback():
    def callback(_):
        raise RuntimeError("mine")

    assert "in callback" in "\n".join(
        lines_of(lambda: gibbous.train(TEXTS, label=LABELS, callback=callback, **QUICK))
    )


# ---- dates


def test_dates_are_numbers_on_request(tmp_path):
    days = pd.date_range("2020-01-01", periods=30, freq="17D")
    frame = pd.DataFrame({"text": TEXTS, "y": LABELS, "day": days})
    corpora = [
        gibbous.Corpus.from_documents(frame, label="y", covariates="day:date"),
        gibbous.Corpus.from_documents(frame, label="y", covariates={"day": "date"}),
        gibbous.Corpus.from_documents(
            frame.assign(day=days.strftime("%Y-%m-%d")), label="y", covariates="day:date"
        ),
    ]
    frame.to_csv(tmp_path / "a.csv", index=False)
    of_file = gibbous.Corpus.read(tmp_path / "a.csv", label="y", covariates="day:date")
    for corpus in corpora:
        assert np.array_equal(corpus.numbers("day"), of_file.numbers("day"))
    model = gibbous.train(frame, label="y", covariates="day:date", **QUICK)
    assert list(model.predict(frame).labels) == LABELS
    with pytest.raises(ValueError, match="expected a date such as"):
        gibbous.train(frame.assign(day="soon"), label="y", covariates="day:date", **QUICK)


# ---- labels after reading


@pytest.mark.parametrize(
    "values", [[1, 2], [0.5, 1.0], [True, False], ["1", "2"], ["a", "b"], ["true", "false"]]
)
def test_labels_have_their_type_after_reading(values, tmp_path):
    y = values * 15
    for data in (TEXTS, gibbous.Corpus.from_documents(TEXTS, label=y)):
        options = {"label": y} if data is TEXTS else {}
        trained = gibbous.train(data, **options, **QUICK)
        trained.write(tmp_path / "m.gibbous")
        for model in (trained, gibbous.Model.read(tmp_path / "m.gibbous")):
            labels = model.predict(TEXTS).labels
            assert list(labels) == y
            assert {type(one) for one in labels.tolist()} == {type(one) for one in values}


def test_labels_of_a_file_compare_with_those_of_pandas(tmp_path):
    frame = pd.DataFrame({"text": TEXTS, "stars": [1, 5] * 15})
    frame.to_csv(tmp_path / "a.csv", index=False)
    model = gibbous.train(tmp_path / "a.csv", label="stars", **QUICK)
    assert (model.predict(frame).labels == pd.read_csv(tmp_path / "a.csv")["stars"]).all()


# ---- how good topics are


def test_coherence_is_that_of_windows_counted_one_by_one():
    texts = ["goal team match goal", "bank stock", "team goal price", "bank price stock bank"] * 5
    model = gibbous.train(texts, response="none", **QUICK)
    words = model.topic_words(3)
    for measure, window in (("npmi", 2), ("c_v", 2), ("umass", 0)):
        found = gibbous.coherence(model, texts, measure, n_words=3, window=window)
        expected = [by_hand(measure, top, texts, window) for top in words]
        order = [int(topic) - 1 for topic in model.topics()["topic"]]
        np.testing.assert_allclose(found, np.array(expected)[order], rtol=1e-9)


def by_hand(measure, top, texts, window):
    parts = []
    for text in texts:
        words = text.split()
        last = max(len(words) - window, 0) if window else 0
        parts += [set(words[i : i + window] if window else words) for i in range(last + 1)]
    p = {(v, w): np.mean([v in s and w in s for s in parts]) for v in top for w in top}
    pairs = [(top[i], top[j]) for i in range(len(top)) for j in range(i)]
    n = len(parts)
    if measure == "umass":
        return np.mean([np.log((p[v, w] * n + 1) / (p[w, w] * n)) for v, w in pairs])
    if measure == "npmi":
        return np.mean(
            [
                -1 if p[v, w] == 0 else np.log(p[v, w] / p[v, v] / p[w, w]) / -np.log(p[v, w])
                for v, w in pairs
            ]
        )
    vectors = np.array(
        [
            [np.log((p[v, w] + 1e-12) / p[v, v] / p[w, w]) / -np.log(p[v, w] + 1e-12) for w in top]
            for v in top
        ]
    )
    total = vectors.sum(axis=0)
    cosines = vectors @ total / np.linalg.norm(vectors, axis=1) / np.linalg.norm(total)
    return cosines.mean()


def test_topics_without_common_words_are_diverse_and_exclusive(model):
    assert gibbous.diversity(model, n_words=3) == 1
    assert gibbous.diversity(model, n_words=6) == 0.5
    assert (gibbous.exclusivity(model, n_words=3) > 0.6).all()
    with pytest.raises(gibbous.ArgumentError, match="must be one of npmi, c_v, umass"):
        gibbous.coherence(model, TEXTS, "cv")


def test_words_of_topics_are_a_frame_with_probabilities(model):
    frame = model.topic_word_frame(3)
    assert list(frame.columns) == ["topic", "rank", "word", "probability"]
    assert frame.shape[0] == 6
    assert [list(of["word"]) for _, of in frame.groupby("topic")] == model.topic_words(3)
    assert (frame.groupby("topic")["probability"].sum() <= 1).all()
    named = model.name_topics(["a", "b"]).topic_word_frame(2, by="lift")
    assert list(named["name"]) == ["a", "a", "b", "b"]


def test_arviz_takes_the_draws(model):
    arviz = pytest.importorskip("arviz")
    pytest.importorskip("xarray")
    data = model.to_inference_data()
    assert "posterior" in data.groups() if hasattr(arviz, "InferenceData") else data


def test_the_most_probable_classes_are_listed(model):
    frame = model.predict(TEXTS).to_frame(top=2)
    assert list(frame.columns[1:6]) == ["predicted", "top_1", "score_top_1", "top_2", "score_top_2"]
    assert (frame["top_1"] == frame["predicted"]).all()
    assert (frame["score_top_1"] >= frame["score_top_2"]).all()


def test_folds_predict_each_document_once():
    frame = pd.DataFrame({"text": TEXTS, "y": LABELS, "n": range(30)})
    found = gibbous.cross_validate(frame, label="y", target="n", folds=3, **QUICK)
    rows = found.predictions()
    assert list(rows["id"]) == [str(i + 1) for i in range(30)]
    assert list(rows["y.true"]) == LABELS
    assert set(rows["part"]) == {"1", "2", "3"}
    accuracy = (rows["y.true"] == rows["y.predicted"]).mean()
    assert accuracy == pytest.approx(found.scores["y"]["accuracy"])
    mae = (rows["n.true"] - rows["n.mean"]).abs().mean()
    assert mae == pytest.approx(found.scores["n"]["mae"])
    without = gibbous.cross_validate(TEXTS, response="none", folds=3, **QUICK)
    with pytest.raises(gibbous.ArgumentError, match="predict nothing"):
        without.predictions()


def test_errors_of_estimators_are_short_too():
    from gibbous.sklearn import TopicClassifier

    lines = lines_of(lambda: TopicClassifier(topics=1).fit(TEXTS, LABELS))
    assert len(lines) <= 15, "\n".join(lines)


def test_records_are_documents_as_json_gives_them():
    rows = [{"text": text, "genre": "a" if "goal" in text else "b"} for text in TEXTS]
    columns = {"text": TEXTS, "genre": [row["genre"] for row in rows]}
    frame = pd.DataFrame(columns)
    wanted = gibbous.train(frame, label="genre", **QUICK)
    for data in (rows, tuple(rows), columns):
        model = gibbous.train(data, label="genre", **QUICK)
        assert model.to_bytes() == wanted.to_bytes()
        np.testing.assert_array_equal(model.predict(data).labels, columns["genre"])
    rows[3].pop("genre")
    assert gibbous.Corpus.from_documents(rows, label="genre").classes_of("genre")[3] is None
    counts = [{"goal": 2, "team": 1}, {"bank": 1}]
    assert gibbous.Corpus.from_documents(counts).n_tokens == 4


def test_texts_that_are_no_unicode_say_what_helps():
    with pytest.raises(TypeError, match=r'text 1 is b"?.*expected str; decode it'):
        gibbous.Corpus.from_documents(["goal", b"team"])
    with pytest.raises(gibbous.ArgumentError, match="half of a surrogate pair"):
        gibbous.Corpus.from_documents(["goal", "team \udc80"])
