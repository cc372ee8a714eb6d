"""The worked examples of the documentation run, on documents that they make up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).resolve().parents[3] / "docs" / "python" / "gallery"


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted(path.name for path in GALLERY.glob("plot_*.py")))
def test_worked_examples_run(script: str, tmp_path: Path) -> None:
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
