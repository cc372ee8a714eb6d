#!/usr/bin/env python3
"""Effects by cross-fitting: how often noise is called an effect, and how often intervals cover the truth.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/cross_fit.py [--shuffles 10] [--redraws 20] [--topics 20] [--folds 5]
        [--corpora hotels movies] [--responses logistic gaussian] [--documents N]

Null: labels or numbers are shuffled over the documents.  Each run trains with --cross-fit, all else by default, and the shares of
topics whose interval from 5 % to 95 % has not 0 in it are printed, of those that have one: they are in half of the folds, or more.

Coverage: topics are learnt from words alone.  For each redraw, topics of all tokens are drawn from that model, and a value follows
from the shares, with known coefficients, and from a covariate.  Topics of the cross-fitted model are not those of the truth, so
only the covariate's interval and the value of the average document have a truth to cover.
"""
import argparse
import csv
import io
import json
import math
import random
import statistics
import tempfile
from pathlib import Path

from null import CLASSES, CORPORA, run


def read(table):
    return list(csv.DictReader(io.StringIO(table)))


def documents(corpus, a):
    docs = list(CORPORA[corpus]())
    random.Random(1).shuffle(docs)
    return docs[: a.documents or len(docs)]


def fit(path, field, response, seed, a, *more):
    model = f"{path}.gibbous"
    run("train", path, field, "y", "--response", response, "-k", a.topics, "--stopwords", "en", "--min-df", 5,
        "--cross-fit", a.folds, "--seed", seed, "--threads", 1, "-q", "--force", "-m", model, *more)
    return read(run("effects", "-m", model, "-q", "--table", "csv"))


def write(path, rows):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(r) + "\n" for r in rows)


def null(folder, corpus, response, a):
    docs = documents(corpus, a)
    clear, n_folds = [], []
    for shuffle in range(1, a.shuffles + 1):
        y = [d[1 if response in CLASSES else 3 if response == "negative-binomial" else 2] for d in docs]
        random.Random(shuffle).shuffle(y)
        path = folder / "null.jsonl"
        write(path, ({"text": d[0], "y": value} for d, value in zip(docs, y)))
        field = "--label" if response in CLASSES else "--target"
        topics = [r for r in fit(path, field, response, shuffle, a) if r["kind"] == "topic"]
        n_folds.append(statistics.mean(int(r["n_folds"]) for r in topics))
        clear += [float(r["q05"]) > 0 or float(r["q95"]) < 0 for r in topics if r["q05"]]
    print(f"null {corpus:8} {response:12} {a.shuffles} shuffles: {statistics.mean(clear):.3f} of {len(clear)} intervals "
          f"without 0; a topic is in {statistics.mean(n_folds):.1f} of {a.folds} folds", flush=True)


def coverage(folder, corpus, response, a):
    texts = [d[0] for d in documents(corpus, a)]
    plain, model, made = (folder / n for n in ("plain.jsonl", "plain.gibbous", "made.jsonl"))
    write(plain, ({"text": t} for t in texts))
    run("train", plain, "--response", "none", "-k", a.topics, "--stopwords", "en", "--min-df", 5, "--snapshots", 1, "--seed", 1,
        "--threads", 1, "-q", "--force", "-m", model)
    hits = {"covariate": [], "average": []}
    for i in range(a.redraws):
        rng = random.Random(1000 + i)
        table = read(run("infer", plain, "-m", model, "--infer-sweeps", 1, "--infer-burn-in", 30, "--seed", i, "--threads", 1,
                         "-q", "--table", "csv"))
        share = [[float(r[f"topic_{k + 1}"]) for k in range(a.topics)] for r in table]
        eta = [rng.gauss(0, 2) for _ in range(a.topics)]
        mean = [statistics.mean(s[k] for s in share) for k in range(a.topics)]
        average, gamma, rows = sum(m * e for m, e in zip(mean, eta)), 0.5, []
        for text, s in zip(texts, share):
            x = rng.gauss(0, 1)
            score = sum(e * z for e, z in zip(eta, s)) - average + gamma * x
            y = score + rng.gauss(0, 1)
            if response == "logistic":
                y = "p" if rng.random() < 1 / (1 + math.exp(-score)) else "n"
            rows.append({"text": text, "x": round(x, 6), "y": y})
        write(made, rows)
        x_mean = statistics.mean(r["x"] for r in rows)
        field = "--label" if response == "logistic" else "--target"
        for r in fit(made, field, response, i, a, "--covariates", "x:number"):
            truth = {"covariate": gamma, "intercept": gamma * x_mean}.get(r["kind"])
            if truth is not None:
                name = "covariate" if r["kind"] == "covariate" else "average"
                hits[name].append(float(r["q05"]) <= truth <= float(r["q95"]))
    print(f"coverage {corpus:8} {response:12} {a.redraws} redraws: "
          + ", ".join(f"{k} {statistics.mean(v):.2f}" for k, v in hits.items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffles", type=int, default=10)
    parser.add_argument("--redraws", type=int, default=20)
    parser.add_argument("--topics", type=int, default=20)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=0, help="only so many; 0: all")
    parser.add_argument("--corpora", nargs="+", default=["hotels", "movies"], choices=CORPORA)
    parser.add_argument("--responses", nargs="+", default=["logistic", "gaussian"])
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for corpus in a.corpora:
            for response in a.responses:
                if a.shuffles > 0:
                    null(Path(folder), corpus, response, a)
                if a.redraws > 0 and response in ("logistic", "gaussian"):
                    coverage(Path(folder), corpus, response, a)


if __name__ == "__main__":
    main()
