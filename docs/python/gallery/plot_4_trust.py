"""
Choosing K, and trusting the chain
==================================

How many topics? And did the sampler run long enough to believe what it says?
"""

# %%
# Reviews of hotels
# -----------------
# Real ones if ``GIBBOUS_DATA`` has them; else from six subjects that we know of.

import gzip
import json
import os
import random
from pathlib import Path

import gibbous
import numpy as np
from gibbous import plots
from matplotlib import pyplot

WORDS = [
    "bed room clean bathroom shower towel pillow",
    "breakfast coffee buffet fruit bread egg juice",
    "staff desk friendly helpful rude manager smile",
    "location station walk metro centre street near",
    "pool beach sea view sun sand towel",
    "noise street loud night sleep thin wall",
]
WEIGHT = [0.5, 0.8, 1.2, 0.0, 0.6, -2.0]


def made_up(n, rng):
    """Reviews and ratings."""
    texts, ratings = [], []
    for _ in range(n):
        share = [rng.gammavariate(0.3, 1) + 1e-9 for _ in WORDS]
        subjects = rng.choices(range(len(WORDS)), share, k=40)
        texts.append(" ".join(rng.choice(WORDS[s].split()) for s in subjects))
        mean = sum(w * x for w, x in zip(WEIGHT, share, strict=True)) / sum(share)
        ratings.append(3 + mean + rng.gauss(0, 0.5))
    return texts, ratings


file = Path(os.environ.get("GIBBOUS_DATA", "none"), "hotel_reviews/tripadvisor_2000.jsonl.gz")
if file.is_file():
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        reviews = [json.loads(line) for line in lines][::2]
    texts = [review["text"] for review in reviews]
    ratings = [review["rating"] for review in reviews]
    candidates = [5, 10, 20]
else:
    texts, ratings = made_up(600, random.Random(1))
    candidates = [2, 4, 6, 10, 20]
data = {"data": texts, "target": {"rating": ratings}, "stopwords": "en", "min_df": 5, "seed": 1}
print(len(texts), "reviews")

# %%
# How many topics?
# ----------------
# The response decides: each number of topics is scored on documents that the training did not see,
# in the same four folds, beside a linear model on TF-IDF of the same words.

scores, errors = [], []
for topics in candidates:
    result = gibbous.cross_validate(
        **data, topics=topics, folds=4, sweeps=120, chains=1, baseline=topics == candidates[0]
    )
    section = next(iter(result.scores))
    scores.append(result.scores[section]["r2"])
    errors.append(result.standard_errors[section]["r2"])
    if result.linear is not None:
        linear = result.linear[section]["r2"]

figure, ax = pyplot.subplots(figsize=(6, 3.4), layout="constrained")
ax.errorbar(candidates, scores, yerr=errors, marker="o", color=plots.COLOURS[0], capsize=3)
ax.axhline(linear, color=plots.COLOURS[1], linestyle="--")
ax.annotate("linear model on words", (candidates[0], linear), xytext=(0, 4), ha="left",
            textcoords="offset points", color=plots.COLOURS[1], fontsize=9)  # fmt: skip
ax.set_xscale("log")
ax.set_xticks(candidates, [str(topics) for topics in candidates])
ax.minorticks_off()
ax.set_xlabel("topics")
ax.set_ylabel("R² on held-out documents")
ax.spines[["top", "right"]].set_visible(False)

# %%
# Bars are standard errors over folds. Take the smallest number that is within one of the best.

best = int(np.argmax(scores))
chosen = next(
    k for k, s in zip(candidates, scores, strict=True) if s >= scores[best] - errors[best]
)
print("chosen:", chosen)

# %%
# Four chains
# -----------
# One chain agrees with itself. Several, from starts of their own, may not.

model = gibbous.train(**data, topics=chosen, chains=4, sweeps=200)
diagnosis = model.diagnose()
diagnosis

# %%
# Where did the chains go? A trace that still rises, or chains at levels of their own, say that
# intervals are too narrow.

_ = plots.traces(diagnosis)

# %%
# A topic that other chains do not find is a matter of luck: build nothing on it.

for number, (n, words) in enumerate(
    zip(diagnosis.recurrence(), model.topic_words(6), strict=True), 1
):
    print(f"topic {number} is in {n} of 4 chains:", *words)

# %%
# Longer
# ------
# The same with five times as many sweeps. Predictions are hardly better; what is said of topics and
# effects is.

longer = gibbous.train(**data, topics=chosen, chains=4, sweeps=1000)
for name, fitted in (("200 sweeps", model), ("1,000 sweeps", longer)):
    table = fitted.diagnose().table(frame="arrays")
    print(name)
    for i in range(len(table["name"])):
        if table["kind"][i] != "topic":
            r_hat, ess = table["r_hat"][i], table["ess_bulk"][i]
            print(f"  {table['name'][i]:28} R-hat {r_hat:.2f}  ESS {ess:.0f}")

# %%
# In ArviZ
# --------
# All draws in the layout of ArviZ, topics matched between chains: its R-hat is that of the
# diagnosis.

try:
    import arviz
except ImportError:
    print("ArviZ is not installed")
else:
    tree = longer.to_datatree()
    if arviz.__version__.startswith("0."):
        tree = arviz.InferenceData.from_datatree(tree)
    summary = arviz.summary(tree, var_names=["effect", "topic_share"])
    print(summary[["mean", "sd", "r_hat"]].to_string())
