"""Values of an input for which the sides of a comparison become equal."""

from __future__ import annotations

import pytest

from tightrope.commands.generate.moved_values import moved_values
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable
from tightrope.inputs.scalars import Scalar

INT, UNSIGNED, SHORT = Scalar("signed", 32, 4, True), Scalar("unsigned", 32, 4), Scalar("signed", 16, 2, True)
ALL = (1 << 32) - 1


@pytest.mark.parametrize("scalar", [INT, UNSIGNED, SHORT])
@pytest.mark.parametrize("op", [Op.EQ, Op.ULT])
@pytest.mark.parametrize(("mine", "theirs"), [(-11, 5), (5, -11), (7, 5), (-7, -5), (0, -1)])
def test_an_input_moves_across_zero(scalar: Scalar, op: Op, mine: int, theirs: int) -> None:
    """`t == 5` is about bits, and `(unsigned)t < 5` about numbers without a sign: in both, -11 may become 5."""
    table = TermTable()
    comparison = table.make(op, 1, (table.input(0, 32), table.constant(theirs & ALL, 32)))
    moved = moved_values(comparison, scalar, mine & scalar.mask, mine & ALL, theirs & ALL)
    assert theirs & scalar.mask in moved


def test_a_value_that_does_not_fit_is_left_out() -> None:
    table = TermTable()
    comparison = table.make(Op.EQ, 1, (table.input(0, 32), table.constant(70_000, 32)))
    assert not set(moved_values(comparison, SHORT, 5, 5, 70_000)) & {70_000 & SHORT.mask}
