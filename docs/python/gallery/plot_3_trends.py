"""
Trends over years
=================

What was talked about when, and how well do we know it in years with few documents?
"""

# %%
# Documents with years
# --------------------
# Passages from the State of the Union addresses if ``GIBBOUS_DATA`` has them; else made-up speeches
# from 1950 to 1999, of which some decades have few.

import gzip
import json
import math
import os
import random
from pathlib import Path

import gibbous
from gibbous import plots

WORDS = {
    "farms": "farm crop wheat price land harvest rural barn",
    "war": "war army peace enemy treaty soldier defence missile",
    "work": "job wage union factory labour worker strike pay",
    "health": "hospital doctor insurance patient care drug medicine nurse",
    "space": "moon rocket orbit science satellite launch astronaut research",
}
COURSE = {
    "farms": lambda t: 3 - 0.05 * t,
    "war": lambda t: 1 + 2 * math.exp(-(((t - 18) / 6) ** 2)),
    "work": lambda t: 1.0,
    "health": lambda t: 0.3 + 0.05 * t,
    "space": lambda t: 0.2 + 2 * math.exp(-(((t - 15) / 5) ** 2)),
}


def made_up(rng):
    """Fifteen speeches a year, but two a year in the eighties."""
    texts, years = [], []
    for year in range(1950, 2000):
        for _ in range(2 if 1980 <= year < 1990 else 15):
            weight = [COURSE[name](year - 1950) for name in WORDS]
            share = [rng.gammavariate(w, 1) + 1e-9 for w in weight]
            subjects = rng.choices(list(WORDS), share, k=40)
            texts.append(" ".join(rng.choice(WORDS[subject].split()) for subject in subjects))
            years.append(year)
    return texts, years


file = Path(os.environ.get("GIBBOUS_DATA", "none"), "sotu/sotu_passages.jsonl.gz")
if file.is_file():
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        passages = [json.loads(line) for line in lines][::4]
    texts = [passage["text"] for passage in passages]
    years = [passage["year"] for passage in passages]
else:
    texts, years = made_up(random.Random(1))
print(len(texts), "documents from", min(years), "to", max(years))

# %%
# A prior in which years know their neighbours
# --------------------------------------------
# Each year has mean topic weights of its own. ``graph="chain"`` says that neighbouring years are
# alike; how much alike is learnt from the data. So a year with few documents borrows from its
# neighbours, a year without any too, and their intervals are wider.

n_topics = 20 if file.is_file() else 6
model = gibbous.train(
    texts,
    group={"year": [str(year) for year in years]},
    prior="graph",
    graph="chain",
    topics=n_topics,
    stopwords="en",
    min_df=5,
    sweeps=200,
    seed=1,
)
model

# %%
# The topics that change most. The band is the interval from 5 % to 95 %: of the share that a
# document of the year is *expected* to have.

_ = plots.trends(model)

# %%
# Two years compared
# ------------------
# Neighbours move together from draw to draw, so a difference is known better than the two shares.

names = sorted({str(year) for year in years})
late, early = names[-1], names[len(names) // 2]
change = model.group_contrast(late, early, n_words=5)
columns = ["group", "minus", "topic", "mean", "q05", "q95", "p_positive", "words"]
clear = change[(change["q05"] > 0) | (change["q95"] < 0)]
print(clear.sort_values("mean")[columns].round(3).to_string(index=False))

# %%
# All numbers behind the figure are a data frame.

print(model.groups([1]).head(3).round(3).to_string(index=False))
