#!/usr/bin/env python3
"""The defaults beside a linear model on the same words: five-fold cross-validation, one row of a table for each corpus.

    linear.py [CORPUS...]

Of corpora with more than 4,000 documents the first 4,000 in a random order are taken.  GIBBOUS_DATA names the folder with the data,
GIBBOUS the program (default build/release/gibbous), OPTIONS further options, such as "--chains 4".
"""
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("GIBBOUS", HERE.parents[1] / "build/release/gibbous")
MOST = 4000

# name: file, options, topics, scores
CORPORA = {
    "newsgroups": ("20news/20news_bydate_train", ["--label", "label"], 50, ("accuracy", "macro_f1")),
    "imdb": ("imdb/imdb_reviews_train", ["--label", "label"], 50, ("accuracy", "auc")),
    "genre1": ("movies_tmdb/tmdb_5000", ["--label", "first_genre"], 50, ("accuracy", "macro_f1")),
    "party": ("sotu/sotu_passages", ["--label", "party"], 50, ("accuracy", "macro_f1")),
    "reuters": ("reuters21578/reuters_modapte_train", ["--labels", "labels"], 100, ("micro_f1", "macro_f1")),
    "genres": ("movies_tmdb/tmdb_5000", ["--labels", "labels"], 50, ("micro_f1", "macro_f1")),
    "stars": ("hotel_reviews/tripadvisor_2000", ["--label", "rating", "--response", "ordinal"], 50, ("mae", "kappa")),
    "hotels": ("hotel_reviews/tripadvisor_2000", ["--target", "rating"], 50, ("r2", "mae")),
    "reviews": ("movie_review_scale/scale_subjective", ["--target", "rating"], 50, ("r2", "mae")),
    "votes": ("movies_tmdb/tmdb_5000", ["--target", "vote_average"], 50, ("r2", "mae")),
}


def write_documents(name, path):
    with gzip.open(pathlib.Path(os.environ["GIBBOUS_DATA"], name + ".jsonl.gz"), "rt", encoding="utf-8") as lines:
        documents = list(lines)
    random.Random(1).shuffle(documents)
    path.write_text("".join(documents[:MOST]), encoding="utf-8")
    return min(len(documents), MOST)


def measure(name, work):
    file, options, topics, scores = CORPORA[name]
    path = pathlib.Path(work, "documents.jsonl")
    n = write_documents(file, path)
    command = [PROGRAM, "evaluate", path, *options, "-k", str(topics), "--stopwords", "en", "--min-df", "5", "--seed", "1",
               "--folds", "5", "--baseline", *([] if "--target" in options else ["--unknown-label", "wrong"]), "-q", "--json", *os.environ.get("OPTIONS", "").split()]
    out = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    result = out[options[1]]
    for score in scores:
        model, linear = ("{mean:.3f} ± {se:.3f}".format(**r[score]) for r in (result, result["linear"]))
        print(f"| `{name}` | {n:,} | {score} | {model} | {linear} |", flush=True)


def main():
    with tempfile.TemporaryDirectory() as work:
        for name in sys.argv[1:] or CORPORA:
            measure(name, work)


if __name__ == "__main__":
    main()
