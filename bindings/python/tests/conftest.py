"""What the tests share: a small corpus in memory with a label, a number and a group."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import gibbous

N_DOCS, N_WORDS = 200, 60


@pytest.fixture(scope="session")
def counts() -> scipy.sparse.csr_matrix:
    """Documents of two kinds of words."""
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, N_DOCS)
    rate = np.full((2, N_WORDS), 0.1)
    rate[0, :30] = rate[1, 30:] = 0.9
    return scipy.sparse.csr_matrix(rng.poisson(rate[kind]).astype(np.int32))


def fields() -> list[gibbous.Field]:
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 2, N_DOCS)
    return [
        gibbous.Field(
            "kind",
            "response",
            "one",
            class_name=["first", "second"],
            class_of=kind.astype(np.uint32),
        ),
    ]


@pytest.fixture(scope="session")
def corpus(counts: scipy.sparse.csr_matrix) -> gibbous.Corpus:
    vocabulary = [f"word{i}" for i in range(N_WORDS)]
    return gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, vocabulary, fields()
    )


@pytest.fixture(scope="session")
def model(corpus: gibbous.Corpus) -> gibbous.Model:
    return gibbous.train(corpus, topics=4, sweeps=30, chains=1, seed=1)


@pytest.fixture(scope="session")
def command() -> Path:
    """The command, to compare with: GIBBOUS_COMMAND, or the one beside the library."""
    beside = Path(os.environ.get("GIBBOUS_LIBRARY", "")).parent / "gibbous"
    found = os.environ.get("GIBBOUS_COMMAND") or (
        str(beside) if beside.is_file() else shutil.which("gibbous")
    )
    if not found:
        pytest.skip("the command gibbous is not there: set GIBBOUS_COMMAND")
    return Path(found)
