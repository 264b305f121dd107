"""What a search that has ended proves; otherwise, for each objective that is open, why nothing is proved."""

from __future__ import annotations

from collections.abc import Callable

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Infeasible, Proof, Reason
from tightrope.library.verifier_functions import ASSUME
from tightrope.program.flow.control_flow import Node
from tightrope.running.memory_map import FLAG_BOUND, FLAG_OBSERVATIONS_FULL
from tightrope.search.budget import StopReason
from tightrope.search.kept_runs import Keeper
from tightrope.search.loop import Search
from tightrope.soundness.decided import find_deciders
from tightrope.soundness.shape_limits import (
    depends_on_more,
    has_bounds,
    is_whole_domain,
    may_share_objects,
    reads_volatile,
)
from tightrope.soundness.unexplored import unexplored_blocks
from tightrope.soundness.unfinished import unfinished_evaluations, unfinished_points
from tightrope.units.prepared import PreparedUnit


def prove(unit: PreparedUnit, search: Search, reason: StopReason, keeper: Keeper) -> None:
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


def _felt_a_bound(unit: PreparedUnit, search: Search, keeper: Keeper) -> bool:
    """True when some run read what is only there because the shape ends, also one that was rejected then; or left an
    object, of which we may have chosen the size."""
    return bool(search.flags & FLAG_BOUND) or (keeper.left_an_object and has_bounds(unit))


_REASONS = {
    StopReason.TIME_LIMIT: Reason.TIME_LIMIT,
    StopReason.RUN_LIMIT: Reason.RUN_LIMIT,
    StopReason.INTERRUPTED: Reason.INTERRUPTED,
}


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
