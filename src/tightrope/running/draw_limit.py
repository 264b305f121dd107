"""The limit for the number of draws.

A program that fills an array of 20,000 elements should reach the code after its loop. A program that draws for ever
should not use the full time limit in every run. So when a run first reaches the long limit, or the time limit while it
draws, it is repeated with the short limit, which then applies. A program that once drew more than the short limit and
ended by itself keeps the long one.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.inputs.draws import drawn_slots, limits
from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import InputShape
from tightrope.running.endings import SENTENCES
from tightrope.running.memory_map import FLAG_BOUND, OutcomeCode, ReasonCode
from tightrope.running.runner import Runner, Trace

TIMED_OUT = int(OutcomeCode.TIMED_OUT)
NOTHING_TO_DRAW = SENTENCES[ReasonCode.NO_MORE_INPUT]


@dataclass(slots=True)
class DrawLimit:
    """Runs inputs for a search, which sees each run once."""

    runner: Runner
    few: int
    is_settled: bool

    @classmethod
    def of(cls, runner: Runner, shape: InputShape) -> DrawLimit:
        many, few = limits(shape)
        runner.limit_draws(many)
        return cls(runner, few, not drawn_slots(shape))

    def close_aims(self, closed: int, observed: int = 0) -> None:
        self.runner.close_aims(closed, observed)

    def trace(self, values: Input) -> Trace:
        trace = self.runner.trace(values)
        if self.is_settled or not trace.flags & FLAG_BOUND:
            return trace
        made = self.runner.outputs()[-1] or 0
        self.is_settled = made > self.few
        if made > self.few and (trace.outcome == TIMED_OUT or self.runner.ending().reason == NOTHING_TO_DRAW):
            self.runner.limit_draws(self.few)
            return self.runner.trace(values)
        return trace
