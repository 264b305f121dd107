"""Texts among the inputs: read from an input, and written back with what must agree with them."""

from __future__ import annotations

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import Elements, InputShape, Leaf, PointsTo, Root
from tightrope.inputs.texts import InputTexts, TextInput, program_texts, texts_of
from tightrope.inputs.whole_program import stdin_roots
from tightrope.inputs.wishes import Wish, Wishes

CHAR, INT = Scalar("char", 8, 1, True), Scalar("signed", 32, 4, True)
TWO = InputTexts(  # argc, whether argv[1] and argv[2] exist, two characters each, then a text of three and its length
    (TextInput((3, 4), choice=1), TextInput((5, 6), choice=2)), 0, (TextInput((8, 9, 10), 7),)
)
NOTHING = (1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)


def characters(path: str, first: int, count: int) -> tuple[Leaf, ...]:
    return tuple(Leaf(f"{path}[{at}]", 2, CHAR, first + at) for at in range(count))


def test_what_is_written_is_read() -> None:
    values = TWO.write(NOTHING, [b"-v"], [b"ab"])
    assert values == (2, 0, 1, 45, 118, 0, 0, 2, 97, 98, 0)
    assert TWO.read(values) == ([b"-v"], [b"ab"])
    assert TWO.read(TWO.write(values, [b"x", b"y"], [b""])) == ([b"x", b"y"], [b""])
    assert TWO.read(TWO.write(values, [], [b"a\0b"])) == ([], [b"a\0b"])


def test_what_does_not_fit_is_cut() -> None:
    assert TWO.read(TWO.write(NOTHING, [b"long", b"b", b"third"], [b"abcd"])) == ([b"lo", b"b"], [b"abc"])


def test_no_slot_outside_of_the_texts_changes() -> None:
    texts = InputTexts(others=(TextInput((1, 2)),))
    assert texts.write((7, 0, 0, 9), [], [b"a"]) == (7, 97, 0, 9)
    assert texts.slots == {1, 2} and TWO.slots == set(range(11))


def test_standard_input_is_a_text_with_a_length() -> None:
    numbers = iter(range(100))
    roots = tuple(stdin_roots(Wishes((("stdin", Wish(kind="array", count=4)),)), lambda: next(numbers)))
    found = program_texts(InputShape(roots, None))
    assert found.others == (TextInput((1, 2, 3, 4), 0),) and not found.arguments


def test_strings_end_before_a_zero_and_buffers_where_their_length_says() -> None:
    name = PointsTo("name", 3, "name", 2, 5, characters("name", 0, 4), is_string=True)
    buffer = PointsTo("b", 3, "b", 2, 4, characters("b", 4, 4), length="n")
    roots = (Root("name", name), Root("b", buffer), Root("n", Leaf("n", 1, INT, 8)))
    found = texts_of(InputShape(roots, None))
    assert found.others == (TextInput((0, 1, 2, 3)), TextInput((4, 5, 6, 7), 8))
    assert not program_texts(InputShape(roots, None))


def test_what_a_stub_gives_one_character_at_a_time_is_a_text() -> None:
    """`read(line, &c, 1)` in a loop."""
    calls = [
        Root(f"read_1[{at}]", Leaf(f"*read::argument_2#{at + 1}", 2, CHAR, at), answers_of="read") for at in range(3)
    ]
    numbers = [Root(f"read[{at}]", Leaf(f"read#{at + 1}", 1, INT, 3 + at), answers_of="read") for at in range(3)]
    assert texts_of(InputShape((*calls, *numbers), None)).others == (TextInput((0, 1, 2)),)
    assert not texts_of(InputShape(tuple(calls[:2]), None))


def test_numbers_and_short_arrays_are_no_texts() -> None:
    numbers = Elements("a", 1, tuple(Leaf(f"a[{at}]", 1, INT, at) for at in range(4)), 4)
    short = Elements("s", 2, characters("s", 4, 2), 2)
    assert not texts_of(InputShape((Root("a", numbers), Root("s", short)), None))
