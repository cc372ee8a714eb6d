#!/usr/bin/env python3
"""Kills the command at random moments while it replaces files, and looks at what is left.

    run_kills.py PROGRAM [CASE...] [--kills N] [--jobs N]

Every output is the old one or the new one, whole; a model never lies beside draws that are not its own; the next run removes what the
killed one left, and makes the bytes of an undisturbed one.  --kills N is the number for each case: few in ./check, 25 in ./check --full,
500 in ./check --all.
"""
import argparse
import concurrent.futures
import os
import random
import shutil
import sys

from cases import CASES, prepare
from run_calls import Run, complaint

MOST_TRIES = 8
WRITING = ["import", "train", "train-number", "train-checkpoint", "predict", "infer-file", "topics-file", "effects-file", "simulate"]


def usual_number():
    return 500 if "GIBBOUS_LONG_TESTS" in os.environ else 25 if "GIBBOUS_FULL_TESTS" in os.environ else 4


def try_case(args, name, inputs, pool, numbers):
    whole = Run(args, name, inputs)
    if whole.status != 0:
        sys.exit(f"{name}: fails undisturbed: {whole.err.decode()}")
    n_tried = n_killed = n_bad = 0
    while n_killed < args.kills and n_tried < MOST_TRIES * args.kills:
        moments = [whole.seconds * numbers.random() for _ in range(args.kills - n_killed)]
        for moment, run in zip(moments, pool.map(lambda m: Run(args, name, inputs, kill_after=m), moments), strict=True):
            what = complaint(run, whole, name, "kill")
            n_tried += 1
            n_killed += run.after_kill is not None
            n_bad += what is not None
            if what is not None:
                print(f"{name}: killed after {moment:.4f} s: {what}")
    print(f"{name}: {n_killed} of {n_tried} killed before they ended")
    return n_killed, n_bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("case", nargs="*", choices=[*CASES, []])
    parser.add_argument("--kills", type=int, default=usual_number())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.shim = None
    numbers = random.Random(1)
    inputs = prepare(args.program)
    n_killed = n_bad = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name in args.case or WRITING:
                killed, bad = try_case(args, name, inputs, pool, numbers)
                n_killed, n_bad = n_killed + killed, n_bad + bad
    finally:
        shutil.rmtree(inputs)
    print(f"{n_killed} runs killed, {n_bad} times with a wrong end")
    sys.exit(n_bad > 0)


if __name__ == "__main__":
    main()
