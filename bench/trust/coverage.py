#!/usr/bin/env python3
"""How often intervals of honest effects cover the truth: real words, made-up labels and numbers.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/coverage.py [--redraws 100] [--first 0] [--corpora hotels movies news reviews]
        [--training 1000] [--documents 400] [--topics 10] [--sweeps 1000] [--size 2] [--ways use-labels no-use-labels]

Topics are learnt on some documents, without labels; the model has ten snapshots.  Each redraw takes another sweep of the same chain,
none of the ten, draws the topics of other documents' tokens under it, and makes up

    y = sum_k eta_k zbar_k + 0.5 x + e,  e ~ N(0, 1)      l = p with log odds sum_k eta_k zbar_k + 0.5 x less their mean

with eta_k ~ N(0, size^2), and a covariate x that goes along with what the words say of the share of topic 1.  `effects DOCUMENTS`
sees words, covariate and the made-up values, but neither topics nor coefficients.  Printed: how often the 90 % interval covers
the truth, for the covariate, for the contrast of topics 1 and 2, and for each topic against the average document; and the slope of
the estimates of topics on the truth, 1 if nothing draws them towards 0 (a prior does).
"""
import argparse
import array
import csv
import io
import json
import math
import random
import re
import statistics
import struct
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from null import CORPORA, rows, run

GAMMA = 0.5
GIBBS = 25  # sweeps over the tokens of a document
FIELDS = {"gaussian": ("--target", "y"), "logistic": ("--label", "l")}


def reviews():
    for r in rows("imdb/imdb_reviews_train.jsonl.gz"):
        yield (r["text"],)


def read(table):
    return list(csv.DictReader(io.StringIO(table)))


class Model:
    """The snapshots of a model file (docs/format.md)."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + length])
        about = json.loads(header["__metadata__"]["description"])
        types = {"U64": "Q", "F64": "d", "U16": "H", "U32": "I"}

        def block(name):
            first, last = (8 + length + i for i in header[name]["data_offsets"])
            if header[name]["dtype"] == "U8":
                return data[first:last]
            return array.array(types[header[name]["dtype"]], data[first:last])

        start, text = block("word_start"), block("word_bytes")
        self.words = {text[start[i]:start[i + 1]].decode(): i for i in range(len(start) - 1)}
        self.n_topics, self.beta = about["topics"], about["beta"]
        self.alpha, self.draw, self.start = block("alpha"), block("snapshot"), block("snapshot_start")
        self.word_start, self.topic, self.count = (block("snapshot_" + n) for n in ("word_start", "topic", "count"))
        self.sweep = [block("sweep")[d] for d in self.draw]

    def topics(self, snapshot):
        """phi of each word, and alpha."""
        n, v = self.n_topics, len(self.words)
        at = self.start[snapshot]
        counts = []
        for w in range(v):
            row = [self.beta] * n
            first = snapshot * (v + 1) + w
            for i in range(at + self.word_start[first], at + self.word_start[first + 1]):
                row[self.topic[i]] += self.count[i]
            counts.append(row)
        total = [sum(column) for column in zip(*counts)]
        alpha = self.alpha[self.draw[snapshot] * n:(self.draw[snapshot] + 1) * n]
        return [[c / t for c, t in zip(row, total)] for row in counts], list(alpha)


def draw_shares(words, phi, alpha, rng):
    """zbar of one draw of the topics of a document's words."""
    n = len(alpha)
    weight = list(alpha)
    topic = []
    for w in words:
        topic.append(rng.choices(range(n), [a * p for a, p in zip(weight, phi[w])])[0])
        weight[topic[-1]] += 1
    for _ in range(GIBBS):
        for i, w in enumerate(words):
            weight[topic[i]] -= 1
            topic[i] = rng.choices(range(n), [a * p for a, p in zip(weight, phi[w])])[0]
            weight[topic[i]] += 1
    return [topic.count(k) / len(words) for k in range(n)]


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
                  "--threads", 1, "-q", "--seed", 1]
        run("train", *common, "-m", self.model)
        run("train", *common, "--snapshots", a.sweeps, "-m", every)
        used = set(Model(self.model).sweep)
        self.every = Model(every)
        self.others = [i for i, sweep in enumerate(self.every.sweep) if sweep not in used]
        known = [(t, [self.every.words[w] for w in re.findall(r"[^\W\d_]{2,}", t.lower()) if w in self.every.words])
                 for t in texts[a.training:]]
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
        found = {}
        for response, field in FIELDS.items():
            for way in self.a.ways:
                options = [made, "-m", self.model, *field, f"--{way}", "--covariates", "x:number", "--seed", i,
                           "--threads", 1, "-q", "--table", "csv"]
                table = {(r["kind"], r["feature"]): r for r in read(run("effects", *options))}
                contrast = read(run("effects", *options, "--contrast", "1,2"))[0]
                topics = [table["topic", str(k + 1)] for k in range(len(eta))]
                found[response, way] = {
                    "covariate": [covers(table["covariate", "x"], GAMMA)],
                    "contrast": [covers(contrast, eta[0] - eta[1])],
                    "topics": [covers(t, e - average) for t, e in zip(topics, eta)],
                    "pairs": [(e - average, float(t["mean"])) for t, e in zip(topics, eta)]}
        made.unlink()
        return found


def report(corpus, done, key):
    def share(what):
        return statistics.mean(hit for d in done for hit in d[key][what])

    pairs = [p for d in done for p in d[key]["pairs"]]
    slope = sum(t * m for t, m in pairs) / sum(t * t for t, _ in pairs)
    print(f"{corpus:8} {key[0]:9} {key[1]:14} {len(done):8} {share('covariate'):10.2f} {share('contrast'):9.2f}"
          f" {share('topics'):7.3f} {slope:6.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first redraw, which is its seed")
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--training", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=400)
    CORPORA["reviews"] = reviews
    parser.add_argument("--corpora", nargs="+", default=["hotels", "movies"], choices=CORPORA)
    parser.add_argument("--size", type=float, default=2, help="standard deviation of the coefficients")
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--ways", nargs="+", default=["use-labels", "no-use-labels"])
    parser.add_argument("--jobs", type=int, default=1)
    a = parser.parse_args()
    print(f"{'corpus':8} {'response':9} {'way':14} {'redraws':>8} {'covariate':>10} {'contrast':>9} {'topics':>7} {'slope':>6}",
          flush=True)
    for corpus in a.corpora:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(a.jobs) as pool:
            experiment = Experiment(Path(folder), corpus, a)
            done = list(pool.map(experiment.redraw, range(a.first, a.first + a.redraws)))
        for key in done[0]:
            report(corpus, done, key)


if __name__ == "__main__":
    main()
