#!/usr/bin/env python3
"""How often intervals of honest effects cover the truth: real words, made-up labels and numbers.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/coverage.py [--redraws 100] [--first 0] [--corpora hotels movies news reviews]
        [--training 1000] [--documents 400] [--topics 10] [--sweeps 1000] [--chains 1] [--size 2] [--ways use-labels no-use-labels]

Topics are learnt on some documents, without labels; the model has ten snapshots.  Each redraw takes another sweep of the same chain,
none of the ten, draws the topics of other documents' tokens under it, and makes up

    y = sum_k eta_k zbar_k + 0.5 x + e,  e ~ N(0, 1)      l = p with log odds sum_k eta_k zbar_k + 0.5 x less their mean

with eta_k ~ N(0, size^2), and a covariate x that goes along with what the words say of the share of topic 1.  `effects DOCUMENTS`
sees words, covariate and the made-up values, but neither topics nor coefficients.  Printed: how often the 90 % interval covers
the truth, for the covariate, for the contrast of topics 1 and 2, for all contrasts of two topics (with the standard error over redraws,
and the contrasts covered least and most often), and for each topic against the average document; and the slope of the estimates of
topics on the truth, 1 if nothing draws them towards 0 (a prior does).  If there are more than 100 redraws, counts by the hundred
follow: such a count has a standard error of 3, and one in 16 is not in 85 to 95 though intervals hold.
"""
import argparse
import csv
import io
import itertools
import json
import math
import random
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from null import CORPORA, rows, run
from snapshots import Model, draw_shares, known_words

GAMMA = 0.5
FIELDS = {"gaussian": ("--target", "y"), "logistic": ("--label", "l")}
HEADER = (f"{'corpus':8} {'response':9} {'way':14} {'redraws':>8} {'covariate':>10} {'contrast':>9} {'contrasts':>10} {'s.e.':>6}"
          f" {'least':>6} {'most':>6} {'topics':>7} {'slope':>6}")


def reviews():
    for r in rows("imdb/imdb_reviews_train.jsonl.gz"):
        yield (r["text"],)


def read(table):
    return list(csv.DictReader(io.StringIO(table)))


def number(topic):
    return str(topic + 1)


def covers(row, truth):
    return float(row["q05"]) <= truth <= float(row["q95"])


class Experiment:
    def __init__(self, folder, corpus, a):
        texts = [d[0] for d in CORPORA[corpus]()]
        random.Random(1).shuffle(texts)
        self.a, self.folder, self.model = a, folder, str(folder / "ten.gibbous")
        every, words = str(folder / "every.gibbous"), str(folder / "training.jsonl")
        with open(words, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": t}) + "\n" for t in texts[:a.training])
        common = [words, "--response", "none", "-k", a.topics, "--stopwords", "en", "--min-df", 5, "--sweeps", a.sweeps,
                  "--chains", a.chains, "--threads", 1, "-q", "--seed", 1]
        run("train", *common, "-m", self.model)
        run("train", *common, "--snapshots", a.sweeps, "-m", every)
        used = set(Model(self.model).sweep)
        self.every = Model(every)
        self.others = [i for i, sweep in enumerate(self.every.sweep) if self.every.chain[i] == 0 and sweep not in used]
        known = [(t, known_words(self.every, t)) for t in texts[a.training:]]
        self.docs = [d for d in known if d[1]][:a.documents]
        self.expected = self.expect()

    def expect(self):
        """What words say of the share of topic 1, scaled."""
        plain = self.folder / "plain.jsonl"
        with open(plain, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": t}) + "\n" for t, _ in self.docs)
        table = read(run("infer", plain, "-m", self.model, "--infer-sweeps", 20, "--seed", 1, "--threads", 1, "-q",
                         "--table", "csv"))
        share = [float(r["topic_1"]) for r in table]
        mean, sd = statistics.mean(share), statistics.pstdev(share)
        return [(s - mean) / sd for s in share]

    def make_up(self, path, rng):
        """Labels and numbers; returns the coefficients, and the score of the average document."""
        phi, alpha = self.every.topics(rng.choice(self.others))
        share = [draw_shares(words, phi, alpha, rng) for _, words in self.docs]
        eta = [rng.gauss(0, self.a.size) for _ in alpha]
        average = sum(e * statistics.mean(s[k] for s in share) for k, e in enumerate(eta))
        with open(path, "w", encoding="utf-8") as f:
            for (text, _), s, expected in zip(self.docs, share, self.expected):
                x = 0.5 * expected + rng.gauss(0, 1)
                score = sum(e * z for e, z in zip(eta, s)) - average + GAMMA * x
                label = "p" if rng.random() < 1 / (1 + math.exp(-score)) else "n"
                f.write(json.dumps({"text": text, "x": x, "y": score + rng.gauss(0, 1), "l": label}) + "\n")
        return eta, average

    def redraw(self, i):
        made = self.folder / f"made{i}.jsonl"
        eta, average = self.make_up(made, random.Random(1000 + i))
        pairs = list(itertools.combinations(range(len(eta)), 2))
        asked = [o for a, b in pairs for o in ("--contrast", f"{number(a)},{number(b)}")]
        found = {}
        for response in self.a.responses:
            for way in self.a.ways:
                options = [made, "-m", self.model, *FIELDS[response], f"--{way}", "--covariates", "x:number", "--seed", i,
                           "--threads", 1, "-q", "--table", "csv"]
                table = {(r["kind"], r["feature"]): r for r in read(run("effects", *options))}
                contrast = {(r["contrast"], r["minus"]): r for r in read(run("effects", *options, *asked))}
                topics = [table["topic", number(k)] for k in range(len(eta))]
                found[response, way] = {
                    "covariate": [covers(table["covariate", "x"], GAMMA)],
                    "contrasts": [covers(contrast[number(a), number(b)], eta[a] - eta[b]) for a, b in pairs],
                    "topics": [covers(t, e - average) for t, e in zip(topics, eta)],
                    "means": [(e - average, float(t["mean"])) for t, e in zip(topics, eta)]}
                found[response, way]["contrast"] = found[response, way]["contrasts"][:1]
        made.unlink()
        return found


def report(corpus, done, key):
    def share(what):
        return statistics.mean(hit for d in done for hit in d[key][what])

    means = [p for d in done for p in d[key]["means"]]
    slope = sum(t * m for t, m in means) / sum(t * t for t, _ in means)
    by_redraw = [statistics.mean(d[key]["contrasts"]) for d in done]
    by_contrast = [statistics.mean(hits) for hits in zip(*(d[key]["contrasts"] for d in done))]
    error = statistics.stdev(by_redraw) / len(done) ** 0.5 if len(done) > 1 else float("nan")
    print(f"{corpus:8} {key[0]:9} {key[1]:14} {len(done):8} {share('covariate'):10.3f} {share('contrast'):9.3f}"
          f" {share('contrasts'):10.3f} {error:6.3f} {min(by_contrast):6.2f} {max(by_contrast):6.2f} {share('topics'):7.3f} {slope:6.2f}",
          flush=True)
    for what in ("covariate", "contrast") if len(done) > 100 else ():
        counts = [sum(d[key][what][0] for d in done[i:i + 100]) for i in range(0, len(done) - 99, 100)]
        print(f"{'':8} {what} by the hundred: {' '.join(map(str, counts))}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first redraw, which is its seed")
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--training", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=400)
    CORPORA["reviews"] = reviews
    parser.add_argument("--corpora", nargs="+", default=["hotels", "movies"], choices=CORPORA)
    parser.add_argument("--chains", type=int, default=1, help="of the model; the truth is a sweep of the first")
    parser.add_argument("--size", type=float, default=2, help="standard deviation of the coefficients")
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--responses", nargs="+", default=[*FIELDS], choices=FIELDS)
    parser.add_argument("--ways", nargs="+", default=["use-labels", "no-use-labels"])
    parser.add_argument("--jobs", type=int, default=1)
    a = parser.parse_args()
    print(HEADER, flush=True)
    for corpus in a.corpora:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(a.jobs) as pool:
            experiment = Experiment(Path(folder), corpus, a)
            done = list(pool.map(experiment.redraw, range(a.first, a.first + a.redraws)))
        for key in done[0]:
            report(corpus, done, key)


if __name__ == "__main__":
    main()
