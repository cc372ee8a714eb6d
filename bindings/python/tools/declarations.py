#!/usr/bin/env python3
"""Make src/gibbous/_declarations.py from the public C header.

    tools/declarations.py            write the file
    tools/declarations.py --check    say whether the file is up to date

The C preprocessor ($CC, else cc) does the work; the headers of the C library are left empty, since
cffi knows their types.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
HEADERS = PACKAGE.parents[1] / "include"
TARGET = PACKAGE / "src" / "gibbous" / "_declarations.py"

BEGIN = '''"""Declarations of the public header, made by tools/declarations.py; do not edit."""

DECLARATIONS = """\\
'''
END = '''"""
'''


def preprocessed(headers: Path) -> str:
    """The declarations of the public header without comments, macros and system headers."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stdbool.h", "stddef.h", "stdint.h", "stdio.h"):
            (Path(folder) / name).touch()
        flags = ["-E", "-P", "-undef", "-nostdinc", f"-I{folder}", f"-I{headers}"]
        source = headers / "gibbous" / "gibbous.h"
        run = subprocess.run(
            [*compiler, *flags, "-x", "c", source], capture_output=True, text=True, check=True
        )
    return run.stdout


def numbers(headers: Path) -> str:
    """Macros that are whole numbers, as cffi reads them."""
    found = []
    limits = {"UINT32_MAX": 2**32 - 1, "UINT64_MAX": 2**64 - 1}
    for path in sorted((headers / "gibbous").glob("*.h")):
        for name, value in re.findall(r"^#define (GB_[A-Z_0-9]+) (\w+)$", path.read_text(), re.M):
            if value.isdigit() or value in limits:
                found.append(f"#define {name} {limits.get(value, value)}\n")
    return "".join(found)


def declarations(headers: Path) -> str:
    """All declarations, one to a line."""
    text = re.sub(r"\s+", " ", preprocessed(headers))
    text = re.sub(r"; (?=(typedef|enum|struct|[a-z_0-9 ]+\**\s?gb_\w+\())", ";\n", text)
    text = re.sub(
        r" ?([(){};,*]) ?",
        lambda found: found.group(1) if found.group(1) in "()" else found.group(0),
        text,
    )
    return numbers(headers) + text.strip() + "\n"


def main() -> int:
    wanted = BEGIN + declarations(HEADERS).replace("\\", "\\\\") + END
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() == wanted:
            return 0
        print(f"{TARGET} is not that of the header: run {Path(__file__).name}", file=sys.stderr)
        return 1
    TARGET.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
