"""Fuzzing: inputs made from known ones by chance, run without asking anybody.

A solver finds the one character that a comparison wants. It does not find the line of four words that gets a program
into another state, because each of the words is a path of its own that leads to nothing new. When the search finds
nothing new for a while, and the unit reads texts, fuzzing has a turn:

    an input that hit something first  -->  vary its texts  -->  a trial  -->  something new?  run it as the search does
                    ^                      (variations.py)    (no trace)                              |
                    +---------------------------------------------------------------------------------+

A trial is a run whose inputs have no expressions: the path is not recorded, so that it costs a fraction of a run. It
decides nothing. Only what the search runs afterwards counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tightrope.inputs.scalars import Input
from tightrope.inputs.texts import InputTexts
from tightrope.search.dictionary import Dictionary
from tightrope.search.variations import Variations

Trial = tuple[int, int, int]  # how it ended, its flags, and the points that it hit
FIRST_WAIT = 100  # steps of the search without anything new
LEAST_TRIALS, TRIALS_PER_STEP = 2_000, 16  # of a turn
COST_OF_PROCESS = 20  # a trial after which there must be a new process costs as much as so many others
MOST_TIMED_OUT = 3  # then fuzzing ends for good
MOST_KEPT = 400


@dataclass(frozen=True, slots=True)
class FuzzingMaterial:
    """What inputs are made of: words for texts, and by slot useful values of what belongs to no text."""

    dictionary: Dictionary
    numbers: Mapping[int, Sequence[int]]


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
        find_material: Callable[[], FuzzingMaterial],
        try_input: Callable[[Input], Trial],
        seed: int,
        *,
        is_for_program: bool = False,
    ) -> None:
        """`find_material` is called when fuzzing has its first turn. `is_for_program`: the texts are arguments of
        `main`, or standard input."""
        self.try_input, self.is_for_program = try_input, is_for_program
        self.seen = 0  # points
        self.timed_out = 0
        self._texts, self._find_material = texts, find_material
        self._source = Random(seed)
        self._variations: Variations | None = None
        self._numbers: list[tuple[int, tuple[int, ...]]] = []
        self._origins: list[_Origin] = []

    def note(self, values: Input, points: int) -> None:
        """A run of the search hit these points."""
        if points & ~self.seen and len(self._origins) < MOST_KEPT:
            arguments, others = self._texts.read(values)
            self._origins.append(_Origin(values, tuple(arguments), tuple(others)))
        self.seen |= points

    @property
    def is_ready(self) -> bool:
        return bool(self._origins) and self.timed_out < MOST_TIMED_OUT

    def next_input(self) -> Input:
        """A variation of a known input, one of the last ones more often than an early one."""
        variations, origin = self._start(), self._pick()
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
            material = self._find_material()
            self._variations = Variations(material.dictionary, self._source)
            self._numbers = [(slot, tuple(known)) for slot, known in material.numbers.items() if known]
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
            arguments[at] = variations.vary(arguments[at], known)

    def _pick(self) -> _Origin:
        behind = int(self._source.random() ** 2 * len(self._origins))
        return self._origins[-1 - behind]

    def _some_others(self) -> list[_Origin]:
        return [self._pick() for _ in range(2)]

    def _below(self, end: int) -> int:
        return int(self._source.random() * end)
