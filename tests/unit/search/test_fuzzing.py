"""The fuzzer: which inputs it makes, and what it starts from."""

from __future__ import annotations

from tightrope.inputs.scalars import Scalar, Slot
from tightrope.inputs.texts import InputTexts, TextInput
from tightrope.search.dictionary import Dictionary
from tightrope.search.fuzzing import MOST_TIMED_OUT, Fuzzer, Ingredients

TEXTS = InputTexts(
    (TextInput((2, 3, 4), choice=1), TextInput((6, 7, 8), choice=5)), 0, (TextInput(tuple(range(10, 16)), 9),)
)
SLOTS = 17  # the last one belongs to no text
WORDS = Dictionary((b"go",), (b"x", b"\n"), (b"1", b"2"))


def fuzzer(seed: int = 0) -> Fuzzer:
    return Fuzzer(TEXTS, lambda: Ingredients(WORDS, {16: [0, 5, 9]}), lambda values: (0, 0, 0), seed)


def started(seed: int = 0) -> Fuzzer:
    made = fuzzer(seed)
    made.note(TEXTS.write((0,) * SLOTS, [b"a"], [b"go\n"]), 1)
    return made


def test_the_same_seed_makes_the_same_inputs() -> None:
    one, two = started(5), started(5)
    assert [one.next_input() for _ in range(300)] == [two.next_input() for _ in range(300)]


def test_every_input_agrees_with_itself() -> None:
    """argc says how many arguments there are, and exactly those exist."""
    made = started()
    for _ in range(500):
        values = made.next_input()
        assert len(values) == SLOTS
        assert 1 <= values[0] <= 3 and (values[1], values[5]) == (int(values[0] < 2), int(values[0] < 3))
        assert values[9] <= 6 and not any(values[10 + values[9] : 16])


def test_arguments_texts_and_numbers_vary() -> None:
    made = started()
    found = [made.next_input() for _ in range(500)]
    assert {values[0] for values in found} == {1, 2, 3}
    assert len({values[10:16] for values in found}) > 50
    assert {values[16] for values in found} == {0, 5, 9}


def test_only_inputs_that_hit_something_new_are_kept() -> None:
    made = fuzzer()
    assert not made.is_ready
    first = TEXTS.write((0,) * SLOTS, [], [b"first"])
    made.note(first, 0b11)
    made.note(TEXTS.write(first, [], [b"zzzzzz"]), 0b01)
    assert made.is_ready and made.seen == 0b11
    assert not any(bytes(made.next_input()[10:16]) == b"zzzzzz" for _ in range(200))


def test_a_program_that_does_not_end_is_left_alone() -> None:
    made = started()
    made.timed_out = MOST_TIMED_OUT
    assert not made.is_ready


def test_numbers_beside_texts_vary_where_the_solver_is_slow() -> None:
    slots = [Slot(number, f"n{number}", Scalar("unsigned", 32, 4)) for number in range(SLOTS)]
    others = InputTexts((), None, TEXTS.others)
    made = Fuzzer(others, lambda: Ingredients(WORDS, {}, slots), lambda values: (0, 0, 0), 0)
    made.note(others.write((0,) * SLOTS, [], [b"go"]), 1)
    assert {values[16] for values in (made.next_input() for _ in range(50))} == {0}
    made.begin_turn(is_solver_slow=True)
    found = [made.next_input() for _ in range(200)]
    assert len({values[16] for values in found}) > 5 and len({values[10:16] for values in found}) > 5
    made.timed_out = MOST_TIMED_OUT
    assert made.is_ready  # such a turn has an end in time
    made.begin_turn(is_solver_slow=False)
    assert not made.is_ready


def test_programs_read_numbers_as_texts() -> None:
    made = Fuzzer(TEXTS, lambda: Ingredients(WORDS, {}), lambda values: (0, 0, 0), 0, is_for_program=True)
    made.begin_turn(is_solver_slow=True)
    assert not made.is_about_numbers
