"""Addresses in a loose formula: each variable has one, which is unknown but not NULL.

    &table[i].limit      (address of `table` + 12 * i) + 4      base and offset, 4
    p->limit             p + 4                                  a base of unknown origin

An address that is computed from the address of one variable leads into this variable; one of unknown origin may lead
anywhere, except into a *hidden* local, whose address the function uses only to read and to write it. An address as an
integer belongs to nothing: `(uintptr_t)&table + distance` may be the address of another variable, and so may
`&other[end - start]`, where `end` points into `table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tightrope.encoding.values import WORD, EncodingTable
from tightrope.expr.operators import Op
from tightrope.expr.simplify import apply, compare
from tightrope.expr.simplify.arithmetic import split_offset
from tightrope.expr.terms import Term

_SIGN = 1 << (WORD - 1)


@dataclass(slots=True)
class Addresses:
    """`anything` makes an unknown number."""

    table: EncodingTable
    anything: Callable[[int], Term]
    symbols: dict[str, Term] = field(default_factory=dict)  # '@limit' -> its address
    _names: dict[Term, str] = field(default_factory=dict)
    _variables: set[Term] = field(default_factory=set)
    _known: int = 0  # slots of the addresses of variables, as a mask
    _hidden: int = 0  # those of hidden locals
    _integers: dict[Term, Term] = field(default_factory=dict)  # by address
    _addresses: dict[Term, Term] = field(default_factory=dict)  # by integer
    _roots: dict[Term, Term | None] = field(default_factory=dict)

    def of_symbol(self, name: str) -> Term:
        if name not in self.symbols:
            self.symbols[name] = self._make()
            self._names[self.symbols[name]] = name
        return self.symbols[name]

    def make_local(self, *, is_hidden: bool) -> Term:
        made = self._make()
        self._hidden |= made.support if is_hidden else 0
        return made

    def _make(self) -> Term:
        made = self.anything(WORD)
        self._variables.add(made)
        self._known |= made.support
        return made

    def as_integer(self, address: Term) -> Term:
        """A number equal to the address, or to what is read of its bytes, but of no origin."""
        if not address.support & self._known:
            return address
        if address not in self._integers:
            made = self.anything(address.bits)
            self.table.definitions.append(compare(self.table, Op.EQ, made, address))
            self._integers[address], self._addresses[made] = made, address
        return self._integers[address]

    def from_integer(self, number: Term) -> Term:
        """The address again, if the number was not changed."""
        return self._addresses.get(number, number)

    def name(self, base: Term) -> str | None:
        """The symbol with exactly this address."""
        return self._names.get(base)

    def is_hidden(self, base: Term) -> bool:
        """True if no address of unknown origin leads there."""
        root = self.root(base)
        return root is not None and bool(root.support & self._hidden)

    def root(self, base: Term) -> Term | None:
        """The address of the variable into which this one leads; None if it may be any variable that is not hidden."""
        if base not in self._roots:
            self._roots[base] = self._find_root(base)
        return self._roots[base]

    def _find_root(self, base: Term) -> Term | None:
        hidden = base.support & self._hidden
        if hidden:  # its address occurs in nothing but addresses that lead into it
            return next((each for each in self._variables if each.support == hidden), None)
        found = list(self._summands(base))
        return found[0] if len(found) == 1 else None

    def _summands(self, term: Term) -> Iterator[Term]:
        """The addresses of variables that are summands of the term."""
        if term in self._variables:
            yield term
        elif term.op is Op.ADD:
            for each in term.args:
                yield from self._summands(each)

    def inside(self, base: Term) -> Term | None:
        """The offset in the variable into which the address leads, if it is a sum of both."""
        root = self.root(base)
        if root is None or base is root or base.op is not Op.ADD:
            return None
        one, other = base.args
        if one is root or other is root:
            return other if one is root else one
        nested = self.inside(one if root in self._summands(one) else other)
        rest = other if root in self._summands(one) else one
        return None if nested is None else apply(self.table, Op.ADD, nested, rest)

    def may_meet(self, one: Term, other: Term) -> bool:
        """True if the variables to which these two roots or bases lead may be the same."""
        mine, theirs = self.root(one), self.root(other)
        if mine is not None and theirs is not None:
            return mine is theirs
        return not self.is_hidden(one) and not self.is_hidden(other)


def split(address: Term) -> tuple[Term, int]:
    """Base and offset; the offset has a sign."""
    base, offset = split_offset(address)
    return base, offset - 2 * _SIGN if offset & _SIGN else offset
