#!/usr/bin/env python3
"""Makes every allocation of the command fail, one after the other, and looks at how it ends.

    run_allocations.py PROGRAM SHIM [CASE...] [--every N] [--jobs N] [--trace]

A run that ends with status 0 must have printed and written the same bytes as an undisturbed one.  Any other run must end by
itself, say that memory ran out, and leave nothing behind but files that can be read.  Each case is tried twice: one allocation fails; it and all after it
fail.  --every N tries each N-th allocation, beginning with one that depends on the case; without it, few if run by ./check, more by
./check --full, and all by ./check --all.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zlib

from cases import CASES, CHANGED, prepare, usual_step


class Run:
    """One run of a case in a folder of its own."""

    def __init__(self, args, name, inputs, **environment):
        arguments, written = CASES[name]
        both = pathlib.Path(tempfile.mkdtemp())
        folder, temporary = both / "work", both / "temporary"
        try:
            folder.mkdir()
            temporary.mkdir()
            for file in inputs.iterdir():
                (shutil.copy if file.name in CHANGED else os.symlink)(file, folder / file.name)
            before = {f.name for f in folder.iterdir()}
            env = {**os.environ, "LC_ALL": "C", "TMPDIR": str(temporary), "LD_PRELOAD": args.shim, **environment}
            try:
                done = subprocess.run([args.program, *arguments], cwd=folder, env=env, capture_output=True, timeout=60,
                                      stdin=subprocess.DEVNULL, check=False)
                self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired:
                self.status, self.out, self.err = "hangs", b"", b""
            self.files = {f: hashlib.sha256((folder / f).read_bytes()).hexdigest() for f in written if (folder / f).exists()}
            self.unreadable = [f for f in self.files if subprocess.run([args.program, "info", f], cwd=folder,
                                                                       capture_output=True, check=False).returncode != 0
                               ] if self.status != 0 else []
            # a file that cannot have its name stands beside it, and the message says so
            beside = {f"{f}.1" for f in written if f"{f}.1".encode() in self.err}
            self.left = {f.name for f in folder.iterdir()} - before - set(written) - beside - {"n"} | {f.name for f in temporary.iterdir()}
            count = folder / "n"
            self.n = int(count.read_text()) if count.exists() else 0
        finally:
            shutil.rmtree(both)


def complaint(run, whole, name):
    """What is wrong with how a disturbed run ended; None if nothing is."""
    if run.status == "hangs" or run.status < 0:
        return f"ended by {run.status}"
    if run.status == 0 and (run.out != whole.out or run.files != whole.files):
        return "status 0 with another output"
    if run.status != 0 and b"memory" not in run.err.lower():
        return f"status {run.status} without a word of memory"
    if any(whole.files.get(f) != run.files[f] for f in run.unreadable): # with a checkpoint, the draws so far are a model
        return "a damaged file"
    if run.left - whole.left:
        return "a file left behind"
    return None


def try_case(args, name, inputs, pool):
    whole = Run(args, name, inputs, GIBBOUS_FAIL_COUNT="n")
    if whole.status != 0:
        sys.exit(f"{name}: fails undisturbed: {whole.err.decode()}")
    first = zlib.crc32(name.encode()) % args.every + 1
    trace = {"GIBBOUS_FAIL_TRACE": "1"} if args.trace else {}
    points = [(at, how) for how in ({}, {"GIBBOUS_FAIL_ALL": "1"}) for at in range(first, whole.n + 1, args.every)]
    runs = pool.map(lambda p: (p[0], Run(args, name, inputs, GIBBOUS_FAIL_AT=str(p[0]), **p[1], **trace)), points)
    found = collections.defaultdict(list)
    for at, run in runs:
        what = complaint(run, whole, name)
        if what is not None:
            found[what].append((at, run))
    for what, cases in found.items():
        print(f"{name}: {what}: {len(cases)} of {len(points)} points, such as {[at for at, _ in cases[:8]]}")
        if args.trace:
            print(cases[0][1].err.decode(errors="replace"))
    return len(points), sum(len(cases) for cases in found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("shim", type=os.path.abspath)
    parser.add_argument("case", nargs="*", choices=[*CASES, []])
    parser.add_argument("--every", type=int, default=usual_step(251, 97))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--trace", action="store_true")
    args = parser.parse_args()
    inputs = prepare(args.program)
    n_points = n_bad = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name in args.case or CASES:
                points, bad = try_case(args, name, inputs, pool)
                n_points, n_bad = n_points + points, n_bad + bad
    finally:
        shutil.rmtree(inputs)
    print(f"{n_points} allocations failed, {n_bad} times with a wrong end")
    sys.exit(n_bad > 0)


main()
