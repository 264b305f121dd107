"""The fuzzer: which inputs it makes, and what it starts from."""

from __future__ import annotations

from tightrope.inputs.scalars import Scalar, Slot
from tightrope.inputs.texts import InputTexts, TextInput
from tightrope.running.memory_map import FLAG_STAINED, OutcomeCode
from tightrope.search.dictionary import Dictionary
from tightrope.search.fuzzing import MOST_TIMED_OUT, Fuzzer, Ingredients

TEXTS = InputTexts(
    (TextInput((2, 3, 4), choice=1), TextInput((6, 7, 8), choice=5)), 0, (TextInput(tuple(range(10, 16)), 9),)
)
SLOTS = 17  # the last one belongs to no text
WORDS = Dictionary((b"go",), (b"x", b"\n"), (b"1", b"2"))


def fuzzer(seed: int = 0) -> Fuzzer:
    return Fuzzer(TEXTS, lambda: Ingredients(WORDS, {16: [0, 5, 9]}), lambda values: (0, 0, 0, 0), seed)


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


def test_what_hits_something_new_in_a_run_that_ends_is_news_although_one_that_crashed_hit_it() -> None:
    made = started()
    made.note_crashed(TEXTS.write((0,) * SLOTS, [b"t"], [b"x"]), 0b110)
    assert not made.is_news(0b110, has_ended=False)
    assert made.is_news(0b100, has_ended=True) and made.is_news(0b1000, has_ended=False)
    made.settle(0b100, has_ended=True)
    assert not made.is_news(0b100, has_ended=True)


def test_parts_of_an_input_that_crashed_are_tried_with_others_until_one_does_not_crash() -> None:
    made = fuzzer()
    made.note(TEXTS.write((0,) * SLOTS, [], [b"go"]), 1)
    made.note_crashed(TEXTS.write((0,) * SLOTS, [b"t"], [b""]), 0b10)
    found = TEXTS.write((0,) * SLOTS, [b"t"], [b"go"])
    made.begin_turn(is_solver_slow=False)
    assert found in [made.next_input() for _ in range(100)]
    made.settle(0b10, has_ended=True)
    made.begin_turn(is_solver_slow=False)
    assert found not in [made.next_input() for _ in range(100)]


def test_a_turn_about_numbers_does_not_join_what_crashed() -> None:
    made = fuzzer()
    made.note(TEXTS.write((0,) * SLOTS, [], [b"go"]), 1)
    made.note_crashed(TEXTS.write((0,) * SLOTS, [b"t"], [b""]), 0b10)
    made.begin_turn(is_solver_slow=True)
    assert made.is_about_numbers
    assert TEXTS.write((0,) * SLOTS, [b"t"], [b"go"]) not in [made.next_input() for _ in range(100)]


def test_bytes_behind_a_zero_stay_in_what_does_not_vary() -> None:
    """A message is no text, although it is an array of bytes."""
    made = with_two_texts()
    made.note((97, 0, 5, 98, 0, 7), 0b10, slots=0b001000)
    assert any(values[2] == 5 and values[3:] != (98, 0, 7) for values in (made.next_input() for _ in range(100)))


SECOND = InputTexts((), None, (TextInput((0, 1, 2)), TextInput((3, 4, 5))))


def with_two_texts() -> Fuzzer:
    """What it was started with depends on the second text alone."""
    made = Fuzzer(SECOND, lambda: Ingredients(WORDS, {}), lambda values: (0, 0, 0, 0), 0)
    made.note((97, 0, 0, 98, 0, 0), 1, slots=0b001000)
    return made


def test_texts_on_which_the_path_depends_vary_most() -> None:
    made = with_two_texts()
    found = [made.next_input() for _ in range(400)]
    first, second = (sum(values[at : at + 3] != (97 + at // 3, 0, 0) for values in found) for at in (0, 3))
    assert 10 < first < 100 and second > 300


def test_a_trial_that_hits_something_more_often_is_an_origin() -> None:
    made = with_two_texts()
    made.note_trial((120, 120, 120, 98, 0, 0), 0b1)
    made.note_trial((121, 121, 121, 98, 0, 0), 0b1)
    starts = {values[:3] for values in (made.next_input() for _ in range(400))}
    assert (120, 120, 120) in starts and (121, 121, 121) not in starts


def test_what_is_offered_is_tried_first_as_it_is() -> None:
    made = with_two_texts()
    made.offer([(1, 2, 3, 4, 5, 6), (0,) * 6])
    assert [made.next_input() for _ in range(2)] == [(1, 2, 3, 4, 5, 6), (0,) * 6]


def test_two_origins_are_joined() -> None:
    """What the path of one depends on, and what that of the other does: here, each is half of what is needed."""
    made = Fuzzer(SECOND, lambda: Ingredients(WORDS, {}), lambda values: (0, 0, 0, 0), 0)
    made.note((49, 49, 49, 0, 0, 0), 0b01, slots=0b000111)
    made.note((0, 0, 0, 50, 50, 50), 0b10, slots=0b111000)
    found = [made.next_input() for _ in range(200)]
    assert any(values[:3] == (49, 49, 49) and values[3] == 50 for values in found)


def test_options_are_joined_with_answers_that_lead_far() -> None:
    made = fuzzer()
    made.note(TEXTS.write((0,) * SLOTS, [b"-a", b"-b"], [b""]), 0b01)
    made.note(TEXTS.write((*(0,) * 16, 9), [b"x"], [b"far"]), 0b10)
    found = [TEXTS.read(values) for values in (made.next_input() for _ in range(400))]
    assert any(arguments == [b"-a", b"-b"] and texts[0].startswith(b"far") for arguments, texts in found)


def test_what_a_trial_costs() -> None:
    made = fuzzer()
    assert made.cost(OutcomeCode.RETURNED, 0) == made.cost(OutcomeCode.CRASHED, 0) == 1
    assert 1 < made.cost(OutcomeCode.CRASHED, FLAG_STAINED) < made.cost(OutcomeCode.TIMED_OUT, FLAG_STAINED)


def test_a_late_turn_is_no_short_one() -> None:
    made = started()
    least = [made.plan_turn(0, 0)]
    for _ in range(4):
        made.end_turn(has_found=False)
        least.append(made.plan_turn(0, 0))
    assert least == sorted(least) and least[-1] == least[-2] > least[0]
    made.end_turn(has_found=True)
    assert made.plan_turn(0, 0) == least[0]


def test_a_program_that_does_not_end_is_left_alone() -> None:
    made = started()
    made.timed_out = MOST_TIMED_OUT
    assert not made.is_ready
    for _ in range(1000):
        made.next_input()
    assert made.is_ready  # most trials ended


def test_numbers_beside_texts_vary_where_the_solver_is_slow() -> None:
    slots = [Slot(number, f"n{number}", Scalar("unsigned", 32, 4)) for number in range(SLOTS)]
    others = InputTexts((), None, TEXTS.others)
    made = Fuzzer(others, lambda: Ingredients(WORDS, {}, slots), lambda values: (0, 0, 0, 0), 0)
    made.note(others.write((0,) * SLOTS, [], [b"go"]), 1)
    assert {values[16] for values in (made.next_input() for _ in range(50))} == {0}
    made.begin_turn(is_solver_slow=True)
    found = [made.next_input() for _ in range(200)]
    assert len({values[16] for values in found}) > 5 and len({values[10:16] for values in found}) > 5
    made.timed_out = 300  # of 251 trials
    assert made.is_ready  # such a turn has an end in time
    made.begin_turn(is_solver_slow=False)
    assert not made.is_ready


def test_programs_read_numbers_as_texts() -> None:
    made = Fuzzer(TEXTS, lambda: Ingredients(WORDS, {}), lambda values: (0, 0, 0, 0), 0, is_for_program=True)
    made.begin_turn(is_solver_slow=True)
    assert not made.is_about_numbers
