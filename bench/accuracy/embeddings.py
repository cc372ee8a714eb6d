#!/usr/bin/env python3
"""What an embedding beside topics adds: the components of latent semantic analysis, learnt from the words of 25,000 film reviews
without their labels, as a stand-in for a language model.

    embeddings.py GIBBOUS DATA [--corpora films,hotel,imdb] [--topics 50] [--sweeps 100] [--seeds 1] [--components 300] ...

Three corpora, five folds each (document i is tested in fold i modulo 5): ratings of films and of hotels (R2), and 5,000
reviews of the part of IMDb that the analysis did not see, positive or negative (accuracy).  Each fold is trained with topics alone
and with the embedding beside them, with the same seed; the table shows the means over folds and the mean of their differences
with its standard error.  Beside it a linear model of the embedding alone (ridge regression, logistic regression).

DATA is the folder that GIBBOUS_DATA names.  Needs scikit-learn.
"""
import argparse
import gzip
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

sys.path.pop(0)  # this folder, whose fractions.py is not the one of the standard library

import statistics

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

FOLDS = 5
CORPORA = {
    "films": ("movie_review_scale/scale_subjective.jsonl.gz", "rating", "r2", 1),
    "hotel": ("hotel_reviews/tripadvisor_2000.jsonl.gz", "rating", "r2", 1),
    "imdb": ("imdb/imdb_reviews_test.jsonl.gz", "label", "accuracy", 5),
}


def read(path, every=1):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for i, line in enumerate(lines) if i % every == 0]


def analysis(data, n_components, kept):
    """From texts to unit vectors; no label is looked at."""
    if kept is not None and kept.exists():
        return pickle.loads(kept.read_bytes())
    texts = [d["text"] for d in read(data / "imdb/imdb_reviews_train.jsonl.gz")]
    pipeline = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, min_df=5, max_df=0.5),
        TruncatedSVD(n_components, random_state=0),
        Normalizer(copy=False),
    )
    pipeline.fit(texts)
    if kept is not None:
        kept.write_bytes(pickle.dumps(pipeline))
    return pipeline


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def fit(gibbous, work, train, test, kind, metric, options, with_embedding):
    embedding = [["--embeddings", work / f"{part}.npz"] if with_embedding else [] for part in ("train", "test")]
    model = work / "m.gibbous"
    run(gibbous, "train", train, kind, *embedding[0], "-m", model, "--force", "-q", "--stopwords", "en", "--min-df", 5, *options)
    scores = json.loads(run(gibbous, "evaluate", test, kind, *embedding[1], "-m", model, "-q", "--json"))
    return find(scores, metric)


def find(value, name):
    """The first number of that name in nested objects."""
    if isinstance(value, dict):
        if isinstance(value.get(name), (int, float)):
            return value[name]
        value = list(value.values())
    for item in value if isinstance(value, list) else []:
        found = find(item, name)
        if found is not None:
            return found
    return None


def linear(metric, x, y, test):
    model = RidgeCV(np.logspace(-1, 5, 13)) if metric == "r2" else LogisticRegressionCV(Cs=8, max_iter=1000)
    return make_pipeline(StandardScaler(), model).fit(x[~test], y[~test]).score(x[test], y[test])


def measure(name, arguments, lsa, work):
    path, field, metric, every = CORPORA[name]
    documents = read(arguments.data / path, every)
    x = lsa.transform([d["text"] for d in documents]).astype(np.float32)
    y = np.array([d[field] for d in documents])
    option = f"--{'target' if metric == 'r2' else 'label'}={field}"
    rows = []
    for fold in range(FOLDS):
        test = np.arange(len(documents)) % FOLDS == fold
        for part, chosen in (("train", ~test), ("test", test)):
            ids = [str(documents[i]["id"]) for i in np.flatnonzero(chosen)]
            np.savez(work / f"{part}.npz", ids=np.array(ids), embeddings=x[chosen])
            with open(work / f"{part}.jsonl", "w", encoding="utf-8") as out:
                for i in np.flatnonzero(chosen):
                    out.write(json.dumps({"id": str(documents[i]["id"]), "text": documents[i]["text"], field: documents[i][field]}) + "\n")
        alone = linear(metric, x, y, test)
        for seed in range(1, arguments.seeds + 1):
            options = ["-k", arguments.topics, "--sweeps", arguments.sweeps, "--seed", seed, "--threads", arguments.threads,
                       *arguments.options.split()]
            row = [
                fit(arguments.gibbous, work, work / "train.jsonl", work / "test.jsonl", option, metric, options, with_it)
                for with_it in (False, True)
            ]
            rows.append((*row, alone))
            print(f"{name}, fold {fold + 1}, seed {seed}: topics {row[0]:.4f}, with embedding {row[1]:.4f}, embedding alone {alone:.4f}",
                  file=sys.stderr, flush=True)
    # the mean over seeds of a fold is one observation
    of_fold = [np.mean(rows[i * arguments.seeds:(i + 1) * arguments.seeds], axis=0) for i in range(FOLDS)]
    difference = [row[1] - row[0] for row in of_fold]
    error = statistics.stdev(difference) / len(difference) ** 0.5
    means = np.mean(of_fold, axis=0)
    print(f"| {name} | {metric} | {means[2]:.3f} | {means[0]:.3f} | {means[1]:.3f} | {np.mean(difference):+.4f} ± {error:.4f} | {np.mean(difference) / error:.1f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gibbous", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--components", type=int, default=300)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--sweeps", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="file for the analysis, read if it is there")
    parser.add_argument("--options", default="", help="further ones of train, such as '--cost 4'")
    arguments = parser.parse_args()
    lsa = analysis(arguments.data, arguments.components, arguments.keep)
    print("| corpus | measure | embedding alone | topics | topics and embedding | difference | standard errors |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.corpora.split(","):
            measure(name, arguments, lsa, pathlib.Path(folder))


if __name__ == "__main__":
    main()
