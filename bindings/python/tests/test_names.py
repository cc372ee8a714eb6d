"""The same value has the same name in files and in Python, and comes back as it was given."""

from __future__ import annotations

import copy
import decimal
import pickle

import numpy as np
import pytest

import gibbous
from gibbous import inputs

TEXTS = ["apples and pears", "pears and plums", "cars and trains", "trains and buses"] * 10
QUICK = {"topics": 2, "sweeps": 40, "chains": 1, "seed": 1}


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (1, "1"),
        (1.0, "1"),
        (np.float32(1), "1"),
        (decimal.Decimal("1.0"), "1"),
        ("1.0", "1"),
        (" 1 ", "1"),
        (-0.0, "0"),
        (True, "true"),
        (np.True_, "true"),
        ("True", "true"),
        ("FALSE", "false"),
        ("a\u0301", "\u00e1"),
        ("\u00a0a b\u3000", "a b"),
        ("007", "007"),
        ("3.10", "3.10"),
        (0.5, "0.5"),
    ],
)
def test_a_value_has_the_name_that_files_give_it(tmp_path, written, name):
    assert inputs.name_of(written, "it") == name
    path = tmp_path / "a.csv"
    path.write_text(f'text,y\nab,"{written}"\nab,other\n', encoding="utf-8")
    of_file = gibbous.Corpus.read(path, label="y")
    of_memory = gibbous.Corpus.from_documents(["ab", "ab"], label={"y": [written, "other"]})
    assert of_file.classes_of("y") == of_memory.classes_of("y") == [[name], ["other"]]


@pytest.mark.parametrize("value", [" ", "\u00a0", "\ufeff"])
def test_blanks_alone_are_no_name(value):
    with pytest.raises(ValueError, match="None stands for a missing value"):
        inputs.name_of(value, "it")


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1.0, 2.0],
        [0.5, 1.5],
        [True, False],
        np.array([3, 7], dtype=np.int8),
        np.array([3, 7], dtype=np.uint64),
        ["a", "b"],
        ["1", "2"],
        [decimal.Decimal("1.5"), decimal.Decimal("2.5")],
    ],
    ids=repr,
)
def test_predicted_labels_have_the_type_that_was_given(values):
    first, second = values
    y = np.array([first, first, second, second] * 10)
    model = gibbous.train(TEXTS, label=y, **QUICK)
    for one in (model, pickle.loads(pickle.dumps(model)), copy.copy(model), model.name_topics({})):
        labels = one.predict(TEXTS).labels
        assert (labels == y).mean() == 1.0
        assert {type(value) for value in labels.tolist()} == {type(v) for v in y.tolist()}
        assert labels.dtype == y.dtype or labels.dtype == object


def test_labels_of_any_door_have_the_type(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"text": TEXTS, "y": [1, 1, 2, 2] * 10})
    for y in (frame["y"], frame["y"].astype("category"), frame["y"].astype("Int64")):
        assert (
            gibbous.train(frame.assign(y=y), label="y", **QUICK).predict(frame).labels == y
        ).all()
    corpus = gibbous.Corpus.from_documents(frame, label="y")
    model = gibbous.train(corpus, **QUICK)
    assert model.predict(frame).labels.dtype == np.int64
    builder_plan = gibbous.Plan(corpus, **QUICK)
    chain, builder = gibbous.Chain(builder_plan), gibbous.ModelBuilder(builder_plan)
    for _ in chain.step(40):
        if chain.keeps:
            builder.add(chain)
    assert builder.finish().predict(frame).labels.dtype == np.int64
    several = gibbous.train(TEXTS, labels=[[1], [1, 2], [2], [2]] * 10, **QUICK)
    assert {c for row in several.predict(TEXTS).labels for c in row} <= {1, 2}
    # a file has names only
    model.write(tmp_path / "m.gibbous")
    assert set(gibbous.Model.read(tmp_path / "m.gibbous").predict(frame).labels) == {1, 2}


@pytest.mark.parametrize("bare", [True, False])
def test_an_ordered_categorical_keeps_its_order(bare):
    pd = pytest.importorskip("pandas")
    order = ["low", "mid", "high"]
    y = pd.Categorical(["low", "high", "mid", "high"] * 10, order, ordered=True)
    y = y if bare else pd.Series(y)
    model = gibbous.train(TEXTS, label=y, response="ordinal", **QUICK)
    assert model.responses[0].classes == order
    given = gibbous.train(TEXTS, label=y, response="ordinal", levels=order[::-1], **QUICK)
    assert given.responses[0].classes == order[::-1]
    chain = gibbous.train(TEXTS, response="none", prior="graph", group=y, graph="chain", **QUICK)
    edges = gibbous.train(
        TEXTS,
        response="none",
        prior="graph",
        group=y,
        graph=[("low", "mid"), ("mid", "high")],
        **QUICK,
    )
    assert (chain.infer(TEXTS, group=y) == edges.infer(TEXTS, group=y)).all()
    unordered = pd.Categorical(["low", "high", "mid", "high"] * 10, order)
    with pytest.raises(gibbous.ArgumentError, match="is not a number"):
        gibbous.train(TEXTS, label=unordered, response="ordinal", **QUICK)


def test_an_enum_of_polars_keeps_its_order():
    pl = pytest.importorskip("polars")
    order = ["low", "mid", "high"]
    y = pl.Series("y", ["low", "high", "mid", "high"] * 10, dtype=pl.Enum(order))
    model = gibbous.train(
        pl.DataFrame({"text": TEXTS, "y": y}), label="y", response={"y": "ordinal"}, **QUICK
    )
    assert model.responses[0].classes == order
