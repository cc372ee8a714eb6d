#!/usr/bin/env python3
"""How often groups of documents are called different that are not: parties are shuffled over whole addresses of presidents, or over
passages, and the topics are counted whose difference between the parties has not 0 in it.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/clusters.py [--shuffles 8] [--topics 20]

Prints for each way the share of topics without 0 between 5 % and 95 %, and of those further from 0 than 1.96 standard
deviations.  Intervals that hold give 0.10 and 0.05.
"""
import argparse
import csv
import gzip
import io
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", str(HERE / "../../build/release/gibbous"))
PARTIES = ("Democratic", "Republican")


def passages():
    """Every third passage of the two parties since 1860."""
    with gzip.open(Path(os.environ["GIBBOUS_DATA"]) / "sotu/sotu_passages.jsonl.gz", "rt", encoding="utf-8") as f:
        rows = [r for r in map(json.loads, f) if r["party"] in PARTIES and r["year"] >= 1860]
    return rows[::3]


def shuffled(rows, unit, seed):
    party = {r[unit]: r["party"] for r in rows}
    names, values = sorted(party), [party[n] for n in sorted(party)]
    random.Random(seed).shuffle(values)
    return dict(zip(names, values))


def run(*arguments):
    done = subprocess.run([GIBBOUS, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"gibbous {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def count(folder, rows, unit, seed, topics, *options):
    party = shuffled(rows, unit, seed)
    corpus, model = folder / "d.jsonl", folder / "m.gibbous"
    with open(corpus, "w", encoding="utf-8") as f:
        for r in rows:
            f.write(json.dumps({"address": r["address"], "party": party[r[unit]], "text": r["text"]}) + "\n")
    run("train", corpus, "--group", "party", "--prior", "graph", "-k", topics, "--stopwords", "en", "--min-df", 10,
        "--sweeps", 300, "--burn-in", 150, "--threads", 1, "-q", "-f", "-m", model, *options)
    table = csv.DictReader(io.StringIO(run("effects", "-m", model, "--contrast", ",".join(PARTIES), "--table", "csv")))
    found = [[float(r[c]) for c in ("q05", "q95", "mean", "sd")] for r in table]
    return [low > 0 or high < 0 for low, high, _, _ in found], [abs(mean) > 1.96 * sd for _, _, mean, sd in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffles", type=int, default=8)
    parser.add_argument("--topics", type=int, default=20)
    a = parser.parse_args()
    rows = passages()
    with tempfile.TemporaryDirectory() as folder:
        for name, unit, options in (("passages", "id", ()), ("addresses", "address", ()),
                                    ("addresses, --cluster", "address", ("--cluster", "address"))):
            done = [count(Path(folder), rows, unit, s, a.topics, *options) for s in range(1, a.shuffles + 1)]
            shares = [sum(map(sum, column)) / sum(map(len, column)) for column in zip(*done)]
            print(f"{name:22} {shares[0]:.3f} {shares[1]:.3f}", flush=True)


if __name__ == "__main__":
    main()
