#!/usr/bin/env python3
"""Document priors side by side: how probable are documents that a model has not seen, and what are groups good for?

    run.py folds      priors on 20 Newsgroups, ten-fold cross-validation (Mimno, Wallach and McCallum 2008, table 1)
    run.py samples    the first of these folds: how the empirical likelihood rises with its number of samples
    run.py groups     graphs of groups on abstracts, venues and years held out (their table 2)
    run.py labels     a response where some venues have few labels: does the graph help?

Each prints a table in Markdown; without a name all four.  GIBBOUS_DATA names the folder with the data, GIBBOUS the program
(default build/release/gibbous), SWEEPS the sweeps of each training (default 200).
"""
import collections
import csv
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("GIBBOUS", HERE.parents[1] / "build/release/gibbous")
SWEEPS = os.environ.get("SWEEPS", "200")
WORDS = ["--stopwords", "en", "--min-df", "5", "--max-df", "0.3"]
TRAINING = ["-k", "50", "--beta", "0.01", "--sweeps", SWEEPS, "--thin", "10", "--seed", "1"]
PRIORS = {"Dirichlet, alpha optimised": ["--alpha", "optimise"],
          "logistic-normal": ["--prior", "logistic-normal"],
          "logistic-normal, full covariance": ["--prior", "logistic-normal", "--covariance", "full"],
          "uniform": ["--prior", "uniform"]}


def gibbous(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gibbous {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def table(rows):
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |")
        if i == 0:
            print("|---|" + "---:|" * (len(row) - 1))
    sys.stdout.flush()


def mean_and_error(values):
    n = len(values)
    mean = sum(values) / n
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1) / n)


# ---- ten-fold cross-validation ----

def newsgroups(data, folder):
    """A corpus file of the training documents' text."""
    with open(folder / "news.jsonl", "w", encoding="utf-8") as out:
        for path in sorted((data / "20news").glob("*train*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                out.writelines(lines)
    gibbous("import", folder / "news.jsonl", "-o", folder / "news.gbc", *WORDS)
    return folder / "news.gbc"


def folds(data, folder):
    corpus = newsgroups(data, folder)
    rows = [["document prior", "empirical", "completion"]]
    for name, options in PRIORS.items():
        cells = []
        for method in ("empirical", "completion"):
            result = json.loads(gibbous("evaluate", corpus, "--folds", 10, "--response", "none", *TRAINING, *options,
                                        "--held-out", method, "--json"))["held_out"]["log_likelihood"]
            cells.append(f"{result['mean']:.4f} ± {result['se']:.4f}")
        rows.append([name, *cells])
    table(rows)


SAMPLES = (100, 1000)


def samples(data, folder):
    """Each tenth post is held out."""
    lines = []
    for path in sorted((data / "20news").glob("*train*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as part:
            lines += part.readlines()
    (folder / "train.jsonl").write_text("".join(line for i, line in enumerate(lines) if i % 10), encoding="utf-8")
    (folder / "test.jsonl").write_text("".join(lines[::10]), encoding="utf-8")
    gibbous("import", folder / "train.jsonl", "-o", folder / "train.gbc", *WORDS)
    rows = [["document prior", *(str(n) for n in SAMPLES)]]
    for name, options in PRIORS.items():
        model = folder / "model.gibbous"
        gibbous("train", folder / "train.gbc", "--response", "none", *TRAINING, *options, "-m", model, "--force", "-q")
        found = [json.loads(gibbous("evaluate", folder / "test.jsonl", "-m", model, "--held-out", "empirical", "--held-out-samples", n,
                                    "--json"))["held_out"] for n in SAMPLES]
        rows.append([name, *(f"{r['log_likelihood']:.4f} (Monte Carlo error {r['mc_se']:.4f})" for r in found)])
        print(rows[-1], file=sys.stderr, flush=True)
    table(rows)


# ---- venues and years held out ----

def abstracts(data):
    with gzip.open(data / "acl_abstracts/acl_abstracts.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def alike(documents, n_neighbours=3):
    """Edges between each venue and those whose titles have the words most like its own: cosine of TF-IDF."""
    words = collections.defaultdict(collections.Counter)
    for d in documents:
        words[d["venue"]].update(w for w in d["title"].lower().split() if w.isalpha() and len(w) > 3)
    venues = sorted(words)
    spread = collections.Counter(w for v in venues for w in words[v])
    vectors = {}
    for v in venues:
        x = {w: (1 + math.log(n)) * math.log(len(venues) / spread[w]) for w, n in words[v].items()}
        norm = math.sqrt(sum(a * a for a in x.values())) or 1
        vectors[v] = {w: a / norm for w, a in x.items()}
    edges = set()
    for v in venues:
        near = sorted(((sum(a * vectors[u].get(w, 0) for w, a in vectors[v].items()), u) for u in venues if u != v),
                      reverse=True)
        edges.update(tuple(sorted((v, u))) for _, u in near[:n_neighbours])
    return sorted(edges)


def write_edges(path, edges, kind):
    with open(path, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["from", "to", "type"])
        rows.writerows((*e, kind) for e in edges)
    return path


def grid(documents, edges):
    """Years of venues: chains over the years, and within a year the edges between venues."""
    years = range(min(d["year"] for d in documents), max(d["year"] for d in documents) + 1)
    venues = sorted({d["venue"] for d in documents})
    chains = [(f"{v}|{y}", f"{v}|{y + 1}") for v in venues for y in years[:-1]]
    return chains + [(f"{a}|{y}", f"{b}|{y}") for a, b in edges for y in years]


SPLITS = ["venue=semeval", "venue=mtsummit", "year=2008", "year=2014"]


def groups(data, folder):
    documents = abstracts(data)
    with open(folder / "abstracts.jsonl", "w", encoding="utf-8") as out:
        for d in documents:
            out.write(json.dumps({"id": d["id"], "text": d["text"], "venue": d["venue"], "year": str(d["year"]),
                                  "all": "all"}) + "\n")
    corpus = folder / "abstracts.gbc"
    gibbous("import", folder / "abstracts.jsonl", "-o", corpus, "--group", "venue,year,all", *WORDS)
    edges = alike(documents)
    venues = write_edges(folder / "venues.csv", edges, "venue")
    one_type = write_edges(folder / "one-type.csv", grid(documents, edges), "any")
    graphs = {"single mean": ["--group", "all"],
              "years": ["--group", "year", "--graph", "chain"],
              "venues": ["--group", "venue", "--graph", venues],
              "venues and years, one precision": ["--group", "venue,year", "--graph", one_type],
              "venues and years, two precisions": ["--group", "venue,year", "--graph", f"grid:{venues}"]}
    print(f"{len(edges)} edges between venues\n")
    documents_of, results = {}, {}
    for split in SPLITS:
        for name, options in graphs.items():
            out = folder / "documents.csv"
            gibbous("evaluate", corpus, "--response", "none", "--prior", "graph", *options, "--hold-out-group", split,
                    *TRAINING, "--held-out", "empirical", "--held-out-samples", 100, "-o", out, "--force")
            with open(out, newline="", encoding="utf-8") as rows:
                results[split, name] = [(float(r["log_likelihood"]), int(r["n_scored"])) for r in csv.DictReader(rows)]
            documents_of[split] = len(results[split, name])
    rows = [["held out"] + [f"{s} ({documents_of[s]})" for s in SPLITS]]
    for name in graphs:
        cells = []
        for split in SPLITS:
            base, here = results[split, "single mean"], results[split, name]
            n_tokens = sum(n for _, n in here)
            cell = f"{sum(x for x, _ in here) / n_tokens:.4f}"
            if name != "single mean":
                mean, error = mean_and_error([x - y for (x, _), (y, _) in zip(here, base)])
                cell += f" ({mean * len(here) / n_tokens:+.4f} ± {error * len(here) / n_tokens:.4f})"
            cells.append(cell)
        rows.append([name, *cells])
    table(rows)


# ---- few labels ----

FEW = 5


def labels(data, folder):
    """Predict the year of an abstract; some venues have FEW documents with a year."""
    documents = abstracts(data)
    sizes = collections.Counter(d["venue"] for d in documents)
    rest = random.Random(1)
    scarce = set(rest.sample(sorted(v for v, n in sizes.items() if 60 <= n <= 500), 15))
    rest.shuffle(documents)
    seen, tests = collections.Counter(), []
    with open(folder / "train.jsonl", "w", encoding="utf-8") as train, \
            open(folder / "test.jsonl", "w", encoding="utf-8") as test:
        for d in documents:
            row = {"id": d["id"], "text": d["text"], "venue": d["venue"], "year": d["year"]}
            seen[d["venue"]] += 1
            if d["venue"] in scarce and seen[d["venue"]] > FEW:
                test.write(json.dumps(row) + "\n")
                tests.append(d)
            else:
                train.write(json.dumps(row) + "\n")
    venues = write_edges(folder / "venues.csv", alike(documents), "venue")
    truth = [float(d["year"]) for d in tests]
    errors, cells = {}, {}
    for name, options in {"Dirichlet": [], "logistic-normal": ["--prior", "logistic-normal"],
                          "graph of venues": ["--prior", "graph", "--group", "venue", "--graph", venues]}.items():
        model, out = folder / "model.gibbous", folder / "predicted.csv"
        gibbous("train", folder / "train.jsonl", "--target", "year", "--response", "gaussian", *options, *TRAINING,
                *WORDS, "-m", model, "--force", "--intercept")
        group = ["--group", "venue"] if "graph" in name else []
        gibbous("predict", folder / "test.jsonl", "-m", model, "-o", out, "--force", "--target", "year", *group)
        with open(out, newline="", encoding="utf-8") as rows:
            guess = [float(r["mean"]) for r in csv.DictReader(rows)]
        errors[name] = [(g - y) ** 2 for g, y in zip(guess, truth)]
        mean = sum(truth) / len(truth)
        cells[name] = 1 - sum(errors[name]) / sum((y - mean) ** 2 for y in truth)
    print(f"{len(truth)} documents of {len(scarce)} venues with {FEW} years known of each\n")
    rows = [["document prior", "R²", "squared error", "against Dirichlet"]]
    for name, e in errors.items():
        mean, error = mean_and_error([a - b for a, b in zip(e, errors["Dirichlet"])])
        rows.append([name, f"{cells[name]:.3f}", f"{sum(e) / len(e):.2f}",
                     "" if name == "Dirichlet" else f"{mean:+.2f} ± {error:.2f}"])
    table(rows)


PARTS = {"folds": folds, "samples": samples, "groups": groups, "labels": labels}


def main():
    data = os.environ.get("GIBBOUS_DATA")
    if data is None:
        sys.exit("GIBBOUS_DATA must name the folder with the data")
    chosen = sys.argv[1:] or list(PARTS)
    if any(name not in PARTS for name in chosen):
        sys.exit(__doc__)
    for name in chosen:
        print(f"\n## {name}\n")
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](pathlib.Path(data), pathlib.Path(folder))


if __name__ == "__main__":
    main()
