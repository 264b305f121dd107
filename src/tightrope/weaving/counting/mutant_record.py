"""The file in which a program records which test fails on which mutant; weaving/counting/mutants.c writes it.

plan | facts about each test | tests to try first, one for each mutant | reached and verdicts: a row for each test

Row 0 is the whole program; tests and mutants are numbered from 1.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from os import SEEK_CUR
from pathlib import Path

MUTANTS_VARIABLE = "TIGHTROPE_MUTANTS"  # of the environment: where the file is
_PLAN = struct.Struct("<5Q")  # tests, mutants, killers, milliseconds, whether tests are numbered
_TEST = struct.Struct("<5Q")  # verdict without a mutant, microseconds, steps, whether it and a mutant leave an array
_EXPECTED = struct.Struct("<I")


class MutantVerdict(IntEnum):
    """What a test says about a mutant."""

    NOT_RUN = 0
    PASSED = 1
    FAILED = 2
    CRASHED = 3
    TIMED_OUT = 4
    LEFT_ARRAY = 5  # it fails because indices are checked

    @property
    def is_kill(self) -> bool:
        return self > MutantVerdict.PASSED


@dataclass(frozen=True, slots=True)
class MutantPlan:
    """What a program is to do."""

    tests: int
    mutants: int
    killers: int = 1  # how many tests that kill a mutant are wanted
    seconds: float = 60.0  # for everything
    is_numbered: bool = False  # the program takes the number of a test as its argument
    expected: Mapping[int, int] = field(default_factory=dict)  # mutant -> the test that will probably kill it


@dataclass(frozen=True, slots=True)
class MutantRecord:
    """What became of it, by number of the test and of the mutant."""

    originals: tuple[MutantVerdict, ...]  # by test: without a mutant
    reached: tuple[bytes, ...]  # by test and mutant
    verdicts: tuple[bytes, ...]

    def killed_by(self, test: int) -> tuple[int, ...]:
        """The mutants that a test kills."""
        return tuple(number for number, verdict in enumerate(self.verdicts[test]) if verdict > MutantVerdict.PASSED)

    def left_by(self, test: int) -> tuple[int, ...]:
        """Those of which only the check of indices says so."""
        return tuple(
            number for number, verdict in enumerate(self.verdicts[test]) if verdict == MutantVerdict.LEFT_ARRAY
        )

    def passed_by(self, mutant: int) -> tuple[int, ...]:
        """The tests that reach a mutant and pass."""
        return tuple(test for test, row in enumerate(self.verdicts) if row[mutant] == MutantVerdict.PASSED)

    def is_finished(self, mutant: int) -> bool:
        """True if every test that could judge it has: no time ran out. The whole program counts if there is no test."""
        rows = list(zip(self.originals, self.reached, self.verdicts, strict=True))
        judges = (row for row in rows[1:] or rows if row[0] is MutantVerdict.PASSED and row[1][mutant])
        return all(verdicts[mutant] for _, _, verdicts in judges)

    def is_reached(self, mutant: int) -> bool:
        """True if some test reaches it, even one that cannot judge it."""
        return any(row[mutant] for row in self.reached)


def create_mutant_record(file: Path, plan: MutantPlan) -> None:
    head = _PLAN.pack(plan.tests, plan.mutants, plan.killers, int(plan.seconds * 1000), plan.is_numbered)
    with file.open("wb") as stream:
        stream.write(head)
        stream.seek(_TEST.size * (plan.tests + 1), SEEK_CUR)
        stream.write(b"".join(_EXPECTED.pack(plan.expected.get(mutant, 0)) for mutant in range(plan.mutants + 1)))
        stream.truncate(_rows_at(plan) + 2 * (plan.tests + 1) * (plan.mutants + 1))


def read_mutant_record(file: Path, plan: MutantPlan) -> MutantRecord:
    content = file.read_bytes()
    facts = [_TEST.unpack_from(content, _PLAN.size + _TEST.size * test) for test in range(plan.tests + 1)]
    starts = range(_rows_at(plan), len(content), plan.mutants + 1)
    rows = [content[start : start + plan.mutants + 1] for start in starts]
    return MutantRecord(
        tuple(MutantVerdict(verdict) for verdict, *_ in facts),
        tuple(rows[: plan.tests + 1]),
        tuple(rows[plan.tests + 1 :]),
    )


def _rows_at(plan: MutantPlan) -> int:
    return _PLAN.size + _TEST.size * (plan.tests + 1) + _EXPECTED.size * (plan.mutants + 1)
