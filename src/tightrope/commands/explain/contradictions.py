"""Why no input does what an objective asks: the fewest conditions of the C that exclude it.

The unit is encoded again, with a free variable in place of each condition that depends on inputs
(encoding/watched.py). The definitions of these variables that the solver needs to refute the objective are the
explanation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tightrope.commands.explain.site_words import SiteWords
from tightrope.coverage.objective import Objective, Relation
from tightrope.encoding.encoding import Departure, Encoding, WhyDeparted
from tightrope.encoding.values import EncodingTable
from tightrope.encoding.watched import CONDITION, Branch, Role, Roles, Site, Watcher, contradict_goal
from tightrope.expr import plain
from tightrope.expr.build import is_constant
from tightrope.expr.terms import Term
from tightrope.location import Location
from tightrope.program.flow.control_flow import BlockId, program_flow
from tightrope.program.flow.points import side_target
from tightrope.program.marks.marks import CONDITION as CONDITION_MARK
from tightrope.program.marks.marks import LABEL_BEGIN, tested_values
from tightrope.report.as_explanation import Clause
from tightrope.solving.query import Unsat
from tightrope.solving.session import Session
from tightrope.solving.unsat_core import Contradiction
from tightrope.units.prepared import PreparedUnit

ITERATIONS = (4, 16, 64)  # of loops: few are tried first, because their formulas are small
HEADS = ("", "no input satisfies this:", "these contradict each other; no input satisfies both:")
MANY = "these contradict each other; no input satisfies all of them:"
EACH_WAY = "{} ways lead there; for each way, no input satisfies all of its conditions:"
ASKED_FOR = "asked for"
NEVER_SO = "no input satisfies it on any path that leads there"
NO_WAY = "no path through the code leads there"
ONE_WAY = "only this leads there, and no input satisfies it:"
FEW_WAYS = "only these lead there, and no input satisfies any of them:"
NOT_REFUTED = "the conditions that exclude it cannot be named: the proof uses facts that one formula cannot encode"
NOT_SMALLEST = "a smaller set of conditions may exist: there was no time to look for one (--time-limit)"
WITHIN = "this explains only the code that could be encoded as one formula; the proof also covers the rest:"

# From iterations of loops, a watcher and a term table to an encoding. The encoding must keep impossible code: what
# makes it impossible may be a condition that the explanation has to name.
Encode = Callable[[int, Watcher, EncodingTable], Encoding]
StartSession = Callable[[], Session]
BlockSide = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What excludes an objective: a sentence, conditions, and remarks."""

    head: str = ""
    clauses: tuple[Clause, ...] = ()
    facts: tuple[str, ...] = ()


def find_exclusion(
    unit: PreparedUnit, objective: Objective, encode: Encode, start: StartSession, seconds: float
) -> Exclusion:
    """What excludes an objective that is known to be infeasible, or a sentence that says why this is not known."""
    deadline = time.monotonic() + seconds
    found = Exclusion()
    for iterations in ITERATIONS:
        finder = _ClauseFinder(unit, objective, start(), lambda: time.monotonic() < deadline)
        found = finder.find(iterations, encode)
        if not finder.went_on or time.monotonic() > deadline:
            break
    return found


class _ClauseFinder:
    """Looks at one encoding of the unit."""

    def __init__(
        self, unit: PreparedUnit, objective: Objective, session: Session, has_time: Callable[[], bool]
    ) -> None:
        self.unit, self.objective, self.session, self.has_time = unit, objective, session, has_time
        self.words = SiteWords(unit)
        self._tested = dict(_tested_conditions(unit))
        self.table = EncodingTable()
        self.watcher = Watcher(self.table, {branch: number for branch, (number, _) in self._tested.items()})
        self.went_on = False  # a loop did: nothing is known about the code after it

    def find(self, iterations: int, encode: Encode) -> Exclusion:
        self.encoding = encode(iterations, self.watcher, self.table)
        for definition in self.encoding.definitions:
            self.session.assert_always(definition)
        points = self._refuted_points()
        if not points:
            return Exclusion(facts=(NOT_REFUTED, *self._departed(self.objective.points)))
        table, hit, departures = self.encoding.table, self.encoding.points, self._departures(points)
        goal = plain.any_of(table, (hit[point] for point in points if point in hit))
        if is_constant(goal, 0) and not departures:
            return self._cut_off(points)
        found = self._contradict(goal, plain.any_of(table, (goal, *(each.condition for each in departures))))
        return self._exclusion(*found) if found else self._within(goal, points)

    def _within(self, goal: Term, points: Sequence[int]) -> Exclusion:
        """Some runs leave the encoding on the way; this says what is known about the others."""
        self.went_on = any(each.why is WhyDeparted.BOUND for each in self._departures(points))
        found = self._contradict(goal, goal)
        if found is None:
            return Exclusion(facts=(NOT_REFUTED, *self._departed(points)))
        known = self._exclusion(*found)
        return replace(known, facts=(*known.facts, WITHIN, *self._departed(points)))

    def _contradict(self, goal: Term, whole: Term) -> tuple[Contradiction, tuple[Roles, ...]] | None:
        return contradict_goal(self.session.ask, goal, whole, self.watcher, self.has_time)

    def _exclusion(self, found: Contradiction, ways: Sequence[Roles]) -> Exclusion:
        facts = () if found.is_smallest else (NOT_SMALLEST,)
        if not found.members:
            return Exclusion(NEVER_SO, facts=facts)
        if len(ways) == 1:
            clauses = self._clauses(ways[0])
            return Exclusion(HEADS[len(clauses)] if len(clauses) < len(HEADS) else MANY, clauses, facts)
        numbered = [replace(clause, way=number) for number, way in enumerate(ways, 1) for clause in self._clauses(way)]
        return Exclusion(EACH_WAY.format(len(ways)), tuple(numbered), facts)

    def _clauses(self, way: Roles) -> tuple[Clause, ...]:
        """What each watched condition would have to do, and what the objective asks for in addition."""
        clauses = list(dict.fromkeys(self._clause(role) for role in way))
        if not any(clause.note == ASKED_FOR for clause in clauses) and not self._is_about_conditions:
            at, text = self.words.named(self.objective.location), self.objective.text
            text = f"`{text}` is executed" if self.objective.criterion in ("line", "statement") else text
            clauses.append(Clause(at.file, at.line, at.column, text, ASKED_FOR))
        return tuple(clauses)

    @property
    def _is_about_conditions(self) -> bool:
        """True when the watched conditions are all that the objective asks for."""
        vectors = self.unit.woven.points.vectors
        return bool(self._asked) or any(point in each for each in vectors for point in self.objective.points)

    # -- what is asked for

    def _clause(self, role: Role) -> Clause:
        clause = self.words.clause(role)
        if role.site not in self._asked and not self._is_named(clause):
            return clause
        at = self.words.named(self.objective.location)
        return replace(clause, file=at.file, line=at.line, column=at.column, note=ASKED_FOR)

    @cached_property
    def _asked(self) -> frozenset[Site]:
        """The branches that the objective itself is about."""
        sides = [key for key, number in self.unit.woven.points.numbers.items() if number in self.objective.points]
        branches = [(function, block, side) for function, block, side in sides if side is not None]
        return frozenset(each for branch in branches for each in (self.watcher.own_site(branch)[0], (*branch[:2], 0)))

    def _is_named(self, clause: Clause) -> bool:
        """An objective about a condition begins with it."""
        at, condition = self.words.named(self.objective.location), clause.text.split("` ")[0]
        is_there = (clause.file, clause.line, clause.column) == (at.file, at.line, at.column)
        return not self._asked and is_there and self.objective.text.startswith(f"{condition}` ")

    def _refuted_points(self) -> tuple[int, ...]:
        """Points that no run hits and that suffice to make the objective infeasible."""
        objective = self.objective
        if objective.relation in (Relation.ANY, Relation.SEQUENCE):
            return objective.points
        if objective.relation is Relation.ALL:
            return tuple(point for point in objective.points if self._is_refuted(point))[:1]
        refuted = {point for point in objective.points if self._is_refuted(point)}
        chosen = [next((point for point in pair if point in refuted), None) for pair in objective.pairs]
        return () if None in chosen else tuple(dict.fromkeys(point for point in chosen if point is not None))

    def _is_refuted(self, point: int) -> bool:
        term = self.encoding.points.get(point)
        return term is None or isinstance(self.session.ask([term, *self._bonds()]), Unsat)

    def _bonds(self) -> list[Term]:
        return [self.watcher.bond(site) for site in self.watcher.sites]

    # -- where runs leave the encoding

    def _departures(self, points: Sequence[int]) -> list[Departure]:
        mask = sum(1 << point for point in set(points))
        return [each for each in self.encoding.departures if each.behind & mask]

    def _departed(self, points: Sequence[int]) -> Iterator[str]:
        for each in dict.fromkeys((one.why, one.what, one.place) for one in self._departures(points)):
            yield self._show_departure(*each)

    def _show_departure(self, why: WhyDeparted, what: str, place: Location | None) -> str:
        at = f"{self.words.named(place)}  " if place and place.line else ""
        return f"{at}{what}: {why.sentence}" if what else f"{at}{why.sentence}"

    # -- what is the same for all inputs

    def _cut_off(self, points: Sequence[int]) -> Exclusion:
        """The exclusion when conditions that do not depend on inputs make the objective unreachable."""
        clauses = tuple(dict.fromkeys(self._clause(role) for role in self._cut_sides(points)))
        clauses = tuple(each for each in clauses if each.note == ASKED_FOR) or clauses
        if not clauses:
            return Exclusion(NEVER_SO if self._is_reached(points) else NO_WAY)
        if len(clauses) == 1:
            return Exclusion(HEADS[1] if clauses[0].note else ONE_WAY, clauses)
        return Exclusion(FEW_WAYS, clauses)

    def _is_reached(self, points: Sequence[int]) -> bool:
        numbers = self.unit.woven.points.numbers
        return any(numbers.get((*node, None)) in self.encoding.points for node in _blocks_of(self.unit, points))

    def _cut_sides(self, points: Sequence[int]) -> Iterator[Role]:
        """Sides that no input takes though control comes to their block: those that are asked for; else those of the
        decision that is asked about, and those that lead there."""
        numbers, hit = self.unit.woven.points.numbers, self.encoding.points
        cut = [
            (function, block, side)
            for (function, block, side), number in numbers.items()
            if side is not None and number not in hit and numbers.get((function, block, None)) in hit
        ]
        own = [side for side in cut if numbers[side] in points]
        wanted = set(_blocks_of(self.unit, points))
        is_decision = any(point in vectors for vectors in self.unit.woven.points.vectors for point in points)
        for side in own or cut:
            is_part = is_decision and side[:2] in wanted
            if own or is_part or self._leads_to(side, wanted):
                yield self._as_role(*side)

    def _leads_to(self, side: BlockSide, wanted: Collection[BlockId]) -> bool:
        """True if a wanted block is reachable from the side within the function; callers are not considered."""
        function, block, number = side
        blocks = {each.name: each for each in self.unit.program.functions[function].blocks}
        flow = program_flow(self.unit.program, [function])
        goals = flow.mask(node for node in wanted if node in flow.numbers)
        return bool(flow.anywhere()[flow.numbers[function, side_target(blocks[block], number)]] & goals)

    def _as_role(self, function: str, block: str, side: int) -> Role:
        """A side that would have to be taken, by its condition where that is known."""
        if (function, block) not in self._tested:
            return Role((function, block, 0), (side,), (side,), 1)
        number, is_same = self._tested[function, block]
        value = side if is_same else 1 - side
        return Role((function, CONDITION, number), (value,), (value,), 1)


def _tested_conditions(unit: PreparedUnit) -> Iterator[tuple[Branch, tuple[int, bool]]]:
    """Branches with the condition of the marks that they test, and whether they test it, or its opposite."""
    for function in unit.program.functions.values():
        for block in function.blocks:
            tested = tested_values(block)
            for call in block.instructions:
                if call.callee == CONDITION_MARK and call.arguments[1].value.text in tested:
                    number, value = (argument.value.text for argument in call.arguments)
                    yield (function.name, block.name), (int(number), value == tested[0])


def _blocks_of(unit: PreparedUnit, points: Sequence[int]) -> Iterator[BlockId]:
    """The blocks in which the points are hit: their own, or those with the marks of a decision or a label."""
    known = unit.woven.points
    yield from ((function, block) for (function, block, _), number in known.numbers.items() if number in points)
    decisions = {at for at, numbers in enumerate(known.vectors) if any(point in numbers for point in points)}
    labels = {str(known.labels.index(point)) for point in points if point in known.labels}
    places = unit.marks.condition_places()
    for function in unit.program.functions.values():
        for block in function.blocks:
            for call in block.instructions:
                number = call.arguments[0].value.text if call.callee in (CONDITION_MARK, LABEL_BEGIN) else ""
                is_condition = call.callee == CONDITION_MARK and places[int(number)][0] in decisions
                if is_condition or (call.callee == LABEL_BEGIN and number in labels):
                    yield function.name, block.name
