#!/usr/bin/env python3
"""Measures the speed of gibbous and prints one table: what was done, gibbous, what it is compared with, the ratio.

    GIBBOUS_DATA=/path/to/data bench/speed/run.py [PART...] [--repeats N] [--write-docs]

Parts: tokens, classes, binary, training, quality, threads, vectors; and, when they are named: samplers (each at many K,
for the choice of --sampler auto), large (a simulated corpus of 100 million tokens), instructions (counted by valgrind),
tomotopy and peers (other programs, installed into build/speed/venv when PEERS=yes).
Without a name the first seven are run.  Figures of earlier runs are kept in build/speed/results.json; the table
has all of them.  --write-docs puts it into docs/measured/performance.md.

Every figure is the median of N runs (5), the programs that are compared taking turns, and a ratio is the median of the
ratios within a turn.  GIBBOUS_BUILD names another build folder than build/release, which is then used as it is.
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "speed"
BUILD = pathlib.Path(os.environ.get("GIBBOUS_BUILD", ROOT / "build" / "release"))
BENCH = BUILD / "bench" / "gibbous_bench"
GIBBOUS = BUILD / "gibbous"

LDA = ["--response", "none", "--beta", "0.01"]
CLASSES = ["--topics", "100", "--alpha", "0.064", "--beta", "0.01", "--response", "hinge", "--cost", "102.4"]
MH = ["--sampler", "mh", "--mh-steps", "6"]
ACCURATE = ["--topics", "100", "--alpha", "0.15", "--beta", "0.01", "--cost", "32", "--variance", "0.01", "--no-intercept", "--sweeps", "40", "--burn-in", "4", "--thin", "2"]


def topics(k):
    """A total of 6.4 for alpha, as in the papers."""
    return ["--topics", str(k), "--alpha", repr(6.4 / k)]


# ---- programs and data


def call(command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def build():
    if "GIBBOUS_BUILD" not in os.environ:
        call(["cmake", "--preset", "release"], cwd=ROOT, stdout=subprocess.DEVNULL)
        call(["cmake", "--build", "--preset", "release", "--target", "gibbous", "gibbous_bench"], cwd=ROOT,
             stdout=subprocess.DEVNULL)


def samplers():
    """What --sampler may be, from the program's own table of options."""
    options = json.loads(call([GIBBOUS, "--dump-options"], capture_output=True, text=True).stdout)["options"]
    return next(o for o in options if o["name"] == "sampler")["choices"]


def data_folder():
    folder = os.environ.get("GIBBOUS_DATA")
    if not folder:
        sys.exit("GIBBOUS_DATA must name the folder with the data sets")
    return pathlib.Path(folder)


def imported(name, make):
    """A corpus file in the work folder, made once."""
    path = WORK / f"{name}.gbc"
    if not path.exists():
        make(path)
    return path


def newsgroups(part):
    """20 Newsgroups, "bydate", word counts without MALLET's stop words."""
    def make(path):
        data = data_folder()
        call([sys.executable, HERE.parent / "accuracy" / "prepare.py", "newsgroups", data, WORK])
        call([GIBBOUS, "import", WORK / f"{part}.data", "--format", "uci", "--vocabulary",
              data / "20news" / "bow" / "vocabulary.txt.gz", "--stopwords", data / "20news" / "stopwords_en.txt",
              "--label", "#1", "--metadata", WORK / f"{part}.label", "-o", path, "-q"])
    return imported(f"newsgroups-{part}", make)


def reviews():
    """50,000 film reviews, without stop words and tags."""
    def make(path):
        text = WORK / "reviews.jsonl"
        with open(text, "wb") as out:
            for part in ("train", "test"):
                with gzip.open(data_folder() / "imdb" / f"imdb_reviews_{part}.jsonl.gz") as packed:
                    shutil.copyfileobj(packed, out)
        call([GIBBOUS, "import", text, "--label", "label", "--stopwords",
              data_folder() / "20news" / "stopwords_en.txt", "-o", path, "-q"])
        text.unlink()
    return imported("reviews", make)


def simulated(name, documents, length, words):
    return imported(name, lambda path: call([BENCH, "--documents", documents, "--length", length, "--vocabulary-size",
                                             words, "--classes", "20", "--true-topics", "100", "--output", path]))


# ---- measuring


def bench(*arguments):
    answer = call([BENCH, *arguments], stdout=subprocess.PIPE, text=True).stdout
    return json.loads(answer) if answer else None


def in_turns(repeats, **cases):
    """Runs all cases one after the other, again and again: name -> list of answers.  A case is arguments of the program, or
    a function."""
    answers = {name: [] for name in cases}
    for turn in range(repeats):
        for name, arguments in cases.items():
            print(f"  turn {turn + 1}: {name}", file=sys.stderr)
            answers[name].append(arguments() if callable(arguments) else bench(*arguments))
    return answers


def ns(when, clock="cpu"):
    return lambda answer: answer["ns"][when][clock]


def seconds_to(level):
    """CPU time to a log joint; None when it was not reached."""
    def pick(answer):
        before = None
        for point in answer["trace"]:
            if point["log_joint"] >= level:
                if before is None:
                    return point["cpu"]
                share = (level - before["log_joint"]) / (point["log_joint"] - before["log_joint"])
                return before["cpu"] + share * (point["cpu"] - before["cpu"])
            before = point
        return None
    return pick


def seconds_to_accuracy(level):
    return lambda answer: next((s["cpu"] for s in answer["scores"] if s["accuracy"] >= level), None)


def median(answers, pick):
    values = [pick(a) for a in answers]
    return None if None in values else statistics.median(values)


def show(value, unit):
    if value is None:
        return "not reached"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def row(what, own, pick, unit, other_name="", other=None, other_pick=None):
    """A row of the table.  The ratio is how many times the other figure is gibbous's own."""
    other_pick = other_pick or pick
    line = {"what": what, "gibbous": show(median(own, pick), unit), "other": "", "ratio": ""}
    if other is not None:
        line["other"] = f"{other_name}: {show(median(other, other_pick), unit)}"
        pairs = [(pick(a), other_pick(b)) for a, b in zip(own, other)]
        if all(None not in pair for pair in pairs):
            ratio = statistics.median(b / a for a, b in pairs)
            line["ratio"] = f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"
    return line


def quality(what, field, own, other_name="", other=None):
    """A row whose figures are not times, so that a ratio would say nothing."""
    middle = lambda answers: statistics.median(x[field] for x in answers)
    return {"what": what, "gibbous": f"{middle(own):.3f}", "ratio": "",
            "other": f"{other_name}: {middle(other):.3f}" if other else ""}


# ---- the parts


def part_tokens(repeats):
    """Topics alone, one thread, CPU time per token"""
    corpus, rows = newsgroups("train"), []
    for k, sweeps, textbook_sweeps in ((100, 60, 4), (1000, 40, 2), (4000, 20, 1)):
        lda = [corpus, *LDA, *topics(k)]
        cases = {"gibbous": [*lda, "--sweeps", sweeps],
                 "textbook": [*lda, "--engine", "textbook", "--warm", sweeps, "--sweeps", textbook_sweeps]}
        if "mh" in samplers():
            cases["mh"] = [*lda, *MH, "--sweeps", max(sweeps // 4, 10)]
        a = in_turns(repeats, **cases)
        chosen = a["gibbous"][0]["sampler"]
        what = f"K = {k:,} (`{chosen}`)"
        rows.append(row(f"{what}, first five sweeps", a["gibbous"], ns("early"), "ns"))
        rows.append(row(f"{what}, after {sweeps - 10} sweeps", a["gibbous"], ns("late"), "ns", "textbook",
                        a["textbook"]))
        if "mh" in a:
            rows.append(row(f"{what}, the same", a["gibbous"], ns("late"), "ns", "`mh`, 6 steps", a["mh"]))
        rows.append(row(f"{what}, memory of the process", a["gibbous"], lambda x: x["memory"]["peak"], "MiB"))
    return rows


def part_classes(repeats):
    """20 classes, hinge with c = 102.4, K = 100, one thread, CPU time"""
    corpus = newsgroups("train")
    cases = {"gibbous": [corpus, *CLASSES, "--sweeps", 40, "--trace", 1],
             "alone": [corpus, *LDA, *topics(100), "--sweeps", 40],
             "textbook": [corpus, *CLASSES, "--engine", "textbook", "--warm", 40, "--sweeps", 1]}
    if "mh" in samplers():
        cases["mh"] = [corpus, *CLASSES, *MH, "--sweeps", 40, "--trace", 1]
    a = in_turns(repeats, **cases)
    rows = [row("per token, all of a sweep, after 30 sweeps", a["gibbous"], ns("late"), "ns", "topics alone", a["alone"]),
            row("the same", a["gibbous"], ns("late"), "ns", "textbook", a["textbook"])]
    if "mh" in a:
        level = statistics.median(x["trace"][-1]["log_joint"] for x in a["mh"])
        rows.append(row("the same", a["gibbous"], ns("late"), "ns", "`mh`, 6 steps", a["mh"]))
        rows.append(row("40 sweeps", a["gibbous"], total, "s", "`mh`, 6 steps", a["mh"]))
        rows.append(row(f"to log p(w, z) = {level:.3f} per token, where `mh` is after 40 sweeps", a["gibbous"],
                        seconds_to(level), "s", "`mh`, 6 steps", a["mh"], total))
    else:
        rows.append(row("40 sweeps", a["gibbous"], total, "s"))
    return rows


def part_binary(repeats):
    """Two classes, 50,000 film reviews, hinge, K = 100, one thread, CPU time per token"""
    hinge = [reviews(), *topics(100), "--beta", "0.01", "--response", "hinge", "--sweeps"]
    cases = {"gibbous": [*hinge, 12, "--late", 6], "textbook": [*hinge, 3, "--late", 1, "--engine", "textbook"]}
    if "mh" in samplers():
        cases["mh"] = [*hinge, 8, "--late", 4, *MH]
    a = in_turns(repeats, **cases)
    rows = [row("all of a sweep", a["gibbous"], ns("late"), "ns", "textbook", a["textbook"])]
    if "mh" in a:
        rows.append(row("the same", a["gibbous"], ns("late"), "ns", "`mh`, 6 steps", a["mh"]))
    return rows


def part_training(repeats):
    """20 classes, `gibbous train` as a whole"""
    corpus, test = newsgroups("train"), newsgroups("test")
    forty = [corpus, *CLASSES, "--sweeps", 40, "--burn-in", 39, "--thin", 1, "--test", test]
    accurate = [corpus, *ACCURATE, "--test", test]
    cases = {"one": forty, "two": [*forty, "--threads", 2], "accurate": accurate}
    if "mh" in samplers():
        cases["mh"] = [*accurate, *MH]
    a = in_turns(repeats, **cases)
    wall = lambda x: x["total"]["wall"]
    to = seconds_to_accuracy(0.8)
    rows = [row("40 sweeps, K = 100, CPU time, one thread", a["one"], lambda x: x["total"]["cpu"], "s"),
            row("the same, time on the wall with two threads", a["two"], wall, "s", "one thread", a["one"]),
            row("memory of the process", a["one"], lambda x: x["memory"]["peak"], "MiB")]
    mh = ("`mh`, 6 steps", a["mh"]) if "mh" in a else ()
    rows.append(row("to an accuracy of 0.80 on the test part, CPU time", a["accurate"], to, "s", *mh))
    for answer in [*a["accurate"], *a.get("mh", [])]:
        answer["accuracy"] = answer["scores"][-1]["accuracy"]
    rows.append(quality("accuracy on the test part after 40 sweeps", "accuracy", a["accurate"], *mh))
    return rows


def part_quality(repeats):
    """Topics alone, time to a log joint p(w, z) per token, K = 100, one thread, CPU time"""
    lda = [newsgroups("train"), *LDA, *topics(100), "--trace", 1, "--sweeps", 400, "--until"]
    cases = {"gibbous": [*lda, -9.11], "textbook": [*lda, -9.23, "--engine", "textbook"]}
    if "mh" in samplers():
        cases["mh"] = [*lda, -9.5, *MH]
    a = in_turns(repeats, **cases)
    rows = []
    for level in (-9.5, -9.23, -9.11):
        to = seconds_to(level)
        rows.append(row(f"to {level}", a["gibbous"], to, "s", *(("textbook", a["textbook"]) if level < -9.2 else ())))
        if level == -9.5 and "mh" in a:
            rows.append(row("the same", a["gibbous"], to, "s", "`mh`, 6 steps", a["mh"]))
    return rows


def part_threads(repeats):
    """Two threads against one, time on the wall per token in the fastest of 12 sweeps"""
    news = newsgroups("train")
    lda = ["--sweeps", 12, *LDA, *topics(100)]
    jobs = {"20 Newsgroups, topics alone": [news, *lda],
            "20 Newsgroups, 20 classes": [news, *CLASSES, "--sweeps", 12],
            "50,000 film reviews, topics alone": [reviews(), *lda],
            "50,000 film reviews, two classes": [reviews(), *topics(100), "--response", "hinge", "--sweeps", 12]}
    rows = []
    for what, job in jobs.items():
        a = in_turns(repeats, two=[*job, "--threads", 2], one=job)
        rows.append(row(what, a["two"], ns("best", "wall"), "ns", "one thread", a["one"]))
    return rows


def part_vectors(repeats):
    """Instruction sets, one thread, CPU time per token"""
    corpus, rows = newsgroups("train"), []
    jobs = {"K = 100": [*LDA, *topics(100)], "K = 1,000": [*LDA, *topics(1000)], "K = 100, 20 classes": CLASSES}
    for what, job in jobs.items():
        cases = {isa: [corpus, *job, "--sweeps", 12, "--isa", isa] for isa in ("avx512", "avx2", "plain")
                 if has_isa(isa)}
        textbook = [corpus, *job, "--sweeps", 3, "--late", 1, "--engine", "textbook"]
        a = in_turns(repeats, **cases, textbook=textbook)
        names = {"avx512": "AVX-512", "avx2": "AVX2", "plain": "SSE2"}
        widest = next(iter(cases))
        for isa in list(cases)[1:]:
            rows.append(row(f"{what}, {names[widest]}", a[widest], ns("late"), "ns", names[isa], a[isa]))
        rows.append(row(f"{what}, {names['plain']}", a["plain"], ns("late"), "ns", "textbook", a["textbook"]))
    return rows


def has_isa(isa):
    probe = [BENCH, "--documents", 10, "--length", 10, "--sweeps", 1, "--response", "none", "--isa", isa]
    return subprocess.run([str(p) for p in probe], capture_output=True).returncode == 0


def part_samplers(repeats):
    """Every `--sampler` on topics alone, after 20 sweeps, one thread, CPU time per token"""
    corpus, rows = newsgroups("train"), []
    for k in (20, 50, 100, 200, 400, 1000, 2000, 4000):
        job = [corpus, *LDA, *topics(k), "--sweeps", 25, "--late", 5]
        a = in_turns(repeats, **{name: [*job, *(MH if name == "mh" else ["--sampler", name])] for name in samplers()})
        what = f"K = {k:,}, `auto` (takes `{a['auto'][0]['sampler']}`)"
        others = [name for name in a if name != "auto"]
        rows += [row(what, a["auto"], ns("late"), "ns", f"`{name}`", a[name]) for name in others]
    return rows


def part_large(repeats):
    """A simulated corpus of 100 million tokens, 500,000 words, K = 100, one thread"""
    corpus = simulated("large", 750000, 133, 500000)
    a = in_turns(1, gibbous=[corpus, *LDA, *topics(100), "--sweeps", 5, "--late", 3],
                 two=[corpus, *LDA, *topics(100), "--sweeps", 5, "--late", 3, "--threads", 2])
    tokens = a["gibbous"][0]["tokens"]
    return [row(f"{tokens:,} tokens, CPU time per token", a["gibbous"], ns("late"), "ns"),
            row("time on the wall per token, two threads", a["two"], ns("best", "wall"), "ns", "one thread", a["gibbous"]),
            row("memory of the process, the mapped corpus file included", a["gibbous"],
                lambda x: x["memory"]["peak"], "MiB")]


def count_instructions(*arguments):
    """Per token: what ten sweeps more cost."""
    total = []
    for sweeps in (2, 12):
        out = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", BENCH, *arguments, "--sweeps",
                    sweeps], capture_output=True, text=True)
        total.append(int(re.search(r"Collected : (\d+)", out.stderr).group(1)))
        tokens = json.loads(out.stdout)["tokens"]
    return (total[1] - total[0]) / (10 * tokens)


def part_instructions(repeats):
    """Instructions per token, counted (valgrind; AVX2, which is the widest that it runs)"""
    corpus = simulated("small", 300, 100, 2000)
    jobs = {"K = 100": [corpus, *LDA, *topics(100)], "K = 1,000": [corpus, *LDA, *topics(1000)],
            "K = 100, 20 classes": [corpus, *CLASSES]}
    rows = []
    for what, job in jobs.items():
        own = count_instructions(*job, "--isa", "avx2")
        line = {"what": what, "gibbous": f"{own:,.0f}", "other": "", "ratio": ""}
        if "20 classes" not in what:
            other = count_instructions(*job, "--engine", "textbook")
            line["other"], line["ratio"] = f"textbook: {other:,.0f}", f"{other / own:.1f}"
        rows.append(line)
    return rows


def peers(*arguments):
    """Other programs live in an environment of their own, which is made when PEERS=yes."""
    python = WORK / "venv" / "bin" / "python"
    if not python.exists():
        if os.environ.get("PEERS") != "yes":
            sys.exit("the parts tomotopy and peers install tomotopy and scikit-learn into build/speed/venv: say PEERS=yes")
        call([sys.executable, "-m", "venv", WORK / "venv"])
        call([WORK / "venv" / "bin" / "pip", "install", "--quiet", "tomotopy", "scikit-learn"])
    return json.loads(call([python, HERE / "peers.py", *arguments], capture_output=True, text=True).stdout)


class Judge:
    """20 Newsgroups for other programs, and what their topics are worth: the log joint, and how they predict."""

    def __init__(self):
        self.corpus, test = newsgroups("train"), newsgroups("test")
        self.tokens, self.hidden, self.pairs = WORK / "train.tokens", WORK / "test.tokens", WORK / "pairs"
        bench(self.corpus, "--tokens", self.tokens)
        bench(self.corpus, "--test", test, "--tokens", self.hidden)
        self.prior, self.k = ["0.064", "0.01"], "100"
        self.lda = [self.corpus, *LDA, *topics(100)]
        self.words = bench(*self.lda, "--sweeps", 1)["words"]

    def judged(self, task):
        answer = task()
        answer["log_joint"] = bench(*self.lda, "--assignments", self.pairs)["log_joint"]
        answer["completion"] = peers("complete", self.pairs, self.hidden, self.words, self.k, *self.prior)["completion"]
        return answer

    def own(self, sweeps):
        return lambda: self.judged(lambda: bench(*self.lda, "--sweeps", sweeps, "--dump", self.pairs))

    def tomotopy(self):
        return self.judged(lambda: peers("tomotopy", self.tokens, self.k, *self.prior, 100, f"100:{self.pairs}"))

    def slda(self):
        return self.judged(lambda: peers("slda", self.tokens, WORK / "train.label", self.k, *self.prior, 25, 20,
                                         f"20:{self.pairs}"))


def total(answer):
    return answer["total"]["cpu"]


def part_tomotopy(repeats):
    """tomotopy's LDA on 20 Newsgroups, K = 100, one thread, CPU time"""
    judge = Judge()
    a = in_turns(repeats, tomotopy=judge.tomotopy, gibbous=[*judge.lda, "--sweeps", 160, "--trace", 1],
                 hundred=judge.own(100))
    level = statistics.median(x["log_joint"] for x in a["tomotopy"])
    name = f"tomotopy {a['tomotopy'][0]['version']} ({a['tomotopy'][0]['isa']})"
    return [row("LDA, 100 sweeps", a["hundred"], total, "s", name, a["tomotopy"]),
            row(f"LDA to log p(w, z) = {level:.3f} per token, where tomotopy is after 100 sweeps", a["gibbous"],
                seconds_to(level), "s", name, a["tomotopy"], total),
            quality("log p(w, z) per token after 100 sweeps", "log_joint", a["hundred"], name, a["tomotopy"]),
            quality("document completion, log p per token, after 100 sweeps", "completion", a["hundred"], name,
                    a["tomotopy"])]


def part_peers(repeats):
    """scikit-learn's LDA and tomotopy's SLDA on 20 Newsgroups, K = 100, one thread, CPU time"""
    judge = Judge()
    b = in_turns(1, sklearn=lambda: peers("sklearn", judge.tokens, judge.hidden, judge.words, judge.k, *judge.prior, 20),
                 **{f"after {n}": judge.own(n) for n in (5, 10, 20, 40, 100)})
    name = f"scikit-learn {b['sklearn'][0]['version']}"
    level = b["sklearn"][0]["completion"]
    there = [x for n, (x,) in b.items() if n != "sklearn" and x["completion"] >= level] or b["after 100"]
    rows = [row(f"LDA to a document completion of {level:.3f}, where scikit-learn is after 20 passes", there[:1], total,
                "s", name, b["sklearn"])]
    logistic = [judge.corpus, *topics(100), "--beta", "0.01", "--response", "logistic", "--cost", 25,
                "--variance", 10, "--sweeps", 20, "--trace", 20]
    c = in_turns(min(repeats, 3), slda=judge.slda, gibbous=logistic)
    rows.append(row("20 logistic responses, c = 25, 20 sweeps", c["gibbous"], total, "s", "tomotopy, SLDAModel", c["slda"]))
    for answer in c["gibbous"]:
        answer["log_joint"] = answer["trace"][-1]["log_joint"]
    rows.append(quality("log p(w, z) per token after 20 sweeps", "log_joint", c["gibbous"], "tomotopy, SLDAModel", c["slda"]))
    return rows


PARTS = {"tokens": part_tokens, "classes": part_classes, "binary": part_binary, "training": part_training,
         "quality": part_quality, "threads": part_threads, "vectors": part_vectors, "samplers": part_samplers,
         "large": part_large, "instructions": part_instructions, "tomotopy": part_tomotopy, "peers": part_peers}
ON_REQUEST = ("samplers", "large", "instructions", "tomotopy", "peers")
ONCE = ("large", "instructions")


# ---- the table


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))


def table(results):
    lines = [f"Processor: {processor()}.", "", "| | gibbous | compared with | ratio |", "|---|---|---|---|"]
    for name, part in PARTS.items():
        if name in results:
            n = results[name]["repeats"]
            lines.append(f"| **{part.__doc__}** ({n} run{'' if n == 1 else 's'}) | | | |")
            lines += [f"| {r['what']} | {r['gibbous']} | {r['other']} | {r['ratio']} |" for r in results[name]["rows"]]
    return "\n".join(lines)


def write_docs(text):
    path = ROOT / "docs" / "measured" / "performance.md"
    begin, end = "<!-- table: begin -->\n", "<!-- table: end -->\n"
    parts = re.split(f"{re.escape(begin)}|{re.escape(end)}", path.read_text(encoding="utf-8"))
    if len(parts) != 3:
        sys.exit(f"{path}: the two marks around the table are not there once each")
    path.write_text(f"{parts[0]}{begin}\n{text}\n\n{end}{parts[2]}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--write-docs", action="store_true")
    arguments = parser.parse_args()
    wrong = [p for p in arguments.part if p not in PARTS]
    if wrong or arguments.repeats < 1:
        parser.error(f"no part {wrong[0]}" if wrong else "--repeats must be at least 1")
    WORK.mkdir(parents=True, exist_ok=True)
    build()
    kept = WORK / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() else {}
    for name in arguments.part or [p for p in PARTS if p not in ON_REQUEST]:
        print(f"{name}: {PARTS[name].__doc__}", file=sys.stderr)
        results[name] = {"repeats": 1 if name in ONCE else arguments.repeats, "rows": PARTS[name](arguments.repeats)}
        kept.write_text(json.dumps(results, indent=1))
    text = table(results)
    print(text)
    if arguments.write_docs:
        write_docs(text)


if __name__ == "__main__":
    main()
