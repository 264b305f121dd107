"""The Criterion protocol: a named rule from a function to objectives. Criteria never edit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from tightrope.location import Location
from tightrope.objectives.objective import Objective
from tightrope.program.interface import UNIT_MAIN
from tightrope.program.model import Function
from tightrope.program.points import Points
from tightrope.program.source_text import SourceText


@dataclass(frozen=True, slots=True)
class Subject:
    """The function under test, as criteria see it."""

    function: Function
    points: Points
    source: SourceText

    @property
    def name(self) -> str:
        """The C name; where a driver includes the unit, its `main` has another one."""
        name = self.function.name.removeprefix("@").strip('"')
        return "main" if name == UNIT_MAIN else name

    @property
    def first(self) -> Location:
        """Where the function starts."""
        return self.function.location or Location("", 0)

    def point(self, block: str, side: int | None = None) -> int:
        return self.points.numbers[self.function.name, block, side]


class Criterion(Protocol):
    """`name` is the word on the command line, `help` one sentence for people."""

    name: ClassVar[str]
    help: ClassVar[str]

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        """The objectives of the function, in the order of the text, with unique ids."""
        ...
