"""The snapshots of a model file, and topics of other documents drawn under one of them."""
import array
import json
import re
import struct
from pathlib import Path

SWEEPS = 25  # over the tokens of a document


class Model:
    """The snapshots of a model file (docs/format.md)."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + length])
        self.about = about = json.loads(header["__metadata__"]["description"])
        types = {"U64": "Q", "F64": "d", "U16": "H", "U32": "I"}

        def block(name):
            first, last = (8 + length + i for i in header[name]["data_offsets"])
            if header[name]["dtype"] == "U8":
                return data[first:last]
            return array.array(types[header[name]["dtype"]], data[first:last])

        self.block = block
        start, text = block("word_start"), block("word_bytes")
        self.words = {text[start[i]:start[i + 1]].decode(): i for i in range(len(start) - 1)}
        self.n_topics, self.beta = about["topics"], about["beta"]
        self.alpha, self.draw, self.start = block("alpha"), block("snapshot"), block("snapshot_start")
        self.word_start, self.topic, self.count = (block("snapshot_" + n) for n in ("word_start", "topic", "count"))
        self.sweep, self.chain = ([block(name)[d] for d in self.draw] for name in ("sweep", "chain"))

    def topics(self, snapshot):
        """phi of each word, and alpha."""
        n, v = self.n_topics, len(self.words)
        at = self.start[snapshot]
        counts = []
        for w in range(v):
            row = [self.beta] * n
            first = snapshot * (v + 1) + w
            for i in range(at + self.word_start[first], at + self.word_start[first + 1]):
                row[self.topic[i]] += self.count[i]
            counts.append(row)
        total = [sum(column) for column in zip(*counts)]
        alpha = self.alpha[self.draw[snapshot] * n:(self.draw[snapshot] + 1) * n]
        return [[c / t for c, t in zip(row, total)] for row in counts], list(alpha)


def known_words(model, text):
    """Numbers of the words of a text that the model has, as the default token pattern finds them."""
    return [model.words[w] for w in re.findall(r"[^\W\d_]{2,}", text.lower()) if w in model.words]


def draw_shares(words, phi, alpha, rng):
    """zbar of one draw of the topics of a document's words."""
    n = len(alpha)
    weight = list(alpha)
    topic = []
    for w in words:
        topic.append(rng.choices(range(n), [a * p for a, p in zip(weight, phi[w])])[0])
        weight[topic[-1]] += 1
    for _ in range(SWEEPS):
        for i, w in enumerate(words):
            weight[topic[i]] -= 1
            topic[i] = rng.choices(range(n), [a * p for a, p in zip(weight, phi[w])])[0]
            weight[topic[i]] += 1
    return [topic.count(k) / len(words) for k in range(n)]
