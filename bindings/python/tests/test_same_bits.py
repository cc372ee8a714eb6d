"""A training in Python writes the bytes of the command, and predictions are the same."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import gibbous

N_DOCS, N_WORDS, N_CLASSES = 600, 200, 20
VOCABULARY = [f"word{i}" for i in range(N_WORDS)]


def draw(seed: int) -> tuple[scipy.sparse.csr_matrix, np.ndarray[Any, Any]]:
    """Documents of 20 kinds, each with words that it has more often."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, N_CLASSES, N_DOCS)
    rate = np.full((N_CLASSES, N_WORDS), 0.08)
    for k in range(N_CLASSES):
        rate[k, 10 * k : 10 * k + 10] = 1
    return scipy.sparse.csr_matrix(rng.poisson(rate[kind]).astype(np.int64)), kind


def fields_of(kind: np.ndarray[Any, Any], which: str) -> list[gibbous.Field]:
    rng = np.random.default_rng(3)
    names = [f"kind{k:02}" for k in range(N_CLASSES)]
    classes = kind.astype(np.uint32)
    classes[::17] = gibbous.NO_CLASS
    if which == "classes":
        return [gibbous.Field("kind", "response", "one", class_name=names, class_of=classes)]
    if which == "number":
        size = kind + rng.normal(size=N_DOCS)
        size[::13] = np.nan
        return [
            gibbous.Field("size", "response", "number", numbers=size),
            gibbous.Field("year", "covariate", "number", numbers=rng.normal(size=N_DOCS)),
            gibbous.Field(
                "place",
                "covariate",
                "one",
                class_name=["here", "there"],
                class_of=rng.integers(0, 2, N_DOCS).astype(np.uint32),
            ),
        ]
    return [
        gibbous.Field(
            "year",
            "group",
            "one",
            class_name=[str(1990 + y) for y in range(N_CLASSES)],
            class_of=kind.astype(np.uint32),
        )
    ]


MODELS = {
    "classes": {"topics": 25, "sweeps": 40, "threads": 2, "min_df": 2},
    "number": {"topics": 10, "sweeps": 40, "response": "gaussian", "variance": 0.5},
    "groups": {"topics": 8, "sweeps": 30, "prior": "graph", "graph": "chain", "chains": 2},
}


def run(command: Path, *arguments: object) -> None:
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def as_flags(options: dict[str, Any]) -> list[str]:
    return [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]


@pytest.fixture(scope="module", params=list(MODELS))
def trained(
    request: pytest.FixtureRequest, command: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, gibbous.Model]:
    """The same documents and options by the command and by the package."""
    which = request.param
    folder = tmp_path_factory.mktemp(which)
    counts, kind = draw(1)
    options = dict(MODELS[which])
    words = {"min_df": options.pop("min_df")} if "min_df" in options else {}
    corpus = gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, VOCABULARY, fields_of(kind, which), **words
    )
    corpus.write(folder / "c.gbc")
    model = gibbous.train(corpus, seed=7, **options)
    run(command, "train", folder / "c.gbc", "-m", folder / "m", "--seed=7", *as_flags(options))
    return which, folder, model


def test_the_model_has_the_bytes_of_the_command(
    trained: tuple[str, Path, gibbous.Model],
) -> None:
    _, folder, model = trained
    assert model.to_bytes() == (folder / "m").read_bytes()


def test_predictions_are_those_of_the_command(
    trained: tuple[str, Path, gibbous.Model], command: Path
) -> None:
    which, folder, model = trained
    counts, kind = draw(2)
    corpus = gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, VOCABULARY, fields_of(kind, which)
    )
    corpus.write(folder / "new.gbc", force=True)
    verb = "infer" if which == "groups" else "predict"
    out = folder / "out.csv"
    run(command, verb, folder / "new.gbc", "-m", folder / "m", "-o", out, "--seed=5", "--table=csv")
    with out.open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    prediction = model.predict(corpus, seed=5)
    assert [row["id"] for row in rows] == prediction.ids
    if which == "classes":
        assert [row["predicted"] for row in rows] == list(prediction.labels)
        columns, numbers = [f"p_kind{k:02}" for k in range(N_CLASSES)], prediction.probabilities
    elif which == "number":
        response = prediction.responses[0]
        columns = ["mean", "sd", "q05", "q95"]
        numbers = np.stack(
            [response.mean, response.sd, response.q05, response.q95],  # type: ignore[arg-type,list-item]
            axis=1,
        )
    else:
        columns, numbers = [f"topic_{k + 1}" for k in range(8)], prediction.topic_shares
    assert numbers is not None
    # the table has nine digits
    shown = [[row[name] for name in columns] for row in rows]
    assert [[f"{x:.9g}" for x in row] for row in numbers] == shown


def test_csr_matrices_give_the_model_of_the_corpus(command: Path, tmp_path: Path) -> None:
    counts, kind = draw(1)
    labels = [f"kind{k:02}" for k in kind]
    model = gibbous.train(counts, label=labels, vocabulary=VOCABULARY, topics=5, sweeps=10, seed=1)
    field = gibbous.Field(
        "label",
        "response",
        "one",
        class_name=[f"kind{k:02}" for k in range(N_CLASSES)],
        class_of=kind.astype(np.uint32),
    )
    corpus = gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, VOCABULARY, [field]
    )
    corpus.write(tmp_path / "c.gbc")
    run(
        command, "train", tmp_path / "c.gbc", "-m", tmp_path / "m", "--topics=5", "--sweeps=10",
        "--seed=1", "--label=label",
    )  # fmt: skip
    assert model.to_bytes() == (tmp_path / "m").read_bytes()


@pytest.mark.slow
def test_other_ways_to_train_are_those_of_the_command(command: Path, tmp_path: Path) -> None:
    counts, kind = draw(1)
    corpus = gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, VOCABULARY, fields_of(kind, "classes")
    )
    corpus.write(tmp_path / "c.gbc")
    options = {"topics": 5, "sweeps": 8, "chains": 1, "seed": 1}
    begin = gibbous.train(corpus, **options)
    begin.write(tmp_path / "begin")
    ways: list[tuple[dict[str, Any], list[str]]] = [
        ({"estimate_on": 0.3}, ["--estimate-on=0.3"]),
        ({"cross_fit": 2}, ["--cross-fit=2"]),
        ({"init_from": begin}, [f"--init-from={tmp_path / 'begin'}"]),
        ({"init_from": tmp_path / "begin"}, [f"--init-from={tmp_path / 'begin'}"]),
        ({"strategy": "one-vs-rest"}, ["--strategy=one-vs-rest"]),
    ]
    for given, flags in ways:
        model = gibbous.train(corpus, **options, **given)
        out = tmp_path / "m"
        run(command, "train", tmp_path / "c.gbc", "-f", "-m", out, *as_flags(options), *flags)
        assert model.to_bytes() == out.read_bytes(), given


def test_a_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    counts, kind = draw(1)
    corpus = gibbous.Corpus.from_arrays(
        counts.indptr, counts.indices, counts.data, VOCABULARY, fields_of(kind, "classes")
    )
    options = {"topics": 5, "sweeps": 30, "chains": 1, "seed": 1}
    whole = gibbous.train(corpus, **options).to_bytes()

    def press(progress: gibbous.Progress) -> None:
        if progress.sweep == 20 and not progress.is_partial:
            raise KeyboardInterrupt

    path = tmp_path / "run.check"
    with pytest.raises(gibbous.Stopped):
        gibbous.train(corpus, **options, checkpoint=path, callback=press)
    assert gibbous.train(corpus, resume=path).to_bytes() == whole
