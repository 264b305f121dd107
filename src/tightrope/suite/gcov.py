"""A second opinion: gcc counts the branches that the written tests take, and its counts must equal ours.

The two compilers do not make the same branches everywhere, even at -O0: gcc has one for `b` in `x = a && b` and for
`c ? 1 : 2`, clang has none; gcc may fold a range check into one comparison. Lines where the two compilers make a
different number of branches are listed as such; on all others the counts must be the same numbers.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightrope.program.model import Block, Function, Instruction, Value
from tightrope.program.points import Points, side_target, sides
from tightrope.suite.native import DEFAULT_LIMITS, Limits, run_program


@dataclass(frozen=True, slots=True)
class LineCounts:
    """How often each way of each branch of one line was taken."""

    line: int
    counts: tuple[int, ...]  # sorted
    is_exact: bool = True  # False: we know that gcc makes other branches here


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the comparison showed; sentences are for people."""

    judge: str
    equal_lines: tuple[int, ...] = ()
    disagreements: tuple[str, ...] = ()
    counted_differently: tuple[str, ...] = ()
    problem: str = ""  # why there is no judgement


@dataclass(frozen=True, slots=True)
class Gcov:
    """The commands of a gcc and of its gcov, and the version to name."""

    gcc: str
    gcov: str
    version: str

    @property
    def name(self) -> str:
        return f"gcov {self.version}"


@dataclass(frozen=True, slots=True)
class Job:
    """What gcc must be told to build the test file as the unit is built."""

    text: str  # of the plain C test file
    folder: Path  # where it will be written: its paths start there
    working_directory: Path  # where relative paths in flags and debug information start
    flags: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS


def judge_with_gcov(tool: Gcov, job: Job, function: Function, points: Points, hits: Sequence[int]) -> Judgement:
    """Build the test file with `gcc --coverage`, run it and compare branch counts with ours.

    `hits` holds our count of each point, summed over the tests that returned.
    """
    with tempfile.TemporaryDirectory(prefix="tightrope-gcov-") as name:
        try:
            found = _measure(Path(name), tool, job)
        except _GcovProblem as problem:
            return Judgement(tool.name, problem=str(problem))
    theirs = read_gcov(found, function, job.working_directory)
    return compare(tool.name, our_counts(function, points, hits), theirs)


class _GcovProblem(Exception):
    """No judgement is possible, for the reason in the message."""


def _measure(place: Path, tool: Gcov, job: Job) -> Mapping[str, Any]:
    """Build, run, ask. The object's own path decides where gcc's notes and counts go."""
    source, object_file, program = place / "tests.c", place / "tests.o", place / "tests"
    source.write_text(job.text, encoding="utf-8")
    options: tuple[str | Path, ...] = (
        tool.gcc,
        "--coverage",
        "-O0",
        "-fwrapv",
        "-w",
        f"-I{job.folder.resolve()}",
        *job.flags,
    )
    roomy = Limits(job.limits.seconds, 1 << 34, 1 << 28)
    for words in ((*options, "-c", source, "-o", object_file), (*options, object_file, "-lm", "-o", program)):
        if run_program(words, job.working_directory, roomy).status:
            raise _GcovProblem(f"gcc {tool.version} does not build the written tests")
    ended = run_program((program,), place, job.limits)
    if ended.was_stopped or ended.status not in (0, 1):
        raise _GcovProblem(f"the tests built by gcc {tool.version} did not come to their end")
    words = (tool.gcov, "--json-format", "--stdout", "--branch-probabilities", "--branch-counts", "tests.gcda")
    try:
        found: Mapping[str, Any] = json.loads(run_program(words, place, roomy).output)
    except json.JSONDecodeError:
        raise _GcovProblem(f"{tool.name} gave no counts") from None
    return found


def read_gcov(values: Mapping[str, Any], function: Function, working_directory: Path) -> dict[int, LineCounts]:
    """gcov's counts for the lines of the function."""
    wanted = (working_directory / function.location.file).resolve() if function.location else None
    start = Path(values.get("current_working_directory", working_directory))
    name = function.name.removeprefix("@").strip('"')
    found: dict[int, list[int]] = {}
    for file in values["files"]:
        if wanted is not None and (start / file["file"]).resolve() != wanted:
            continue
        for line in file["lines"]:
            if line.get("function_name", name) == name and line["branches"]:
                found.setdefault(line["line_number"], []).extend(each["count"] for each in line["branches"])
    return {line: LineCounts(line, tuple(sorted(counts))) for line, counts in found.items()}


def compare(judge: str, ours: Mapping[int, LineCounts], theirs: Mapping[int, LineCounts]) -> Judgement:
    """Line by line. Equal numbers of branches must have equal counts."""
    equal, disagreements, differently = [], [], []
    for line in sorted({*ours, *theirs}):
        mine, other = ours.get(line, LineCounts(line, ())), theirs.get(line, LineCounts(line, ()))
        if mine.counts == other.counts:
            equal.append(line)
        elif len(mine.counts) != len(other.counts) or not mine.is_exact:
            differently.append(f"line {line}: {len(other.counts)} ways out by gcc, {len(mine.counts)} by clang")
        else:
            disagreements.append(f"line {line}: gcc counts {_show(other.counts)}, Tightrope {_show(mine.counts)}")
    return Judgement(judge, tuple(equal), tuple(disagreements), tuple(differently))


def _show(counts: Iterable[int]) -> str:
    return ", ".join(map(str, counts))


def our_counts(function: Function, points: Points, hits: Sequence[int]) -> dict[int, LineCounts]:
    """Our counts by source line, with branches as gcc makes them."""
    return _Counter(function, points, hits).lines()


class _Counter:
    def __init__(self, function: Function, points: Points, hits: Sequence[int]) -> None:
        self.function = function
        self.points = points
        self.hits = hits
        self.blocks = {block.name: block for block in function.blocks}
        self.definitions = {
            each.result: (block, each) for block in function.blocks for each in block.instructions if each.result
        }

    def lines(self) -> dict[int, LineCounts]:
        counts: dict[int, list[int]] = {}
        for block in self.function.blocks:
            line, ways = self._branch(block)
            counts.setdefault(line, []).extend(ways)
        inexact = self._lines_with_joined_values()
        return {
            line: LineCounts(line, tuple(sorted(ways)), line not in inexact) for line, ways in counts.items() if ways
        }

    def _branch(self, block: Block) -> tuple[int, list[int]]:
        """The line of a block's branch and how often each way out was taken. Cases that lead to one place are one."""
        last = block.instructions[-1]
        if not sides(block):
            return 0, []
        joined = self._definition(last.operands[0])
        if last.opcode == "br" and joined and joined[1].opcode == "phi":
            return self._joined_branch(block, *joined)
        ways: Counter[str] = Counter()
        for side in sides(block):
            ways[side_target(block, side)] += self._hits(block, side)
        place = joined[1].location if joined and last.opcode == "br" else None
        place = place if place and place.line else last.location
        return place.line if place else 0, list(ways.values())

    def _joined_branch(self, block: Block, owner: Block, phi: Instruction) -> tuple[int, list[int]]:
        """`while (a && b)`: clang joins both in a phi and branches on it, gcc branches on `b` alone.

        The ways of `b` are those of the joined branch without the runs that `a` decided.
        """
        decided, leaves = self._flatten(owner, phi)
        place = leaves[0].location if len(leaves) == 1 and leaves[0] else None
        place = place if place and place.line else block.instructions[-1].location
        ways = [self._hits(block, side) - decided[side] for side in (0, 1)]
        return place.line if place else 0, ways

    def _flatten(self, owner: Block, phi: Instruction) -> tuple[Counter[int], list[Instruction | None]]:
        """How often a constant decided each side, and the values that decide otherwise."""
        decided: Counter[int] = Counter()
        leaves: list[Instruction | None] = []
        for value, source in phi.incoming:
            inner = self._definition(value)
            if value.text in ("true", "false"):
                decided[int(value.text == "true")] += self._edge(source, owner.name)
            elif inner and inner[1].opcode == "phi" and inner[0].name == source:
                below = self._flatten(*inner)
                decided += below[0]
                leaves += below[1]
            else:
                leaves.append(inner[1] if inner else None)
        return decided, leaves

    def _edge(self, source: str, target: str) -> int:
        block = self.blocks[source]
        taken = [side for side in sides(block) if side_target(block, side) == target]
        return sum(self._hits(block, side) for side in taken) if taken else self._hits(block, None)

    def _hits(self, block: Block, side: int | None) -> int:
        return self.hits[self.points.numbers[self.function.name, block.name, side]]

    def _definition(self, value: Value) -> tuple[Block, Instruction] | None:
        return self.definitions.get(value.text)

    def _lines_with_joined_values(self) -> set[int]:
        """Lines with `x = a && b`: gcc makes a branch for `b` there, clang does not."""
        steering = {block.instructions[-1].operands[0].text for block in self.function.blocks if sides(block)}
        lines = set()
        for _, each in self.definitions.values():
            is_joined = each.opcode == "phi" and str(each.type) == "i1" and each.result not in steering
            if is_joined or each.opcode == "select":
                places = [inner[1].location for value, _ in each.incoming if (inner := self._definition(value))]
                lines |= {place.line for place in (*places, each.location) if place}
        return lines
