#!/usr/bin/env python3
"""Lines and branches of src/ and cli/ that the tests of a build with --coverage reached.

    tools/coverage.py [--floor LINES,BRANCHES] [--uncovered N] [--ways CLASS|FILE] BUILD

Prints shares by folder, of ways out of branches that were not taken how many belong to each class, and for N files that have most uncovered
lines which these are.  With --ways, the lines with such ways of a class, or of files whose path begins so.  Exit status 1 below the
floor (percent)."""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

# Without optimisation, the compiler makes a branch for each lane of a vector, and one for each place into which a function is forced, where
# what it asks for may be a constant: the branches of kernels are not counted, their lines are.
OF_VECTORS = ("src/simd/", "_kernel.h", "_lanes.h", "src/random/lanes.h", "src/token/products.h")
# Why a way out of a branch was not taken: the first that fits its file or its line.
CLASSES = (
    ("sandbox", "in the sandbox, whose process can write no counts", lambda path, line, ran: path.startswith("cli/sandbox")),
    ("not-run", "in a line that did not run", lambda path, line, ran: not ran),
    ("failure", "a failure of a called function, passed on", lambda path, line, ran: re.search(r"_TRY\(|[!=]= GB_OK|st == GB_[A-Z]", line)),
    ("null", "a null pointer, or none", lambda path, line, ran: "NULL" in line),
    ("hash", "within a macro of uthash", lambda path, line, ran: "HASH_" in line),
    ("loop", "a loop that is never entered, or never left there", lambda path, line, ran: re.match(r"(\} )?(for|while|do)\b|json_\w+_foreach", line)),
    ("parts", "a condition of several parts of which one never decides", lambda path, line, ran: re.search(r"&&|\|\|", line)),
    ("choice", "a value of two (?:)", lambda path, line, ran: "?" in line),
    ("case", "a switch", lambda path, line, ran: line.startswith("switch")),
    ("condition", "one condition", lambda path, line, ran: True),
)
SOURCE = pathlib.Path(__file__).resolve().parent.parent


class File:
    """How often each line ran, and each way out of each branch."""

    def __init__(self):
        self.lines = collections.Counter()
        self.ways = collections.Counter()

    def add(self, report, has_branches):
        for line in report["lines"]:
            number = line["line_number"]
            self.lines[number] += line["count"]
            for i, branch in enumerate(line["branches"] if has_branches else []):
                self.ways[number, i] += branch["count"]

    def uncovered(self):
        return sorted(n for n, count in self.lines.items() if count <= 0)


def read_counts(data):
    command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", str(data)]
    text = subprocess.run(command, check=True, capture_output=True, text=True, cwd=data.parent).stdout
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def read_build(build):
    """Files by their path.  Headers with functions are compiled into several objects, a source into several programs."""
    files = collections.defaultdict(File)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for reports in pool.map(read_counts, build.rglob("*.gcda")):
            for report in reports:
                for entry in report["files"]:
                    path = pathlib.Path(report["current_working_directory"], entry["file"]).resolve()
                    if path.is_relative_to(SOURCE / "src") or path.is_relative_to(SOURCE / "cli"):
                        name = str(path.relative_to(SOURCE))
                        files[name].add(entry, not any(part in name for part in OF_VECTORS))
    return files


def share(counts):
    n = len(counts)
    return sum(c > 0 for c in counts), n, 100 * sum(c > 0 for c in counts) / n if n else 100.0


def as_ranges(numbers):
    """1 2 3 7 -> 1-3 7"""
    out = []
    for n in numbers:
        if out and n == out[-1][1] + 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def print_folders(files):
    folders = collections.defaultdict(lambda: ([], []))
    for path, file in files.items():
        name = "/".join(path.split("/")[: 2 if path.startswith("src/") else 1])
        for key in (name, "library" if path.startswith("src/") else "command", "all"):
            folders[key][0].extend(file.lines.values())
            folders[key][1].extend(file.ways.values())
    print(f"{'':18}{'lines':>8}{'of':>8}{'%':>8}{'branches':>10}{'of':>8}{'%':>8}")
    folders.pop("cli", None)  # the command
    sums = ["", "library", "command", "all"]
    for name in sorted(folders, key=lambda n: (sums.index(n) if n in sums else 0, n)):
        (hit, n, p), (ways, m, q) = share(folders[name][0]), share(folders[name][1])
        print(f"{name:18}{hit:8}{n:8}{p:8.1f}{ways:10}{m:8}{q:8.1f}")
    return share(folders["all"][0])[2], share(folders["all"][1])[2]


def class_of(path, line, ran):
    return next(name for name, _, fits in CLASSES if fits(path, line, ran))


def ways_not_taken(files):
    """(path, number and text of the line, class, how many ways) where there are any."""
    for path, file in sorted(files.items()):
        lines = (SOURCE / path).read_text().splitlines()
        # of programs with threads, counts that are worked out from others can be less than nothing
        missing = collections.Counter(number for (number, _), count in file.ways.items() if count <= 0)
        for number, n in sorted(missing.items()):
            line = lines[number - 1].strip()
            yield path, number, line, class_of(path, line, file.lines[number] > 0), n


def print_classes(files, wanted):
    counts = collections.Counter()
    for path, number, line, name, n in ways_not_taken(files):
        counts[name] += n
        if wanted and (wanted == name or path.startswith(wanted)):
            print(f"{path}:{number}: {n} ({name}): {line}")
    print(f"\nways not taken: {counts.total()}")
    for name, meaning, _ in CLASSES:
        print(f"{counts[name]:6}  {name:10} {meaning}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--floor", default="0,0")
    parser.add_argument("--uncovered", type=int, default=0)
    parser.add_argument("--ways", default="")
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    files = read_build(arguments.build.resolve())
    lines, branches = print_folders(files)
    print_classes(files, arguments.ways)
    worst = sorted(files, key=lambda path: -len(files[path].uncovered()))
    for path in worst[: arguments.uncovered]:
        print(f"{path}: {len(files[path].uncovered())} lines: {as_ranges(files[path].uncovered())}")
    wanted_lines, wanted_branches = (float(x) for x in arguments.floor.split(","))
    if lines < wanted_lines or branches < wanted_branches:
        print(f"below the floor of {wanted_lines:g} % of the lines and {wanted_branches:g} % of the branches")
        sys.exit(1)


if __name__ == "__main__":
    main()
