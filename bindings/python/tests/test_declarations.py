"""_declarations.py says what the public header says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "declarations.py"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_declarations_are_those_of_the_header() -> None:
    run = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
