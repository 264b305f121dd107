"""The lists: which functions, and why each."""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class FunctionList:
    """A list, and how its functions are measured."""

    file: Path
    criteria: str
    decided: float  # the aim: percent of objectives covered or infeasible
    builds_with_sanitizers: bool = False


LISTS = {
    "functions": FunctionList(HERE / "functions.toml", "branch", 85.0),
    "embedded": FunctionList(HERE / "embedded.toml", "branch,mcdc", 97.0, builds_with_sanitizers=True),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list."""

    package: str
    file: Path
    function: str
    why: str

    @property
    def name(self) -> str:
        return f"{self.package}/{self.file}:{self.function}"

    def fits(self, patterns: Sequence[str]) -> bool:
        """True without patterns; a pattern may stand for any part of the name."""
        return not patterns or any(fnmatch.fnmatch(self.name, f"*{pattern}*") for pattern in patterns)


def read_list(file: Path = LISTS["functions"].file) -> list[Listed]:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Listed(package, source, row["function"], row["why"])
        for package, files in tables.items()
        for source, rows in files.items()
        for row in rows
    ]
