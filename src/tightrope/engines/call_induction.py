"""Proofs about sequences of any length, by induction over the calls.

A *state invariant* holds for the initial values of all variables, and if it holds before a call, it holds after it:

    variables of the file        is_on in {0, 1}, count in 0 .. 4, and not (is_on == 0 and count == 4)

What no call covers from a state of the invariant, no sequence covers. The invariant is found from below: it starts with
the initial state; as long as some call leads from its states to one outside, that state is added, with all that are
like it (T. Reps, M. Sagiv, G. Yorsh, Symbolic Implementation of the Best Transformer, 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from random import Random

from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Reason
from tightrope.coverage.witnesses import is_refuted
from tightrope.encoding.encoding import Departure, Encoding, EncodingLimits, StateCell
from tightrope.encoding.unit import encode
from tightrope.errors import TightropeError
from tightrope.expr.build import negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.operators import Op
from tightrope.expr.simplify import any_of, both, compare
from tightrope.expr.terms import Term, TermTable
from tightrope.inputs.scalars import Scalar, Slot
from tightrope.options.options import Options
from tightrope.program.flow.points import Points
from tightrope.program.flow.unit_constants import collect_constants
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.solving.backends import start_session
from tightrope.solving.query import Answer, Sat, Unsat
from tightrope.solving.session import Session
from tightrope.soundness.formula import FormulaDoubts
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedUnit
from tightrope.units.sequences import prepare_any_state
from tightrope.weaving.mark_table import points_of_obligations

FEW = 8  # values of a cell that are listed; more become a range
MOST_RELATED = 48  # cells whose pairs of values are listed
MOST_QUERIES = 400
TRIES = 200  # calls that are tried before each query
PATIENCE = 4  # times that a range grows to the next constant of the program, before it grows to any number

Ask = Callable[[Sequence[Term]], Answer]
AskSession = Callable[[Session, Sequence[Term]], Answer]
State = tuple[int, ...]


@dataclass(slots=True)
class CellValues:
    """The values of one cell in the states of an invariant: few of them, or a range of signed numbers."""

    bits: int
    thresholds: Sequence[int]  # signed, rising: where a range may end
    values: set[int] = field(default_factory=set)
    low: int = 0
    high: int = 0
    growth: int = 0

    @property
    def is_listed(self) -> bool:
        return len(self.values) <= FEW

    def add(self, raw: int) -> None:
        if self.is_listed:
            self.values.add(raw)
            numbers = [self._signed(each) for each in self.values]
            self.low, self.high = min(numbers), max(numbers)
            return
        number = self._signed(raw)
        if self.low <= number <= self.high:
            return
        self.growth += 1
        top = 1 << self.bits - 1
        ends = [-top, *self.thresholds, top - 1] if self.growth <= PATIENCE else [-top, top - 1]
        self.low = min(self.low, max(each for each in ends if each <= number))
        self.high = max(self.high, min(each for each in ends if each >= number))

    def contains(self, raw: int) -> bool:
        return raw in self.values if self.is_listed else self.low <= self._signed(raw) <= self.high

    def _signed(self, raw: int) -> int:
        return raw - (1 << self.bits) if raw >> self.bits - 1 else raw

    def holds_for(self, table: TermTable, term: Term) -> Term:
        if self.is_listed:
            return any_of(table, [_equals(table, term, raw) for raw in sorted(self.values)])
        mask = (1 << self.bits) - 1
        above = compare(table, Op.SLE, table.constant(self.low & mask, self.bits), term)
        return both(table, above, compare(table, Op.SLE, term, table.constant(self.high & mask, self.bits)))


class StateInvariant:
    """The states seen so far, and all that are like them: cell by cell, and pair by pair where values are listed."""

    def __init__(self, table: TermTable, cells: Sequence[StateCell], constants: Sequence[int]) -> None:
        self._table, self._cells = table, cells
        self._values = [CellValues(cell.before.bits, _thresholds(cell.before.bits, constants)) for cell in cells]
        self._states: list[State] = []
        self._pairs = list(combinations(range(min(len(cells), MOST_RELATED)), 2))
        self._seen: dict[tuple[int, int], set[tuple[int, int]]] = {pair: set() for pair in self._pairs}
        self.add(tuple(cell.initial for cell in cells))

    def add(self, state: State) -> None:
        self._states.append(state)
        for values, raw in zip(self._values, state, strict=True):
            values.add(raw)
        for pair in self._pairs:
            self._seen[pair].add((state[pair[0]], state[pair[1]]))

    @property
    def _related(self) -> list[int]:
        """The cells whose pairs of values are listed."""
        return [at for at, values in enumerate(self._values[:MOST_RELATED]) if values.is_listed]

    @property
    def states(self) -> Sequence[State]:
        return self._states

    def contains(self, state: State) -> bool:
        if not all(values.contains(raw) for values, raw in zip(self._values, state, strict=True)):
            return False
        pairs = combinations(self._related, 2)
        return all((state[one], state[other]) in self._seen[one, other] for one, other in pairs)

    def before(self) -> list[Term]:
        """What holds for the state before a call."""
        return list(self._claims([cell.before for cell in self._cells]))

    def after(self) -> list[Term]:
        return list(self._claims([cell.after for cell in self._cells]))

    def _claims(self, terms: Sequence[Term]) -> Iterator[Term]:
        table = self._table
        for values, term in zip(self._values, terms, strict=True):
            yield values.holds_for(table, term)
        for one, other in combinations(self._related, 2):
            seen = self._seen[one, other]
            for x in sorted(self._values[one].values):
                for y in sorted(self._values[other].values):
                    if (x, y) not in seen:
                        pair = both(table, _equals(table, terms[one], x), _equals(table, terms[other], y))
                        yield negate(table, pair)


def _equals(table: TermTable, term: Term, raw: int) -> Term:
    return compare(table, Op.EQ, term, table.constant(raw, term.bits))


def _thresholds(bits: int, constants: Sequence[int]) -> tuple[int, ...]:
    near = {number + step for number in (0, *constants) for step in (-1, 0, 1)}
    return tuple(sorted(number for number in near if -(1 << bits - 1) <= number < 1 << bits - 1))


class CallTrials:
    """Calls with random inputs, evaluated in the formula: most states are found faster this way than by a solver."""

    def __init__(
        self,
        encoding: Encoding,
        cells: Sequence[StateCell],
        slots: Sequence[Slot],
        constants: Sequence[int],
        seed: int,
    ) -> None:
        assert encoding.step is not None
        terms = [encoding.step.returns, *(cell.after for cell in cells)]
        self._read, self._size = compile_values(terms), max(term.support.bit_length() for term in terms)
        self._size = max(self._size, len(slots), *(cell.before.number + 1 for cell in cells), 0)
        self._cells, self._slots, self._random = cells, slots, Random(seed)
        self._numbers = sorted({number + step for number in (0, *constants) for step in (-1, 0, 1)})
        self._models: list[Mapping[int, int]] = [{}]

    def learn(self, model: Mapping[int, int]) -> None:
        """An input that led to a new state: similar ones may lead to others."""
        self._models.append(model)

    def find(self, invariant: StateInvariant, tries: int) -> Iterator[State]:
        """States outside of the invariant to which calls lead."""
        for _ in range(tries):
            state = self._random.choice(invariant.states)
            returns, *after = self._read(self._inputs(state))
            if returns and not invariant.contains(tuple(map(int, after))):
                yield tuple(map(int, after))

    def _inputs(self, state: State) -> list[int]:
        """A known input, mostly the last one, with some new values."""
        source, values = self._random, [0] * self._size
        model = source.choice(self._models[-3:] if source.random() < 0.5 else self._models)
        share = source.choice((0.1, 0.5, 1.0))
        for at, slot in enumerate(self._slots):
            is_new = source.random() < share
            values[at] = (self._value(slot.scalar) if is_new else model.get(at, 0)) & slot.scalar.mask
        for cell, raw in zip(self._cells, state, strict=True):
            values[cell.before.number] = raw
        return values

    def _value(self, scalar: Scalar) -> int:
        if scalar.members:
            return self._random.choice(scalar.members)[1]
        if scalar.kind == "bool":
            return self._random.randrange(2)
        return self._random.choice(self._numbers) if self._random.random() < 0.7 else self._random.getrandbits(64)


def find_invariant(
    encoding: Encoding,
    session: Session,
    ask: Ask,
    constants: Sequence[int],
    inputs: Sequence[str],
    slots: Sequence[Slot] = (),
    seed: int = 0,
) -> list[Term] | None:
    """What holds before every call, in any sequence; None if nothing was found. `inputs`: variables that have any value
    when the program starts."""
    step, table = encoding.step, encoding.table
    if step is None:
        return None
    cells = [cell for cell in step.cells if cell.variable not in inputs]
    invariant = StateInvariant(table, cells, constants)
    trials = CallTrials(encoding, cells, slots, constants, seed) if cells else None
    for _ in range(MOST_QUERIES):
        for state in trials.find(invariant, TRIES) if trials else ():
            invariant.add(state)
        claims = invariant.before()
        broken = [negate(table, each) for each in invariant.after()]
        answer = ask([*claims, step.returns, any_of(table, broken)]) if broken else Unsat()
        if isinstance(answer, Unsat):
            return claims if _stays_inside(encoding, ask, claims) else None
        if not isinstance(answer, Sat):
            return None
        assert trials is not None
        trials.learn(answer.model)
        values = [session.value(cell.after) for cell in cells]
        invariant.add(tuple(value for value in values if value is not None))
    return None


def _stays_inside(encoding: Encoding, ask: Ask, claims: Sequence[Term]) -> bool:
    """Whether the formula says what becomes of the state in every run: none leaves it."""
    leaving = [each.condition for each in encoding.departures]
    return not leaving or isinstance(ask([*claims, any_of(encoding.table, leaving)]), Unsat)


def refute_points(encoding: Encoding, ask: Ask, claims: Sequence[Term], points: Sequence[int]) -> Mapping[int, Term]:
    """Those of the points that no call hits from a state for which the claims hold, with what has no solution."""
    found: dict[int, Term] = {}
    for point in points:
        terms = [each.condition for each in _behind(encoding, point)]
        terms += [encoding.points[point]] if point in encoding.points else []
        term = any_of(encoding.table, terms) if terms else encoding.table.constant(0, 1)
        if not terms or isinstance(ask([*claims, term]), Unsat):
            found[point] = term
    return found


def _behind(encoding: Encoding, point: int) -> Iterator[Departure]:
    return (each for each in (*encoding.departures, *encoding.cuts) if each.behind >> point & 1)


@dataclass(frozen=True, slots=True)
class _AnyState:
    """The formula of a call from any state, and what holds before every call."""

    unit: PreparedUnit
    encoding: Encoding
    session: Session
    claims: list[Term] | None  # None: nothing was found


class CallInduction:
    """The proofs of one sequence."""

    def __init__(self, unit: PreparedUnit, options: Options) -> None:
        self._options, self._sequence = options, unit
        self._iterations = 0  # of loops in the last formula
        self._formula: _AnyState | None = None
        self._tried: set[str] = set()  # objectives, with this formula

    def prove(
        self, objectives: Sequence[Objective], ask: AskSession, limits: EncodingLimits, seen: int
    ) -> dict[str, list[Term]]:
        """By id: those of the objectives that no sequence covers, with the formula that has no solution. `seen`: the
        points that some run has hit."""
        if limits.iterations > self._iterations:
            self._iterations, self._tried, self._formula = limits.iterations, set(), self._start(ask, limits)
        formula = self._formula
        if formula is None or formula.claims is None:
            return {}
        known = {each.id: each for each in formula.unit.objectives}
        wanted = [known[each.id] for each in objectives if each.id in known and each.id not in self._tried]
        self._tried.update(each.id for each in wanted)
        asked, points = partial(ask, formula.session), dict.fromkeys(point for each in wanted for point in each.points)
        refuted = refute_points(formula.encoding, asked, formula.claims, tuple(points))
        has_checks = bool(self._options.checks)
        met = _renumbered(seen, self._sequence.woven.points, formula.unit.woven.points)
        conclusion = _Conclusion(formula.unit, formula.encoding, formula.claims, refuted, asked, has_checks, met)
        return dict(conclusion.proved(wanted))

    def _start(self, ask: AskSession, limits: EncodingLimits) -> _AnyState | None:
        unit, options = self._prepare(), self._options
        if unit is None:
            return None
        session = start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed)
        encoding = self._encode(unit, limits)
        for term in encoding.definitions:
            session.assert_always(term)
        constants = collect_constants(unit.program, unit.function.name).integers
        inputs = [f"@{root.name}" for root in unit.shape.globals]
        asked = partial(ask, session)
        claims = find_invariant(encoding, session, asked, constants, inputs, unit.driver.slots, options.seed)
        return _AnyState(unit, encoding, session, claims)

    def _prepare(self) -> PreparedUnit | None:
        """The unit that makes one call from any state; None if not all state is known, or if what the user says about
        single calls cannot be said of it."""
        file = prepare_any_state(self._sequence.file)
        assert file.sequence is not None
        try:
            unit = prepare_unit(file, file.sequence.name, self._options)
        except TightropeError:
            return None
        is_open = unit.interface.reads_stdin or "errno" in unit.interface.hidden_state
        return None if is_open else unit

    def _encode(self, unit: PreparedUnit, limits: EncodingLimits) -> Encoding:
        points, marks = unit.woven.points, unit.woven.marks
        when = points_of_obligations(marks, points)
        graph = build_point_graph(unit.program, unit.function.name, points, marks, when)
        widths, checks = unit.driver.widths, self._options.checks
        return encode(unit.program, points, marks, graph, widths, limits, checks=checks)


def _renumbered(mask: int, source: Points, target: Points) -> int:
    """Points of one unit as points of another one: those in functions, and vectors and labels if both have the same."""
    pairs = [(source.numbers[key], number) for key, number in target.numbers.items() if key in source.numbers]
    for mine, theirs in ((source.vectors, target.vectors), ((source.labels,), (target.labels,))):
        if [len(each) for each in mine] == [len(each) for each in theirs]:
            pairs += [pair for one, other in zip(mine, theirs, strict=True) for pair in zip(one, other, strict=True)]
    return sum(1 << number for old, number in pairs if mask >> old & 1)


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """What the formula of a call from any state proves."""

    unit: PreparedUnit
    encoding: Encoding
    claims: Sequence[Term]
    refuted: Mapping[int, Term]
    ask: Ask
    has_checks: bool
    seen: int

    def proved(self, objectives: Sequence[Objective]) -> Iterator[tuple[str, list[Term]]]:
        possible = sum(1 << point for point in self.encoding.points) & ~_mask_of(self.refuted)
        wanted = [each for each in objectives if is_refuted(each, _mask_of(self.refuted))]
        doubted = self._doubts(wanted, possible)
        if (
            Reason.RUNS_DIED in doubted.values()
        ):  # points of no objective tell whether anything is begun and not completed
            unmet = [point for point in self.unit.woven.points.numbers.values() if not self.seen >> point & 1]
            further = refute_points(self.encoding, self.ask, self.claims, unmet)
            doubted = self._doubts(wanted, possible & ~_mask_of(further))
        table = self.encoding.table
        for each in wanted:
            if doubted[each.id] is None:
                terms = [self.refuted[point] for point in each.points if point in self.refuted]
                yield each.id, [any_of(table, terms), *self.claims, *table.definitions]

    def _doubts(self, objectives: Sequence[Objective], possible: int) -> dict[str, Reason | None]:
        doubts = FormulaDoubts(self.unit, self.has_checks, is_for_all_calls=True)
        ends = self.encoding.ends
        ends_early = bool(ends) and not isinstance(self.ask([*self.claims, any_of(self.encoding.table, ends)]), Unsat)
        return {
            each.id: doubts.doubt_about(
                each, self.encoding, possible=possible, seen=self.seen, may_end_early=ends_early
            )
            for each in objectives
        }


def _mask_of(points: Iterable[int]) -> int:
    return sum(1 << point for point in points)
