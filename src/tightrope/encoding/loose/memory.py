"""What a loose formula knows about memory: what was read or written last, until something may have changed it.

    p + 4, 4 bytes   ->   a value

Every other byte holds something unknown. A write forgets all that it may overlap: see Addresses.may_meet.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from tightrope.encoding.loose.addresses import Addresses
from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Object
from tightrope.expr.simplify import choose
from tightrope.expr.terms import Term, TermTable

Stretch = tuple[Term, int, int]  # base, offset, bytes


class LooseMemory(Memory):
    """See the module."""

    __slots__ = ("_addresses", "_known")

    def __init__(self, addresses: Addresses, known: dict[Stretch, Term] | None = None) -> None:
        super().__init__()
        self._addresses = addresses
        self._known: dict[Stretch, Term] = {} if known is None else known

    def fork(self) -> LooseMemory:
        return LooseMemory(self._addresses, dict(self._known))

    def recall(self, stretch: Stretch) -> Term | None:
        """What these bytes hold; None if that is not known."""
        return self._known.get(stretch)

    def note(self, stretch: Stretch, value: Term) -> None:
        """The bytes hold this."""
        self._known[stretch] = value

    def overwrite(self, base: Term, offset: int | None, size: int | None) -> None:
        """Forget what a write may change. None: any offset in the same variable, any number of bytes."""
        self._known = {
            each: value for each, value in self._known.items() if not self._overlap(each, base, offset, size)
        }

    def _overlap(self, known: Stretch, base: Term, offset: int | None, size: int | None) -> bool:
        mine, start, length = known
        if mine is not base or offset is None:
            return self._addresses.may_meet(mine, base)
        return start + length > offset and (size is None or offset + size > start)

    def copy_known(self, to: tuple[Term, int], source: tuple[Term, int], size: int) -> None:
        """Copy so many bytes, as far as they are known."""
        base, first = source
        found = [
            (start - first, length, value)
            for (each, start, length), value in self._known.items()
            if each is base and start >= first and start + length <= first + size
        ]
        self.overwrite(*to, size)
        self._known.update({(to[0], to[1] + at, length): value for at, length, value in found})

    def zero(self, to: tuple[Term, int], size: int) -> None:
        """So many bytes become zero: numbers and addresses of all usual sizes, where their alignment puts them."""
        base, first = to
        self.overwrite(base, first, size)
        for length in (1, 2, 4, 8):
            zero = self._addresses.table.constant(0, 8 * length)
            for at in range(0, size - length + 1, length):
                self._known[base, first + at, length] = zero

    def forget_shared(self) -> None:
        """Something unknown may have changed all but hidden locals."""
        is_hidden = self._addresses.is_hidden
        self._known = {each: value for each, value in self._known.items() if is_hidden(each[0])}

    def forget_variables(self, written: Collection[Term]) -> None:
        """Something may have changed the variables with these addresses."""
        for each in written:
            self.overwrite(each, None, None)

    def join(self, table: TermTable, condition: Term, other: Memory) -> None:
        """Become `condition ? self : other`: keep what both know."""
        theirs = cast(LooseMemory, other)._known
        self._known = {
            each: value if value is theirs[each] else choose(table, condition, value, theirs[each])
            for each, value in self._known.items()
            if each in theirs
        }

    def forget(self, where: Object) -> None:
        """There are no objects in it."""
