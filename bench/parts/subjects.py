"""The programs of E1 and E4, and whole programs, written for this project: where they are, what is called, how large
their inputs are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bench.parts.explore_unit import Ready, prepare

PROGRAMS = Path(__file__).resolve().parents[2] / "experiments" / "programs"


@dataclass(frozen=True, slots=True)
class Subject:
    """A function of a program at one size. Its callees count too, as in the papers: `--whole-program`."""

    name: str
    file: str  # below programs
    function: str
    stands_for: str  # in the paper
    flags: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return PROGRAMS / self.file

    @property
    def lines(self) -> int:
        return len(self.path.read_text(encoding="utf-8").splitlines())

    def prepare(self, criterion: str, path: Path | None = None, **further: Any) -> Ready:
        """`path`: another text of the same program. `further`: fields of Options."""
        given = {"flags": self.flags, "whole_program": True, **further}
        return prepare(path or self.path, self.function, (criterion,), **given)


def _sizes(stem: str, function: str, stands_for: str, *lengths: int) -> tuple[Subject, ...]:
    return tuple(
        Subject(f"{stem}-{each}", f"labels/{stem}.c", function, f"{stands_for} {each}", (f"-DLENGTH={each}",))
        for each in lengths
    )


def _steps(stem: str, function: str, stands_for: str, steps: int) -> Subject:
    return Subject(stem, f"reactive/{stem}.c", function, stands_for, (f"-DSTEPS={steps}",))


COLLISION = Subject("collision", "labels/collision.c", "resolve", "tcas")
LABELS = (  # paper 002, Table I
    Subject("triangle", "labels/triangle.c", "classify", "trityp"),
    Subject("balls", "labels/balls.c", "odd_ball", "4balls"),
    *_sizes("utf8", "check", "utf8", 3, 5, 7),
    COLLISION,
    Subject("replacer", "labels/replacer.c", "replace_all", "replace"),
    Subject("escaper", "labels/escaper.c", "escape_uri", "full_bad"),
    *_sizes("tags", "read_tag", "get_tag", 5, 6),
    *_sizes("drawing", "draw_text", "gd", 5, 6),
)
REACTIVE = (  # paper 000, Section V
    COLLISION,
    _steps("brakes", "run_brakes", "WBS", 3),
    _steps("altitude", "run_switch", "ASW", 4),
    _steps("guidance", "run_guidance", "FGS", 4),
    _steps("heap", "run_heap", "FibHeap", 6),
    _steps("tree", "run_tree", "TreeMap", 3),
)
WHOLE = (  # of the kind of the Siemens suite
    Subject("tokens", "whole/tokens.c", "main", "print_tokens"),
    Subject("jobs", "whole/jobs.c", "main", "schedule"),
    Subject("change", "whole/change.c", "main", "replace"),
    Subject("tables", "whole/tables.c", "main", "tot_info"),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="such as triangle, 'utf8-*'")


def choose(subjects: Sequence[Subject], only: Sequence[str]) -> list[Subject]:
    return [each for each in subjects if not only or any(fnmatch(each.name, pattern) for pattern in only)]
