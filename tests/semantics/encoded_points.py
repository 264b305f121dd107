"""Every point of an encoding against every input that is run: the laws of `Encoding`, checked one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from small_domains import Runs

from tightrope.execution.obligations import points_of_obligations
from tightrope.execution.trace import Input
from tightrope.expr.compiled import compile_values
from tightrope.expr.terms import Term
from tightrope.objectives.witnesses import bits
from tightrope.prepare import PreparedUnit
from tightrope.program.point_graph import build_point_graph
from tightrope.proofs.encoding.encoded import Encoding, EncodingLimits
from tightrope.proofs.encoding.unit import encode

LIMITS = EncodingLimits(iterations=300, seconds=20.0, recursion=12)


@dataclass
class Compared:
    """What came of it."""

    inputs: int = 0
    departed: int = 0  # inputs whose runs leave the encoding
    points: int = 0  # that the encoding has
    inexact: int = 0  # of them, those that depend on what nobody knows
    differences: list[str] = field(default_factory=list)


def encode_unit(unit: PreparedUnit, inputs: Sequence[Input], limits: EncodingLimits = LIMITS) -> Encoding:
    """Loops go on as long as some input does."""
    points, marks = unit.woven.points, unit.woven.marks
    when = list(points_of_obligations(marks, points))
    graph = build_point_graph(unit.program, unit.function.name, points, marks, when)

    def is_possible(term: Term) -> bool:
        read = compile_values([term])
        is_exact = not term.support >> slots
        return not is_exact or any(read(values)[0] for values in inputs)

    slots = len(unit.driver.slots)
    return encode(unit.program, points, marks, graph, slots, limits, is_possible=is_possible)


def compare_points(unit: PreparedUnit, encoding: Encoding, runs: Runs) -> Compared:
    found = Compared(len(runs.inputs), points=len(encoding.points))
    exact = {point: term for point, term in encoding.points.items() if encoding.is_exact(term)}
    inexact = sum(1 << point for point in encoding.points if point not in exact)
    found.inexact = inexact.bit_count()
    doubtful = [each for each in encoding.departures if not encoding.is_exact(each.condition)]
    sure = [each for each in encoding.departures if encoding.is_exact(each.condition)]
    may = inexact
    for each in doubtful:
        may |= each.behind
    names = {number: place for place, number in unit.woven.points.numbers.items()}
    driver = sum(1 << number for number, place in names.items() if place[0].startswith("@tightrope_"))
    read = compile_values([*exact.values(), *(each.condition for each in sure)])
    for values, hit in zip(runs.inputs, runs.points, strict=True):
        answers = read(values)
        claimed = sum(1 << point for point, answer in zip(exact, answers, strict=False) if answer)
        behind, departs = may, bool(doubtful)
        for each, answer in zip(sure, answers[len(exact) :], strict=True):
            behind |= each.behind if answer else 0
            departs = departs or bool(answer)
        found.departed += departs
        found.differences += _differences(values, claimed & ~hit & ~driver, hit & ~claimed & ~behind & ~driver, names)
    return found


def _differences(values: Input, false: int, missed: int, names: dict[int, tuple[str, str, int | None]]) -> Iterator[str]:
    for word, mask in (("encoded, not hit", false), ("hit, not encoded", missed)):
        if mask:
            yield f"{values}: {word}: {[names.get(point, point) for point in bits(mask)][:6]}"
