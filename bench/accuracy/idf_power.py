#!/usr/bin/env python3
"""How much rare words should count in a linear model: TF-IDF with powers of the inverse document frequency.

    idf_power.py CORPUS [--test]

CORPUS is one of words.py.  Linear support vector machines (numbers: ridge regression) are fitted to four fifths of the training
documents and scored on the others, in each fold if there are folds; with --test, to all of them and scored on the test part.  For
each power the scores with all penalties are printed.  GIBBOUS_DATA names the folder with the data sets.  Needs scikit-learn.
"""
import argparse
import json
import os
import pathlib
import tempfile

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import Ridge
from sklearn.metrics import f1_score, r2_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer, normalize
from sklearn.svm import LinearSVC

import words

POWERS = (0, 0.5, 1, 1.5, 2, 3)
PENALTIES = {"rating": (0.3, 0.6, 1, 2), "label": (0.06, 0.125, 0.25, 0.5, 1), "labels": (0.5, 1, 4, 10)}
CUT_OFF = -0.3  # of several labels; F1 wants one below 0


def read(path, field):
    with open(path, encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    return [d["text"] for d in documents], [d[field] for d in documents]


def rows(counts, idf, power):
    """Logarithms of counts times the power of the inverse document frequency, each row of length 1."""
    values = counts.astype(float)
    values.data = 1 + np.log(values.data)
    return normalize(values.multiply(idf**power).tocsr())


def score(field, penalty, fitted, known, tested, truth):
    if field == "rating":
        mean = np.mean(known)
        model = Ridge(penalty, solver="sparse_cg", tol=1e-4).fit(fitted, np.array(known) - mean)
        return r2_score(truth, model.predict(tested) + mean)
    if field != "labels":
        return float(np.mean(LinearSVC(C=penalty).fit(fitted, known).predict(tested) == np.array(truth)))
    labels = MultiLabelBinarizer().fit(known)
    model = OneVsRestClassifier(LinearSVC(C=penalty)).fit(fitted, labels.transform(known))
    right = labels.transform([[label for label in document if label in set(labels.classes_)] for document in truth])
    return f1_score(right, model.decision_function(tested) > CUT_OFF, average="micro", zero_division=0)


def vectorizer(name):
    if name in ("newsgroups", "bibtex"):
        stop = pathlib.Path(words.STOPLIST).read_text(encoding="utf-8").split() if name == "newsgroups" else None
        return CountVectorizer(token_pattern=r"\S+", stop_words=stop, lowercase=False)
    return CountVectorizer(stop_words="english" if name in ("reuters", "genres") else None, min_df=5 if name == "imdb" else 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=words.CORPORA)
    parser.add_argument("--test", action="store_true")
    given = parser.parse_args()
    corpus = words.CORPORA[given.corpus]
    field = corpus.fields[1]
    scores = {power: [] for power in POWERS}
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        words.MAKERS[given.corpus](pathlib.Path(os.environ["GIBBOUS_DATA"]), out)
        for pair in words.parts(given.corpus, corpus, out):
            fit, test = pair if given.test else words.hold_out(pair[0], out, corpus.in_time)
            (texts, known), (more, truth) = read(fit, field), read(test, field)
            counter = vectorizer(given.corpus)
            fitted, tested = counter.fit_transform(texts), counter.transform(more)
            idf = TfidfTransformer().fit(fitted).idf_
            for power in POWERS:
                x, y = rows(fitted, idf, power), rows(tested, idf, power)
                scores[power].append([score(field, c, x, known, y, truth) for c in PENALTIES.get(field, PENALTIES["label"])])
    for power, of_parts in scores.items():
        print(f"{given.corpus}, power {power}:", *(f"{value:.4f}" for value in np.mean(of_parts, axis=0)), flush=True)


if __name__ == "__main__":
    main()
