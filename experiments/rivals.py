#!/usr/bin/env python3
"""Other programs on the same documents, one thread: linear models, scikit-learn's topics with a classifier, tomotopy's SLDA.

    rivals.py METHOD TRAIN TEST SETTINGS

TRAIN and TEST are JSON Lines with "text", words between blanks, and "label" or the number "target"; documents without either are for
topics only.  SETTINGS is JSON: "seed", and for topics "topics" and "stops", the sweeps or passes after which the test part is predicted.
Prints a line of JSON: the score and the CPU seconds (user) of training and of prediction, for topics at each stop.  Reading and counting words is
left out of the times.  frame.py's cells start it by `run`, which says None where the Python that runs lacks what the method needs.
"""
import importlib.util
import json
import os
import resource
import subprocess
import sys

NEEDS = {"svm": "sklearn", "logistic": "sklearn", "counts": "sklearn", "lda": "sklearn", "slda": "tomotopy"}


def installed(method):
    return importlib.util.find_spec(NEEDS[method]) is not None


def run(method, train, test, **settings):
    """What a method finds, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, method, train, test, json.dumps(settings)], check=False, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"rivals.py {method}\n{done.stderr}")
    return json.loads(done.stdout)


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


class Documents:
    """Texts and what is to be predicted of them; y is None where that is missing."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        self.texts = [row["text"] for row in rows]
        self.are_classes = any("label" in row for row in rows)
        self.y = [row.get("label", row.get("target")) for row in rows]
        self.known = [i for i, y in enumerate(self.y) if y is not None]


def score(test, predicted):
    """Accuracy, or R2 as gibbous has it."""
    truth = [test.y[i] for i in test.known]
    answers = [predicted[i] for i in test.known]
    if test.are_classes:
        return {"accuracy": sum(a == b for a, b in zip(truth, answers)) / len(truth)}
    mean = sum(truth) / len(truth)
    return {"r2": 1 - float(sum((a - b) ** 2 for a, b in zip(truth, answers)) / sum((a - mean) ** 2 for a in truth))}


def area(truth, scores):
    """Area under the curve of two classes, the larger label positive."""
    from sklearn.metrics import roc_auc_score
    return float(roc_auc_score(truth, scores))


# ---- linear models of the words ----

def counts_of(train, test):
    from sklearn.feature_extraction.text import CountVectorizer
    words = CountVectorizer(token_pattern=r"\S+", lowercase=False)
    return words.fit_transform(train.texts), words.transform(test.texts)


def linear(train, test, candidates, weighs=True, top=None):
    """A linear model on TF-IDF or counts, the best of several penalties on a fifth of the training part if there are several; with top,
    also macro F1 over the classes of the training part and how often the class is among so many first."""
    import numpy
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.preprocessing import FunctionTransformer
    x_train, x_test = counts_of(train, test)
    begin = user_seconds()
    idf = TfidfTransformer(sublinear_tf=True) if weighs else FunctionTransformer(None, accept_sparse=True)
    x, y = idf.fit_transform(x_train)[train.known], numpy.array([train.y[i] for i in train.known])
    model = candidates[0]
    if len(candidates) > 1:
        held_out = numpy.random.default_rng(1).permutation(len(y)) % 5 == 0
        model = max(candidates, key=lambda m: m.fit(x[~held_out], y[~held_out]).score(x[held_out], y[held_out]))
    model.fit(x, y)
    trained = user_seconds()
    features = idf.transform(x_test)
    found = score(test, model.predict(features))
    if test.are_classes and len(set(y)) == 2:
        found["auc"] = area([test.y[i] for i in test.known], model.decision_function(features)[test.known])
    if top:
        from sklearn.metrics import f1_score
        truth = [test.y[i] for i in test.known]
        order = numpy.argsort(-model.decision_function(features)[test.known], axis=1)[:, :top]
        found[f"top_{top}"] = float(numpy.mean([t in model.classes_[row] for t, row in zip(truth, order)]))
        found["macro_f1"] = float(f1_score(truth, model.predict(features)[test.known], labels=model.classes_, average="macro",
                                           zero_division=0))
    return found | {"train_s": trained - begin, "test_s": user_seconds() - trained}


def svm(train, test, settings):
    from sklearn.linear_model import Ridge
    from sklearn.svm import LinearSVC
    return linear(train, test, [LinearSVC(random_state=settings["seed"]) if train.are_classes else Ridge(random_state=settings["seed"])],
                  top=settings.get("top"))


def logistic_models(train, settings, penalties):
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    models = [LogisticRegression(C=c, solver="liblinear", random_state=settings["seed"]) for c in penalties]
    return models if len({train.y[i] for i in train.known}) == 2 else [OneVsRestClassifier(model) for model in models]


def logistic(train, test, settings):
    return linear(train, test, logistic_models(train, settings, (1, 10, 100)))


def counts(train, test, settings):
    """Logistic regression on plain counts with the penalty that the library has by default."""
    return linear(train, test, logistic_models(train, settings, (1,)), weighs=False)


# ---- topics ----

def lda(train, test, settings):
    """Variational topics without labels in mini-batches, then logistic or ridge regression on their shares."""
    import numpy
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.linear_model import LogisticRegression, Ridge
    x_train, x_test = counts_of(train, test)
    topics = LatentDirichletAllocation(settings["topics"], n_jobs=1, random_state=settings["seed"], total_samples=x_train.shape[0])
    order = numpy.random.default_rng(settings["seed"])
    y = numpy.array([train.y[i] for i in train.known])
    found, spent, at = [], 0.0, 0
    for stop in settings["stops"]:
        begin = user_seconds()
        for _ in range(stop - at):
            shuffled = order.permutation(x_train.shape[0])
            for first in range(0, len(shuffled), 128):
                topics.partial_fit(x_train[shuffled[first:first + 128]])
        at = stop
        spent += user_seconds() - begin
        begin = user_seconds()
        model = LogisticRegression(C=100, max_iter=1000) if train.are_classes else Ridge(0.01)
        model.fit(topics.transform(x_train)[train.known], y)
        trained = user_seconds()
        answers = model.predict(topics.transform(x_test))
        found.append(score(test, answers) | {"train_s": spent + trained - begin, "test_s": user_seconds() - trained})
    return {"stops": found}


def slda(train, test, settings):
    """tomotopy's SLDA: for classes a 0/1 response each, the largest wins; a number is standardised before."""
    import tomotopy
    known = [train.y[i] for i in train.known]
    if train.are_classes:
        classes = sorted(set(known))
        kind, response = "b" * len(classes), lambda y: [float(y == c) for c in classes]
    else:
        mean = sum(known) / len(known)
        scale = (sum((y - mean) ** 2 for y in known) / len(known)) ** 0.5
        kind, response = "l", lambda y: [(y - mean) / scale]
    more = {"glm_param": [settings["glm_param"]] * len(kind)} if "glm_param" in settings else {}
    model = tomotopy.SLDAModel(k=settings["topics"], vars=kind, seed=settings["seed"], **more)
    for text, y in zip(train.texts, train.y):
        if text:
            model.add_doc(text.split(), [float("nan")] * len(kind) if y is None else response(y))
    found, spent, at = [], 0.0, 0
    for stop in settings["stops"]:
        begin = user_seconds()
        model.train(stop - at, workers=1)
        at = stop
        spent += user_seconds() - begin
        begin = user_seconds()
        documents = [model.make_doc(text.split() or ["-"]) for text in test.texts]
        fine = [i for i, d in enumerate(documents) if len(d.words) > 0]
        model.infer([documents[i] for i in fine], workers=1)
        answers = [max(set(known), key=known.count) if train.are_classes else mean] * len(documents)
        for i in fine:
            estimate = model.estimate(documents[i])
            answers[i] = classes[max(range(len(classes)), key=estimate.__getitem__)] if train.are_classes else mean + scale * float(estimate[0])
        found.append(score(test, answers) | {"train_s": spent, "test_s": user_seconds() - begin})
    return {"stops": found, "version": tomotopy.__version__}


def main():
    method, train, test, settings = sys.argv[1:]
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    found = {"svm": svm, "logistic": logistic, "counts": counts, "lda": lda, "slda": slda}[method](Documents(train), Documents(test), json.loads(settings))
    if NEEDS[method] == "sklearn":
        import sklearn
        found["version"] = sklearn.__version__
    print(json.dumps(found))


if __name__ == "__main__":
    main()
