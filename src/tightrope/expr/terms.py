"""Terms: the nodes of the expression language, interned.

Laws: two terms of one table with the same structure are the same object, so `is` is structural equality and a
term hashes by identity; a term never changes; `support` has bit `s` set exactly when the term mentions input
slot `s`; identifiers grow, so an operand's identifier is smaller than its user's.

Nothing is simplified here: `TermTable.make` returns exactly the requested node (the decoder needs an exact copy of the
runtime's nodes, and needs it fast). For constructors that fold or simplify, see the table in `build`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.expr.operators import Op

_MEMBERS: dict[int, Op] = {int(op): op for op in Op}


class Term:
    """One node. A plain slotted class, not a dataclass: hundreds of thousands are made, and equality is identity."""

    __slots__ = ("args", "bits", "id", "is_float", "number", "op", "support")

    id: int
    op: Op
    bits: int
    is_float: bool
    args: tuple[Term, ...]
    number: int
    support: int

    def __init__(
        self, id: int, op: Op, bits: int, is_float: bool, args: tuple[Term, ...], number: int, support: int
    ) -> None:
        self.id = id
        self.op = op
        self.bits = bits
        self.is_float = is_float
        self.args = args
        self.number = number
        self.support = support

    def __repr__(self) -> str:
        sort = f"{'f' if self.is_float else ''}{self.bits}"
        inside = ", ".join([f"#{arg.id}" for arg in self.args] + ([str(self.number)] if not self.args else []))
        return f"<term #{self.id} {self.op.name}:{sort}({inside})>"


class TermTable:
    """Owns the terms of one unit. There is no global table: code that builds terms gets one."""

    __slots__ = ("_terms",)

    def __init__(self) -> None:
        self._terms: dict[tuple[int, int, tuple[Term, ...], int, bool], Term] = {}

    def __len__(self) -> int:
        return len(self._terms)

    def make(self, op: int, bits: int, args: tuple[Term, ...] = (), number: int = 0, is_float: bool = False) -> Term:
        """The term with exactly this structure; `op` may be the runtime's bare number."""
        key = (op, bits, args, number, is_float)
        term = self._terms.get(key)
        if term is None:
            support = 1 << number if op == Op.INPUT else 0
            for arg in args:
                support |= arg.support
            term = Term(len(self._terms), _MEMBERS[op], bits, is_float, args, number, support)
            self._terms[key] = term
        return term

    def constant(self, value: int, bits: int) -> Term:
        """A bit vector, `value` taken modulo 2**bits (so -1 is all ones)."""
        return self.make(Op.CONSTANT, bits, (), value & ((1 << bits) - 1), False)

    def float_constant(self, ieee: int, bits: int) -> Term:
        """The float whose IEEE bits are given."""
        return self.make(Op.CONSTANT, bits, (), ieee & ((1 << bits) - 1), True)

    def input(self, slot: int, bits: int) -> Term:
        return self.make(Op.INPUT, bits, (), slot, False)


def slots_of(support: int) -> tuple[int, ...]:
    """The slots of a support mask, ascending."""
    slots = []
    while support:
        lowest = support & -support
        slots.append(lowest.bit_length() - 1)
        support ^= lowest
    return tuple(slots)


def walk(*roots: Term) -> Iterator[Term]:
    """Every term reachable from the roots once, operands before their users; deep terms are no problem."""
    seen: set[Term] = set()
    stack = list(reversed(roots))
    while stack:
        term = stack[-1]
        if term in seen:
            stack.pop()
            continue
        missing = [arg for arg in term.args if arg not in seen]
        if missing:
            stack.extend(reversed(missing))
            continue
        stack.pop()
        seen.add(term)
        yield term
