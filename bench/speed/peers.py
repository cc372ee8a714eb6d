#!/usr/bin/env python3
"""Other programs on the same documents, one thread.  Needs tomotopy and scikit-learn; run.py starts it.

    peers.py tomotopy TOKENS K ALPHA BETA SWEEPS DUMP...    LDA; DUMP is SWEEP:FILE, an assignment to write there
    peers.py slda     TOKENS LABELS K ALPHA BETA C SWEEPS DUMP   a 0/1 response per class, DUMP as above
    peers.py sklearn  TOKENS TEST WORDS K ALPHA BETA PASSES variational LDA, all documents in each pass
    peers.py complete PAIRS TEST WORDS K ALPHA BETA         predictive log-likelihood of the topics of an assignment

TOKENS and TEST have a line of word numbers per document (gibbous_bench --tokens), PAIRS word:topic pairs (--dump).
Prints one line of JSON.  Times are CPU seconds of the process, reading and writing files left out.

Document completion, the same for all: phi is (n_kw + beta) / (n_k + V beta), or what scikit-learn makes of its
components.  Of every document the words at even places fit its shares, theta_k = (n_k + alpha) / (N + K alpha) with n_k
the expected counts under theta, repeated 30 times; the words at odd places are judged by log sum_k theta_k phi_kw, and
the mean over all of them is told.
"""
import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np


def read_documents(path):
    with open(path, encoding="ascii") as lines:
        return [line.split() for line in lines]


def topics_of_pairs(path, n_words, k, beta):
    count = np.zeros((k, n_words))
    for document in read_documents(path):
        pairs = np.array([pair.split(":") for pair in document], dtype=int).reshape(-1, 2)
        np.add.at(count, (pairs[:, 1], pairs[:, 0]), 1)
    return (count + beta) / (count.sum(axis=1, keepdims=True) + n_words * beta)


def completion(phi, documents, alpha):
    k, total, n = len(phi), 0.0, 0
    by_word = np.ascontiguousarray(phi.T)
    for document in documents:
        words = np.array(document, dtype=int)
        if len(words) < 2:
            continue
        seen, theta = by_word[words[0::2]], np.full(k, 1 / k)
        for _ in range(30):
            expected = theta * (seen / (seen @ theta)[:, None]).sum(axis=0)
            theta = (expected + alpha) / (len(seen) + k * alpha)
        hidden = by_word[words[1::2]]
        total += np.log(hidden @ theta).sum()
        n += len(hidden)
    return total / n


# ---- tomotopy


def write_pairs(model, documents, path):
    """Documents without words are not in the model."""
    names, own = list(model.vocabs), iter(model.docs)
    with open(path, "w", encoding="ascii") as out:
        for document in documents:
            if document:
                state = next(own)
                document = [f"{names[w]}:{z}" for w, z in zip(state.words, state.topics)]
            out.write(" ".join(document) + "\n")


def train_tomotopy(model, documents, sweeps, dumps):
    """Seconds after the first sweep, which also makes the start, and after each sweep that is dumped."""
    dumps = dict(dump.split(":", 1) for dump in dumps)
    at, spent, trace = 0, 0.0, []
    for stop in sorted({1, sweeps, *map(int, dumps)}):
        begin = time.process_time()
        model.train(stop - at, workers=1)
        spent += time.process_time() - begin
        at = stop
        trace.append({"sweep": at, "cpu": spent})
        if str(at) in dumps:
            write_pairs(model, documents, dumps[str(at)])
    return {"trace": trace, "total": {"cpu": spent}}


def tomotopy_lda(tokens, k, alpha, beta, sweeps, *dumps):
    import tomotopy

    documents = read_documents(tokens)
    model = tomotopy.LDAModel(k=int(k), alpha=float(alpha), eta=float(beta), seed=1)
    model.optim_interval = 0  # alpha stays what it is
    for document in documents:
        if document:
            model.add_doc(document)
    return {"isa": tomotopy.isa, "version": tomotopy.__version__,
            **train_tomotopy(model, documents, int(sweeps), dumps)}


def tomotopy_slda(tokens, labels, k, alpha, beta, c, sweeps, *dumps):
    import tomotopy

    documents = read_documents(tokens)
    with open(labels, encoding="ascii") as lines:
        label = [line.strip() for line in lines]
    classes = sorted(set(label))
    model = tomotopy.SLDAModel(k=int(k), vars="b" * len(classes), alpha=float(alpha), eta=float(beta),
                               glm_param=[float(c)] * len(classes), seed=1)
    model.optim_interval = 0
    for document, own in zip(documents, label):
        if document:
            model.add_doc(document, [float(own == c) for c in classes])
    return train_tomotopy(model, documents, int(sweeps), dumps)


# ---- scikit-learn


def sklearn_lda(tokens, test, n_words, k, alpha, beta, passes):
    import sklearn
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    documents = read_documents(tokens)
    start = np.cumsum([0] + [len(d) for d in documents])
    words = np.array([w for d in documents for w in d], dtype=int)
    counts = csr_matrix((np.ones(len(words)), words, start), shape=(len(documents), int(n_words)))
    counts.sum_duplicates()
    model = LatentDirichletAllocation(int(k), doc_topic_prior=float(alpha), topic_word_prior=float(beta), n_jobs=1,
                                      learning_method="batch", max_iter=int(passes), random_state=1)
    begin = time.process_time()
    model.fit(counts)
    spent = time.process_time() - begin
    phi = model.components_ / model.components_.sum(axis=1, keepdims=True)
    return {"total": {"cpu": spent}, "version": sklearn.__version__,
            "completion": completion(phi, read_documents(test), float(alpha))}


def complete(pairs, test, n_words, k, alpha, beta):
    phi = topics_of_pairs(pairs, int(n_words), int(k), float(beta))
    return {"completion": completion(phi, read_documents(test), float(alpha))}


if __name__ == "__main__":
    tasks = {"tomotopy": tomotopy_lda, "slda": tomotopy_slda, "sklearn": sklearn_lda, "complete": complete}
    if len(sys.argv) < 3 or sys.argv[1] not in tasks:
        sys.exit(__doc__)
    print(json.dumps(tasks[sys.argv[1]](*sys.argv[2:])))
