"""Runs one input on two versions of a function and compares their behaviour.

Compared are the result, all observed memory, the number of calls of stubs, and how the run ended. Values are compared
by meaning: a pointer by what it points to, an enum by its member; NaN equals NaN.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tightrope.commands.diff.comparing.compared_outputs import compare_outputs, find_remarks
from tightrope.commands.generate.unit_report import named_ending
from tightrope.equality.correspondence import CALLS, Correspondence, Inventory, replaced_functions
from tightrope.harness.pointer_outputs import describe_pointer
from tightrope.inputs.draws import limits
from tightrope.inputs.input_paths import any_number
from tightrope.inputs.scalars import Human, Input, decode
from tightrope.inputs.shape import objects_of
from tightrope.report.difference_model import ReportedObservation
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.running.runner import Runner
from tightrope.units.prepared import PreparedUnit

OUTCOME = "outcome"
OTHER_PARAMETERS = "the function has different parameters now: no input can be passed to both versions"
_DEFINED = ("abort", "assertion failed")  # other crashes are undefined behaviour: two of them count as the same


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The behaviour of one version in one run."""

    ending: Ending
    outputs: Mapping[str, Human]  # by path, as in C
    record: RunRecord


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which the versions behave differently; `input` is that of the new one."""

    input: Input
    old_input: Input
    old: Behaviour
    new: Behaviour
    observations: tuple[ReportedObservation, ...]

    @property
    def things(self) -> tuple[tuple[str, ...], ...]:
        """What differs, each with how the runs end; elements of one array count once."""
        outcomes = (self.old.ending.outcome.value, self.new.ending.outcome.value)
        return tuple(sorted({(*outcomes, any_number(each.what)) for each in self.observations}))

    @property
    def kind(self) -> tuple[str, ...]:
        """Differences of one kind count as one for users."""
        return tuple(" ".join(each) for each in self.things)


class Comparer:
    """Runs inputs on both versions."""

    def __init__(self, old: PreparedUnit, old_runner: Runner, new: PreparedUnit, new_runner: Runner) -> None:
        self.old, self.new = old, new
        self.match = Correspondence.of(old, new)
        self.is_possible = len(old.shape.parameters) == len(new.shape.parameters)
        self.remarks = find_remarks(self.match) if self.is_possible else (OTHER_PARAMETERS,)
        self._old_runner, self._new_runner = old_runner, new_runner
        self._replaced = {
            *replaced_functions(self.match.old, self.match.new),
            *replaced_functions(self.match.new, self.match.old),
        }
        self._most_draws = max(limits(old.shape)[1], limits(new.shape)[1])
        self.steps = 0  # of the longer of the latest two runs
        self._compared: set[tuple[Input, Input]] = set()

    @property
    def inputs(self) -> int:
        """The number of distinct inputs that were run on both."""
        return len(self._compared)

    def to_old(self, values: Input) -> Input:
        """An input of the new version as one of the old version; the first input if it has none."""
        found = self.match.to_old(values)
        return self.match.to_old.start if found is None else found

    def to_new(self, values: Input) -> Input:
        found = self.match.to_new(values)
        return self.match.to_new.start if found is None else found

    def compare(self, values: Input) -> Difference | None:
        """`values` are of the new version. None if both behave the same, or if one of them cannot have this input."""
        pinned = self.match.pin(values)
        other = self.match.to_old(pinned)
        return None if other is None else self.compare_pair(other, pinned)

    def compare_old(self, values: Input) -> Difference | None:
        """`values` are of the old version, which may read inputs that the new one no longer reads."""
        pinned = self.match.pin(values, is_old=True)
        other = self.match.to_new(pinned)
        return None if other is None else self.compare_pair(pinned, other)

    def compare_pair(self, old_values: Input, new_values: Input) -> Difference | None:
        """Compare runs of one input, given as each version has it."""
        difference, is_compared = self._compare(old_values, new_values)
        if is_compared:
            self._compared.add((old_values, new_values))
        return difference

    def vary(self, difference: Difference, values: Input) -> Difference | None:
        """The same difference with other values of the new version; inputs that only the old one reads stay."""
        pinned = self.match.pin(values)
        other = self.match.to_old(pinned, difference.old_input)
        found = self._compare(other, pinned)[0] if other is not None else None
        return found if found and found.kind == difference.kind else None

    def _compare(self, old_values: Input, new_values: Input) -> tuple[Difference | None, bool]:
        """The difference, and whether both versions accept the input."""
        if not self.is_possible:
            return None, False
        old, new = self._run(self._old_runner, old_values), self._run(self._new_runner, new_values)
        self.steps = max(old.steps, new.steps)
        is_rejected = Outcome.REJECTED in (old.ending.outcome, new.ending.outcome)
        if is_rejected or _calls(self.match.old, old, self._replaced) or _calls(self.match.new, new, self._replaced):
            return None, False
        observations = self._observations(old, new)
        if not observations:
            return None, True
        behaviours = _behave(self.match.old, old), _behave(self.match.new, new)
        return Difference(new_values, old_values, *behaviours, observations), True

    def _run(self, runner: Runner, values: Input) -> RunRecord:
        """Run, with the same limit on draws for both versions."""
        runner.limit_draws(self._most_draws)
        return runner.record(values)

    def _observations(self, old: RunRecord, new: RunRecord) -> tuple[ReportedObservation, ...]:
        if not _end_alike(old.ending, new.ending):
            endings = (named_ending(self.old, old.ending), named_ending(self.new, new.ending))
            return (ReportedObservation(OUTCOME, *map(describe, endings)),)
        if old.ending.outcome is Outcome.TIMED_OUT:
            return ()
        return tuple(compare_outputs(self.match, old, new))


def _behave(version: Inventory, run: RunRecord) -> Behaviour:
    unit, objects = version.unit, objects_of(version.unit.shape)
    outputs = {
        output.path: describe_pointer(unit.ctypes, objects, raw)
        if output.scalar.kind == "pointer"
        else decode(output.scalar, raw)
        for output, raw in zip(unit.driver.outputs, run.outputs, strict=True)
        if raw is not None
    }
    return Behaviour(named_ending(unit, run.ending), outputs, run)


def _calls(version: Inventory, run: RunRecord, functions: Collection[str]) -> bool:
    """True if the run may have called a stub of one of these. Unknown, so True, if it did not return."""
    counters = [version.outputs.get((CALLS, name)) for name in functions]
    return any(run.outputs[output.number] != 0 for output, _ in filter(None, counters))


def _end_alike(old: Ending, new: Ending) -> bool:
    """True if both runs end in the same way. Places may differ, because code moves; all undefined behaviour counts as
    the same."""
    return (old.outcome, _reason(old)) == (new.outcome, _reason(new))


def _reason(ending: Ending) -> str:
    if ending.outcome is Outcome.CRASHED:
        return "defined" if ending.reason.startswith(_DEFINED) else "undefined"
    return ending.reason if ending.outcome is Outcome.EXITED else ""


def describe(ending: Ending) -> str:
    """`crashed: division by zero, line 7`."""
    reason = f": {ending.reason}" if ending.reason else ""
    place = f", line {ending.location.line}" if ending.location and ending.outcome is not Outcome.RETURNED else ""
    return f"{ending.outcome.value.replace('_', ' ')}{reason}{place}"
