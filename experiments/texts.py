"""Corpora as words between blanks, so that gibbous and other programs get the same ones.

A corpus is a pair of lists, training and test part, of dictionaries with "id", "text" and "label" or "target".
"""
import collections
import gzip
import random
import re

import frame

HOW = ["--token-pattern", r"\S+", "--no-lowercase"]


def stop_words(data):
    return set((data / "20news" / "stopwords_en.txt").read_text(encoding="utf-8").split())


def split(text, pattern="[a-z]{2,}"):
    return re.findall(pattern, text.lower())


def choose_words(parts, stop, min_df=1, most=None, pattern="[a-z]{2,}"):
    """The parts with the words that are no stop words, occur in so many training documents, and are among the most frequent of those."""
    words = [[split(d["text"], pattern) for d in documents] for documents in parts]
    df, frequency = collections.Counter(), collections.Counter()
    for document in words[0]:
        df.update(set(document))
        frequency.update(document)
    kept = sorted((w for w in df if w not in stop and df[w] >= min_df), key=lambda w: (-frequency[w], w))
    kept = set(kept[:most])
    return [[d | {"text": " ".join(w for w in document if w in kept)} for d, document in zip(documents, rows)]
            for documents, rows in zip(parts, words)]


def write(parts, folder):
    """train.jsonl, test.jsonl and train.gbc in a new folder; the options that read them."""
    folder.mkdir(parents=True)
    for name, documents in zip(("train", "test"), parts):
        frame.write_documents(documents, folder / f"{name}.jsonl")
    field = ["--target", "target"] if any("target" in d for d in parts[1]) else ["--label", "label"]
    frame.gibbous("import", folder / "train.jsonl", *HOW, *field, "-o", folder / "train.gbc", "-q")
    return field


# ---- collections ----

def newsgroup_counts(data, every=1):
    """The counts behind the papers, as texts; the order of words in a post is lost."""
    news = data / "20news" / "bow"
    with gzip.open(news / "vocabulary.txt.gz", "rt", encoding="utf-8") as lines:
        vocabulary = lines.read().split("\n")
    parts = []
    for part in ("train", "test"):
        with gzip.open(news / f"{part}.label.gz", "rt") as lines:
            labels = lines.read().split()
        texts = [[] for _ in labels]
        with gzip.open(news / f"{part}.data.gz", "rt") as lines:
            for line in lines:
                d, word, count = map(int, line.split())
                texts[d - 1] += [vocabulary[word - 1]] * count
        for d, text in enumerate(texts):
            random.Random(d).shuffle(text)
        parts.append([{"id": str(d), "text": " ".join(text), "label": label} for d, (text, label) in enumerate(zip(texts, labels))][::every])
    return parts


def body(post):
    """A post without its header, without lines that quote, and without a signature."""
    text = post.partition("\n\n")[2]
    lines = [line for line in text.split("\n")
             if not re.search(r"(writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>)", line)]
    for i in range(len(lines) - 1, 0, -1):
        if not lines[i].strip("- "):
            return "\n".join(lines[:i])
    return "\n".join(lines)


def newsgroups(data, every=1, whole=True):
    """The posts; whole, or their bodies."""
    return [[{"id": d["id"], "label": d["label"], "text": re.sub(r"\S+@\S+", " ", d["text"] if whole else body(d["text"]))}
             for d in frame.read_documents(data / "20news" / f"20news_bydate_{part}.jsonl.gz")[::every]] for part in ("train", "test")]


def imdb(data, every=1):
    return [[{"id": d["id"], "label": d["label"], "text": d["text"].replace("<br />", " ")}
             for d in frame.read_documents(data / "imdb" / f"imdb_reviews_{part}.jsonl.gz")[::every]] for part in ("train", "test")]


def reuters(data, every=1):
    """Stories with one topic only, of the ten that most training stories have."""
    parts = [frame.read_documents(data / "reuters21578" / f"reuters_modapte_{part}.jsonl.gz") for part in ("train", "test")]
    size = collections.Counter(topic for d in parts[0] for topic in d["labels"])
    largest = {topic for topic, _ in size.most_common(10)}
    return [[{"id": str(d["id"]), "label": d["labels"][0], "text": d["text"]} for d in documents
             if len(d["labels"]) == 1 and d["labels"][0] in largest][::every] for documents in parts]


def films(data, fold, every=1, threshold=None):
    """Film reviews, extracts, with their rating; with a threshold the classes "low" and "high".  Review i is tested in fold i modulo 5."""
    parts = [[], []]
    for i, d in enumerate(frame.read_documents(data / "movie_review_scale" / "scale_subjective.jsonl.gz")[::every]):
        what = {"target": d["rating"]} if threshold is None else {"label": "high" if d["rating"] >= threshold else "low"}
        parts[i % 5 == fold % 5].append({"id": d["id"], "text": d["text"], **what})
    return parts
