"""Path filtering, step by step: the example of paper 001, Section II (Su et al.).

Sides are named as in the paper: the line of its Fig. 1 and T or F. The inputs of the four runs are the paper's, given
here in place of a solver's answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tightrope.coverage.ledger import Ledger
from tightrope.expr.terms import TermTable
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.running.runner import Runner, Worker
from tightrope.search.candidate import Candidate, Flip
from tightrope.search.constraints import Constraints
from tightrope.search.coverage_structure import CoverageStructure, Relevance
from tightrope.search.decode import Decoder
from tightrope.search.filtered import Filtered
from tightrope.search.path_tree import PathTree
from tightrope.search.strategies import STRATEGIES
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start
from tightrope.units.prepared import PreparedUnit

BUBBLE = """\
#define MAXLEN 6
void bubble(int v[MAXLEN], int n)
{
    int i, j, k;
    if (n >= MAXLEN)
        return;
    for (i = n; i > 1; i--)
        for (j = 1; j < i; ++j)
            /* compare */
            if (v[j] > v[j + 1])
            { /* exchange */
                k = v[j];
                v[j] = v[j + 1];
                v[j + 1] = k;
            }
}
"""
PATH_1 = "5F 7F"
PATH_2 = "5F 7T 8T 10F 8T 10F 8F 7T 8T 10F 8F 7F"
PATH_3 = "5F 7T 8T 10T 8T 10F 8F 7T 8T 10F 8F 7F"


class Bubble:
    """The parts of a search, moved by hand."""

    def __init__(self, unit: PreparedUnit, runner: Runner) -> None:
        self.unit, self.runner, self.ledger = unit, runner, Ledger(unit.objectives)
        table = TermTable()
        self.tree = PathTree(Decoder(table, runner.node_bytes), Constraints(table, unit.woven.switches))
        graph = build_point_graph(unit.program, unit.function.name, unit.woven.points, unit.woven.marks, ())
        self.structure = CoverageStructure(graph, self.ledger.open_points, levels=2)
        self.pool = Filtered(STRATEGIES["pps"](self.structure, Random(0)), self.structure)
        self.seen = 0
        self.names = {point: f"{line}{'FT'[side]}" for point, line, side in self._sides()}

    def _sides(self) -> Iterator[tuple[int, int, int]]:
        for (function, name, side), point in self.unit.woven.points.numbers.items():
            if side is not None:
                (block,) = [each for each in self.unit.program.functions[function].blocks if each.name == name]
                location = block.instructions[-1].location
                assert location is not None
                yield point, location.line, side

    def run(self, *values: int) -> list[Candidate]:
        """Run an input: the candidates that its path brings. Those at run-time errors are left out."""
        trace = self.runner.trace(self._input(values))
        self.seen |= trace.points
        self.ledger.record(trace.points, "run")
        self.structure.update(self.ledger.open_points, self.seen)
        found = self.tree.add_run(self._input(values), trace)
        fresh = [each for each in found if each.side_point in self.names and each.point is not None]
        self.pool.add(fresh)
        return fresh

    def _input(self, values: tuple[int, ...]) -> Input:
        """The elements of v, then n. Slot `v` is 0: not NULL."""
        by_path = {f"v[{at}]": value for at, value in enumerate(values[:-1])} | {"n": values[-1]}
        return tuple(by_path.get(slot.path, 0) for slot in self.unit.driver.slots)

    def path(self, candidate: Candidate) -> str:
        """The sides up to and including the one that the candidate takes."""
        assert isinstance(candidate, Flip)
        sides, fork = [self.names[candidate.side_point]], candidate.fork
        while fork.side_point in self.names:
            sides.append(self.names[fork.side_point])
            fork = self._parent(fork)
        return " ".join(reversed(sides))

    def _parent(self, wanted: object) -> object:
        waiting = [self.tree.root]
        for fork in waiting:
            children = [each for each in fork.children.values() if each is not None]
            if wanted in children:
                return fork if fork.kind == 1 else self._parent(fork)
            waiting += children
        raise AssertionError

    def covered(self) -> set[str]:
        return {name for point, name in self.names.items() if self.seen >> point & 1}

    def relevance(self, candidates: list[Candidate]) -> dict[str, Relevance]:
        return {self.path(each): self.structure.relevance(each) for each in candidates}


@pytest.fixture(scope="module")
def bubble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bubble]:
    file = tmp_path_factory.mktemp("bubble") / "bubble.c"
    file.write_text(BUBBLE)
    options = Options((Target(file, "bubble"),), criteria=("branch",), engine="search")
    prepared = prepare_file(find_compiler(), Path(file), options, lambda text: None)
    worker = Worker()
    unit = prepare_unit(prepared, "bubble", options)
    with start(unit, worker, options) as runner:
        yield Bubble(unit, runner)
    worker.close()


def test_the_example_of_the_paper(bubble: Bubble) -> None:
    MUST, MAY, IRRELEVANT = Relevance.MUST, Relevance.MAY, Relevance.IRRELEVANT

    fresh = bubble.run(4, 0, 1, 8, 0, 2, 0)
    assert bubble.covered() == {"5F", "7F"}
    assert bubble.relevance(fresh) == {"5T": MUST, "5F 7T": MUST}
    top, loop = fresh
    assert bubble.structure.contribution(top) == 1
    assert bubble.structure.contribution(loop) >= 3  # 7T, 8T, 8F
    assert len(bubble.pool) == 2
    assert bubble.path(bubble.pool.pick()) == "5F 7T"

    fresh = bubble.run(4, 0, 1, 8, 0, 2, 3)
    assert bubble.covered() == {"5F", "7F", "7T", "8T", "8F", "10F"}
    found = bubble.relevance(fresh)
    assert len(found) == len(fresh) == 10
    assert {path for path, relevance in found.items() if relevance is MUST} == {
        "5F 7T 8T 10T",
        "5F 7T 8T 10F 8T 10T",
        "5F 7T 8T 10F 8T 10F 8F 7T 8T 10T",
    }
    assert [path for path, relevance in found.items() if relevance is IRRELEVANT] == ["5F 7T 8T 10F 8T 10F 8F 7F"]
    assert found["5F 7T 8F"] is MAY
    assert len(bubble.pool) == 1 + 9  # (5T) stays
    second = fresh
    # Both bring one point, and the shorter is preferred (Section IV); the example goes on with the other (Section II).
    shorter, other = bubble.pool.pick(), bubble.pool.pick()
    assert [bubble.path(shorter), bubble.path(other)] == ["5T", "5F 7T 8T 10T"]
    bubble.pool.add([shorter])

    fresh = bubble.run(4, 2, 1, 8, 0, 2, 3)
    assert bubble.covered() == {"5F", "7F", "7T", "8T", "8F", "10F", "10T"}
    assert set(bubble.relevance([*second, *fresh]).values()) == {IRRELEVANT}
    assert len(bubble.pool) == 1
    assert bubble.path(bubble.pool.pick()) == "5T"

    bubble.run(4, 2, 1, 8, 0, 2, 6)
    assert bubble.covered() == {"5T", "5F", "7F", "7T", "8T", "8F", "10F", "10T"}
    assert bubble.ledger.is_done
    assert len(bubble.pool) == 0
