"""Truth table of a decision: each way in which C evaluates it, with the conditions that matter; and what criteria
want of it.

Criteria about decisions say which rows, or pairs of rows, cover an objective. They know neither points nor runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import MAX_CONDITIONS, MAX_VECTORS, Tree, Vector, vectors
from tightrope.program.decisions.condition_values import (
    has_too_many_vectors,
    point_of_mattering,
    point_of_outcome,
    point_of_value,
)
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.decisions.masking import can_matter, fixed_polarities, unmasked

MAX_PAIRS = 16_384  # an objective with more is not followed
TOO_LARGE = f"it has more than {MAX_CONDITIONS} conditions"
NEEDS_VECTORS = (
    f"whole evaluations must be compared, and there are more than {MAX_VECTORS} ways to evaluate the decision: "
    "masking MC/DC is followed"
)
TOO_MANY_PAIRS = f"it can be covered by more than {MAX_PAIRS} pairs of evaluations"


@dataclass(frozen=True, slots=True)
class Row:
    """One way to evaluate the decision."""

    number: int  # of the vector
    vector: Vector
    unmasked: frozenset[int]  # the conditions that matter in it

    @property
    def outcome(self) -> bool:
        return self.vector.outcome

    def value(self, condition: int) -> bool | None:
        return self.vector.values[condition]


@dataclass(frozen=True, slots=True)
class Mark:
    """One of the points of a decision that can be evaluated in too many ways to have a row for each."""

    number: int  # condition_values.py


Shown = Row | Mark  # something that an evaluation shows
Pair = tuple[Shown, Shown]


@dataclass(frozen=True, slots=True)
class TruthTable:
    """A decision with its rows. Without rows it is too large: what a condition does is in marks, if it is followed."""

    decision: Decision
    rows: tuple[Row, ...]
    fixed_polarities: frozenset[int] = frozenset()  # the conditions whose value determines the outcome when they matter
    problem: str = ""  # why evaluations cannot be followed
    possible: frozenset[int] = frozenset()  # of a table without rows: the conditions that constants let matter

    @property
    def is_too_large(self) -> bool:
        return not self.rows

    @property
    def is_constant(self) -> bool:
        """True if there is only one evaluation, without code: `while (1)`, `do ... while (0)`, `0 && a`."""
        return len(self.rows) == 1

    @property
    def is_lone(self) -> bool:
        """True for a decision with a single condition, which always decides."""
        return len(self.decision.conditions) == 1

    @property
    def text(self) -> str:
        return shorten(self.decision.text)

    def conditions(self) -> Iterator[tuple[int, Condition]]:
        return enumerate(self.decision.conditions)

    def with_outcome(self, outcome: bool) -> tuple[Shown, ...]:
        if self.is_too_large:
            return (Mark(point_of_outcome(outcome)),)
        return tuple(row for row in self.rows if row.outcome is outcome)

    def with_value(self, condition: int, value: bool) -> tuple[Shown, ...]:
        if self.is_too_large:
            return (Mark(point_of_value(condition, value)),) if self._can_be(condition, value) else ()
        return tuple(row for row in self.rows if row.value(condition) is value)

    def unmasked(self, condition: int, value: bool) -> tuple[Shown, ...]:
        if self.is_too_large:
            return tuple(mark for outcome in (False, True) for mark in self._mattering(condition, value, outcome))
        return self._unmasked_rows(condition, value)

    def _unmasked_rows(self, condition: int, value: bool) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.value(condition) is value and condition in row.unmasked)

    def _can_be(self, condition: int, value: bool) -> bool:
        return self.decision.constants.get(condition, value) is value

    def _mattering(self, condition: int, value: bool, outcome: bool) -> tuple[Mark, ...]:
        is_possible = condition in self.possible and self._can_be(condition, value)
        return (Mark(point_of_mattering(condition, value, outcome)),) if is_possible else ()

    def masking_pairs(self, condition: int) -> Iterator[Pair]:
        """Two evaluations in which the condition matters, has both values, and the outcomes differ."""
        if self.is_too_large:
            for outcome in (True, False):
                yield from product(
                    self._mattering(condition, True, outcome), self._mattering(condition, False, not outcome)
                )
        for one, other in product(self._unmasked_rows(condition, True), self._unmasked_rows(condition, False)):
            if one.outcome is not other.outcome:
                yield one, other

    def unique_cause_pairs(self, condition: int) -> Iterator[Pair]:
        """The same, and every other condition has the same value in both or is not evaluated in one of them. It takes
        rows to tell."""
        numbers = {row.vector: row for row in self.rows}
        for one in self._unmasked_rows(condition, True):
            evaluated = {at: value for at, value in enumerate(one.vector.values) if value is not None}
            known = {**self.decision.constants, **evaluated, condition: False}
            for vector in vectors(self.decision.tree, known):
                if vector.outcome is not one.outcome and vector in numbers:
                    yield one, numbers[vector]


def make_table(decision: Decision) -> TruthTable:
    tree, constants = decision.tree, decision.constants
    if len(decision.conditions) > MAX_CONDITIONS:
        every = frozenset(range(len(decision.conditions)))
        return TruthTable(decision, (), every, decision.problem or TOO_LARGE)
    if has_too_many_vectors(tree, constants):
        polarities, possible = fixed_polarities(tree, constants), can_matter(tree, constants)
        return TruthTable(decision, (), polarities, decision.problem, possible)
    return TruthTable(decision, *_evaluate(tree, tuple(constants.items())), decision.problem)


@lru_cache(maxsize=256)
def _evaluate(tree: Tree, constants: tuple[tuple[int, bool], ...]) -> tuple[tuple[Row, ...], frozenset[int]]:
    known = dict(constants)
    found = enumerate(vectors(tree, known))
    rows = tuple(Row(number, vector, unmasked(tree, vector, known)) for number, vector in found)
    return rows, fixed_polarities(tree, known)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a criterion wants of a decision: one of the rows, or both rows of one of the pairs."""

    kind: str
    word: str  # for the id, behind the place of the decision: 'c2:true'
    location: Location
    text: str
    sentence: str  # what is missing while it is not covered
    rows: tuple[Shown, ...] = ()
    pairs: tuple[Pair, ...] | None = None  # None: one row is enough
    problem: str = ""


def want_pair(
    table: TruthTable, condition: int, sentence: str, pairs: Iterable[Pair], *, needs_rows: bool = False
) -> Wanted:
    """Two evaluations that show the effect of one condition. The sentence has `{}` for it and for the decision."""
    known = table.decision.conditions[condition]
    shown, found = shorten(known.text), tuple(islice(pairs, MAX_PAIRS + 1))
    text, sentence = f"`{shown}` matters in `{table.text}`, both ways", sentence.format(shown, table.text)
    if table.is_lone:
        text, sentence = f"`{shown}` is true and false", f"no two tests make `{shown}` true and false"
    return Wanted(
        kind="pair",
        word=f"c{condition + 1}:pair",
        location=known.location,
        text=text,
        sentence=sentence,
        pairs=found,
        problem=_problem_of_pairs(table, found, needs_rows),
    )


def _problem_of_pairs(table: TruthTable, found: Sequence[Pair], needs_rows: bool) -> str:
    if needs_rows and table.is_too_large:
        return NEEDS_VECTORS
    return TOO_MANY_PAIRS if len(found) > MAX_PAIRS else ""


def shorten(text: str, length: int = 60) -> str:
    """Both ends of a long text, without line breaks."""
    text = " ".join(text.split())
    half = length // 2
    return text if len(text) <= length else f"{text[:half].rstrip()} … {text[-half:].lstrip()}"


def word(value: bool) -> str:
    return "true" if value else "false"
