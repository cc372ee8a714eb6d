"""The worked examples of the documentation run, on documents that they make up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).resolve().parents[3] / "docs" / "python" / "gallery"


LONG = {"plot_2_ratings.py", "plot_4_trust.py"}


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted(path.name for path in GALLERY.glob("plot_*.py")))
def test_worked_examples_run(script: str, tmp_path: Path) -> None:
    if script in LONG and "GIBBOUS_LONG_TESTS" not in os.environ:
        pytest.skip("it takes half a minute of a processor: with GIBBOUS_LONG_TESTS=1 only")
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    environment = {**os.environ, "MPLBACKEND": "Agg", "GIBBOUS_DATA": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, GALLERY / script],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
