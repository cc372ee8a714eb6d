"""What all papers share: cells, their results in a CSV file, calls of the program, tables and figures.

A *cell* is one number, or a few, of one row of a table or one point of a figure, with one seed.  A paper is a folder with

    settings.py   SEEDS, FULL and QUICK: all settings in one place
    paper.py      SIMULATES (does --quick work without data?), cells(settings, data, scratch), report(results); where some tables have
                  data of their own, OWN_DATA = {what their names begin with: cells(settings, scratch)}, for --only without GIBBOUS_DATA
    figures.py    functions of (plot, results), each draws a figure named as the function; plot is matplotlib.pyplot
    results.csv   what full runs found
"""
import collections
import csv
import fcntl
import functools
import gzip
import importlib
import json
import math
import os
import pathlib
import platform
import resource
import subprocess
import sys
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("GIBBOUS", str(ROOT / "build/release/gibbous"))
COLUMNS = ["part", "row", "seed", "settings", "result", "cpu_s", "version", "processor"]


class Cell(typing.NamedTuple):
    """part: the table or figure, such as "table 1"; row: which of its rows or points; settings: text that says all that
    the numbers depend on; work: a function that returns a dictionary of numbers or short texts."""
    part: str
    row: str
    seed: int
    settings: str
    work: typing.Callable[[], dict]


# ---- the program ----

def gibbous(*arguments):
    """What the program prints; if it fails, the run ends with its message."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gibbous {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def evaluate(*arguments):
    """The scores of gibbous evaluate, as a dictionary."""
    return json.loads(gibbous("evaluate", *arguments, "--json", "-q"))


@functools.cache
def version():
    """Version of the program, and the commit that its folder is at, if it is in a repository; with a + where sources differ from it."""
    text = gibbous("--version").split("\n")[0].removeprefix("gibbous ")

    def git(*arguments):
        return subprocess.run(["git", "-C", str(pathlib.Path(PROGRAM).resolve().parent), *arguments], check=False, capture_output=True, text=True)

    commit = git("rev-parse", "--short=10", "HEAD")
    if commit.returncode != 0:
        return text
    has_changes = git("diff", "--quiet", "HEAD", "--", ":/include", ":/src", ":/cli").returncode == 1
    return f"{text}-{commit.stdout.strip()}" + "+" * has_changes


@functools.cache
def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.machine()


# ---- data ----

def data_folder():
    folder = os.environ.get("GIBBOUS_DATA")
    return pathlib.Path(folder) if folder and pathlib.Path(folder).is_dir() else None


def read_documents(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_documents(documents, path):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
    return path


# ---- results ----

class Results:
    """The rows of a CSV file, one per finished cell.  A row is written at once, so that nothing is lost at a stop."""

    def __init__(self, path):
        self.path = path
        self.rows = []
        if path.exists():
            with open(path, newline="", encoding="utf-8") as lines:
                self.rows = list(csv.DictReader(lines))

    @staticmethod
    def _key(part, row, seed, settings):
        return part, row, str(seed), settings

    def has(self, cell):
        wanted = self._key(*cell[:4])
        return any(self._key(*(row[name] for name in COLUMNS[:4])) == wanted for row in self.rows)

    def add(self, cell, result, cpu):
        row = dict(zip(COLUMNS, [*map(str, cell[:4]), json.dumps(result, separators=(",", ":")), f"{cpu:.1f}", version(),
                                 processor()]))
        is_new = not self.path.exists() or self.path.stat().st_size == 0
        with open(self.path, "a", newline="", encoding="utf-8") as out:
            rows = csv.DictWriter(out, COLUMNS, lineterminator="\n")
            if is_new:
                rows.writeheader()
            rows.writerow(row)
        self.rows.append(row)

    def of(self, part):
        """{row: [result, ...]} of a table or figure, in the order of the file; results have "seed" and "cpu_s", too."""
        found = collections.OrderedDict()
        for row in self.rows:
            if row["part"] == part:
                result = json.loads(row["result"]) | {"seed": int(row["seed"]), "cpu_s": float(row["cpu_s"])}
                found.setdefault(row["row"], []).append(result)
        return found


def run_cells(cells, results, only="", n_seeds=None, minutes=None):
    """All cells that have no row yet, by seeds, so that each table has its first numbers early."""
    cells = [cell for cell in cells if only in cell.part]
    seeds = sorted({cell.seed for cell in cells})[:n_seeds]
    missing = [cell for seed in seeds for cell in cells if cell.seed == seed and not results.has(cell)]
    if missing:
        with open(results.path, "a", encoding="utf-8") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sys.exit(f"{results.path}: another run is at work on it")
            run_missing(missing, results, minutes)


def run_missing(missing, results, minutes):
    begin = time.monotonic()
    for number, cell in enumerate(missing, 1):
        if minutes is not None and time.monotonic() - begin > 60 * minutes:
            print(f"stopped: {len(missing) - number + 1} cells are left", file=sys.stderr)
            return
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = cell.work()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        results.add(cell, result, cpu)
        print(f"[{number}/{len(missing)}] {cell.part}, {cell.row}, seed {cell.seed}: {brief(result)} ({cpu:.0f} s)",
              file=sys.stderr, flush=True)


def brief(result):
    return " ".join(f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={str(value)[:40]}"
                    for name, value in result.items())


# ---- tables and figures ----

def mean_and_error(values):
    """Mean and standard error over seeds or folds; the error of one value is unknown (nan)."""
    values = list(values)
    n = len(values)
    mean = sum(values) / n
    if n == 1:
        return mean, math.nan
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)


def cell_text(values, digits=3):
    values = list(values)
    mean, error = mean_and_error(values)
    return f"{mean:.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}") + f" ({len(values)})"


def print_table(title, rows):
    print(f"\n{title}\n")
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |")
        if i == 0:
            print("|---|" + "---:|" * (len(row) - 1))
    sys.stdout.flush()


def draw(paper, results, folder):
    """The figures of a paper, as SVG; said to be left out where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        print("figures: left out, for want of matplotlib")
        return
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "gibbous", "svg.fonttype": "none", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    module = importlib.import_module(paper.__name__.replace(".paper", ".figures"))
    folder.mkdir(parents=True, exist_ok=True)
    name_of_paper = paper.__name__.split(".")[0].replace("_", "-")
    for name in module.FIGURES:
        figure = getattr(module, name)(pyplot, results)
        if figure is not None:
            figure.savefig(folder / f"{name_of_paper}-{name.replace('_', '-')}.svg", bbox_inches="tight",
                           metadata={"Date": None, "Creator": None})
            pyplot.close(figure)
