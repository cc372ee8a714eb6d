#!/usr/bin/env python3
"""Disturbs every system call on files that the command makes, one after the other, and looks at how it ends.

    run_calls.py PROGRAM SHIM [CASE...] [--how NAME...] [--every N] [--jobs N] [--trace]

All outputs are there already, and are to be replaced.  Whatever happens, an output is the old one or the new one, whole; a
model never lies beside draws that are not its own.  A run that ends with status 0 has made the bytes of an undisturbed one; any
other says why, and leaves no temporary file.  What a kill leaves is gone after the next run, which then makes the same bytes.
A call that is interrupted, or that reads or writes less than it was asked to, is no failure where bytes are transferred.
A mapped file that somebody else makes empty meanwhile ends the run with status 3 and its name, or changes nothing.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from cases import CASES, CHANGED, prepare, usual_step

SKIPPED = 77
OLD = b"an old file\n"
TOLD = b"disturbed: "
# name: what happens to a call, which calls count, whether all after it fail, too
WAYS = {
    "EIO": ("EIO", "", False),
    "EIO-after": ("EIO", "space", True),
    "ENOSPC": ("ENOSPC", "space", False),
    "ENOSPC-after": ("ENOSPC", "space", True),
    "EINTR": ("EINTR", "", False),
    "EMFILE": ("EMFILE", "open", False),
    "interrupted": ("EINTR", "transfer", False),
    "short": ("short", "transfer", False),
    "kill": ("kill", "change", False),
    "kill-named": ("kill", "change", False),
    "cut": ("cut", "", False),
}
# where file systems know no files without a name
NAMED = {"kill-named": {"train", "train-number", "evaluate-folds"}}
# mapped files that are cut short while they are in use
MAPPED = {"predict": "model.gib", "infer": "model.gib", "evaluate": "model.gib", "topics": "model.gib", "effects": "model.gib",
          "topics-odd-name": "odd\x1b[2J\u202ename.gib", "diagnose": "model.gib", "train-corpus": "docs.gbc", "predict-corpus": "docs.gbc",
          "explain-nearest": "docs.gbc"}
HARMLESS = {"interrupted", "short"}


def digest_of(content):
    return hashlib.sha256(content).hexdigest()


def digest(path):
    return digest_of(path.read_bytes()) if path.exists() else None


class Run:
    """One run of a case in a folder of its own, and another one after it if it was killed."""

    def __init__(self, args, name, inputs, kill_after=None, there=None, **environment):
        """@param there  the outputs that are there already; None: all"""
        arguments, self.written = CASES[name]
        self.kill_after = kill_after
        both = pathlib.Path(tempfile.mkdtemp())
        self.folder, self.temporary = both / "work", both / "temporary"
        try:
            self.folder.mkdir()
            self.temporary.mkdir()
            for file in inputs.iterdir():
                if file.name in CHANGED or environment.get("GIBBOUS_CALL_CUT") == file.name:
                    shutil.copy(file, self.folder)
                else:
                    os.symlink(file, self.folder / file.name)
            for file in self.written if there is None else there:
                (self.folder / file).write_bytes(OLD)
            self.before = {f.name for f in self.folder.iterdir()}
            self.command = [args.program, *arguments, *(["--force"] if self.written else [])]
            plain = {**os.environ, "LC_ALL": "C", "TMPDIR": str(self.temporary)}
            if args.shim is not None:
                environment |= {"LD_PRELOAD": args.shim, "GIBBOUS_CALL_TRACE": "1"}
            self.run({**plain, **environment})
            self.look()
            self.n = int((self.folder / "n").read_text()) if (self.folder / "n").exists() else 0
            self.after_kill = None
            if self.status == -signal.SIGKILL:
                same = {k: v for k, v in environment.items() if "GIBBOUS_CALL_NAMED" in environment and k != "GIBBOUS_CALL_AT"}
                again = subprocess.run(self.command, cwd=self.folder, env={**plain, **same}, capture_output=True,
                                       stdin=subprocess.DEVNULL, check=False)
                self.after_kill = (again.returncode, again.stdout, {f: digest(self.folder / f) for f in self.written}, self.hidden())
        finally:
            shutil.rmtree(both)

    def run(self, environment):
        process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        killer = None if self.kill_after is None else threading.Timer(self.kill_after, process.kill)
        if killer is not None:
            killer.start()
        begin = time.monotonic()
        try:
            self.out, err = process.communicate(timeout=60)
            self.seconds = time.monotonic() - begin
            lines = err.splitlines(keepends=True)
            told = [line for line in lines if line.startswith(TOLD)]
            self.disturbed = told[0].removeprefix(TOLD).strip() if told else b""
            self.status, self.err = process.returncode, b"".join(line for line in lines if line not in told)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.status, self.out, self.err, self.disturbed = "hangs", b"", b"", b""
        if killer is not None:
            killer.cancel()

    def look(self):
        self.files = {f: digest(self.folder / f) for f in self.written}
        self.left = self.hidden()

    def hidden(self):
        """Files that nobody asked for: with a name that begins with a dot, or in the folder of temporary files."""
        return [f.name for f in self.folder.iterdir() if f.name.startswith(".")] + [f.name for f in self.temporary.iterdir()]


def is_old(run, file):
    return run.files[file] == digest_of(OLD)


def damage(run, whole, way):
    """What is wrong with the files.  A failure leaves the old ones; a kill between two files of one result may leave one of each."""
    model = next((f for f in run.written if f.endswith(".gib")), None)
    draws = next((f for f in run.written if f.endswith(".draws")), None)
    for f in run.written:
        is_new = run.files[f] == whole.files[f]
        if not (is_old(run, f) or is_new):
            return "a damaged file"
        if run.status > 0 and not is_old(run, f) and b"standard output" not in run.err:  # edit prints after it has written
            return "a failure that has replaced a file"
    if draws is None:
        return None
    if run.files[draws] is None:
        return "old draws are gone"
    if is_old(run, draws) != is_old(run, model):
        return "a model beside other draws"
    return None


def complaint(run, whole, name, way):
    """What is wrong with how a disturbed run ended; None if nothing is."""
    if run.status == "hangs" or (run.status < 0 and not way.startswith("kill")):
        return f"ended by {run.status}"
    if run.status == 0 and (run.out != whole.out or run.files != whole.files):
        return "status 0 with another output"
    if b"\x1b" in run.err or "\u202e".encode() in run.err:
        return "a message with marks that a terminal obeys"
    if way == "cut":
        shown = MAPPED[name].replace("\x1b", "?").replace("\u202e", "?").encode()
        is_told = run.status == 3 and shown in run.err
        return None if run.status == 0 or is_told else f"status {run.status}: {run.err.decode(errors='replace')}"
    if run.status != 0 and way in HARMLESS and b"standard output" not in run.err: # stdio gives up, as after a failure
        return f"status {run.status} though nothing has failed"
    if run.status > 0 and not run.err.startswith(b"gibbous: ") and not way.endswith("-after"):
        return f"status {run.status} without a message"
    may_stay = run.disturbed == b"unlink" or way.endswith("-after")  # a disk that renames nothing any more
    if run.status >= 0 and run.left and not may_stay:
        return "a file left behind"
    if run.after_kill is not None and run.after_kill != (0, whole.out, whole.files, []):
        return "after a kill, the next run does not clean up, or makes something else"
    return damage(run, whole, way)


def try_way(args, name, way, inputs, pool):
    how, only, all_after = WAYS[way]
    environment = {"GIBBOUS_CALL_ONLY": only, "GIBBOUS_CALL_HOW": how}
    environment |= {"GIBBOUS_CALL_NAMED": "1"} if way in NAMED else {}
    whole = Run(args, name, inputs, GIBBOUS_CALL_COUNT="n", **environment)
    if whole.status == SKIPPED:
        print("the system allows no filter of system calls")
        sys.exit(SKIPPED)
    if whole.status != 0:
        sys.exit(f"{name}: fails undisturbed: {whole.err.decode()}")
    environment |= {"GIBBOUS_CALL_ALL": "1"} if all_after else {}
    environment |= {"GIBBOUS_CALL_CUT": MAPPED[name]} if way == "cut" else {}
    first = zlib.crc32(f"{name} {way}".encode()) % args.every + 1
    points = range(first, whole.n + 1, args.every)
    runs = pool.map(lambda at: (at, Run(args, name, inputs, GIBBOUS_CALL_AT=str(at), **environment)), points)
    found = collections.defaultdict(list)
    ends = collections.Counter()
    for at, run in runs:
        ends[run.status] += 1
        what = complaint(run, whole, name, way)
        if what is not None:
            found[what].append((at, run))
    if args.trace:
        print(f"{name}, {way}: ends {dict(ends)}")
    for what, cases in found.items():
        print(f"{name}, {way}: {what}: {len(cases)} of {len(points)} points, such as {[at for at, _ in cases[:8]]}")
        if args.trace:
            for at, run in cases[:3]:
                print("   ", at, run.status, run.disturbed.decode(), run.err.decode(errors="replace"), sorted(run.left))
    return len(points), sum(len(cases) for cases in found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("shim", type=os.path.abspath)
    parser.add_argument("case", nargs="*", choices=[*CASES, []])
    parser.add_argument("--how", nargs="*", choices=[*WAYS], default=[*WAYS])
    parser.add_argument("--every", type=int, default=usual_step(61, 17))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--trace", action="store_true")
    args = parser.parse_args()
    inputs = prepare(args.program)
    n_points = n_bad = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name in args.case or CASES:
                for way in args.how:
                    if (way == "cut" and name not in MAPPED) or name not in NAMED.get(way, {name}):
                        continue
                    points, bad = try_way(args, name, way, inputs, pool)
                    n_points, n_bad = n_points + points, n_bad + bad
    finally:
        shutil.rmtree(inputs)
    print(f"{n_points} system calls disturbed, {n_bad} times with a wrong end")
    sys.exit(n_bad > 0)


if __name__ == "__main__":
    main()
