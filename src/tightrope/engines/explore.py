"""Search one unit: build the parts of the search, run it, say what it found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tightrope.coverage.ledger import Ledger
from tightrope.engines.encoding_engine import Decider, EncodingCounts, is_paranoid
from tightrope.engines.turns import take_turns
from tightrope.expr.terms import TermTable
from tightrope.inputs.scalars import Input, first_input
from tightrope.inputs.shape import Leaf, slot_of
from tightrope.options.options import Options
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.running.draw_limit import DrawLimit
from tightrope.running.runner import Runner
from tightrope.running.trace import Ending, RunRecord
from tightrope.search.aim import Obligation
from tightrope.search.budget import Budget, StopReason
from tightrope.search.candidate import Candidate
from tightrope.search.constraints import Constraints
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.decode import Decoder
from tightrope.search.filtered import Filtered
from tightrope.search.kept_runs import Keeper
from tightrope.search.loop import Progress, Search
from tightrope.search.observed import Observations
from tightrope.search.seeds import make_seeds
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.aims_first import AimsFirst
from tightrope.search.strategies.late_last import LateLast
from tightrope.search.strategies.restarting import Restarting
from tightrope.search.strategy import Strategy
from tightrope.search.tree import Tree
from tightrope.solving.backends import is_installed
from tightrope.solving.chain import build_chain
from tightrope.solving.solver import Solver
from tightrope.soundness.by_exhaustion import prove
from tightrope.soundness.shape_limits import input_nodes
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.obligations import points_of_obligations

LEAST_SECONDS_FOR_ERRORS = 1.5  # once everything is covered, and as long again as that took
MOST_SECONDS_FOR_ERRORS = 3.0
LEAST_TRIES_FOR_ERRORS = 64  # where nothing tells that there may be one


@dataclass(slots=True)
class Exploration:
    """What a search found."""

    ledger: Ledger
    stop_reason: StopReason
    progress: Progress
    solver: Solver
    paths: int
    runs: list[RunRecord]
    crashes: dict[Ending, Input]
    concretisations: Counter[int]  # by place
    pinned: Counter[int]  # values by place
    encoding: EncodingCounts
    formulas: dict[str, str]  # by objective: the hash of the formula that has no solution
    warnings: tuple[str, ...] = ()  # of mistakes of ours


def explore(
    unit: PreparedUnit,
    runner: Runner,
    options: Options,
    on_tick: Callable[[Ledger, Progress], None],
    *,
    seeds: Sequence[Input] = (),
    first: Sequence[Input] = (),
    looks_for_errors: bool = True,
) -> Exploration:
    """Search until every objective has a verdict or the budget is spent; then say what is proved. `seeds` are run in
    place of the usual first inputs. With `first` inputs, few of the objectives are wanted: see take_turns."""
    ledger, table = Ledger(unit.objectives), TermTable()
    constraints = Constraints(table, unit.woven.switches)
    observations = _observations(unit, constraints)
    decoder = Decoder(table, runner.node_bytes)
    tree = Tree(decoder, constraints, follows_null=options.exhaustive, observations=observations)
    structure = _structure(unit, ledger, observations, options)
    source = Random(options.seed)
    late_last = LateLast(*(_strategy(options, structure, source) for _ in range(3)))
    filtered = None if options.no_filter or options.exhaustive else Filtered(late_last, structure)
    strategy: Strategy = late_last if filtered is None else filtered  # an empty one is false
    if observations.obligations:
        strategy = AimsFirst(strategy)
    keeper = Keeper(runner, _mask_of(unit), tuple(_lengths(unit)))
    solver = _solver(options)
    search = Search(
        DrawLimit.of(runner, unit.shape),
        solver,
        strategy,
        tree,
        ledger,
        Budget(options.time_limit, options.max_runs or 0),
        time.perf_counter,
        options.exhaustive,
        keeper.keep,
        lambda progress: on_tick(ledger, progress),
        structure,
        options.label_deletion,
    )
    with collector_paused():
        decider = Decider(unit, search, options, time.perf_counter)
        reason = take_turns(search, decider, seeds or _seeds(unit, keeper, options), options, first)
        search.progress.filtered = filtered.filtered if filtered is not None else 0
        prove(unit, search, reason, keeper)
        decider.explain_open()
        if looks_for_errors and reason in (StopReason.DONE, StopReason.EXHAUSTED):
            _look_for_errors(search, late_last, filtered.dropped if filtered is not None else ())
        if unit.woven.marks.labels:
            keeper.complete()
    return Exploration(
        ledger,
        reason,
        search.progress,
        solver,
        tree.paths,
        keeper.runs,
        keeper.crashes,
        keeper.concretisations,
        tree.pinned,
        decider.counts,
        decider.formulas,
        tuple(decider.warnings),
    )


def _structure(unit: PreparedUnit, ledger: Ledger, observations: Observations, options: Options) -> CoverageStructure:
    when = [each.when for each in observations.obligations]
    graph = build_point_graph(unit.program, unit.function.name, unit.woven.points, unit.woven.marks, when)
    return CoverageStructure(graph, ledger.open_points, options.pps_depth)


def _strategy(options: Options, structure: CoverageStructure, source: Random) -> Strategy:
    def make() -> Strategy:
        return STRATEGIES[options.strategy](structure, source)

    return Restarting(make, structure, source, options.restart_after) if options.restart_after else make()


def _seeds(unit: PreparedUnit, keeper: Keeper, options: Options) -> list[Input]:
    """The first inputs. Where every path is explored anyway, one is enough."""
    if options.exhaustive:
        return [first_input(unit.driver.slots)]
    limits = {slot_of(leaf): leaf.most for leaf in keeper.lengths if leaf.most is not None}
    return make_seeds(unit.driver.slots, collect_constants(unit.program, unit.function.name), limits)


def _look_for_errors(search: Search, late_last: LateLast, dropped: Sequence[Candidate]) -> None:
    """Once nothing can be covered any more: aims and what is relevant are of no use, run-time errors are."""
    late_last.look_for_errors(dropped, max(LEAST_TRIES_FOR_ERRORS, search.progress.runs))
    search.strategy = late_last
    search.go_on(min(LEAST_SECONDS_FOR_ERRORS + search.progress.seconds, MOST_SECONDS_FOR_ERRORS))


def _lengths(unit: PreparedUnit) -> Iterator[Leaf]:
    return (node for node in input_nodes(unit) if isinstance(node, Leaf) and node.most is not None)


def _observations(unit: PreparedUnit, constraints: Constraints) -> Observations:
    marks, points = unit.woven.marks, unit.woven.points
    obligations = [Obligation(when) for when in points_of_obligations(marks, points)]
    return Observations(constraints, obligations, len(marks.labels))


def _solver(options: Options) -> Solver:
    """Paranoid mode evaluates every model, and asks a second solver where there is one."""
    is_careful = is_paranoid()
    other = {"bitwuzla": "z3", "z3": "bitwuzla"}[options.solver]
    return build_chain(
        options.solver,
        time_limit=options.solver_time_limit,
        seed=options.seed,
        second_opinion=other if is_careful and is_installed(other) else "",
        validates=is_careful,
    )


def _mask_of(unit: PreparedUnit) -> int:
    """The points by which runs differ. Since labels that were covered before are jumped over, runs that go different
    ways may differ in them too."""
    if unit.woven.marks.labels:
        return -1
    mask = 0
    for objective in unit.objectives:
        mask |= objective.mask
    return mask
