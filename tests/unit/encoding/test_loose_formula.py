"""A question about a loose formula gets the definitions that can bear on it, and no others."""

from __future__ import annotations

from tightrope.encoding.loose.walk import LooseFormula
from tightrope.encoding.values import EncodingTable
from tightrope.expr.operators import Op
from tightrope.expr.simplify import compare


def test_definitions_are_found_through_others() -> None:
    table = EncodingTable()
    first, second, third, other = (table.input(slot, 8) for slot in range(4))
    chain = (compare(table, Op.EQ, first, second), compare(table, Op.EQ, second, third))
    apart = compare(table, Op.EQ, other, table.constant(7, 8))
    formula = LooseFormula(table, (apart, *reversed(chain)), {}, 0, 0)
    question = compare(table, Op.ULT, first, table.constant(5, 8))
    assert set(formula.definitions_for([question])) == set(chain)
    assert formula.definitions_for([compare(table, Op.ULT, other, table.constant(5, 8))]) == (apart,)
    assert formula.definitions_for([table.constant(1, 1)]) == ()
