"""The examples of the documentation do what the documentation says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

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
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


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
