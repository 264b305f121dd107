"""What an encoding is: for each point the inputs whose runs hit it, and where runs leave what was encoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from tightrope.encoding.values import EncodingTable
from tightrope.expr.terms import Term
from tightrope.location import Location


class WhyDeparted(Enum):
    """Why nothing is known of a run from some place on; the value is how the sentence goes on."""

    BOUND = "a loop or a recursion goes on for longer than was encoded"
    NOT_ENCODED = "what happens there has no encoding"
    SHAPE = "the run comes to where the shape of the inputs ends"
    BUDGET = "the unit is too large to be encoded whole"

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Departure:
    """Where runs leave the encoding. What they do from there on it does not say."""

    why: WhyDeparted
    what: str  # 'loop', 'call of `qsort`, which has no model'; '' when the reason says it all
    place: Location | None
    condition: Term  # true for the inputs whose runs come there
    behind: int  # the points that a run may hit from there on, as a mask


@dataclass(frozen=True, slots=True)
class Encoding:
    """Laws: an input whose run never departs hits exactly the points whose terms are true for it. An input whose run
    departs hits these and maybe others, all of them in `behind`.

    Slots from `slots` on stand for values that nobody knows: a term that mentions one is true for the inputs for
    which it *may* be true."""

    table: EncodingTable
    definitions: tuple[Term, ...]  # what is known of values that nobody knows: excludes no input
    points: Mapping[int, Term]  # by point; those that are missing are hit by no input
    departures: tuple[Departure, ...]
    cuts: tuple[Departure, ...]  # where loops or recursion would go on, and a solver said that no run comes there
    slots: int
    sites: frozenset[int]  # branches (the point of side 0) that inputs decide somewhere
    decided: frozenset[int]  # obligations (labels first, then conditions) that inputs decide somewhere
    ends: tuple[Term, ...]  # when runs end without a return from the unit
    instances: int  # blocks, each as often as it stands in the formula
    unknowns: int = 0  # values that nobody knows: so many slots from `slots` on

    def is_exact(self, term: Term) -> bool:
        """True when the term mentions nothing but inputs."""
        return not term.support >> self.slots


@dataclass(frozen=True, slots=True)
class EncodingLimits:
    """How much is encoded."""

    iterations: int = 4  # of a loop whose end depends on inputs; the others are walked to their ends
    instances: int = 100_000
    seconds: float = 30.0
    positions: int = 1024  # of an access through an address that depends on inputs
    recursion: int = 12  # calls of one function that are under way
