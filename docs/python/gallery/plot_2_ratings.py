"""
Ratings with covariates, and honest effects
===========================================

What do reviews with high ratings write about, once we know who wrote them? And how sure can we be
of it?
"""

# %%
# Reviews
# -------
# A number to predict (the rating), words, and a covariate (who wrote the review). Film reviews of
# four authors if ``GIBBOUS_DATA`` has them; else reviews are made up, from four subjects of which
# *acting* and *plot* matter (+0.25 and -0.25), *music* and *effects* do not, and one author is
# milder than the others.

import gzip
import json
import os
import random
from pathlib import Path

import gibbous
from gibbous import plots
from matplotlib import pyplot

WORDS = {
    "acting": "actor performance role cast superb moving character screen",
    "plot": "story plot hole predictable twist ending script slow",
    "music": "score song music theme composer sound tune opera",
    "effects": "effects digital explosion camera stunt action chase budget",
}
WEIGHT = {"acting": 0.25, "plot": -0.25, "music": 0.0, "effects": 0.0}
MILD = {"Ann": 0.1, "Bob": 0.0, "Cy": 0.0, "Dee": 0.0}


def made_up(n, rng):
    """Reviews, ratings from 0 to 1, and authors."""
    texts, ratings, authors = [], [], []
    for _ in range(n):
        share = [rng.gammavariate(0.4, 1) + 1e-9 for _ in WORDS]
        subjects = rng.choices(list(WORDS), share, k=15)
        author = rng.choice(list(MILD))
        rating = 0.5 + MILD[author] + rng.gauss(0, 0.1)
        rating += sum(WEIGHT[s] * x / sum(share) for s, x in zip(WORDS, share, strict=True))
        texts.append(" ".join(rng.choice(WORDS[subject].split()) for subject in subjects))
        ratings.append(rating)
        authors.append(author)
    return texts, ratings, authors


file = Path(os.environ.get("GIBBOUS_DATA", "none"), "movie_review_scale/scale_subjective.jsonl.gz")
if file.is_file():
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        reviews = [json.loads(line) for line in lines][::8]
    texts = [review["text"] for review in reviews]
    ratings = [review["rating"] for review in reviews]
    authors = [review["author"] for review in reviews]
else:
    texts, ratings, authors = made_up(800, random.Random(1))
print(len(texts), "reviews by", len(set(authors)), "authors")

# %%
# Train, and cross-fit
# --------------------
# Topics that were learnt with the labels are bent towards them, and so their own intervals are too
# narrow. ``cross_fit=5`` deals the reviews into five folds, learns topics without each, and
# estimates effects on the fold that the topics have not seen. Every review counts once.

n_topics = 12 if file.is_file() else 8
options = {
    "topics": n_topics,
    "response": "gaussian",
    "stopwords": "en",
    "min_df": 5,
    "sweeps": 120,
    "seed": 1,
}
data = {"target": {"rating": ratings}, "covariates": {"author": authors}}
model = gibbous.train(texts, **data, **options, cross_fit=5)
model

# %%
# Effects are in the units of the rating, against the average review. A topic that only some folds
# have says so in ``n_folds``.

table = model.effects(n_words=5)
print(table[["feature", "mean", "q05", "q95", "n_folds", "words"]].to_string(index=False))

# %%
_ = plots.coefficients(model)

# %%
# Would we find effects where there are none?
# -------------------------------------------
# Shuffled ratings have nothing to do with the texts. Topics of a training bend towards them all the
# same, so effects in a training have no intervals. Intervals of cross-fitted effects (filled dots:
# without 0) hold.

shuffled = ratings.copy()
random.Random(2).shuffle(shuffled)
data = {"target": {"shuffled": shuffled}, "covariates": {"author": authors}}
trained = gibbous.train(texts, **data, **options)
honest = gibbous.train(texts, **data, **options, cross_fit=5)

figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained", sharex=True)
for ax, fitted, title in zip(
    axes, (trained, honest), ("of the training", "cross-fitted"), strict=True
):
    plots.coefficients(fitted, kind="topic", n_words=3, ax=ax)
    ax.set_title(f"shuffled ratings: effects {title}", fontsize=10, loc="left")
    ax.set_xlabel("effect on the shuffled rating", fontsize=9)
    effects = fitted.effects(frame="arrays")
    known = (effects["kind"] == "topic") & (effects["n_draws"] > 0)
    without = known & ((effects["q05"] > 0) | (effects["q95"] < 0))
    print(title, ":", without.sum(), "of", known.sum(), "intervals exclude 0")

# %%
# The effect of who wrote it
# --------------------------
# A contrast has the interval of a difference, which cannot be read off two intervals. It is of
# draws of one model, so the model is trained without folds.

plain = gibbous.train(texts, target={"rating": ratings}, covariates={"author": authors}, **options)
first, second = sorted(set(authors))[:2]
contrast = plain.contrast(f"author={first}", f"author={second}")
print(contrast[["contrast", "minus", "mean", "q05", "q95", "p_positive"]].to_string(index=False))
