#!/usr/bin/env python3
"""Linear models on TF-IDF, to compare with.  Needs scikit-learn.

    baseline.py labels FOLDER [TOKEN PATTERN]  train.jsonl, test.jsonl: one linear SVM per label; micro and macro F1
    baseline.py counts FOLDER VOCABULARY STOPWORDS    word counts and classes (20 Newsgroups); accuracy
    baseline.py ratings PREFIX                 PREFIX-1-train.jsonl, ...: ridge regression; predictive R2
    baseline.py genres FOLDER                  1-train.jsonl, ...: text, covariates, both; accuracy

TF-IDF takes the logarithm of counts ("sublinear").  Every penalty tried is shown with its score on the test
documents, so the best line of each is a little flattering to it.
"""
import gzip
import itertools
import json
import pathlib
import sys
import time
import warnings

import numpy as np
from scipy.sparse import coo_matrix, hstack
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore", ConvergenceWarning)
WORD = r"(?u)[^\W\d_]{2,}"  # two letters or more, as gibbous reads words by default


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def report(name, started, **scores):
    values = "  ".join(f"{k} {v:.3f}" for k, v in scores.items())
    print(f"{name}: {values}  ({time.process_time() - started:.1f} s of CPU)", flush=True)


def tfidf(train, test, pattern=WORD):
    words = TfidfVectorizer(sublinear_tf=True, token_pattern=pattern)
    return words.fit_transform(d["text"] for d in train), words.transform(d["text"] for d in test)


def labels(folder, pattern=WORD):
    train, test = (read(pathlib.Path(folder, f"{part}.jsonl")) for part in ("train", "test"))
    coder = MultiLabelBinarizer().fit([d["labels"] for d in train])
    y, truth = (coder.transform([d["labels"] for d in documents]) for documents in (train, test))
    for cost in (1, 10):
        started = time.process_time()
        x, x_test = tfidf(train, test, pattern)
        guess = OneVsRestClassifier(LinearSVC(C=cost)).fit(x, y).predict(x_test)
        report(f"one-vs-rest linear SVM, C = {cost}", started, micro_f1=f1_score(truth, guess, average="micro"),
               macro_f1=f1_score(truth, guess, average="macro", zero_division=0))


def counts(folder, vocabulary, stopwords):
    with gzip.open(vocabulary, "rt", encoding="utf-8") as lines:
        words = lines.read().split("\n")
    stop = set(pathlib.Path(stopwords).read_text(encoding="utf-8").split())
    keep = [i for i, word in enumerate(words) if word and word not in stop]
    x, y = {}, {}
    for part in ("train", "test"):
        y[part] = np.loadtxt(pathlib.Path(folder, f"{part}.label"), dtype=int)
        document, word, count = np.loadtxt(pathlib.Path(folder, f"{part}.data"), dtype=int, unpack=True)
        x[part] = coo_matrix((count, (document - 1, word - 1)), (len(y[part]), len(words))).tocsr()[:, keep]
    for cost in (0.3, 1, 3):
        started = time.process_time()
        weights = TfidfTransformer(sublinear_tf=True)
        model = LinearSVC(C=cost).fit(weights.fit_transform(x["train"]), y["train"])
        guess = model.predict(weights.transform(x["test"]))
        report(f"linear SVM, C = {cost}", started, accuracy=accuracy_score(y["test"], guess))


def ratings(prefix):
    """Predictive R2 over all folds: 1 - sum of squared errors / the same with the training mean."""
    for penalty in (0.3, 1, 3):
        started, error, null = time.process_time(), 0, 0
        for fold in range(1, 6):
            train, test = (read(f"{prefix}-{fold}-{part}.jsonl") for part in ("train", "test"))
            y, truth = (np.array([d["rating"] for d in documents], float) for documents in (train, test))
            x, x_test = tfidf(train, test)
            error += np.sum((truth - Ridge(alpha=penalty).fit(x, y).predict(x_test)) ** 2)
            null += np.sum((truth - y.mean()) ** 2)
        report(f"ridge regression, penalty {penalty}", started, predictive_r2=1 - error / null)


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
    task = {f.__name__: f for f in (labels, counts, ratings, genres)}.get(sys.argv[1] if len(sys.argv) > 1 else None)
    if task is None:
        sys.exit(__doc__)
    task(*sys.argv[2:])
