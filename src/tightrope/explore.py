"""Search one unit: build the parts of the search, run it, keep the runs that may become tests."""

from __future__ import annotations

import contextlib
import os
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tightrope.collector import collector_paused
from tightrope.domain import (
    depends_on_more,
    has_bounds,
    input_nodes,
    is_whole_domain,
    may_share_objects,
    reads_volatile,
)
from tightrope.execution.checks import CHECKS
from tightrope.execution.draw_limit import DrawLimit
from tightrope.execution.endings import SENTENCES
from tightrope.execution.inputs import first_input, signed_value
from tightrope.execution.memory_map import (
    FLAG_APPROXIMATE,
    FLAG_BOUND,
    FLAG_OBSERVATIONS_FULL,
    EventKind,
    OutcomeCode,
    ReasonCode,
)
from tightrope.execution.obligations import points_of_obligations
from tightrope.execution.runner import Runner, Trace
from tightrope.execution.shape import (
    Leaf,
    slot_of,
)
from tightrope.execution.trace import Ending, Input, Outcome, RunRecord
from tightrope.expr.terms import TermTable
from tightrope.objectives.ledger import Ledger
from tightrope.objectives.objective import Objective
from tightrope.objectives.verdict import Infeasible, Proof, Reason
from tightrope.options import Options
from tightrope.prepare import PreparedUnit
from tightrope.program.control_flow import Node
from tightrope.program.point_graph import build_point_graph
from tightrope.program.unit_constants import collect_constants
from tightrope.program.verifier_functions import ASSUME
from tightrope.proofs.decided import find_deciders
from tightrope.proofs.unexplored import unexplored_blocks
from tightrope.proofs.unfinished import unfinished_evaluations, unfinished_points
from tightrope.search.aim import Obligation
from tightrope.search.budget import Budget, StopReason
from tightrope.search.candidate import Candidate
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.filtered import Filtered
from tightrope.search.loop import Progress, Search
from tightrope.search.observed import Observations
from tightrope.search.seeds import make_seeds
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.aims_first import AimsFirst
from tightrope.search.strategies.late_last import LateLast
from tightrope.search.strategy import Strategy
from tightrope.search.tree import Tree
from tightrope.solving.backends import is_installed
from tightrope.solving.chain import build_chain
from tightrope.solving.solver import Solver
from tightrope.symbolic.constraints import Constraints
from tightrope.symbolic.decode import Decoder

RETURNED = int(OutcomeCode.RETURNED)
CONCRETE = int(EventKind.CONCRETE)
MOST_CRASHES = 20
MOST_COMPLETED = 500  # runs, once the search is over (drawing.c: 200 give 24 tests, 500 give 21, all 997 give 22)
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


@dataclass(slots=True)
class _Keeper:
    """Keeps one run for each set of points, and the first input of each way to crash."""

    runner: Runner
    mask: int
    lengths: tuple[Leaf, ...] = ()  # inputs that say how many elements something has
    runs: list[RunRecord] = field(default_factory=list)
    crashes: dict[Ending, Input] = field(default_factory=dict)
    concretisations: Counter[int] = field(default_factory=Counter)
    failed_a_check: bool = False  # some run did
    left_an_object: bool = False  # some run did; `crashes` may have no room for it
    has_died: bool = False  # some run ended, but did not return
    _seen: set[tuple[int, bool, bool]] = field(default_factory=set)

    def keep(self, values: Input, trace: Trace) -> bool | None:
        """False for a run that went on too long or used memory that is not there: in a build without probes it
        may end otherwise, so that the search should look for a better one. None for one that failed a check."""
        if trace.flags & FLAG_APPROXIMATE:
            self._count_concrete(trace)
        if trace.outcome == RETURNED:
            return self._keep_run(values, trace, True)
        self.has_died = True
        ending = self.runner.ending()
        left = left_an_object(ending)
        if len(self.crashes) < MOST_CRASHES and not (left and self._promises_more(values)):
            self.crashes.setdefault(ending, values)
        self.left_an_object |= left
        if failed_a_check(ending):
            self.failed_a_check = True
            return None
        return self._keep_run(
            values, trace, ending.outcome is not Outcome.TIMED_OUT and not left and not may_go_on(ending)
        )

    def _keep_run(self, values: Input, trace: Trace, is_sound: bool) -> bool:
        key = (trace.points & self.mask, trace.outcome == RETURNED, is_sound)
        if key not in self._seen:
            self._seen.add(key)
            self.runs.append(RunRecord(values, self.runner.ending(), trace.points, self.runner.outputs()))
        return is_sound

    def complete(self) -> None:
        """Note all that the runs cover: labels that were covered before them were jumped over."""
        self.runner.close_aims(0)
        with contextlib.suppress(KeyboardInterrupt):
            for number, run in enumerate(self.runs[:MOST_COMPLETED]):
                if run.ending.outcome is not Outcome.TIMED_OUT:  # takes too long
                    self.runs[number] = replace(run, points=run.points | self.runner.trace(run.input).points)

    def _promises_more(self, values: Input) -> bool:
        """True when the input says that there are more elements than we gave: it is not the unit's fault."""
        return any(
            leaf.most is not None and signed_value(leaf.scalar, values[slot_of(leaf)]) > leaf.most
            for leaf in self.lengths
        )

    def _count_concrete(self, trace: Trace) -> None:
        for _, place, _, kind in struct.iter_unpack("<IIHH", trace.events):
            if kind == CONCRETE:
                self.concretisations[place] += 1


def explore(
    unit: PreparedUnit,
    runner: Runner,
    options: Options,
    on_tick: Callable[[Ledger, Progress], None],
    *,
    seeds: Sequence[Input] = (),
    looks_for_errors: bool = True,
) -> Exploration:
    """Search until every objective has a verdict or the budget is spent; then say what is proved. `seeds` are run in
    place of the usual first inputs."""
    ledger, table = Ledger(unit.objectives), TermTable()
    constraints = Constraints(table, unit.woven.switches)
    observations = _observations(unit, constraints)
    decoder = Decoder(table, runner.node_bytes)
    tree = Tree(decoder, constraints, follows_null=options.exhaustive, observations=observations)
    structure = _structure(unit, ledger, observations, options)
    source = Random(options.seed)
    late_last = LateLast(*(STRATEGIES[options.strategy](structure, source) for _ in range(3)))
    filtered = Filtered(late_last, structure)
    strategy: Strategy = late_last if options.no_filter or options.exhaustive else filtered
    if observations.obligations:
        strategy = AimsFirst(strategy)
    keeper = _Keeper(runner, _mask_of(unit), tuple(_lengths(unit)))
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
        reason = search.explore(seeds or _seeds(unit, keeper, options))
        search.progress.filtered = filtered.filtered
        _conclude(unit, search, reason, keeper)
        if looks_for_errors and reason in (StopReason.DONE, StopReason.EXHAUSTED):
            _look_for_errors(search, late_last, filtered.dropped)
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
    )


def _structure(
    unit: PreparedUnit, ledger: Ledger, observations: Observations, options: Options
) -> CoverageStructure:
    when = [each.when for each in observations.obligations]
    graph = build_point_graph(unit.program, unit.function.name, unit.woven.points, unit.woven.marks, when)
    return CoverageStructure(graph, ledger.open_points, options.pps_depth)


def _seeds(unit: PreparedUnit, keeper: _Keeper, options: Options) -> list[Input]:
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


def _observations(unit: PreparedUnit, constraints: Constraints) -> Observations:
    marks, points = unit.woven.marks, unit.woven.points
    obligations = [Obligation(when) for when in points_of_obligations(marks, points)]
    return Observations(constraints, obligations, len(marks.labels))


def _solver(options: Options) -> Solver:
    """Paranoid mode evaluates every model, and asks a second solver where there is one."""
    is_paranoid = os.environ.get("TIGHTROPE_PARANOID", "") not in ("", "0")
    other = {"bitwuzla": "z3", "z3": "bitwuzla"}[options.solver]
    return build_chain(
        options.solver,
        time_limit=options.solver_time_limit,
        seed=options.seed,
        second_opinion=other if is_paranoid and is_installed(other) else "",
        validates=is_paranoid,
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


def _lengths(unit: PreparedUnit) -> Iterator[Leaf]:
    return (node for node in input_nodes(unit) if isinstance(node, Leaf) and node.most is not None)


def _conclude(unit: PreparedUnit, search: Search, reason: StopReason, keeper: _Keeper) -> None:
    """Proof by exhaustion where it holds, otherwise the reason why nothing is proved."""
    ledger, progress = search.ledger, search.progress
    if reason is StopReason.EXHAUSTED and search.is_complete:
        if reads_volatile(unit):
            ledger.explain_open(Reason.VOLATILE)
        elif _felt_a_bound(unit, search, keeper) or depends_on_more(unit):
            ledger.explain_open(Reason.SHAPE)
        elif keeper.failed_a_check:
            ledger.explain_open(Reason.CHECK)
        else:
            _refute_exhausted(unit, search, keeper.has_died)
    elif reason in _REASONS:
        ledger.explain_open(_REASONS[reason])
    elif progress.unknown:
        ledger.explain_open(Reason.SOLVER_TIME_LIMIT)
    elif progress.timed_out:
        ledger.explain_open(Reason.RUNS_DIED)
    else:
        ledger.explain_open(Reason.APPROXIMATE)


def _felt_a_bound(unit: PreparedUnit, search: Search, keeper: _Keeper) -> bool:
    """True when some run read what is only there because the shape ends, also one that was rejected then; or left an
    object, of which we may have chosen the size."""
    return bool(search.flags & FLAG_BOUND) or (keeper.left_an_object and has_bounds(unit))


_REASONS = {
    StopReason.TIME_LIMIT: Reason.TIME_LIMIT,
    StopReason.RUN_LIMIT: Reason.RUN_LIMIT,
    StopReason.INTERRUPTED: Reason.INTERRUPTED,
}


def failed_a_check(ending: Ending) -> bool:
    """True when the run ended at a check that was asked for, where a build without probes goes on."""
    return ending.reason.startswith(FAILED_CHECKS)


def may_go_on(ending: Ending) -> bool:
    """True when the run used memory that is no longer its own: in a build without probes it may still be there."""
    return ending.reason.startswith(NO_LONGER_THERE)


FAILED_CHECKS = tuple(SENTENCES[check.reason] for check in CHECKS.values())
NO_LONGER_THERE = tuple(
    SENTENCES[reason] for reason in (ReasonCode.FREED_READ, ReasonCode.FREED_WRITE, ReasonCode.DEAD_LOCAL)
)


def left_an_object(ending: Ending) -> bool:
    """True when the run ended because it left an object: where we chose how large that object is, a larger one
    would have let the run go on, to what is not explored. A NULL that the input gave ends every such run."""
    return ending.reason.startswith(BEYOND_AN_OBJECT) and not ending.reason.startswith(SENTENCES[ReasonCode.NULL_INPUT])


BEYOND_AN_OBJECT = (
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_READ],
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_WRITE],
    SENTENCES[ReasonCode.NULL_DEREFERENCE],
    "SIGSEGV",
    "SIGBUS",
)


def _refute_exhausted(unit: PreparedUnit, search: Search, has_died: bool) -> None:
    """Every path of *this shape of inputs* was walked, and no run came to where the shape ends. Where the shape
    leaves something out (a pointer that was asked not to be NULL, static locals that start as written), a branch
    that no input decided may depend on just that: it stays unknown, and so does what lies behind its other side.
    Where two pointers could lead to one object that is written, every branch may depend on it."""
    is_faithful = is_whole_domain(unit)
    is_separate = is_faithful or not may_share_objects(unit)
    doubtful = frozenset() if is_faithful else _unexplored(unit, search)
    is_unconditional = is_faithful and not unit.driver.assumptions and ASSUME not in unit.interface.undefined_functions
    proof = Infeasible(Proof.EXHAUSTED, "" if is_unconditional else UNDER_ASSUMPTIONS)
    is_unfinished, lost = _unfinished(unit, search, has_died), search.lost
    for objective in search.ledger.open_objectives:
        doubt = Reason.RUNS_DIED if is_unfinished(objective) else _doubt_about(search, objective)
        if objective.mask & lost:
            doubt = Reason.SOLVER_TIME_LIMIT
        if doubt is not None:
            search.ledger.explain(objective, doubt)
        elif is_faithful or (is_separate and _was_decided(unit, search, objective.points, doubtful)):
            search.ledger.refute(objective, proof)
        else:
            search.ledger.explain(objective, Reason.SHAPE)


def _unfinished(unit: PreparedUnit, search: Search, has_died: bool) -> Callable[[Objective], bool]:
    """Tells of what some run has begun, though none came to its end."""
    assert search.tree.observations is not None
    points, marks, seen = unit.woven.points, unit.woven.marks, search.seen
    blocks = unfinished_points(unit.program, unit.function.name, points, seen)
    vectors_when = [each.when for each in search.tree.observations.obligations[len(marks.labels) :]]
    masks = list(unfinished_evaluations(unit.program, points, marks, vectors_when, seen, has_died))
    return lambda objective: bool(objective.mask & blocks) or any(not mask & ~objective.mask for mask in masks)


def _doubt_about(search: Search, objective: Objective) -> Reason | None:
    """Why nothing may be proved about what this objective needs beside paths, if so."""
    assert search.tree.observations is not None
    mask = objective.mask
    needed = [each for each in search.tree.observations.obligations if each.points & mask]
    if needed and search.flags & FLAG_OBSERVATIONS_FULL:
        return Reason.APPROXIMATE
    return next((each.doubt for each in needed if each.doubt is not None), None)


UNDER_ASSUMPTIONS = "under these assumptions, every path that can lead there was explored exactly, and none does it"


def _unexplored(unit: PreparedUnit, search: Search) -> frozenset[Node]:
    program, points = unit.program, unit.woven.points
    return unexplored_blocks(program, unit.function.name, points, search.seen, search.tree.symbolic_sites)


def _was_decided(unit: PreparedUnit, search: Search, points: tuple[int, ...], doubtful: frozenset[Node]) -> bool:
    """True when inputs, and nothing else, decided whether these points are hit."""
    found = find_deciders(unit.program, unit.woven.points, unit.woven.marks, points)
    observations = search.tree.observations
    assert observations is not None
    were_decided = all(observations.obligations[number].was_decided for number in found.obligations)
    is_any = bool(found.sites or found.obligations)
    sites = search.tree.symbolic_sites | observations.sites
    return found.is_known and is_any and were_decided and found.sites <= sites and not found.blocks & doubtful
