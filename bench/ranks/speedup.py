#!/usr/bin/env python3
"""Logistic supervised topics of 20 Newsgroups on ranks and threads of one machine: speed-up, and whether accuracy stays.

    GIBBOUS_DATA=/path/to/data bench/ranks/speedup.py [--shapes 1x1,1x2,...] [--repeats N] [--sweeps N] [--best]

After the experiments with parallel samplers in Zhu, Zheng and Zhang (2013) and Zhu, Chen, Perkins and Zhang (2014): one classifier for all 20
classes with topics that they share, and 20 classifiers of one class each against the rest, with topics of their own.

As in run.py a shape is RANKSxTHREADS, shapes take turns, and a time per sweep is the difference between a long run and a short one, divided by
the sweeps that it has more; with 20 classifiers it is that of all 20 chains.  Speed-up is the median of the ratios within a turn, the first shape to
this one; with --best there is one ratio, of the shortest runs of all turns.  The accuracy is that of the model of each shape on the test part, and
models are compared byte for byte.
"""
import argparse
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

import run

STRATEGIES = {
    "shared": ["--topics", 100, "--strategy", "shared"],
    "one-vs-rest": ["--topics", 20, "--strategy", "one-vs-rest"],
}
SWEEPS = {"shared": 40, "one-vs-rest": 10}  # that are timed
MODEL = ["--response", "logistic", "--cost", 25, "--calibrate", 0, "--alpha", 0.1, "--beta", 0.01, "--seed", 1]
SHORT = 10  # sweeps of the run that is subtracted; the last sweep of a run is kept


def corpus(part):
    """Training or test part; words are those of the training part in each model, whatever the test part has."""
    path = run.WORK / f"news_{part}.gbc"
    if not path.exists():
        data = pathlib.Path(os.environ["GIBBOUS_DATA"]) / "20news"
        text = run.WORK / f"news_{part}.jsonl"
        with gzip.open(data / f"20news_bydate_{part}.jsonl.gz") as packed, open(text, "wb") as out:
            shutil.copyfileobj(packed, out)
        words = ["--min-df", 5] if part == "train" else []
        run.call([run.GIBBOUS, "import", text, "--label", "label", "--stopwords", data / "stopwords_en.txt", *words, "-o", path, "-q"])
        text.unlink()
    return path


def train(strategy, shape, sweeps, model):
    """Seconds on the wall."""
    ranks, threads = shape
    launcher = [] if ranks == 1 else [run.MPIRUN, "-n", ranks]
    command = [*launcher, run.GIBBOUS, "train", corpus("train"), "-m", model, "-f", "-q", *STRATEGIES[strategy], *MODEL,
               "--sweeps", sweeps, "--burn-in", sweeps - 1, "--thin", 1, "--threads", threads]
    begin = time.monotonic()
    run.call(command)
    return time.monotonic() - begin


def accuracy(model):
    command = [run.GIBBOUS, "evaluate", corpus("test"), "-m", model, "--seed", 1, "-q", "--json"]
    out = run.call(command, stdout=subprocess.PIPE).stdout
    return json.loads(out)["accuracy"]


def measure(strategy, shapes, repeats, sweeps, takes_best):
    turns, accuracies, model_of = [], {}, {}
    for turn in range(repeats):
        turns.append({})
        for shape in shapes if turn % 2 == 0 else shapes[::-1]:
            model = run.WORK / "speedup.gibbous"
            short = train(strategy, shape, SHORT, model)
            turns[-1][shape] = short, train(strategy, shape, SHORT + sweeps, model)
            model_of[shape] = hashlib.sha256(model.read_bytes()).hexdigest()
            if model_of[shape] not in accuracies:
                accuracies[model_of[shape]] = accuracy(model)
    if takes_best:
        turns = [{shape: [min(turn[shape][i] for turn in turns) for i in range(2)] for shape in shapes}]
    for turn in turns:
        for shape, (short, whole) in turn.items():
            turn[shape] = (whole - short) / sweeps
    for shape in shapes:
        seconds = statistics.median(turn[shape] for turn in turns)
        speedup = [turn[shapes[0]] / turn[shape] for turn in turns]
        print(f"| {strategy} | {shape[0]} x {shape[1]} | {seconds:.3f} | {statistics.median(speedup):.2f} "
              f"({min(speedup):.2f} to {max(speedup):.2f}) | {accuracies[model_of[shape]]:.4f} |", flush=True)
    print(f"models of all shapes {'are the same, byte for byte' if len(accuracies) == 1 else 'DIFFER'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", default="1x1,1x2,2x1,4x1,2x2")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sweeps", type=int, default=0, help="that are timed; the default depends on the strategy")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--best", action="store_true", help="the shortest runs of all turns, for a machine that has other work, too")
    given = parser.parse_args()
    os.environ.setdefault("GIBBOUS_MPI_MODULE", str(run.BUILD / "libgibbous-mpi.so"))
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    run.WORK.mkdir(parents=True, exist_ok=True)
    shapes = [tuple(int(n) for n in shape.split("x")) for shape in given.shapes.split(",")]
    print(f"processors {os.cpu_count()}, busy with other work {os.getloadavg()[0]:.1f}")
    print("| topics | ranks x threads | s per sweep | speed-up | accuracy |\n|---|---|---|---|---|")
    for strategy in given.strategies.split(","):
        measure(strategy, shapes, given.repeats, given.sweeps or SWEEPS[strategy], given.best)


if __name__ == "__main__":
    main()
