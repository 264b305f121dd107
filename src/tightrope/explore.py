"""Search one unit: build the parts of the search, run it, keep the runs that may become tests."""

from __future__ import annotations

import os
import struct
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tightrope.collector import collector_paused
from tightrope.execution.endings import SENTENCES
from tightrope.execution.inputs import first_input
from tightrope.execution.memory_map import FLAG_APPROXIMATE, EventKind, OutcomeCode, ReasonCode
from tightrope.execution.runner import Runner, Trace
from tightrope.execution.shape import BYTE, Fixed, FixedPointer, PointsTo, walk
from tightrope.execution.trace import Ending, Input, Outcome, RunRecord
from tightrope.expr.terms import TermTable
from tightrope.objectives.ledger import Ledger
from tightrope.objectives.verdict import Infeasible, Proof, Reason
from tightrope.options import Options
from tightrope.prepare import PreparedUnit
from tightrope.program.call_graph import reachable_functions
from tightrope.program.control_flow import Node
from tightrope.program.declare import is_qualified
from tightrope.proofs.unexplored import unexplored_blocks
from tightrope.search.budget import Budget, StopReason
from tightrope.search.loop import Progress, Search
from tightrope.search.strategies import STRATEGIES
from tightrope.search.tree import Tree
from tightrope.solving.backends import is_installed
from tightrope.solving.chain import build_chain
from tightrope.solving.solver import Solver
from tightrope.symbolic.constraints import Constraints
from tightrope.symbolic.decode import Decoder

RETURNED = int(OutcomeCode.RETURNED)
CONCRETE = int(EventKind.CONCRETE)
MOST_CRASHES = 20


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
    runs: list[RunRecord] = field(default_factory=list)
    crashes: dict[Ending, Input] = field(default_factory=dict)
    concretisations: Counter[int] = field(default_factory=Counter)
    left_an_object: bool = False  # some run did; `crashes` may have no room for it
    _seen: set[tuple[int, bool]] = field(default_factory=set)

    def keep(self, values: Input, trace: Trace) -> bool:
        """False for a run that went on too long or left an object: in a build without probes it may end
        otherwise, so that the search should look for a better one."""
        returned = trace.outcome == RETURNED
        key = (trace.points & self.mask, returned)
        if key not in self._seen:
            self._seen.add(key)
            self.runs.append(RunRecord(values, self.runner.ending(), trace.points, self.runner.outputs()))
        if trace.flags & FLAG_APPROXIMATE:
            self._count_concrete(trace)
        if returned:
            return True
        ending = self.runner.ending()
        if len(self.crashes) < MOST_CRASHES:
            self.crashes.setdefault(ending, values)
        left = left_an_object(ending)
        self.left_an_object |= left
        return ending.outcome is not Outcome.TIMED_OUT and not left

    def _count_concrete(self, trace: Trace) -> None:
        for _, place, _, kind in struct.iter_unpack("<IIHH", trace.events):
            if kind == CONCRETE:
                self.concretisations[place] += 1


def explore(
    unit: PreparedUnit, runner: Runner, options: Options, on_tick: Callable[[Ledger, Progress], None]
) -> Exploration:
    """Search until every objective has a verdict or the budget is spent; then say what is proved."""
    ledger, table = Ledger(unit.objectives), TermTable()
    tree = Tree(Decoder(table, runner.node_bytes), Constraints(table, unit.woven.switches))
    keeper = _Keeper(runner, _mask_of(unit))
    solver = _solver(options)
    search = Search(
        runner,
        solver,
        STRATEGIES[options.strategy](),
        tree,
        ledger,
        Budget(options.time_limit, options.max_runs or 0),
        time.perf_counter,
        options.exhaustive,
        keeper.keep,
        lambda progress: on_tick(ledger, progress),
    )
    with collector_paused():
        reason = search.explore([first_input(unit.driver.slots)])
    _conclude(unit, search, reason, keeper.left_an_object)
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
    mask = 0
    for objective in unit.objectives:
        mask |= objective.mask
    return mask


def _conclude(unit: PreparedUnit, search: Search, reason: StopReason, ended_at_a_bound: bool) -> None:
    """Proof by exhaustion where it holds, otherwise the reason why nothing is proved."""
    ledger, progress = search.ledger, search.progress
    if reason is StopReason.EXHAUSTED and search.is_complete:
        if reads_volatile(unit):
            ledger.explain_open(Reason.VOLATILE)
        elif ended_at_a_bound and not is_whole_domain(unit):
            ledger.explain_open(Reason.SHAPE)
        else:
            _refute_exhausted(unit, search)
    elif reason in _REASONS:
        ledger.explain_open(_REASONS[reason])
    elif progress.unknown:
        ledger.explain_open(Reason.SOLVER_TIME_LIMIT)
    elif progress.timed_out:
        ledger.explain_open(Reason.RUNS_DIED)
    else:
        ledger.explain_open(Reason.APPROXIMATE)


_REASONS = {
    StopReason.TIME_LIMIT: Reason.TIME_LIMIT,
    StopReason.RUN_LIMIT: Reason.RUN_LIMIT,
    StopReason.INTERRUPTED: Reason.INTERRUPTED,
}


def left_an_object(ending: Ending) -> bool:
    """True when the run ended because it left an object: where we chose how large that object is, a larger one
    would have let the run go on, to what is not explored."""
    return ending.reason.startswith(BEYOND_AN_OBJECT)


BEYOND_AN_OBJECT = (
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_READ],
    SENTENCES[ReasonCode.OUT_OF_BOUNDS_WRITE],
    SENTENCES[ReasonCode.NULL_DEREFERENCE],
    "SIGSEGV",
    "SIGBUS",
)


def _refute_exhausted(unit: PreparedUnit, search: Search) -> None:
    """Every path of *this shape of inputs* was walked. Where the shape leaves something out (pointers are
    never NULL and never share objects, static locals start as written), a branch that no input decided may
    depend on just that: it stays unknown, and so does what lies behind its other side. Where two pointers could
    lead to one object that is written, every branch may depend on it."""
    is_faithful = is_whole_domain(unit)
    is_separate = is_faithful or not may_share_objects(unit)
    doubtful = frozenset() if is_faithful else _unexplored(unit, search)
    is_unconditional = is_faithful and not unit.driver.assumptions
    proof = Infeasible(Proof.EXHAUSTED, "" if is_unconditional else UNDER_ASSUMPTIONS)
    for objective in search.ledger.open_objectives:
        if is_faithful or (is_separate and _was_decided(unit, search, objective.points, doubtful)):
            search.ledger.refute(objective, proof)
        else:
            search.ledger.explain(objective, Reason.SHAPE)


UNDER_ASSUMPTIONS = "under these assumptions, every path of the function was explored exactly, and none does it"


def _unexplored(unit: PreparedUnit, search: Search) -> frozenset[Node]:
    program, points = unit.program, unit.woven.points
    return unexplored_blocks(program, unit.function.name, points, search.seen, search.tree.symbolic_sites)


def may_share_objects(unit: PreparedUnit) -> bool:
    """True when a caller could let a pointer that is written through lead where another pointer or a global is.
    What is only read may be shared: equal values are among those that were tried."""
    nodes = [node for root in unit.shape.roots for node, _ in walk(root.shape, root.name, str)]
    pointers = [node for node in nodes if isinstance(node, PointsTo)]
    is_written = any(not _is_read_only(unit, node) for node in pointers)
    return bool(pointers) and (bool(unit.shape.globals) or (len(pointers) > 1 and is_written))


def _is_read_only(unit: PreparedUnit, pointer: PointsTo) -> bool:
    return pointer.target != BYTE and is_qualified(unit.ctypes, pointer.target, frozenset({"const"}))


# Library functions whose answer depends on more than their arguments; here they always succeed.
ALLOCATORS = frozenset(
    ("malloc", "calloc", "realloc", "valloc", "aligned_alloc", "posix_memalign", "strdup", "strndup", "reallocarray")
)


def reads_volatile(unit: PreparedUnit) -> bool:
    """True when something that a caller or a device may change under our hands is read."""
    return any(
        instruction.opcode == "load" and instruction.flags & {"volatile", "atomic"}
        for name in reachable_functions(unit.program, unit.function.name)
        for block in unit.program.functions[name].blocks
        for instruction in block.instructions
    )


def is_whole_domain(unit: PreparedUnit) -> bool:
    """True when the slots are everything that a caller could vary."""
    if ALLOCATORS.intersection(unit.interface.undefined_functions):
        return False
    nodes = [node for root in unit.shape.roots for node, _ in walk(root.shape, root.name, str)]
    restricts = any(isinstance(node, PointsTo | Fixed | FixedPointer) for node in nodes)
    return not (restricts or unit.shape.notes or unit.interface.hidden_state or unit.interface.reached_missing)


def _was_decided(unit: PreparedUnit, search: Search, points: tuple[int, ...], doubtful: frozenset[Node]) -> bool:
    """True when inputs, and nothing else, decided the branches that these points are sides of."""
    numbers = unit.woven.points.numbers
    blocks = {(function, block) for (function, block, side), n in numbers.items() if side is not None and n in points}
    sites = {numbers[function, block, 0] for function, block in blocks}
    return bool(sites) and sites <= search.tree.symbolic_sites and not blocks & doubtful
