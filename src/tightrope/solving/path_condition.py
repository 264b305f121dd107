"""Path conditions, split into groups that share no input slot.

A `PathCondition` is an immutable conjunction that grows by one constraint at a time; every node of the search tree
holds one, so `extend` must cost a microsecond or two and little memory, however many slots and constraints there
are. It is a persistent array with one cell per slot, in chunks that conditions share. The lowest slot of a group
holds the group, its other slots hold the number of the lowest one:

    slots              0             1     2             3
    a < 3, b == 1      {a < 3}       -     {b == 1}      -
    then a + d > 0     {a < 3, ...}  -     {b == 1}      0

so that a constraint on slots that are already connected, by far the most frequent case, replaces one cell.

Law: groups of one condition mention disjoint slots (`group` has the laws of groups).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from tightrope.expr.build import is_constant
from tightrope.expr.terms import Term
from tightrope.solving.group import ConstraintGroup, GroupTable

CHUNK = 3  # cells come in chunks of 2**CHUNK; 8 keeps both the copied chunk and the list of chunks short
CHUNK_MASK = (1 << CHUNK) - 1


Cells: TypeAlias = tuple[tuple[ConstraintGroup | int | None, ...], ...]

_NO_CELLS = (None,) * (1 << CHUNK)


class Conjunction(Protocol):
    """What a solver needs of a condition: a `PathCondition` or one `ConstraintGroup` of it."""

    @property
    def constraints(self) -> tuple[Term, ...]: ...

    @property
    def support(self) -> int: ...

    def slice(self, support: int) -> ConstraintGroup:
        """The constraints that share slots with `support`, directly or through others."""
        ...


class PathCondition:
    """A conjunction of constraints. Start from `PathCondition.empty()` and `extend`."""

    __slots__ = ("_cells", "_parent", "_table", "_term", "support")

    def __init__(
        self, table: GroupTable, cells: Cells, support: int, parent: PathCondition | None, term: Term | None
    ) -> None:
        self._table = table
        self._cells = cells
        self.support = support
        self._parent = parent  # the condition that this one extends,
        self._term = term  # and by which constraint

    @staticmethod
    def empty(table: GroupTable | None = None) -> PathCondition:
        """No constraint. Conditions that should share groups must share a table."""
        return PathCondition(table or GroupTable(), (), 0, None, None)

    def extend(self, term: Term) -> PathCondition:
        """This condition with one more constraint."""
        support = term.support
        known = support & self.support
        if known:
            cells = self._cells
            slot = (known & -known).bit_length() - 1
            cell = cells[slot >> CHUNK][slot & CHUNK_MASK]
            if type(cell) is int:
                slot = cell
                cell = cells[slot >> CHUNK][slot & CHUNK_MASK]
            group: ConstraintGroup = cell  # type: ignore[assignment]
            if not support & ~group.support:
                after = group.extended(term)
                if after is not group:
                    cells = _replaced(cells, slot, after)
                return PathCondition(self._table, cells, self.support, self, term)
        return self._extend_merging(term) if support else self._extend_by_constant(term)

    def extend_all(self, terms: Iterable[Term]) -> PathCondition:
        condition = self
        for term in terms:
            condition = condition.extend(term)
        return condition

    def slice(self, support: int) -> ConstraintGroup:
        """The constraints that share slots with `support`, directly or through others, as one group."""
        return self._touched(support & self.support)

    @property
    def groups(self) -> tuple[ConstraintGroup, ...]:
        """The parts, by their lowest slots."""
        return tuple([cell for chunk in self._cells for cell in chunk if isinstance(cell, ConstraintGroup)])

    @property
    def constraints(self) -> tuple[Term, ...]:
        """Every constraint, in path order."""
        terms = []
        condition: PathCondition | None = self
        while condition is not None:
            if condition._term is not None:
                terms.append(condition._term)
            condition = condition._parent
        return tuple(dict.fromkeys(reversed(terms)))

    def _touched(self, remaining: int) -> ConstraintGroup:
        """The groups that hold these slots (all of them mentioned), merged."""
        cells = self._cells
        found: ConstraintGroup | None = None
        while remaining:
            slot = (remaining & -remaining).bit_length() - 1
            cell = cells[slot >> CHUNK][slot & CHUNK_MASK]
            if type(cell) is int:
                cell = cells[cell >> CHUNK][cell & CHUNK_MASK]
            group: ConstraintGroup = cell  # type: ignore[assignment]
            found = group if found is None else found.merged(group)
            remaining &= ~group.support
        return self._table.nothing if found is None else found

    def _extend_merging(self, term: Term) -> PathCondition:
        """A constraint that adds new slots or connects groups: all cells of the result may change."""
        group = self._touched(term.support & self.support).extended(term)
        root, *others = group.slots
        missing = (group.slots[-1] >> CHUNK) + 1 - len(self._cells)
        cells = _replaced(self._cells + (_NO_CELLS,) * missing, root, group)
        for slot in others:
            if cells[slot >> CHUNK][slot & CHUNK_MASK] != root:
                cells = _replaced(cells, slot, root)
        return PathCondition(self._table, cells, self.support | term.support, self, term)

    def _extend_by_constant(self, term: Term) -> PathCondition:
        """A constraint without inputs must be true: a false one belongs to no path."""
        if is_constant(term, 1):
            return self
        raise ValueError(f"{term!r} depends on no input, so it cannot be a constraint; fold it first")

    def __repr__(self) -> str:
        return f"<condition: {len(self.constraints)} constraints in {len(self.groups)} groups>"


def _replaced(cells: Cells, slot: int, cell: ConstraintGroup | int) -> Cells:
    """The cells with one changed; all chunks except one are shared."""
    position, index = slot >> CHUNK, slot & CHUNK_MASK
    chunk = cells[position]
    changed = (*chunk[:index], cell, *chunk[index + 1 :])
    return (changed,) if len(cells) == 1 else (*cells[:position], changed, *cells[position + 1 :])
