"""The changes of E5 (changes.toml): two versions of a program, prepared, and which objectives the change may affect."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.parts.explore_unit import Ready
from bench.parts.subjects import LABELS, REACTIVE, Subject

from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import Impacted

CHANGES = Path(__file__).resolve().parent / "changes.toml"
SUBJECTS = {each.name: each for each in (*LABELS, *REACTIVE)}


@dataclass(frozen=True, slots=True)
class SeededChange:
    """A row of changes.toml: `old` stands once in the program, and `new` in its place in the other version."""

    name: str
    program: str
    kind: str
    old: str
    new: str
    witness: str  # a function body; what it returns is another number in the other version

    @property
    def subject(self) -> Subject:
        return SUBJECTS[self.program]

    @property
    def texts(self) -> tuple[str, str]:
        """The whole file in both versions."""
        text = self.subject.path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: what it replaces is {text.count(self.old)} times in {self.subject.file}")
        return text, text.replace(self.old, self.new)

    @contextmanager
    def written(self) -> Iterator[tuple[Path, Path]]:
        """Both versions as files of the same name."""
        with TemporaryDirectory() as folder:
            files = [Path(folder, version, self.subject.path.name) for version in ("old", "new")]
            for file, text in zip(files, self.texts, strict=True):
                file.parent.mkdir()
                file.write_text(text, encoding="utf-8")
            yield files[0], files[1]


def read_changes(file: Path = CHANGES) -> tuple[SeededChange, ...]:
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["change"]
    return tuple(SeededChange(**row) for row in rows)


def impact_of(old: Ready, new: Ready) -> Impacted:
    """Of everything in the file: all its functions count, as in the papers."""
    files = old.unit.file, new.unit.file
    changes = find_changes(*files, *(file.functions for file in files))
    return find_impact(old.unit, new.unit, changes)
