"""The page about a model, from Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import gibbous
from gibbous.report import command_path

pd = pytest.importorskip("pandas")

TEXTS = ["the goal of the match", "court and judge", "match goal goal", "judge trial court law"]
LABELS = ["sport", "law", "sport", "law"]


@pytest.fixture(scope="module")
def frame() -> Any:
    return pd.DataFrame({"text": TEXTS * 30, "label": LABELS * 30})


@pytest.fixture(scope="module")
def model(frame: Any) -> gibbous.Model:
    return gibbous.train(
        frame, label="label", topics=3, sweeps=30, seed=1, stopwords="en", response="logistic"
    )


@pytest.fixture
def program(command: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The command, if it has the page in it."""
    monkeypatch.setenv("GIBBOUS_COMMAND", str(command))
    return command


def page_of(model: gibbous.Model, path: Path, *arguments: Any, **options: Any) -> Any:
    try:
        made = model.report(path, *arguments, **options)
    except gibbous.GibbousError as error:
        if "built without the page" in str(error):
            pytest.skip(str(error))
        raise
    assert made == path
    found = re.search(r'type="application/json" id="data">(.*?)</script>', path.read_text(), re.S)
    assert found is not None
    return json.loads(found.group(1))


def scores_of(page: Any, column: str) -> dict[str, float]:
    """Numbers of a column by the names of the scores."""
    table = page["tables"]["evaluation"]
    cells = dict(zip((c["name"] for c in table["columns"]), table["cells"], strict=True))
    levels, codes = cells["score"]["levels"], cells["score"]["codes"]
    return {levels[code]: number for code, number in zip(codes, cells[column], strict=True)}


def test_the_page_is_that_of_the_command(
    model: gibbous.Model, frame: Any, program: Path, tmp_path: Path
) -> None:
    page_of(model, tmp_path / "python.html", name="m.gibbous")
    model.write(tmp_path / "m.gibbous")
    arguments = ["report", "-m", "m.gibbous", "-o", "command.html", "-q"]
    subprocess.run([program, *arguments], cwd=tmp_path, check=True)
    pages = [(tmp_path / f"{who}.html").read_bytes() for who in ("python", "command")]
    assert pages[0] == pages[1]


def test_documents_in_memory_are_those_of_a_file(
    model: gibbous.Model, program: Path, tmp_path: Path
) -> None:
    new = pd.DataFrame({"text": ["a match of chess", "court the law"], "label": ["sport", "law"]})
    new.to_csv(tmp_path / "new.csv", index=False)
    in_memory = page_of(model, tmp_path / "a.html", new, infer_sweeps=30, seed=3)
    of_file = page_of(model, tmp_path / "b.html", tmp_path / "new.csv", infer_sweeps=30, seed=3)
    assert [d["unknown"] for d in in_memory["documents"]["docs"]] == [1, 0]  # chess
    assert in_memory["documents"]["docs"] == of_file["documents"]["docs"]
    assert in_memory["tables"] == of_file["tables"]
    assert scores_of(in_memory, "value")["n"] == 2


def test_a_linear_model_stands_beside_it(
    model: gibbous.Model, frame: Any, program: Path, tmp_path: Path
) -> None:
    data = page_of(model, tmp_path / "r.html", frame[:8], baseline_on=frame)
    assert scores_of(data, "linear")["accuracy"] == 1.0


def test_errors_are_those_of_the_library(
    model: gibbous.Model, program: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there.html"
    there.write_text("kept")
    with pytest.raises(gibbous.ArgumentError, match="exists already"):
        model.report(there, force=False)
    assert there.read_text() == "kept"
    with pytest.raises(gibbous.UnknownOptionError, match="did you mean infer_sweeps"):
        model.report(tmp_path / "r.html", infer_sweps=3)
    with pytest.raises(gibbous.FormatError, match=r"none\.csv"):
        page_of(model, tmp_path / "r.html", tmp_path / "none.csv")
    with pytest.raises(gibbous.ArgumentError, match="without folders"):
        model.report(tmp_path / "r.html", name="a/b")


def test_a_command_that_is_not_there_or_of_another_version_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "gibbous"
    other.write_text("#!/bin/sh\necho gibbous 0.0.1\n")
    other.chmod(0o755)
    monkeypatch.setenv("GIBBOUS_COMMAND", os.fspath(other))
    with pytest.raises(gibbous.GibbousError, match=r"is gibbous 0\.0\.1, but the library"):
        command_path()
