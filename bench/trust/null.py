#!/usr/bin/env python3
"""How often noise is called an effect: labels and numbers are shuffled over documents, and the 90 % intervals that exclude 0
are counted.

    GIBBOUS_DATA=FOLDER [GIBBOUS=PROGRAM] bench/trust/null.py [--shuffles 20] [--topics 20] [--documents N] [--corpora hotels movies news]
        [--responses hinge logistic probit gaussian insensitive negative-binomial]

Each run trains on half of the documents (train --estimate-on 0.5, all else by default) and prints, by corpus and response,
the share of topics whose interval from 5 % to 95 % has not 0 in it, on the other half (effects DOCUMENTS).  Intervals that hold give
0.10.  The standard error is over shuffles, since topics of one shuffle depend on each other.
"""
import argparse
import csv
import gzip
import io
import json
import os
import random
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", str(HERE / "../../build/release/gibbous"))
CLASSES = ("hinge", "logistic", "probit")


def rows(path):
    with gzip.open(Path(os.environ["GIBBOUS_DATA"]) / path, "rt", encoding="utf-8") as f:
        yield from map(json.loads, f)


def hotels():
    for r in rows("hotel_reviews/tripadvisor_2000.jsonl.gz"):
        yield r["text"], "high" if r["rating"] >= 5 else "low", r["rating"], r["rating"]


def movies():
    for r in rows("movies_tmdb/tmdb_5000.jsonl.gz"):
        yield r["text"], "good" if r["vote_average"] >= 6.5 else "bad", r["vote_average"], len(r["keywords"])


def news():
    groups = ("comp.graphics", "rec.autos", "sci.med", "talk.politics.guns")
    for r in rows("20news/20news_bydate_train.jsonl.gz"):
        if r["label"] in groups:
            n = len(r["text"].split())
            yield r["text"], r["label"], round(n**0.25, 3), n // 100


CORPORA = {"hotels": hotels, "movies": movies, "news": news}


def run(*arguments):
    done = subprocess.run([GIBBOUS, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"gibbous {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def share_clear(table):
    topics = [r for r in csv.DictReader(io.StringIO(table)) if r["kind"] == "topic"]
    return statistics.mean(float(r["q05"]) > 0 or float(r["q95"]) < 0 for r in topics)


def one(folder, docs, response, shuffle, topics):
    """Share of topics with a clear effect on documents held out."""
    rng = random.Random(shuffle)
    texts = [d[0] for d in docs]
    y = [d[1 if response in CLASSES else 3 if response == "negative-binomial" else 2] for d in docs]
    rng.shuffle(y)
    name = folder / f"{response}{shuffle}"
    corpus, model = f"{name}.jsonl", f"{name}.gibbous"
    with open(corpus, "w", encoding="utf-8") as f:
        for text, value in zip(texts, y):
            f.write(json.dumps({"text": text, "y": value}) + "\n")
    field = "--label" if response in CLASSES else "--target"
    run("train", corpus, field, "y", "--response", response, "-k", topics, "--stopwords", "en", "--min-df", 5,
        "--estimate-on", 0.5, "--seed", shuffle, "--threads", 1, "-q", "-m", model)
    honest = share_clear(run("effects", corpus, "-m", model, "-q", "--threads", 1, "--table", "csv"))
    os.remove(corpus)
    os.remove(model)
    return honest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffles", type=int, default=20)
    parser.add_argument("--topics", type=int, default=20)
    parser.add_argument("--documents", type=int, default=0, help="a random part of each corpus; 0: all")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--corpora", nargs="+", default=["hotels", "movies"], choices=CORPORA)
    parser.add_argument("--responses", nargs="+", default=[*CLASSES, "gaussian", "insensitive", "negative-binomial"])
    a = parser.parse_args()
    print(f"{'corpus':8} {'response':18} {'shuffles':>8} {'held out':>9} {'s.e.':>6}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(a.jobs) as pool:
        for corpus in a.corpora:
            docs = list(CORPORA[corpus]())
            if 0 < a.documents < len(docs):
                docs = random.Random(1).sample(docs, a.documents)
            for response in a.responses:
                honest = list(pool.map(lambda s: one(Path(folder), docs, response, s, a.topics), range(1, a.shuffles + 1)))
                error = statistics.stdev(honest) / len(honest) ** 0.5 if len(honest) > 1 else float("nan")
                print(f"{corpus:8} {response:18} {len(honest):8} {statistics.mean(honest):9.3f} {error:6.3f}", flush=True)


if __name__ == "__main__":
    main()
