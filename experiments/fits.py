"""What the papers of Zhu and others share: their corpora, one training with one score, tables and curves over a number."""
import collections
import functools
import gzip
import math
import re
import resource
import subprocess
import sys

import frame

# The classes of the binary task, as numbered in 20news/bow.
ATHEISM, RELIGION = 1, 20


# ---- corpora: functions of nothing that return the files of the training and of the test part ----

def _news_part(folder, scratch, name, part, classes, every, positive=None, one_word=False):
    """Word counts and labels of every n-th document of some classes, numbered anew, as a corpus file.  With a positive class
    the labels are that class and the rest; one_word leaves one token of each document."""
    news = folder / "20news"
    with gzip.open(news / "bow" / f"{part}.label.gz", "rt") as lines:
        labels = [int(line) for line in lines]
    chosen = [d for d, label in enumerate(labels, 1) if (not classes or label in classes) and d % every == 0]
    number = {d: i for i, d in enumerate(chosen, 1)}
    stem = scratch / f"{name}-{part}"
    with gzip.open(news / "bow" / f"{part}.data.gz", "rt") as lines, open(f"{stem}.data", "w", encoding="utf-8") as out:
        for line in lines:
            d, word, count = line.split()
            if int(d) not in number:
                continue
            out.write(f"{number[int(d)]} {word} {1 if one_word else count}\n")
            if one_word:
                del number[int(d)]
    with open(f"{stem}.label", "w", encoding="utf-8") as out:
        out.writelines(f"{labels[d - 1] if positive is None else int(labels[d - 1] == positive)}\n" for d in chosen)
    words = [] if one_word else ["--stopwords", news / "stopwords_en.txt"]
    frame.gibbous("import", f"{stem}.data", "--format", "uci", "--vocabulary", news / "bow" / "vocabulary.txt.gz", *words,
                  "--label", "#1", "--metadata", f"{stem}.label", "-o", f"{stem}.gbc", "-q", "--force")
    return f"{stem}.gbc"


def newsgroups(folder, scratch, name, classes=(), every=1):
    @functools.cache
    def files():
        return [_news_part(folder, scratch, name, part, classes, every) for part in ("train", "test")]
    return files


def one_against_rest(folder, scratch, name, every=1, one_word=False):
    """The training part only, class 1 against the other 19."""
    @functools.cache
    def files():
        return [_news_part(folder, scratch, name, "train", (), every, ATHEISM, one_word), None]
    return files


def _folds_of_numbers(documents, scratch, name, target, fold, options=()):
    """Fold 1 to 5 of documents with a number; document i is tested in fold i modulo 5."""
    made = []
    for part, is_test in (("train", False), ("test", True)):
        stem = scratch / f"{name}-{fold}-{part}"
        frame.write_documents([d for i, d in enumerate(documents) if (i % 5 == fold - 1) == is_test], f"{stem}.jsonl")
        frame.gibbous("import", f"{stem}.jsonl", "--target", target, "--stopwords", "en", *options, "-o", f"{stem}.gbc", "-q", "--force")
        made.append(f"{stem}.gbc")
    return made


def hotels(folder, scratch, fold, every=1):
    """Hotel reviews with their stars."""
    @functools.cache
    def files():
        reviews = frame.read_documents(folder / "hotel_reviews" / "tripadvisor_2000.jsonl.gz")[::every]
        return _folds_of_numbers(reviews, scratch, "hotels", "rating", fold)
    return files


def films(folder, scratch, fold, every=1):
    """What films are about, in a few sentences and keywords, with a count: how many people voted."""
    @functools.cache
    def files():
        found = frame.read_documents(folder / "movies_tmdb" / "tmdb_5000.jsonl.gz")[::every]
        films = [{"text": " ".join([film["text"], *film["keywords"]]), "votes": film["vote_count"]} for film in found]
        return _folds_of_numbers(films, scratch, "films", "votes", fold, ["--min-df", "3"])
    return files


def stories(folder, scratch, n_labels, every=1):
    """Reuters-21578, the ModApte split: stories with at least one of the most frequent labels, which are all that they keep."""
    @functools.cache
    def files():
        parts = {part: frame.read_documents(folder / "reuters21578" / f"reuters_modapte_{part}.jsonl.gz")[::every]
                 for part in ("train", "test")}
        number = collections.Counter(label for story in parts["train"] for label in story["labels"])
        kept = {label for label, _ in number.most_common(n_labels)}
        made = []
        for part, found in parts.items():
            stem = scratch / f"stories-{n_labels}-{part}"
            chosen = [{"text": s["text"], "labels": [label for label in s["labels"] if label in kept]} for s in found]
            frame.write_documents([s for s in chosen if s["labels"]], f"{stem}.jsonl")
            frame.gibbous("import", f"{stem}.jsonl", "--labels", "labels", "--stopwords", "en", "--min-df", "2", "-o", f"{stem}.gbc",
                          "-q", "--force")
            made.append(f"{stem}.gbc")
        return made
    return files


def drawn_stories(stories_of, scratch, n_documents, length, seed):
    """Documents with several labels each, drawn from a model of the stories: training and 5,000 for the test."""
    @functools.cache
    def files():
        drawer = scratch / "drawer.gibbous"
        frame.gibbous("train", stories_of()[0], "-m", drawer, "--response", "logistic", "--cost", "16", "-k", "100", "--alpha", "0.02",
                      "--beta", "0.01", "--chains", "1", "--calibrate", "0", "--burn-in", "60", "--sweeps", "61", "--threads", "1",
                      "--seed", "1", "-q", "--force")
        made = []
        for part, n, draw in (("train", n_documents, 2 * seed), ("test", min(5000, n_documents), 2 * seed + 1)):
            made.append(scratch / f"drawn-{n_documents}-{part}.gbc")
            frame.gibbous("simulate", "-m", drawer, "--documents", n, "--length", length, "--seed", draw, "--threads", "1",
                          "-o", made[-1], "-q", "--force")
        return made
    return files


# ---- one training and its score ----

def _cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def train(corpus, model, options, seed):
    """CPU seconds of a training, and its messages."""
    begin = _cpu()
    done = subprocess.run([frame.PROGRAM, "train", corpus, "-m", model, "--force", "--threads", "1", "--seed", str(seed), "-v",
                           *options], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gibbous train {' '.join(options)}\n{done.stderr}")
    return _cpu() - begin, done.stderr


def scores_of(scores):
    """The names of the scores to keep: F1 for documents with several labels each."""
    return ("micro_f1", "macro_f1") if "hamming_loss" in scores else ("accuracy", "r2", "mae", "coverage_90")


def fit(files, scratch, options, seed, infer):
    """Trains, evaluates on the test part and returns scores, user and system seconds, and what training said of itself."""
    corpus, test = files()
    model = scratch / "model.gibbous"
    seconds, messages = train(corpus, model, options, seed)
    begin = _cpu()
    scores = frame.evaluate(test, "-m", model, "--threads", "1", "--seed", str(seed), *infer)
    result = {name: scores[name] for name in scores_of(scores) if name in scores}
    result |= {"train_s": round(seconds, 3), "test_s": round(_cpu() - begin, 3)}
    errors = re.findall(r"training error ([0-9.]+)", messages)
    if errors and "accuracy" in result:
        result["train_accuracy"] = round(1 - float(errors[-1]), 4)
    result |= {f"accepted_{name}": float(share) for name, share in re.findall(r"\b(doc|word|exp) ([0-9.]+)", messages)}
    return result


def sweep_time(files, scratch, options, seed, sweeps):
    """CPU milliseconds of a sweep: a training of many sweeps less one of a single sweep, which reads and writes as much."""
    corpus, _ = files()
    many, one = (train(corpus, scratch / "model.gibbous", [*options, "--sweeps", str(n), "--burn-in", str(n - 1)], seed)[0]
                 for n in (sweeps + 1, 1))
    return {"sweep_ms": round(1000 * (many - one) / sweeps, 3)}


def last_wins(options):
    """The options as texts, where one that is given again replaces what was said before, in its place."""
    chosen = {}
    name = None
    for text in map(str, options):
        if text.startswith("-"):
            name = text
            chosen[name] = []
        else:
            chosen[name].append(text)
    return [text for name, values in chosen.items() for text in [name, *values]]


def cell(part, row, seed, corpus, files, scratch, options, infer):
    """A cell whose settings are the corpus and the options themselves."""
    options = last_wins(options)
    settings = " ".join([corpus, *options, *infer])
    return frame.Cell(part, row, seed, settings, functools.partial(fit, files, scratch, options, seed, infer))


def sweep_cell(part, row, seed, corpus, files, scratch, options, sweeps):
    options = last_wins(options)
    settings = " ".join([corpus, *options, f"{sweeps} sweeps"])
    return frame.Cell(part, row, seed, settings, functools.partial(sweep_time, files, scratch, options, seed, sweeps))


def adder(made, seed, scratch, infer):
    """A function of a corpus' name and files that returns one which puts a cell on the list: (part, row, options, infer)."""
    def of_corpus(corpus, files):
        def add(part, row, options, infer=infer):
            made.append(cell(part, row, seed, corpus, files, scratch, options, infer))
        return add
    return of_corpus


def cells_of_seeds(chosen, data, scratch, cells_of_seed):
    """The cells of each seed; all share the two newsgroups and the twenty."""
    binary = newsgroups(data, scratch, "binary", (ATHEISM, RELIGION), chosen["every"])
    news = newsgroups(data, scratch, "news", (), chosen["news_every"])
    return [made for seed in chosen["seeds"] for made in cells_of_seed(chosen, data, scratch, seed, binary, news)]


# ---- tables and curves: a row is named "METHOD; NAME X" ----

def curves(results, parts, measure):
    """{method: {x: [value of each seed]}}, in the order of the file, for the rows of a part, or several, that have the measure."""
    found = {}
    rows = [row for part in ([parts] if isinstance(parts, str) else parts) for row in results.of(part).items()]
    for row, runs in rows:
        values = [run[measure] for run in runs if measure in run]
        if values:
            method, x = row.rsplit("; ", 1)
            found.setdefault(method, {})[float(x.split()[-1])] = values
    return found


def print_curves(results, parts, title, measures):
    """A table for each measure: methods down, numbers across."""
    first = next((row for part in ([parts] if isinstance(parts, str) else parts) for row in results.of(part)), "")
    name = " ".join(first.rsplit("; ", 1)[-1].split()[:-1])
    for measure, digits in measures.items():
        found = curves(results, parts, measure)
        if not found:
            continue
        across = sorted({x for points in found.values() for x in points})
        rows = [[measure, *(f"{name} {x:g}".strip() for x in across)]]
        for method, points in found.items():
            rows.append([method, *(frame.cell_text(points[x], digits) if x in points else "" for x in across)])
        frame.print_table(f"{parts if isinstance(parts, str) else parts[0]}: {title}", rows)


def plot_curves(pyplot, results, parts, measures, xlabel, log_x=False, title=""):
    """One panel for each measure, a line for each method, bars of one standard error."""
    found = {measure: curves(results, parts, measure) for measure in measures}
    if not any(found.values()):
        return None
    figure, panels = pyplot.subplots(1, len(measures), figsize=(4.2 * len(measures), 3.2), squeeze=False)
    for panel, (measure, label) in zip(panels[0], measures.items()):
        for method, points in found[measure].items():
            xs = sorted(points)
            summary = [frame.mean_and_error(points[x]) for x in xs]
            errors = [0 if math.isnan(error) else error for _, error in summary]
            panel.errorbar(xs, [mean for mean, _ in summary], yerr=errors, marker="o", markersize=3, capsize=2, linewidth=1,
                           label=method)
        panel.set_xlabel(xlabel)
        panel.set_ylabel(label)
        if log_x:
            xs = sorted({x for points in found[measure].values() for x in points})
            panel.set_xscale("log")
            panel.set_xticks(xs, [f"{x:g}" for x in xs], fontsize=7)
            panel.set_xticks([], minor=True)
        if measure.endswith("_s"):
            panel.set_yscale("log")
            panel.yaxis.set_major_formatter("{x:g}")
            means = [frame.mean_and_error(values)[0] for points in found[measure].values() for values in points.values()]
            panel.yaxis.set_minor_formatter("{x:g}")
            if max(means) > 8 * min(means):
                panel.yaxis.get_minor_locator().set_params(subs=(2, 5))
            panel.tick_params(axis="y", which="minor", labelsize=6)
    panels[0][-1].legend(fontsize=7, frameon=False, bbox_to_anchor=(1.02, 1), loc="upper left")
    if title:
        figure.suptitle(title, fontsize=9)
    figure.tight_layout()
    return figure
