#!/usr/bin/env python3
"""After how many sweeps does the observation precision of groups not tell any more where it began?

Passages of the State of the Union speeches, years as a chain.  A model is trained until topics have formed.  Then chains begin with
its topics and one of three observation precisions, several chains each.  The nested R-hat of a window of sweeps compares the log
precision, after every tenth sweep, between starts with the one between chains of the same start (Margossian, Hoffman, Sountsov,
Riou-Durand, Vehtari and Gelman 2024, Bayesian Analysis): with K starts, M chains of each and N sweeps,

    sqrt(1 + B / W),   B = variance of the K means,   W = mean over the starts of (variance of M means + mean of M variances)

How long topics take to mix is in W, not in B.  If starts do not matter it is about sqrt(1 + v / (M W)), v the variance of the means of
chains; the last column has it for chains that are assigned to starts at random.

With --single there is one chain of each start, and R-hat is the plain one of sweeps 201 to so many: it falls below 1.05 when there are
enough independent draws of each chain, which says how soon topics mix.

    GIBBOUS_DATA=/path/to/data bench/trust/starts.py [--documents 2000] [--topics 10] [--chains 16] [--sweeps 200] [--from-scratch]
    GIBBOUS_DATA=/path/to/data bench/trust/starts.py --single 30200
"""
import argparse
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

from rhat import GIBBOUS, write_documents

MIXING = os.environ.get("MIXING", str(pathlib.Path(__file__).parents[2] / "build/release/bench/gibbous_bench_mixing"))
STARTS = ("0.01", "1", "100")
WINDOWS = ((0, 10), (10, 20), (20, 50), (50, 100), (100, 150), (150, 200))
EVERY = 10
SKIPPED = 200  # before the windows of single chains
mean = statistics.fmean


def variance(x):
    return statistics.variance(x) if len(x) > 1 else 0.0


def nested_r_hat(starts):
    """Of starts x chains x sweeps numbers."""
    means = [[mean(chain) for chain in start] for start in starts]
    between = variance([mean(m) for m in means])
    within = mean([variance(m) + mean([variance(chain) for chain in start]) for m, start in zip(means, starts)])
    return (1 + between / within) ** 0.5


def run_mixing(corpus, model, sweeps, skipped, chains, a, *more):
    start = ",".join(s for s in STARTS for _ in range(chains))
    command = [MIXING, corpus, str(sweeps), str(skipped), f"topics={a.topics}", f"seed={a.seed}", "beta=0.1", "threads=1",
               "prior=graph", "graph=chain", "response=none", f"chains={len(STARTS) * chains}", f"start={start}", *more]
    return subprocess.run(command + ([f"from={model}"] if model else []), check=True, capture_output=True, text=True).stdout


def tell_of_single_chains(corpus, model, a):
    ends = [n for n in (1200, 2200, 5200, 10200, 20200) if n < a.single]
    text = run_mixing(corpus, model, a.single, SKIPPED, 1, a, *([f"ends={','.join(map(str, ends))}"] if ends else []))
    print("sweeps           R-hat  effective samples per sweep")
    for end, row in zip([*ends, a.single], re.findall(r"^observation precision\t.*", text, re.M)):
        _, _, per_sweep, _, r_hat, *_ = row.split("\t")
        print(f"{SKIPPED + 1:4} - {end:6}   {r_hat:>7}  {per_sweep}", flush=True)


def run_chains(corpus, model, a):
    """The log precision of each chain after every tenth sweep."""
    text = run_mixing(corpus, model, a.sweeps, 4, a.chains, a, f"trace={EVERY}")
    chains = {}
    for chain, value in re.findall(r"chain (\d+) sweep \d+  observation precision (\S+)", text):
        chains.setdefault(int(chain), []).append(float(value))
    return [chains[c] for c in sorted(chains)]


def tell(chains, a):
    shuffled = list(range(len(chains)))
    print("sweeps     nested R-hat  geometric means               starts at random")
    for first, last in WINDOWS:
        if last > a.sweeps:
            break
        window = [c[first // EVERY:last // EVERY] for c in chains]
        starts = [window[i * a.chains:(i + 1) * a.chains] for i in range(len(STARTS))]
        means = [math.exp(mean([mean(c) for c in s])) for s in starts]
        chance = []
        for _ in range(100):
            random.Random(len(chance)).shuffle(shuffled)
            mixed = [window[i] for i in shuffled]
            chance.append(nested_r_hat([mixed[i * a.chains:(i + 1) * a.chains] for i in range(len(STARTS))]))
        print(f"{first + 1:4} - {last:4}  {nested_r_hat(starts):8.3f}      "
              f"{'  '.join(f'{m:8.4f}' for m in means)}  {mean(chance):8.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--chains", type=int, default=16, help="of each start")
    parser.add_argument("--sweeps", type=int, default=200)
    parser.add_argument("--formed", type=int, default=1500, help="sweeps before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--single", type=int, metavar="SWEEPS", help="one chain of each start, for so many sweeps")
    parser.add_argument("--from-scratch", action="store_true", help="chains have no topics in the beginning")
    a = parser.parse_args()
    data = pathlib.Path(os.environ["GIBBOUS_DATA"])
    with tempfile.TemporaryDirectory() as t:
        corpus, model = t + "/d.gbc", "" if a.from_scratch else t + "/m.gibbous"
        write_documents(data / "sotu/sotu_passages.jsonl.gz", a.documents, t + "/d.jsonl")
        subprocess.run([GIBBOUS, "import", t + "/d.jsonl", "--group", "year", "--stopwords", "en", "--min-df", "5", "-q", "-o",
                        corpus], check=True)
        if model:
            subprocess.run([GIBBOUS, "train", corpus, "-k", str(a.topics), "--beta", "0.1", "--prior", "graph", "--graph", "chain",
                            "--response", "none", "--seed", "5", "--threads", "1", "--chains", "1", "--sweeps", str(a.formed),
                            "--burn-in", str(a.formed - 10), "-q", "-m", model], check=True)
        if a.single:
            tell_of_single_chains(corpus, model, a)
        else:
            tell(run_chains(corpus, model, a), a)


if __name__ == "__main__":
    sys.exit(main())
