"""The inputs and outputs that two versions of a function share, as slots and terms of one formula.

correspondence.py pairs them; here each pair becomes a part of the formula:

the same scalar in both          one slot of the formula
another type, another enum       two slots that are *tied*: both have the same number, or enum member
only in one version              a separate slot
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tightrope.equality.correspondence import RESULT_KEY, Correspondence, Inventory, Key
from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.operators import Op
from tightrope.expr.simplify import any_of, resize
from tightrope.expr.simplify.gates import both
from tightrope.expr.terms import Term, TermTable
from tightrope.harness.fill import object_name
from tightrope.inputs.scalars import Output, Scalar, Slot

MOST_TABULATED = 8  # bits of a choice

SlotTerm = Callable[[Slot], Term]


@dataclass(frozen=True)
class SharedInputs:
    """The slots of a formula of two versions."""

    match: Correspondence

    @cached_property
    def slots(self) -> dict[int, int]:
        """Slot of old -> the slot of new that is the same input and has the same bits."""
        return {old.number: new.number for old, new in self._pairs if _is_alike(self.match, old, new)}

    @cached_property
    def ties(self) -> tuple[tuple[Slot, Slot], ...]:
        """Slots of old and new that are the same input with different bits."""
        return tuple((old, new) for old, new in self._pairs if old.number not in self.slots and _can_tie(old, new))

    @property
    def _pairs(self) -> Iterator[tuple[Slot, Slot]]:
        mine, theirs = self.match.old.slots, self.match.new.slots
        return ((slot, theirs[key]) for key, slot in mine.items() if key in theirs)

    @property
    def own_slots(self) -> tuple[Slot, ...]:
        """The slots of old that have separate numbers."""
        return tuple(slot for slot in self.match.old.unit.driver.slots if slot.number not in self.slots)

    @property
    def old_only(self) -> dict[Slot, int]:
        """Inputs that only old has -> their values in runs."""
        tied = {old.number for old, _ in self.ties}
        return {slot: self.match.to_old.start[slot.number] for slot in self.own_slots if slot.number not in tied}

    @property
    def new_only(self) -> dict[Slot, int]:
        """Inputs that old does not have at all -> their values in runs."""
        slots = self.match.new.unit.driver.slots
        return {slot: self.match.pinned_new[slot.number] for slot in slots if slot.number in self.match.pinned_new}

    @property
    def objects(self) -> dict[str, str]:
        """Names of objects that pointers point to: in the driver of old -> in that of new."""
        theirs = {key: name for name, key in self.match.new.objects.items()}
        mine = self.match.old.objects
        return {object_name(name): object_name(theirs[key]) for name, key in mine.items() if key in theirs}

    @property
    def outputs(self) -> tuple[tuple[Output, Output], ...]:
        old, new = self.match.old.outputs, self.match.new.outputs
        return tuple((old[key][0], new[key][0]) for key in self.match.shared)

    @property
    def lone_results(self) -> tuple[str, ...]:
        """Parts of the result that only one version has."""
        old, new = (_results(version) for version in (self.match.old, self.match.new))
        return tuple({**old, **new}[key] for key in (*old, *new) if (key in old) != (key in new))

    def tied(self, table: TermTable, old_term: SlotTerm, new_term: SlotTerm) -> Iterator[Term]:
        """Terms that make tied slots equal."""
        for old, new in self.ties:
            yield _tie(self.match, table, old, new, old_term(old), new_term(new))


def _results(version: Inventory) -> dict[Key, str]:
    return {key: row[0].path for key, row in version.outputs.items() if key[0] in RESULT_KEY.values()}


def _is_alike(match: Correspondence, old: Slot, new: Slot) -> bool:
    """True if equal bits always have the same meaning."""
    one, other = old.scalar, new.scalar
    if "choice" in (one.kind, other.kind):
        return one.bits == other.bits and all(_in_old(match, new, raw) == raw for raw in range(1 << one.bits))
    return (one.kind, one.bits, one.is_signed, one.members) == (other.kind, other.bits, other.is_signed, other.members)


def _in_old(match: Correspondence, new: Slot, raw: int) -> int | None:
    """The number in old for a number in a slot of new."""
    return next(convert(raw) for _, here, convert in match.to_old.rows if here == new.number)


def _can_tie(old: Slot, new: Slot) -> bool:
    kinds = {old.scalar.kind, new.scalar.kind}
    if "choice" in kinds:
        return len(kinds) == 1 and new.scalar.bits <= MOST_TABULATED
    return "float" not in kinds or len(kinds) == 1


def _tie(match: Correspondence, table: TermTable, old: Slot, new: Slot, mine: Term, theirs: Term) -> Term:
    if new.scalar.kind == "choice":
        numbers = ((raw, _in_old(match, new, raw)) for raw in range(1 << new.scalar.bits))
        return _one_of(table, theirs, mine, {raw: other for raw, other in numbers if other is not None})
    if new.scalar.kind == "float":
        width = max(mine.bits, theirs.bits)
        floats = [table.make(Op.F_FROM_BITS, each.bits, (each,), 0, True) for each in (mine, theirs)]
        wide = [table.make(Op.F_RESIZE, width, (each,), 0, True) if each.bits < width else each for each in floats]
        return plain.equals(table, *wide)
    named = _renumbered(old.scalar, new.scalar)
    width = max(mine.bits, theirs.bits) + 1
    is_same = plain.equals(
        table,
        resize(table, mine, width, old.scalar.is_signed),
        resize(table, theirs, width, new.scalar.is_signed),
    )
    if not named:
        return is_same
    told = [_is(table, theirs, raw) for raw in {*named, *_taken(old.scalar, new.scalar)}]
    others = both(table, negate(table, any_of(table, told)), is_same)
    return any_of(table, [_one_of(table, theirs, mine, named), others])


def _renumbered(old: Scalar, new: Scalar) -> dict[int, int]:
    """Members of both enums: number in new -> number in old; empty if the enums are equal."""
    if old.members == new.members:
        return {}
    known = dict(old.members)
    return {value & new.mask: known[name] & old.mask for name, value in new.members if name in known}


def _taken(old: Scalar, new: Scalar) -> set[int]:
    """Members that only new has, and whose numbers belong to other members in old: old has no such input."""
    names, known = dict(new.members), dict(old.members)
    numbers = {value for name, value in old.members if name in names}
    return {value & new.mask for name, value in new.members if name not in known and value in numbers}


def _one_of(table: TermTable, one: Term, other: Term, numbers: Mapping[int, int]) -> Term:
    """True if the two are one of these pairs."""
    pairs = [both(table, _is(table, one, mine), _is(table, other, theirs)) for mine, theirs in numbers.items()]
    return any_of(table, pairs) if pairs else truth(table, False)


def _is(table: TermTable, term: Term, number: int) -> Term:
    return plain.equals(table, term, table.constant(number, term.bits))
