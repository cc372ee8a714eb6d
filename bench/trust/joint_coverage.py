#!/usr/bin/env python3
"""Do intervals of a covariate cover, in models whose topics have seen the labels?  Real words, made-up numbers and classes.

    joint_coverage.py [--redraws N] [--first N] [--documents N] [--topics K] [--sweeps N] [--threads N]

GIBBOUS_DATA names the folder with the data sets (imdb/), GIBBOUS the program.  Needs the standard library only.

A model of topics is trained on 2,000 reviews without labels.  For other reviews each redraw takes one draw of the topics of
their words, coefficients eta_k ~ N(0, 1.5^2), and a covariate x that goes along with the share of topic 1, and makes up

    y = 10 + sum_k eta_k zbar_k + 0.5 x + e,  e ~ N(0, 1)           c = 1 with log odds -1 + sum_k eta_k zbar_k + 0.5 x

A model is then trained on these documents with their labels, with cost 1, in one chain and in four, and the 90 % interval that
`effects` gives for the covariate is compared with 0.5.  One line per redraw, then how many intervals cover.
coverage.py beside this file does the same for effects on documents that the topics have not seen.
"""
import argparse
import collections
import csv
import gzip
import io
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile

from snapshots import Model, draw_shares, known_words

HERE = pathlib.Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", HERE / "../../build/release/gibbous")
COVARIATE = 0.5
NOISE = 1.0
SPREAD = 1.5
TRAINING = 2000
LEVELS = {"number": 10.0, "class": -1.0}


def gibbous(*arguments):
    command = [str(GIBBOUS), *(str(a) for a in arguments), "-q"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rows(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def write(documents, path):
    with open(path, "w", encoding="utf-8") as out:
        for document in documents:
            out.write(json.dumps(document) + "\n")


def read_reviews(n):
    path = pathlib.Path(os.environ["GIBBOUS_DATA"]) / "imdb" / "imdb_reviews_train.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    random.Random(1).shuffle(documents)
    return [{"id": d["id"], "text": d["text"]} for d in documents[:n]]


def shares_drawn(folder, reviews, seed):
    """zbar of one draw of the topics of each review."""
    model = Model(folder / "topics.gibbous")
    phi, alpha = model.topics(0)
    r = random.Random(-seed)
    known = [known_words(model, review["text"]) for review in reviews]
    return [draw_shares(words, phi, alpha, r) if words else [0] * len(alpha) for words in known]


def make_up(shares, seed):
    """Documents' x, y and c."""
    r = random.Random(seed)
    n_topics = len(shares[0])
    eta = [r.gauss(0, SPREAD) for _ in range(n_topics)]
    mean = [sum(s[k] for s in shares) / len(shares) for k in range(n_topics)]
    sd = math.sqrt(sum((s[0] - mean[0]) ** 2 for s in shares) / len(shares))
    fields = []
    for s in shares:
        x = 0.5 * (s[0] - mean[0]) / sd + r.gauss(0, 1)
        score = sum(a * b for a, b in zip(eta, s)) + COVARIATE * x
        odds = LEVELS["class"] + score
        fields.append({"x": x, "y": LEVELS["number"] + score + r.gauss(0, NOISE),
                       "c": "yes" if r.random() < 1 / (1 + math.exp(-odds)) else "no"})
    return fields


FIELDS = {"number": ("--target", "y", "--response", "gaussian"), "class": ("--label", "c", "--response", "logistic")}


class Tally:
    def __init__(self):
        self.covered = collections.Counter()
        self.all = collections.Counter()
        self.width = collections.Counter()

    def add(self, name, row, truth):
        covers = float(row["q05"]) <= truth <= float(row["q95"])
        self.covered[name] += covers
        self.all[name] += 1
        self.width[name] += float(row["q95"]) - float(row["q05"])
        return covers


def joint(folder, kind, options, seed, chains, tally):
    gibbous("train", folder / "labelled.jsonl", "-m", folder / "joint.gibbous", "--force", *FIELDS[kind], "--cost", 1,
            "--covariates", "x:number", "-k", options.topics, "--stopwords", "en", "--min-df", 5, "--sweeps",
            options.sweeps, "--chains", chains, "--seed", seed, "--threads", options.threads)
    for row in rows(gibbous("effects", "-m", folder / "joint.gibbous", "--table", "tsv")):
        if row["kind"] == "covariate":
            tally.add(f"{kind}: covariate, {chains} chain{'s' if chains > 1 else ''} with the labels", row, COVARIATE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="number of the first redraw, which is its seed")
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--sweeps", type=int, default=300)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        reviews = read_reviews(TRAINING + options.documents)
        others = reviews[TRAINING:]
        write(reviews[:TRAINING], folder / "training.jsonl")
        write(others, folder / "others.jsonl")
        gibbous("train", folder / "training.jsonl", "-m", folder / "topics.gibbous", "--response", "none", "-k",
                options.topics, "--alpha", 10 / options.topics, "--stopwords", "en", "--min-df", 5, "--sweeps", 300,
                "--snapshots", 1, "--chains", 1, "--seed", 1, "--threads", options.threads)
        for seed in range(options.first, options.first + options.redraws):
            shares = shares_drawn(folder, others, seed)
            fields = make_up(shares, seed)
            write([{**d, **f} for d, f in zip(others, fields)], folder / "labelled.jsonl")
            for kind in FIELDS:
                for chains in (1, 4):
                    joint(folder, kind, options, seed, chains, tally)
            print(f"redraw {seed}: " + "; ".join(f"{k} {tally.covered[k]}/{tally.all[k]}" for k in tally.all), flush=True)
    for key in sorted(tally.all):
        share = tally.covered[key] / tally.all[key]
        print(f"{key}: {tally.covered[key]} of {tally.all[key]} cover ({share:.3f}), mean width {tally.width[key] / tally.all[key]:.3f}")


if __name__ == "__main__":
    main()
