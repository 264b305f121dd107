"""Two encodings over the same inputs: in what can their runs differ, and for which inputs?

    only one of them returns                   both return, and an output differs
    the exit status differs                    the n-th call of a function of another file differs

A difference that runs show is *seen*. A run shows a pointer as a number: NULL, a position in an object that the
function was given, or "elsewhere". It does not show where a pointer "elsewhere" points, nor the arguments of calls of
functions of other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.encoding.encoding import Encoding
from tightrope.encoding.memory import Memory, is_piece
from tightrope.encoding.observer import (
    ObservedCall,
    ObservedExit,
    Observer,
    Padding,
    TouchedObject,
    cut_pieces,
    find_touched,
)
from tightrope.encoding.values import (
    NUMBER,
    WORD,
    EncodingTable,
    FunctionPlace,
    Nature,
    Object,
    Place,
    Pointer,
    Scalar,
    Way,
    as_pointer,
)
from tightrope.expr import plain
from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import any_of, apply, both, compare, differ, either, zero_extend
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Output

_STUBS = "@tightrope_stub_"
MOST_PAIRS = 10_000  # of calls that are compared


@dataclass(frozen=True, slots=True)
class Contrast:
    """Something in which runs may differ."""

    what: str  # 'the outcome', '`result`', 'the arguments of `send`'
    when: Term
    is_seen: bool  # runs show it


@dataclass(frozen=True, slots=True)
class Observed:
    """One version: its encoding, and what can be observed of it."""

    encoding: Encoding
    observer: Observer
    padding: Padding = lambda where: ()
    is_marked: bool = False  # the points are the blocks in which it differs from the other version

    @property
    def rejected(self) -> Term:
        return _any(self.encoding.table, self.observer.rejected)

    @property
    def returned(self) -> Term:
        return _any(self.encoding.table, self.observer.returned)

    @property
    def ended(self) -> Term:
        return _any(self.encoding.table, self.encoding.ends)

    @property
    def undefined(self) -> Term:
        """True for inputs whose runs stay in the encoding and do what C does not define. Where a run departs, another
        caller may give something else: what follows counts for nothing."""
        table = self.encoding.table
        departed = _any(table, [each.condition for each in self.encoding.departures])
        return both(table, _any(table, self.encoding.undefined), negate(table, departed))

    @property
    def lapsed(self) -> Term:
        """True for inputs whose runs do what C does not define, and go on."""
        return _any(self.encoding.table, self.encoding.lapses)

    @property
    def live_blocks(self) -> Term:
        """How many heap blocks are left allocated when the unit has returned."""
        table, after = self.encoding.table, self.observer.after
        count = table.constant(0, WORD)
        for where, made in self.observer.blocks:
            freed = after.freed.get(where, table.constant(0, 1)) if after is not None else table.constant(0, 1)
            is_live = both(table, made, negate(table, freed))
            count = apply(table, Op.ADD, count, zero_extend(table, is_live, WORD))
        return count

    @property
    def reached(self) -> Term:
        """False for inputs whose runs certainly never get to where the versions differ."""
        encoding = self.encoding
        if not self.is_marked:
            return truth(encoding.table, True)
        outside = (each.condition for each in (*encoding.departures, *encoding.cuts) if each.behind)
        return _any(encoding.table, [*self.observer.changed, *outside])

    @property
    def departed(self) -> tuple[Term, ...]:
        """The conditions under which its runs leave the encoding."""
        return tuple(each.condition for each in (*self.encoding.departures, *self.encoding.cuts))

    def output(self, number: int) -> Scalar | None:
        return self.observer.outputs.get(number)


class Comparison:
    """`objects`: name of an object that a pointer of old points to -> its name in new."""

    def __init__(self, old: Observed, new: Observed, objects: Mapping[str, str]) -> None:
        self.old, self.new, self._objects = old, new, objects
        self.table: EncodingTable = new.encoding.table
        self.both_return = both(self.table, old.returned, new.returned)

    @property
    def is_accepted(self) -> Term:
        """True for inputs that no assumption of either version excludes."""
        return negate(self.table, either(self.table, self.old.rejected, self.new.rejected))

    def outcome(self) -> Iterator[Contrast]:
        """Whether a run returns, exits or fails, and with which status."""
        table = self.table
        yield Contrast("the outcome", differ(table, self.old.returned, self.new.returned), True)
        for name in ("exit", "abort", "jump"):
            found = [[each.when for each in one.observer.exits if each.name == name] for one in (self.old, self.new)]
            yield Contrast("the outcome", differ(table, *(_any(table, each) for each in found)), True)
        for one in self.old.observer.exits:
            for other in self.new.observer.exits:
                yield from self._exits(one, other)

    def definedness(self) -> Contrast:
        """Whether new does what C does not define, where old returns or exits without doing so. The formula continues
        as this machine would at -O0; another build need not."""
        table = self.table
        is_fine = either(table, self.old.returned, _any(table, [each.when for each in self.old.observer.exits]))
        lapsed = both(table, self.new.lapsed, negate(table, self.old.lapsed))
        return Contrast("whether C defines what it does", both(table, is_fine, lapsed), False)

    def heap(self) -> Contrast:
        """How many heap blocks are left."""
        found = self._not_equal(self.both_return, self.old.live_blocks, self.new.live_blocks)
        return Contrast("the number of heap blocks that stay allocated", found, False)

    def _exits(self, one: ObservedExit, other: ObservedExit) -> Iterator[Contrast]:
        when = both(self.table, one.when, other.when)
        yield Contrast("the number of calls", self._not_equal(when, one.calls, other.calls), False)
        if "jump" in (one.name, other.name):
            yield Contrast("the target of a jump out of the function", when, False)
        if one.status is not None and other.status is not None:
            yield Contrast("the outcome", self._not_equal(when, one.status, other.status), True)
        if not is_constant(when, 0):
            yield from self._contents(one.memory, other.memory, when)

    def _not_equal(self, when: Term, one: Term, other: Term) -> Term:
        return both(self.table, when, negate(self.table, compare(self.table, Op.EQ, one, other)))

    # -- values

    def output(self, one: Output, other: Output) -> Iterator[Contrast]:
        """How one output may differ."""
        old, new = self.old.output(one.number), self.new.output(other.number)
        if old is None or new is None:  # no run of one version returns
            return
        what, is_pointer = f"`{other.path}`", one.scalar.kind == other.scalar.kind == "pointer"
        if isinstance(old, Term) and isinstance(new, Term):
            found = self._numbers(old, one, new, other)
            yield Contrast(what, self._where_both_return(found), old.is_float == new.is_float)
            return
        seen, any_other = self._scalars(old, new)
        yield Contrast(what, self._where_both_return(seen), is_pointer)
        yield Contrast(f"what {what} points to", self._where_both_return(any_other), False)

    def result(self) -> Iterator[Contrast]:
        """The whole result, including parts that the driver does not read."""
        one, other = self.old.observer.result, self.new.observer.result
        mine, theirs = self.old.observer.after, self.new.observer.after
        if one is None or other is None or mine is None or theirs is None or len(one[1]) == len(other[1]) == 1:
            return
        found = [truth(self.table, True)]
        if one[1] == other[1]:
            found = [self._cell(mine, one[0], theirs, other[0], *piece) for piece in one[1]]
        yield Contrast("`result`", self._where_both_return(_any(self.table, found)), False)

    def _where_both_return(self, term: Term) -> Term:
        return both(self.table, self.both_return, term)

    def _numbers(self, old: Term, one: Output, new: Term, other: Output) -> Term:
        """True where they differ: as floats, or as integers of any width."""
        table = self.table
        if old.is_float != new.is_float:
            return truth(table, True)
        if not old.is_float and (old.bits, one.scalar.is_signed) != (new.bits, other.scalar.is_signed):
            width = max(old.bits, new.bits) + 1
            old = plain.resize(table, old, width, one.scalar.is_signed)
            new = plain.resize(table, new, width, other.scalar.is_signed)
        return negate(table, self._same(old, new))

    def _same(self, one: Term, other: Term) -> Term:
        table = self.table
        if one.is_float != other.is_float:
            one, other = (each if each.is_float else _as_float(table, each) for each in (one, other))
        if not one.is_float:
            return compare(table, Op.EQ, one, other)
        if one.bits != other.bits:
            width = max(one.bits, other.bits)
            one, other = (table.make(Op.F_RESIZE, width, (each,), 0, True) for each in (one, other))
        return truth(table, True) if one is other else table.make(Op.F_SAME, 1, (one, other))

    # -- pointers

    def _scalars(self, old: Scalar, new: Scalar) -> tuple[Term, Term]:
        """Where a run shows a difference, and where there may be one; at least one of the two is an address."""
        if isinstance(old, Term) and isinstance(new, Term):
            is_other = negate(self.table, self._same(old, new)) if old.bits == new.bits else truth(self.table, True)
            return is_other, is_other
        if any(isinstance(each, Term) and (each.bits != WORD or each.is_float) for each in (old, new)):
            return truth(self.table, False), truth(self.table, True)
        return self._pointers(as_pointer(self.table, old), as_pointer(self.table, new))

    def _pointers(self, old: Pointer, new: Pointer) -> tuple[Term, Term]:
        """Where a run shows that they point to different places, and where they may."""
        seen = any_other = truth(self.table, False)
        for one in old.ways:
            for other in new.ways:
                when = both(self.table, one[0], other[0])
                if not is_constant(when, 0):
                    shows, may = self._ways(one, other)
                    seen = either(self.table, seen, both(self.table, when, shows))
                    any_other = either(self.table, any_other, both(self.table, when, may))
        return seen, any_other

    def _ways(self, one: Way, other: Way) -> tuple[Term, Term]:
        table = self.table
        is_moved = negate(table, compare(table, Op.EQ, one[2], other[2]))
        if self._is_same_place(one[1], other[1]):
            shows = either(table, self._is_told(one), self._is_told(other))
            return both(table, is_moved, shows), is_moved
        return either(table, self._is_told(one), self._is_told(other)), truth(table, True)

    def _is_told(self, way: Way) -> Term:
        """True where a run shows exactly where it points."""
        _, place, offset = way
        if place is NUMBER:
            return compare(self.table, Op.EQ, offset, self.table.constant(0, WORD))
        if isinstance(place, Object) and place.nature is Nature.GIVEN:
            return compare(self.table, Op.ULT, offset, self.table.constant(place.size, WORD))
        return truth(self.table, False)

    def _is_same_place(self, one: Place, other: Place) -> bool:
        if isinstance(one, FunctionPlace):
            return one == other and one.name.startswith(_STUBS)  # other functions may have changed
        if not (isinstance(one, Object) and isinstance(other, Object)):
            return one is other
        if one.nature is not other.nature or one.nature in (Nature.STACK, Nature.HEAP):
            return False
        if one.nature is Nature.CONSTANT:
            return _is_same_text(one, other)
        if one.nature is Nature.GIVEN:
            return self._objects.get(one.name[1:]) == other.name[1:]
        return one.name == other.name

    # -- memory

    def memory(self) -> Iterator[Contrast]:
        """All memory that existed before the call, including parts that the driver does not read."""
        yield from self._contents(self.old.observer.after, self.new.observer.after, self.both_return)

    def _contents(self, old: Memory | None, new: Memory | None, where: Term) -> Iterator[Contrast]:
        """How the memory may differ in which both end."""
        mine, theirs = (
            find_touched(self.old.observer.before, old, self.old.padding, self._objects),
            find_touched(self.new.observer.before, new, self.new.padding),
        )
        for name in {**mine, **theirs}:
            words = f"the final contents of `{name.removeprefix('tightrope_object_')}`"
            one, other = mine.get(name), theirs.get(name)
            if one is not None and other is not None:
                when = self._not_alike(one, other)
            else:
                only = one if one is not None else other
                assert only is not None
                freed = only.after.freed.get(only.object, self.table.constant(0, 1))
                when = either(self.table, self._changed(only, 0), freed)
            yield Contrast(words, both(self.table, where, when), False)

    def _not_alike(self, one: TouchedObject, other: TouchedObject) -> Term:
        table, size = self.table, min(one.object.size, other.object.size)
        larger = one if one.object.size > other.object.size else other
        idle = set(one.padding) & set(other.padding)
        pieces = [piece for piece in cut_pieces(one, other, size) if not idle.issuperset(range(piece[0], sum(piece)))]
        found = [self._cell(one.after, one.object, other.after, other.object, *piece) for piece in pieces]
        never = table.constant(0, 1)
        freed = (each.after.freed.get(each.object, never) for each in (one, other))
        return _any(table, [*found, self._changed(larger, size), differ(table, *freed)])

    def _changed(self, one: TouchedObject, first: int) -> Term:
        """Where the call has changed it, from some byte on."""
        pieces = [piece for piece in one.pieces() if sum(piece) > first]
        return _any(self.table, [self._cell(one.before, one.object, one.after, one.object, *piece) for piece in pieces])

    def _cell(self, mine: Memory, one: Object, theirs: Memory, other: Object, at: int, size: int) -> Term:
        cell = mine.cells(one).get(at)
        if cell is not None and cell is theirs.cells(other).get(at):
            return truth(self.table, False)
        old, new = mine.read(self.table, one, at, size), theirs.read(self.table, other, at, size)
        if old is None or new is None or is_piece(old) or is_piece(new):
            return truth(self.table, True)
        return self._scalars(old, new)[1]

    # -- calls

    def calls(self) -> Iterator[Contrast]:
        """Calls of functions of other files: their number, order and arguments."""
        table = self.table
        ours, theirs = self.old.observer, self.new.observer
        if ours.calls_made is not None and theirs.calls_made is not None:
            yield Contrast(
                "the calls of other functions",
                self._not_equal(self.both_return, ours.calls_made, theirs.calls_made),
                False,
            )
        if len(ours.calls) * len(theirs.calls) > MOST_PAIRS:
            yield Contrast("the calls of other functions", truth(table, True), False)
            return
        mine, other_side = ([(each, list[Term]()) for each in calls] for calls in (ours.calls, theirs.calls))
        for one, of_one in mine:
            for other, of_other in other_side:
                when = both(table, both(table, one.when, other.when), plain.equals(table, one.number, other.number))
                if not is_constant(when, 0):
                    of_one.append(when)
                    of_other.append(when)
                    yield self._call(when, one, other)
        for each, whens in (*mine, *other_side):  # runs that end later have made calls, too
            is_lone = both(table, each.when, negate(table, _any(table, whens)))
            yield Contrast(f"whether `{each.name}` is called", is_lone, False)

    def _call(self, when: Term, one: ObservedCall, other: ObservedCall) -> Contrast:
        if one.name != other.name or len(one.arguments) != len(other.arguments):
            return Contrast(f"the order of calls of `{one.name}` and `{other.name}`", when, False)
        pairs = zip(one.arguments, other.arguments, strict=True)
        found = _any(self.table, [self._argument(mine, theirs) for mine, theirs in pairs])
        return Contrast(f"the arguments of `{one.name}`", both(self.table, when, found), False)

    def _argument(self, one: Scalar, other: Scalar) -> Term:
        """Where an argument may differ. The callee may read what a pointer points to, which is only known of texts."""
        table = self.table
        if isinstance(one, Term) and isinstance(other, Term):
            if (one.bits, one.is_float) != (other.bits, other.is_float):
                return truth(table, True)
            return negate(table, self._same(one, other))
        if any(isinstance(each, Term) and (each.bits != WORD or each.is_float) for each in (one, other)):
            return truth(table, True)
        found = truth(table, False)
        for mine in as_pointer(table, one).ways:
            for theirs in as_pointer(table, other).ways:
                found = either(table, found, both(table, both(table, mine[0], theirs[0]), self._target(mine, theirs)))
        return found

    def _target(self, one: Way, other: Way) -> Term:
        is_known = one[1] is NUMBER or isinstance(one[1], FunctionPlace)
        is_known = is_known or (isinstance(one[1], Object) and one[1].nature is Nature.CONSTANT)
        if not is_known or not self._is_same_place(one[1], other[1]):
            return truth(self.table, True)
        return negate(self.table, compare(self.table, Op.EQ, one[2], other[2]))


def _any(table: EncodingTable, terms: Sequence[Term]) -> Term:
    return any_of(table, terms) if terms else truth(table, False)


def _as_float(table: EncodingTable, bits: Term) -> Term:
    return table.make(Op.F_FROM_BITS, bits.bits, (bits,), 0, True)


def _is_same_text(one: Object, other: Object) -> bool:
    """True if both are constants with the same contents."""
    if one.size != other.size or one.initial.keys() != other.initial.keys():
        return False
    pairs = ((cell, other.initial[at]) for at, cell in one.initial.items())
    return all(mine[0] == theirs[0] and isinstance(mine[1], Term) and mine[1] is theirs[1] for mine, theirs in pairs)
