"""What can be seen of a run from outside, noted while a unit is walked: what it returns and leaves in memory, which
functions of other files it calls and with what, how it ends.

Without an observer a walk ends where the unit returns: coverage needs no more. With one, the driver's looks at the
outputs are walked too, and memory that nobody has written yet holds values that nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Cells, Nature, Object, Scalar
from tightrope.expr.terms import Term

Padding = Callable[[Object], Collection[int]]  # the bytes of a variable that C has no name for


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """A call of a function that is not ours to see into."""

    when: Term
    number: Term  # how many such calls there were before
    name: str
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class ObservedExit:
    """An end of the program that the unit asks for."""

    when: Term
    name: str  # 'exit'; 'abort', also of an assertion; 'jump'
    status: Term | None  # None: it has none
    calls: Term  # how many there were before


@dataclass(frozen=True, slots=True)
class OpaqueAnswer:
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
    answers: list[OpaqueAnswer] = field(default_factory=list)
    returned: list[Term] = field(default_factory=list)
    outputs: dict[int, Scalar] = field(default_factory=dict)  # by number, where the unit has returned
    calls: list[ObservedCall] = field(default_factory=list)
    exits: list[ObservedExit] = field(default_factory=list)
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


# -- what a call leaves in memory that was there before it: variables, and what the unit was given


@dataclass(frozen=True, slots=True)
class TouchedObject:
    """An object that a version has touched."""

    object: Object
    before: Memory
    after: Memory
    padding: Collection[int]

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Where something is, of what size. Where cells do not fit, bytes."""
        found = cut_pieces(self, self, self.object.size, self.before)
        return (piece for piece in found if not set(self.padding).issuperset(range(piece[0], sum(piece))))


def find_touched(
    observer: Observer, padding: Padding, names: Mapping[str, str] | None = None
) -> dict[str, TouchedObject]:
    """What the call may have changed: variables, and what the unit was given, by name. `names`: what is given is called
    otherwise, as far as the other version has it."""
    before, after = observer.before, observer.after
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
    """Pieces of both that no cell of either overlaps in part."""
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
