"""A solver that tries all values, and small terms to ask it about."""

from __future__ import annotations

from itertools import product

from tightrope.expr import plain
from tightrope.expr.evaluate import holds
from tightrope.expr.operators import Op
from tightrope.solving.query import Sat, Unsat

BITS = 3


class ExhaustiveSolver:
    """Tries all values of all slots."""

    def __init__(self, bits):
        self.bits, self.asked = bits, 0  # bits: by slot

    def ask(self, terms):
        self.asked += 1
        support = 0
        for term in terms:
            support |= term.support
        domains = [range(1 << bits) if support >> slot & 1 else (0,) for slot, bits in enumerate(self.bits)]
        for values in product(*domains):
            if all(holds(term, values) for term in terms):
                return Sat({slot: value for slot, value in enumerate(values) if support >> slot & 1})
        return Unsat(frozenset(terms))


def always():
    return True


def less(table, slot, than):
    return plain.compare(table, Op.ULT, table.input(slot, BITS), table.constant(than, BITS))
