"""Modules of the package import each other at their top, and without circles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
SOURCE = PACKAGE / "src"
PROJECT = (PACKAGE / "pyproject.toml").read_text()
OPTIONAL = {
    {"scikit-learn": "sklearn"}.get(name, name)
    for name in re.findall(
        r'"([a-z0-9-]+)[>=0-9.]*"',
        PROJECT.partition("[project.optional-dependencies]")[2].partition("\n[")[0],
    )
}


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in SOURCE.rglob("*.py")}


def imports(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Those that run when the statements do; `if TYPE_CHECKING` does not run."""
    for statement in body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield statement
        elif not (isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test)):
            for part in ("body", "orelse", "finalbody", "handlers"):
                yield from imports(getattr(statement, part, []))


def targets(module: str, found: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules that an import names: of `from package import module` that module."""
    if isinstance(found, ast.Import):
        return {alias.name for alias in found.names}
    base = found.module or ""
    if found.level > 0:
        is_package = MODULES[module].name == "__init__.py"
        parts = module.split(".")
        parts = parts[: len(parts) - found.level + is_package]
        base = ".".join([*parts, base] if base else parts)
    inside = {f"{base}.{alias.name}" for alias in found.names}
    return inside if inside <= set(MODULES) else {base, *(inside & set(MODULES))}


def split(module: str) -> tuple[set[str], set[str]]:
    """What a module imports at its top, and what in its functions."""
    tree = ast.parse(MODULES[module].read_text())
    functions = [
        node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    inner = {
        target for f in functions for found in imports(f.body) for target in targets(module, found)
    }
    outer = {
        target
        for found in imports(tree.body)
        if not any(found in ast.walk(f) for f in functions)
        for target in targets(module, found)
    }
    return outer, inner


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {module: split(module)[0] & set(MODULES) for module in MODULES}
    for module in MODULES:
        # Importing a module runs its packages first; that of `gibbous` itself imports all.
        package = module.rpartition(".")[0]
        if package not in ("", "gibbous"):
            for other in MODULES:
                if module in graph[other] and not f"{other}.".startswith(f"{package}."):
                    graph[other].add(package)
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


@pytest.mark.parametrize("module", sorted(MODULES))
def test_functions_import_optional_packages_only(module: str) -> None:
    assert {name.split(".")[0] for name in split(module)[1]} <= OPTIONAL
