"""What can be seen of a run from outside, noted while a unit is walked: what it returns and leaves in memory, which
functions of other files it calls and with what, how it ends.

Without an observer a walk ends where the unit returns: coverage needs no more. With one, the driver's looks at the
outputs are walked too, and memory that nobody has written yet holds values that nobody knows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Nature, Object, Scalar
from tightrope.expr.terms import Term


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function that is not ours to see into."""

    when: Term
    number: Term  # how many such calls there were before
    name: str
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """An end of the program that the unit asks for."""

    when: Term
    name: str  # 'exit'; 'abort', also of an assertion; 'jump'
    status: Term | None  # None: it has none
    calls: Term  # how many there were before


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function answers of which nobody knows what it computes, only that it is always the same."""

    name: str
    arguments: tuple[Term, ...]
    value: Term


@dataclass(slots=True)
class Observer:
    """One walk. `slots`: the numbers that its inputs have in the formula; values that nobody knows come behind
    `first_unknown`. `answers` may be those of another walk, too."""

    slots: Sequence[int]
    first_unknown: int
    floats: Collection[int]  # outputs that are floats
    outward: Collection[str]  # functions of the IR that stand for others
    answers: list[Answer] = field(default_factory=list)
    returned: list[Term] = field(default_factory=list)
    outputs: dict[int, Scalar] = field(default_factory=dict)  # by number, where the unit has returned
    calls: list[Call] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    rejected: list[Term] = field(default_factory=list)  # inputs that assumptions exclude
    unwritten: list[Term] = field(default_factory=list)  # what is in memory that nobody has written; 0 in our runs
    calls_made: Term | None = None  # where the unit has returned
    before: Memory | None = None  # the call
    after: Memory | None = None
    result: tuple[Object, tuple[tuple[int, int], ...]] | None = None  # where the driver keeps it: offsets and sizes
    counter: Object = field(default_factory=lambda: Object("calls", 4, Nature.MUTABLE))


FILLERS = frozenset({"@tightrope_drive", "@tightrope_set_globals", "@tightrope_observe_globals"})


def is_filler(observer: Observer | None, name: str) -> bool:
    """Whether a function of the driver looks at what it gives: a bit-field is read before it is written."""
    return observer is not None and name in FILLERS


def is_outward(observer: Observer | None, name: str) -> bool:
    """Whether a call of this function of the IR is something to see."""
    return observer is not None and name in observer.outward
