"""What a loose formula knows about memory: what was read or written last, until something may have changed it.

    p + 4, 4 bytes   ->   a value

Every other byte holds something unknown. A write forgets all that it may overlap: see Addresses.may_meet.

Two ways that meet know together what either of them has read, if neither has written there since they parted:

    while (i < n && s[i] != ';') i++;        only one way to the end of the loop has read s[i],
    if (i < n && s[i] != ';')                but it holds the same on the other: no solution
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import cast

from tightrope.encoding.loose.addresses import Addresses
from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Object
from tightrope.expr.simplify import choose
from tightrope.expr.terms import Term, TermTable

Stretch = tuple[Term, int, int]  # base, offset, bytes
MOST_WRITES = 64  # since two ways parted; if there are more, what only one of them knows is forgotten


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    """The last write, and behind it those before."""

    before: _Write | None
    number: int  # of writes
    base: Term | None  # None: something unknown, which may have changed all but hidden locals
    offset: int | None = None
    size: int | None = None
    is_anywhere: bool = False  # it may have changed hidden locals, too


class LooseMemory(Memory):
    """See the module."""

    __slots__ = ("_addresses", "_known", "_last")

    def __init__(
        self, addresses: Addresses, known: dict[Stretch, Term] | None = None, last: _Write | None = None
    ) -> None:
        super().__init__()
        self._addresses = addresses
        self._known: dict[Stretch, Term] = {} if known is None else known
        self._last = last

    def fork(self) -> LooseMemory:
        return LooseMemory(self._addresses, dict(self._known), self._last)

    def recall(self, stretch: Stretch) -> Term | None:
        """What these bytes hold; None if that is not known."""
        return self._known.get(stretch)

    def note(self, stretch: Stretch, value: Term) -> None:
        """The bytes hold this."""
        self._known[stretch] = value

    def overwrite(self, base: Term, offset: int | None, size: int | None) -> None:
        """Forget what a write may change. None: any offset in the same variable, any number of bytes."""
        self._note_write(_Write(self._last, _count(self._last) + 1, base, offset, size))

    def _note_write(self, write: _Write) -> None:
        self._last = write
        self._known = {each: value for each, value in self._known.items() if not self._may_change(write, each)}

    def _may_change(self, write: _Write, each: Stretch) -> bool:
        if write.base is None:
            return write.is_anywhere or not self._addresses.is_hidden(each[0])
        return self._overlap(each, write.base, write.offset, write.size)

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
        self._note_write(_Write(self._last, _count(self._last) + 1, None))

    def forget_variables(self, written: Collection[Term]) -> None:
        """Something may have changed the variables with these addresses."""
        for each in written:
            self.overwrite(each, None, None)

    def join(self, table: TermTable, condition: Term, other: Memory) -> None:
        """Become `condition ? self : other`: keep what both know, and what one has read where neither has written."""
        theirs = cast(LooseMemory, other)
        known = {
            each: value if value is theirs._known[each] else choose(table, condition, value, theirs._known[each])
            for each, value in self._known.items()
            if each in theirs._known
        }
        since = _since_parting(self._last, theirs._last)
        if since is None:
            self._last = _Write(self._last, max(_count(self._last), _count(theirs._last)) + 1, None, is_anywhere=True)
            self._known = known
            return
        for one in (self, theirs):
            for each, value in one._known.items():
                if each not in known and not any(self._may_change(write, each) for writes in since for write in writes):
                    known[each] = value
        for write in reversed(since[1]):
            self._last = replace(write, before=self._last, number=_count(self._last) + 1)
        self._known = known

    def forget(self, where: Object) -> None:
        """There are no objects in it."""


def _count(last: _Write | None) -> int:
    return 0 if last is None else last.number


def _since_parting(mine: _Write | None, theirs: _Write | None) -> tuple[Sequence[_Write], Sequence[_Write]] | None:
    """The writes of two ways since they parted, the last one first; None if there are too many."""
    found: tuple[list[_Write], list[_Write]] = ([], [])
    while mine is not theirs:
        if len(found[0]) + len(found[1]) >= MOST_WRITES:
            return None
        if mine is not None and _count(mine) >= _count(theirs):
            found[0].append(mine)
            mine = mine.before
        else:
            assert theirs is not None
            found[1].append(theirs)
            theirs = theirs.before
    return found
