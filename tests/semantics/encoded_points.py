"""Every point of an encoding against every input that is run: the laws of `Encoding`, checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from small_domains import Runs

from tightrope.coverage.witnesses import bits
from tightrope.encoding.encoding import Encoding, EncodingLimits
from tightrope.encoding.loose.walk import encode_loosely
from tightrope.encoding.unit import encode
from tightrope.expr.compiled import compile_values
from tightrope.expr.evaluate import MEANINGS
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk
from tightrope.inputs.scalars import Input
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.solving.backends import start_session
from tightrope.solving.query import Unsat
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.mark_table import points_of_obligations

LIMITS = EncodingLimits(iterations=300, seconds=20.0)
Known = int | None  # None: it depends on values that nobody knows


@dataclass
class Compared:
    """What came of it."""

    inputs: int = 0
    departed: int = 0  # inputs whose runs leave the encoding
    doubtful: int = 0  # inputs for which something depends on what nobody knows
    points: int = 0  # that the encoding has
    differences: list[str] = field(default_factory=list)


def encode_unit(unit: PreparedUnit, inputs: Sequence[Input], limits: EncodingLimits = LIMITS) -> Encoding:
    """Loops go on as long as some input does."""
    points, marks, slots = unit.woven.points, unit.woven.marks, len(unit.driver.slots)
    when = list(points_of_obligations(marks, points))
    graph = build_point_graph(unit.program, unit.function.name, points, marks, when)

    def is_possible(term: Term) -> bool:
        read = make_reading([term], slots)
        return any(read(values)[0] != 0 for values in inputs)

    return encode(unit.program, points, marks, graph, unit.driver.widths, limits, is_possible=is_possible)


def refuted_though_hit(unit: PreparedUnit, runs: Runs) -> Iterator[int]:
    """The law of the loose formula: the points that some run hits, and that it refutes."""
    points, marks = unit.woven.points, unit.woven.marks
    when = list(points_of_obligations(marks, points))
    graph = build_point_graph(unit.program, unit.function.name, points, marks, when)

    def is_refuted(terms: Sequence[Term]) -> bool:
        return isinstance(start_session("bitwuzla", time_limit=1.0).ask(terms), Unsat)

    formula = encode_loosely(unit.program, unit.function.name, points, marks, graph, is_refuted=is_refuted)
    assert formula is not None
    session = start_session("bitwuzla", time_limit=1.0)
    for term in formula.definitions:
        session.assert_always(term)
    for point in bits(runs.union & formula.refutable):
        term = formula.points.get(point)
        if term is None or isinstance(session.ask([term]), Unsat):
            yield point


def make_reading(terms: Sequence[Term], slots: int) -> Callable[[Input], Sequence[Known]]:
    """Evaluates the terms on an input. Slots from `slots` on are unknown, and so is what depends on them."""
    if not any(term.support >> slots for term in terms):
        return compile_values(terms)
    order = list(walk(*terms))
    return lambda values: _read_known(terms, order, values)


def _read_known(terms: Sequence[Term], order: Sequence[Term], values: Input) -> list[Known]:
    found: dict[Term, Known] = {}
    for term in order:
        if term.op is Op.INPUT:
            found[term] = values[term.number] if term.number < len(values) else None
        else:
            found[term] = _meaning(term, [found[arg] for arg in term.args])
    return [found[term] for term in terms]


def _meaning(term: Term, operands: list[Known]) -> Known:
    known = [each for each in operands if each is not None]
    if len(known) == len(operands):
        return int(MEANINGS[term.op](term, *known))
    if term.op is Op.ITE:
        condition, then, otherwise = operands
        if condition is None:
            return then if then == otherwise else None
        return then if condition else otherwise
    if term.op is Op.AND and 0 in known:
        return 0
    full = (1 << term.bits) - 1
    return full if term.op is Op.OR and full in known else None


def compare_points(unit: PreparedUnit, encoding: Encoding, runs: Runs) -> Compared:
    found = Compared(len(runs.inputs), points=len(encoding.points))
    conditions = [each.condition for each in encoding.departures]
    read = make_reading([*encoding.points.values(), *conditions], encoding.slots)
    names = {number: place for place, number in unit.woven.points.numbers.items()}
    driver = sum(1 << number for number, place in names.items() if place[0].startswith("@tightrope_"))
    for values, hit in zip(runs.inputs, runs.points, strict=True):
        answers = read(values)
        surely = sum(1 << point for point, answer in zip(encoding.points, answers, strict=False) if answer)
        maybe = sum(1 << point for point, answer in zip(encoding.points, answers, strict=False) if answer != 0)
        behind = _behind(encoding, answers[len(encoding.points) :])
        found.departed += bool(behind)
        found.doubtful += surely != maybe
        found.differences += _differences(values, surely & ~hit & ~driver, hit & ~maybe & ~behind & ~driver, names)
    return found


def _behind(encoding: Encoding, answers: Sequence[Known]) -> int:
    """The points that may be hit where the run leaves the encoding, if it may."""
    behind = 0
    for each, answer in zip(encoding.departures, answers, strict=True):
        behind |= each.behind if answer != 0 else 0
    return behind


def _differences(
    values: Input, false: int, missed: int, names: dict[int, tuple[str, str, int | None]]
) -> Iterator[str]:
    for word, mask in (("encoded, not hit", false), ("hit, not encoded", missed)):
        if mask:
            yield f"{values}: {word}: {[names.get(point, point) for point in bits(mask)][:6]}"
