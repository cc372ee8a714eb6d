#!/usr/bin/env python3
"""Ranks and threads of one machine: seconds per sweep, memory of each rank, what ranks send.

    [GIBBOUS_DATA=/path/to/data] bench/ranks/run.py [CORPUS...] [--shapes 1x1,1x2,...] [--repeats N] [--sweeps N]

A shape is RANKSxTHREADS (1x1, 1x2, 2x1, 2x2 and 4x1).  Corpora: news (20 Newsgroups; needs GIBBOUS_DATA), and simulated ones, named by
their millions of tokens (simulated-10).  Each is trained for topics alone and, as it has classes, for them.

Shapes take turns, in an order that goes the other way round in every other turn.  A figure is the median of the turns; a ratio is the median of the
ratios to the first shape within a turn.  A run's time per sweep is the difference between a long run and a short one, divided by
the sweeps that it has more: reading, the start of the chain and writing are left out.  Models of all shapes have to be the same, byte for byte.

GIBBOUS_BUILD names another build folder than build/release, MPIRUN another launcher than mpirun.
"""
import argparse
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "ranks"
BUILD = pathlib.Path(os.environ.get("GIBBOUS_BUILD", ROOT / "build" / "release")).resolve()
GIBBOUS = BUILD / "gibbous"
MPIRUN = os.environ.get("MPIRUN", "mpirun")
LABELS = {"topics": ["--response", "none"], "classes": ["--response", "hinge", "--cost", "102.4"]}
SHORT = 4  # sweeps of the run that is subtracted


def call(command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def corpus(name):
    """A corpus file in the work folder, made once."""
    path = WORK / f"{name}.gbc"
    if path.exists():
        return path
    if name == "news":
        data = pathlib.Path(os.environ["GIBBOUS_DATA"])
        text = WORK / "news.jsonl"
        with gzip.open(data / "20news" / "20news_bydate_train.jsonl.gz") as packed, open(text, "wb") as out:
            shutil.copyfileobj(packed, out)
        call([GIBBOUS, "import", text, "--label", "label", "--stopwords", data / "20news" / "stopwords_en.txt", "-o", path, "-q"])
        text.unlink()
    else:
        documents = int(float(name.removeprefix("simulated-")) * 1e6 / 200)
        call([GIBBOUS, "simulate", "-k", "100", "--response", "logistic", "--classes", "20", "--documents", str(documents),
              "--length", "200", "--vocabulary-size", str(min(500000, 20 * documents)), "--seed", "1", "-o", path, "-q"])
    return path


def rank(command):
    """What mpirun starts: the program, and then a line with its peak memory."""
    import resource

    status = subprocess.run(command, close_fds=False).returncode  # the launcher talks through inherited files
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    sys.stderr.write(f"peak {peak} kB\n")
    sys.exit(status if status >= 0 else 1)


def train(path, options, shape, sweeps):
    """Seconds on the wall, peak MiB of each rank, MB that all ranks sent per sweep, a hash of the model."""
    ranks, threads = shape
    model = WORK / "trained.gibbous"
    command = [GIBBOUS, "train", path, "-m", model, "-f", "-v", "--topics", options["topics"], "--alpha", "0.064", "--beta", "0.01",
               *options["response"], "--seed", "1", "--sweeps", sweeps, "--burn-in", sweeps - 1, "--threads", threads,
               *options["more"]]
    # a single rank is measured without a launcher, as users start it
    launcher = [] if ranks == 1 else [MPIRUN, *options["launcher"], "-n", ranks]
    begin = time.monotonic()
    run = subprocess.run([str(part) for part in [*launcher, sys.executable, __file__, "--rank", *command]], stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - begin
    if run.returncode != 0:
        sys.exit(f"{shape[0]}x{shape[1]} failed:\n{run.stderr}")
    peaks = [int(kb) / 1024 for kb in re.findall(r"peak (\d+) kB", run.stderr)]
    sent = re.search(r"([\d.e+-]+) MB sent per sweep", run.stderr)
    return seconds, peaks, float(sent.group(1)) if sent else 0, hashlib.sha256(model.read_bytes()).hexdigest()


def measure(path, options, shapes, repeats, sweeps):
    turns = []
    for turn in range(repeats):
        turns.append({})
        for shape in shapes if turn % 2 == 0 else shapes[::-1]:
            before = train(path, options, shape, SHORT)[0]
            seconds, peaks, sent, model = train(path, options, shape, SHORT + sweeps)
            turns[-1][shape] = ((seconds - before) / sweeps, peaks, sent, model)
    if len({result[3] for turn in turns for result in turn.values()}) != 1:
        print("THE MODELS DIFFER")
    for shape in shapes:
        seconds = statistics.median(turn[shape][0] for turn in turns)
        ratio = statistics.median(turn[shape][0] / turn[shapes[0]][0] for turn in turns)
        peaks = " ".join(f"{peak:.0f}" for peak in turns[0][shape][1])
        print(f"| {shape[0]} x {shape[1]} | {seconds:.4f} | {ratio:.2f} | {peaks} | {turns[0][shape][2]:.4g} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*")
    parser.add_argument("--shapes", default="1x1,1x2,2x1,2x2,4x1")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sweeps", type=int, default=20, help="that are timed")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--labels", choices=[*LABELS, "both"], default="both")
    parser.add_argument("--launcher-options", default="", help='for MPIRUN, such as "--bind-to none"')
    parser.add_argument("--train-options", default="", help='such as "--parts 4"')
    given = parser.parse_args()
    os.environ.setdefault("GIBBOUS_MPI_MODULE", str(BUILD / "libgibbous-mpi.so"))
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    WORK.mkdir(parents=True, exist_ok=True)
    shapes = [tuple(int(n) for n in shape.split("x")) for shape in given.shapes.split(",")]
    for name in given.corpora or (["news"] if "GIBBOUS_DATA" in os.environ else []) + ["simulated-10"]:
        for label in LABELS if given.labels == "both" else [given.labels]:
            print(f"\n{name}, {label}, K = {given.topics}\n")
            print("| ranks x threads | s per sweep | ratio | peak MiB of each rank | MB sent per sweep |")
            print("|---|---|---|---|---|", flush=True)
            options = {"topics": given.topics, "response": LABELS[label], "launcher": given.launcher_options.split(),
                       "more": given.train_options.split()}
            measure(corpus(name), options, shapes, given.repeats, given.sweeps)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        rank(sys.argv[2:])
    main()
