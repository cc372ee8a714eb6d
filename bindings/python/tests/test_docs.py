"""The examples of the documentation do what the documentation says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DOCS = Path(__file__).parents[3] / "docs" / "python"
PAGES = sorted(page for page in DOCS.glob("*.md") if BLOCK.search(page.read_text()))


def examples(page: Path) -> doctest.DocTest:
    """The blocks of a page as one session."""
    source = "\n".join(block.group(1) for block in BLOCK.finditer(page.read_text()))
    return doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
@pytest.mark.filterwarnings("default")
def test_examples_print_what_they_should(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sklearn" in page.read_text():
        pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    found: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(examples(page), out=found.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(found)
