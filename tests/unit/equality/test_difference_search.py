from __future__ import annotations

from itertools import islice
from random import Random

from tightrope.equality.difference_search import sample_inputs
from tightrope.inputs.scalars import Scalar, Slot
from tightrope.program.flow.unit_constants import UnitConstants

SLOTS = (
    Slot(0, "n", Scalar("signed", 32, 4, True)),
    Slot(1, "b", Scalar("bool", 1, 1)),
    Slot(2, "d", Scalar("float", 64, 8)),
    Slot(3, "p", Scalar("choice", 1, 1, members=(("an object", 0), ("NULL", 1)))),
    Slot(4, "q", Scalar("choice", 0, 1, members=(("an object", 0),))),
)
CONSTANTS = UnitConstants((100,), (2.5,), ())


def drawn() -> list[tuple[int, ...]]:
    return list(sample_inputs(SLOTS, [CONSTANTS], Random(1)))


def test_every_value_fits_its_slot() -> None:
    assert all(0 <= value <= slot.scalar.mask for values in drawn() for value, slot in zip(values, SLOTS, strict=True))


def test_constants_and_what_is_next_to_them() -> None:
    assert {99, 100, 101} <= {values[0] for values in drawn()}


def test_same_seed_same_inputs() -> None:
    assert drawn() == drawn()


def test_the_first_one_is_the_usual_one() -> None:
    assert next(islice(drawn(), 1)) == (0, 0, 0, 0, 0)
