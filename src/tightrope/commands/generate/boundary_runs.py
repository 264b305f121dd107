"""A few more tests at boundaries, because faults show there that no objective asks about.

    return is_near && speed > 30;      tests have speed = 2 and speed = 31; speed = 30 tells `>` from `>=`

A run *shows a fault* of a condition (another relation, a constant that is one too large, another sign of a side) if the
condition has its other outcome with the fault, and the results are different then: which ones these are, one sees in a
run with a neighbouring input for which the condition has that outcome. Results are outputs and what else a test sees
(suite/visible_effects.py). A run *shows a sign* if an input is below zero
and its opposite has other results.

First the tests themselves get values that show more, as long as they cover the same; then runs are added. In both
cases inputs are changed one by one, as long as the run shows more that no test shows. The value that brings a condition
near to its other outcome is computed from its terms, so few runs are needed, and nothing is compiled. A test that shows
little becomes a neighbour of another test, if it can: the outcomes of a condition tell most if little else differs.
Where the result hides the outcome of a condition, the conditions behind the other outcome say what to change, and so do
other tests:

    is_near = reading < 100;           reading = 100 shows nothing if speed = 2, because nobody brakes either way;
    return is_near && speed > 30;      reading = 99 leads to `speed > 30`, which asks for speed = 31
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice, takewhile

from tightrope.commands.generate.moved_values import FLOAT_COMPARISONS, MOST_SLOTS, moved_values
from tightrope.deadline import NEVER, Deadline
from tightrope.expr.compiled import compile_values
from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable, slots_of, walk
from tightrope.inputs.scalars import Input, Scalar, bits_to_float, float_to_bits
from tightrope.running.memory_map import EventKind
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner, Trace
from tightrope.search.decode import Decoder
from tightrope.solving.local_search.constraint_distances import ConstraintDistance
from tightrope.suite.shrink import STEPS
from tightrope.suite.telling import find_changeable_inputs
from tightrope.suite.visible_effects import Effect, visible_effects
from tightrope.units.prepared import PreparedUnit

MORE = 0.3  # tests, for each test
MOST_RUNS = 8000  # in all; a long run counts as several
MOST_NOTED = 400  # of which more than the outputs is looked at
FEW_NOTED = 20  # of a function that may have no effects beside its outputs
MOST_CHANGES = 40  # of one run
MOST_NEIGHBOURS = 3  # runs beyond one boundary
MOST_STEPS = 120  # of a path that are looked at
MOST_TERMS = 40  # of a condition
MOST_VALUES = 16  # that are tried for one condition
MOST_SIGNS = 4  # values that are tried for the signs of one condition
MOST_HIDDEN = 3  # conditions that the results of a run do not show
MOST_BESIDE = 8  # runs that a test may become
MOST_FAR = 2  # values of other tests, for the other outcome of one condition
MOST_OTHERS = 4  # values that the same input has in other tests
LEAST_OF_TEST = 4  # features of a test that others do not have; with fewer, it may become another run
LEAST_OF_OTHERS = 4  # features by which a run becomes a test; what it shows clearly counts twice
NEAR = 0.5  # the distance of numbers that are one apart (expr/distance.py)

Feature = tuple[str, int, int, int]  # fault, site, outcome; sign, slot, 0; level: two where it is clear
Path = Sequence[tuple[int, int]]  # site and outcome of branches
Change = tuple[int, int]  # slot, raw value
_UNSIGNED = (Op.ULT, Op.ULE)
_COMPARISONS = (Op.EQ, *_UNSIGNED, Op.SLT, Op.SLE)
_NAMES = {
    **dict.fromkeys((Op.EQ, Op.F_EQ), "=="),
    **dict.fromkeys((Op.ULT, Op.SLT, Op.F_LT), "<"),
    **dict.fromkeys((Op.ULE, Op.SLE, Op.F_LE), "<="),
}
_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge
}  # fmt: skip
_CONDITIONS = (int(EventKind.BRANCH), int(EventKind.CONDITION))


@dataclass(frozen=True, slots=True)
class ShowingRuns:
    """The tests, some with other values, and runs that are added."""

    tests: tuple[RunRecord, ...]
    added: tuple[RunRecord, ...]


def show_boundaries(
    unit: PreparedUnit,
    runner: Runner,
    tests: Sequence[RunRecord],
    same: int,
    deadline: Deadline = NEVER,
    given: int = 0,
    before: int = 0,
) -> ShowingRuns:
    """Tests that show more, each of which still hits all points of the mask `same` that it hit before; and few runs in
    comparison with them, each of which shows what the tests and those before do not show. The first `given` tests keep
    their values; `before` of them are there for boundaries alone."""
    most = max(0, math.ceil(MORE * (len(tests) - before) - 0.5) - before)
    bases = [at for at, run in enumerate(tests) if run.ending.outcome is Outcome.RETURNED]
    runner.close_aims(0)  # conditions that are no branches are observed, too
    look = _Look(unit, runner, deadline, [tests[at].input for at in bases])
    look.learn_outcomes()
    starts = {at: look.at(tests[at].input) for at in takewhile(lambda _: not deadline.is_over, bases)}
    for at in (each for each in starts if each >= given):
        known = _features(each for other, each in starts.items() if other != at)
        starts[at] = _show_more(unit, look, known, starts[at], same & tests[at].points)
    changed = (starts[at].run if at in starts else run for at, run in enumerate(tests))
    return ShowingRuns(tuple(changed), tuple(islice(_add_runs(unit, look, list(starts.values())), most)))


def _show_more(unit: PreparedUnit, look: _Look, known: frozenset[Feature], start: _Seen, kept: int) -> _Seen:
    """A test with other values. If that shows little which others do not show, it may become a neighbour of another."""
    best = _Climb(unit, look, known, start, kept).climb()
    if best.gain(known) >= LEAST_OF_TEST:
        return best
    other = max(look.beside(start.run, kept), key=lambda each: each.gain(known), default=best)
    return _Climb(unit, look, known, other, kept).climb() if other.gain(known) > best.gain(known) else best


def _add_runs(unit: PreparedUnit, look: _Look, starts: Sequence[_Seen]) -> Iterator[RunRecord]:
    """Runs, each of which shows enough that none before shows."""
    known = _features(starts)
    while starts:
        others = sorted(look.beside(), key=lambda each: -each.gain(known))
        climbed = [_Climb(unit, look, known, each).climb() for each in (*starts, *others[:1])]
        best = max(climbed, key=lambda each: each.gain(known))
        if best.gain(known) < LEAST_OF_OTHERS:
            return
        known |= best.features
        yield best.run


def _features(seen: Iterable[_Seen]) -> frozenset[Feature]:
    return frozenset[Feature]().union(*(each.features for each in seen))


class _Shown(IntEnum):
    """Whether the results show the outcome of a condition."""

    NOT = 0
    PERHAPS = 1
    CLEARLY = 2


@dataclass(frozen=True, slots=True)
class _Seen:
    """A run, what it shows, and changes with which it may show something else."""

    run: RunRecord
    features: frozenset[Feature]
    wishes: tuple[Change, ...]

    def gain(self, known: frozenset[Feature]) -> int:
        """How much it shows that is not known."""
        return len(self.features - known)


@dataclass(frozen=True, slots=True)
class _Moves:
    """What becomes of a condition if one input changes, for given values of the inputs that it mentions."""

    is_near: bool  # the condition is at a boundary
    near: tuple[Change, ...]  # with these it nearly has the other outcome
    across: tuple[Change, ...]  # with these it just has the other outcome
    far: tuple[Change, ...]  # with these it has the other outcome; values of other tests
    signs: tuple[Change, ...]  # with these it may have the other outcome if a side had the other sign


class _BoundaryCondition:
    """A condition that is not large, prepared to be looked at for many inputs."""

    def __init__(self, term: Term) -> None:
        self.slots = slots_of(term.support)
        self.distance = ConstraintDistance(term)
        self.moves: dict[tuple[int, ...], _Moves] = {}  # by the values of its slots
        self._faults: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._comparisons = [each for each in walk(term) if each.op in (*_COMPARISONS, *FLOAT_COMPARISONS)]
        self._read = compile_values([arg for each in self._comparisons for arg in each.args])

    def mentioned(self, values: Input) -> tuple[int, ...]:
        """The values of its slots: what is known for them is not computed again."""
        return tuple([values[slot] for slot in self.slots])

    def faults(self, values: Input, is_near: bool) -> tuple[str, ...]:
        """Names of faults in a condition by which it would have its other outcome for these values. Of a condition with
        several comparisons, only that its outcome may be wrong, and its boundary."""
        mentioned = self.mentioned(values)
        if mentioned not in self._faults:
            self._faults[mentioned] = tuple(self._find_faults(values, is_near))
        return self._faults[mentioned]

    def _find_faults(self, values: Input, is_near: bool) -> Iterator[str]:
        yield "outcome"
        if len(self._comparisons) != 1:
            yield from ("near",) * is_near
            return
        ((part, one, other),) = self.sides(values)
        numbers = _as_numbers(part, one, other)
        was = _RELATIONS[_NAMES[part.op]](*numbers)
        constant = [not arg.support for arg in part.args]
        for name, relation, pair in _wrong_comparisons(_NAMES[part.op], *numbers, *constant):
            if _RELATIONS[relation](*pair) != was:
                yield name

    def sides(self, values: Input) -> Iterator[tuple[Term, int, int]]:
        """Its comparisons, with the values of both sides."""
        found = iter(self._read(values))
        return zip(self._comparisons, found, found, strict=False)


class _Climb:
    """Changes a run, one input at a time, as long as it shows more that is new, and hits the points `kept`."""

    def __init__(self, unit: PreparedUnit, look: _Look, known: frozenset[Feature], start: _Seen, kept: int = 0) -> None:
        self._look, self._known, self._best, self._kept = look, known, start, kept
        self._slots = {each.slot for each in find_changeable_inputs(unit.shape, start.run)}
        self._left = MOST_CHANGES
        self._tried = {start.run.input}

    def climb(self) -> _Seen:
        while self._step():
            pass
        return self._best

    def _step(self) -> bool:
        """Take the first change that adds something."""
        for slot, raw in self._best.wishes:
            values = _with(self._best.run.input, slot, raw)
            if slot not in self._slots or values in self._tried or self._left <= 0 or self._look.left <= 0:
                continue
            self._tried.add(values)
            self._left -= 1
            seen = self._look.at(values)
            if self._is_allowed(seen.run) and self._gain(seen) > self._gain(self._best):
                self._best = seen
                return True
        return False

    def _is_allowed(self, run: RunRecord) -> bool:
        return _is_as_good(run, self._best.run) and not self._kept & ~run.points

    def _gain(self, seen: _Seen) -> int:
        return len(seen.features - self._known)


class _Look:
    """Runs inputs, and looks at what they show."""

    def __init__(self, unit: PreparedUnit, runner: Runner, deadline: Deadline, tests: Sequence[Input]) -> None:
        self._unit, self._runner, self._deadline = unit, runner, deadline
        self._tests, self._outcomes = tests, set[tuple[int, int]]()  # site and outcome that tests have
        self._of_tests = [tuple(dict.fromkeys(column)) for column in zip(*tests, strict=True)]
        self._scalars = [slot.scalar for slot in unit.driver.slots]
        self._decoder = Decoder(TermTable(), runner.node_bytes)
        self._known: dict[Input, _Seen] = {}
        self._runs: dict[Input, RunRecord] = {}
        self._paths: dict[Input, Path] = {}
        self._telling: dict[Input, None] = {}  # runs beyond a boundary, with other results
        self._effects: dict[Input, tuple[Effect, ...] | None] = {}
        self._prepared: dict[Term, _BoundaryCondition | None] = {}
        self._left = MOST_RUNS

    @property
    def left(self) -> int:
        """How many inputs may still be run."""
        return 0 if self._deadline.is_over else self._left

    def learn_outcomes(self) -> None:
        """Look which outcomes of conditions the tests have."""
        for values in takewhile(lambda _: self.left > 0, self._tests):
            trace = self._runner.trace(values)
            self._outcomes |= {(site, side) for site, _, side in self._conditions(trace)}

    def at(self, values: Input) -> _Seen:
        if values not in self._known:
            self._known[values] = self._look(values)
        return self._known[values]

    def beside(self, test: RunRecord | None = None, kept: int = 0) -> Iterator[_Seen]:
        """Some neighbours of tests, with other results: runs that can be a test, or take the place of this one. In its
        place, no more inputs may be zero or equal to others, because such values hide much."""

        def fits(run: RunRecord) -> bool:
            if test is None:
                return run.ending.outcome is Outcome.RETURNED and not run.risk
            return _is_as_good(run, test) and _count_plain(run) <= _count_plain(test) and not kept & ~run.points

        runs = [self._runs[values] for values in self._telling if values not in self._tests]
        return (self.at(run.input) for run in islice(filter(fits, runs), MOST_BESIDE) if self.left > 0)

    def _look(self, values: Input) -> _Seen:
        trace = self._runner.trace(values)
        run = self._keep(self._runner.record_of(values, trace), trace)
        features: dict[Feature, None] = {}
        wishes: dict[Change, None] = {}
        hidden: dict[Change, None] = {}
        for site, condition, side in self._conditions(trace):
            moves = self._moves_at(condition, values)
            beyond = (*moves.across, *moves.far)[:MOST_NEIGHBOURS]
            is_only = (site, 1 - side) not in self._outcomes  # no run shows what the other outcome would lead to
            shown = _Shown.CLEARLY if is_only else self._compare(run, beyond, site)
            for name in condition.faults(values, moves.is_near) if shown else ():
                features.update(dict.fromkeys((name, site, side, level) for level in range(shown)))
            if shown is not _Shown.CLEARLY:
                hidden.update(dict.fromkeys(beyond[:1]))
            wishes.update(dict.fromkeys((*(moves.across if moves.is_near else ()), *moves.near, *moves.signs)))
        for slot, raw in self._other_signs(values):
            wishes[slot, raw] = None
            if _sign(self._scalars[slot], values[slot]) < 0 and self._tells_apart(run, (slot, raw)):
                features.update(dict.fromkeys(("sign", slot, 0, level) for level in range(_Shown.CLEARLY)))
        wishes.update(dict.fromkeys(self._behind(values, hidden)))
        wishes.update(dict.fromkeys(self._values_of_tests(values, range(len(values)))))
        return _Seen(run, frozenset(features), tuple(wishes))

    def _behind(self, values: Input, hidden: Iterable[Change]) -> Iterator[Change]:
        """What decides the results where a condition has its other outcome: changes of the same input."""
        for change in islice(hidden, MOST_HIDDEN):
            if self.left <= 0:
                return
            other = _with(values, *change)
            trace = self._runner.trace(other)
            self._keep(self._runner.record_of(other, trace), trace)
            for _, condition, _ in self._conditions(trace):
                yield from (wish for wish in self._moves_at(condition, other).across if wish[0] != change[0])

    def _values_of_tests(self, values: Input, slots: Iterable[int]) -> Iterator[Change]:
        for slot in slots:
            if _is_number(self._scalars[slot]):
                column = self._of_tests[slot][:MOST_OTHERS]
                yield from ((slot, raw) for raw in column if raw != values[slot])

    def _conditions(self, trace: Trace) -> Iterator[tuple[int, _BoundaryCondition, int]]:
        """Site (of a branch, or of a condition that is none), condition and outcome, each once; no large conditions."""
        rows = self._decoder.steps(trace)[:MOST_STEPS]
        rows += [row[1:5] for row in self._decoder.observations(trace)[:MOST_STEPS]]
        chosen = (row for row in rows if row[0] in _CONDITIONS)
        asked = ((kind << 32 | site, term, side) for kind, site, term, side in chosen if term is not None)
        for site, term, side in dict.fromkeys(asked):
            if term.bits == 1:
                if term not in self._prepared:
                    self._prepared[term] = None if _is_large(term) else _BoundaryCondition(term)
                condition = self._prepared[term]
                if condition is not None:
                    yield site, condition, side

    def _moves_at(self, condition: _BoundaryCondition, values: Input) -> _Moves:
        """Most runs differ in an input that a condition does not mention: then nothing is computed again."""
        mentioned = condition.mentioned(values)
        if mentioned not in condition.moves:
            condition.moves[mentioned] = self._find_moves(condition, values)
        return condition.moves[mentioned]

    def _find_moves(self, condition: _BoundaryCondition, values: Input) -> _Moves:
        away = condition.distance.pair_at(values)  # from true and from false: one of them is 0
        was_true = away[0] == 0.0

        def is_other(change: Change) -> bool:
            return (condition.distance.pair_at(_with(values, *change))[0] == 0.0) != was_true

        near: list[Change] = []
        across: list[Change] = []
        for slot, raw in islice(dict.fromkeys(self._candidates(condition, values)), MOST_VALUES):
            if raw == values[slot]:
                continue
            from_true, from_false = condition.distance.pair_at(_with(values, slot, raw))
            is_same = (from_true == 0.0) == was_true
            if max(from_true, from_false) <= NEAR:
                (near if is_same else across).append((slot, raw))
        signs = islice(dict.fromkeys(self._mirrored(condition, values)), MOST_SIGNS)
        far = (change for change in self._values_of_tests(values, condition.slots) if is_other(change))
        return _Moves(max(away) <= NEAR, tuple(near), tuple(across), tuple(islice(far, MOST_FAR)), tuple(signs))

    def _candidates(self, condition: _BoundaryCondition, values: Input) -> Iterator[Change]:
        for part, one, other in condition.sides(values):
            for arg, mine, theirs in ((part.args[0], one, other), (part.args[1], other, one)):
                for slot in slots_of(arg.support)[:MOST_SLOTS]:
                    scalar = self._scalars[slot]
                    if _is_number(scalar):
                        yield from ((slot, raw) for raw in moved_values(part, scalar, values[slot], mine, theirs))

    def _mirrored(self, condition: _BoundaryCondition, values: Input) -> Iterator[Change]:
        """Values for which a side is the opposite of the other side, or a little further from zero."""
        for part, one, other in condition.sides(values):
            bits = part.args[0].bits
            for arg, mine, theirs in ((part.args[0], one, other), (part.args[1], other, one)):
                opposite = theirs ^ 1 << (bits - 1) if part.op in FLOAT_COMPARISONS else -theirs & (1 << bits) - 1
                for slot in slots_of(arg.support)[:MOST_SLOTS] if part.op not in _UNSIGNED else ():
                    if _is_number(self._scalars[slot]):
                        moved = moved_values(part, self._scalars[slot], values[slot], mine, opposite)
                        yield from ((slot, raw) for raw in moved if raw != values[slot])

    def _other_signs(self, values: Input) -> Iterator[Change]:
        for slot, scalar in enumerate(self._scalars):
            if values[slot] and scalar.kind == "float" and _is_number(scalar):
                yield slot, float_to_bits(-bits_to_float(values[slot], scalar.bits), scalar.bits)
            elif values[slot] and scalar.kind == "signed":
                yield slot, -values[slot] & scalar.mask

    def _compare(self, run: RunRecord, changes: Iterable[Change], site: int) -> _Shown:
        """How far neighbours show what the other outcome of a condition leads to. Best are those that leave the path of
        the run there, because the change matters to no condition before."""
        shown = _Shown.NOT
        for change in changes:
            if self._tells_apart(run, change):
                values = _with(run.input, *change)
                if _parting(self._paths[run.input], self._paths[values]) in (site, None):
                    self._telling[values] = None
                    return _Shown.CLEARLY
                shown = _Shown.PERHAPS
        return shown

    def _tells_apart(self, run: RunRecord, change: Change) -> bool:
        """Whether the run has other results than the one with this change. An input that it leaves is no result."""
        values = _with(run.input, *change)
        if values not in self._runs:
            if self.left <= 0:
                return False
            trace = self._runner.trace(values)
            self._keep(self._runner.record_of(values, trace), trace)
        other, moved = self._runs[values], (run.input[change[0]], change[1])
        if other.ending != run.ending or len(other.outputs) != len(run.outputs):
            return True
        pairs = zip(run.outputs, other.outputs, strict=True)
        if any(pair[0] != pair[1] and pair != moved for pair in pairs):
            return True
        effects = self._effects_of(run), self._effects_of(other)
        return None not in effects and effects[0] != effects[1]

    def _effects_of(self, run: RunRecord) -> tuple[Effect, ...] | None:
        """What it does beside its outputs; None if that is not known."""
        if run.ending.outcome is not Outcome.RETURNED:
            return None
        if run.input not in self._effects and self._may_note:
            self._left -= 2 * (1 + run.steps // STEPS)
            notes = self._runner.take_notes(run.input)
            effects = None if notes is None else visible_effects(notes, self._unit.woven.variables, self._unit.ctypes)
            self._effects[run.input] = effects
        return self._effects.get(run.input)

    @property
    def _may_note(self) -> bool:
        """A function without stubs that has shown nothing so far may have no effects beside its outputs."""
        most = MOST_NOTED if self._unit.shape.stubs or any(self._effects.values()) else FEW_NOTED
        return self.left > 0 and len(self._effects) < most

    def _keep(self, run: RunRecord, trace: Trace) -> RunRecord:
        self._left -= 1 + run.steps // STEPS
        rows = self._decoder.steps(trace)[:MOST_STEPS]
        self._paths[run.input] = [(kind << 32 | site, side) for kind, site, _, side in rows if kind in _CONDITIONS]
        self._runs[run.input] = run
        return run


def _parting(one: Path, other: Path) -> int | None:
    """The site where two paths part."""
    return next((mine[0] for mine, theirs in zip(one, other, strict=False) if mine != theirs), None)


def _is_as_good(run: RunRecord, other: RunRecord) -> bool:
    return run.ending.outcome is Outcome.RETURNED and run.risk <= other.risk


def _count_plain(run: RunRecord) -> int:
    """How many inputs are zero, or equal to others."""
    return len(run.input) - len({*run.input} - {0})


def _as_numbers(comparison: Term, one: int, other: int) -> tuple[float, float]:
    """The sides as C compares them; `==` does not say whether they have signs."""
    bits = comparison.args[0].bits
    if comparison.op in FLOAT_COMPARISONS:
        return bits_to_float(one, bits), bits_to_float(other, bits)
    return (one, other) if comparison.op in _UNSIGNED else (signed(one, bits), signed(other, bits))


def _wrong_comparisons(
    relation: str, one: float, other: float, is_first_constant: bool, is_second_constant: bool
) -> Iterator[tuple[str, str, tuple[float, float]]]:
    """Name, relation and sides: another relation, a neighbour of a side, another sign, 0 for a constant."""
    yield from ((wrong, wrong, (one, other)) for wrong in _RELATIONS if wrong != relation)
    yield "+1", relation, (one + 1, other)
    yield "-1", relation, (one - 1, other)
    for name, side, is_constant in (("first", one, is_first_constant), ("second", other, is_second_constant)):
        for change, number in (
            (("0", 0.0),) if is_constant else (("-", -side), ("abs", abs(side)), ("-abs", -abs(side)))
        ):
            yield f"{change} {name}", relation, (number, other) if name == "first" else (one, number)


def _with(values: Input, slot: int, raw: int) -> Input:
    return (*values[:slot], raw, *values[slot + 1 :])


def _is_number(scalar: Scalar) -> bool:
    is_integer = scalar.kind in ("signed", "unsigned", "char") and scalar.bits > 1
    return is_integer or (scalar.kind == "float" and scalar.bits in (32, 64))


def _sign(scalar: Scalar, raw: int) -> int:
    number = bits_to_float(raw, scalar.bits) if scalar.kind == "float" else signed(raw & scalar.mask, scalar.bits)
    return (number > 0) - (number < 0)


def _is_large(term: Term) -> bool:
    return sum(1 for _, _ in zip(walk(term), range(MOST_TERMS), strict=False)) == MOST_TERMS
