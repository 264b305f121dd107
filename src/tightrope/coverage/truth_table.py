"""Truth table of a decision: each way in which C evaluates it, with the conditions that matter; and what criteria
want of it.

Criteria about decisions say which rows, or pairs of rows, cover an objective. They know neither points nor runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import MAX_CONDITIONS, MAX_VECTORS, Tree, Vector, count_vectors, vectors
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.decisions.masking import fixed_polarities, unmasked

MAX_PAIRS = 16_384  # an objective with more is not followed
TOO_LARGE = f"it has more than {MAX_CONDITIONS} conditions, or can be evaluated in more than {MAX_VECTORS} ways"
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


Pair = tuple[Row, Row]


@dataclass(frozen=True, slots=True)
class TruthTable:
    """A decision with its rows; it has none when it is too large."""

    decision: Decision
    rows: tuple[Row, ...]
    fixed_polarities: frozenset[int] = frozenset()  # the conditions whose value determines the outcome when they matter
    problem: str = ""  # why evaluations cannot be followed

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

    def with_outcome(self, outcome: bool) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.outcome is outcome)

    def with_value(self, condition: int, value: bool) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.value(condition) is value)

    def unmasked(self, condition: int, value: bool) -> tuple[Row, ...]:
        return tuple(row for row in self.with_value(condition, value) if condition in row.unmasked)

    def masking_pairs(self, condition: int) -> Iterator[Pair]:
        """Two rows in which the condition matters, has both values, and the outcomes differ."""
        for one, other in product(self.unmasked(condition, True), self.unmasked(condition, False)):
            if one.outcome is not other.outcome:
                yield one, other

    def unique_cause_pairs(self, condition: int) -> Iterator[Pair]:
        """The same, and every other condition has the same value in both or is not evaluated in one of them."""
        numbers = {row.vector: row for row in self.rows}
        for one in self.unmasked(condition, True):
            evaluated = {at: value for at, value in enumerate(one.vector.values) if value is not None}
            known = {**self.decision.constants, **evaluated, condition: False}
            for vector in vectors(self.decision.tree, known):
                if vector.outcome is not one.outcome and vector in numbers:
                    yield one, numbers[vector]


def make_table(decision: Decision) -> TruthTable:
    tree, constants = decision.tree, decision.constants
    if len(decision.conditions) > MAX_CONDITIONS or count_vectors(tree, constants) > MAX_VECTORS:
        return TruthTable(decision, (), problem=decision.problem or TOO_LARGE)
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
    rows: tuple[Row, ...] = ()
    pairs: tuple[Pair, ...] | None = None  # None: one row is enough
    problem: str = ""


def want_pair(table: TruthTable, condition: int, sentence: str, pairs: Iterable[Pair]) -> Wanted:
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
        problem=TOO_MANY_PAIRS if len(found) > MAX_PAIRS else "",
    )


def shorten(text: str, length: int = 60) -> str:
    """Both ends of a long text, without line breaks."""
    text = " ".join(text.split())
    half = length // 2
    return text if len(text) <= length else f"{text[:half].rstrip()} … {text[-half:].lstrip()}"


def word(value: bool) -> str:
    return "true" if value else "false"
