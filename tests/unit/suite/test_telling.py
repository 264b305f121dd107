"""Values that tell something: what is changed, what stays, and how many runs that takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tightrope.inputs.scalars import Input, Scalar, bits_to_float, float_to_bits
from tightrope.inputs.shape import Elements, Fields, InputShape, Leaf, PointsTo, Root, Shape
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.suite.reduce import Kept
from tightrope.suite.telling import tell

INT = Scalar("signed", 32, 4, is_signed=True)
CHAR = Scalar("char", 8, 1, is_signed=True)
BOOL = Scalar("bool", 1, 1)
ENUM = Scalar("enum", 32, 4, members=(("OFF", 0), ("ON", 1)))
DOUBLE = Scalar("float", 64, 8)
NARROW = Scalar("unsigned", 2, 1)


def shape_of(*roots: Shape) -> InputShape:
    return InputShape(tuple(Root(f"p{at}", one) for at, one in enumerate(roots)), None)


def leaves(scalar: Scalar, first: int, count: int) -> tuple[Leaf, ...]:
    return tuple(Leaf(f"x[{at}]", 0, scalar, first + at) for at in range(count))


class Unit:
    """Runs `covers`, which says what an input covers; counts the runs."""

    def __init__(self, covers: Callable[..., int]) -> None:
        self.covers = covers
        self.runs = 0

    def __call__(self, values: Input) -> RunRecord:
        self.runs += 1
        points = self.covers(*values)
        return RunRecord(values, Ending(Outcome.RETURNED if points >= 0 else Outcome.CRASHED), max(points, 0))

    def tell(self, shape: InputShape, values: Input, *, is_negative: bool = False) -> Input:
        record = self(values)
        self.runs = 0
        kept = Kept(record, (record.points,))
        return tell(kept, shape, self, same=record.points, is_negative=is_negative).input


def test_zeros_become_different_numbers_in_rising_order_in_few_runs() -> None:
    unit = Unit(lambda *values: 1)
    assert unit.tell(shape_of(*leaves(INT, 0, 4)), (0, 0, 0, 0)) == (2, 3, 5, 7)
    assert unit.runs <= 1 + 1 + 2 * 4  # all at once; all with more bits; whether bits of each are ignored
    assert unit.tell(shape_of(*leaves(INT, 0, 3)), (3, 0, 0)) == (3, 2, 5)


def test_what_is_asked_for_stays() -> None:
    assert Unit(lambda a, b, c: int(b == 0)).tell(shape_of(*leaves(INT, 0, 3)), (0, 0, 0)) == (2, 0, 5)
    assert Unit(lambda a, b: 1).tell(shape_of(*leaves(INT, 0, 2)), (9, 0)) == (9, 2)  # a boundary, most likely


def test_zeros_that_must_be_equal_change_together() -> None:
    assert Unit(lambda a, b: int(a == b)).tell(shape_of(*leaves(INT, 0, 2)), (0, 0)) == (2, 2)


def test_zeros_of_a_sum_or_a_difference_change_together() -> None:
    three = shape_of(*leaves(INT, 0, 3))
    found = Unit(lambda a, b, c: int(a + b + c == 15)).tell(three, (0, 15, 0))
    assert all(found)
    assert sum(found) == 15
    found = Unit(lambda a, b, c: int(b - a == 15)).tell(three, (0, 15, 0))
    assert all(found)
    assert found[1] - found[0] == 15


def test_an_input_that_crashes_is_not_taken() -> None:
    assert Unit(lambda a, b: -1 if a else 1).tell(shape_of(*leaves(INT, 0, 2)), (0, 0)) == (0, 3)


def test_small_values_where_larger_ones_do_not_fit() -> None:
    def covers(*values: int) -> int:
        return int(values[8] < 3)

    found = Unit(covers).tell(shape_of(*leaves(INT, 0, 9)), (0,) * 9)
    assert 0 < found[8] < 3
    assert found[:8] == (2, 3, 5, 7, 11, 13, 17, 19)


def test_bool_enum_and_narrow_fields_stay_valid() -> None:
    kinds = (BOOL, ENUM, NARROW, NARROW)
    found = Unit(lambda *values: 1).tell(shape_of(*(Leaf("x", 0, kind, at) for at, kind in enumerate(kinds))), (0,) * 4)
    assert found[:2] == (0, 0)
    assert all(0 < each < 4 for each in found[2:])


def test_a_text_is_abc_and_ends() -> None:
    text = PointsTo("s", 0, "s", 0, 9, leaves(CHAR, 0, 8), is_string=True)
    assert Unit(lambda *values: 1).tell(shape_of(text), (0,) * 8) == (*b"abc", 0, 0, 0, 0, 0)
    short = Fields("r", 0, (("tag", Elements("r.tag", 0, leaves(CHAR, 0, 2), 2)),))
    assert Unit(lambda *values: 1).tell(shape_of(short), (0, 0)) == (ord("a"), 0)


def test_a_count_is_not_larger_than_its_array() -> None:
    count = Leaf("n", 0, INT, 0, most=4)
    array = PointsTo("a", 0, "a", 0, 4, leaves(INT, 1, 4))
    assert Unit(lambda *values: 1).tell(shape_of(count, array), (0,) * 5) == (3, 2, 3, 5, 7)


def test_a_single_element_is_too_few() -> None:
    count = Leaf("n", 0, INT, 0, most=4)
    array = PointsTo("a", 0, "a", 0, 4, leaves(INT, 1, 4))
    assert Unit(lambda *values: 1).tell(shape_of(count, array), (1, 0, 0, 0, 0)) == (3, 2, 3, 5, 7)


def test_digits_stay_digits_and_differ() -> None:
    text = PointsTo("s", 0, "s", 0, 6, leaves(CHAR, 0, 6), is_string=True)

    def covers(*values: int) -> int:
        return int(values[2] == ord(":") and all(chr(values[at]).isdigit() for at in (0, 1, 3, 4)))

    assert bytes(Unit(covers).tell(shape_of(text), (*b"00:00", 0))) == b"12:34\0"


def test_below_zero_as_far_as_possible() -> None:
    found = Unit(lambda a, b, c: int(b < 1 << 31)).tell(shape_of(*leaves(INT, 0, 3)), (0, 0, 0), is_negative=True)
    assert [raw - (raw >> 31 << 32) for raw in found] == [-5, 2, -2]
    assert Unit(lambda *values: 1).tell(shape_of(Leaf("x", 0, NARROW, 0)), (0,), is_negative=True) == (2,)


def test_of_long_arrays_only_the_beginning() -> None:
    array = PointsTo("a", 0, "a", 0, 64, leaves(INT, 0, 64))
    found = Unit(lambda *values: 1).tell(shape_of(array), (0,) * 64)
    assert all(found[:8]) and not any(found[8:])


def test_floats_are_neither_one_nor_infinite() -> None:
    one, infinite = float_to_bits(1.0, 64), float_to_bits(float("-inf"), 64)
    found = Unit(lambda *values: 1).tell(shape_of(*leaves(DOUBLE, 0, 3)), (0, one, infinite))
    assert [bits_to_float(raw, 64) for raw in found] == [1.5, 2.5, -100.5]


def test_objects_that_no_pointer_leads_to_stay_simple() -> None:
    choice = PointsTo("p", 0, "p", 0, 1, (Leaf("*p", 0, INT, 1),), slot=0, others=("NULL",))
    assert Unit(lambda *values: 1).tell(shape_of(choice, Leaf("n", 0, INT, 2)), (1, 0, 0)) == (1, 0, 2)


def test_few_runs() -> None:
    unit = Unit(lambda *values: int(values[17] == 0 and values[40] == 0))
    found = unit.tell(shape_of(*leaves(INT, 0, 60)), (0,) * 60)
    assert sum(value != 0 for value in found) == 58
    assert unit.runs <= 250


BYTE = Scalar("unsigned", 8, 1)
WORD = Scalar("unsigned", 16, 2)


class Computing(Unit):
    """Runs a function that returns results; the number that is left in the first parameter is an output, too."""

    def __init__(self, computes: Callable[..., tuple[int, ...]]) -> None:
        super().__init__(lambda *values: 1)
        self.computes = computes

    def __call__(self, values: Input) -> RunRecord:
        return replace(super().__call__(values), outputs=(*self.computes(*values), values[0]))


def test_numbers_whose_parts_are_stored_apart_have_bits_in_each_part() -> None:
    (found,) = Computing(lambda x: (x >> 8, x & 0xFF)).tell(shape_of(Leaf("x", 0, WORD, 0)), (0,))
    assert (found >> 8).bit_count() == (found & 0xFF).bit_count() == 6
    assert found >> 8 != found & 0xFF


def test_a_masked_number_has_bits_inside_and_outside_of_the_mask() -> None:
    (found,) = Computing(lambda x: (x & 0x7F,)).tell(shape_of(Leaf("x", 0, BYTE, 0)), (0,))
    assert found & 0x40 and found & 0x80


def test_numbers_stay_small_where_results_do_not_say_more() -> None:
    two = shape_of(*leaves(INT, 0, 2))
    assert Computing(lambda a, b: (a + b,)).tell(two, (0, 0)) == (2, 3)


def test_bits_that_are_ignored_are_set() -> None:
    unit = Computing(lambda x, y: (int(x & 0x0F == 1),))
    found = unit.tell(shape_of(Leaf("x", 0, BYTE, 0)), (1, 0))
    assert found[0] & 0x0F == 1
    assert found[0] > 0x0F


def test_bits_are_not_set_where_only_the_size_or_the_sign_counts() -> None:
    byte = shape_of(Leaf("x", 0, BYTE, 0))
    for computes in (lambda x: (int(x > 0),), lambda x: (int(x < 200),), lambda x: (0,), lambda x: (x,)):
        assert Computing(computes).tell(byte, (1,)) == (1,)


def test_texts_differ_at_their_ends_where_results_say_more() -> None:
    one, two = (
        PointsTo(name, 0, name, 0, 5, leaves(CHAR, first, 4), is_string=True) for name, first in (("s", 0), ("t", 4))
    )
    texts = shape_of(one, two)
    assert Unit(lambda *values: 1).tell(texts, (0,) * 8) == (*b"abc", 0, *b"abc", 0)
    compared = Computing(lambda *values: (0 if values[:4] == values[4:] else -1,))
    assert compared.tell(texts, (0,) * 8) == (*b"abc", 0, *b"abd", 0)


def test_every_other_test_has_few_bits_instead_of_most() -> None:
    """What a function sets itself is seen only where it was not set before."""
    unit = Computing(lambda x: (x >> 8, x & 0xFF))
    most, few = (
        unit.tell(shape_of(Leaf("x", 0, WORD, 0)), (0,), is_negative=is_negative)[0] for is_negative in (False, True)
    )
    assert most.bit_count() == 12
    assert few == most ^ 0xFFFF
