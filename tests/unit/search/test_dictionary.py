from tightrope.program.flow.unit_constants import UnitConstants
from tightrope.search.dictionary import USUAL_NUMBERS, make_dictionary


def test_words_characters_and_numbers_come_from_comparisons() -> None:
    found = make_dictionary(UnitConstants(integers=(59, 40, -7), floats=(2.5,), texts=(b"quit", b"x", b"quit")))
    assert found.words == (b"quit",)
    assert found.characters[:3] == (b"x", b";", b"(")
    assert {b"39", b"40", b"41", b"-7", b"-8", b"2.5", *USUAL_NUMBERS} <= set(found.numbers)


def test_a_program_without_constants_has_a_dictionary_too() -> None:
    found = make_dictionary(UnitConstants())
    assert not found.words and b"\n" in found.characters and b"0" in found.numbers


def test_huge_numbers_and_numbers_that_are_no_character_are_left_out() -> None:
    found = make_dictionary(UnitConstants(integers=(1 << 40, 300, -3)))
    assert not any(len(each) > 10 for each in found.numbers)
    assert all(len(each) == 1 for each in found.characters)


def test_further_words_are_added() -> None:
    assert make_dictionary(UnitConstants(texts=(b"go",)), [b"/dev/stdin"]).words == (b"go", b"/dev/stdin")
