"""
News in 20 classes
==================

Which topics tell one newsgroup from another, how well does the model predict, and can its
probabilities be believed?
"""

# %%
# Documents
# ---------
# A list of texts and a list of labels are enough. With the 20 Newsgroups posts at hand
# (``GIBBOUS_DATA``) a quarter of them is used; else posts are made up.

import gzip
import json
import os
import random
from pathlib import Path

import gibbous
from gibbous import plots

WORDS = {
    "autos": "car engine dealer mileage brake clutch ford speed",
    "baseball": "pitcher inning hit base team season league game",
    "hockey": "goal ice puck playoff team season league game",
    "guns": "firearm weapon crime police law control rights people",
    "mideast": "israel war jewish border peace arab people land",
    "med": "doctor patient disease drug treatment pain health study",
    "space": "orbit launch shuttle moon satellite mission earth study",
    "crypt": "key encryption chip secret clipper privacy law rights",
}
COMMON = [
    "think",
    "know",
    "good",
    "time",
    "say",
    "make",
    "work",
    "long",
    "read",
    "question",
    "way",
    "want",
    "point",
]


def made_up(n, rng):
    """Posts with words of their group, of another one, and of none."""
    labels = [rng.choice(list(WORDS)) for _ in range(n)]
    texts = []
    for label in labels:
        own, other = WORDS[label].split(), WORDS[rng.choice(list(WORDS))].split()
        part = rng.betavariate(1.5, 1)  # how many of the words of groups are its own
        words = []
        for _ in range(30):
            source = COMMON if rng.random() < 0.5 else own if rng.random() < part else other
            words.append(rng.choice(source))
        texts.append(" ".join(words))
    return texts, labels


def read(name, every):
    """Every so many-th post of a file, without the lines of its header that give the group away."""
    texts, labels = [], []
    with gzip.open(name, "rt", encoding="utf-8") as lines:
        for line in list(lines)[::every]:
            post = json.loads(line)
            texts.append(post["text"].partition("\n\n")[2])
            labels.append(post["label"])
    return texts, labels


folder = Path(os.environ.get("GIBBOUS_DATA", "none")) / "20news"
if folder.is_dir():
    texts, labels = read(folder / "20news_bydate_train.jsonl.gz", 4)
    new_texts, new_labels = read(folder / "20news_bydate_test.jsonl.gz", 4)
else:
    rng = random.Random(1)
    texts, labels = made_up(1200, rng)
    new_texts, new_labels = made_up(600, rng)
print(len(texts), "posts in", len(set(labels)), "groups")

# %%
# Train
# -----
# Arguments are the options of the command, with underscores. The model draws topics and the
# coefficients of all classes together, so topics are those that tell the groups apart.

model = gibbous.train(
    texts,
    label={"group": labels},
    response="logistic",
    topics=40 if folder.is_dir() else 12,
    stopwords="en",
    min_df=5,
    seed=1,
)
model

# %%
# Topics and groups
# -----------------
# Blue: a post about this topic is more likely to be of the group. Topics that raise no group
# are left for the words that all of them use.

_ = plots.classes(model)

# %%
# One group: what its score uses. Dots are means against the average post.

group = next((name for name in model.outputs if "space" in name), model.outputs[0])
_ = plots.coefficients(model, group, n_rows=10)

# %%
# These are the effects in the training, whose topics are bent towards the labels: good enough to
# see what the model does, not to claim an effect, so they have no intervals and no filled dots.
# For effects with intervals see the next example.
#
# New posts
# ---------

evaluation = model.evaluate(new_texts, label={"group": new_labels}, unknown_label="skip")
print({name: round(evaluation.scores[name], 3) for name in ("accuracy", "macro_f1", "log_loss")})

# %%
# Predicted probabilities against how often they came true. On the dashed line a probability of 0.8
# is right in 80 cases of 100; below it the model is surer than it should be.

_ = plots.calibration(evaluation, label="new posts")

# %%
# A single post: what is it about, and which group?

prediction = model.predict(new_texts[:1])
print(prediction.labels[0], "predicted;", new_labels[0], "true")
shares = sorted(enumerate(prediction.topic_shares[0], start=1), key=lambda share: -share[1])[:3]
for number, share in shares:
    print(f"{share:.2f}  topic {number}:", *model.topic_words(6)[number - 1])
