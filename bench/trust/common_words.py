#!/usr/bin/env python3
"""Effects on other documents where topics share most of their words: made-up documents, whose topics and effects are known.

    [GIBBOUS=PROGRAM] bench/trust/common_words.py [--redraws 4] [--sweeps 300] [--topics 5] [--words 250] [--documents 500] [--length 50]

All topics are drawn around the same word frequencies, which fall as 1 / rank.  Half of the documents train the model, with numbers or
without, `effects` sees the other half: y is the sum of the shares of the true topics of its tokens, times effects from N(0, 2^2), and noise.
Printed: the slope of the contrasts of two topics on the true ones, how many 90 % intervals hold these, and the slope of the true shares
on those that the model infers.  Redraws where two topics of the model are most like one true topic are left out.
"""
import argparse
import csv
import io
import itertools
import json
import random
import statistics
import tempfile
from pathlib import Path

from null import run

CONCENTRATION = 60


def dirichlet(rng, weights):
    drawn = [rng.gammavariate(w, 1) for w in weights]
    total = sum(drawn)
    return [d / total for d in drawn]


def word(i):
    return "w" + chr(97 + i // 26) + chr(97 + i % 26)


def make_up(a, rng):
    """Documents as JSON, shares of their topics, and effects."""
    frequency = [1 / (i + 2) for i in range(a.words)]
    total = sum(frequency)
    topics = [dirichlet(rng, [CONCENTRATION * f / total + 0.001 for f in frequency]) for _ in range(a.topics)]
    effect = [rng.gauss(0, 2) for _ in topics]
    rows, shares = [], []
    for _ in range(2 * a.documents):
        z = rng.choices(range(a.topics), dirichlet(rng, [0.3] * a.topics), k=a.length)
        share = [z.count(k) / a.length for k in range(a.topics)]
        text = " ".join(word(rng.choices(range(a.words), topics[k])[0]) for k in z)
        rows.append({"text": text, "y": sum(e * s for e, s in zip(effect, share)) + rng.gauss(0, 1)})
        shares.append(share)
    return rows, shares, effect


def write(path, rows):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(r) + "\n" for r in rows)


def read(table):
    return list(csv.DictReader(io.StringIO(table)))


def slope(y, x):
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    return sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y)) / sum((u - mean_x) ** 2 for u in x)


def redraw(folder, a, seed, field):
    """Contrasts (truth, estimate, whether it is covered) and slopes of shares, or None."""
    rows, shares, effect = make_up(a, random.Random(seed))
    training, others, model = folder / "t.jsonl", folder / "o.jsonl", folder / "m.gibbous"
    write(training, rows[:a.documents])
    write(others, rows[a.documents:])
    common = ["--threads", 1, "-q", "-m", model]
    run("train", training, *field, "-k", a.topics, "--sweeps", a.sweeps, "--burn-in", a.sweeps // 2, "--seed", seed, "-f", *common)
    found = [[float(r[f"topic_{k + 1}"]) for r in read(run("infer", others, *common, "--table", "csv"))] for k in range(a.topics)]
    true = [[s[k] for s in shares[a.documents:]] for k in range(a.topics)]
    like = [max(range(a.topics), key=lambda j: statistics.correlation(f, true[j])) for f in found]
    if len(set(like)) < a.topics:
        return None
    pairs = list(itertools.combinations(range(a.topics), 2))
    asked = [o for i, j in pairs for o in ("--contrast", f"{i + 1},{j + 1}")]
    table = read(run("effects", others, *common, "--target", "y", "--seed", seed, "--table", "csv", *asked))
    contrasts = []
    for (i, j), r in zip(pairs, table):
        truth = effect[like[i]] - effect[like[j]]
        contrasts.append((truth, float(r["mean"]), float(r["q05"]) <= truth <= float(r["q95"])))
    return contrasts, [slope(true[like[k]], found[k]) for k in range(a.topics)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("redraws", 4), ("sweeps", 300), ("topics", 5), ("words", 250), ("documents", 500), ("length", 50)):
        parser.add_argument(f"--{name}", type=int, default=value)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, field in (("with numbers", ("--target", "y")), ("without", ("--response", "none"))):
            done = [d for s in range(1, a.redraws + 1) if (d := redraw(Path(folder), a, s, field)) is not None]
            contrasts = [c for d in done for c in d[0]]
            if not done:
                print(f"{name:12} no redraw whose topics are all found", flush=True)
                continue
            size = sum(t * e for t, e, _ in contrasts) / sum(t * t for t, _, _ in contrasts)
            print(f"{name:12} {len(done)} redraws: slope {size:.3f}, {sum(c for _, _, c in contrasts)} of {len(contrasts)} covered, "
                  f"slope of shares {statistics.fmean(s for d in done for s in d[1]):.3f}", flush=True)


if __name__ == "__main__":
    main()
