"""The constraints that a step of a path, or its other sides, put on the inputs."""

from __future__ import annotations

from collections.abc import Mapping

from tightrope.expr import plain
from tightrope.expr.build import literal, negate
from tightrope.expr.terms import Term, TermTable
from tightrope.running.memory_map import EventKind

SWITCH, PIN = int(EventKind.SWITCH), int(EventKind.PIN)


class Constraints:
    """Builds constraints of steps; `switches` has the case values of a switch by its site."""

    def __init__(self, table: TermTable, switches: Mapping[int, tuple[int, ...]]) -> None:
        self.table = table
        self.switches = switches
        self._literals: dict[tuple[Term, int], Term] = {}
        self._unions: dict[tuple[Term, ...], Term] = {}
        self._cases: dict[tuple[int, Term, int], tuple[Term, ...]] = {}

    def of(self, kind: int, site: int, term: Term, side: int) -> tuple[Term, ...]:
        """The constraints that taking `side` puts on the inputs; a default puts one per case."""
        if kind == SWITCH:
            return self._of_switch(site, term, side)
        return (self.literal(term, side),)

    def literal(self, term: Term, side: int) -> Term:
        key = (term, side)
        found = self._literals.get(key)
        if found is None:
            found = self._literals[key] = literal(self.table, term, bool(side))
        return found

    def sides(self, kind: int, site: int) -> range:
        """Every side that such a step can take."""
        return range(len(self.switches[site]) + 1) if kind == SWITCH else range(2)

    def target(self, kind: int, site: int, term: Term, side: int) -> Term:
        """The side as one constraint."""
        return plain.all_of(self.table, self.of(kind, site, term, side))

    def any_of(self, terms: tuple[Term, ...]) -> Term:
        """One of these, at least."""
        found = self._unions.get(terms)
        if found is None:
            found = self._unions[terms] = plain.any_of(self.table, terms)
        return found

    def other_values(self, values: list[Term]) -> Term:
        """True for values that were not pinned so far."""
        return plain.all_of(self.table, [negate(self.table, value) for value in values])

    def _of_switch(self, site: int, term: Term, side: int) -> tuple[Term, ...]:
        key = (site, term, side)
        found = self._cases.get(key)
        if found is None:
            found = self._cases[key] = self._build_case(site, term, side)
        return found

    def _build_case(self, site: int, term: Term, side: int) -> tuple[Term, ...]:
        table, cases = self.table, self.switches[site]
        if side:
            return (plain.equals(table, term, table.constant(cases[side - 1], term.bits)),)
        return tuple(negate(table, plain.equals(table, term, table.constant(case, term.bits))) for case in cases)
