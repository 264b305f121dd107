"""A second opinion: gcov counts the branches that the written tests take, and its counts must equal ours.

The two compilers do not generate the same branches everywhere, even at -O0: gcc has one for `b` in `x = a && b`, clang
does not; gcc has none in `a > b ? a : b` (a maximum) and `a ? 1 : 0` (a truth value). Statements with a different
number of branches are listed as such; in all others the counts must be equal. The compilers also assign branches to
different lines of a statement, so statements are compared, not lines.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tightrope.location import Location
from tightrope.program.c_text.c_tokens import first_lines
from tightrope.program.c_text.source_text import read_from_disk
from tightrope.program.flow.points import Points, side_target, sides
from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.ir.types import BOOL
from tightrope.program.normal_form.normal_form import CONDITIONAL_NAME
from tightrope.running.memory_map import BY_CHANCE
from tightrope.suite.confirm import read_tap
from tightrope.suite.folder import anchor_includes
from tightrope.suite.guard import DEFAULT_LIMITS, Limits
from tightrope.suite.native import run_program, run_tool, run_tool_alone


@dataclass(frozen=True, slots=True)
class LineCounts:
    """How often each way of each branch of one line was taken."""

    line: int
    counts: tuple[int, ...]  # sorted
    is_exact: bool = True  # False: gcc is known to generate other branches here


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the comparison showed; sentences are for people."""

    judge: str
    equal_lines: tuple[int, ...] = ()
    disagreements: tuple[str, ...] = ()
    counted_differently: tuple[str, ...] = ()
    problem: str = ""  # why there is no judgement
    untaken_lines: tuple[int, ...] = ()  # of statements where gcc counts fewer sides that were taken than we do
    failed: tuple[tuple[str, str], ...] = ()  # tests that see something else when gcc builds them, and what


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
    """How to build the test file with gcc as the unit is built."""

    text: str  # of the plain C test file
    folder: Path  # where it will be written: its paths start there
    working_directory: Path  # where relative paths in flags and debug information start
    flags: tuple[str, ...] = ()
    objects: tuple[Path, ...] = ()  # other files of the program
    limits: Limits = DEFAULT_LIMITS
    tests: tuple[str, ...] = ()  # their names, in the order of the file

    @property
    def anchored(self) -> str:
        """The text, for another folder."""
        return anchor_includes(self.text, self.folder)


PROGRAM, NOTES, RULE = "tests", "tests.gcno", "tests.d"  # files of a build; the rule lists what gcc has read


Build = Callable[[Gcov, Job, Path], None]


def judge_with_gcov(
    tool: Gcov,
    job: Job,
    functions: Sequence[Function],
    points: Points,
    hits: Sequence[int],
    build: Build | None = None,
) -> Judgement:
    """Build the test file with `gcc --coverage`, run it and compare branch counts of these functions with ours.

    `hits` holds our count of each point, summed over the tests that returned. `build` makes what
    `build_with_gcc` makes.
    """
    with tempfile.TemporaryDirectory(prefix="tightrope-gcov-") as name:
        folder = Path(name).resolve()
        try:
            (build or build_with_gcc)(tool, job, folder)
            found, failed = _measure(folder, tool, job)
        except _GcovProblem as problem:
            return Judgement(tool.name, problem=str(problem), failed=problem.failed)
    ours: dict[int, LineCounts] = {}
    theirs: dict[int, LineCounts] = {}
    for function in functions:
        ours |= our_counts(function, points, hits)
        theirs |= read_gcov(found, function, job.working_directory)
    place = functions[0].location
    judgement = compare(tool.name, ours, theirs, first_lines(read_from_disk(place.file) if place else ""))
    return replace(judgement, failed=failed)


class _GcovProblem(Exception):
    """No judgement is possible, for the reason in the message. `failed`: the tests that are the reason."""

    failed: tuple[tuple[str, str], ...] = ()


def build_with_gcc(tool: Gcov, job: Job, place: Path) -> None:
    """The program of the tests, the notes that gcov needs, and the rule, in this folder."""
    source, object_file, program = place / "tests.c", place / "tests.o", place / PROGRAM
    source.write_text(job.anchored, encoding="utf-8")
    options: tuple[str | Path, ...] = (
        tool.gcc,
        "--coverage",
        "-O0",
        "-fwrapv",
        "-w",
        *job.flags,
    )
    compiled: tuple[str | Path, ...] = ("-c", source, "-o", object_file, "-MD", "-MF", place / RULE)
    linked: tuple[str | Path, ...] = (object_file, *job.objects, "-lm", "-o", program)
    for words in ((*options, *compiled), (*options, *linked)):
        built = run_tool(words, job.working_directory, _roomy(job))
        if built.was_stopped:
            raise _GcovProblem(f"gcc {tool.version} did not build the written tests in time")
        if built.status:
            raise _GcovProblem(f"gcc {tool.version} does not build the written tests")


def _roomy(job: Job) -> Limits:
    return Limits(job.limits.seconds, 1 << 34, 1 << 28)


def _measure(place: Path, tool: Gcov, job: Job) -> tuple[Mapping[str, Any], tuple[tuple[str, str], ...]]:
    """Run the tests and read the counts; the tests that failed, and why. The program writes the counts beside where it
    was built, unless told otherwise."""
    limits = replace(job.limits, writable=(place, *job.limits.writable))
    ended = run_program((place / PROGRAM,), place, limits, {"GCOV_PREFIX": str(place), "GCOV_PREFIX_STRIP": "99"})
    if ended.was_stopped or ended.status not in (0, 1):
        problem = _GcovProblem(f"the tests built by gcc {tool.version} did not finish")
        problem.failed = tuple(_find_failing(place, job, limits)) if ended.status < 0 else ()
        raise problem
    words = (tool.gcov, "--json-format", "--stdout", "--branch-probabilities", "--branch-counts", "tests.gcda")
    try:
        found: Mapping[str, Any] = json.loads(run_tool_alone(words, place, _roomy(job)).output)
    except json.JSONDecodeError:
        raise _GcovProblem(f"{tool.name} gave no counts") from None
    results = read_tap(ended.output)
    return found, tuple((name, each.detail) for name, each in results.items() if not each.is_ok)


def _find_failing(place: Path, job: Job, limits: Limits) -> Iterator[tuple[str, str]]:
    """Run each test alone, because one of them has ended the program."""
    for number, name in enumerate(job.tests, 1):
        ended = run_program((place / PROGRAM, str(number)), place, limits, {"GCOV_PREFIX": str(place)})
        result = read_tap(ended.output).get(name)
        if result is None or not result.is_ok:
            yield name, result.detail if result else f"ended by signal {-ended.status}"


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


def compare(
    judge: str,
    ours: Mapping[int, LineCounts],
    theirs: Mapping[int, LineCounts],
    together: Mapping[int, int] = MappingProxyType({}),
) -> Judgement:
    """Statement by statement (`together`: see `first_lines`). Equal numbers of branches must have equal counts."""
    equal: list[int] = []
    untaken: list[int] = []
    disagreements, differently = [], []
    for lines in _statements(sorted({*ours, *theirs}), together):
        mine, other = _gather(ours, lines), _gather(theirs, lines)
        shown = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
        if any(count >= BY_CHANCE for count in mine.counts):
            continue
        if mine.counts == other.counts:
            equal += lines
        elif len(mine.counts) != len(other.counts) or not mine.is_exact:
            differently.append(f"{shown}: gcc makes {len(other.counts)} branch sides, clang {len(mine.counts)}")
        else:
            disagreements.append(f"{shown}: gcc counts {_show(other.counts)}, Tightrope {_show(mine.counts)}")
            untaken += lines if other.counts.count(0) > mine.counts.count(0) else []
    return Judgement(judge, tuple(equal), tuple(disagreements), tuple(differently), untaken_lines=tuple(untaken))


def _statements(lines: Iterable[int], together: Mapping[int, int]) -> Iterable[list[int]]:
    found: dict[int, list[int]] = {}
    for line in lines:
        found.setdefault(together.get(line, line), []).append(line)
    return found.values()


def _gather(counts: Mapping[int, LineCounts], lines: Sequence[int]) -> LineCounts:
    """The counts of a statement's lines as if they were one line."""
    found = [counts[line] for line in lines if line in counts]
    ways = sorted(count for each in found for count in each.counts)
    return LineCounts(lines[0], tuple(ways), all(each.is_exact for each in found))


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
        self.definitions = {
            each.result: each for block in function.blocks for each in block.instructions if each.result
        }

    def lines(self) -> dict[int, LineCounts]:
        counts: dict[int, list[int]] = {}
        for block in self.function.blocks:
            place, ways = self._branch(block)
            if place and ways and self.function.location and place.file == self.function.location.file:
                counts.setdefault(place.line, []).extend(ways)
        inexact = self._inexact_lines()
        return {line: LineCounts(line, tuple(sorted(ways)), line not in inexact) for line, ways in counts.items()}

    def _branch(self, block: Block) -> tuple[Location | None, list[int]]:
        """The place of a block's branch and how often each side was taken. Cases with the same target count as one."""
        last = block.instructions[-1]
        ways: Counter[str] = Counter()
        for side in sides(block):
            ways[side_target(block, side)] += self.hits[self.points.numbers[self.function.name, block.name, side]]
        definition = self.definitions.get(last.operands[0].text) if ways and last.opcode == "br" else None
        place = definition.location if definition else None
        return place if place and place.line else last.location, list(ways.values())

    def _inexact_lines(self) -> set[int]:
        """Lines where the compilers are known to generate other branches, though perhaps the same number.

        For `b` in `x = a && b` and `while (a ? b : 0)` gcc generates a branch and clang does not; in `if (a ? b : c)`
        clang generates one for `b` and one for `c`, and gcc one for the result; built-in functions differ too.
        """
        places: list[Location | None] = []
        for each in self.definitions.values():
            if each.opcode == "select" or self._is_joined(each):
                sources = [*each.operands, *(value for value, _ in each.incoming)]
                inner = [self.definitions.get(value.text) for value in sources]
                places += [each.location, *(definition.location for definition in inner if definition)]
        for block in self.function.blocks:
            if re.fullmatch(r"cond\.(true|false)\d*", block.name) and sides(block):
                places += block.places
        return {place.line for place in places if place}

    def _is_joined(self, each: Instruction) -> bool:
        if each.opcode == "phi":
            return each.type == BOOL
        chosen = self.definitions.get(each.operands[0].text) if each.opcode == "icmp" else None
        return chosen is not None and chosen.opcode == "phi" and bool(CONDITIONAL_NAME.fullmatch(chosen.result or ""))
