"""The inputs a search starts with."""

from __future__ import annotations

from tightrope.inputs.scalars import Scalar, Slot, first_input, float_to_bits
from tightrope.inputs.texts import InputTexts, TextInput
from tightrope.program.flow.unit_constants import UnitConstants
from tightrope.search.seeds import MOST_FROM_CONSTANTS, MOST_FROM_TEXTS, make_seeds

INT = Scalar("signed", 32, 4, is_signed=True)
BYTE = Scalar("unsigned", 8, 1)
CHAR = Scalar("char", 8, 1, is_signed=True)
DOUBLE = Scalar("float", 64, 8)
COLOUR = Scalar("enum", 32, 4, members=(("RED", 3), ("GREEN", 5)))
POINTER = Scalar("choice", 1, 1, members=(("an object", 0), ("NULL", 1)))
NOTHING = UnitConstants()


def slots(*scalars: Scalar) -> list[Slot]:
    return [Slot(number, f"x{number}", scalar) for number, scalar in enumerate(scalars)]


def characters(name: str, count: int, start: int = 0) -> list[Slot]:
    return [Slot(start + number, f"{name}[{number}]", CHAR) for number in range(count)]


def test_the_first_input_is_the_first_and_nothing_is_there_twice() -> None:
    mine = slots(INT, DOUBLE, COLOUR)
    seeds = make_seeds(mine, UnitConstants(integers=(0, 1, 1), floats=(1.0,)))
    assert seeds[0] == first_input(mine) == (0, 0, 3)
    assert len(seeds) == len(set(seeds))


def test_types_give_one_and_minus_one_where_they_fit() -> None:
    seeds = make_seeds(slots(INT, BYTE, DOUBLE, COLOUR, POINTER), NOTHING)
    assert (1, 1, float_to_bits(1.0, 64), 3, 0) in seeds
    assert (0xFFFFFFFF, 0, float_to_bits(-1.0, 64), 3, 0) in seeds


def test_constants_take_turns_in_the_slots_that_can_hold_them() -> None:
    seeds = make_seeds(slots(INT, BYTE, DOUBLE), UnitConstants(integers=(-3, 300, 7), floats=(2.5,)))
    half = float_to_bits(2.5, 64)
    assert {(0xFFFFFFFD, 7, half), (300, 7, half), (7, 7, half)} <= set(seeds)


def test_an_enum_takes_its_members_and_a_pointer_keeps_its_object() -> None:
    seeds = make_seeds(slots(COLOUR, POINTER), UnitConstants(integers=(1, 9)))
    assert {seed[0] for seed in seeds} == {3, 5}
    assert {seed[1] for seed in seeds} == {0}


def test_texts_fill_arrays_of_characters_that_can_hold_them() -> None:
    mine = [*characters("s", 4), Slot(4, "n", INT), *characters("cfg->name", 2, start=5)]
    seeds = make_seeds(mine, UnitConstants(texts=(b"on", b"off", b"too long")))
    assert (*b"on", 0, 0, 0, *b"on") in seeds
    assert (*b"off", 0, 0, 0, 0) in seeds
    assert len(seeds) == 1 + 2 + 2


def test_a_number_of_elements_stays_within_its_limit() -> None:
    seeds = make_seeds(slots(INT, INT), UnitConstants(integers=(5000,)), limits={1: 8})
    assert max(seed[1] for seed in seeds) == 8
    assert max(seed[0] for seed in seeds) > 8


def test_there_are_few() -> None:
    constants = UnitConstants(tuple(range(2, 99)), (), tuple(b"w%d" % number for number in range(99)))
    seeds = make_seeds([*slots(INT, BYTE), *characters("s", 8, start=2)], constants)
    assert len(seeds) == 1 + 2 + MOST_FROM_CONSTANTS + MOST_FROM_TEXTS


def test_each_option_of_a_program_with_an_operand() -> None:
    texts = InputTexts((TextInput((3, 4), choice=1), TextInput((5, 6), choice=2)), 0)
    mine = [*slots(INT, POINTER, POINTER), *characters("argv[1]", 2, start=3), *characters("argv[2]", 2, start=5)]
    constants = UnitConstants(options=((b"-v",), (b"-t", b"1")))
    seeds = make_seeds(mine, constants, texts=texts)
    assert (3, 0, 0, *b"-v", *b"a\0") in seeds
    assert (3, 0, 0, *b"-t", *b"1\0") in seeds
    assert len(make_seeds(mine, constants)) == len(seeds) - 2


def test_no_slots_one_seed() -> None:
    assert make_seeds([], UnitConstants(integers=(1,), texts=(b"a",))) == [()]
