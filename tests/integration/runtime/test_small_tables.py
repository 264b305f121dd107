"""The runtime with little room: full tables are said to be full, and a search goes on through new epochs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tightrope.coverage.ledger import Ledger
from tightrope.expr.terms import TermTable
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.memory_map import FLAG_APPROXIMATE, FLAG_EVENTS_FULL, FLAG_NODES_FULL, MemoryMap
from tightrope.running.runner import RunLimits, Runner, Worker
from tightrope.search.budget import Budget
from tightrope.search.constraints import Constraints
from tightrope.search.decode import Decoder
from tightrope.search.kept_runs import RunWorth
from tightrope.search.loop import Search, SearchParts
from tightrope.search.path_tree import PathTree
from tightrope.search.strategies import STRATEGIES
from tightrope.solving.chain import build_chain
from tightrope.source.toolchain import find_compiler
from tightrope.units.build import runtime_object
from tightrope.units.prepare import prepare_file, prepare_unit
from tightrope.units.prepared import PreparedUnit

# The order in which the sums are made first depends on the path.
SUMS = """
int target(int a, int b, int c, int d)
{
    int n = 0, x = 0, y = 0;
    if (a > 0) { x = c * 3; y = d * 5; } else { y = d * 5; x = c * 3; }
    if (x + y > 100) n += 1;
    if ((x ^ y) == 7) n += 2;
    if (b * c == x) n += 4;
    if (y == x) n += 8;
    if (c + b + a > 9) n += 16;
    for (int i = 0; i < 3; i++) if ((a * i + b * y) > 50 + i) n += 32;
    if (d == 1000 + n) n += 64; /* further nodes for each n */
    return n;
}
"""


@contextmanager
def loaded(folder: Path, text: str, **capacities: int) -> Iterator[tuple[PreparedUnit, Runner]]:
    path = folder / "program.c"
    path.write_text(text)
    options = Options((Target(path, "target"),), criteria=("branch",), engine="search")
    worker = Worker()
    try:
        compiler = find_compiler()
        unit = prepare_unit(prepare_file(compiler, path, options, lambda text: None), "target", options)
        runtime = worker.folder / "runtime.o"
        runtime.write_bytes(runtime_object(compiler))
        driver, woven = unit.driver, unit.woven
        memory = MemoryMap(len(driver.slots), len(driver.outputs), len(woven.points), **capacities)
        with Runner(worker, woven.text, runtime, memory, woven.places, RunLimits()) as runner:
            yield unit, runner
    finally:
        worker.close()


def explore(unit: PreparedUnit, runner: Runner) -> tuple[Search, set[int]]:
    table, epochs = TermTable(), set[int]()
    tree = PathTree(Decoder(table, runner.node_bytes), Constraints(table, unit.woven.switches))
    parts = SearchParts(
        runner, build_chain(), STRATEGIES["dfs"](), tree, Ledger(unit.objectives), budget=Budget(30.0),
        is_exhaustive=True, on_run=lambda values, trace: epochs.add(trace.epoch) or RunWorth.COVERS,
    )  # fmt: skip
    search = Search(parts)
    search.explore([(0,) * len(unit.driver.slots)])
    return search, epochs


def test_a_search_goes_on_through_new_epochs(tmp_path: Path) -> None:
    with loaded(tmp_path, SUMS) as (unit, runner):
        roomy, epochs = explore(unit, runner)
    assert roomy.is_complete and len(epochs) == 1
    with loaded(tmp_path, SUMS, nodes_capacity=64) as (unit, runner):
        cramped, epochs = explore(unit, runner)
    assert len(epochs) > 3
    assert cramped.progress.divergences == 0
    assert cramped.is_complete and cramped.tree.paths == roomy.tree.paths


def test_a_search_goes_on_through_crashes(tmp_path: Path) -> None:
    """Each process that dies takes its table of nodes with it."""
    text = SUMS.replace("    return n;", "    if (n & 2) __builtin_trap();\n    return n;")
    with loaded(tmp_path, text) as (unit, runner):
        search, epochs = explore(unit, runner)
    assert len(epochs) > 3
    assert search.progress.divergences == 0 and search.is_complete


LONG = """
int target(int a, int b)
{
    unsigned x = a;
    int n = 0;
    for (int i = 0; i < 200; i++) { x = x * 31 + (unsigned)b; n += x == 12345; }
    for (int i = 0; i < 100; i++) if (a == i) n++;
    return n;
}
"""


def test_a_full_table_makes_the_run_approximate(tmp_path: Path) -> None:
    with loaded(tmp_path, LONG, nodes_capacity=64) as (unit, runner):
        trace = runner.trace((1, 2))
        assert trace.flags & FLAG_NODES_FULL and trace.flags & FLAG_APPROXIMATE
        search, _ = explore(unit, runner)
    assert not search.is_complete
    with loaded(tmp_path, LONG, events_capacity=64) as (unit, runner):
        trace = runner.trace((1, 2))
        assert trace.flags & FLAG_EVENTS_FULL and trace.flags & FLAG_APPROXIMATE
        assert len(trace.events) == 64 * 12
        search, _ = explore(unit, runner)
    assert not search.is_complete
