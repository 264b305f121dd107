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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tightrope.inputs.scalars import Input, Slot
from tightrope.inputs.texts import InputTexts
from tightrope.search.dictionary import Dictionary
from tightrope.search.number_variations import NumberVariations
from tightrope.search.variations import Variations

Trial = tuple[int, int, int]  # how it ended, its flags, and the points that it hit
FIRST_WAIT, MOST_DOUBLINGS = 100, 6  # steps of the search without anything new; doubled after a turn in vain
LEAST_TRIALS = 1_000  # of a turn
STEPS_OF_QUERY = 10  # a query that a solver answered takes as long as so many steps of the search
SLOW_SOLVING = 1.0  # seconds in which a solver answered little: then fuzzing varies numbers for as long
SLOW_QUERY = 0.1  # seconds
COST_OF_PROCESS = 20  # a trial after which there must be a new process costs as much as so many others
MOST_TIMED_OUT = 3  # then fuzzing of texts ends for good
NUMBERS_BESIDE_TEXTS = 4  # of so many inputs of a turn about numbers, one varies texts, if there are any
MOST_KEPT = 400


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
        self.is_about_numbers = not texts  # the turn
        self.timed_out = 0
        self.wait = FIRST_WAIT
        self._rate = self._first_rate = 8.0 if is_for_program else 2.0  # trials for each step of the search
        self._least_rate = 3.0 if is_for_program else 0.125
        self._texts, self._find_ingredients = texts, find_ingredients
        self._source = Random(seed)
        self._variations: Variations | None = None
        self._number_variations: NumberVariations | None = None
        self._numbers: list[tuple[int, tuple[int, ...]]] = []
        self._origins: list[_Origin] = []

    def note(self, values: Input, points: int) -> None:
        """A run of the search hit these points."""
        if points & ~self.seen and len(self._origins) < MOST_KEPT:
            arguments, others = self._texts.read(values)
            self._origins.append(_Origin(values, tuple(arguments), tuple(others)))
        self.seen |= points

    def plan_turn(self, steps: int, queries: int) -> int:
        """The number of trials of a turn after so many steps of the search and queries to a solver."""
        return max(LEAST_TRIALS, int(self._rate * (steps + STEPS_OF_QUERY * queries)))

    def end_turn(self, has_found: bool) -> None:
        """After turns in vain, there are fewer of them, and fewer trials for each step of the search."""
        self._rate = self._first_rate if has_found else max(self._rate / 2, self._least_rate)
        self.wait = FIRST_WAIT if has_found else min(2 * self.wait, FIRST_WAIT << MOST_DOUBLINGS)

    @property
    def has_texts(self) -> bool:
        """Otherwise it varies numbers, which a solver does better unless it is slow."""
        return bool(self._texts)

    @property
    def is_ready(self) -> bool:
        """Turns that vary numbers have an end in time, whatever their trials take."""
        return bool(self._origins) and (self.timed_out < MOST_TIMED_OUT or self.is_about_numbers)

    def begin_turn(self, *, is_solver_slow: bool) -> None:
        self.is_about_numbers = not self._texts or (is_solver_slow and not self.is_for_program)

    def next_input(self) -> Input:
        """A variation of a known input, one of the last ones more often than an early one."""
        variations, origin = self._start(), self._pick()
        takes_numbers = self.is_about_numbers and (not self._texts or self._below(NUMBERS_BESIDE_TEXTS) > 0)
        if takes_numbers and self._number_variations is not None:
            return self._number_variations.vary(origin.values, self._pick().values)
        values, texts, source = origin.values, self._texts, self._source
        if self._numbers and not self._below(4 if texts else 1):
            slot, known = self._numbers[self._below(len(self._numbers))]
            values = (*values[:slot], source.choice(known), *values[slot + 1 :])
        arguments, others = list(origin.arguments), list(origin.others)
        if others and (not texts.arguments or self._below(3)):
            at = self._below(len(others))
            others[at] = variations.vary(others[at], [each.others[at] for each in self._some_others()])
        else:
            self._vary_arguments(variations, arguments)
        return texts.write(values, arguments, others)

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
        behind = int(self._source.random() ** 2 * len(self._origins))
        return self._origins[-1 - behind]

    def _some_others(self) -> list[_Origin]:
        return [self._pick() for _ in range(2)]

    def _below(self, end: int) -> int:
        return int(self._source.random() * end)
