"""How much of what is called impacted is impacted: the changes of E5, judged by runs.

    python -m experiments.impact_truth [--seconds S] [--only PATTERN]

Inputs of searches of both versions, and random variations of them, are run on both. An objective that an input hits in
one version only is impacted for sure. The others may be: runs are no proof. An objective that runs show, and that is
not called impacted, is a mistake of the analysis.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bench.parts import results
from bench.parts.explore_unit import Ready
from bench.parts.tables import markdown, share

from experiments.change_search import explored_inputs
from experiments.e5_changes import choose
from experiments.seeded_changes import SeededChange, impact_of
from tightrope.commands.diff.impact.impact import take_back
from tightrope.coverage.objective import Objective
from tightrope.coverage.witnesses import is_covered
from tightrope.equality.same_hits import SameHits
from tightrope.inputs.scalars import Input, Slot
from tightrope.running.runner import Worker
from tightrope.units.prepare import start

HOWS = ("changed", "data", "control", "ends", "unknown")
MOST_BASES, VARIATIONS = 3_000, 6_000


@dataclass(frozen=True, slots=True)
class Judged:
    change: SeededChange
    objectives: int
    depending: Counter[str]  # by how: objectives that dependences lead to
    impacted: frozenset[str]  # what is left of them
    shown: frozenset[str]  # by runs
    inputs: int


def main() -> None:
    parser = argparse.ArgumentParser(description="How much of what is called impacted is impacted.")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S", help="for each search (default: 4)")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="such as 'V*', C3, collision")
    results.add_options(parser)
    wanted = parser.parse_args()
    found = [judge(change, wanted.seconds) for change in choose(wanted.only)]
    results.keep("impact-truth", report(found, wanted), {}, wanted)


def judge(change: SeededChange, seconds: float) -> Judged:
    with change.written() as (old, new):
        before, after = (change.subject.prepare("mcdc", path) for path in (old, new))
        depending = impact_of(before, after)
        hits = SameHits(after.options)
        impacted = take_back(depending, hits.prove(before.unit, after.unit, depending.doubtful, seconds))
        inputs = draw_inputs(before, after, seconds)
        shown = frozenset(find_shown(before, after, impacted.twins, [*inputs, *hits.inputs]))
        hows = Counter(each.how.value for each in depending.new.values())
        return Judged(change, after.objectives, hows, frozenset(impacted.new), shown, len(inputs))


def draw_inputs(before: Ready, after: Ready, seconds: float) -> list[Input]:
    """Of searches of both versions, and variations. Both versions have the same slots."""
    slots = after.unit.driver.slots
    assert [each.path for each in before.unit.driver.slots] == [each.path for each in slots]
    ways = [{"strategy": name, "engine": "search", "exhaustive": True} for name in ("pps", "random-path")]
    found = dict.fromkeys(
        values
        for ready in (before, after)
        for way in (*ways, {})
        for values in explored_inputs(ready, {"time_limit": seconds, "max_runs": 4_000, **way})
    )
    bases, random = list(found)[:MOST_BASES], Random(1)
    found.update(dict.fromkeys(vary(random, bases, slots) for _ in range(VARIATIONS)))
    return list(found)


def vary(random: Random, bases: Sequence[Input], slots: Sequence[Slot]) -> Input:
    """An input with some slots from elsewhere: from another input, next to its own value, or any value."""
    values, other, third = list(random.choice(bases)), random.choice(bases), random.choice(bases)
    for at in random.sample(range(len(slots)), min(len(slots), random.choice((1, 2, 3, 5)))):
        mask = slots[at].scalar.mask
        near = (values[at] + random.choice((-1, 1))) & mask
        values[at] = random.choice((other[at], third[at], near, random.randrange(mask + 1)))
    return tuple(values)


def find_shown(before: Ready, after: Ready, twins: Mapping[str, str], inputs: Sequence[Input]) -> Iterator[str]:
    """New objectives, and those that other inputs hit than their twins: one input, or two together."""
    old, new = run_all(before, inputs), run_all(after, inputs)
    known = {each.id: each for each in before.unit.objectives}
    for objective in after.unit.objectives:
        twin = known.get(twins.get(objective.id, ""))
        if twin is None or _are_told_apart(twin, objective, list(zip(old, new, strict=True))):
            yield objective.id


def _are_told_apart(old: Objective, new: Objective, hits: Sequence[tuple[int, int]]) -> bool:
    kinds = list({(one & old.mask, other & new.mask) for one, other in hits})
    pairs = ((one | three, two | four) for one, two in kinds for three, four in kinds)
    return any(is_covered(old, one) != is_covered(new, other) for one, other in pairs)


def run_all(ready: Ready, inputs: Sequence[Input]) -> list[int]:
    """The points that each input hits."""
    worker = Worker()
    try:
        with start(ready.unit, worker, ready.options) as runner:
            return [runner.trace(values).points for values in inputs]
    finally:
        worker.close()


def report(found: Sequence[Judged], wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("What is impacted, and what is called so", wanted.note)
    yield "*Depending*: dependences lead there from the change, and how in the last step. *Impacted*: what is left when"
    yield "a formula of both versions has proved that the same inputs hit some of them. *Shown*: some of the inputs,"
    yield "run on both versions, hits it in one only. *Missed*: shown, but not called impacted."
    yield ""
    heads = ["change", "program", "objectives", "depending", *HOWS, "impacted", "shown", "missed", "inputs"]
    yield from markdown(heads, [_row(each) for each in found])
    yield ""
    sums = [0.0, 0.0, 0.0]
    for each in found:
        for at, count in enumerate((each.depending.total(), len(each.impacted), len(each.shown))):
            sums[at] += count / each.objectives / len(found)
    words = [f"{100 * part:.1f} %" for part in sums]
    yield f"On average, {words[0]} of the objectives depend on the change, {words[1]} are called impacted, and"
    yield f"{words[2]} are shown to be."


def _row(each: Judged) -> list[str]:
    hows = [str(each.depending[how]) for how in HOWS]
    missed = ", ".join(f"`{name}`" for name in sorted(each.shown - each.impacted)) or "-"
    counts = [f"{len(names)} ({share(len(names), each.objectives)})" for names in (each.impacted, each.shown)]
    first = [each.change.name, each.change.program, str(each.objectives), str(each.depending.total())]
    return [*first, *hows, *counts, missed, str(each.inputs)]


if __name__ == "__main__":
    main()
