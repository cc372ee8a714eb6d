"""The examples of the documentation do what the documentation says."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gibbous

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DOCS = Path(__file__).parents[3] / "docs" / "python"
PAGES = sorted(page for page in DOCS.glob("*.md") if BLOCK.search(page.read_text()))


def examples(page: Path) -> doctest.DocTest:
    """The blocks of a page as one session."""
    source = "\n".join(block.group(1) for block in BLOCK.finditer(page.read_text()))
    return doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)


def modules() -> list[str]:
    """All modules of the package."""
    return [found.name for found in pkgutil.walk_packages(gibbous.__path__, "gibbous.")]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_print_what_they_should(name: str) -> None:
    pytest.importorskip("pandas")
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testmod(module, optionflags=flags, extraglobs=shared() | vars(module))
    assert found.failed == 0


@cache
def shared() -> dict[str, Any]:
    """What short examples are about: two kinds of texts."""
    texts, labels = ["goal team match", "bank stock price"] * 10, ["sport", "money"] * 10
    quick = {"topics": 2, "sweeps": 40, "chains": 1, "seed": 1}
    model = gibbous.train(texts, label=labels, **quick)
    chain = gibbous.Chain(gibbous.Plan(gibbous.Corpus.from_documents(texts, label=labels), **quick))
    list(chain.step(1))
    return {
        "gibbous": gibbous,
        "np": np,
        "texts": texts,
        "labels": labels,
        "quick": quick,
        "model": model,
        "chain": chain,
    }


def public_functions() -> list[tuple[str, Any]]:
    """The functions and methods of the API."""
    found: list[tuple[str, Any]] = []
    for name in gibbous.__all__:
        of = getattr(gibbous, name)
        if inspect.isfunction(of):
            found.append((name, of))
        if inspect.isclass(of) and not issubclass(of, BaseException):
            members = [(m, getattr(f, "__func__", f)) for m, f in vars(of).items() if m[0] != "_"]
            found += [(f"{name}.{m}", f) for m, f in members if inspect.isfunction(f)]
    return found


@pytest.mark.parametrize(("name", "function"), public_functions(), ids=lambda x: str(x)[:40])
def test_docstrings_say_what_to_give_and_show_it(name: str, function: Any) -> None:
    doc = inspect.getdoc(function) or ""
    takes = [p for p in inspect.signature(inspect.unwrap(function)).parameters if p != "self"]
    is_short = len(doc.splitlines()) < 4 and (":func:" in doc or ":meth:" in doc)  # is told there
    assert doc, name
    assert "Examples" in doc or is_short, name
    assert "Parameters" in doc or is_short or not set(takes) - {"cls"}, name


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
@pytest.mark.filterwarnings("default")
def test_examples_print_what_they_should(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("sklearn", "pandas", "polars", "networkx"):
        if package in page.read_text():
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(examples(page), out=found.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(found)
