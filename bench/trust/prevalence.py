#!/usr/bin/env python3
"""How often 90 percent intervals of topic shares by metadata hold the truth.

200 documents about three topics with words of their own, a field `x` that is "yes" or "no", and 20 authors of ten
documents.  Log weights are normal with standard deviation 1 around effects of `x` and, with --authors, around numbers of
authors with standard deviation 0.7; then `x` belongs to whole authors.  Each redraw is fitted with `x`, or `x + (1|author)`,
and the difference of expected shares is compared with that of the simulation.

    prevalence.py build/release/gibbous --words 12 --effect --authors --redraws 100

With --stm the same texts are fitted by the R package stm, where R has it, and the intervals are those of its estimateEffect();
it has no random effects, and so its formula is always `~ x`.
"""

import argparse
import collections
import csv
import io
import json
import pathlib
import subprocess
import tempfile

import numpy as np

DOCUMENTS, TOPICS, VOCABULARY, AUTHORS = 200, 3, 90, 20


def shares(log_weights):
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def word(i):
    """A word whose first letter says of which topic it is."""
    return "abc"[i // 30] + "xyz"[i % 30 // 10] + "klmnopqrst"[i % 10] + "q"


def simulate(random, arguments, path):
    """Write documents; the true differences of expected shares."""
    per_topic = VOCABULARY // TOPICS
    phi = np.zeros((TOPICS, VOCABULARY))
    for k in range(TOPICS):
        phi[k, k * per_topic : (k + 1) * per_topic] = random.dirichlet(
            np.full(per_topic, 0.5)
        )
    level = random.normal(0, 0.3, TOPICS)
    slope = np.array([0.99, -0.72, -0.27]) * arguments.effect
    spread = 0.7 * arguments.authors
    author = np.arange(DOCUMENTS) % AUTHORS
    x = (
        random.permutation(np.repeat([0, 1], AUTHORS // 2))[author]
        if arguments.authors
        else random.integers(0, 2, DOCUMENTS)
    )
    mean = (
        level + np.outer(x, slope) + random.normal(0, spread, (AUTHORS, TOPICS))[author]
    )
    theta = shares(mean + random.normal(0, 1, (DOCUMENTS, TOPICS)))
    noise = random.normal(0, np.hypot(1, spread), (40000, TOPICS))
    with path.open("w") as file:
        for d in range(DOCUMENTS):
            topics = random.choice(TOPICS, arguments.words, p=theta[d])
            text = " ".join(word(random.choice(VOCABULARY, p=phi[k])) for k in topics)
            file.write(
                json.dumps(
                    {"text": text, "x": ["no", "yes"][x[d]], "author": f"a{author[d]}"}
                )
                + "\n"
            )
    return shares(level + slope + noise).mean(axis=0) - shares(level + noise).mean(
        axis=0
    )


def fit(arguments, folder, seed):
    """Rows of the differences, by true topic; None if two topics of the model are the same true one."""
    model = folder / "model.gibbous"
    formula = "x + (1|author)" if arguments.authors else "x"
    train = f"{folder}/docs.jsonl -k 3 --min-df 1 --prior logistic-normal --chains 1 --sweeps 1200 --burn-in 400"
    subprocess.run(
        [
            arguments.gibbous,
            "train",
            *train.split(),
            "--prevalence",
            formula,
            "--seed",
            str(seed),
            "-m",
            model,
            "-qf",
        ],
        check=True,
    )
    ask = [
        arguments.gibbous,
        "ask",
        "prevalence-contrasts",
        "-m",
        model,
        "--contrast",
        "x=yes,no",
        "--table",
        "csv",
        "-q",
    ]
    answer = subprocess.run(ask, check=True, capture_output=True, text=True).stdout
    found = {}
    for row in csv.DictReader(io.StringIO(answer)):
        letters = [w[0] for w in row["words"].split()]
        found[max("abc", key=letters.count)] = {
            name: float(row[name]) for name in ("mean", "q05", "q95")
        }
    return [found[letter] for letter in "abc"] if len(found) == TOPICS else None


def fit_with_stm(folder):
    """The same rows from stm_effects.R."""
    texts = [json.loads(line) for line in (folder / "docs.jsonl").open()]
    words = sorted({w for d in texts for w in d["text"].split()})
    number = {w: i for i, w in enumerate(words)}
    with (folder / "docs.ldac").open("w") as file:
        for d in texts:
            counts = collections.Counter(d["text"].split())
            pairs = sorted((number[w], n) for w, n in counts.items())
            file.write(
                " ".join([str(len(pairs))] + [f"{w}:{n}" for w, n in pairs]) + "\n"
            )
    (folder / "vocabulary.txt").write_text("\n".join(words) + "\n")
    (folder / "metadata.csv").write_text("x\n" + "".join(d["x"] + "\n" for d in texts))
    script = pathlib.Path(__file__).with_name("stm_effects.R")
    run = ["Rscript", script, folder, str(TOPICS), "~ x", "x", "yes", "no"]
    subprocess.run(run, check=True, capture_output=True)
    phi = np.loadtxt(folder / "topics.csv", delimiter=",", skiprows=1)
    rows = list(csv.DictReader((folder / "effects.csv").open()))
    found = {}
    for row, p in zip(rows, phi):
        letters = [words[w][0] for w in np.argsort(-p)[:5]]
        found[max("abc", key=letters.count)] = {
            name: float(row[name]) for name in ("mean", "q05", "q95")
        }
    return [found[letter] for letter in "abc"] if len(found) == TOPICS else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gibbous")
    parser.add_argument("--words", type=int, default=12)
    parser.add_argument("--effect", action="store_true")
    parser.add_argument("--authors", action="store_true")
    parser.add_argument("--redraws", type=int, default=100)
    parser.add_argument("--stm", action="store_true")
    arguments = parser.parse_args()
    held, excluded, errors, mixed = [], [], [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for redraw in range(arguments.redraws):
            start = (
                1000 * arguments.words
                + 100 * arguments.effect
                + 10 * arguments.authors
                + 7919 * redraw
            )
            truth = simulate(
                np.random.default_rng(start), arguments, folder / "docs.jsonl"
            )
            rows = (
                fit_with_stm(folder)
                if arguments.stm
                else fit(arguments, folder, redraw + 1)
            )
            if rows is None:
                mixed += 1
                continue
            held += [row["q05"] <= t <= row["q95"] for row, t in zip(rows, truth)]
            excluded += [row["q05"] > 0 or row["q95"] < 0 for row in rows]
            errors += [row["mean"] - t for row, t in zip(rows, truth)]
    print(
        f"intervals {len(held)}, hold the truth {np.mean(held):.3f}, exclude 0 {np.mean(excluded):.3f}, "
        f"root mean square of errors {np.sqrt(np.mean(np.square(errors))):.3f}, mean error of the first topic "
        f"{np.mean(errors[::TOPICS]):+.3f}; {mixed} redraws whose topics were not told apart"
    )


main()
