"""Looks for inputs that kill mutants (criterion `mutation`).

    search for inputs that reach and infect    weak mutation (`wm`) is the guide: its labels hold where a mutant has
                                               another value at the place of the mutation
    run them as tests on all mutants           mutant_judge.py

The runs that are found carry the points of the mutants that they kill, so the suite is reduced as for other criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tightrope.commands.generate.mutant_judge import MutantJudge
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.engines.explore import Exploration
from tightrope.options.options import Options
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.units.prepared import PreparedUnit

MUTATION = StrongMutation.name
GUIDES = ("branch", "wm")  # what the search covers, to find inputs that kill
SHARE_OF_SEARCH = 0.5  # of the time
MOST_RUNS = 200  # that are run as tests on all mutants
KILLERS = 6  # tests that are looked for, for each mutant, so that few tests kill all


def wants_mutants(options: Options) -> bool:
    return MUTATION in options.criteria


def with_guides(options: Options) -> Options:
    """The options for preparing a unit and for the search."""
    criteria = tuple(dict.fromkeys((*options.criteria, *GUIDES)))
    return replace(options, criteria=criteria, time_limit=SHARE_OF_SEARCH * options.time_limit)


def to_search(unit: PreparedUnit) -> PreparedUnit:
    """The unit with what a search can cover."""
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.criterion != MUTATION))


def wanted_of(unit: PreparedUnit, options: Options) -> PreparedUnit:
    """The unit with what was asked for, without guides."""
    return replace(unit, objectives=tuple(each for each in unit.objectives if each.criterion in options.criteria))


def kill_mutants(
    unit: PreparedUnit, found: Exploration, options: Options, on_stage: Callable[[str], None]
) -> Exploration:
    """What the search found, with verdicts for mutants. `unit` has the objectives that were asked for."""
    on_stage("running mutants")
    judge = MutantJudge(unit, options)
    runs = judge.judge(_choose_candidates(found), SHARE_OF_SEARCH * options.time_limit, KILLERS)
    ledger = _new_ledger(unit.objectives, found, runs, judge.mask)
    for objective in ledger.open_objectives:
        if objective.criterion == MUTATION:
            ledger.explain(objective, Reason.ALIVE)
    return replace(found, ledger=ledger, runs=[*runs, *(run for run in found.runs if run.input not in _inputs(runs))])


def _inputs(runs: Sequence[RunRecord]) -> frozenset[tuple[int, ...]]:
    return frozenset(run.input for run in runs)


def _choose_candidates(found: Exploration) -> list[RunRecord]:
    """Runs that return, those first that cover something new."""
    first: list[RunRecord] = []
    others: list[RunRecord] = []
    seen = 0
    for run in found.runs:
        if run.ending.outcome is Outcome.RETURNED:
            (first if run.points & ~seen else others).append(run)
            seen |= run.points
    return [*first, *others][:MOST_RUNS]


def _new_ledger(objectives: Sequence[Objective], found: Exploration, runs: Sequence[RunRecord], mask: int) -> Ledger:
    """The verdicts of the search for what was asked for, and the mutants that the runs kill."""
    ledger = Ledger(objectives)
    ledger.adopt(found.ledger)
    for number, run in enumerate(runs):
        ledger.record(run.points & mask, number)
    return ledger
