"""Numbers that fuzzing makes from numbers."""

from __future__ import annotations

from random import Random

from tightrope.inputs.scalars import Scalar, Slot
from tightrope.search.number_variations import NumberVariations

WORD = Scalar("unsigned", 32, 4)
SCALARS = (
    WORD,
    WORD,
    Scalar("unsigned", 8, 1),
    Scalar("float", 64, 8),
    Scalar("bool", 1, 1),
    Scalar("enum", 32, 4, members=(("RED", 3), ("GREEN", 5))),
    Scalar("choice", 2, 1, members=(("an object", 0), ("NULL", 1), ("another", 2))),
)
SLOTS = [Slot(number, f"x{number}", scalar) for number, scalar in enumerate(SCALARS)]
KNOWN = {0: [0, 1000], 5: [3, 5], 6: [0, 1, 2]}
BASE, OTHER = (7, 300, 1, 0, 0, 3, 0), (7, 123457, 1, 0, 0, 3, 0)


def inputs(count: int, seed: int = 0) -> list[tuple[int, ...]]:
    made = NumberVariations(SLOTS, KNOWN, {1: 123457}, Random(seed))
    return [made.vary(BASE, OTHER) for _ in range(count)]


def test_the_same_seed_makes_the_same_numbers() -> None:
    assert inputs(100, 3) == inputs(100, 3) != inputs(100, 4)


def test_every_number_is_one_of_its_slot() -> None:
    for values in inputs(2000):
        assert all(0 <= value <= slot.scalar.mask for value, slot in zip(values, SLOTS, strict=True))
        assert values[1] <= 123457 and values[5] in (3, 5) and values[6] in (0, 1, 2)


def test_each_kind_of_change_happens() -> None:
    found = inputs(5000)
    first = {values[0] for values in found}
    assert {1000, 8, 6, 14, 3, 300, 7 ^ 1 << 31, (1 << 32) - 7} <= first
    assert any(value > 1 << 24 for value in first) and OTHER[1] in {values[1] for values in found}
    assert {values[4] for values in found} == {0, 1} and {values[6] for values in found} == {0, 1, 2}
    assert sum(before != now for before, now in zip(BASE, found[0], strict=True)) <= len(BASE)
    changed = {sum(before != now for before, now in zip(BASE, values, strict=True)) for values in found}
    assert {0, 1, 2, 3} <= changed
