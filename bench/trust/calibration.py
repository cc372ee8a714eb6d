#!/usr/bin/env python3
"""Do probabilities say how often they come true, and do 90 % intervals of numbers hold 90 % of new numbers?

Trains with all defaults on the training part of each corpus of bench/defaults, and evaluates on the test part:

    GIBBOUS_DATA=/path/to/data bench/trust/calibration.py [--responses hinge,logistic] [--documents 3000] [--seeds 1] [CORPUS...]

--documents takes so many training documents at most, drawn at random, and GIBBOUS another program than the one in build/release.
The table is in Markdown.  `pairs above 0.9` is the share of what was given a probability above 0.9 and came true.

--folds 5 cuts all documents of a corpus with one class each into five parts instead, predicts each part by a training on the others, and
looks at all documents together.  `chance` is the mean ECE of labels that are drawn from the very probabilities.

Cut-offs of several labels: --options "--cut-off none" and "--cut-off accuracy" train the same chains.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "defaults"))
import run  # noqa: E402  the corpora

GIBBOUS = os.environ.get("GIBBOUS", str(HERE.parents[1] / "build/release/gibbous"))
CLASSES = ["hotels5", "class3", "genre1", "genres", "newsgroups", "party", "reuters", "bibtex", "imdb"]
NUMBERS = ["reviews", "hotels", "year", "votes", "runtime"]
ORDINAL = {"hotels5"}
run.CORPORA["popular"] = (["movies_tmdb/tmdb_5000"], [], ["--target", "vote_count"], 50, "r2")
run.CORPORA["runtime"] = (["movies_tmdb/tmdb_5000"], [], ["--target", "runtime"], 50, "r2")
run.CORPORA["bibtex"] = ([], [], ["--labels", "labels"], 100, "micro_f1")  # bench/accuracy/prepare.py reads it
run.CORPORA["year"] = (["sotu/sotu_passages"], [], ["--target", "year"], 50, "r2")
run.CORPORA["keywords"] = (["movies_tmdb/tmdb_5000"], [], ["--target", "n_keywords"], 50, "r2")
run.CORPORA["words"] = (["movie_review_scale/scale_subjective"], [], ["--target", "n_words"], 50, "r2")
run.CORPORA["places"] = (["reuters21578/reuters_modapte_train"], ["reuters21578/reuters_modapte_test"], ["--target", "n_places"], 50, "r2")
COUNTS = ["popular", "keywords", "words", "places"]


def read_and_count(names, read=run.read):
    """Documents, with the number of keywords or places, or of words of the whole review."""
    documents = read(names)
    for d in documents:
        d.update({f"n_{field}": len(d[field]) for field in ("keywords", "places") if field in d})
    if "movie_review_scale/scale_subjective" in names:
        for d, whole in zip(documents, read(["movie_review_scale/scale_whole"])):
            d["n_words"] = len(whole["text"].split())
    return documents


run.read = read_and_count


def prepare(name, most, folder):
    if name == "bibtex":
        program = HERE.parent / "accuracy/prepare.py"
        subprocess.run([sys.executable, program, name, os.environ["GIBBOUS_DATA"], folder], check=True)
        return
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


def predict_folds(name, response, seed, n_folds, folder):
    """Of each document the probability of the class predicted for it, and whether it has this class."""
    options, topics = run.CORPORA[name][2:4]
    documents = [d for part in run.split(name, "test") for d in part]
    random.Random(2).shuffle(documents)
    pairs = []
    for fold in range(n_folds):
        held_out = documents[fold::n_folds]
        for file, part in (("train", [d for i, d in enumerate(documents) if i % n_folds != fold]), ("test", held_out)):
            with open(folder / f"{file}.jsonl", "w", encoding="utf-8") as out:
                for d in part:
                    out.write(json.dumps({k: d[k] for k in ("id", "text", options[1])}) + "\n")
        gibbous("train", folder / "train.jsonl", *options, *run.WORDS, "-k", topics, "--seed", seed, "--threads", "1", "-q", "-f",
                "-m", folder / "m", *response)
        out, _ = gibbous("predict", folder / "test.jsonl", "-m", folder / "m", "--threads", "1", "-q")
        for d, row in zip(held_out, csv.DictReader(out.splitlines())):
            pairs.append((float(row["p_" + row["predicted"]]), row["predicted"] == str(d[options[1]])))
    return pairs


def calibration_error(pairs):
    bins = [0.0] * 10
    for p, happened in pairs:
        bins[min(int(10 * p), 9)] += happened - p
    return sum(map(abs, bins)) / len(pairs)


def show_folds(name, response, seed, pairs):
    draw = random.Random(3).random
    chance = statistics.mean(calibration_error([(p, draw() < p) for p, _ in pairs]) for _ in range(200))
    n = len(pairs)
    print(f"| {name} | {response} | {seed} | {n} | {sum(h for _, h in pairs) / n:.3f} | {sum(p for p, _ in pairs) / n:.3f} "
          f"| {calibration_error(pairs):.3f} | {chance:.3f} |", flush=True)


def measure_folds(given):
    print("| corpus | response | seed | n | accuracy | mean probability | ECE | chance |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for name in given.corpora:
        for response in given.responses.split(","):
            for seed in range(1, given.seeds + 1):
                with tempfile.TemporaryDirectory() as scratch:
                    more = ["--response", response, *given.options.split()]
                    show_folds(name, response, seed, predict_folds(name, more, seed, given.folds, pathlib.Path(scratch)))


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
    parser.add_argument("--folds", type=int, default=0)
    given = parser.parse_args()
    if given.folds > 0:
        measure_folds(given)
        return
    print("| corpus | response | seed | n | accuracy | micro F1 | macro F1 | R2 | log loss | ECE | pairs above 0.9 | coverage | CPU s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in given.corpora or CLASSES + NUMBERS + COUNTS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            prepare(name, given.documents, folder)
            responses = [["--response", r] for r in given.responses.split(",")] if name in CLASSES else [["--response", "negative-binomial"] if name in COUNTS else []]
            responses += [["--response", "ordinal"]] if name in ORDINAL else []
            for response in responses:
                for seed in range(1, given.seeds + 1):
                    scores, seconds = measure(name, response + given.options.split(), seed, folder)
                    show(name, response[-1] if response else "gaussian", seed, scores, seconds)


main()
