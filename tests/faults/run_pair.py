#!/usr/bin/env python3
"""Kills the command and lets renames fail around the moment when a model and its draws get their names.

    run_pair.py PROGRAM SHIM [--kills N] [--renames N] [--jobs N]

Whatever was there before (both files, one, none): afterwards both are as before or both are new.  After a failed rename the command says
so, and leaves no temporary file; what a kill leaves is gone after the next run.
"""
import argparse
import concurrent.futures
import os
import shutil
import sys

from cases import CASES, prepare
from run_calls import OLD, SKIPPED, Run, digest_of

NAME = "train-number"
LAST = 40  # system calls that may change files, of which the last are those around the end
ERRORS = ["EIO", "ENOSPC", "EACCES", "EDQUOT"]


def try_all(args, inputs, pool, points, **environment):
    """@param points  number of a call, how, whether all after it fail, and the files that are there"""
    def one(point):
        at, how, all_after, there = point
        more = {"GIBBOUS_CALL_ALL": "1"} if all_after else {}
        return point, Run(args, NAME, inputs, there=there, GIBBOUS_CALL_AT=str(at), GIBBOUS_CALL_HOW=how, **more, **environment)

    n_bad = n_ended = 0
    for point, run in pool.map(one, points):
        before = {f: digest_of(OLD) if f in point[3] else None for f in run.written}
        what = None
        if run.files not in (before, args.whole):
            what = "neither the old pair nor the new one"
        elif run.status == 0 and run.files != args.whole:
            what = "status 0 with the old pair"
        elif run.status == -9 and (run.after_kill[0] != 0 or run.after_kill[2] != args.whole or run.after_kill[3]):
            what = "the next run does not make the new pair, or does not clean up"
        elif run.status > 0 and (any(f.encode() not in run.err for f in run.left) or not run.err.startswith(b"gibbous: ")):
            what = f"a file is left, or no message: {run.left} {run.err}"
        n_ended += run.status != 0
        n_bad += what is not None
        if what is not None:
            print(f"{point}: {what}: status {run.status}, {[(f, run.files[f] == args.whole[f]) for f in run.written]} {run.err}")
    return n_ended, n_bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("shim", type=os.path.abspath)
    is_full = "GIBBOUS_FULL_TESTS" in os.environ or "GIBBOUS_LONG_TESTS" in os.environ
    parser.add_argument("--kills", type=int, default=500 if is_full else 40)
    parser.add_argument("--renames", type=int, default=100 if is_full else 24)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    inputs = prepare(args.program)
    model, draws = CASES[NAME][1]
    states = [(model, draws), (), (model,), (draws,)]
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            changing, renaming = ({"GIBBOUS_CALL_ONLY": only} for only in ("change", "rename"))
            undisturbed = [Run(args, NAME, inputs, GIBBOUS_CALL_COUNT="n", **only) for only in (changing, renaming)]
            if undisturbed[0].status == SKIPPED:
                print("the system allows no filter of system calls")
                sys.exit(SKIPPED)
            args.whole = undisturbed[0].files
            first = max(1, undisturbed[0].n - LAST + 1)
            kills = [(first + i % LAST, "kill", False, states[i // LAST % 4]) for i in range(args.kills)]
            n_killed, bad = try_all(args, inputs, pool, kills, **changing)
            renames = [(1 + i % 3, ERRORS[i // 24 % 4], i % 2 == 0, states[i // 3 % 4]) for i in range(args.renames)]
            n_failed, bad_too = try_all(args, inputs, pool, renames, **renaming)
    finally:
        shutil.rmtree(inputs)
    print(f"{n_killed} of {len(kills)} killed, {n_failed} of {len(renames)} ended by a rename, {bad + bad_too} times with a wrong end")
    sys.exit(bad + bad_too > 0 or n_killed == 0 or n_failed == 0)


if __name__ == "__main__":
    main()
