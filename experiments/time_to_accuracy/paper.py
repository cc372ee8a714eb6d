"""CPU seconds of one thread against the score on the test part: gibbous, tomotopy's SLDA, linear models of the words, LDA with a classifier.

No paper: none after 2016 says how long a supervised topic model takes to be how good.
"""
import resource
import sys

import frame
import rivals
import texts

from . import settings

SIMULATES = False


class Corpora:
    """Folders with train.jsonl, test.jsonl and train.gbc, made when first asked for, and the options that read them."""

    def __init__(self, chosen, data, scratch):
        self.chosen, self.data, self.scratch = chosen, data, scratch
        self.made = {}

    def get(self, name):
        if name not in self.made:
            function, arguments = settings.CORPORA[name]
            every = self.chosen["every"] * arguments.get("every", 1)
            parts = getattr(texts, function)(self.data, **arguments | {"every": every})
            parts = texts.choose_words(parts, texts.stop_words(self.data), settings.MIN_DF)
            folder = self.scratch / name.replace(" ", "-")
            self.made[name] = folder, texts.write(parts, folder)
        return self.made[name]


# ---- cells: a curve each, lists of stops, seconds and scores ----

def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def curve(points):
    """Lists of the values of the points, which have the same names."""
    return {name: [round(point[name], 4) for point in points] for name in points[0]}


def measures(scores):
    return {"score": scores[next(name for name in ("accuracy", "r2") if scores.get(name) is not None)]}


def gibbous_cell(corpora, name, method, seed):
    chosen = corpora.chosen
    options = ["-k", str(chosen["topics"]), "--chains", "1", *settings.GIBBOUS[method]]

    def point(sweeps):
        folder, field = corpora.get(name)
        model = corpora.scratch / "model.gibbous"
        begin = user_seconds()
        frame.gibbous("train", folder / "train.gbc", "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, "--sweeps", sweeps, *options)
        trained = user_seconds()
        scores = frame.evaluate(folder / "test.jsonl", *field, "-m", model, "--threads", 1, "--seed", seed)
        return {"stop": sweeps, "train_s": trained - begin, "test_s": user_seconds() - trained, **measures(scores)}

    return frame.Cell(name, method, seed, f"{' '.join(options)}; {sizes(chosen, chosen['sweeps'])}",
                      lambda: curve([point(sweeps) for sweeps in chosen["sweeps"]]))


def sizes(chosen, stops):
    return f"stops {' '.join(map(str, stops))}; every {chosen['every']}"


def rival_cell(corpora, name, row, method, seed, stops=None, **more):
    """A linear model, or with stops a curve of one run."""
    chosen = corpora.chosen
    options = more if stops is None else {"topics": chosen["topics"], "stops": stops, **more}

    def work():
        folder, _ = corpora.get(name)
        found = rivals.run(method, folder / "train.jsonl", folder / "test.jsonl", seed=seed, **options)
        points = [found] if stops is None else found["stops"]
        return curve([{"stop": stop, "train_s": point["train_s"], "test_s": point["test_s"], **measures(point)}
                      for stop, point in zip(stops or [1], points)]) | {"version": found["version"]}

    text = "; ".join(f"{key} {value}" for key, value in options.items() if key != "stops")
    return frame.Cell(name, row, seed, f"{method}; {text}; {sizes(chosen, stops or [1])}", work)


def cells(chosen, data, scratch):
    corpora = Corpora(chosen, data, scratch)
    is_there = {method: rivals.installed(method) for method in rivals.NEEDS}
    for package in sorted({rivals.NEEDS[method] for method, there in is_there.items() if not there}):
        print(f"{package} is not installed for {sys.executable}: its rows are skipped")
    found = []
    for seed in chosen["seeds"]:
        for name in settings.CORPORA:
            found += [gibbous_cell(corpora, name, method, seed) for method in settings.GIBBOUS]
            found += [rival_cell(corpora, name, row, method, seed) for row, method in settings.LINEAR.items()
                      if is_there[method] and (method, name) != ("logistic", "film ratings")]
            if is_there["lda"]:
                found.append(rival_cell(corpora, name, settings.LDA, "lda", seed, chosen["lda_passes"]))
            if is_there["slda"]:
                labels = settings.SLDA_LABELS["numbers" if name == "film ratings" else "classes"]
                found.append(rival_cell(corpora, name, settings.SLDA, "slda", seed, chosen["slda_sweeps"], glm_param=labels))
    return found


# ---- report ----

def report(results):
    for name in settings.CORPORA:
        rows = [["", "sweeps", "R2" if name == "film ratings" else "accuracy", "CPU s, training", "CPU s, prediction"]]
        for method, runs in results.of(name).items():
            for i, stop in enumerate(runs[0]["stop"]):
                has_stops = len(runs[0]["stop"]) > 1
                rows.append([method if i == 0 else "", str(stop) if has_stops else "", frame.cell_text((r["score"][i] for r in runs), 3),
                             *(f"{frame.mean_and_error(r[which][i] for r in runs)[0]:.2g}" for which in ("train_s", "test_s"))])
        if len(rows) > 1:
            frame.print_table(f"{name}: mean over seeds ± standard error (number of seeds)", rows)
