"""functions.toml: which functions, and why each."""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).parent / "functions.toml"


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list."""

    package: str
    file: str
    function: str
    why: str

    @property
    def name(self) -> str:
        return f"{self.package}/{self.file}:{self.function}"

    def fits(self, patterns: Sequence[str]) -> bool:
        """True without patterns; a pattern may stand for any part of the name."""
        return not patterns or any(fnmatch.fnmatch(self.name, f"*{pattern}*") for pattern in patterns)


def read_list(file: Path = LIST) -> list[Listed]:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        Listed(package, source, row["function"], row["why"])
        for package, files in tables.items()
        for source, rows in files.items()
        for row in rows
    ]
