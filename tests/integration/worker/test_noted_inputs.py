"""A runner records the inputs that are run, if requested."""

from __future__ import annotations

from .conftest import StartUnit


def test_each_input_is_noted_once_in_its_order_and_only_inside(start_unit: StartUnit) -> None:
    unit = start_unit("int f(int a) { return a > 1; }", "f")
    unit.run(9)
    with unit.runner.noting(2) as inputs:
        for value in (5, 3, 5, 7):
            unit.run(value)
    unit.run(8)
    assert list(inputs) == [(5,), (3,)]
