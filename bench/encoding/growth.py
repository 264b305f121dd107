"""How time and questions of the encoding grow with the steps of a state machine (programs/controller.c)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bench.parts.engines import Decided, decide, thriftiest
from bench.parts.explore_unit import Ready, prepare
from bench.parts.plot import Chart, Series, draw
from bench.parts.prepared import PROGRAMS
from bench.parts.tables import markdown
from bench.parts.watched import watched

STEPS = (6, 12, 20, 40, 80)
TIME_LIMIT = 300.0


@dataclass(frozen=True, slots=True)
class Grown:
    """The machine of so many steps, with one incremental solver and with a new one for each question."""

    steps: int
    usual: Decided
    fresh: Decided


def measure(repetitions: int, steps: Sequence[int] = STEPS) -> list[Grown]:
    return [_measure(each, repetitions) for each in steps]


def _measure(steps: int, repetitions: int) -> Grown:
    """In turns, so that a machine that slows down slows down both; of each the one that cost least."""
    given = {"flags": (f"-DSTEPS={steps}",), "max_elements": max(STEPS), "time_limit": TIME_LIMIT}
    ready = prepare(PROGRAMS / "controller.c", "controller", ("branch",), **given)
    turns = [[_once(ready, is_incremental) for is_incremental in (True, False)] for _ in range(repetitions)]
    return Grown(steps, *(thriftiest([turn[at] for turn in turns]) for at in range(2)))


def _once(ready: Ready, is_incremental: bool) -> Decided:
    with watched(is_incremental=is_incremental) as clock:
        found = decide(ready, "encoding")
    return replace(found, further={"encoding": clock.encoding, "asking": clock.asking})


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Of the power of x that y grows with: the slope of the straight line nearest to the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    pairs = list(zip(xs, ys, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in pairs) / sum((x - mean_x) ** 2 for x in xs)


def page(grown: Sequence[Grown]) -> Iterator[str]:
    yield "## Growth"
    yield ""
    yield "`generate bench/programs/controller.c -c branch --engine encoding --max-elements 80 -- -DSTEPS=N`. Seconds"
    yield "of the processor, but for *wall*. *encoding*: making formulas, with its questions whether a loop can go on;"
    yield "*asking*: all questions; *whole*: both, decoding runs of models, and the rest. *fresh*: a new solver for"
    yield "each question, measured in turns."
    yield ""
    heads = ["steps", "objectives", "covered", "refuted", "queries", "models run", "blocks", "encoding s", "asking s"]
    further = ["whole s", "wall s", "fresh: queries", "asking s", "whole s", "ratio"]
    yield from markdown([*heads, *further], [_row(each) for each in grown])
    yield ""
    for name, points in _curves(grown).items():
        last = points[-3:]
        powers = f"{exponent(points):.2f}; from {last[0][0]:g} on {exponent(last):.2f}"
        yield f"- {name} grows with steps to the power of {powers}"
    yield ""


def _row(each: Grown) -> list[str]:
    usual, fresh = each.usual, each.fresh
    counts = (usual.objectives, usual.covered, usual.infeasible, usual.queries, usual.models, usual.instances)
    seconds = (usual.further["encoding"], usual.further["asking"], usual.cpu_seconds, usual.seconds)
    others = (fresh.further["asking"], fresh.cpu_seconds, fresh.cpu_seconds / usual.cpu_seconds)
    words = [str(each.steps), *(f"{count:,}" for count in counts), *(f"{second:.3f}" for second in seconds)]
    return [*words, f"{fresh.queries:,}", *(f"{second:.2f}" for second in others)]


def _curves(grown: Sequence[Grown]) -> dict[str, list[tuple[float, float]]]:
    return {
        "whole": [(float(each.steps), each.usual.cpu_seconds) for each in grown],
        "encoding": [(float(each.steps), each.usual.further["encoding"]) for each in grown],
        "asking": [(float(each.steps), each.usual.further["asking"]) for each in grown],
        "one query": [(float(each.steps), each.usual.further["asking"] / each.usual.queries) for each in grown],
    }


def plot(grown: Sequence[Grown]) -> str:
    """Seconds over steps; beside them the square through the first point of the whole."""
    curves = _curves(grown)
    first_steps, first_seconds = curves["whole"][0]
    square = tuple((steps, first_seconds * (steps / first_steps) ** 2) for steps, _ in curves["whole"])
    fresh = tuple((float(each.steps), each.fresh.cpu_seconds) for each in grown)
    series = [Series(name, tuple(points)) for name, points in curves.items()]
    return draw(
        Chart(
            "The state machine: seconds (processor) to decide all branches",
            "steps",
            "seconds",
            (*series, Series("fresh solvers", fresh), Series("quadratic", square)),
        )
    )


def plot_counts(grown: Sequence[Grown]) -> str:
    queries = tuple((float(each.steps), float(each.usual.queries)) for each in grown)
    models = tuple((float(each.steps), float(each.usual.models)) for each in grown)
    return draw(
        Chart(
            "The state machine: questions",
            "steps",
            "number",
            (Series("queries", queries), Series("models run", models)),
        )
    )
