"""Encoding: for each point, the inputs whose runs hit it, and where runs leave the encoded part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from tightrope.encoding.values import EncodingTable
from tightrope.expr.terms import Term
from tightrope.location import Location


class WhyDeparted(Enum):
    """Why the encoding knows nothing about a run from some place on; the value is a sentence for users."""

    BOUND = "a loop or a recursion continues beyond the encoded iterations"
    NOT_ENCODED = "something there cannot be encoded"
    SHAPE = "a run reaches a bound of the shape of the inputs"
    ADDRESS = "a run depends on where objects lie in memory"
    BUDGET = "the unit is too large to be encoded completely"

    @property
    def sentence(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Departure:
    """Where runs leave the encoding, which says nothing about them from there on."""

    why: WhyDeparted
    what: str  # 'loop', 'call of `qsort`, which has no model'; '' if the reason is enough
    place: Location | None
    condition: Term  # true for the inputs whose runs get there
    behind: int  # the points that a run may hit from there on, as a mask


@dataclass(frozen=True, slots=True)
class StateCell:
    """An integer that keeps its value between calls."""

    variable: str  # in the IR
    initial: int  # when the program starts
    before: Term  # unconstrained
    after: Term  # when the call has returned


@dataclass(frozen=True, slots=True)
class StateStep:
    """What a call from any state does to it (`any_state.py`)."""

    cells: tuple[StateCell, ...]
    returns: Term  # true for the inputs and states for which the call returns


@dataclass(frozen=True, slots=True)
class Encoding:
    """Laws: an input whose run never departs hits exactly the points whose terms are true for it. An input whose run
    departs hits these and maybe others, all of them in `behind`.

    Slots from `slots` on stand for unconstrained values: a term that contains one is true for the inputs for which it
    *may* be true."""

    table: EncodingTable
    definitions: tuple[Term, ...]  # constraints on unconstrained values; they exclude no input
    points: Mapping[int, Term]  # by point; those that are missing are hit by no input
    departures: tuple[Departure, ...]
    cuts: tuple[Departure, ...]  # where a loop or recursion ends because a solver says that no run continues
    slots: int
    sites: frozenset[int]  # branches (the point of side 0) that inputs decide somewhere
    decided: frozenset[int]  # obligations (labels first, then conditions) that inputs decide somewhere
    ends: tuple[Term, ...]  # true for the inputs whose runs end before the unit returns
    instances: int  # of blocks in the formula
    step: StateStep | None = None
    undefined: tuple[Term, ...] = ()  # true for the inputs whose runs do what C does not define, whoever calls
    lapses: tuple[Term, ...] = ()  # the same for this caller, where runs go on

    def is_exact(self, term: Term) -> bool:
        """True if the term depends on inputs only."""
        return not term.support >> self.slots


@dataclass(frozen=True, slots=True)
class EncodingLimits:
    """How much is encoded."""

    iterations: int = 4  # of a loop whose end depends on inputs; others are unrolled completely
    instances: int = 100_000
    seconds: float = 30.0
    positions: int = 1024  # of an access through an address that depends on inputs
    recursion: int = 12  # nested calls of one function
