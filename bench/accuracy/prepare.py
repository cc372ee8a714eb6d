#!/usr/bin/env python3
"""Turns the data sets into files that gibbous reads.  Needs the standard library only.

    prepare.py reuters  DATA OUT    train.jsonl, test.jsonl: stories with at least one of the 90 topics that
                                    have an example in both parts of the ModApte split, and no other topic
    prepare.py bibtex   DATA OUT    train.jsonl, test.jsonl: present words as text, tags as labels
    prepare.py newsgroups DATA OUT  train.data, train.label, test.data, test.label: word counts of all 20 classes
    prepare.py ratings  DATA OUT    movies-1-train.jsonl ... hotel-5-test.jsonl: five folds of each
    prepare.py genres   DATA OUT    1-train.jsonl ... 5-test.jsonl: five folds of films with a genre and a text
    prepare.py imdb     DATA OUT    train.jsonl, test.jsonl: film reviews, positive or negative

DATA is the folder that GIBBOUS_DATA names, OUT an existing folder.
"""
import gzip
import json
import pathlib
import shutil
import sys

FOLDS = 5


def read_lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def read_documents(path):
    return [json.loads(line) for line in read_lines(path)]


def write_documents(documents, path):
    with open(path, "w", encoding="utf-8") as out:
        for document in documents:
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


def folds(documents):
    """Document i is tested in fold i modulo FOLDS: the same split everywhere, without a random number."""
    for fold in range(FOLDS):
        train = [d for i, d in enumerate(documents) if i % FOLDS != fold]
        test = [d for i, d in enumerate(documents) if i % FOLDS == fold]
        yield fold + 1, train, test


def reuters(data, out):
    part = {name: read_documents(data / "reuters21578" / f"reuters_modapte_{name}.jsonl.gz") for name in ("train", "test")}
    topics = set.intersection(*({t for d in documents for t in d["labels"]} for documents in part.values()))
    for name, documents in part.items():
        kept = [{"id": d["id"], "text": d["text"], "labels": [t for t in d["labels"] if t in topics]} for d in documents]
        write_documents([d for d in kept if d["labels"]], out / f"{name}.jsonl")


def bibtex(data, out):
    """Sparse ARFF: a row {5 1,1840 1} gives the numbers of the attributes that are 1, tags being the last ones."""
    for name in ("train", "test"):
        attributes, documents = [], []
        for line in read_lines(data / "multilabel_bow" / f"bibtex-{name}.arff.gz"):
            if line.startswith("@attribute"):
                attributes.append(line.split()[1])
            elif line.startswith("{"):
                present = [attributes[int(pair.split()[0])] for pair in line.strip().strip("{}").split(",")]
                documents.append({
                    "id": len(documents) + 1,
                    "text": " ".join(a for a in present if not a.startswith("TAG_")),
                    "labels": [a for a in present if a.startswith("TAG_")],
                })
        write_documents(documents, out / f"{name}.jsonl")


def newsgroups(data, out):
    for part in ("train", "test"):
        for kind in ("data", "label"):
            with gzip.open(data / "20news" / "bow" / f"{part}.{kind}.gz") as packed:
                with open(out / f"{part}.{kind}", "wb") as plain:
                    shutil.copyfileobj(packed, plain)


def ratings(data, out):
    sets = {"movies": "movie_review_scale/scale_subjective.jsonl.gz", "hotel": "hotel_reviews/tripadvisor_2000.jsonl.gz"}
    for name, path in sets.items():
        documents = [{k: d[k] for k in ("id", "rating", "text")} for d in read_documents(data / path)]
        for fold, train, test in folds(documents):
            write_documents(train, out / f"{name}-{fold}-train.jsonl")
            write_documents(test, out / f"{name}-{fold}-test.jsonl")


def genres(data, out):
    documents = [d for d in read_documents(data / "movies_tmdb" / "tmdb_5000.jsonl.gz") if d["first_genre"] and d["text"]]
    kept = [{"id": d["id"], "text": d["text"], "first_genre": d["first_genre"], "director": d["director"] or "(unknown)",
             "companies": d["companies"]} for d in documents]
    for fold, train, test in folds(kept):
        write_documents(train, out / f"{fold}-train.jsonl")
        write_documents(test, out / f"{fold}-test.jsonl")


def imdb(data, out):
    for part in ("train", "test"):
        documents = read_documents(data / "imdb" / f"imdb_reviews_{part}.jsonl.gz")
        write_documents([{k: d[k] for k in ("id", "label", "text")} for d in documents], out / f"{part}.jsonl")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    task = {f.__name__: f for f in (reuters, bibtex, newsgroups, ratings, genres, imdb)}[sys.argv[1]]
    task(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
