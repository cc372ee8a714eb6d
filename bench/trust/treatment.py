#!/usr/bin/env python3
"""The effect of a treatment when the text confounds it: real reviews, a made-up treatment and outcome whose effect is -1.

    treatment.py CORPUS.jsonl.gz [--redraws N] [--first N] [--documents N] [--gamma X] [--noise X] [--topics K] [--sweeps N]
                 [--ways NAME,...] [--raw-length] [--threads N]

GIBBOUS names the program.  Needs the standard library only.

The design is the one of Ahrens, Ashwin, Calliess and Nguyen, "Bayesian Topic Regression for Causal Inference" (EMNLP 2021):
with s = (words of praise - words of blame) / length of the review, standardised over the reviews, and x ~ N(0, 1),

    T = 1 with log odds gamma s,    y = x + s - T + e,  e ~ N(0, noise^2)

The program sees the words, x, T and y, and not s.  Each redraw has its own x, T and e for the same reviews; the ways to estimate the effect
of T are

    truth          least squares of y on x, T and s itself: what could be known
    no text        least squares of y on x and T
    lda            topics of all reviews without labels, then least squares of y on x, T and the topic shares
    topics         topics that have seen y (--response gaussian), x and T as covariates
    shares, ...    the same with --word-effects shares, counts, presence or tfidf, and the horseshoe
    shares+normal  likewise with normal coefficients
    shares+score   "shares" with one more covariate: the score of T by the text, of a model with the same settings whose label is T

One line per redraw and way: estimate and 95 % interval; then the medians and how many intervals cover.
"""
import argparse
import collections
import csv
import gzip
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from snapshots import Model, known_words

HERE = pathlib.Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", HERE / "../../build/release/gibbous")
EFFECT = -1.0
PREPARATION = ("--stopwords", "en", "--min-df", 5)
PRAISE = """amazing awesome beautiful best brilliant charming clean comfortable comfy delicious delightful easy elegant enjoy
enjoyable enjoyed excellent exceptional fabulous fantastic fine free fresh friendly fun funny generous good gorgeous great happy
helpful ideal impressed impressive interesting liked love loved lovely nice outstanding perfect perfectly pleasant pleased
pleasure polite powerful quiet recommend recommended relaxing smart spacious spectacular spotless strong stunning stylish superb
sweet terrific thoughtful warm well welcoming wonderful worth worthwhile""".split()
BLAME = """annoying appalling avoid awful bad badly bland boring broken complain complained complaint cramped crowded dark
dated dead dirty disappointed disappointing disappointment disgusting dreadful dull expensive fail failed fails flat hard hate hated
horrible horrid lack lacks lame lazy lousy mediocre mess mistake noise noisy old outdated painful pointless poor poorly predictable
problem problems ridiculous rude sad shabby sick silly slow small smell smelled stupid terrible tired ugly uncomfortable unfortunately
unfriendly unhelpful unpleasant useless waste weak worn worse worst wrong""".split()


def gibbous(*arguments):
    command = [str(GIBBOUS), *(str(a) for a in arguments), "-q"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write(documents, path):
    with open(path, "w", encoding="utf-8") as out:
        for document in documents:
            out.write(json.dumps(document) + "\n")


def read_texts(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


# ---- the design ----

def standardised(values):
    mean, sd = statistics.fmean(values), statistics.pstdev(values)
    return [(v - mean) / sd for v in values]


def sentiment(texts, vocabulary, raw_length):
    """s of each text, of its words in the vocabulary of the models; or over the length of all its words."""
    value = {w: 1 for w in PRAISE} | {w: -1 for w in BLAME}
    of_word = {vocabulary.words[w]: v for w, v in value.items() if w in vocabulary.words}
    scores = []
    for text in texts:
        words = known_words(vocabulary, text)
        length = len(text.split()) if raw_length else len(words)
        scores.append(sum(of_word.get(w, 0) for w in words) / max(length, 1))
    return standardised(scores)


def make_up(s, gamma, noise, rng):
    """x, T and y of each document."""
    fields = []
    for of_text in s:
        x, treated = rng.gauss(0, 1), int(rng.random() < 1 / (1 + math.exp(-gamma * of_text)))
        fields.append({"x": x, "T": treated, "y": x + of_text + EFFECT * treated + rng.gauss(0, noise)})
    return fields


# ---- least squares ----

def solve(a, b):
    """Gauss and Jordan: the solution of a x = b and the inverse of a."""
    n = len(b)
    m = [row[:] + [float(i == j) for j in range(n)] + [b[i]] for i, row in enumerate(a)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[pivot] = m[pivot], m[i]
        m[i] = [v / m[i][i] for v in m[i]]
        for r in range(n):
            if r != i and m[r][i] != 0:
                m[r] = [v - m[r][i] * w for v, w in zip(m[r], m[i])]
    return [row[-1] for row in m], [row[n:2 * n] for row in m]


def least_squares(fields, columns):
    """Estimate and 95 % interval of T in the regression of y on 1, T, x and columns."""
    rows = [[1.0, f["T"], f["x"], *c] for f, c in zip(fields, columns)]
    y = [f["y"] for f in fields]
    n = len(rows[0])
    gram = [[sum(r[i] * r[j] for r in rows) for j in range(n)] for i in range(n)]
    estimate, inverse = solve(gram, [sum(r[i] * v for r, v in zip(rows, y)) for i in range(n)])
    residual = sum((v - sum(a * b for a, b in zip(r, estimate))) ** 2 for r, v in zip(rows, y)) / (len(y) - n)
    half = 1.96 * math.sqrt(residual * inverse[1][1])
    return estimate[1], estimate[1] - half, estimate[1] + half


# ---- models ----

def quantile(values, p):
    at = p * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def draws_of_treatment(path):
    """The coefficient of T in each kept draw, in units of y."""
    model = Model(path)
    scale_y = model.about["responses"][0]["scale"]
    fields = model.about["covariates"]["fields"]
    column = next(i for i, f in enumerate(fields) if f["name"] == "T")
    eta = model.block("eta")
    n_features = len(eta) // len(model.block("sweep"))
    values = eta[model.n_topics + column::n_features]
    return sorted(v * scale_y / fields[column]["scale"] for v in values)


def interval(values):
    return statistics.fmean(values), quantile(values, 0.025), quantile(values, 0.975)


WORDS = {"topics": (),
         "shares": ("--word-effects", "shares", "--coefficient-prior", "horseshoe"),
         "shares+normal": ("--word-effects", "shares"),
         "counts": ("--word-effects", "counts", "--coefficient-prior", "horseshoe"),
         "presence": ("--word-effects", "presence", "--coefficient-prior", "horseshoe"),
         "tfidf": ("--word-effects", "tfidf", "--coefficient-prior", "horseshoe")}


def joint(folder, options, seed, arguments, covariates="x:number,T:number"):
    gibbous("train", folder / "documents.jsonl", "-m", folder / "joint.gibbous", "--force", *PREPARATION, "--target", "y",
            "--response", "gaussian", "--cost", 1, "--covariates", covariates, "-k", options.topics, "--sweeps",
            options.sweeps, "--chains", 1, "--seed", seed, "--threads", options.threads, "--snapshots", 1, *arguments)
    return interval(draws_of_treatment(folder / "joint.gibbous"))


def with_score(folder, options, seed, fields):
    """The score of T in the documents that the model of T was trained on."""
    path, rows = folder / "documents.jsonl", [json.loads(line) for line in open(folder / "documents.jsonl", encoding="utf-8")]
    write([{"text": r["text"], "T": str(r["T"])} for r in rows], path)
    gibbous("train", path, "-m", folder / "treated.gibbous", "--force", *PREPARATION, "--label", "T", "--response", "logistic",
            "--cost", 1, "--calibrate", 0, "-k", options.topics, "--sweeps", options.sweeps, "--chains", 1, "--seed", seed,
            "--threads", options.threads, "--snapshots", 10, *WORDS["shares"])
    table = csv.DictReader(gibbous("predict", path, "-m", folder / "treated.gibbous", "--scores").splitlines())
    scores = [next(float(v) for k, v in r.items() if k == "score") for r in table]
    write([{**r, "score": v} for r, v in zip(rows, scores)], path)
    return joint(folder, options, seed, WORDS["shares"], "x:number,T:number,score:number")


def topic_shares(folder, options, texts):
    write([{"text": t} for t in texts], folder / "texts.jsonl")
    gibbous("train", folder / "texts.jsonl", "-m", folder / "lda.gibbous", "--force", *PREPARATION, "--response", "none",
            "-k", options.topics, "--sweeps", 200, "--chains", 1, "--seed", 1, "--threads", options.threads)
    rows = gibbous("infer", folder / "texts.jsonl", "-m", folder / "lda.gibbous").splitlines()
    return [[float(v) for v in row[2:options.topics + 1]] for row in csv.reader(rows[1:])]  # they add up to 1: leave one out


def one_way(name, folder, options, seed, fields, s, shares):
    if name == "truth":
        return least_squares(fields, [[v] for v in s])
    if name == "no text":
        return least_squares(fields, [[] for _ in s])
    if name == "lda":
        return least_squares(fields, shares)
    if name == "shares+score":
        return with_score(folder, options, seed, fields)
    return joint(folder, options, seed, WORDS[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="number of the first redraw, which is its seed")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--gamma", type=float, default=1)
    parser.add_argument("--noise", type=float, default=0.1, help="standard deviation of e")
    parser.add_argument("--topics", type=int, default=30)
    parser.add_argument("--sweeps", type=int, default=600)
    parser.add_argument("--ways", default="truth,no text,lda,topics,shares")
    parser.add_argument("--raw-length", action="store_true", help="s over all words of a review, stop words too")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    ways = options.ways.split(",")
    found = collections.defaultdict(list)
    texts = read_texts(options.corpus)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chosen = random.Random(0).sample(texts, min(options.documents, len(texts)))
        shares = topic_shares(folder, options, chosen)
        s = sentiment(chosen, Model(folder / "lda.gibbous"), options.raw_length)
        for seed in range(options.first, options.first + options.redraws):
            fields = make_up(s, options.gamma, options.noise, random.Random(seed))
            write([{"text": t, **f} for t, f in zip(chosen, fields)], folder / "documents.jsonl")
            for way in ways:
                estimate = one_way(way, folder, options, seed, fields, s, shares)
                found[way].append(estimate)
                print(seed, way, *(f"{v:.4f}" for v in estimate), sep="\t", flush=True)
    for way in ways:
        covers = sum(low <= EFFECT <= high for _, low, high in found[way])
        width = statistics.fmean(high - low for _, low, high in found[way])
        print(f"{way}: median {statistics.median(e for e, _, _ in found[way]):.3f}, {covers} of {len(found[way])} cover, "
              f"mean width {width:.3f}")


if __name__ == "__main__":
    sys.exit(main())
