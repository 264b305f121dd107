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


@cache
def imports_of(module: str, *, with_types: bool = True) -> frozenset[str]:
    """Everything a module imports, wherever in its text: late imports too, and those for types if asked.

    `from tightrope.program.ir import model` is an import of the module tightrope.program.ir.model, and so is
    `from tightrope.program.ir.model import Program`.
    """
    found: set[str] = set()
    for node in _walk(ast.parse(modules()[module].read_text(encoding="utf-8")), with_types):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules() else str(node.module) for name in whole}
    return frozenset(found)


def _walk(node: ast.AST, with_types: bool) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        is_for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if with_types or not is_for_types:
            yield from _walk(child, with_types)


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
