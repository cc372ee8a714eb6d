"""Options of Python are those of the library's table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gibbous
from gibbous._library import library
from gibbous.options import Settings


def value(name: str, given: object) -> str:
    settings = Settings({name.replace("-", "_"): given}, ("train",), "train")
    return settings.get(name)


def test_every_option_has_a_keyword() -> None:
    table = gibbous.options()
    assert table["burn_in"].long_name == "burn-in"
    assert all(name.isidentifier() for name in table)
    assert table["topics"].kind == "int"
    assert table["prior"].choices == ("dirichlet", "uniform", "logistic-normal", "graph")
    assert "train" in table["topics"].verbs
    assert table["topics"].help


@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("topics", 7, "7"),
        ("topics", np.int64(7), "7"),
        ("beta", 0.1, "0.1"),
        ("beta", np.float32(0.5), "0.5"),
        ("intercept", False, "no"),
        ("two-stage", np.True_, "yes"),
        ("alpha", [0.1, 0.2], "0.1,0.2"),
        ("alpha", np.array([1, 2]), "1,2"),
        ("variance", 2, "topics=2"),
        ("variance", {"intercept": 0.5, "topics": "sample"}, "topics=sample,intercept=0.5"),
        ("response", {"a": "hinge", "b": "gaussian"}, "a=hinge,b=gaussian"),
        ("checkpoint", Path("/tmp/x"), "/tmp/x"),
        ("topics", None, "50"),
        ("class-weight", {"a": 2, "b": 0.5}, '{"a": 2.0, "b": 0.5}'),
    ],
)
def test_values_become_what_the_command_takes(name: str, given: object, text: str) -> None:
    assert value(name, given) == text


def test_a_list_gives_every_item() -> None:
    settings = Settings({"label": ["a", "b"]}, ("train",), "train")
    assert library.gb_settings_n_values(settings.pointer, b"label") == 2


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(TypeError, match="a value of an option"):
        value("topics", object())
    with pytest.raises(ValueError, match="`topics` must be"):
        value("topics", 2.5)
    with pytest.raises(ValueError, match="`topics` must be"):
        value("topics", "many")


def test_options_that_do_not_go_together_are_refused_before_documents_are_read() -> None:
    with pytest.raises(ValueError, match="`seed_strength` needs `seeds` FILE"):
        Settings({"seed_strength": 2}, ("train",), "train")
    with pytest.raises(ValueError, match="`variance` of words needs `word_effects` VALUES"):
        gibbous.train("none.csv", variance={"words": 1})
    with pytest.raises(OSError, match=r"none\.csv"):
        gibbous.select("none.csv", prior=["dirichlet", "graph"], graph="chain", group="year")


def test_options_of_other_verbs_and_of_the_command_are_unknown() -> None:
    for name in ("folds", "quiet", "burn-in", "verbose"):
        with pytest.raises(TypeError, match=f"has no option {name}"):
            Settings({name: 1}, ("train",), "train")
