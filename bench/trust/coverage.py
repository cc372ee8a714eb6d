#!/usr/bin/env python3
"""How often intervals of honest effects cover the truth: real words, made-up labels and numbers.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/coverage.py [--redraws 100] [--topics 10] [--corpus hotels|movies|news]

Topics are learnt on half of the documents, without labels.  For the others, topics of their tokens are drawn from a snapshot of
that model, and a number and a class follow from the shares, with known coefficients, and from a covariate.  `effects DOCUMENTS`
sees words, covariate and the made-up values, but neither topics nor coefficients.  Printed: how often the 90 % interval covers the
truth, for the covariate, for each topic against the average document, and for a contrast of two topics; and the slope of the
estimates on the truth, 1 if nothing draws them towards 0.  For the first topic of the contrast, the reliability of its shares.
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

from null import CORPORA, run


def read(table):
    return list(csv.DictReader(io.StringIO(table)))


def shares_drawn(folder, corpus, model, seed):
    """One draw of the topics of each document: a snapshot's, of one pass."""
    table = read(run("infer", corpus, "-m", model, "--infer-sweeps", 1, "--infer-burn-in", 30, "--seed", seed,
                     "--threads", 1, "-q", "--table", "csv"))
    names = [c for c in table[0] if c.startswith("topic")]
    return [[float(r[c]) for c in names] for r in table]


def covers(row, truth):
    return float(row["q05"]) <= truth <= float(row["q95"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--corpus", default="hotels", choices=CORPORA)
    parser.add_argument("--size", type=float, default=2, help="standard deviation of the coefficients")
    parser.add_argument("--sweeps", type=int, default=300)
    a = parser.parse_args()
    texts = [d[0] for d in CORPORA[a.corpus]()]
    random.Random(1).shuffle(texts)
    half = len(texts) // 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words, model, one, made = (str(folder / n) for n in ("t.jsonl", "m.gibbous", "one.gibbous", "e.jsonl"))
        with open(words, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": t}) + "\n" for t in texts[half:])
        common = [words, "--response", "none", "-k", a.topics, "--stopwords", "en", "--min-df", 5, "--sweeps", a.sweeps,
                  "--threads", 1, "-q"]
        run("train", *common, "--seed", 1, "-m", model)
        run("train", *common, "--seed", 1, "--snapshots", 1, "-m", one)
        plain = str(folder / "plain.jsonl")
        with open(plain, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"text": t}) + "\n" for t in texts[:half])
        for response in ("gaussian", "logistic"):
            hits = {"covariate": [], "topics": [], "contrast": []}
            pairs, reliability = [], []
            for i in range(a.redraws):
                rng = random.Random(1000 + i)
                share = shares_drawn(folder, plain, one, i)
                eta = [rng.gauss(0, a.size) for _ in range(a.topics)]
                mean = [statistics.mean(s[k] for s in share) for k in range(a.topics)]
                average = sum(m * e for m, e in zip(mean, eta))
                gamma = 0.5
                with open(made, "w", encoding="utf-8") as f:
                    for text, s in zip(texts, share):
                        x = rng.gauss(0, 1)
                        score = sum(e * z for e, z in zip(eta, s)) - average + gamma * x
                        y = score + rng.gauss(0, 1)
                        if response == "logistic":
                            y = "p" if rng.random() < 1 / (1 + math.exp(-score)) else "n"
                        f.write(json.dumps({"text": text, "x": round(x, 6), "y": y}) + "\n")
                field = "--label" if response == "logistic" else "--target"
                options = [made, "-m", model, field, "y", "--covariates", "x:number", "--seed", i, "--threads", 1, "-q",
                           "--table", "csv"]
                table = {(r["kind"], r["feature"]): r for r in read(run("effects", *options))}
                hits["covariate"].append(covers(table["covariate", "x"], gamma))
                for k in range(a.topics):
                    row, truth = table["topic", str(k + 1)], eta[k] - average
                    hits["topics"].append(covers(row, truth))
                    pairs.append((truth, float(row["mean"])))
                reliability.append(float(table["topic", "1"]["reliability"]))
                contrast = read(run("effects", *options, "--contrast", "1,2"))[0]
                hits["contrast"].append(covers(contrast, eta[0] - eta[1]))
            slope = sum(t * m for t, m in pairs) / sum(t * t for t, _ in pairs)
            print(f"{a.corpus} {response}: {a.redraws} redraws; covered: "
                  + ", ".join(f"{k} {statistics.mean(v):.2f}" for k, v in hits.items())
                  + f"; slope {slope:.2f}; reliability of topic 1 {statistics.mean(reliability):.2f}", flush=True)


if __name__ == "__main__":
    main()
