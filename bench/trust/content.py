#!/usr/bin/env python3
"""How often 90 percent intervals of words by group hold the truth.

300 documents about three topics that share a vocabulary of 60 words.  Groups word a topic by a Dirichlet around common words, with
a concentration that is drawn for each topic; or six levels word it each around the level before.  Each redraw is fitted with
--content, or --evolve, and the log ratios of words that truly have at least one in a hundred of the topic's words are compared
with those of the simulation: of one group against the other, or of the last level against the first.

    content.py build/release/gibbous --words 60 --redraws 40
    content.py build/release/gibbous --words 60 --levels --redraws 40
"""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import tempfile

import numpy as np

DOCUMENTS, TOPICS, VOCABULARY, LEVELS, LEAST = 300, 3, 60, 6, 0.01


def word(i):
    return "bcdfgh"[i // 10] + "aeiou"[i // 2 % 5] + "kl"[i % 2] + "q"


def simulate(random, arguments, path):
    """Write documents; the words of each topic in each group."""
    n = LEVELS if arguments.levels else 2
    common = random.dirichlet(np.full(VOCABULARY, 0.1), TOPICS)
    phi = np.zeros((TOPICS, n, VOCABULARY))
    for k in range(TOPICS):
        concentration = np.exp(random.uniform(np.log(30), np.log(1000)))
        above = common[k]
        for g in range(n):
            phi[k, g] = random.dirichlet(concentration * above + 1e-12)
            above = phi[k, g] if arguments.levels else above
    if arguments.same:
        phi[:] = common[:, None, :]
    group = np.arange(DOCUMENTS) % n
    with path.open("w") as file:
        for d in range(DOCUMENTS):
            theta = random.dirichlet(np.full(TOPICS, 0.3))
            topics = random.choice(TOPICS, arguments.words, p=theta)
            text = " ".join(word(random.choice(VOCABULARY, p=phi[k, group[d]])) for k in topics)
            file.write(json.dumps({"text": text, "g": str(int(group[d]))}) + "\n")
    return phi


def rows_of(arguments, model, question):
    ask = f"{arguments.gibbous} ask {question} -m {model} --words {VOCABULARY} --table csv -q"
    answer = subprocess.run(ask.split(), check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(answer)))


def fit(arguments, folder, seed):
    """Rows of the log ratios."""
    model = folder / "model.gibbous"
    option = "evolve" if arguments.levels else "content"
    train = f"{arguments.gibbous} train {folder}/docs.jsonl -k 3 --min-df 1 --chains 1 --sweeps 600 --burn-in 200"
    subprocess.run(
        [*train.split(), f"--{option}", "g", "--snapshots", "40", "--seed", str(seed), "-m", model, "-qf"],
        check=True,
    )
    return rows_of(arguments, model, "evolution" if arguments.levels else "content")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gibbous")
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--levels", action="store_true")
    parser.add_argument("--same", action="store_true", help="groups have the same words")
    parser.add_argument("--redraws", type=int, default=40)
    arguments = parser.parse_args()
    held, excluded, mixed = [], [], 0
    number = {word(i): i for i in range(VOCABULARY)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for redraw in range(arguments.redraws):
            random = np.random.default_rng(7919 * redraw + arguments.words)
            phi = simulate(random, arguments, folder / "docs.jsonl")
            share = {}
            for row in fit(arguments, folder, redraw + 1):
                share.setdefault(row["topic"], {})[number[row["word"]]] = row
            true = {topic: match(rows, phi, arguments) for topic, rows in share.items()}
            if len(set(true.values())) < TOPICS:
                mixed += 1
                continue
            for topic, rows in share.items():
                k = true[topic]
                for i, row in rows.items():
                    if min(phi[k, 0, i], phi[k, -1, i]) < LEAST:
                        continue
                    truth = np.log(phi[k, -1, i] / phi[k, 0, i])
                    if not arguments.levels and row["group"] == "0":
                        truth = -truth
                    low, high = float(row["q05"]), float(row["q95"])
                    held.append(low <= truth <= high)
                    excluded.append(low > 0 or high < 0)
    print(
        f"intervals {len(held)}, hold the truth {np.mean(held):.3f}, exclude 0 {np.mean(excluded):.3f}; "
        f"{mixed} redraws whose topics were not told apart"
    )


def match(rows, phi, arguments):
    """The true topic whose words are those of the model's."""
    first, last = ("first", "last") if arguments.levels else ("share", "share_elsewhere")
    mean = np.zeros(VOCABULARY)
    for i, row in rows.items():
        mean[i] = float(row[first]) + float(row[last])
    return int(np.argmax([mean @ phi[k].sum(axis=0) / np.linalg.norm(phi[k].sum(axis=0)) for k in range(TOPICS)]))


main()
