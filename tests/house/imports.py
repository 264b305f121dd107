"""The imports of src/tightrope, read from its text: nothing is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "tightrope"


def module_name(file: Path) -> str:
    """src/tightrope/search/__init__.py -> tightrope.search"""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@lru_cache(maxsize=1)
def modules() -> dict[str, Path]:
    return {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def imports_of(module: str, *, with_types: bool = True) -> frozenset[str]:
    """Everything a module imports, wherever in its text: late imports too, and those for types if asked.

    `from tightrope.program.ir import model` is an import of the module tightrope.program.ir.model, and so is
    `from tightrope.program.ir.model import Program`.
    """
    executed, for_types = _read_imports(module)
    return executed | for_types if with_types else executed


@cache
def _read_imports(module: str) -> tuple[frozenset[str], frozenset[str]]:
    """Those that are executed, and those for types alone."""
    found: tuple[set[str], set[str]] = (set(), set())
    for node, is_for_types in _statements(ast.parse(modules()[module].read_text(encoding="utf-8")), False):
        if isinstance(node, ast.Import):
            found[is_for_types].update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found[is_for_types].update(name if name in modules() else str(node.module) for name in whole)
    return frozenset(found[False]), frozenset(found[True])


def _statements(node: ast.AST, is_for_types: bool) -> Iterator[tuple[ast.AST, bool]]:
    """All statements below a node, and whether they are for types alone. An expression holds no import."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            is_guard = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield child, is_for_types or is_guard
            yield from _statements(child, is_for_types or is_guard)


def own_imports(module: str, *, with_types: bool = True) -> list[str]:
    """The modules of ours that it imports."""
    return sorted(name for name in imports_of(module, with_types=with_types) if name in modules() and name != module)


def room(module: str) -> str:
    """tightrope.search.strategies.bfs -> search; tightrope.program.ir.model -> program.ir; tightrope.cli -> cli"""
    file = modules()[module]
    folders = file.parent.relative_to(PACKAGE).parts
    if not folders:
        return "tightrope" if file.name == "__init__.py" else file.stem
    return ".".join(folders) if folders[0] in ("program", "commands") else folders[0]
