#!/usr/bin/env python3
"""Make _declarations.py from the public C header; _verbs.py and _option_types.py from the options.

Of the same options bindings/r/R/option_tables.R is made, for the R package.

    tools/declarations.py            write the files
    tools/declarations.py --check    say whether the files are up to date

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
OPTIONS = PACKAGE.parents[1] / "src" / "options" / "options.def"
VERBS = PACKAGE.parents[1] / "cli" / "verbs.h"
VERBS_TARGET = PACKAGE / "src" / "gibbous" / "_verbs.py"

BEGIN = '''"""Declarations of the public header, made by tools/declarations.py; do not edit."""

DECLARATIONS = """\\
'''
END = '''"""
'''
R_TARGET = PACKAGE.parent / "r" / "R" / "option_tables.R"
TYPES_TARGET = PACKAGE / "src" / "gibbous" / "_option_types.py"

TYPES_BEGIN = '''"""Options as type checkers see them, by tools/declarations.py; do not edit."""

# ruff: noqa: E501, D101
from __future__ import annotations

from typing import Any, Literal, TypedDict

'''

#: The calls, and the verbs of the command whose options they take.
CALLS = {
    "ReadOptions": ("import",),
    "TrainOptions": ("train",),
    "EvaluateOptions": ("evaluate",),
    "SelectOptions": ("select",),
    "PredictOptions": ("predict",),
    "InferOptions": ("infer",),
    "ExplainOptions": ("explain",),
    "EstimateOptions": ("effects",),
}

#: Options that a call has as arguments of its own.
OWN = {"TrainOptions": {"init-from"}, "ExplainOptions": {"of", "without"}}

#: Arguments of documents in memory that are no options.
IN_MEMORY = (
    "text",
    "id",
    "label",
    "labels",
    "target",
    "covariates",
    "exposure",
    "document_weight",
    "group",
    "cluster",
    "vocabulary",
    "embeddings",
)

VERBS_BEGIN = '''"""Verbs that take each option, made by tools/declarations.py; do not edit."""

# ruff: noqa: E501
VERBS_OF = {
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


def rows() -> list[tuple[str, str, str, str, set[str]]]:
    """Name, kind, default and choices of each option, and the verbs that take it."""
    bits: dict[str, int] = {}
    text = re.sub(r"/\*.*?\*/", "", VERBS.read_text(), flags=re.S)
    for name, value in re.findall(r"(CLI_\w+)\s*=\s*([^,}]+)", text):
        # Our own header: numbers and names that came before.
        bits[name] = eval(" ".join(value.split()), {"__builtins__": {}}, dict(bits))
    single = [name for name, bit in bits.items() if bit & (bit - 1) == 0]
    found = []
    for row in re.findall(r"^GB_OPTION\((.*)\)$", OPTIONS.read_text(), re.M):
        name = re.match(r'"([^"]*)"', row)
        column = re.search(r'", (CLI_[^"]*), "', row)
        assert name, row
        assert column, row
        accepted = re.sub(r" \| CLI_(WRITES\([^)]*\)|COMMON)", "", column.group(1))
        mask = eval(accepted, {"__builtins__": {}}, dict(bits))
        of = [verb.removeprefix("CLI_").lower() for verb in single if mask & bits[verb]]
        kind, default, low = re.match(
            r'"[^"]*", [^,]*, (\w+), "((?:[^"\\\\]|\\\\.)*)", ([^,]*),', row
        ).groups()
        found.append((name.group(1), kind, default, low.strip('"'), of))
    return found


def verbs() -> str:
    """Which verbs of the command take each option."""
    lines = [f'    "{name}": "{" ".join(of)}",\n' for name, _, _, _, of in rows()]
    return VERBS_BEGIN + "".join(lines) + "}\n"


def type_of(kind: str, default: str, choices: str) -> str:
    """The type of an option's value; Any where texts, lists and mappings are taken."""
    if kind in ("INT", "REAL"):
        number = "int" if kind == "INT" else "float"
        return f'{number} | Literal["auto"] | None' if default == "auto" else f"{number} | None"
    if kind in ("FLAG", "SWITCH"):
        return "bool | None"
    if kind == "CHOICE" and "|" in choices:
        return f"Literal[{', '.join(repr(c) for c in choices.split('|'))}] | None".replace("'", '"')
    return "Any"


def options_of(call: str) -> dict[str, str]:
    """The options of a call, and their types."""
    known = dict.fromkeys(IN_MEMORY, "Any")
    for name, kind, default, choices, of in rows():
        if name in OWN.get(call, ()) or name in command_only():  # an argument of its own
            continue
        if set(of) & set(CALLS[call]):
            type = "Any" if call == "SelectOptions" else type_of(kind, default, choices)
            known.setdefault(name.replace("-", "_"), type)
    return known


def option_types() -> str:
    """A mapping of names to types for each call; what the same calls take is told once."""
    takers: dict[tuple[str, str], list[str]] = {}
    for call in CALLS:
        for option in options_of(call).items():
            takers.setdefault(option, []).append(call)
    shared: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for option, calls in takers.items():
        shared.setdefault(tuple(calls), []).append(option)
    text, bases, own = TYPES_BEGIN, dict.fromkeys(CALLS, ""), dict.fromkeys(CALLS, "")
    for i, (calls, options) in enumerate(shared.items(), 1):
        members = "".join(f"    {name}: {type}\n" for name, type in options)
        if len(calls) > 1 and len(options) > 1:
            text += f"\nclass _Shared{i}(TypedDict, total=False):\n{members}\n"
        for call in calls:
            if len(calls) > 1 and len(options) > 1:
                bases[call] += f"_Shared{i}, "
            else:
                own[call] += members
    for call in CALLS:
        members = own[call] or "    pass\n"
        text += f"\nclass {call}({bases[call] or 'TypedDict, '}total=False):\n{members}\n"
    return text.rstrip("\n") + "\n"


def command_only() -> set[str]:
    """Options of the command alone, as options.py lists them."""
    source = (PACKAGE / "src" / "gibbous" / "options.py").read_text()
    return set(
        re.findall(r'"([^"]+)"', source.split("_COMMAND_ONLY = frozenset(")[1].split(")")[0])
    )


def for_r() -> str:
    """Verbs that take each option, and what other packages call an option, for R."""
    left_out = command_only()
    source = (PACKAGE / "src" / "gibbous" / "options.py").read_text()
    elsewhere = source.split("_ELSEWHERE = {")[1].split("\n}")[0]
    verbs_of = [
        f'    "{name}" = "{" ".join(of)}"' for name, _, _, _, of in rows() if name not in left_out
    ]
    other = [f'    "{a}" = "{b}"' for a, b in re.findall(r'"([^"]+)": "([^"]+)"', elsewhere)]
    return (
        "# Made by bindings/python/tools/declarations.py; do not edit.\n\n"
        "# Verbs of the command that take each option.\n"
        "verbs_of <- c(\n" + ",\n".join(verbs_of) + "\n)\n\n"
        "# What other packages call an option, and what it is called here.\n"
        "elsewhere <- c(\n" + ",\n".join(other) + "\n)\n"
    )


def main() -> int:
    wanted = {
        TARGET: BEGIN + declarations(HEADERS).replace("\\", "\\\\") + END,
        VERBS_TARGET: verbs(),
        TYPES_TARGET: option_types(),
        R_TARGET: for_r(),
    }
    if sys.argv[1:] == ["--check"]:
        stale = [p for p, text in wanted.items() if not p.exists() or p.read_text() != text]
        for path in stale:
            print(f"{path} is out of date: run {Path(__file__).name}", file=sys.stderr)
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
