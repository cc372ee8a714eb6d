"""DOLDA's later use, bug reports to components, in the open: packages of Debian to their sections and to their maintainers.

GIBBOUS_DEBIAN_PACKAGES names the index: a Packages file, and with a colon between the Translation-en file that has the long descriptions
(.gz, .bz2 or .xz, too).  Without it `apt-cache dumpavail` is asked, which has the short descriptions only.  The index has no dates,
so the packages are split at random; the packages of one source, whose descriptions are alike, stay together.
"""
import bz2
import collections
import functools
import gzip
import hashlib
import json
import lzma
import math
import os
import random
import re
import shutil
import subprocess

import rivals
import texts
from frame import Cell, cell_text, evaluate, gibbous, mean_and_error, print_table, write_documents

from . import settings

FIELDS = {"Package", "Source", "Maintainer", "Section", "Depends", "Pre-Depends", "Description", "Description-en", "Description-md5"}


# ---- the index ----

def index_texts():
    """[(name, content) of each file of the index], or none where there is no index."""
    named = os.environ.get("GIBBOUS_DEBIAN_PACKAGES")
    if named:
        opens = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
        found = []
        for path in named.split(os.pathsep):
            with opens.get(os.path.splitext(path)[1], open)(path, "rb") as file:
                found.append((os.path.basename(path), file.read()))
        return found
    if shutil.which("apt-cache"):
        done = subprocess.run(["apt-cache", "dumpavail"], check=False, capture_output=True)
        if done.returncode == 0 and done.stdout:
            return [("dumpavail", done.stdout)]
    return []


def paragraphs(text):
    """The fields of each paragraph that are of use; lines that go on are joined."""
    for paragraph in text.split("\n\n"):
        fields, name = {}, None
        for line in paragraph.split("\n"):
            if line[:1] in (" ", "\t"):
                if name in fields:
                    fields[name] += "\n" + line.strip()
                continue
            name, _, value = line.partition(":")
            if name in FIELDS:
                fields[name] = value.strip()
        if "Package" in fields:
            yield fields


def without_names(text, names):
    """The text less addresses of pages and mail, and less these names wherever they stand alone."""
    text = re.sub(r"\S+://\S+|\S+@\S+", " ", text)
    for name in names:
        text = re.sub(rf"(?<![\w+-]){re.escape(name)}(?![\w+-])", " ", text, flags=re.IGNORECASE)
    return text


def package(fields, long_description):
    """A document: what the package's description says, its section and maintainer, and what it depends on."""
    source = fields.get("Source", fields["Package"]).split()[0]
    maintainer = fields["Maintainer"].partition("<")[0].strip().strip('"')
    depends = re.split(r"[,|]", fields.get("Pre-Depends", "") + "," + fields.get("Depends", ""))
    return {"id": fields["Package"], "source": source, "maintainer": maintainer, "section": fields["Section"].rpartition("/")[2],
            "text": without_names(long_description or fields["Description"], (fields["Package"], source, maintainer)),
            "depends": sorted({re.split(r"[ (:]", name.strip())[0] for name in depends if name.strip()})}


@functools.cache
def read_index():
    """All packages, by name, and what they were read from."""
    found, long, origin = {}, {}, {}
    for file, data in index_texts():
        origin[file] = hashlib.sha256(data).hexdigest()
        for fields in paragraphs(data.decode("utf-8", errors="replace")):
            if "Description-en" in fields:
                long[fields["Package"], fields.get("Description-md5")] = fields["Description-en"]
            if {"Maintainer", "Section"} <= fields.keys():
                found.setdefault(fields["Package"], fields)
    packages = [package(fields, long.get((name, fields.get("Description-md5")))) for name, fields in sorted(found.items())
                if "Description" in fields or (name, fields.get("Description-md5")) in long]
    return packages, {"packages": len(packages), "index": " ".join(f"{file}:{digest}" for file, digest in origin.items())}


def index_name():
    """A short name for the content of the index: the first digits of each file's checksum."""
    return " ".join(file.rpartition(":")[2][:8] for file in read_index()[1]["index"].split())


def documents(task, share, seed, unit):
    """Training and test part: the classes are those with at least so many packages in the whole index.  Of the units, the packages
    ("id") or their sources ("source"), the seed takes a share, and four fifths of that for training."""
    everything, _ = read_index()
    size = collections.Counter(d[task] for d in everything)
    chosen = [d | {"label": d[task]} for d in everything if size[d[task]] >= settings.DEBIAN_LEAST[task]]
    units = sorted({d[unit] for d in chosen})
    random.Random(seed).shuffle(units)
    units = units[:round(share * len(units))]
    train = set(units[:round(0.8 * len(units))])
    test = set(units) - train
    parts = [[d for d in chosen if d[unit] in part] for part in (train, test)]
    kept = [[{name: d[name] for name in ("id", "label", "text", "depends", "source")} for d in part] for part in parts]
    return texts.choose_words(kept, settings.DEBIAN_STOP, min_df=5)


# ---- cells ----

class Corpora:
    """Files of the training and the test part of a task, made when they are first asked for."""

    def __init__(self, chosen, scratch):
        self.share, self.scratch, self.made = chosen["debian_share"], scratch, {}

    def get(self, task, seed, unit="source"):
        """(folder, test documents, {number of documents and classes})"""
        if (task, seed, unit) not in self.made:
            folder = self.scratch / f"debian-{task}-{seed}-{unit}"
            folder.mkdir()
            parts = documents(task, self.share, seed, unit)
            for name, part in zip(("train", "test"), parts):
                write_documents(part, folder / f"{name}.jsonl")
                with_depends = [d | {"text": " ".join([d["text"], *(f"depends:{name}" for name in d["depends"])])} for d in part]
                write_documents(with_depends, folder / f"{name}-depends.jsonl")
            for name, covariates in (("text", []), ("depends", settings.DEBIAN_COVARIATES)):
                gibbous("import", folder / "train.jsonl", "--label", "label", *texts.HOW, *covariates, "-o",
                        folder / f"{name}.gbc", "-q")
            self.made[task, seed, unit] = folder, parts[1], {"train": len(parts[0]), "test": len(parts[1]),
                                                            "classes": len({d["label"] for d in parts[0]})}
        return self.made[task, seed, unit]


def ranks(test, rows):
    """The rank of each document's class among all, from 0; rows as predict writes them, in the order of the documents."""
    found = []
    for document, row in zip(test, rows):
        scores = {name[2:]: value for name, value in row.items() if name.startswith("p_")}
        own = scores.get(document["label"])
        found.append(len(scores) if own is None else sum(value > own for value in scores.values()))
    return found


def share_of_top(test, ranks_of_test, n):
    """The share of documents whose class is among the n first, and its standard error, sources as the units that were drawn."""
    hits = [rank < n for rank in ranks_of_test]
    mean = sum(hits) / len(hits)
    off = collections.Counter()
    for document, hit in zip(test, hits):
        off[document["source"]] += hit - mean
    return mean, math.sqrt(sum(x * x for x in off.values())) / len(hits)


def fit_cell(part, row, task, seed, corpora, options, has_covariates):
    def work():
        folder, test, sizes = corpora.get(task, seed)
        model = folder / "model.gibbous"
        gibbous("train", folder / ("depends.gbc" if has_covariates else "text.gbc"), "-m", model, "--force", "-q", "--threads", 1,
                "--seed", seed, *options)
        how = ["--unknown-level", "reference", "-m", model, "--threads", 1] if has_covariates else ["-m", model, "--threads", 1]
        scores = evaluate(folder / "test.jsonl", "--label", "label", "--unknown-label", "wrong", *how)
        lines = gibbous("predict", folder / "test.jsonl", *how, "--table", "jsonl", "-q").splitlines()
        found = ranks(test, map(json.loads, lines))
        (top_1, error_1), (top_3, error_3) = (share_of_top(test, found, n) for n in (1, 3))
        return {"accuracy": top_1, "error": error_1, "top_3": top_3, "error_3": error_3, "macro_f1": scores["macro_f1"],
                **sizes, **read_index()[1]}

    depends = "; depends" if has_covariates else ""
    return Cell(part, row, seed, f"share {corpora.share}; {' '.join(options)}{depends}; index {index_name()}", work)


def svm_cell(part, row, task, seed, corpora, unit, files):
    """A linear support vector machine on TF-IDF of the same words, with dependencies as further words or not."""
    def work():
        folder, _, sizes = corpora.get(task, seed, unit)
        found = rivals.run("svm", *(folder / f"{name}{files}.jsonl" for name in ("train", "test")), seed=seed, top=3)
        return {name: found[name] for name in ("accuracy", "top_3", "macro_f1", "version")} | sizes | read_index()[1]

    return Cell(part, row, seed, f"share {corpora.share}; by {unit}; TF-IDF{files}; index {index_name()}", work)


def cells(chosen, scratch):
    """No cells, and a line that says so, where there is no index."""
    if not read_index()[0]:
        print("debian: skipped: GIBBOUS_DEBIAN_PACKAGES names no index of packages, and apt-cache has none")
        return []
    if not rivals.installed("svm"):
        print("debian: rows of the linear SVM left out, for want of scikit-learn")
    corpora, found = Corpora(chosen, scratch), []

    def add(task, seed, row, model, topics=chosen["debian_topics"], sweeps=chosen["debian_sweeps"]):
        more, has_covariates = settings.DEBIAN_ROWS[model]
        options = [*settings.RESPONSE, *settings.INTERCEPT, "--variance", "intercept=100", "-k", str(topics), *settings.SWEEPS[sweeps], *more]
        found.append(fit_cell(f"debian {task}", row, task, seed, corpora, options, has_covariates))

    for seed in chosen["debian_seeds"]:
        for task in settings.DEBIAN_LEAST:
            for row in settings.DEBIAN_ROWS:
                add(task, seed, row, row)
            if rivals.installed("svm"):
                found += [svm_cell(f"debian {task}", row, task, seed, corpora, *how) for row, how in settings.DEBIAN_SVM.items()]
        for row, (topics, sweeps) in chosen["debian_causes"].items():
            add("section", seed, row, next(iter(settings.DEBIAN_ROWS)), topics, sweeps)
    return found


def text_of(found, name, error):
    """The mean over seeds; of one seed with the standard error over sources, where that is known."""
    if len(found) == 1 and error in found[0]:
        return f"{found[0][name]:.3f} ± {found[0][error]:.3f} (1)"
    return cell_text(r[name] for r in found)


def report(results):
    for task in settings.DEBIAN_LEAST:
        rows, sizes = [["", "top 1", "top 3", "macro F1", "CPU s"]], {}
        for row, found in results.of(f"debian {task}").items():
            rows.append([row, text_of(found, "accuracy", "error"), text_of(found, "top_3", "error_3"),
                         cell_text(r["macro_f1"] for r in found), f"{mean_and_error(r['cpu_s'] for r in found)[0]:.0f}"])
            sizes = {name: found[0][name] for name in ("packages", "train", "test", "classes", "index")} | sizes
        if sizes:
            print_table(f"debian, {task}: mean ± standard error, of one seed over sources (number of seeds)", rows)
            print(", ".join(f"{name}: {value}" for name, value in sizes.items()))
