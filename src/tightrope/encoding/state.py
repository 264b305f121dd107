"""The state of a walk at one place: the reach, the values of locals and memory, the notes of marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.encoding.memory import Memory
from tightrope.encoding.values import Value, choose_value
from tightrope.expr.build import is_constant, negate
from tightrope.expr.operators import Op
from tightrope.expr.simplify import choose
from tightrope.expr.terms import Term, TermTable

Choice = Mapping[int, Term]  # a number -> the condition under which it is the current one
Notes = dict[str, Choice]
ABANDONED = "abandoned"  # a note: the predicate of a label did something that a run cannot do
LABEL = "label"  # a note: the point of the label whose predicate is walked
KEPT_IN_CALLS = (ABANDONED, LABEL)


@dataclass(slots=True)
class WalkState:
    """One per edge of the walk, and one per block while it is walked."""

    reach: Term  # true for the inputs whose runs get here
    locals: dict[str, Value]
    memory: Memory
    notes: Notes = field(default_factory=dict)

    @property
    def is_out_of_reach(self) -> bool:
        return is_constant(self.reach, 0)

    def fork(self, reach: Term, locals: dict[str, Value]) -> WalkState:
        return WalkState(reach, locals, self.memory.fork(), dict(self.notes))


def join(table: TermTable, states: Sequence[WalkState], reach: Term) -> WalkState:
    """Join states; for each input, at most one of them is reached. All have the same locals."""
    *others, found = states
    for state in reversed(others):
        condition = distinguish(state.reach, found.reach)
        if state.locals != found.locals:
            found.locals = _join_locals(table, condition, state.locals, found.locals)
        state.memory.join(table, condition, found.memory)
        found.memory = state.memory
        found.notes = _join_notes(table, condition, state.notes, found.notes)
        found.reach = reach
    found.reach = reach
    return found


def distinguish(one: Term, other: Term) -> Term:
    """A condition that distinguishes two places, given that a run is at one of them: common factors are omitted.

    p & x   and   p & y     ->   x
    """
    if one.op is Op.AND and other.op is Op.AND:
        if one.args[0] is other.args[0]:
            return one.args[1]
        if one.args[1] is other.args[1]:
            return one.args[0]
    if one.op is Op.AND:
        for mine, rest in (one.args, one.args[::-1]):
            if mine is other:
                return rest
    return one


def _join_locals(
    table: TermTable, condition: Term, mine: Mapping[str, Value], theirs: Mapping[str, Value]
) -> dict[str, Value]:
    found = {}
    for name, value in mine.items():
        other = theirs.get(name)
        if other is not None:
            found[name] = value if value is other else choose_value(table, condition, value, other)
    return found


def _join_notes(table: TermTable, condition: Term, mine: Notes, theirs: Notes) -> Notes:
    if mine == theirs:
        return mine
    names = {**mine, **theirs}
    return {name: join_choices(table, condition, mine.get(name, {}), theirs.get(name, {})) for name in names}


def join_choices(table: TermTable, condition: Term, mine: Choice, theirs: Choice) -> Choice:
    if mine is theirs:
        return mine
    never = table.constant(0, 1)
    found = {
        number: choose(table, condition, mine.get(number, never), theirs.get(number, never))
        for number in {**mine, **theirs}
    }
    return {number: when for number, when in found.items() if not is_constant(when, 0)}


def settle_notes(table: TermTable, notes: Notes, condition: Term) -> Notes:
    """The notes, given that the condition holds."""
    opposite = negate(table, condition)
    settled: Notes = {}
    for name, choice in notes.items():
        if any(when is condition or when is opposite for when in choice.values()):
            always = table.constant(1, 1)
            choice = {n: always if when is condition else when for n, when in choice.items() if when is not opposite}
        if choice:
            settled[name] = choice
    return settled
