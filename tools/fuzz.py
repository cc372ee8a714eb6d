#!/usr/bin/env python3
"""Fuzzes with the harnesses of tests/fuzz, each in turn, and keeps account of what that took.

    cmake --preset fuzz && cmake --build --preset fuzz
    tools/fuzz.py build/fuzz/tests/fuzz FOLDER [HARNESS...] [--minutes M] [--more M] [--turn S] [--jobs N] [--until HH:MM]
    tools/fuzz.py build/fuzz/tests/fuzz FOLDER [HARNESS...] --summary|--keep

FOLDER keeps for each harness what was found interesting (corpus/NAME), and what failed (findings/NAME-...), so that the next call
goes on where this one has stopped.  A new FOLDER begins with what tests/fuzz/found has, which --keep replaces by the part of FOLDER's
corpus that reaches all that FOLDER's reaches.  Its ledger.jsonl gets a line for each turn: seconds of processor time, inputs, coverage and findings.  A
harness is done when the ledger has --minutes of it, or when this call has given it --more minutes; without both, it never is.  --until is a time
of day in UTC, today or tomorrow.  --summary only prints the sums.  SIGTERM ends the turns that run, and then the program.  The status is 1 if this call found something.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

MEMORY_MB, INPUT_SECONDS, POLL_SECONDS, MOST_BYTES = 512, 100, 0.5, 1 << 16  # seconds on the wall, of a machine that may be busy
SLOW_SECONDS = 10  # of a processor; libFuzzer calls an input slow that takes as many on the wall
ending = threading.Event()
TICKS = os.sysconf("SC_CLK_TCK")
TESTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "fuzz"


def kept(args, name):
    """The folder of what a harness has found interesting, which begins with what the project keeps."""
    folder = args.folder / "corpus" / name
    archive = TESTS / "found" / f"{name}.tar.xz"
    if not folder.exists():
        folder.mkdir(parents=True)
        if archive.exists():
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")
    return folder


def command(args, name, *more):
    return [args.programs / f"fuzz_{name}", f"-max_len={MOST_BYTES}", f"-rss_limit_mb={MEMORY_MB}", f"-timeout={INPUT_SECONDS}", *more]


def environment(temporary):
    return {**os.environ, "TMPDIR": str(temporary), "ASAN_OPTIONS": "quarantine_size_mb=32:detect_leaks=1"}


def run_apart(args, name, temporary, *more):
    """Runs a harness quietly to its end, with all that it writes in the temporary folder."""
    return subprocess.run(command(args, name, f"-artifact_prefix={temporary}/", *more), check=False, env=environment(temporary),
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def folders(args, name):
    seeds = TESTS / "seeds" / name
    return [kept(args, name), *([seeds] if seeds.is_dir() else [])]


def keep(args, name):
    """Writes tests/fuzz/found/NAME.tar.xz."""
    with tempfile.TemporaryDirectory(dir=args.folder) as temporary:
        merged = pathlib.Path(temporary) / "merged"
        merged.mkdir()
        run_apart(args, name, temporary, "-merge=1", merged, *folders(args, name)).check_returncode()
        files = sorted(merged.iterdir())
        archive = TESTS / "found" / f"{name}.tar.xz"
        archive.parent.mkdir(exist_ok=True)
        new = archive.with_name(f"{name}.new")
        with tarfile.open(new, "w:xz", preset=9) as tar:
            for file in files:
                member = tarfile.TarInfo(file.name)
                member.size = file.stat().st_size
                with open(file, "rb") as data:
                    tar.addfile(member, data)
        new.replace(archive)
        print(f"{name:<14}{len(files):>8} inputs{archive.stat().st_size:>10} bytes", flush=True)


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Turn:
    """A harness that runs until it has had its share of processor time."""

    def __init__(self, args, name):
        self.args, self.name, self.folder = args, name, args.folder
        self.found_before = set(self.findings())
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="gibbous-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
        self.log = args.folder / "logs" / f"{name}.log"
        for folder in (args.folder / "findings", self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)
        arguments = command(args, name, "-print_final_stats=1", "-verbosity=1", f"-artifact_prefix={args.folder}/findings/{name}-", *folders(args, name))
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(arguments, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment(self.temporary),
                                            preexec_fn=self.lower)
        self.asked = False

    @staticmethod
    def lower():
        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def findings(self):
        return (f.name for f in (self.folder / "findings").glob(f"{self.name}-*"))

    def seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def is_over(self, share):
        """Whether it has ended; it is asked to when it has had its share."""
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid == 0:
            if not self.asked and self.seconds() >= share:
                self.process.send_signal(signal.SIGUSR1)
                self.asked = True
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.used = usage.ru_utime + usage.ru_stime
        shutil.rmtree(self.temporary, ignore_errors=True)
        return True

    def drop_quick(self):
        """Slow inputs are found by the time on the wall; those that take little of a processor were slow on a busy machine."""
        for name in set(self.findings()) - self.found_before:
            if name.startswith(f"{self.name}-slow-unit-"):
                file = self.folder / "findings" / name
                with tempfile.TemporaryDirectory(dir=self.folder) as temporary:
                    before = seconds_of_children()
                    is_well = run_apart(self.args, self.name, temporary, file).returncode == 0
                    if is_well and seconds_of_children() - before < SLOW_SECONDS:
                        file.unlink()

    def account(self):
        self.drop_quick()
        text = self.log.read_text(encoding="utf-8", errors="replace")
        lines = re.findall(r"^#(\d+)\s.*?cov: (\d+) ft: (\d+)", text, re.MULTILINE)
        n = re.findall(r"stat::number_of_executed_units: *(\d+)", text)
        new = sorted(set(self.findings()) - self.found_before)
        if new:
            shutil.copy(self.log, self.folder / "findings" / f"{new[0]}.log")
        return {"harness": self.name, "ended": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                "cpu_seconds": round(self.used, 1), "inputs": int(n[-1]) if n else int(lines[-1][0]) if lines else 0,
                "cov": int(lines[-1][1]) if lines else 0, "ft": int(lines[-1][2]) if lines else 0, "status": self.process.returncode,
                "findings": [f for f in new if not f.endswith(".log")]}


def read_ledger(folder):
    path = folder / "ledger.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def summary(folder):
    sums = collections.defaultdict(collections.Counter)
    last = {}
    for line in read_ledger(folder):
        sums[line["harness"]].update(cpu_seconds=line["cpu_seconds"], inputs=line["inputs"], findings=len(line["findings"]))
        last[line["harness"]] = line
    print(f"{'harness':<14}{'CPU minutes':>12}{'inputs':>12}{'cov':>8}{'ft':>8}{'findings':>10}")
    for name, s in sorted(sums.items()):
        print(f"{name:<14}{s['cpu_seconds'] / 60:>12.1f}{s['inputs']:>12}{last[name]['cov']:>8}{last[name]['ft']:>8}{s['findings']:>10}")
    total = sum(sums.values(), collections.Counter())
    print(f"{'all':<14}{total['cpu_seconds'] / 60:>12.1f}{total['inputs']:>12}{'':>16}{total['findings']:>10}")


def next_time(text):
    """The next time that a clock in UTC shows this, today or tomorrow."""
    now = datetime.datetime.now(datetime.timezone.utc)
    hour, minute = map(int, text.split(":"))
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return then if then > now else then + datetime.timedelta(days=1)


def is_late(until):
    return ending.is_set() or until is not None and datetime.datetime.now(datetime.timezone.utc) >= until


def fuzz(args):
    """The number of findings."""
    had, given = collections.Counter(), collections.Counter()
    for line in read_ledger(args.folder):
        had[line["harness"]] += line["cpu_seconds"]
    running, n_found = [], 0
    while True:
        wanted = [n for n in args.harness if n not in (t.name for t in running)
                  and (args.minutes is None or had[n] < 60 * args.minutes) and (args.more is None or given[n] < 60 * args.more)]
        while wanted and len(running) < args.jobs and not is_late(args.until):
            name = min(wanted, key=lambda n: had[n])
            wanted.remove(name)
            running.append(Turn(args, name))
        if not running:
            return n_found
        time.sleep(POLL_SECONDS)
        for turn in [t for t in running if t.is_over(0 if is_late(args.until) else args.turn)]:
            running.remove(turn)
            line = turn.account()
            # one that ends at once must not be the next again and again
            had[turn.name] += max(line["cpu_seconds"], args.turn / 10)
            given[turn.name] += max(line["cpu_seconds"], args.turn / 10)
            n_found += len(line["findings"])
            with open(args.folder / "ledger.jsonl", "a", encoding="utf-8") as ledger:
                ledger.write(json.dumps(line) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("harness", nargs="*")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--more", type=float)
    parser.add_argument("--turn", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--until", type=next_time)
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    args.programs, args.folder = args.programs.resolve(), args.folder.resolve()
    args.folder.mkdir(parents=True, exist_ok=True)
    args.harness = args.harness or sorted(p.name.removeprefix("fuzz_") for p in args.programs.glob("fuzz_*") if os.access(p, os.X_OK))
    if args.keep:
        for name in args.harness:
            keep(args, name)
        return
    n_found = 0
    if not args.summary:
        signal.signal(signal.SIGTERM, lambda *_: ending.set())
        n_found = fuzz(args)
    summary(args.folder)
    sys.exit(n_found > 0)


if __name__ == "__main__":
    main()
