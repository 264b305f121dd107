"""Explore one unit: build the parts of the search, run it, collect what it found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Infeasible, Reason, Unknown
from tightrope.coverage.witnesses import is_covered
from tightrope.deadline import Deadline
from tightrope.engines.encoding_engine import EncodingCounts, EncodingEngine, is_paranoid
from tightrope.engines.turns import take_turns
from tightrope.expr.terms import TermTable
from tightrope.inputs.draws import drawn_slots
from tightrope.inputs.scalars import Input, first_input
from tightrope.inputs.shape import Leaf, slot_of
from tightrope.inputs.texts import program_texts, texts_of
from tightrope.library.libc_models import FOPEN, PREFIX, STDIN_AS_FILE
from tightrope.options.options import Options
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.running.dive import Dive, DiveCode
from tightrope.running.draw_limit import DrawLimit
from tightrope.running.endings import SENTENCES
from tightrope.running.memory_map import ReasonCode
from tightrope.running.run_record import Ending, RunRecord
from tightrope.running.runner import Runner
from tightrope.search.aim import Obligation
from tightrope.search.budget import Budget, StopReason
from tightrope.search.constraints import Constraints
from tightrope.search.coverage_structure import CoverageStructure
from tightrope.search.decode import Decoder
from tightrope.search.dictionary import make_dictionary
from tightrope.search.diving import dive
from tightrope.search.filtered import Filtered
from tightrope.search.fuzzing import Fuzzer, Ingredients
from tightrope.search.kept_runs import KeptRuns
from tightrope.search.loop import Progress, Search, SearchParts
from tightrope.search.observed import Observations
from tightrope.search.path_bound import PathBound
from tightrope.search.path_tree import PathTree
from tightrope.search.review import Review
from tightrope.search.seeds import fitting_values, make_seeds
from tightrope.search.strategies import STRATEGIES
from tightrope.search.strategies.aims_first import AimsFirst
from tightrope.search.strategies.interleaved import Interleaved
from tightrope.search.strategies.late_last import LateLast
from tightrope.search.strategies.restarting import Restarting
from tightrope.search.strategy import Strategy
from tightrope.solving.backends import is_installed
from tightrope.solving.chain import build_chain
from tightrope.solving.solver import Solver
from tightrope.soundness.behind import refute_what_is_behind
from tightrope.soundness.exhaustion import prove
from tightrope.soundness.shape_limits import input_nodes
from tightrope.units.build import dive_object
from tightrope.units.marked_program import is_direct
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.mark_table import points_of_obligations

LEAST_SECONDS_FOR_ERRORS = 1.5  # after everything is covered; more if that took longer
MOST_SECONDS_FOR_ERRORS = 3.0
LEAST_TRIES_FOR_ERRORS = 64  # if nothing suggests that there is one


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
    reached: dict[str, tuple[Ending, Input]]  # by objective that is only reached by runs that crash or do not end: one
    concretisations: Counter[int]  # by place
    pinned: Counter[int]  # values by place
    encoding: EncodingCounts
    formulas: dict[str, str]  # by objective: the hash of the formula that has no solution
    has_run: bool = True  # some run was not rejected
    warnings: tuple[str, ...] = ()  # about bugs of ours


def build_solver(options: Options) -> Solver:
    """The solver with its layers. Paranoid mode evaluates every model and asks a second solver if one is installed."""
    is_careful = is_paranoid()
    other = {"bitwuzla": "z3", "z3": "bitwuzla"}[options.solver]
    return build_chain(
        options.solver,
        time_limit=options.solver_time_limit,
        seed=options.seed,
        second_opinion=other if is_careful and is_installed(other) else "",
        validates=is_careful,
        deadline=Deadline.after(options.time_limit),
    )


def build_strategy(options: Options, structure: CoverageStructure, source: Random) -> Strategy:
    def make() -> Strategy:
        every = [STRATEGIES[name](structure, source) for name in options.strategy.split(",")]
        return every[0] if len(every) == 1 else Interleaved(every)

    return Restarting(make, structure, source, options.restart_after) if options.restart_after else make()


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier exploration of the same function found, with a smaller shape of its inputs; or the inputs of
    tests that are there before the first one."""

    inputs: tuple[Input, ...] = ()  # for the shape of the next one
    infeasible: Mapping[str, Infeasible] = field(default_factory=dict)  # by objective: a proof is about all callers
    formulas: Mapping[str, str] = field(default_factory=dict)
    is_of_same_code: bool = False  # an earlier command made tests of these inputs: it has run the seeds, too


NOTHING_KNOWN = Known()


@dataclass(frozen=True, slots=True)
class ExploreParts:
    """The parts of a search that experiments and tests may replace."""

    build_solver: Callable[[Options], Solver] = build_solver
    build_strategy: Callable[[Options, CoverageStructure, Random], Strategy] = build_strategy
    build_filter: Callable[[Strategy, CoverageStructure], Filtered] = Filtered
    build_search: Callable[[SearchParts], Search] = Search
    clock: Callable[[], float] = time.perf_counter


USUAL_PARTS = ExploreParts()


def explore(
    unit: PreparedUnit,
    runner: Runner,
    options: Options,
    on_tick: Callable[[Ledger, Progress], None],
    *,
    seeds: Sequence[Input] = (),
    first: Sequence[Input] = (),
    known: Known = NOTHING_KNOWN,
    has_alternative: Callable[[], bool] | None = None,
    share_of_shape: float = 1.0,
    looks_for_errors: bool = True,
    review: Review | None = None,
    parts: ExploreParts = USUAL_PARTS,
) -> Exploration:
    """Explore until every objective has a verdict or the budget is spent; then conclude what is proved. `seeds` replace
    the usual inputs with which the search starts. `first` inputs come in addition and are run before anything else;
    then the encoding has the first turn. They are for callers that want only few objectives: see take_turns. `known` is
    what another exploration of the function found; `has_alternative` is asked when nothing new is found, and when
    that share of the budget is spent: if so, stop. `review` may drop objectives that are still open after some time.
    """
    ledger = Ledger(unit.objectives)
    for objective in unit.objectives:
        if objective.id in known.infeasible:
            ledger.refute(objective, known.infeasible[objective.id])
    kept = KeptRuns(runner, _mask_of(unit), ledger.error_points, tuple(_lengths(unit)))
    built = _build_search(unit, runner, ledger, options, parts, kept, on_tick, review)
    search = built.search
    if search.parts.fuzzer is not None:
        search.parts.fuzzer.offer(known.inputs)
    with collector_paused():
        engine = EncodingEngine(unit, search, options, parts.clock)
        starts = seeds or ([] if known.is_of_same_code else _seeds(unit, kept, options))
        has_formulas = options.keep_proofs is not None or options.cross_check
        conclude = None if has_formulas else partial(prove, unit, search, StopReason.EXHAUSTED, kept)
        stop = take_turns(
            search, engine, starts, options, first, known.inputs, has_alternative, conclude, share_of_shape
        )
        search.progress.filtered = sum(each.filtered for each in built.filters)
        prove(unit, search, stop, kept)
        engine.explain_open()
        refute_what_is_behind(unit, ledger, search.findings.seen)
        stop = _review_at_end(search, stop)
        _name_sequence(ledger, unit.interface.sequence)
        examples = _explain_reached(ledger, kept)
        if looks_for_errors and stop in (StopReason.DONE, StopReason.EXHAUSTED):
            _look_for_errors(built, is_brief=known.is_of_same_code)
        is_whole = not search.pace.was_interrupted
        if unit.woven.marks.labels:
            is_whole &= kept.complete(Deadline.after(options.time_limit - search.progress.seconds))
        stop = stop if is_whole else StopReason.INTERRUPTED  # the command ends; verdicts are what they were before
    return Exploration(
        ledger=search.ledger,
        stop_reason=stop,
        progress=search.progress,
        solver=search.parts.solver,
        paths=search.tree.paths,
        runs=kept.runs,
        crashes=kept.crashes,
        reached=examples,
        concretisations=kept.concretisations,
        pinned=search.tree.pinned,
        encoding=engine.counts,
        formulas={**known.formulas, **engine.formulas},
        has_run=bool(kept.runs) or kept.has_died,
        warnings=tuple(engine.warnings),
    )


@dataclass(frozen=True, slots=True)
class _BuiltSearch:
    """A search, and the layers of its strategy: aims first, then late candidates last, then a filter for each part of
    them. A filter around all of them would give late candidates more turns than is meant: LateLast counts its picks,
    and most of those that a filter takes are irrelevant and never tried."""

    search: Search
    late_last: LateLast
    filters: tuple[Filtered, ...]


def _build_search(
    unit: PreparedUnit,
    runner: Runner,
    ledger: Ledger,
    options: Options,
    parts: ExploreParts,
    kept: KeptRuns,
    on_tick: Callable[[Ledger, Progress], None],
    review: Review | None,
) -> _BuiltSearch:
    table, source = TermTable(), Random(options.seed)
    constraints = Constraints(table, unit.woven.switches)
    observations = _observations(unit, constraints)
    structure = _structure(unit, ledger, observations, options)
    strategies = [parts.build_strategy(options, structure, source) for _ in range(3)]
    is_unfiltered = options.no_filter or options.exhaustive
    filters = () if is_unfiltered else tuple(parts.build_filter(each, structure) for each in strategies)
    late_last = LateLast(*(filters or strategies))
    limited = DrawLimit.of(runner, unit.shape)
    search_parts = SearchParts(
        runner=runner if limited.is_settled else limited,
        solver=parts.build_solver(options),
        strategy=AimsFirst(late_last) if observations.obligations else late_last,
        tree=PathTree(
            Decoder(table, runner.node_bytes), constraints, follows_null=options.exhaustive, observations=observations
        ),
        ledger=ledger,
        structure=structure,
        fuzzer=_fuzzer(unit, runner, options),
        budget=Budget(options.time_limit, options.max_runs or 0),
        bound=PathBound(options.search_depth, options.loop_bound),
        clock=parts.clock,
        is_exhaustive=options.exhaustive,
        label_deletion=options.label_deletion,
        dive=_dive(unit, runner, options, parts),
        on_run=kept.keep,
        on_tick=lambda progress: on_tick(ledger, progress),
        review=review,
    )
    return _BuiltSearch(parts.build_search(search_parts), late_last, filters)


def _dive(
    unit: PreparedUnit, runner: Runner, options: Options, parts: ExploreParts
) -> Callable[[Search, Sequence[Input]], StopReason | None]:
    """All paths, depth first, are explored in compiled code, unless something needs to see each of them."""
    is_plain = options.strategy == "dfs" and not (options.restart_after or options.search_depth or options.loop_bound)
    is_watched = parts != USUAL_PARTS or not isinstance(runner, Runner) or runner.is_noting or is_paranoid()
    if not options.exhaustive or not is_plain or is_watched or is_direct(options) or drawn_slots(unit.shape):
        return lambda search, seeds: None

    def open_dive() -> Dive:
        code = DiveCode.of(dive_object(unit.file.compiler), runner.worker.folder)
        return Dive(code, runner, unit.woven.switches)

    return lambda search, seeds: dive(search, seeds, open_dive)


def _structure(unit: PreparedUnit, ledger: Ledger, observations: Observations, options: Options) -> CoverageStructure:
    when = [each.when for each in observations.obligations]
    graph = build_point_graph(unit.program, unit.function.name, unit.woven.points, unit.woven.marks, when)
    return CoverageStructure(graph, ledger.open_points, options.pps_depth)


def _seeds(unit: PreparedUnit, kept: KeptRuns, options: Options) -> list[Input]:
    """The first inputs. If every path is explored anyway, one is enough."""
    if options.exhaustive:
        return [first_input(unit.driver.slots)]
    limits = {slot_of(leaf): leaf.most for leaf in kept.lengths if leaf.most is not None}
    constants = collect_constants(unit.program, unit.function.name)
    return make_seeds(unit.driver.slots, constants, limits, program_texts(unit.shape))


def _fuzzer(unit: PreparedUnit, runner: Runner, options: Options) -> Fuzzer | None:
    """If every path is explored anyway, there is nothing to find by chance."""
    texts = texts_of(unit.shape)
    if not unit.driver.slots or options.exhaustive or options.no_fuzzing or is_direct(options):
        return None

    def find_ingredients() -> Ingredients:
        constants = collect_constants(unit.program, unit.function.name, f"@{PREFIX}")
        opens = any(f"@{PREFIX}{name}" in unit.program.functions for name in FOPEN)
        further = [STDIN_AS_FILE] if opens else []
        numbers = fitting_values(unit.driver.slots, constants, without=texts.slots)
        limits = {slot_of(leaf): leaf.most for leaf in _lengths(unit) if leaf.most is not None}
        return Ingredients(make_dictionary(constants, further), numbers, unit.driver.slots, limits)

    is_for_program = bool(program_texts(unit.shape))
    return Fuzzer(texts, find_ingredients, runner.try_input, options.seed, is_for_program=is_for_program)


def _review_at_end(search: Search, stop: StopReason) -> StopReason:
    """For what is open although nothing is left to try, or the budget is spent."""
    if stop is StopReason.INTERRUPTED or search.ledger.is_done:
        return stop
    try:
        search.review()
    except KeyboardInterrupt:
        search.pace.was_interrupted = True
    search.finish()
    return StopReason.DONE if search.ledger.is_done else stop


def _look_for_errors(built: _BuiltSearch, *, is_brief: bool) -> None:
    """When nothing more can be covered, drop aims and the filter, and search for run-time errors; `is_brief`: only
    where something suggests one."""
    search, dropped = built.search, [each for part in built.filters for each in part.dropped]
    for part in built.filters:
        part.stop_filtering()
    tries = 0 if is_brief else max(LEAST_TRIES_FOR_ERRORS, search.progress.runs)
    built.late_last.look_for_errors(dropped, tries)
    seconds = min(LEAST_SECONDS_FOR_ERRORS + search.progress.seconds, MOST_SECONDS_FOR_ERRORS)
    search.go_on(built.late_last, seconds)


def _name_sequence(ledger: Ledger, sequence: str) -> None:
    """Say within which calls no run covers an objective."""
    for objective in ledger.open_objectives:
        verdict = ledger.verdict(objective)
        if isinstance(verdict, Unknown) and verdict.reason is Reason.MORE_CALLS:
            sentence = f"no run was found that covers it within `{sequence}`; more calls may"
            ledger.explain(objective, verdict.reason, sentence)


def _explain_reached(ledger: Ledger, kept: KeptRuns) -> dict[str, tuple[Ending, Input]]:
    """Say of open objectives that runs cover them, although these do not count; return one such run for each."""
    examples: dict[str, tuple[Ending, Input]] = {}
    for objective in ledger.open_objectives:
        for reason, runs in ((Reason.ONLY_CRASHING, kept.crashed), (Reason.ONLY_ENDLESS, kept.endless)):
            mine = [runs[point] for point in objective.points if point in runs]
            if mine and is_covered(objective, ledger.hit_points | sum(1 << point for point in runs)):
                is_stuck = mine[0][0].reason.startswith(SENTENCES[ReasonCode.ENDLESS])
                ledger.explain(objective, Reason.ONLY_STUCK if is_stuck else reason)
                examples.setdefault(objective.id, mine[0])
                break
    return examples


def _lengths(unit: PreparedUnit) -> Iterator[Leaf]:
    return (node for node in input_nodes(unit) if isinstance(node, Leaf) and node.most is not None)


def _observations(unit: PreparedUnit, constraints: Constraints) -> Observations:
    marks, points = unit.woven.marks, unit.woven.points
    obligations = [Obligation(when) for when in points_of_obligations(marks, points)]
    return Observations(constraints, obligations, len(marks.labels))


def _mask_of(unit: PreparedUnit) -> int:
    """The points by which runs differ. Covered labels are skipped, so runs with different paths may differ in labels,
    too."""
    if unit.woven.marks.labels:
        return -1
    mask = 0
    for objective in unit.objectives:
        mask |= objective.mask
    return mask
