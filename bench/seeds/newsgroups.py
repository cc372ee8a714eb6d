#!/usr/bin/env python3
"""Do seed words bring topics to their classes, and keep them there?  20 Newsgroups, five words for each of ten classes.

    GIBBOUS_DATA=/path/to/data bench/seeds/newsgroups.py [--topics 50] [--sweeps 1000] [--seeds 3] [--strengths auto,0.3,1,3]
        [--responses none,hinge,logistic]

Topics are learnt without labels (response none) and with the 20 classes, with seeds and without.  For each named topic:

    documents  of the 50 documents with the largest shares of it, the share of its class
    words      of its 20 most probable words, the share that are more frequent in its class than in any other

With no seeds, a class has the topic that suits it best by `documents` - chosen with the labels in view, which no user can do.  `place` counts
the topics for which the class of the name is the most frequent one among the 50 documents.  `accuracy` is that of the classes of the test
documents.  GIBBOUS names another program.
"""
import argparse
import collections
import csv
import gzip
import io
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", str(HERE.parents[1] / "build/release/gibbous"))
SEEDS = {
    "rec.autos": "car cars engine ford dealer",
    "rec.motorcycles": "bike motorcycle ride riding dod",
    "rec.sport.baseball": "baseball pitcher hit inning braves",
    "rec.sport.hockey": "hockey nhl playoffs leafs goalie",
    "sci.crypt": "encryption clipper key crypto nsa",
    "sci.med": "disease doctor patients medical symptoms",
    "sci.space": "space nasa orbit shuttle moon",
    "talk.politics.guns": "gun guns firearms weapon firearm",
    "talk.politics.mideast": "israel armenian israeli turkish arab",
    "comp.windows.x": "window motif server xterm widget",
}


def run(*arguments):
    return subprocess.run([GIBBOUS, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def measure(corpus, classes, counts, model):
    """For each topic its documents' classes and its words, as (share of each class, share of words by class)."""
    shares = list(csv.reader(io.StringIO(run("infer", corpus, "-m", model, "-q"))))
    header, rows = shares[0], shares[1:]
    first = header.index("topic_1")
    words = collections.defaultdict(list)
    for line in run("topics", "-m", model, "--words", 20, "--table", "jsonl").splitlines():
        row = json.loads(line)
        words[int(row["topic"]) - 1] = row["words"].split()
    out = []
    for k in range(len(header) - first):
        top = sorted(range(len(rows)), key=lambda d: -float(rows[d][first + k]))[:50]
        documents = collections.Counter(classes[d] for d in top)
        mine = collections.Counter(max(counts[w], key=counts[w].get) for w in words[k] if counts[w])
        out.append(({c: n / 50 for c, n in documents.items()}, {c: n / 20 for c, n in mine.items()}))
    return out


def named(topics):
    return [(topics[i][0].get(c, 0), topics[i][1].get(c, 0), max(topics[i][0], key=topics[i][0].get) == c) for i, c in enumerate(SEEDS)]


def chosen(topics):
    best = [max(topics, key=lambda t, c=c: t[0].get(c, 0)) for c in SEEDS]
    return [(t[0].get(c, 0), t[1].get(c, 0), max(t[0], key=t[0].get) == c) for t, c in zip(best, SEEDS)]


def accuracy(test, model):
    return float(re.search(r"^accuracy +([0-9.]+)", run("evaluate", test, "-m", model), re.M)[1])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--topics", type=int, default=50)
    p.add_argument("--sweeps", type=int, default=1000)
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--strengths", default="auto,1")
    p.add_argument("--responses", default="none,hinge,logistic")
    p.add_argument("--words-each", type=int, default=5)
    a = p.parse_args()
    if "GIBBOUS_DATA" not in os.environ:
        sys.exit("GIBBOUS_DATA is not set: skipped")
    source = pathlib.Path(os.environ["GIBBOUS_DATA"]) / "20news/20news_bydate_train.jsonl.gz"
    with tempfile.TemporaryDirectory() as folder:
        corpus, test, model, seeds = (os.path.join(folder, n) for n in ("train.gbc", "test.gbc", "m.gibbous", "seeds.txt"))
        for path, out in ((source, corpus), (str(source).replace("train", "test"), test)):
            run("import", path, "--label", "label", "--stopwords", "en", "--min-df", 5 if out == corpus else 1, "-o", out, "-q")
        classes, counts = [], collections.defaultdict(collections.Counter)
        with gzip.open(source, "rt") as f:
            for line in f:
                document = json.loads(line)
                classes.append(document["label"])
                for w in re.findall(r"[^\W\d_]{2,}", document["text"].casefold()):
                    counts[w][document["label"]] += 1
        size = collections.Counter(classes)
        for w in counts:
            for c in counts[w]:
                counts[w][c] /= size[c]
        pathlib.Path(seeds).write_text("".join(f"{c}: {' '.join(w.split()[:a.words_each])}\n" for c, w in SEEDS.items()))
        print("| response | seeds | seed | place, of 10 | documents | words | accuracy |\n|---|---|---:|---:|---:|---:|---:|")
        for response in a.responses.split(","):
            for strength in ["none", *a.strengths.split(",")]:
                for seed in range(1, a.seeds + 1):
                    options = [] if strength == "none" else ["--seeds", seeds, "--seed-strength", strength]
                    run("train", corpus, "-m", model, "-f", "-q", "--response", response, "-k", a.topics, "--chains", 1, "--seed", seed,
                        "--threads", 1, "--sweeps", a.sweeps, "--snapshots", 5, *options)
                    topics = measure(corpus, classes, counts, model)
                    rows = chosen(topics) if strength == "none" else named(topics)
                    d, w, place = (statistics.mean(r[i] for r in rows) for i in range(3))
                    right = "" if response == "none" else f"{accuracy(test, model):.3f}"
                    print(f"| {response} | {strength} | {seed} | {place * 10:.0f} | {d:.3f} | {w:.3f} | {right} |", flush=True)


main()
