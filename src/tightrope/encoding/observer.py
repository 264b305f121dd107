"""What can be observed of a run from outside, noted while a unit is walked: what it returns and leaves in memory, which
functions of other files it calls with which arguments, and how it ends.

Without an observer, a walk ends where the unit returns, which is enough for coverage. With one, the driver's code that
reads the outputs is walked, too, and uninitialised memory holds unconstrained values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Cells, Nature, Object, Scalar
from tightrope.expr.terms import Term

Padding = Callable[[Object], Collection[int]]  # the padding bytes of a variable


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """A call of a function whose code is not available."""

    when: Term
    number: Term  # of such calls before this one
    name: str
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class ObservedExit:
    """Where the unit ends the program."""

    when: Term
    name: str  # 'exit'; 'abort', also of an assertion; 'jump'
    status: Term | None  # None if there is none
    calls: Term  # number of observed calls before
    memory: Memory | None = None  # which functions that are called at an exit may read


@dataclass(frozen=True, slots=True)
class OpaqueAnswer:
    """The answer of an uninterpreted function: unknown, but equal for equal arguments."""

    name: str
    arguments: tuple[Term, ...]
    value: Term


@dataclass(slots=True)
class Observer:
    """Notes of one walk. `slots`: the numbers of its inputs in the formula; unconstrained values have numbers from
    `first_unknown` on. `answers` may be shared with another walk."""

    slots: Sequence[int]
    first_unknown: int
    floats: Collection[int]  # outputs that are floats
    outward: Collection[str]  # functions of the IR that replace external ones
    answers: list[OpaqueAnswer] = field(default_factory=list)
    returned: list[Term] = field(default_factory=list)
    outputs: dict[int, Scalar] = field(default_factory=dict)  # by number, after the unit has returned
    calls: list[ObservedCall] = field(default_factory=list)
    exits: list[ObservedExit] = field(default_factory=list)
    rejected: list[Term] = field(default_factory=list)  # true for inputs that assumptions exclude
    changed: list[Term] = field(default_factory=list)  # true for inputs whose runs get to what was changed
    blocks: list[tuple[Object, Term]] = field(default_factory=list)  # of the heap; true where they are allocated
    unwritten: list[Term] = field(default_factory=list)  # contents of uninitialised memory; 0 in our runs
    calls_made: Term | None = None  # when the unit has returned
    before: Memory | None = None  # the call
    after: Memory | None = None
    result: tuple[Object, tuple[tuple[int, int], ...]] | None = (
        None  # the driver's variable with the result; offsets and sizes
    )
    counter: Object = field(default_factory=lambda: Object("calls", 4, Nature.MUTABLE))


FILLERS = frozenset({"@tightrope_drive", "@tightrope_set_globals", "@tightrope_observe_globals"})


def is_filler(observer: Observer | None, name: str) -> bool:
    """True for a function of the driver that reads what it sets: a bit-field is read before it is written."""
    return observer is not None and name in FILLERS


def is_outward(observer: Observer | None, name: str) -> bool:
    """True if a call of this function of the IR is observable."""
    return observer is not None and name in observer.outward


# -- what a call leaves in memory that existed before it: variables, and objects given to the unit


@dataclass(frozen=True, slots=True)
class TouchedObject:
    """An object that a version may have written."""

    object: Object
    before: Memory
    after: Memory
    padding: Collection[int]

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The offsets and sizes of its cells; bytes where the cells do not match."""
        found = cut_pieces(self, self, self.object.size, self.before)
        return (piece for piece in found if not set(self.padding).issuperset(range(piece[0], sum(piece))))


def find_touched(
    before: Memory | None, after: Memory | None, padding: Padding, names: Mapping[str, str] | None = None
) -> dict[str, TouchedObject]:
    """What the call may have changed, by name: variables, and objects given to the unit. `names` maps the names of
    given objects to those in the other version."""
    if before is None or after is None:
        return {}
    found = {}
    for where in after.touched():
        is_ours = where.name.startswith("@tightrope_") and where.nature is not Nature.GIVEN
        if where.nature in (Nature.MUTABLE, Nature.GIVEN) and where.name.startswith("@") and not is_ours:
            name = where.name[1:]
            if names is not None and where.nature is Nature.GIVEN:
                name = names.get(name, f"{name} of the old version")
            found[name] = TouchedObject(where, before, after, padding(where))
    return found


def cut_pieces(one: TouchedObject, other: TouchedObject, size: int, *further: Memory) -> Iterator[tuple[int, int]]:
    """Pieces of both that split no cell of either."""
    every = [one.after.cells(one.object), other.after.cells(other.object), *(m.cells(one.object) for m in further)]
    starts = sorted({start for cells in every for start in cells if start < size})
    end = 0
    for start in starts:
        sizes = {cells[start][0] for cells in every if start in cells}
        if (
            len(sizes) == 1
            and start >= end
            and not _is_cut(every, start, start + max(sizes))
            and start + max(sizes) <= size
        ):
            end = start + max(sizes)
            yield start, max(sizes)
        else:
            last = min(size, start + max(sizes))
            yield from ((at, 1) for at in range(max(start, end), last))
            end = max(end, last)


def _is_cut(every: Sequence[Cells], start: int, end: int) -> bool:
    return any(at in cells for cells in every for at in range(start + 1, end))
