#!/usr/bin/env python3
"""How good are the defaults?  Eight corpora and a few more, one grid of settings for each task, scores on documents held out.

    run.py grid  [CORPUS...]     every point of the grid on a part of each corpus: half of it to train, half to score
    run.py test  [CORPUS...]     today's defaults and the best point of the grid on the whole corpus and its test part
    run.py check [CORPUS...]     today's defaults and the point that won in docs/measured/defaults.md, with the seeds 1 to SEEDS (default 3) on
                                 the documents of the grid; the table has means and standard errors
    run.py table [CORPUS...]     what has been measured, in Markdown

Results are kept, one JSON object a line, in the file that RESULTS names (default defaults.jsonl), and what is there is not run
again.  GIBBOUS_DATA names the folder with the data, GIBBOUS the program (default build/release/gibbous), JOBS how many run at
a time (default 1), each on one thread; WORK a folder for the prepared corpora (default: a temporary one).
"""
import concurrent.futures
import gzip
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("GIBBOUS", HERE.parents[1] / "build/release/gibbous")
RESULTS = pathlib.Path(os.environ.get("RESULTS", "defaults.jsonl"))
JOBS = int(os.environ.get("JOBS", "1"))
SEEDS = int(os.environ.get("SEEDS", "3"))
WORDS = ["--stopwords", "en", "--min-df", "5"]
FORMER = {"alpha": 0.2, "beta": 0.01, "sweeps": 100, "no-intercept": True}  # but for cost and variance
SEARCH_SIZE = 3000  # documents to train on in the search, and half as many to score

# name: training files, test files (none: every fifth document), options, topics, what is scored
CORPORA = {
    "newsgroups": (["20news/20news_bydate_train"], ["20news/20news_bydate_test"], ["--label", "label"], 50, "accuracy"),
    "imdb": (["imdb/imdb_reviews_train"], ["imdb/imdb_reviews_test"], ["--label", "label"], 50, "accuracy"),
    "reuters": (["reuters21578/reuters_modapte_train"], ["reuters21578/reuters_modapte_test"], ["--labels", "labels"],
                100, "micro_f1"),
    "genres": (["movies_tmdb/tmdb_5000"], [], ["--labels", "labels"], 50, "micro_f1"),
    "reviews": (["movie_review_scale/scale_subjective"], [], ["--target", "rating"], 50, "r2"),
    "hotels": (["hotel_reviews/tripadvisor_2000"], [], ["--target", "rating"], 50, "r2"),
    "class3": (["movie_review_scale/scale_subjective"], [], ["--label", "class3"], 50, "accuracy"),
    "hotels5": (["hotel_reviews/tripadvisor_2000"], [], ["--label", "rating"], 50, "accuracy"),
    "genre1": (["movies_tmdb/tmdb_5000"], [], ["--label", "first_genre"], 50, "accuracy"),
    "party": (["sotu/sotu_passages"], [], ["--label", "party"], 50, "accuracy"),
    "votes": (["movies_tmdb/tmdb_5000"], [], ["--target", "vote_average"], 50, "r2"),
    "abstracts": (["acl_abstracts/acl_abstracts"], [], [], 50, "perplexity"),
    "sotu": (["sotu/sotu_passages"], [], [], 50, "perplexity"),
}


# What won among the points of docs/measured/defaults.md, which have one chain of 300 sweeps.
BEST = {
    "newsgroups": {"cost": 64, "variance": 0.01},
    "imdb": {"cost": 4, "variance": 0.3},
    "reuters": {"cost": 6, "variance": 0.2},
    "genres": {"cost": 2, "variance": 1},
    "reviews": {"cost": 16, "noise-share": 0.5, "variance": 0.03},
    "hotels": {"cost": 1, "variance": 10},
    "abstracts": {"alpha": "optimise", "beta": 0.1},
    "sotu": {"alpha": "optimise", "beta": 0.1},
}
ONE_CHAIN = {"sweeps": 300, "chains": 1}


def classes_grid():
    """Cost and variance together, the rest one by one and in the pairs that may matter."""
    points = [{}]
    points += [{"cost": c, "variance": v} for v, costs in
               ((0.01, (2, 8, 16, 64, 128)), (0.1, (2, 8, 32, 128)), (1, (1, 2, 8, 32)), (10, (1, 2, 8, 32)))
               for c in costs]
    return points + common_grid()


def numbers_grid():
    """The noise as a share of the target's variance: a cost of 16 with half of it is a strength of 32."""
    points = [{}] + [{"cost": c} for c in (4, 16, 64)]
    points += [{"cost": c, "noise-share": 0.5} for c in (1, 4, 16, 32, 64, 128, 256)]
    points += [{"cost": c, "noise-share": 0.5, "variance": v} for v in (0.1, 1, 100) for c in (16, 64, 256)]
    return points + common_grid() + [{"cost": 64, "noise-share": 0.5, **p} for p in common_grid()]


def words_grid():
    points = [{"alpha": a, "beta": b} for a in (0.02, 0.05, 0.1, 0.2, 0.5, "optimise") for b in (0.01, 0.03, 0.1, 0.2)]
    return [{}] + points + [{"sweeps": 300}, {"chains": 4}, {"alpha": "optimise", "beta": 0.1, "sweeps": 300},
                            {"alpha": 0.1, "beta": 0.1, "sweeps": 300}, {"alpha": 0.1, "beta": 0.1, "chains": 4}]


def common_grid():
    """The points that every response has."""
    return [FORMER, {"alpha": 0.05}, {"alpha": 0.5}, {"alpha": "optimise"}, {"beta": 0.003}, {"beta": 0.03}, {"beta": 0.1},
            {"alpha": 0.05, "beta": 0.1}, {"alpha": "optimise", "beta": 0.1}, {"alpha": 0.5, "beta": 0.1},
            {"sweeps": 40}, {"sweeps": 300}, {"chains": 4}]


def grid_of(name):
    options = CORPORA[name][2]
    return words_grid() if not options else numbers_grid() if "--target" in options else classes_grid()


# ---- running ----

def gibbous(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"gibbous {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def read(names):
    data = pathlib.Path(os.environ["GIBBOUS_DATA"])
    documents = []
    for name in names:
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            documents += [json.loads(line) for line in lines]
    return documents


def usable(document, options):
    """Only documents with what is to be predicted are scored."""
    fields = options[1::2]
    return bool(document["text"].strip()) and all(document.get(f) not in (None, [], "") for f in fields)


def split(name, part):
    """Training and scored documents.  part: "grid", out of the training documents, or "test"."""
    train_files, test_files, options = CORPORA[name][:3]
    train = [d for d in read(train_files) if usable(d, options)]
    if not test_files:
        test, train = train[::5], [d for i, d in enumerate(train) if i % 5]
    elif part == "test":
        test = [d for d in read(test_files) if usable(d, options)]
    if part == "grid":
        random.Random(1).shuffle(train)
        n = min(SEARCH_SIZE, 2 * len(train) // 3)
        train, test = train[:n], train[n:n + n // 2]
    known = {l for d in train for l in labels_of(d, options)}
    for d in test:  # a label that no training document has cannot be found
        if "--labels" in options:
            d["labels"] = [l for l in d["labels"] if l in known]
    return train, [d for d in test if usable(d, options)]


def labels_of(document, options):
    return document["labels"] if "--labels" in options else []


def prepare(name, part, folder):
    target = folder / f"{name}-{part}"
    if not (target / "done").exists():
        target.mkdir(exist_ok=True)
        for file, documents in zip(("train", "test"), split(name, part)):
            with open(target / f"{file}.jsonl", "w", encoding="utf-8") as out:
                for d in documents:
                    out.write(json.dumps({k: d[k] for k in ("id", "text", *CORPORA[name][2][1::2])}) + "\n")
        gibbous("import", target / "train.jsonl", "-o", target / "train.gbc", "-f", *WORDS, *CORPORA[name][2])
        (target / "done").touch()
    return target


def options_of(point, folder, options):
    words = []
    for key, value in point.items():
        if key == "noise-share":
            key, value = "noise-variance", f"{value * variance_of(folder, options[1]):.4g}"
        words += [f"--{key}"] if value is True else [f"--{key}", str(value)]
    return words


def variance_of(folder, field):
    with open(folder / "train.jsonl", encoding="utf-8") as lines:
        return statistics.pvariance([float(json.loads(line)[field]) for line in lines])


def measure(name, part, point, folder):
    options, topics, score = CORPORA[name][2:]
    words = options_of({"seed": 1, **point}, folder, options)
    with tempfile.TemporaryDirectory() as scratch:
        begin = time.monotonic()
        process = subprocess.Popen([PROGRAM, "train", folder / "train.gbc", "-m", f"{scratch}/m", "-k", str(topics),
                                    "--threads", "1", "-q", *words], stderr=subprocess.PIPE, text=True)
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status != 0:
            raise RuntimeError(f"{name} {point}: {message}")
        scored = json.loads(gibbous("evaluate", folder / "test.jsonl", "-m", f"{scratch}/m", "--threads", "1", "--json"))
    return {"corpus": name, "part": part, "point": point, "seconds": usage.ru_utime + usage.ru_stime,
            "wall": time.monotonic() - begin, "score": find(scored, score)}


def find(tree, key):
    """The first value of that name."""
    if isinstance(tree, dict):
        if isinstance(tree.get(key), (int, float)):
            return tree[key]
        tree = list(tree.values())
    for branch in tree if isinstance(tree, list) else []:
        value = find(branch, key)
        if value is not None:
            return value
    return None


def load():
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def run(tasks):
    """tasks: (corpus, part, point)."""
    done = [(r["corpus"], r["part"], r["point"]) for r in load()]
    tasks = [t for t in tasks if t not in done]
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = pathlib.Path(os.environ.get("WORK", scratch))
        work.mkdir(exist_ok=True)

        def one(task):
            name, part, point = task
            with lock:
                folder = prepare(name, part, work)
            try:
                result = measure(name, part, point, folder)
            except RuntimeError as error:
                print(error, file=sys.stderr, flush=True)
                return
            with lock, open(RESULTS, "a") as out:
                out.write(json.dumps(result) + "\n")
            print(result, file=sys.stderr, flush=True)

        list(pool.map(one, tasks))


# ---- tables ----

def worth(name, result):
    """Larger is better."""
    return -result["score"] if CORPORA[name][4] == "perplexity" else result["score"]


def text_of(point):
    return ", ".join(f"{k} {v}" if v is not True else k for k, v in point.items()) or "defaults"


def best_of(name, results):
    rows = [r for r in results if r["corpus"] == name and r["part"] == "grid" and "chains" not in r["point"]]
    return max(rows, key=lambda r: worth(name, r))


def table(names):
    results = load()
    for name in names:
        for part in ("grid", "test"):
            rows = [r for r in results if r["corpus"] == name and r["part"] == part]
            if not rows:
                continue
            print(f"\n{name}, {part}\n\n| settings | {CORPORA[name][4]} | CPU s |\n|---|---:|---:|")
            for r in sorted(rows, key=lambda r: -worth(name, r)):
                print(f"| {text_of(r['point'])} | {r['score']:.4f} | {r['seconds']:.1f} |")


def check(names):
    seeds = [{"seed": s} for s in range(1, SEEDS + 1)]
    run([(n, "grid", {**p, **s}) for n in names for p in ({}, {**BEST[n], **ONE_CHAIN}) for s in seeds])
    print("| corpus | score | defaults | CPU s | the point that won | CPU s |\n|---|---|---:|---:|---:|---:|")
    for name in names:
        cells = [name, CORPORA[name][4]]
        for point in ({}, {**BEST[name], **ONE_CHAIN}):
            rows = [r for r in load() if (r["corpus"], r["part"]) == (name, "grid") and {**r["point"], "seed": 0} == {**point, "seed": 0}]
            cells += [mean_text([r["score"] for r in rows]), f"{statistics.mean(r['seconds'] for r in rows):.1f}"]
        print("| " + " | ".join(cells) + " |")


def mean_text(scores):
    digits = 0 if scores[0] > 10 else 3
    error = f" ± {statistics.stdev(scores) / len(scores) ** 0.5:.{digits}f}" if len(scores) > 1 else ""
    return f"{statistics.mean(scores):.{digits}f}{error}"


def main():
    commands = ("grid", "test", "check", "table")
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    names = sys.argv[2:] or list(CORPORA)
    if sys.argv[1] == "grid":
        run([(n, "grid", p) for n in names for p in grid_of(n)])
    elif sys.argv[1] == "test":
        run([(n, "test", p) for n in names for p in ({}, best_of(n, load())["point"])])
    elif sys.argv[1] == "check":
        check([n for n in names if n in BEST])
    else:
        table(names)


if __name__ == "__main__":
    main()
