#!/usr/bin/env python3
"""Linear models on TF-IDF and covariates, to compare with: those of `gibbous evaluate --baseline` have words only.  Needs scikit-learn.

    baseline.py FOLDER      1-train.jsonl, ...: text, covariates, both; accuracy of the first genre

TF-IDF takes the logarithm of counts ("sublinear").  Every penalty tried is shown with its score on the test
documents, so the best line of each is a little flattering to it.
"""
import itertools
import json
import pathlib
import sys
import time
import warnings

from scipy.sparse import hstack
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore", ConvergenceWarning)
WORD = r"(?u)[^\W\d_]{2,}"  # two letters or more, as gibbous reads words by default


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def report(name, started, **scores):
    values = "  ".join(f"{k} {v:.3f}" for k, v in scores.items())
    print(f"{name}: {values}  ({time.process_time() - started:.1f} s of CPU)", flush=True)


def tfidf(train, test):
    words = TfidfVectorizer(sublinear_tf=True, token_pattern=WORD)
    return words.fit_transform(d["text"] for d in train), words.transform(d["text"] for d in test)


def covariates(train, test):
    """One column per director or company seen in training, 1 where a film has it."""
    names = CountVectorizer(analyzer=lambda d: [("director", d["director"])] + [("company", c) for c in d["companies"]],
                            binary=True)
    return names.fit_transform(train), names.transform(test)


def genres(folder):
    models = {"logistic regression": lambda c: OneVsRestClassifier(LogisticRegression(C=c, solver="liblinear")),
              "linear SVM": lambda c: LinearSVC(C=c)}
    for inputs, (name, model), cost in itertools.product(("text", "covariates", "both"), models.items(), (0.3, 1, 10)):
        started, right, documents = time.process_time(), 0, 0
        for fold in range(1, 6):
            train, test = (read(pathlib.Path(folder, f"{fold}-{part}.jsonl")) for part in ("train", "test"))
            made = {"text": tfidf, "covariates": covariates}
            parts = [f(train, test) for f in ([made[inputs]] if inputs != "both" else made.values())]
            x, x_test = (hstack(columns).tocsr() for columns in zip(*parts))
            fitted = model(cost).fit(x, [d["first_genre"] for d in train])
            right += sum(fitted.predict(x_test) == [d["first_genre"] for d in test])
            documents += len(test)
        report(f"{inputs}, {name}, C = {cost}", started, accuracy=right / documents)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    genres(sys.argv[1])
