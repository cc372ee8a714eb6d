#!/usr/bin/env python3
"""Makes allocations of every command in the tests of the command fail, one at each place of the program that needs memory.

    run_commands.py PROGRAM SHIM RUN CASE.sh|FOLDER... [--jobs N]

RUN runs one case, with a program in the place of the command: this file again.  Before a command does its work, it is tried in copies of
its folder, where the first allocation of one stack of callers fails.  A stack is tried if it goes through a call that no
tried stack has gone through: so each call in the program that can fail for want of memory has failed in the end.

A command that ends with status 0 must have printed and written what an undisturbed one does.  Any other must end by itself, say that
memory ran out, and leave no temporary file.  What the cases expect is not looked at: other tests do that.
Skipped unless GIBBOUS_LONG_TESTS is set.
"""
import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile

STATE = "GIBBOUS_FAULTS"  # the folder in which all commands of a run note what they have tried
SLOW = 5.0  # seconds of a processor: slower commands are not repeated
TOLD = (b"memory", b"exists already")  # a model that may be of the run that is resumed is kept
TRACE = re.compile(rb"^\S+\(\S*\) ?\[0x[0-9a-f]+\]$")  # lines of the shim
TIMES = {  # these cases stop commands at a moment, or limit what they may use
    "address_space", "closed_streams", "cut_off", "few_descriptors", "interrupt", "interrupt_reading", "kill", "left_files", "many",
    "memory", "second_signal", "small_packed", "stop",
}


def contents(folder):
    """Of each file a sum.  Chains side by side write their draws beside a checkpoint as they come."""
    out = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith(".gbk.draws"):
            out[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return out


def spent():
    """Seconds that commands which have ended took of a processor."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Trial:
    """One run of a command in a copy of its folder."""

    def __init__(self, program, shim, arguments, given, **environment):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "copy"
            shutil.copytree(".", folder, symlinks=True)
            stacks = pathlib.Path(place) / "stacks"
            env = {**os.environ, "LD_PRELOAD": shim, "GIBBOUS_FAIL_STACKS": str(stacks), "GIBBOUS_FAIL_TRACE": "1", **environment}
            begin = spent()
            try:
                done = subprocess.run([program, *arguments], cwd=folder, env=env, capture_output=True, timeout=120, input=given, check=False)
                self.status, self.out = done.returncode, done.stdout
                lines = done.stderr.splitlines(keepends=True)
                self.trace = b"".join(line for line in lines if TRACE.match(line.rstrip()))
                self.err = b"".join(line for line in lines if not TRACE.match(line.rstrip()))
            except subprocess.TimeoutExpired:
                self.status, self.out, self.err, self.trace = "hangs", b"", b"", b""
            self.seconds = spent() - begin
            self.files = contents(folder)
            self.stacks = [line.split() for line in stacks.read_text().splitlines()] if stacks.exists() else []

    def same_output(self, other):
        return self.out == other.out and self.files == other.files


def complaint(trial, whole, is_repeatable):
    """What is wrong with how a disturbed command ended; None if nothing is."""
    if trial.status == "hangs" or trial.status < 0:
        return f"ended by {trial.status}"
    if any(name.endswith(".tmp") for name in trial.files.keys() - whole.files.keys()):
        return "a file left behind"
    if whole.status != 0:
        return "status 0, and an undisturbed one fails" if trial.status == 0 else None
    if trial.status == 0 and is_repeatable and not trial.same_output(whole):
        return "status 0 with another output"
    if trial.status != 0 and not any(word in trial.err.lower() for word in TOLD):
        return f"status {trial.status} without a word of memory"
    return None


class Notes:
    """What all commands of a run have tried and found, in files that one process at a time appends to."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def choose(self, stacks, excluded):
        """Stacks through calls that no other has tried, and none will."""
        with open(self.folder / "calls", "a+", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            known = set(file.read().split())
            chosen = []
            for _, name, *calls in stacks:
                if any(begin <= int(call, 16) <= end for call in calls for begin, end in excluded):
                    continue
                if not known.issuperset(calls):
                    known.update(calls)
                    file.write(" ".join(calls) + "\n")
                    chosen.append((name, calls))
        return chosen

    def add(self, **note):
        with open(self.folder / "notes", "a", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(json.dumps(note) + "\n")

    def read(self):
        path = self.folder / "notes"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def not_ours(program):
    """Where code lies that calls what checks no allocation: what writes the counts of a program that counts its lines."""
    names = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=False).stdout.splitlines()
    symbols = [line.split() for line in names if line.endswith((" gcov_do_dump", " __gcov_exit"))]
    return [(int(at, 16), int(at, 16) + int(size, 16)) for at, size, *_ in symbols]


def try_stacks(program, shim, excluded, arguments, given, notes):
    whole = Trial(program, shim, arguments, given)
    if whole.status == "hangs" or whole.seconds > SLOW:
        return
    names = notes.choose(whole.stacks, excluded)
    if not names:
        return
    is_repeatable = whole.same_output(Trial(program, shim, arguments, given))
    for name, calls in names:
        trial = Trial(program, shim, arguments, given, GIBBOUS_FAIL_STACK=name)
        notes.add(arguments=arguments, stack=name, calls=calls, found=complaint(trial, whole, is_repeatable), status=trial.status,
                  err=trial.err.decode(errors="replace")[-500:])


def act_as_command():
    """Tries the command, then becomes it."""
    settings = json.loads((pathlib.Path(os.environ[STATE]) / "settings").read_text())
    program, arguments = settings["program"], sys.argv[1:]
    given = None
    kind = os.fstat(0).st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISREG(kind):
        with os.fdopen(os.dup(0), "rb") as file:
            given = file.read()
        with tempfile.TemporaryFile() as again:
            again.write(given)
            again.seek(0)
            os.dup2(again.fileno(), 0)
    has_plain_files = not any(path.is_fifo() or path.is_socket() for path in pathlib.Path(".").rglob("*"))
    is_ours = arguments != ["--version"]  # it opens MPI libraries, which check no allocation
    if is_ours and has_plain_files and not any("/dev/" in argument for argument in arguments):
        try_stacks(program, settings["shim"], settings["not_ours"], arguments, given or b"", Notes(os.environ[STATE]))
    os.execv(program, ["gibbous", *arguments])


def places(program, calls):
    """The functions of a stack, the innermost first."""
    command = ["addr2line", "-f", "-s", "-e", program, *(f"{int(call, 16) - 1:x}" for call in calls)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [f"{name} {place}" for name, place in zip(lines[::2], lines[1::2], strict=True)]


def run_case(args, state, case):
    env = {**os.environ, STATE: str(state)}
    subprocess.run([args.run, os.path.abspath(__file__), case], env=env, capture_output=True, stdin=subprocess.DEVNULL, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("shim", type=os.path.abspath)
    parser.add_argument("run", type=os.path.abspath)
    parser.add_argument("case", nargs="+", type=os.path.abspath)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    if "GIBBOUS_LONG_TESTS" not in os.environ:
        print("skipped: it takes many minutes; ./check --all runs it, or GIBBOUS_LONG_TESTS=1")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as state:
        (pathlib.Path(state) / "settings").write_text(json.dumps(
            {"program": args.program, "shim": args.shim, "not_ours": not_ours(args.program)}))
        cases = [str(case) for name in args.case for case in (sorted(pathlib.Path(name).glob("*.sh")) or [name])]
        cases = [case for case in cases if pathlib.Path(case).stem not in TIMES]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(lambda case: run_case(args, state, case), cases))
        notes = Notes(state).read()
        found = collections.defaultdict(list)
        for note in notes:
            if note["found"] is not None:
                found[note["found"]].append(note)
    for what, wrong in found.items():
        print(f"{what}: {len(wrong)} times, such as")
        for note in wrong[:8]:
            print(f"    gibbous {' '.join(note['arguments'])}\n        stack {note['stack']}, status {note['status']}: {note['err'].strip()}")
            print(*(f"            {place}" for place in places(args.program, note["calls"])), sep="\n")
    n_bad = sum(len(wrong) for wrong in found.values())
    n_failed = sum(note["status"] != 0 for note in notes)
    print(f"{len(notes)} allocations failed ({n_failed} ended the command) in {len(cases)} cases, {n_bad} times with a wrong end")
    sys.exit(n_bad > 0 or not notes)


if STATE in os.environ:
    act_as_command()
else:
    main()
