"""What `PointGraph.reach` says, against what runs do: a run that took another side of a branch than the run before may
hit, beside what that run hit, only what lies behind this side. Were it otherwise, filtering would lose tests and call
something infeasible that is not.

Labels and conditions that are no branches are left out: they are not decided by the path but by values, also before the
side; aims look after them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from expectations import read_expectations

from tightrope.engines.explore import ExploreParts, explore
from tightrope.errors import TightropeError
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.point_graph import PointGraph
from tightrope.running.runner import Trace, Worker
from tightrope.search.candidate import Candidate
from tightrope.search.loop import Search, SearchParts
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

TESTS = Path(__file__).parents[1]
SAMPLE = (
    "callback", "function_table", "goto", "library", "recursion", "short_circuit", "verifier_reactive",
)  # fmt: skip
PROGRAMS = sorted([*(TESTS / "programs").glob("*.c"), *(TESTS / "regressions").glob("*.c")])
IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"
RUNS = 400 if IS_FULL else 60


class Watched(Search):
    """Compares each run of a candidate with the run that it starts from."""

    __slots__ = ("missed", "points")

    def __init__(self, parts: SearchParts) -> None:
        super().__init__(parts)
        self.points: dict[Input, int] = {}
        self.missed: list[tuple[int, int]] = []  # a side, and the points that a run hit although they are not behind it
        made.append(self)

    def _grow(self, values: Input, candidate: Candidate | None, trace: Trace) -> None:
        super()._grow(values, candidate, trace)
        self.points[values] = trace.points
        if candidate is not None and candidate.base in self.points:
            self._compare(candidate, trace.points & ~self.points[candidate.base])

    def _compare(self, candidate: Candidate, news: int) -> None:
        assert self.structure is not None
        own = candidate.mask if candidate.is_aim else 0 if candidate.point is None else 1 << candidate.point
        self.missed.append((candidate.side_point, news & ~self.structure.graph.reach(candidate.side_point) & ~own))


made: list[Watched] = []


def of_values(unit: PreparedUnit, graph: PointGraph) -> int:
    """Vectors that hang at a block: of decisions with a condition that is no branch."""
    found = 0
    for numbers in unit.woven.points.vectors:
        decision = sum(1 << number for number in numbers)
        if any(own & decision for own in graph.own):
            found |= decision
    return found


def watch(program: Path) -> tuple[Watched, int] | None:
    """The search, and the points that the path alone decides."""
    expected = read_expectations(program.read_text(encoding="utf-8"))
    criteria = ("branch", "statement", "mcdc", "all-defs")
    target = Target(program, expected.function)
    options = Options((target,), criteria=criteria, no_filter=True, max_runs=RUNS, time_limit=5.0)
    made.clear()
    worker = Worker()
    try:
        unit = prepare_unit(prepare_file(find_compiler(), program, options, str), expected.function, options)
        with start(unit, worker, options) as runner:
            explore(unit, runner, options, lambda ledger, progress: None, parts=ExploreParts(build_search=Watched))
    except TightropeError:
        return None  # needs options of its own
    finally:
        worker.close()
    (search,) = made
    assert search.structure is not None
    return search, ~of_values(unit, search.structure.graph)


@pytest.mark.parametrize(
    "program", [each for each in PROGRAMS if IS_FULL or each.stem in SAMPLE], ids=lambda each: each.stem
)
def test_a_run_hits_nothing_new_but_what_lies_behind_its_side(program: Path) -> None:
    watched = watch(program)
    if watched is None:
        pytest.skip("needs options of its own")
    search, by_path = watched
    assert IS_FULL or search.missed  # those of the sample have more paths than one
    assert [(side, bin(points & by_path)) for side, points in search.missed if points & by_path] == []
    assert search.structure is not None and not search.structure.surprises
