"""What an earlier command found out about a function: the search goes on from there. The code may have changed since
then, so only inputs are taken, as far as the function still has them, and each is run again; no verdict is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tightrope.errors import TightropeError
from tightrope.inputs.growth import growth_for, join_growths
from tightrope.inputs.scalars import Input
from tightrope.inputs.shape import InputShape
from tightrope.inputs.wishes import NO_GROWTH, Growth
from tightrope.report.model import UnitReport
from tightrope.suite.read_inputs import GivenInput, to_input

MOST_INPUTS = 200


@dataclass(frozen=True, slots=True)
class OldResult:
    inputs: tuple[Mapping[str, Any], ...] = ()  # by path, as in reports: of tests, and of runs that crashed
    decided: int = 0  # objectives with a verdict, if it is still about the same code
    written: tuple[str, ...] = ()  # its tests, in this case
    own: frozenset[str] = frozenset()  # of these, the names of those that were not there before the command
    decided_in_time: int = 0  # objectives with a verdict when the time was over, if it is about code that has changed

    @classmethod
    def of(cls, unit: UnitReport, decided: int = 0) -> OldResult:
        inputs = [each.inputs for each in unit.tests] + [each.inputs for each in unit.crashes]
        own = frozenset(each.id for each in unit.tests if decided and not each.is_kept)
        return cls(tuple(inputs[:MOST_INPUTS]), decided, unit.written if decided else (), own)

    def growth(self, shape: InputShape, limit: int) -> Growth:
        """How much larger than usual the inputs must be; not at all if they fit, or nothing may grow."""
        if not limit or all(_whole(values, shape) is not None for values in self.inputs):
            return NO_GROWTH
        return join_growths(map(growth_for, self.inputs))

    def inputs_for(self, shape: InputShape) -> tuple[Input, ...]:
        """The inputs, each once; what the function does not have any more is left out."""
        found = [_whole(values, shape) or _part(values, shape) for values in self.inputs]
        return tuple(dict.fromkeys(found))


NO_OLD_RESULT = OldResult()


def _whole(values: Mapping[str, Any], shape: InputShape) -> Input | None:
    try:
        return to_input(GivenInput("", values), shape)
    except TightropeError:
        return None


def _part(values: Mapping[str, Any], shape: InputShape) -> Input:
    fitting = {path: value for path, value in values.items() if _whole({path: value}, shape) is not None}
    return to_input(GivenInput("", fitting), shape)
