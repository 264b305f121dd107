"""The programs of this project (examples, E1, E4), to be decided by each engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from bench.encoding.rows import Question
from bench.parts.subjects import LABELS, REACTIVE
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.units.select_functions import choose

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CRITERIA = ("branch", "mcdc", "wm")


def questions(time_limit: float, only: Sequence[str]) -> list[Question]:
    everything = [*_examples(time_limit), *_subjects(time_limit)]
    return [each for each in everything if not only or any(fnmatch(each.name, f"*{pattern}*") for pattern in only)]


def _examples(time_limit: float) -> Iterator[Question]:
    """Every function of every file."""
    for file in sorted(EXAMPLES.glob("*.c")):
        for _, function in choose(Options((Target(file),), criteria=("branch",))).functions():
            for criterion in CRITERIA:
                name = f"{file.name}:{function}"
                yield Question(name, criterion, file, function, time_limit)


def _subjects(time_limit: float) -> Iterator[Question]:
    """With their callees, as the experiments have them."""
    for each in dict.fromkeys((*LABELS, *REACTIVE)):
        for criterion in CRITERIA:
            yield Question(
                each.name, criterion, each.path, each.function, time_limit,
                flags=each.flags, whole_program=True,
            )  # fmt: skip
