"""Arrays among the slots of an input, and changes to several of their elements."""

from __future__ import annotations

from random import Random

from tightrope.inputs.scalars import Scalar, Slot
from tightrope.search.number_variations import NumberVariations
from tightrope.search.slot_arrays import find_arrays

WORD, BYTE = Scalar("unsigned", 32, 4), Scalar("unsigned", 8, 1)


def slots_of(*named: tuple[str, Scalar]) -> list[Slot]:
    return [Slot(number, path, scalar) for number, (path, scalar) in enumerate(named)]


RECORDS = slots_of(*((f"s.op[{at}].{name}", scalar) for at in range(4) for name, scalar in (("a", WORD), ("b", BYTE))))


def test_an_array_of_records_and_one_inside_of_each() -> None:
    (array,) = find_arrays(RECORDS)
    assert array.elements == ((0, 1), (2, 3), (4, 5), (6, 7))
    nested = slots_of(*((f"m[{row}][{column}]", WORD) for row in range(3) for column in range(3)))
    found = {each.elements for each in find_arrays(nested)}
    assert ((0, 1, 2), (3, 4, 5), (6, 7, 8)) in found and ((3,), (4,), (5,)) in found and len(found) == 4


def test_what_is_no_array_of_like_elements() -> None:
    assert not find_arrays(slots_of(("a[0]", WORD), ("a[1]", WORD), ("x", WORD)))  # too short
    assert not find_arrays(slots_of(("a[1]", WORD), ("a[2]", WORD), ("a[3]", WORD)))  # without its beginning
    assert not find_arrays(slots_of(("a[0]", WORD), ("a[1]", BYTE), ("a[2]", WORD)))


def test_elements_are_filled_and_copied() -> None:
    (array,) = find_arrays(RECORDS)
    values = list(range(8))
    array.fill(values, 1, 3, 0, 9)
    assert values == [0, 1, 9, 3, 9, 5, 6, 7]
    array.copy(values, 0, 2, 10)
    assert values == [0, 1, 9, 3, 0, 1, 9, 3]
    array.copy(values, 0, 1, 10)  # they overlap
    assert values == [0, 1, 0, 1, 9, 3, 0, 1]


def test_many_samples_change_together() -> None:
    slots = slots_of(*((f"at[{number}]", WORD) for number in range(100)))
    made = NumberVariations(slots, {slot.number: [0, 20_001] for slot in slots}, {7: 7}, Random(1))
    base = tuple(range(100))
    found = [made.vary(base, base) for _ in range(500)]
    assert any(values[1:].count(20_001) > 60 for values in found)
    assert any(values[51:] == base[50:-1] != base[51:] for values in found)  # moved by one
    assert all(len(values) == 100 and values[7] <= 7 for values in found)
