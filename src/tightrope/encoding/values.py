"""Values in an encoding: numbers are terms, addresses are choices among places, structs are tuples of both.

An address has one or several *ways*, of which exactly one holds:

    c ? &a[i] : NULL          Pointer(((c, <object a>, 4 * i), (not c, NUMBER, 0)))

The place of a way is an object, a function, or NUMBER: then the offset is the address, and NULL is offset 0 of NUMBER.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from tightrope.expr.build import is_constant, negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import both, choose, compare, either
from tightrope.expr.terms import Term, TermTable


class EncodingTable(TermTable):
    """Terms of one encoding. The bits of a computed float are unconstrained values that a definition relates to the
    float, because a NaN has many bit patterns."""

    __slots__ = ("_float_bits", "definitions", "fresh", "unknowns")

    def __init__(self) -> None:
        super().__init__()
        self.definitions: list[Term] = []  # for every input, some values of the unknowns satisfy them
        self.fresh: Callable[[int], Term] | None = None  # creates an unconstrained value
        self.unknowns = 0  # how many of these there are, of all encodings in this table: no two have the same number
        self._float_bits: dict[Term, Term] = {}

    def float_bits(self, term: Term) -> Term | None:
        known = self._float_bits.get(term)
        if known is None and self.fresh is not None:
            known = self._float_bits[term] = self.fresh(term.bits)
            back = self.make(Op.F_FROM_BITS, term.bits, (known,), 0, True)
            self.definitions.append(self.make(Op.F_SAME, 1, (back, term)))
        return known


class Nature(Enum):
    CONSTANT = "constant"
    MUTABLE = "mutable"
    GIVEN = "given"  # to the unit, by the driver: we chose its size
    STACK = "stack"
    HEAP = "heap"


Cells = dict[int, "Cell"]  # by offset


@dataclass(slots=True, eq=False)
class Object:
    """A variable, a local of one call, or a heap block. Its contents are in the memory of a state."""

    name: str
    size: int
    nature: Nature
    initial: Cells = field(default_factory=dict)
    limit: Term | None = None  # its size, if that depends on inputs; then `size` is the maximum
    is_dead: bool = False  # a local of a call that has returned
    is_promised: bool = False  # const for the unit, but maybe not for a caller
    is_sized_by_program: bool = False  # C says where it ends: neither the shape of the inputs nor a model does
    make_byte: Callable[[], Term] | None = None  # makes what a byte holds that nothing has written; None: a zero
    unwritten: dict[int, Term] = field(default_factory=dict)  # such bytes, by offset

    def first_byte(self, table: TermTable, at: int) -> Term:
        """The byte at this offset, if it was never written."""
        if self.make_byte is None:
            return table.constant(0, 8)
        if at not in self.unwritten:
            self.unwritten[at] = self.make_byte()
        return self.unwritten[at]


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """A function, as the target of a pointer."""

    name: str


class Number:
    """No place: the address is only a number."""

    __slots__ = ()


NUMBER = Number()
Place = Object | FunctionPlace | Number
Way = tuple[Term, Place, Term]  # condition, place, offset in bytes


@dataclass(frozen=True, slots=True)
class Pointer:
    ways: tuple[Way, ...]


PIECE = Pointer(())  # a byte of an address or a computed float: it has no ways

Scalar = Term | Pointer
Value = Scalar | tuple[Scalar, ...]
Cell = tuple[int, Scalar]  # size in bytes, value

WORD = 64


def address(table: TermTable, place: Place, offset: int = 0) -> Pointer:
    return Pointer(((truth(table, True), place, table.constant(offset, WORD)),))


def as_pointer(table: TermTable, value: Scalar) -> Pointer:
    """A number as an address."""
    return value if isinstance(value, Pointer) else Pointer(((truth(table, True), NUMBER, value),))


def is_null(table: TermTable, pointer: Pointer) -> Term:
    """True where the pointer is NULL; no object and no function is at address 0."""
    zero = table.constant(0, WORD)
    found = truth(table, False)
    for when, place, offset in pointer.ways:
        if place is NUMBER:
            found = either(table, found, both(table, when, compare(table, Op.EQ, offset, zero)))
    return found


def choose_value(table: TermTable, condition: Term, then: Value, otherwise: Value) -> Value:
    """`condition ? then : otherwise`, for values of one type."""
    if then is otherwise:
        return then
    if is_constant(condition, 1):
        return then
    if is_constant(condition, 0):
        return otherwise
    if isinstance(then, tuple):
        assert isinstance(otherwise, tuple)
        pairs = zip(then, otherwise, strict=True)
        return tuple(choose_scalar(table, condition, one, other) for one, other in pairs)
    assert not isinstance(otherwise, tuple)
    return choose_scalar(table, condition, then, otherwise)


def choose_scalar(table: TermTable, condition: Term, then: Scalar, otherwise: Scalar) -> Scalar:
    if then is otherwise or is_constant(condition, 1):
        return then
    if is_constant(condition, 0):
        return otherwise
    if isinstance(then, Term) and isinstance(otherwise, Term):
        return choose(table, condition, then, otherwise)
    one, other = as_pointer(table, then), as_pointer(table, otherwise)
    opposite = negate(table, condition)
    ways = [(both(table, condition, when), place, offset) for when, place, offset in one.ways]
    ways += [(both(table, opposite, when), place, offset) for when, place, offset in other.ways]
    return Pointer(joined_ways(table, ways))


def joined_ways(table: TermTable, ways: Iterable[Way]) -> tuple[Way, ...]:
    """The same, with one way for each place, and without ways that never hold."""
    found: dict[Place, Way] = {}
    for when, place, offset in ways:
        if is_constant(when, 0):
            continue
        known = found.get(place)
        if known is not None:
            offset = choose(table, known[0], known[2], offset)
            when = either(table, known[0], when)
        found[place] = (when, place, offset)
    return tuple(found.values())


def moved(table: TermTable, pointer: Pointer, add: Callable[[Term], Term]) -> Pointer:
    """The pointer with `add` applied to the offset of each way."""
    return Pointer(tuple((when, place, add(offset)) for when, place, offset in pointer.ways))
