#!/usr/bin/env python3
"""Do probabilities say how often they come true, and do 90 % intervals of numbers hold 90 % of new numbers?

Trains with all defaults on the training part of each corpus of bench/defaults, and evaluates on the test part:

    GIBBOUS_DATA=/path/to/data bench/trust/calibration.py [--responses hinge,logistic] [--documents 3000] [--seeds 1] [CORPUS...]

--documents takes so many training documents at most, drawn at random, and GIBBOUS another program than the one in build/release.
The table is in Markdown.  `pairs above 0.9` is the share of what was given a probability above 0.9 and came true.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "defaults"))
import run  # noqa: E402  the corpora

GIBBOUS = os.environ.get("GIBBOUS", str(HERE.parents[1] / "build/release/gibbous"))
CLASSES = ["hotels5", "class3", "genre1", "genres", "newsgroups", "party", "reuters", "imdb"]
NUMBERS = ["reviews", "hotels", "year", "votes", "runtime", "popular"]
ORDINAL = {"hotels5"}
run.CORPORA["popular"] = (["movies_tmdb/tmdb_5000"], [], ["--target", "vote_count"], 50, "r2")
run.CORPORA["runtime"] = (["movies_tmdb/tmdb_5000"], [], ["--target", "runtime"], 50, "r2")
run.CORPORA["year"] = (["sotu/sotu_passages"], [], ["--target", "year"], 50, "r2")
COUNTS = {"popular": ["--response", "negative-binomial"]}


def prepare(name, most, folder):
    train, test = run.split(name, "test")
    if len(train) > most:
        train = random.Random(1).sample(train, most)
    fields = ("id", "text", *run.CORPORA[name][2][1::2])
    known = {str(label) for d in train for label in labels_of(d, fields[2])}
    for file, documents in (("train", train), ("test", test)):
        with open(folder / f"{file}.jsonl", "w", encoding="utf-8") as out:
            for d in documents:
                if all(str(label) in known for label in labels_of(d, fields[2])) or "--target" in run.CORPORA[name][2]:
                    out.write(json.dumps({k: d[k] for k in fields}) + "\n")


def labels_of(document, field):
    value = document[field]
    return value if isinstance(value, list) else [value]


def gibbous(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([GIBBOUS, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"gibbous {' '.join(map(str, arguments))}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def above(scores, least):
    bins = [b for b in run_find(scores, "reliability") or [] if b["low"] > least - 0.01 and b["n"] > 0]
    n = sum(b["n"] for b in bins)
    return sum(b["share"] * b["n"] for b in bins) / n if n else float("nan")


def run_find(tree, key):
    if isinstance(tree, dict):
        if key in tree:
            return tree[key]
        tree = list(tree.values())
    for branch in tree if isinstance(tree, list) else []:
        found = run_find(branch, key)
        if found is not None:
            return found
    return None


def measure(name, response, seed, folder):
    options, topics = run.CORPORA[name][2:4]
    train = ["train", folder / "train.jsonl", *options, *run.WORDS, "-k", topics, "--seed", seed, "--threads", "1", "-q", "-f",
             "-m", folder / "m", *response]
    _, seconds = gibbous(*train)
    out, _ = gibbous("evaluate", folder / "test.jsonl", "-m", folder / "m", "--threads", "1", "--json", "-q")
    return json.loads(out), seconds


def show(name, response, seed, scores, seconds):
    cells = [name, response, str(seed), str(run_find(scores, "n"))]
    for key in ("accuracy", "micro_f1", "macro_f1", "r2", "log_loss", "ece"):
        value = run_find(scores, key)
        cells.append(f"{value:.3f}" if isinstance(value, float) else "")
    value = run_find(scores, "coverage_90")
    cells += [f"{above(scores, 0.9):.3f}", f"{value:.3f}" if isinstance(value, float) else "", f"{seconds:.0f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--responses", default="hinge,logistic")
    parser.add_argument("--documents", type=int, default=10**9)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--options", default="", help="more options of train")
    given = parser.parse_args()
    print("| corpus | response | seed | n | accuracy | micro F1 | macro F1 | R2 | log loss | ECE | pairs above 0.9 | coverage | CPU s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in given.corpora or CLASSES + NUMBERS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            prepare(name, given.documents, folder)
            responses = [["--response", r] for r in given.responses.split(",")] if name in CLASSES else [COUNTS.get(name, [])]
            responses += [["--response", "ordinal"]] if name in ORDINAL else []
            for response in responses:
                for seed in range(1, given.seeds + 1):
                    scores, seconds = measure(name, response + given.options.split(), seed, folder)
                    show(name, response[-1] if response else "gaussian", seed, scores, seconds)


main()
