#!/usr/bin/env python3
"""Effects of metadata beside those of the R package stm, topic by topic, where R has it.

FOLDER has docs.ldac, vocabulary.txt and metadata.csv.  Both programs get the same counts.  Topics are paired so that the cosines
of their probabilities of words add up to most.  A row has a topic's first words, the cosine, and differences of expected shares in
points of percent with 90 percent intervals: of stm, of gibbous, and of gibbous with further terms (--also).

    stm_figures.py build/release/gibbous FOLDER -k 20 --formula "rating + s(day)" --also "(1|blog)" \\
        --contrast rating Liberal Conservative --curve day 1,60,120,180,240,300,366
"""

import argparse
import csv
import io
import json
import pathlib
import shutil
import subprocess

import numpy as np
from scipy.optimize import linear_sum_assignment


def write_texts(folder):
    vocabulary = (folder / "vocabulary.txt").read_text().split("\n")
    metadata = csv.DictReader((folder / "metadata.csv").open())
    with (folder / "docs.jsonl").open("w") as file:
        for fields, line in zip(metadata, (folder / "docs.ldac").open()):
            pairs = [pair.split(":") for pair in line.split()[1:]]
            text = " ".join(" ".join([vocabulary[int(w)]] * int(n)) for w, n in pairs)
            file.write(json.dumps({"text": text, **fields}) + "\n")
    return [word for word in vocabulary if word]


def ask(gibbous, model, *question):
    run = [gibbous, "ask", *question, "-m", model, "--table", "csv", "-q"]
    text = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


class Fit:
    """Topics, differences and curves of one program, by its numbers of topics."""

    def __init__(self, phi, effects, curve):
        self.phi, self.effects, self.curve = phi, effects, curve


def gibbous_fit(arguments, folder, words, formula):
    model = folder / "model.gibbous"
    train = f"-k {arguments.topics} --min-df 1 --prior logistic-normal --chains 1 --seed {arguments.seed}"
    train += (
        f" --sweeps {arguments.sweeps} --burn-in {arguments.sweeps // 2} --impute mean"
    )
    run = [
        arguments.gibbous,
        "train",
        folder / "docs.jsonl",
        "--token-pattern",
        r"\S+",
        *train.split(),
    ]
    subprocess.run([*run, "--prevalence", formula, "-m", model, "-qf"], check=True)
    phi = np.zeros((arguments.topics, len(words)))
    number = {word: i for i, word in enumerate(words)}
    for row in ask(arguments.gibbous, model, "topic-words", "--words", "200"):
        if row["word"] in number:
            phi[int(row["topic"]) - 1, number[row["word"]]] = float(row["probability"])
    field, value, minus = arguments.contrast
    found = ask(
        arguments.gibbous,
        model,
        "prevalence-contrasts",
        "--contrast",
        f"{field}={value},{minus}",
    )
    effects = {
        int(r["topic"]) - 1: [float(r[x]) for x in ("mean", "q05", "q95")]
        for r in found
    }
    curve = {}
    if arguments.curve:
        for r in ask(
            arguments.gibbous, model, "prevalence", "--at", "=".join(arguments.curve)
        ):
            curve.setdefault(int(r["topic"]) - 1, []).append(
                [float(r[x]) for x in ("mean", "q05", "q95")]
            )
    return Fit(phi, effects, curve)


def stm_fit(arguments, folder):
    if shutil.which("Rscript") is None:
        return None
    script = pathlib.Path(__file__).with_name("stm_effects.R")
    field, value, minus = arguments.contrast
    formula = f"~ {arguments.formula}"
    run = [
        "Rscript",
        script,
        folder,
        str(arguments.topics),
        formula,
        field,
        value,
        minus,
    ]
    if arguments.curve:
        run += [arguments.curve[1], arguments.curve[0]]
    done = subprocess.run(run, capture_output=True, text=True)
    if done.returncode != 0:
        print("no stm:", done.stderr.strip().splitlines()[-1])
        return None
    print(done.stdout.strip())
    effects = {
        int(r["topic"]) - 1: [float(r[x]) for x in ("mean", "q05", "q95")]
        for r in csv.DictReader((folder / "effects.csv").open())
    }
    curve = {}
    for r in (
        csv.DictReader((folder / "curve.csv").open())
        if (folder / "curve.csv").exists()
        else []
    ):
        curve.setdefault(int(r["topic"]) - 1, []).append(
            [float(r[x]) for x in ("mean", "q05", "q95")]
        )
    return Fit(
        np.loadtxt(folder / "topics.csv", delimiter=",", skiprows=1), effects, curve
    )


def pairs(one, other):
    """Topics of the other, for each of the one; and cosines."""
    a, b = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (one.phi, other.phi))
    cosine = a @ b.T
    _, of = linear_sum_assignment(-cosine)
    return of, cosine[np.arange(len(of)), of]


def shown(effect):
    mean, low, high = (100 * x for x in effect)
    return f"{mean:+.1f} ({low:+.1f} to {high:+.1f})"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gibbous")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-k", dest="topics", type=int, default=20)
    parser.add_argument("--formula", required=True)
    parser.add_argument("--also", default="")
    parser.add_argument(
        "--contrast", nargs=3, metavar=("FIELD", "VALUE", "MINUS"), required=True
    )
    parser.add_argument("--curve", nargs=2, metavar=("FIELD", "VALUES"))
    parser.add_argument("--near", type=float, default=0.8)
    parser.add_argument("--sweeps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    words = write_texts(arguments.folder)
    formulas = [arguments.formula] + [f"{arguments.formula} + {arguments.also}"] * bool(
        arguments.also
    )
    fits = [gibbous_fit(arguments, arguments.folder, words, f) for f in formulas]
    names = [f"gibbous, {f}" for f in formulas]
    stm = stm_fit(arguments, arguments.folder)
    if stm is not None:
        fits.insert(0, stm)
        names.insert(0, f"stm, {arguments.formula}")
    first = fits[0]
    matched = [pairs(first, fit) for fit in fits]
    print("| words | cosine | " + " | ".join(names) + " |")
    print("|---|---:|" + "---|" * len(fits))
    for k in sorted(range(arguments.topics), key=lambda k: -first.effects[k][0]):
        top = " ".join(words[w] for w in np.argsort(-first.phi[k])[:4])
        cells = [shown(fit.effects[int(of[k])]) for fit, (of, _) in zip(fits, matched)]
        print(
            f"| {top} | {matched[min(1, len(fits) - 1)][1][k]:.2f} | "
            + " | ".join(cells)
            + " |"
        )
    if len(fits) == 1:
        return
    near = [k for k in range(arguments.topics) if matched[1][1][k] > arguments.near]
    effect = [
        np.array([fit.effects[int(of[k])] for k in near])
        for fit, (of, _) in zip(fits, matched)
    ]
    for name, x in zip(names, effect):
        overlap = np.mean((x[:, 1] <= effect[0][:, 2]) & (x[:, 2] >= effect[0][:, 1]))
        print(
            f"{name}: {len(near)} topics with a cosine above {arguments.near}; correlation of effects {np.corrcoef(x[:, 0], effect[0][:, 0])[0, 1]:.3f}, "
            f"mean width of intervals {100 * np.mean(x[:, 2] - x[:, 1]):.2f} points, intervals that meet {overlap:.2f}, "
            f"exclude 0 {np.mean((x[:, 1] > 0) | (x[:, 2] < 0)):.2f}"
        )
    if arguments.curve:
        curve = [
            np.array([fit.curve[int(of[k])] for k in near])
            for fit, (of, _) in zip(fits, matched)
        ]
        for name, x in zip(names, curve):
            print(
                f"{name}: curves: correlation {np.corrcoef(x[:, :, 0].ravel(), curve[0][:, :, 0].ravel())[0, 1]:.3f}, root mean square of "
                f"differences {100 * np.sqrt(np.mean((x[:, :, 0] - curve[0][:, :, 0]) ** 2)):.2f} points, least share {100 * x[:, :, 1].min():.2f} %"
            )
        for k in near[:4]:
            print(" ".join(words[w] for w in np.argsort(-first.phi[k])[:4]))
            for name, fit, (of, _) in zip(names, fits, matched):
                print(
                    "   ",
                    name,
                    " ".join(f"{100 * m:.1f}" for m, _, _ in fit.curve[int(of[k])]),
                )


main()
