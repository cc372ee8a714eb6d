#!/usr/bin/env python3
"""Does `diagnose` flag a run that is too short, and leave one alone that is long enough?

For each corpus chains are run with 20, 40, 80, ... sweeps, half of them burn-in, 100 draws of each chain or fewer.  A run is too
short if its log joint or a loss says so: not levelled off, unclear, or the halves of chains disagree.  That the chains
are apart is something else, which more sweeps need not change.  The sweeps that the corpus needs are the smallest number that, and
twice of which, is not too short.  Then, with other seeds: a tenth of these must be called too short, ten times as many must not.

    GIBBOUS_DATA=/path/to/data bench/trust/rhat.py [--documents 150] [--topics 3] [--chains 4] [--plain] [--most 5120] [--seeds 3]
"""
import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GIBBOUS = os.environ.get("GIBBOUS", str(pathlib.Path(__file__).parents[2] / "build/release/gibbous"))

TOO_SHORT = {"rising", "falling", "unclear", "disagree"}
CORPORA = {  # file, options
    "20news": ("20news/20news_bydate_train.jsonl.gz", ["--label", "label"]),
    "reuters": ("reuters21578/reuters_modapte_train.jsonl.gz", ["--labels", "labels"]),
    "ratings": ("movie_review_scale/scale_subjective.jsonl.gz", ["--target", "rating"]),
    "hotels": ("hotel_reviews/tripadvisor_2000.jsonl.gz", ["--target", "rating"]),
    "acl": ("acl_abstracts/acl_abstracts.jsonl.gz", []),
    "movies": ("movies_tmdb/tmdb_5000.jsonl.gz", ["--labels", "labels"]),
    "imdb": ("imdb/imdb_reviews_train.jsonl.gz", ["--label", "label"]),
    "sotu": ("sotu/sotu_passages.jsonl.gz", ["--target", "year"]),
}


def write_documents(path, n_wanted, out):
    """Documents spread evenly over the file."""
    with gzip.open(path, "rt", encoding="utf-8") as f:
        lines = f.readlines()
    with open(out, "w", encoding="utf-8") as f:
        f.writelines(lines[i * len(lines) // n_wanted] for i in range(min(n_wanted, len(lines))))


def run(folder, options, topics, chains, sweeps, draws, seed, arviz=False):
    """What is said of log joint and losses."""
    model = folder / "m.gibbous"
    burn_in = sweeps // 2
    train = [GIBBOUS, "train", str(folder / "d.jsonl"), *options, "-k", str(topics), "--stopwords", "en", "--min-df", "3",
             "--chains", str(chains), "--threads", "1", "--sweeps", str(sweeps), "--burn-in", str(burn_in),
             "--thin", str(max(1, (sweeps - burn_in) // draws)), "--seed", str(seed), "-q", "--force", "-m", str(model)]
    subprocess.run(train + (["--draws", str(folder / "draws.jsonl")] if arviz else []), check=True)
    found = json.loads(subprocess.run([GIBBOUS, "diagnose", "-m", str(model), "--json", "-q"], check=True,
                                      capture_output=True, text=True).stdout)
    shown = [q for q in found["diagnosis"] if q["kind"] in ("log joint", "loss")]
    kinds = {t["trend"] for t in found["traces"]} - {"level"}
    kinds |= {"apart" if q["settled"] else "disagree" for q in shown if q["agrees"] is False}
    if arviz:
        compare_with_arviz(folder, shown[0]["r_hat"])
    # a single R-hat that is null has draws that do not move, or too few of them
    r_hats = [[q[name] or float("nan") for q in shown] for name in ("r_hat", "r_hat_within")]
    return kinds, not all(q["settled"] for q in shown), *r_hats


def compare_with_arviz(folder, r_hat):
    """The R-hat of the log joint of the last run, from the draws that it recorded."""
    import arviz
    import numpy
    chains = {}
    with open(folder / "draws.jsonl", encoding="utf-8") as f:
        for draw in map(json.loads, f):
            chains.setdefault(draw["chain"], []).append(draw["log_joint"])
    expected = float(arviz.rhat(numpy.array(list(chains.values()))))
    if abs(expected - r_hat) > 1e-8:
        sys.exit(f"R-hat is {r_hat}, ArviZ has {expected}")
    print(f"         ArviZ has {expected:.9f}, diagnose {r_hat:.9f}", flush=True)


def show(name, what, sweeps, result):
    kinds, by_r_hat, r_hats, within = result
    print(f"{name:8} {what:6} {sweeps:6}  {'too short' if kinds & TOO_SHORT else '-':9} "
          f"{'by R-hat' if by_r_hat else '-':8}  R-hat {' '.join(f'{r:.3f}' for r in r_hats)}  "
          f"within {' '.join(f'{r:.3f}' for r in within)}  {' '.join(sorted(kinds)) or '-'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=150)
    parser.add_argument("--topics", type=int, default=3)
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--draws", type=int, default=100, help="of each chain")
    parser.add_argument("--plain", action="store_true", help="topics alone, without labels")
    parser.add_argument("--options", default="", help="more options of train, such as '--alpha 1 --beta 1'")
    parser.add_argument("--arviz", action="store_true", help="compare each R-hat of the log joint with ArviZ's, which must be there")
    parser.add_argument("--most", type=int, default=5120, help="sweeps to try before a corpus is given up")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--corpus", choices=sorted(CORPORA), action="append")
    a = parser.parse_args()
    data = pathlib.Path(os.environ["GIBBOUS_DATA"])
    for name in a.corpus or CORPORA:
        path, options = CORPORA[name]
        options = (["--response", "none"] if a.plain or not options else options) + a.options.split()
        with tempfile.TemporaryDirectory() as t:
            folder = pathlib.Path(t)
            write_documents(data / path, a.documents, folder / "d.jsonl")
            sweeps, needed, enough = 20, None, False
            while sweeps <= a.most and not enough:
                result = run(folder, options, a.topics, a.chains, sweeps, a.draws, 1, a.arviz)
                show(name, "search", sweeps, result)
                is_short = bool(result[0] & TOO_SHORT)
                enough = needed is not None and not is_short  # twice in a row
                needed = None if is_short else needed or sweeps
                sweeps *= 2
            if not enough:
                continue
            for seed in range(2, 2 + a.seeds):
                for what, n in (("tenth", max(2, needed // 10)), ("ten x", needed * 10)):
                    show(name, what, n, run(folder, options, a.topics, a.chains, n, a.draws, seed, a.arviz))


if __name__ == "__main__":
    sys.exit(main())
