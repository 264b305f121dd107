"""Fuzzing: inputs made from known ones by chance, run without asking anybody.

A solver finds the one character that a comparison wants. It does not find the line of four words that gets a program
into another state, because each of the words is a path of its own that leads to nothing new. When the search finds
nothing new for a while, and the unit reads texts, fuzzing has a turn:

    an input that hit something first  -->  vary its texts  -->  a trial  -->  something new?  run it as the search does
                    ^                      (variations.py)    (no trace)                              |
                    +---------------------------------------------------------------------------------+

A trial is a run whose inputs have no expressions: the path is not recorded, so that it costs a fraction of a run. It
decides nothing. Only what the search runs afterwards counts.

Numbers are left to the solver. Only where it is slow, as with divisions of large numbers, fuzzing varies them
(number_variations.py), for as long as the solver took. It does so beside texts, too, but not in programs, which read
numbers as texts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tightrope.coverage.witnesses import bits
from tightrope.inputs.scalars import Input, Slot
from tightrope.inputs.texts import InputTexts
from tightrope.running.memory_map import FLAG_STAINED, OutcomeCode
from tightrope.search.dictionary import Dictionary
from tightrope.search.number_variations import NumberVariations
from tightrope.search.variations import Variations

TIMED_OUT = int(OutcomeCode.TIMED_OUT)
Trial = tuple[int, int, int, int]  # how it ended, its flags, the points that it hit, and how often: see Runner
FIRST_WAIT, MOST_DOUBLINGS = 100, 6  # steps of the search without anything new; doubled after a turn in vain
LEAST_TRIALS, MOST_LEAST_TRIALS = 1_000, 16_000  # of a turn: after one in vain, four times as many
FIRST_RATE = 8.0  # trials for each step of the search; fewer after a turn in vain
STEPS_OF_QUERY = 10  # a query that a solver answered takes as long as so many steps of the search
SLOW_SOLVING = 1.0  # seconds in which a solver answered little: then fuzzing varies numbers for as long
SLOW_QUERY = 0.1  # seconds
COST_OF_PROCESS = 20  # a trial after which there must be a new process costs as much as so many others
COST_OF_TIME_OUT = 2_000  # and one that does not end
MOST_TIMED_OUT = 3  # then fuzzing of texts ends for good, unless most trials end:
TRIALS_PER_TIME_OUT = 20
NUMBERS_BESIDE_TEXTS = 4  # of so many inputs of a turn about numbers, one varies texts, if there are any
MOST_KEPT = 400
ANY_TEXT = 8  # one trial of so many varies a text although the path of its origin does not depend on it
ANY_NUMBER = 4  # of so many trials, one changes a number, too
TWO_TEXTS = 4  # of so many trials, one varies two texts
JOINED = 4  # of so many trials, one joins two origins
MOST_FRUITFUL = 64  # of the last ones
WITH_CRASHED = 3  # of so many trials, one joins an input that crashed where no other got with one that did not
SELDOM = 8  # of so many such trials, one varies a join that was tried as it is: most of them crash, which takes long
MOST_CRASHED = 64
WHOLE_TEXTS = 4  # of so many variations of a text, one replaces all of it


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What inputs are made of: words for texts, and by slot useful values of what belongs to no text."""

    dictionary: Dictionary
    numbers: Mapping[int, Sequence[int]]
    slots: Sequence[Slot] = ()  # that vary if there are no texts
    limits: Mapping[int, int] = field(default_factory=dict)  # of slots that give the length of something


@dataclass(frozen=True, slots=True)
class _Origin:
    """An input from which others are made."""

    values: Input
    arguments: tuple[bytes, ...]
    others: tuple[bytes, ...]
    slots: int  # on which its path depends, as a mask
    read: tuple[int, ...]  # the numbers of the other texts on which its path depends
    points: int = 0  # that nothing had hit before, of an input that crashed


class Fuzzer:
    """Makes inputs from those that hit something new."""

    def __init__(
        self,
        texts: InputTexts,
        find_ingredients: Callable[[], Ingredients],
        try_input: Callable[[Input], Trial],
        seed: int,
        *,
        is_for_program: bool = False,
    ) -> None:
        """`find_ingredients` is called when fuzzing has its first turn. `is_for_program`: the texts are arguments of
        `main`, or standard input."""
        self.try_input, self.is_for_program = try_input, is_for_program
        self.seen = 0  # points
        self._reached = 0  # and those that only runs hit which crashed
        self._crashed: deque[tuple[_Origin, int]] = deque()  # and how many joins of it were tried
        self._seen_levels = 0
        self.is_about_numbers = not texts  # the turn
        self.timed_out = self._trials = 0
        self.wait = FIRST_WAIT
        self._least_trials = LEAST_TRIALS
        self._rate, self._least_rate = FIRST_RATE, 3.0 if is_for_program else 2.0
        self._texts, self._find_ingredients = texts, find_ingredients
        self._source = Random(seed)
        self._variations: Variations | None = None
        self._number_variations: NumberVariations | None = None
        self._numbers: list[tuple[int, tuple[int, ...]]] = []
        self._numbers_of: dict[int, list[tuple[int, tuple[int, ...]]]] = {}  # by slots: those among them
        self._masks = [sum(1 << slot for slot in text.slots) for text in texts.others]
        self._origins: list[_Origin] = []
        self._further: list[_Origin] = []  # they hit nothing new, but something more often
        self._latest: _Origin | None = None  # the one that the last trial was made from
        self._offered: deque[Input] = deque()
        self._varied: list[int] = []  # the other texts that it varied
        self._fruitful: list[int] = []  # those whose variations have hit something more often, once for each time

    def note(self, values: Input, points: int, slots: int = -1) -> None:
        """A run of the search hit these points, and its path depends on these slots."""
        if points & ~self.seen and len(self._origins) < MOST_KEPT:
            self._origins.append(self._origin(values, slots))
        self.settle(points, has_ended=True)

    def note_crashed(self, values: Input, points: int, slots: int = -1) -> None:
        """A run of the search hit these points, and covers nothing, because it crashed. With a part of another input,
        it may not: `-ta` crashes where the time is printed, unless there was one in the message."""
        if points & ~self._reached and len(self._crashed) < MOST_CRASHED:
            self._crashed.append((replace(self._origin(values, slots), points=points & ~self._reached), 0))
        self.settle(points, has_ended=False)

    def is_news(self, points: int, *, has_ended: bool) -> bool:
        """True if a trial hit something that no run hit, or none that did not crash."""
        return bool(points & ~(self.seen if has_ended else self._reached))

    def settle(self, points: int, *, has_ended: bool) -> None:
        """What was found there was run as the search does."""
        self.seen |= points if has_ended else 0
        self._reached |= points

    def offer(self, inputs: Iterable[Input]) -> None:
        """Inputs that are tried before others, as they are: they may hit something more often."""
        self._offered.extend(inputs)

    def note_trial(self, values: Input, levels: int) -> None:
        """The last trial came to an end, and hit points so often."""
        if levels & ~self._seen_levels:
            self._seen_levels |= levels
            self._fruitful = [*self._fruitful, *self._varied][-MOST_FRUITFUL:]
            if len(self._further) == MOST_KEPT:
                del self._further[self._below(MOST_KEPT)]
            self._further.append(self._origin(values, self._latest.slots if self._latest else -1))

    def _origin(self, values: Input, slots: int) -> _Origin:
        arguments, others = self._texts.read(values)
        read = tuple(at for at, mask in enumerate(self._masks) if mask & slots)
        return _Origin(values, tuple(arguments), tuple(others), slots, read)

    @staticmethod
    def cost(outcome: int, flags: int) -> int:
        """How many trials could have been made in the time of this one."""
        return COST_OF_TIME_OUT if outcome == TIMED_OUT else COST_OF_PROCESS if flags & FLAG_STAINED else 1

    def plan_turn(self, steps: int, queries: int) -> int:
        """The number of trials of a turn after so many steps of the search and queries to a solver."""
        return max(self._least_trials, int(self._rate * (steps + STEPS_OF_QUERY * queries)))

    def end_turn(self, has_found: bool) -> None:
        """After turns in vain, there are fewer of them, and fewer trials for each step of the search; but a turn that
        comes late, where steps may be slow, is no short one."""
        self._least_trials = LEAST_TRIALS if has_found else min(4 * self._least_trials, MOST_LEAST_TRIALS)
        self._rate = FIRST_RATE if has_found else max(self._rate / 2, self._least_rate)
        self.wait = FIRST_WAIT if has_found else min(2 * self.wait, FIRST_WAIT << MOST_DOUBLINGS)

    @property
    def has_texts(self) -> bool:
        """Otherwise it varies numbers, which a solver does better unless it is slow."""
        return bool(self._texts)

    @property
    def is_ready(self) -> bool:
        """Turns that vary numbers have an end in time, whatever their trials take."""
        ends = self.timed_out < MOST_TIMED_OUT or self.timed_out * TRIALS_PER_TIME_OUT < self._trials
        return bool(self._origins) and (ends or self.is_about_numbers)

    def begin_turn(self, *, is_solver_slow: bool) -> None:
        self.is_about_numbers = not self._texts or (is_solver_slow and not self.is_for_program)
        self._crashed = deque((each, tried) for each, tried in self._crashed if each.points & ~self.seen)

    def next_input(self) -> Input:
        """A variation of a known input, one of the last ones more often than an early one."""
        self._trials += 1
        if self._offered:
            self._latest, self._varied = None, []
            return self._offered.popleft()
        variations, origin = self._start(), self._pick()
        if self._crashed and not self.is_about_numbers and not self._below(WITH_CRASHED):
            joined = self._join_crashed()
            if joined is not None:
                self._latest, self._varied = None, []
                return joined
            if not self._below(SELDOM):
                origin = self._join(self._crashed[self._below(len(self._crashed))][0], origin)
        self._latest = origin
        takes_numbers = self.is_about_numbers and (not self._texts or self._below(NUMBERS_BESIDE_TEXTS) > 0)
        if takes_numbers and self._number_variations is not None:
            return self._number_variations.vary(origin.values, self._pick().values)
        texts = self._texts
        if not self._below(JOINED):
            origin = self._join(origin, self._pick())
        values = origin.values if self._below(ANY_NUMBER if texts else 1) else self._with_number(origin)
        arguments, others = list(origin.arguments), list(origin.others)
        self._varied = []
        for _ in range(1 if self._below(TWO_TEXTS) else 2):
            at = self._choose_text(origin)
            if at is None:
                self._vary_arguments(variations, arguments)
            else:
                others[at] = self._vary_text(variations, others[at], at)
                self._varied.append(at)
        return texts.write(values, arguments, others)

    def _join_crashed(self) -> Input | None:
        """Each that crashed with each that did not, once: the arguments of the former, or all that
        its path depends on, and the rest of the latter; None if all were tried."""
        kinds = 2 if self._texts.arguments else 1
        for _ in range(len(self._crashed)):
            one, tried = self._crashed.popleft()
            self._crashed.append((one, tried + (tried < kinds * len(self._origins))))
            if tried < kinds * len(self._origins):
                number, kind = divmod(tried, kinds)
                other = self._origins[number]
                if kind == kinds - 1:
                    return self._with_rest(one, other)
                return self._texts.write(other.values, one.arguments, other.others)
        return None

    def _join(self, one: _Origin, other: _Origin) -> _Origin:
        """What the path of one depends on, and the rest of the other; or the arguments of one and all else of the
        other: options that lead far, and answers of stubs that do."""
        if self._texts.arguments and self._below(2):
            return replace(other, arguments=one.arguments)
        return self._origin(self._with_rest(one, other), one.slots | other.slots)

    @staticmethod
    def _with_rest(one: _Origin, other: _Origin) -> Input:
        values = list(one.values)
        for slot in bits(other.slots & ~one.slots & ((1 << len(values)) - 1)):
            values[slot] = other.values[slot]
        return tuple(values)

    def _with_number(self, origin: _Origin) -> Input:
        """Mostly in place of one on which the path depends."""
        found = self._numbers if not self._below(ANY_TEXT) else self._numbers_among(origin.slots)
        if not found:
            return origin.values
        slot, known = found[self._below(len(found))]
        return (*origin.values[:slot], self._source.choice(known), *origin.values[slot + 1 :])

    def _numbers_among(self, slots: int) -> list[tuple[int, tuple[int, ...]]]:
        if slots not in self._numbers_of:
            self._numbers_of[slots] = [each for each in self._numbers if slots >> each[0] & 1]
        return self._numbers_of[slots]

    def _choose_text(self, origin: _Origin) -> int | None:
        """One of the other texts, mostly one on which the path depends, and rather one whose variations led somewhere;
        None: the arguments."""
        has_arguments, count = bool(self._texts.arguments), len(origin.others)
        if not count or (has_arguments and not self._below(3)):
            return None
        if not self._below(ANY_TEXT) or not (origin.read or has_arguments):
            return self._below(count)
        if self._fruitful and self._below(2):
            at = self._fruitful[self._below(len(self._fruitful))]
            if at in origin.read:
                return at
        return origin.read[self._below(len(origin.read))] if origin.read else None

    def _vary_text(self, variations: Variations, text: bytes, at: int) -> bytes:
        if self._below(WHOLE_TEXTS):
            return variations.vary(text, [each.others[at] for each in self._some_others()])
        return self._pick().others[at] if self._below(2) else variations.new_word()

    def _start(self) -> Variations:
        if self._variations is None:
            ingredients = self._find_ingredients()
            self._variations = Variations(ingredients.dictionary, self._source)
            self._numbers = [(slot, tuple(known)) for slot, known in ingredients.numbers.items() if known]
            slots = [slot for slot in ingredients.slots if slot.number not in self._texts.slots]
            if slots:
                self._number_variations = NumberVariations(slots, ingredients.numbers, ingredients.limits, self._source)
        return self._variations

    def _vary_arguments(self, variations: Variations, arguments: list[bytes]) -> None:
        """Add, replace, remove or vary one."""
        kind, most = self._below(6), len(self._texts.arguments)
        if (kind < 2 and len(arguments) < most) or not arguments:
            arguments.insert(self._below(len(arguments) + 1), variations.new_word())
            return
        at = self._below(len(arguments))
        if kind == 2:
            del arguments[at]
        elif kind == 3:
            arguments[at] = variations.new_word()
        else:
            known = [text for each in self._some_others() for text in each.arguments]
            arguments[at] = variations.vary(arguments[at], known, has_lines=False)

    def _pick(self) -> _Origin:
        found = self._further if self._further and self._below(2) else self._origins
        return found[-1 - int(self._source.random() ** 2 * len(found))]

    def _some_others(self) -> list[_Origin]:
        return [self._pick() for _ in range(2)]

    def _below(self, end: int) -> int:
        return int(self._source.random() * end)
