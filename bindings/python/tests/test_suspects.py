"""What looks wrong in documents is said by a warning, in the sentence of the command."""

import warnings
from pathlib import Path

import pandas as pd
import pytest

import gibbous

TEXTS = ["goal team match", "bank stock price"] * 15


def said(call):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        made = call()
    return made, [str(w.message) for w in found if w.category is gibbous.SuspectWarning]


def test_classes_that_look_like_one_are_named():
    frame = pd.DataFrame({"text": TEXTS, "genre": ["Drama", "drama"] * 15})
    with pytest.warns(gibbous.SuspectWarning, match='"Drama" and "drama" differ only in case'):
        gibbous.Corpus.from_documents(frame, label="genre")


def test_a_class_called_nan_can_be_left_out():
    frame = pd.DataFrame({"text": TEXTS, "genre": ["a", "N/A", "b"] * 10})
    _, sentences = said(lambda: gibbous.Corpus.from_documents(frame, label="genre"))
    assert sentences == [
        'label "genre": "N/A" is counted as a class; '
        "if it means that the value is missing: `missing` N/A"
    ]
    corpus, sentences = said(
        lambda: gibbous.Corpus.from_documents(frame, label="genre", missing=["N/A", "?"])
    )
    assert sentences == []
    assert corpus.fields[0].classes == ["a", "b"]
    assert corpus.classes_of("genre")[:3] == [["a"], None, ["b"]]


def test_a_number_can_mean_missing():
    corpus = gibbous.Corpus.from_documents(
        pd.DataFrame({"text": TEXTS, "y": [1.5, -99, 3] * 10}), target="y", missing="-99"
    )
    assert [str(y) for y in corpus.numbers("y")[:3]] == ["1.5", "nan", "3.0"]


def test_a_training_says_it_once():
    frame = pd.DataFrame({"text": TEXTS, "price": [i + 0.5 for i in range(30)]})
    _, sentences = said(
        lambda: gibbous.train(frame, label="price", topics=2, sweeps=10, chains=1, seed=1)
    )
    assert sentences == [
        'label "price": its 30 classes are all numbers; did you mean `target` price?'
    ]


def test_a_stop_word_that_no_text_can_have_is_named():
    _, sentences = said(lambda: gibbous.Corpus.from_documents(TEXTS, stopwords=["don't", "goal"]))
    assert len(sentences) == 1
    assert 'such as "don\'t" never occurs' in sentences[0]


def test_a_number_far_from_those_of_the_training_is_named():
    frame = pd.DataFrame({"text": TEXTS, "genre": ["a", "b"] * 15, "year": list(range(2000, 2030))})
    model = gibbous.train(
        frame, label="genre", covariates=["year"], topics=2, sweeps=10, chains=1, seed=1
    )
    _, sentences = said(lambda: model.predict(frame))
    assert sentences == []
    _, sentences = said(lambda: model.predict(frame.assign(year=9999)))
    assert sentences == [
        'covariate "year": 9999 of document "1" is far outside of the training, '
        "which had 2000 to 2029"
    ]


def test_an_evaluation_on_training_documents_says_so():
    frame = pd.DataFrame({"text": TEXTS, "genre": ["a", "b"] * 15})
    model = gibbous.train(frame, label="genre", topics=2, sweeps=10, chains=1, seed=1)
    assert "30 of 30 documents have the words of a training document" in repr(model.evaluate(frame))


@pytest.mark.parametrize("estimator", [False, True])
def test_words_that_are_kept_are_mentioned_after_the_training(estimator):
    from gibbous.sklearn import TopicTransformer

    texts = [
        f"the price of a house w{chr(97 + i % 26)}{chr(97 + i // 26)} is in the paper"
        for i in range(250)
    ]
    order = []
    options = {"topics": 2, "sweeps": 10, "chains": 1, "seed": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gibbous.ConvergenceWarning)
        warnings.showwarning = lambda message, _, file, *__: order.append(
            f"{Path(file).name}: {message}" if message.__class__ is gibbous.SuspectWarning else ""
        )
        warnings.simplefilter("always", gibbous.SuspectWarning)
        if estimator:
            TopicTransformer(2, sweeps=10, chains=1, random_state=1).fit(texts)
        else:
            gibbous.train(texts, callback=lambda _: order.append("sweep"), **options)
    assert len([line for line in order if line != "sweep"]) == 1
    assert '% of the tokens are words such as "the"' in order[-1]
    assert order[-1].startswith("test_suspects.py: ")
    assert "250 of 257 words occur only once" in order[-1]
