from dataclasses import dataclass, field

from tightrope.inputs.draws import FEW_ZEROS, MANY_ZEROS
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import Elements, InputShape, Leaf, Root
from tightrope.running.draw_limit import NOTHING_TO_DRAW, DrawLimit
from tightrope.running.memory_map import FLAG_BOUND, OutcomeCode
from tightrope.running.run_record import Ending, Outcome
from tightrope.running.runner import Trace

LEAVES = (Leaf("__VERIFIER_nondet_int#1", 1, Scalar("signed", 32, 4, True), 0),)
SHAPE = InputShape((Root("n", Elements("nondet", 1, LEAVES, 1), True, "__VERIFIER_nondet_int"),), None)
SHORT, LONG = 1 + FEW_ZEROS, 1 + MANY_ZEROS


@dataclass
class Program:
    """A runner of a program that draws as many values as its input says."""

    limit: int = 0
    made: int = 0
    runs: list[int] = field(default_factory=list)

    def limit_draws(self, most):
        self.limit = most

    def trace(self, values):
        self.made = min(values[0], self.limit)
        self.runs.append(self.made)
        outcome = OutcomeCode.EXITED if self.made == self.limit else OutcomeCode.RETURNED
        return Trace(int(outcome), FLAG_BOUND if self.made > 1 else 0, 0, 0, b"", 0)

    def ending(self):
        return Ending(Outcome.EXITED, NOTHING_TO_DRAW) if self.made == self.limit else Ending(Outcome.RETURNED)

    def outputs(self):
        return (0, self.made)


def run(*inputs):
    program = Program()
    limit = DrawLimit.of(program, SHAPE)
    for number in inputs:
        limit.trace((number,))
    return program


def test_a_program_that_draws_for_ever_is_stopped_early_from_then_on():
    assert run(1, 10**9, 10**9).runs == [1, LONG, SHORT, SHORT]


def test_a_program_that_draws_much_and_ends_is_not():
    assert run(20_000, 10**9).runs == [20_000, LONG]


def test_a_program_that_draws_little_is_watched_further():
    assert run(5, 500, 10**9).runs == [5, 500, LONG, SHORT]


def test_a_unit_without_draws_costs_nothing():
    program = Program()
    assert DrawLimit.of(program, InputShape((), None)).is_settled
