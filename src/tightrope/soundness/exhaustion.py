"""What a finished search proves about each open objective, or why it proves nothing.

A proof needs that every path for *this shape of inputs* was explored, and that no run reached a bound of the shape.
What a caller could do beyond the shape, and what runs do not show, is in the table of doubts.
"""

from __future__ import annotations

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Infeasible, Proof, Reason
from tightrope.running.memory_map import FLAG_ADDRESS, FLAG_BOUND, FLAG_OBSERVATIONS_FULL, FLAG_UNWRITTEN
from tightrope.search.budget import StopReason
from tightrope.search.kept_runs import KeptRuns
from tightrope.search.loop import Search
from tightrope.search.observed import Observations
from tightrope.soundness.doubts import ProofKind, RunFacts, UnitDoubts
from tightrope.soundness.evidence import Evidence
from tightrope.soundness.shape_limits import has_bounds
from tightrope.units.prepared import PreparedUnit

UNDER_ASSUMPTIONS = "under these assumptions, every path that can lead there was explored exactly, and none covers it"


def prove(unit: PreparedUnit, search: Search, stop: StopReason, kept: KeptRuns) -> None:
    """Refute open objectives by exhaustion where that is sound; give the others a reason."""
    ledger, doubts = search.ledger, UnitDoubts(unit, ProofKind.EXHAUSTION)
    doubt = doubts.about_all(_gather_facts(unit, search, stop, kept))
    if doubt is not None:
        ledger.explain_open(doubt)
        return
    assert search.tree.observations is not None
    observations, lost = search.tree.observations, search.lost
    evidence = _gather_evidence(doubts, search, observations, kept.has_died)
    proof = Infeasible(Proof.EXHAUSTED, "" if doubts.is_unconditional else UNDER_ASSUMPTIONS)
    for objective in ledger.open_objectives:
        observed = _doubt_observed(observations, search.findings.flags, objective)
        doubt = evidence.doubt_about(objective, is_lost=bool(objective.mask & lost), observed=observed)
        if doubt is not None:
            ledger.explain(objective, doubt)
        else:
            ledger.refute(objective, proof)


def _gather_facts(unit: PreparedUnit, search: Search, stop: StopReason, kept: KeptRuns) -> RunFacts:
    return RunFacts(
        stop,
        search.is_complete,
        gave_up=bool(search.progress.unknown),
        is_bounded=bool(search.findings.beyond),
        has_timed_out=bool(search.progress.timed_out),
        reached_a_bound=bool(search.findings.flags & FLAG_BOUND),
        left_an_object=kept.left_an_object and has_bounds(unit),
        fails_a_check=kept.failed_a_check,
        uses_unwritten=bool(search.findings.flags & FLAG_UNWRITTEN),
        depends_on_addresses=bool(search.findings.flags & FLAG_ADDRESS),
    )


def _gather_evidence(doubts: UnitDoubts, search: Search, observations: Observations, has_died: bool) -> Evidence:
    seen, sites = search.findings.seen, frozenset(search.tree.symbolic_sites)
    return Evidence(
        doubts,
        hit=seen,
        has_died=has_died,
        seen=(seen,),
        path_sites=sites,
        sites=sites | observations.sites,
        obligations=frozenset(number for number, each in enumerate(observations.obligations) if each.was_decided),
    )


def _doubt_observed(observations: Observations, flags: int, objective: Objective) -> Reason | None:
    """Why the runs may not have observed all values of the labels and conditions of the objective."""
    needed = [each for each in observations.obligations if each.points & objective.mask]
    if needed and flags & FLAG_OBSERVATIONS_FULL:
        return Reason.APPROXIMATE
    return next((each.doubt for each in needed if each.doubt is not None), None)
