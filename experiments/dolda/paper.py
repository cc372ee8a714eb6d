"""DOLDA - a regularized supervised topic model for high-dimensional multi-class regression (Magnusson, Jonsson, Villani 2016).

20 Newsgroups is the paper's data; its 8,648 films and their producers are not to be had, and TMDB's 4,803 films with director and
companies stand in.
"""
import collections
import gzip
import json
import random
import re

from frame import Cell, cell_text, evaluate, gibbous, mean_and_error, print_table, read_documents, write_documents

from . import debian, settings

SIMULATES = True
OWN_DATA = {"debian": debian.cells}
KINDS = {"DOLDA, normal": ("normal", []), "DOLDA, horseshoe": ("horseshoe", []),
         "two steps, normal": ("normal", ["--two-stage"]), "two steps, horseshoe": ("horseshoe", ["--two-stage"])}


# ---- data ----

class Corpora:
    """Training corpora and test documents, made when they are first asked for.  Without data they are simulated."""

    def __init__(self, chosen, data, scratch):
        self.chosen, self.data, self.scratch = chosen, data, scratch
        self.made = {}

    def get(self, name, seed):
        """(corpus, [test documents and how to read them])"""
        key = name, seed
        if key not in self.made:
            folder = self.scratch / f"corpus-{len(self.made)}"
            folder.mkdir()
            if self.data is None:
                self.made[key] = simulated(folder, seed)
            elif name == "counts, by date":
                key = name, 0  # the same for all seeds
                self.made[name, seed] = self.made.get(key) or counts(self.data, folder, self.chosen["every"])
                self.made[key] = self.made[name, seed]
            elif name.startswith("whole posts"):
                self.made[key] = posts(self.data, folder, self.chosen["every"], name.endswith("at random"), seed)
            elif name.startswith("films"):
                self.made[key] = films(self.data, folder, self.chosen["every"], name != "films, text alone", seed)
        return self.made[name, seed]


def simulated(folder, seed):
    gibbous("simulate", "-o", folder / "all.jsonl", "--response", "probit", "--documents", 400, "--length", 60, "-k", 5,
            "--classes", 4, "--vocabulary-size", 300, "--seed", seed, "-q")
    lines = (folder / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "train.jsonl").write_text("".join(lines[:300]), encoding="utf-8")
    (folder / "test.jsonl").write_text("".join(lines[300:]), encoding="utf-8")
    label = ["--label", "label"]
    gibbous("import", folder / "train.jsonl", *label, "-o", folder / "train.gbc", "-q")
    return folder / "train.gbc", [folder / "test.jsonl", *label]


def counts(data, folder, every):
    """The counts of the "bydate" version, training and test as in the MedLDA paper, which DOLDA refers to."""
    source = data / "20news" / "bow"
    for part in ("train", "test"):
        with gzip.open(source / f"{part}.label.gz", "rt") as lines:
            labels = lines.readlines()
        kept = range(0, len(labels), every)
        number = {d + 1: i + 1 for i, d in enumerate(kept)}
        (folder / f"{part}.label").write_text("".join(labels[d] for d in kept))
        with gzip.open(source / f"{part}.data.gz", "rt") as lines, open(folder / f"{part}.data", "w") as out:
            for line in lines:
                d, rest = line.split(" ", 1)
                if int(d) in number:
                    out.write(f"{number[int(d)]} {rest}")
    words = ["--format", "uci", "--vocabulary", source / "vocabulary.txt.gz", "--label", "#1"]
    gibbous("import", folder / "train.data", *words, "--metadata", folder / "train.label", "--stopwords",
            data / "20news" / "stopwords_en.txt", "-o", folder / "train.gbc", "-q")
    return folder / "train.gbc", [folder / "test.data", *words, "--metadata", folder / "test.label"]


def posts(data, folder, every, is_random, seed):
    """Whole posts with their headers, words that occur at least ten times: by date, or 80 % of all at random."""
    parts = [read_documents(data / "20news" / f"20news_bydate_{part}.jsonl.gz")[::every] for part in ("train", "test")]
    if is_random:
        both = parts[0] + parts[1]
        random.Random(seed).shuffle(both)
        n_train = round(0.8 * len(both))
        parts = [both[:n_train], both[n_train:]]
    stop = set((data / "20news" / "stopwords_en.txt").read_text(encoding="utf-8").split())
    frequency = collections.Counter()
    for documents in parts:
        for d in documents:
            d["text"] = [w for w in re.findall("[a-z]+", d["text"].lower()) if w not in stop]
            frequency.update(d["text"])
    for name, documents in zip(("train", "test"), parts):
        write_documents([{"id": d["id"], "label": d["label"], "text": " ".join(w for w in d["text"] if frequency[w] >= 10)}
                         for d in documents], folder / f"{name}.jsonl")
    how = ["--label", "label", "--token-pattern", r"\S+"]
    gibbous("import", folder / "train.jsonl", *how, "-o", folder / "train.gbc", "-q")
    return folder / "train.gbc", [folder / "test.jsonl", "--label", "label"]


def film_documents(data, every):
    documents = [d for d in read_documents(data / "movies_tmdb" / "tmdb_5000.jsonl.gz") if d["first_genre"] and d["text"]][::every]
    of_genre = collections.Counter(d["first_genre"] for d in documents)
    return [{"id": d["id"], "text": d["text"], "label": d["first_genre"], "director": d["director"],
             "companies": d["companies"]} for d in documents if of_genre[d["first_genre"]] >= 10]


FILM_WORDS = ["--label", "label", "--stopwords", "en", "--min-df", 2]


def films(data, folder, every, has_covariates, seed):
    """Document i is tested in fold i modulo 5; the seed numbers the fold."""
    documents = film_documents(data, every)
    write_documents([d for i, d in enumerate(documents) if i % 5 != seed % 5], folder / "train.jsonl")
    write_documents([d for i, d in enumerate(documents) if i % 5 == seed % 5], folder / "test.jsonl")
    fields = settings.COVARIATES[:2] if has_covariates else []
    gibbous("import", folder / "train.jsonl", *FILM_WORDS, *fields, "-o", folder / "train.gbc", "-q")
    test = [folder / "test.jsonl", "--label", "label", "--unknown-label", "wrong"]
    return folder / "train.gbc", test + ([*settings.COVARIATES, "--unknown-level", "reference"] if has_covariates else [])


# ---- cells ----

def options_of(alpha, sweeps, topics, prior, *more, beta="0.01"):
    model = [*settings.RESPONSE, "--beta", beta, *settings.INTERCEPT, "-k", str(topics), "--alpha", alpha]
    return [*model, *settings.SWEEPS[sweeps], *settings.PRIORS[prior], *more]


def accuracy_cell(part, row, seed, corpora, name, options):
    def work():
        corpus, test = corpora.get(name, seed)
        model = corpora.scratch / "model.gibbous"
        gibbous("train", corpus, "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, *options)
        scores = evaluate(*test, "-m", model, "--threads", 1)
        return {"accuracy": scores["accuracy"], "macro_f1": scores["macro_f1"]}

    return Cell(part, row, seed, f"{name}; {' '.join(options)}", work)


def linear_cell(part, row, seed, corpora, name):
    """The linear model on the same words that evaluate shows: no topics at all."""
    def work():
        corpus, test = corpora.get(name, seed)
        model = corpora.scratch / "model.gibbous"
        gibbous("train", corpus, "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, "-k", 2, "--sweeps", 1,
                "--growth", 0)
        scores = evaluate(*test, "-m", model, "--threads", 1, "--baseline-on", corpus)["linear"]
        return {"accuracy": scores["accuracy"], "macro_f1": scores["macro_f1"]}

    return Cell(part, row, seed, f"{name}; linear model", work)


def coefficient_cell(seed, chosen, data, scratch, prior):
    """All films, topics only: how many coefficients are close to 0, the largest of two genres, and the words of those topics."""
    options = options_of(chosen["alpha"], chosen["film_sweeps"], chosen["coefficient_topics"], prior)

    def work():
        corpus = scratch / "films.gbc"
        if not corpus.exists():
            write_documents(film_documents(data, chosen["every"]), scratch / "films.jsonl")
            gibbous("import", scratch / "films.jsonl", *FILM_WORDS, "-o", corpus, "-q")
        model, draws = scratch / "model.gibbous", scratch / "draws.jsonl"
        gibbous("train", corpus, "-m", model, "--draws", draws, "--draws-include", "eta", "--force", "-q", "--threads", 1,
                "--seed", seed, *options)
        classes = sorted({d["label"] for d in film_documents(data, chosen["every"])})
        with open(draws, encoding="utf-8") as lines:
            etas = [json.loads(line)["eta"] for line in lines]
        means = [[sum(values) / len(etas) for values in zip(*rows)][:-1] for rows in zip(*etas)]
        return coefficients_found(model, classes, means)

    return Cell("figure 4.3", prior, seed, f"all films, topics alone; {' '.join(options)}", work)


def coefficients_found(model, classes, means):
    assert len(classes) == len(means)
    close = [sum(abs(m) < 0.05 * max(map(abs, row)) for m in row) / len(row) for row in means]
    every = sorted(m for row in means for m in row)
    found = {"close_to_0": sum(close) / len(close), "least_close_to_0": min(close),
             "quantiles": [round(every[int(q * (len(every) - 1))], 2) for q in (0, .01, .05, .25, .5, .75, .95, .99, 1)]}
    words = topic_words(model)
    for genre in ("Romance", "Crime", "Science Fiction"):
        if genre not in classes:
            continue
        row = means[classes.index(genre)]
        found[genre] = [round(m, 2) for m in row]
        for name, extreme in (("lowest", min(row)), ("highest", max(row))):
            found[f"{genre} {name}"] = words[str(row.index(extreme) + 1)]
    return found


def topic_words(model):
    """The ten first words of each topic, by its number."""
    rows = [json.loads(line) for line in gibbous("topics", "-m", model, "--table", "jsonl", "--words", 10).splitlines()]
    return {row["topic"]: row["words"] for row in rows}


def cells(chosen, data, scratch):
    corpora = Corpora(chosen, data, scratch)
    found = []
    for seed in chosen["seeds"]:
        for document_set, part, topics, sweeps in (("counts, by date", "figure 4.1", "news_topics", "news_sweeps"),
                                                   ("films", "figure 4.2", "film_topics", "film_sweeps")):
            if data is None and document_set == "films":
                continue
            for k in chosen[topics]:
                for kind, (prior, more) in KINDS.items():
                    options = options_of(chosen["alpha"], chosen[sweeps], k, prior, *more)
                    if document_set == "films":
                        options += settings.COVARIATES[2:]
                    found.append(accuracy_cell(part, f"{kind}, K {k}", seed, corpora, document_set, options))
            found.append(linear_cell(part, "without topics", seed, corpora,
                                     "films, text alone" if document_set == "films" else document_set))
        if data is None:
            continue
        for prior in settings.PRIORS:
            found.append(coefficient_cell(seed, chosen, data, scratch, prior))
        for name, alpha, beta, sweeps, k in chosen["causes"]:
            row = f"{name}, alpha {alpha}, " + ("" if beta == "0.01" else f"beta {beta}, ") + f"K {k}, {sweeps} sweeps"
            found.append(accuracy_cell("causes", row, seed, corpora, name, options_of(alpha, sweeps, k, "normal", beta=beta)))
        for name in dict.fromkeys(name for name, *_ in chosen["causes"]):
            found.append(linear_cell("causes", f"{name}, without topics", seed, corpora, name))
    return found if data is None else found + debian.cells(chosen, scratch)


# ---- report ----

def report(results):
    for part in ("figure 4.1", "figure 4.2", "causes"):
        rows = [["", "accuracy", "macro F1", "CPU s"]]
        for row, found in results.of(part).items():
            rows.append([row, cell_text(r["accuracy"] for r in found), cell_text(r["macro_f1"] for r in found),
                         f"{mean_and_error(r['cpu_s'] for r in found)[0]:.0f}"])
        if len(rows) > 1:
            print_table(f"{part}: mean ± standard error (number of seeds)", rows)
    rows = [["prior", "close to 0", "least of a class"]]
    for prior, found in results.of("figure 4.3").items():
        rows.append([prior, cell_text(r["close_to_0"] for r in found), cell_text(r["least_close_to_0"] for r in found)])
    if len(rows) > 1:
        print_table("figure 4.3: share of coefficients below 5 % of the largest of their class", rows)
    for prior, found in results.of("figure 4.3").items():
        for r in found[:2]:
            for name, value in r.items():
                if name.endswith(("lowest", "highest")):
                    print(f"{prior}, seed {r['seed']}, {name}: {value}")
    debian.report(results)
