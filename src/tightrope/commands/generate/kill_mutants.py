"""Looks for inputs that kill mutants (criterion `mutation`).

    search for inputs that reach and infect    weak mutation (`wm`) is the guide: its labels hold where a mutant has
                                               another value at the place of the mutation
    run them, and samples, as tests            commands/measure/mutant_judge.py
    for what is alive, ask the formula of      equality/equivalent_mutants.py: an input on which they differ is run as a
    function and mutant                        test, too; where there is none, the mutant is equivalent

The runs that are found carry the points of the mutants that they kill, so the suite is reduced as for other criteria.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from tightrope.commands.measure.mutant_judge import MutantJudge, can_be_a_test
from tightrope.coverage.criteria.mutation import StrongMutation
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.verdict import Infeasible, Reason, Unknown
from tightrope.deadline import NEVER, Deadline
from tightrope.engines.explore import Exploration
from tightrope.equality.difference_search import sample_inputs
from tightrope.equality.equivalent_mutants import ComparedMutant, MutantComparer, compare_all
from tightrope.equality.unchanged_values import find_twins
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.program.declarations.sequence import DEFAULT_CALLS
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.marks.mutants import SourceMutant
from tightrope.running.run_record import RunRecord
from tightrope.running.runner import Runner
from tightrope.units.prepared import PreparedUnit

MUTATION = StrongMutation.name
SHARE_OF_KILLING = 0.85  # of the time limit: when it ends
MOST_RUNS = 200  # that are run as tests on all mutants
LEAST_SECONDS = 2.0
MORE_INPUTS = 4  # for a mutant, if tests do not show what the formula says
NOT_ASKED = "the time limit was reached"
NOT_CHECKED = "according to the formula of both, inputs exist on which they differ, but no test fails for them"
NOT_RUN = "according to the formula of both, inputs exist on which they differ, but no time was left to test them"
NO_KILLER = "no input was found for which a test fails, and the formula of both decides nothing"
SEQUENCE = " (a sequence of calls may show what `{}` keeps: --sequence '{}*{}')"
UNCHANGED = "the changed expression never has another value"
UNREACHED = "the changed statement is never reached"
SAMPLES = 60
KILLERS = 3  # tests that are looked for, for each mutant, so that few tests kill all


def kill_mutants(
    unit: PreparedUnit,
    runner: Runner,
    found: Exploration,
    options: Options,
    on_stage: Callable[[str], None],
    deadline: Deadline = NEVER,
) -> Exploration:
    """What the search found, with verdicts for mutants. `unit` has the objectives that were asked for."""
    killing = _Killing(unit, runner, found, options, deadline)
    on_stage("running mutants")
    killing.try_runs(_choose_candidates(found))
    killing.try_samples()
    on_stage("comparing mutants")
    killing.take_proofs()
    killing.ask_formulas()
    return killing.conclude()


class _Killing:
    """Kills the mutants of a unit, by runs that are there and by those that formulas find."""

    def __init__(
        self, unit: PreparedUnit, runner: Runner, found: Exploration, options: Options, deadline: Deadline
    ) -> None:
        self._unit, self._runner, self._found, self._options = unit, runner, found, options
        self._judge = MutantJudge(unit, runner, options, deadline)
        left = deadline.left - (1 - SHARE_OF_KILLING) * options.time_limit
        self._end = time.perf_counter() + min(max(left, LEAST_SECONDS), options.time_limit)
        self._runs: dict[Input, RunRecord] = {}
        self._tried: set[Input] = set()
        self._ledger = Ledger(unit.objectives)
        self._ledger.adopt(found.ledger)
        self._formulas = dict(found.formulas)
        self._undecided: dict[str, str] = {}  # by id: why the formula decided nothing
        self._unshown: dict[str, set[Input]] = {}  # by id: inputs on which it differs, according to the formula

    @property
    def _left(self) -> float:
        return self._end - time.perf_counter()

    @property
    def _alive(self) -> dict[str, SourceMutant]:
        numbers = {each.id: self._unit.woven.points.mutant_at(each.points) for each in self._ledger.open_objectives}
        return {key: self._unit.marks.mutants[number - 1] for key, number in numbers.items() if number is not None}

    def try_runs(self, runs: Sequence[RunRecord]) -> None:
        """Run them as tests on all mutants that are alive, if there is time. Runs that crash or do not end become no
        tests."""
        if not self._judge.has_time:
            return
        self._tried.update(run.input for run in runs)
        open_points = {point for each in self._ledger.open_objectives for point in each.points}
        self._judge.left_out = frozenset(self._unit.woven.points.mutants) - open_points
        kept = [run for run in runs if can_be_a_test(run)]
        for run in self._judge.judge(kept, max(self._left, LEAST_SECONDS), KILLERS):
            known = self._runs.get(run.input)
            self._runs[run.input] = replace(run, points=run.points | known.points) if known else run
            self._ledger.record(run.points & self._judge.mask, len(self._runs))

    def try_samples(self) -> None:
        """Run inputs that are made of the constants of the unit, as tests on the mutants that are alive."""
        unit = self._unit
        constants = [collect_constants(unit.program, unit.function.name)]
        samples = islice(sample_inputs(unit.driver.slots, constants, Random(self._options.seed)), SAMPLES)
        fresh = [values for values in dict.fromkeys(samples) if values not in self._tried]
        if self._alive and unit.driver.slots:
            self.try_runs([self._runner.record(values) for values in fresh])

    def take_proofs(self) -> None:
        """What the search has proved about labels: an expression never has another value, or is never reached."""
        known = {
            point: each for each in self._found.ledger.objectives for point in each.points if len(each.points) == 1
        }
        objectives = {each.id: each for each in self._ledger.objectives}
        for twin in find_twins(self._unit, self._alive):
            weak = known.get(twin.point)
            verdict = self._found.ledger.verdict(weak) if weak else None
            is_open = isinstance(self._ledger.verdict(objectives[twin.mutant]), Unknown)  # a mutant may have two twins
            if weak and isinstance(verdict, Infeasible) and is_open:
                claim = f"{UNREACHED if twin.is_reach else UNCHANGED}: {verdict.sentence or verdict.proof.sentence}"
                self._ledger.engine = self._found.ledger.decided_by.get(weak.id, self._ledger.engine)
                self._ledger.refute(objectives[twin.mutant], replace(verdict, sentence=claim))
                if weak.id in self._found.formulas:
                    self._formulas[twin.mutant] = self._found.formulas[weak.id]

    def ask_formulas(self) -> None:
        """Ask for inputs on which a mutant differs. Where a test does not show the difference, ask for more of them."""
        comparer = MutantComparer(self._unit, self._options)
        self._note(comparer.find_unchanged(self._alive, self._left), is_hasty=True)
        for most_inputs in (1, MORE_INPUTS):
            left = {key: each for key, each in self._alive.items() if key not in self._undecided}
            is_hasty = most_inputs == 1
            compared = compare_all(comparer, left, self._left, most_inputs, is_hasty=is_hasty)
            self._note(compared, is_hasty=is_hasty)
            inputs = [values for each in compared.values() for values in each.inputs if values not in self._tried]
            if inputs:
                self.try_runs([self._runner.record(values) for values in dict.fromkeys(inputs)])

    def _note(self, compared: Mapping[str, ComparedMutant], *, is_hasty: bool) -> None:
        """Proofs, and reasons why there is none. A hasty answer with inputs is none: what they do not kill is asked
        about again."""
        objectives = {each.id: each for each in self._ledger.objectives}
        for key, each in compared.items():
            if each.verdict == "equivalent":
                self._ledger.engine = "encoding"
                self._ledger.refute(objectives[key], each.proof)
                if each.formula:
                    self._formulas[key] = each.formula
            elif each.verdict == "different":
                self._unshown.setdefault(key, set()).update(each.inputs)
            elif not (is_hasty and each.inputs):
                self._undecided[key] = each.reason

    def conclude(self) -> Exploration:
        for objective in self._ledger.open_objectives:
            if objective.criterion == MUTATION:
                self._ledger.explain(objective, Reason.ALIVE, self._why_alive(objective.id))
        others = [run for run in self._found.runs if run.input not in self._runs]
        runs = [*self._runs.values(), *others]
        return replace(self._found, ledger=self._ledger, runs=runs, formulas=self._formulas)

    def _why_alive(self, key: str) -> str:
        if key in self._unshown:
            return f"{NOT_CHECKED}{self._advice}" if self._unshown[key] & self._tried else NOT_RUN
        why = f"{self._undecided[key]}{self._advice}" if key in self._undecided else NOT_ASKED
        return f"{NO_KILLER}: {why}"

    @property
    def _advice(self) -> str:
        """What may help where one call cannot show what it leaves to the next."""
        interface = self._unit.interface
        state = [name for name in interface.inherited_state if name != "errno"]
        return SEQUENCE.format(state[0], interface.name, DEFAULT_CALLS) if state else ""


def _choose_candidates(found: Exploration) -> list[RunRecord]:
    """Runs that can be tests, those first that cover something new."""
    first: list[RunRecord] = []
    others: list[RunRecord] = []
    seen = 0
    for run in found.runs:
        if can_be_a_test(run):
            (first if run.points & ~seen else others).append(run)
            seen |= run.points
    return [*first, *others][:MOST_RUNS]
