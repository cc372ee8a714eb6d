#!/usr/bin/env python3
"""Does `gibbous select` end where it should?  Its choice beside every candidate on documents that it never saw.

    GIBBOUS_DATA=/path/to/data bench/select/run.py [newsgroups|reviews|abstracts]... [--threads N]

For each task, the grid of topics and cost is searched in folds of the training documents, once as it is and once with --halving
sweeps.  Then each candidate is trained on all training documents and scored on the test documents: that is the best in
hindsight.  A choice is good if its score there is within one standard error of the best one: of the best one's score over
the test documents.  Printed too: seconds of the search, and how they compare with the seconds of its fits over the threads.

Needs the standard library only.  GIBBOUS names the program (default build/release/gibbous).
"""
import argparse
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
GIBBOUS = os.environ.get("GIBBOUS", str(HERE.parents[1] / "build" / "release" / "gibbous"))
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
TOPICS = ["20", "50", "100", "200"]


def documents(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write(rows, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def newsgroups(data, work):
    """alt.atheism against talk.religion.misc, the binary task of the MedLDA papers."""
    classes = ("alt.atheism", "talk.religion.misc")
    for part in ("train", "test"):
        rows = [d for d in documents(data / "20news" / f"20news_bydate_{part}.jsonl.gz") if d["label"] in classes]
        write([{k: d[k] for k in ("id", "text", "label")} for d in rows], work / f"{part}.jsonl")
    return ["--label", "label"], {"cost": ["1", "8", "64"]}, "accuracy"


def reviews(data, work):
    """The ratings of films, from 0 to 1."""
    rows = documents(data / "movie_review_scale" / "scale_subjective.jsonl.gz")
    for part, kept in (("train", [d for i, d in enumerate(rows) if i % 5]), ("test", rows[::5])):
        write([{k: d[k] for k in ("id", "text", "rating")} for d in kept], work / f"{part}.jsonl")
    return ["--target", "rating"], {"cost": ["1", "16"]}, "r2"


def abstracts(data, work):
    """A quarter of the abstracts of computational linguistics papers, without a response."""
    rows = documents(data / "acl_abstracts" / "acl_abstracts.jsonl.gz")[::4]
    for part, kept in (("train", [d for i, d in enumerate(rows) if i % 5]), ("test", rows[::5])):
        write([{k: d[k] for k in ("id", "text")} for d in kept], work / f"{part}.jsonl")
    return ["--response", "none"], {}, "perplexity"


TASKS = {f.__name__: f for f in (newsgroups, reviews, abstracts)}


def run(*arguments):
    return subprocess.run([GIBBOUS, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


def labels(fields):
    """The options that name what to predict."""
    return [] if "none" in fields else fields


def lists(grid):
    return [word for name, values in grid.items() for word in (f"--{name}", ",".join(values))]


def search(work, fields, grid, options, threads, *more):
    return json.loads(run("select", work / "train.gbc", *fields, *lists(grid), *options, "--folds", 5, "--threads", threads, "-q",
                          "--json", *more))


def hindsight(work, fields, settings, options, threads, criterion):
    """The score of a candidate on the test documents, and its standard error over them."""
    chosen = [word for name, value in settings.items() for word in (f"--{name}", value)]
    model, rows = work / "model.gibbous", work / "rows.jsonl"
    run("train", work / "train.gbc", *fields, *chosen, *options, "--threads", threads, "-q", "-f", "-m", model)
    scores = json.loads(run("evaluate", work / "test.jsonl", *labels(fields), "-m", model, "-q", "--json", "--held-out", "completion"))
    if criterion == "accuracy":
        section = scores.get("label", scores)
        return section["accuracy"], math.sqrt(section["accuracy"] * (1 - section["accuracy"]) / section["n"])
    if criterion == "perplexity":
        held_out = scores["held_out"]
        return held_out["perplexity"], held_out["perplexity"] * held_out["se"]
    run("predict", work / "test.jsonl", "-m", model, "-q", "-f", "--table", "jsonl", "-o", rows)
    truth = [json.loads(line)["rating"] for line in (work / "test.jsonl").read_text().splitlines()]
    predicted = [json.loads(line)["mean"] for line in rows.read_text().splitlines()]
    mean = sum(truth) / len(truth)
    total = sum((y - mean) ** 2 for y in truth) / len(truth)
    losses = [(y - p) ** 2 / total for y, p in zip(truth, predicted)]
    average = sum(losses) / len(losses)
    deviation = math.sqrt(sum((loss - average) ** 2 for loss in losses) / (len(losses) - 1))
    return 1 - average, deviation / math.sqrt(len(losses))


def name_of(settings):
    return ", ".join(f"{name} {value}" for name, value in settings.items())


def measure(task, data, threads, sweeps):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        fields, more, criterion = TASKS[task](data, work)
        grid = {"topics": TOPICS, **more}
        options = ["--sweeps", sweeps, "--seed", "1"]
        run("import", work / "train.jsonl", *labels(fields), "--stopwords", "en", "--min-df", "3", "-q", "-o",
            work / "train.gbc")
        found = {"all": search(work, fields, grid, options, threads),
                 "halving": search(work, fields, grid, options, threads, "--halving", "sweeps")}
        truth = [(c["settings"], *hindsight(work, fields, c["settings"], options, threads, criterion))
                 for c in found["all"]["candidates"]]
    sign = -1 if criterion == "perplexity" else 1
    best = max(truth, key=lambda row: sign * row[1])
    print(f"== {task}: {criterion}")
    for candidate, (settings, score, error) in zip(found["all"]["candidates"], truth):
        section = candidate["scores"][found["all"]["criterion"]["section"]][criterion]
        print(f"  {name_of(settings):24} in folds {section['mean']:9.4f} (se {section['se']:.4f})   on the test documents {score:9.4f}")
    print(f"  the best in hindsight: {name_of(best[0])}, {best[1]:.4f} (se {best[2]:.4f})")
    for name, result in found.items():
        for kind in ("best", "advised"):
            score = next(row[1] for row in truth if row[0] == result[kind])
            behind = sign * (best[1] - score) / best[2]
            print(f"  {name}, {kind}: {name_of(result[kind])}: {score:.4f} on the test documents, {behind:.2f} standard errors behind")
        print(f"  {name}: {'; '.join(result['notes'][1:])}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", help="of newsgroups, reviews and abstracts; all")
    parser.add_argument("--threads", default="4")
    parser.add_argument("--sweeps", default="60")
    given = parser.parse_args()
    data = pathlib.Path(os.environ["GIBBOUS_DATA"])
    for task in given.tasks or TASKS:
        measure(task, data, given.threads, given.sweeps)


if __name__ == "__main__":
    main()
