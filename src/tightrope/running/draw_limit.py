"""How long a program may draw.

One that fills an array of 20,000 elements should get to what stands behind its loop; one that draws for ever should not
take, in every run, as long as a run may. So the first run that comes to the long limit, or to the time limit while it
draws, brings the short limit, and is run again. A program that once drew more than that and ended by itself keeps the
long one.
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

    def close_aims(self, closed: int) -> None:
        self.runner.close_aims(closed)

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
