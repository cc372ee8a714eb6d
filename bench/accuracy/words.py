#!/usr/bin/env python3
"""Words beside topics (--word-effects), the linear model of the same words, and topics alone.  Needs the standard library only.

    words.py CORPUS [--choose [--try OPTIONS]... | --settings OPTIONS] [--folds N]

CORPUS is newsgroups, reuters, bibtex, movies, hotel, genres or imdb.  With --choose each candidate of the corpus is trained
on four fifths of the training documents (of the first fold, if there are folds) and scored on the others, every fifth, or the last fifth
of each class where the test part is later than the training part; the test part is not read.  Without it the settings that were chosen are trained on all training documents, once per seed (SEEDS,
by default "1 2 3") or per fold, and scored on the test part.  --settings "--word-effects tfidf" is without any choice.

GIBBOUS_DATA names the folder with the data sets; GIBBOUS the program, THREADS its threads (1).  Seconds are CPU time.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

import prepare

HERE = pathlib.Path(__file__).resolve().parent
GIBBOUS = os.environ.get("GIBBOUS", str(HERE.parent.parent / "build" / "release" / "gibbous"))
THREADS = os.environ.get("THREADS", "1")
SEEDS = os.environ.get("SEEDS", "1 2 3").split()
HELD_OUT = 5  # a fifth of the training documents


class Corpus:
    """How a corpus is read, what its figures are, the candidates among settings, and the one that was chosen."""

    def __init__(self, fields, metrics, words, topics, candidates, chosen, folds=0, in_time=False):
        self.fields, self.metrics, self.words, self.folds, self.in_time = fields, metrics, words, folds, in_time
        self.topics, self.candidates, self.chosen = topics, candidates, chosen


def options(text):
    return text.split()


STOPLIST = os.path.join(os.environ.get("GIBBOUS_DATA", ""), "20news", "stopwords_en.txt")
PLAIN = options("--stopwords en --min-df 2")
WORDS = "--word-effects tfidf "
NEWS = WORDS + "-k 100 --alpha 0.6 --beta 0.01 --no-intercept --sweeps 50 --burn-in 25 --calibrate 0 --chains 4 "
LOGISTIC = "--response logistic --beta 0.1 --cost 64 --variance 10 --no-intercept --sweeps 40 --burn-in 20 --thin 5 --chains 4 "
LABELS = WORDS + "--sweeps 40 --burn-in 20 "
FILMS = WORDS + "--sweeps 60 --burn-in 30 "
HOTEL = WORDS + "--chains 3 --sweeps 60 --burn-in 30 --noise-variance 0.55 -k 30 "
REVIEWS = WORDS + "-k 50 --sweeps 120 --burn-in 60 --calibrate 0 "
GENRES = WORDS + "-k 30 --sweeps 30 --burn-in 15 --min-level-count 3 --calibrate 0 "
CORPORA = {
    "newsgroups": Corpus(
        options("--label label"), ["accuracy"], ["--token-pattern", r"\S+", "--stopwords", STOPLIST],
        "-k 100 --alpha 0.6 --beta 0.01 --cost 24 --variance 0.01 --no-intercept --sweeps 60 --burn-in 10 --thin 5 --chains 4",
        [NEWS + "--cost 16 --variance topics=0.01,words=0.03 --idf-power 1"] +
        [NEWS + f"--idf-power 2 --cost {cost} --variance topics=0.01,words={variance}"
         for cost, variance in ((16, 0.015), (16, 0.03), (16, 0.06), (8, 0.06), (4, 0.03), (4, 0.06), (4, 0.12), (4, 0.24), (1, 0.5))],
        NEWS + "--idf-power 2 --cost 4 --variance topics=0.01,words=0.12", in_time=True),
    "reuters": Corpus(
        options("--labels labels"), ["micro_f1", "macro_f1"], PLAIN, LOGISTIC + "-k 200 --alpha 0.02",
        [LABELS + "-k 50 --response logistic", LABELS + "-k 50 --response hinge",
         LABELS + "-k 50 --response hinge --cost 16 --variance words=0.3",
         LABELS + "-k 50 --response logistic --cost 16 --variance words=2 --alpha 0.1 --beta 0.1",
         LABELS + "-k 20 --response hinge --cost 4 --variance words=1",
         LABELS + "-k 100 --response logistic --cost 64 --variance words=1 --alpha 0.03 --beta 0.1"],
        LABELS + "-k 100 --response logistic --cost 64 --variance words=1 --alpha 0.03 --beta 0.1"),
    "bibtex": Corpus(
        options("--labels labels"), ["micro_f1", "macro_f1"], ["--token-pattern", r"\S+"], LOGISTIC + "-k 150 --alpha 0.03",
        [LABELS + "-k 50 --response logistic --cost 64 --variance words=1", LABELS + "-k 50 --response hinge --cost 16 --variance words=0.3"], ""),
    "movies": Corpus(
        options("--target rating"), ["r2"], options("--min-df 2"),
        "-k 100 --alpha 0.1 --beta 0.1 --no-intercept --cost 64 --noise-variance 0.011 --variance 10 --sweeps 40 --burn-in 20 --thin 4 --chains 5",
        [FILMS + "-k 50 --cost 1", FILMS + "-k 50 --cost 4 --noise-variance 0.011",
         FILMS + "-k 50 --alpha 0.1 --beta 0.1 --cost 1 --chains 3",
         FILMS + "-k 50 --alpha 0.1 --beta 0.1 --cost 4 --noise-variance 0.011 --variance words=0.15 --chains 2",
         FILMS + "-k 50 --alpha 0.1 --beta 0.1 --cost 16 --noise-variance 0.011 --variance words=0.03 --chains 2",
         FILMS + "-k 30 --alpha 0.1 --beta 0.1 --cost 2 --noise-variance 0.011 --chains 3",
         FILMS + "-k 100 --two-stage --cost 1 --chains 2"],
        FILMS + "-k 50 --cost 1", folds=5),
    "hotel": Corpus(
        options("--target rating"), ["r2"], options("--min-df 2"),
        "-k 50 --alpha 0.1 --beta 0.1 --no-intercept --cost 64 --noise-variance 0.55 --variance 1 --sweeps 100 --burn-in 40 --thin 6 --chains 3",
        [HOTEL + "--cost 4", HOTEL + "--cost 16", HOTEL + "--cost 4 --variance words=0.1", HOTEL + "--cost 16 --variance words=0.02",
         HOTEL + "--cost 4 --variance words=0.2 --alpha 0.1 --beta 0.1", HOTEL + "--cost 16 --variance words=0.05 --alpha 0.1 --beta 0.1"],
        HOTEL + "--cost 16 --variance words=0.05 --alpha 0.1 --beta 0.1", folds=5),
    "genres": Corpus(
        options("--label first_genre --covariates director:factor,companies:list"), ["accuracy"], PLAIN, "",
        [GENRES + "--response hinge --cost 16 --variance words=0.02,covariates=0.02",
         GENRES + "--response hinge --cost 4 --variance words=0.1,covariates=0.1 --alpha 0.1 --beta 0.1",
         GENRES + "--response probit"],
        GENRES + "--chains 3 --response hinge --cost 16 --variance words=0.02,covariates=0.02", folds=5),
    "imdb": Corpus(
        options("--label label"), ["accuracy"], options("--min-df 5"), "",
        [REVIEWS + "--cost 1 --variance words=0.5", REVIEWS + "--cost 1 --variance words=1", REVIEWS + "--cost 1 --variance words=2",
         REVIEWS + "--response logistic --cost 1 --variance words=2", REVIEWS + "--response logistic --cost 1 --variance words=4"],
        REVIEWS + "--response logistic --cost 1 --variance words=4 --chains 4"),
}

# ---- files ----


def newsgroups(data, out):
    """Counts as texts, each word as often as it was counted."""
    prepare.newsgroups(data, out)
    words = [line.rstrip("\n") for line in prepare.read_lines(data / "20news" / "bow" / "vocabulary.txt.gz")]
    for part in ("train", "test"):
        labels = (out / f"{part}.label").read_text().split()
        texts = [[] for _ in labels]
        with open(out / f"{part}.data") as counts:
            for line in counts:
                document, word, n = map(int, line.split())
                texts[document - 1] += [words[word - 1]] * n
        documents = [{"id": i + 1, "text": " ".join(t), "label": label} for i, (t, label) in enumerate(zip(texts, labels))]
        prepare.write_documents(documents, out / f"{part}.jsonl")


MAKERS = {"newsgroups": newsgroups, "reuters": prepare.reuters, "bibtex": prepare.bibtex, "movies": prepare.ratings,
          "hotel": prepare.ratings, "genres": prepare.genres, "imdb": prepare.imdb}


def parts(name, corpus, out):
    """Pairs of files: to train, to test; one pair or one for each fold."""
    if corpus.folds == 0:
        return [(out / "train.jsonl", out / "test.jsonl")]
    prefix = "" if name == "genres" else f"{name}-"
    return [(out / f"{prefix}{fold}-train.jsonl", out / f"{prefix}{fold}-test.jsonl") for fold in range(1, corpus.folds + 1)]


def known_labels(document, labels):
    """A label that no document to train has cannot be scored."""
    if "labels" in document:
        document["labels"] = [label for label in document["labels"] if label in labels]
    return document


def last_of_each_class(documents):
    """The numbers of the last fifth of the documents of each class."""
    of_class = {}
    for i, document in enumerate(documents):
        of_class.setdefault(document["label"], []).append(i)
    return {i for numbers in of_class.values() for i in numbers[len(numbers) * (HELD_OUT - 1) // HELD_OUT:]}


def hold_out(train, out, in_time):
    """A fifth of the training documents to test, the others to train."""
    with open(train, encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    chosen = last_of_each_class(documents) if in_time else set(range(0, len(documents), HELD_OUT))
    fit = [d for i, d in enumerate(documents) if i not in chosen]
    labels = {label for d in fit for label in d.get("labels", [])}
    prepare.write_documents(fit, out / "fit.jsonl")
    prepare.write_documents([known_labels(d, labels) for i, d in enumerate(documents) if i in chosen], out / "held-out.jsonl")
    return out / "fit.jsonl", out / "held-out.jsonl"


# ---- runs ----


def run(*command):
    """What it prints, and its seconds of CPU."""
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before = spent()
    done = subprocess.run([GIBBOUS, *command], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout, spent() - before


def read_corpus(corpus, path, out):
    run("import", str(path), *corpus.fields, *corpus.words, "-o", str(out), "-q", "--force")


def evaluate(corpus, test, model, *more):
    new_levels = options("--unknown-level reference") if "--covariates" in corpus.fields else []
    text, seconds = run("evaluate", str(test), *corpus.fields, *new_levels, "-m", str(model), "--threads", THREADS, "-q", "--json", *more)
    return json.loads(text), seconds


def figures(corpus, scores):
    return [scores[metric] for metric in corpus.metrics]


def measure(corpus, train, test, settings, seed, out):
    """The figures of a model, and its seconds in training and prediction."""
    model = out / "model.gibbous"
    _, training = run("train", str(train), "-m", str(model), "--force", "-q", "--threads", THREADS, "--seed", seed, *settings)
    scores, prediction = evaluate(corpus, test, model)
    return figures(corpus, scores), (training, prediction)


def linear(corpus, train, test, out):
    """Of the linear model that evaluate has, which needs a model to be shown beside: one of next to no topics."""
    model = out / "model.gibbous"
    run("train", str(train), "-m", str(model), "--force", "-q", "--seed", "1", *options("-k 2 --sweeps 1 --growth 0"))
    scores, seconds = evaluate(corpus, test, model, "--baseline-on", str(train))
    return figures(corpus, scores["linear"]), (seconds, 0)


def show(name, rows):
    """Means over runs and their standard errors."""
    values, seconds = zip(*rows)
    columns = []
    for column in zip(*values):
        error = statistics.stdev(column) / len(column) ** 0.5 if len(column) > 1 else float("nan")
        columns.append(f"{statistics.mean(column):.4f} ({error:.4f})")
    training, prediction = (statistics.mean(column) for column in zip(*seconds))
    print(f"{name}: {'  '.join(columns)}  n {len(rows)}  {training:.0f} + {prediction:.0f} s of CPU", flush=True)


# ---- the two tasks ----


def choose(corpus, files, out):
    fit, held_out = hold_out(files[0][0], out, corpus.in_time)
    train = out / "train.gbc"
    read_corpus(corpus, fit, train)
    show("linear model", [linear(corpus, train, held_out, out)])
    scores = {}
    for candidate in corpus.candidates:
        row = measure(corpus, train, held_out, options(candidate), "1", out)
        scores[candidate] = sum(row[0])
        show(candidate, [row])
    print(f"chosen: {max(scores, key=scores.get)}")


def test(corpus, files, out):
    rows = {"linear model": [], "topics alone": [], "topics and words": []}
    for train, tested in files:
        read_corpus(corpus, train, out / "train.gbc")
        rows["linear model"].append(linear(corpus, out / "train.gbc", tested, out))
        for seed in SEEDS if corpus.folds == 0 else ["1"]:
            for name, settings in (("topics alone", corpus.topics), ("topics and words", corpus.chosen)):
                if settings:
                    rows[name].append(measure(corpus, out / "train.gbc", tested, options(settings), seed, out))
                    show(f"  {name}, so far", rows[name])
    for name, values in rows.items():
        if values:
            show(name, values)


def main():
    parser = argparse.ArgumentParser(description="Words beside topics.")
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("--choose", action="store_true", help="choose among settings on held-out training documents")
    parser.add_argument("--try", action="append", dest="candidates", metavar="OPTIONS", help="with --choose: instead of the corpus's candidates")
    parser.add_argument("--settings", metavar="OPTIONS", help="without --choose: instead of the settings that were chosen")
    parser.add_argument("--no-topics", action="store_true", help="without topics alone")
    parser.add_argument("--folds", type=int, default=0, help="of the corpora with folds, only so many")
    given = parser.parse_args()
    corpus = CORPORA[given.corpus]
    corpus.topics = "" if given.no_topics else corpus.topics
    corpus.candidates = given.candidates or corpus.candidates
    corpus.chosen = given.settings or corpus.chosen
    if not given.choose and not corpus.chosen:
        parser.error(f"no settings were chosen for {given.corpus} yet: see --choose")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        MAKERS[given.corpus](pathlib.Path(os.environ["GIBBOUS_DATA"]), out)
        files = parts(given.corpus, corpus, out)
        print(f"{given.corpus}: {', '.join(corpus.metrics)}", flush=True)
        (choose if given.choose else test)(corpus, files[:given.folds or None], out)


if __name__ == "__main__":
    main()
