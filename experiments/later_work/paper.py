"""Later work: SCHOLAR's accuracies (Card, Tan and Smith, ACL 2018) and the curve over the share of labels of prediction-constrained
sLDA (Hughes and others, AISTATS 2018).
"""
import random
import resource
import sys

import frame
import rivals
import texts

from . import settings

SIMULATES = False


# ---- data ----

class Corpora:
    """Folders with train.jsonl, test.jsonl and train.gbc, made when first asked for, and the options that read them."""

    def __init__(self, chosen, data, scratch):
        self.chosen, self.data, self.scratch = chosen, data, scratch
        self.made = {}

    def get(self, name, make):
        if name not in self.made:
            folder = self.scratch / f"corpus-{len(self.made)}"
            self.made[name] = folder, texts.write(make(), folder)
        return self.made[name]

    def scholar(self, name):
        function, arguments, most = settings.SCHOLAR[name]
        return self.get(name, lambda: texts.choose_words(getattr(texts, function)(self.data, every=self.chosen["every"], **arguments),
                                                         texts.stop_words(self.data), 1, most, settings.PATTERN))

    def films(self, seed, share, drops):
        """Fold SEED; a random share of the training reviews keeps its class, and the others have none or are left out."""
        def make():
            train, test = texts.choose_words(texts.films(self.data, seed, self.chosen["every"], settings.THRESHOLD),
                                             texts.stop_words(self.data), settings.MIN_DF)
            kept = set(random.Random(seed).sample(range(len(train)), len(train))[:round(share * len(train))])
            labelled = [d if i in kept else {"id": d["id"], "text": d["text"]} for i, d in enumerate(train)]
            return [[d for d in labelled if "label" in d] if drops else labelled, test]
        return self.get((seed, share, drops), make)


# ---- cells ----

def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def fit(corpora, made, options, seed):
    folder, field = made
    model = corpora.scratch / "model.gibbous"
    begin = user_seconds()
    frame.gibbous("train", folder / "train.gbc", "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, *options)
    trained = user_seconds()
    scores = frame.evaluate(folder / "test.jsonl", *field, "-m", model, "--threads", 1, "--seed", seed)
    result = {name: round(scores[name], 5) for name in ("accuracy", "auc") if scores.get(name) is not None}
    return result | {"train_s": round(trained - begin, 2), "test_s": round(user_seconds() - trained, 2)}


def rival(made, method, seed):
    folder, _ = made
    found = rivals.run(method, folder / "train.jsonl", folder / "test.jsonl", seed=seed)
    return {name: value if isinstance(value, str) else round(value, 5) for name, value in found.items()}


def linear_cell(corpora, made, seed):
    """The linear model that evaluate shows; it has no seed that matters, and gibbous is trained as little as possible beside it."""
    folder, field = made
    model = corpora.scratch / "model.gibbous"
    frame.gibbous("train", folder / "train.gbc", "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, "-k", 2, "--sweeps", 2, "--growth", 0)
    scores = frame.evaluate(folder / "test.jsonl", *field, "-m", model, "--threads", 1, "--baseline-on", folder / "train.jsonl")["linear"]
    return {name: scores[name] for name in ("accuracy", "auc") if scores.get(name) is not None}


def cells(chosen, data, scratch):
    corpora = Corpora(chosen, data, scratch)
    has_rivals = rivals.installed("logistic")
    if not has_rivals:
        print(f"sklearn is not installed for {sys.executable}: logistic regression is skipped")
    found = []

    def add(part, row, seed, text, work):
        found.append(frame.Cell(part, row, seed, f"{text}; every {chosen['every']}", work))

    for seed in chosen["seeds"]:
        for name in settings.SCHOLAR:
            part = f"SCHOLAR, {name}"
            if seed == chosen["seeds"][0]:
                add(part, "linear SVM on words", seed, "evaluate --baseline-on", lambda n=name, s=seed: linear_cell(corpora, corpora.scholar(n), s))
                if has_rivals:
                    add(part, "logistic regression on words", seed, "C of 1, 10, 100", lambda n=name, s=seed: rival(corpora.scholar(n), "logistic", s))
                    add(part, "logistic regression on counts", seed, "C of 1", lambda n=name, s=seed: rival(corpora.scholar(n), "counts", s))
            for row, more in settings.GIBBOUS.items():
                options = ["-k", str(chosen["topics"]), *more, *chosen["sweeps"]]
                add(part, row, seed, " ".join(options), lambda n=name, o=options, s=seed: fit(corpora, corpora.scholar(n), o, s))
        for row, changed in settings.CAUSES.items() if seed in chosen["cause_seeds"] else []:
            options = {"-k": str(chosen["topics"]), "--word-effects": "tfidf", **dict(zip(chosen["sweeps"][::2], chosen["sweeps"][1::2])), **changed}
            options = [text for pair in options.items() for text in pair]
            add("causes, IMDb", row, seed, " ".join(options), lambda o=options, s=seed: fit(corpora, corpora.scholar("IMDb"), o, s))
        for row, more in settings.CURVE_CAUSES.items():
            options = ["-k", str(chosen["curve_topics"]), *settings.CURVE["gibbous, topics and words"], *more, *chosen["curve_sweeps"]]
            for share in chosen["cause_shares"]:
                add("causes, film reviews", f"{row}; {100 * share:g} %", seed, " ".join(options),
                    lambda o=options, s=seed, x=share: fit(corpora, corpora.films(s, x, False), o, s))
        for share in chosen["shares"]:
            percent = f"{100 * share:g} %"
            weighed = f"{settings.COST_OVER_SHARE / share:g}"
            for row, more in [*settings.CURVE.items(), (f"gibbous, topics, cost {settings.COST_OVER_SHARE} over the share", ["--cost", weighed])]:
                options = ["-k", str(chosen["curve_topics"]), *more, *chosen["curve_sweeps"]]
                for drops in (False, True):
                    if drops and (share == 1 or row != "gibbous, topics"):
                        continue
                    add("labels", f"{row}{', labelled reviews only' if drops else ''}; {percent}", seed, " ".join(options),
                        lambda o=options, s=seed, x=share, d=drops: fit(corpora, corpora.films(s, x, d), o, s))
            if has_rivals:
                add("labels", f"logistic regression on words; {percent}", seed, "C of 1, 10, 100",
                    lambda s=seed, x=share: rival(corpora.films(s, x, True), "logistic", s))
    return found


# ---- report ----

def curve(results, measure):
    """{method: {percent: [value of each seed]}}"""
    found = {}
    for row, runs in results.of("labels").items():
        method, percent = row.rsplit("; ", 1)
        found.setdefault(method, {})[float(percent.split()[0])] = [run[measure] for run in runs]
    return found


def report(results):
    for part in [*(f"SCHOLAR, {name}" for name in settings.SCHOLAR), "causes, IMDb"]:
        rows = [["", "accuracy", "CPU s, training", "CPU s, prediction"]]
        for row, runs in results.of(part).items():
            seconds = [f"{frame.mean_and_error(r[which] for r in runs)[0]:.2g}" if which in runs[0] else "" for which in ("train_s", "test_s")]
            rows.append([row, frame.cell_text((r["accuracy"] for r in runs), 3), *seconds])
        if len(rows) > 1:
            frame.print_table(f"{part.removeprefix('SCHOLAR, ')}: mean over seeds ± standard error (number of seeds)", rows)
    rows = [["topics and words; labels", "auc", "accuracy"]]
    rows += [[row, *(frame.cell_text((r[measure] for r in runs), 3) for measure in ("auc", "accuracy"))]
             for row, runs in results.of("causes, film reviews").items()]
    if len(rows) > 1:
        frame.print_table("causes, film reviews: mean over folds ± standard error (number of folds)", rows)
    for measure in ("auc", "accuracy"):
        found = curve(results, measure)
        across = sorted({x for points in found.values() for x in points})
        rows = [[measure, *(f"{x:g} %" for x in across)]]
        rows += [[method, *(frame.cell_text(points[x], 3) if x in points else "" for x in across)] for method, points in found.items()]
        if found:
            frame.print_table("film reviews by the share with a label: mean over folds ± standard error (number of folds)", rows)
