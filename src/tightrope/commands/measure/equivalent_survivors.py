"""Which of the mutants that no test kills are equivalent: formulas of the function and each of them decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tightrope.coverage.verdict import Infeasible
from tightrope.deadline import Deadline
from tightrope.equality.equivalent_mutants import MutantComparer, compare_all
from tightrope.equality.unchanged_values import WITH_LABELS
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile


@dataclass(frozen=True, slots=True)
class DecidedMutants:
    """By id of the objective."""

    equivalent: Mapping[str, Infeasible] = field(default_factory=dict)
    formulas: Mapping[str, str] = field(default_factory=dict)  # hashes
    warnings: tuple[str, ...] = ()


NOTHING_DECIDED = DecidedMutants()


def decide_survivors(file: PreparedFile, name: str, alive: frozenset[str], options: Options) -> DecidedMutants:
    """Decide mutants of a function, by the ids of their objectives."""
    if not alive:
        return NOTHING_DECIDED
    try:
        unit = prepare_unit(file, name, replace(options, criteria=(*options.criteria, *WITH_LABELS)))
    except TightropeError as problem:
        return DecidedMutants(warnings=(f"whether mutants are equivalent is not decided: {problem.message}",))
    numbers = {each.id: unit.woven.points.mutant_at(each.points) for each in unit.objectives if each.id in alive}
    mutants = {key: unit.marks.mutants[number - 1] for key, number in numbers.items() if number is not None}
    comparer, deadline = MutantComparer(unit, options), Deadline.after(options.time_limit)
    compared = comparer.find_unchanged(mutants, options.time_limit)
    others = {key: each for key, each in mutants.items() if key not in compared}
    compared |= compare_all(comparer, others, deadline.left)
    equal = {key: each for key, each in compared.items() if each.verdict == "equivalent"}
    return DecidedMutants(
        {key: each.proof for key, each in equal.items()},
        {key: each.formula for key, each in equal.items() if each.formula},
    )
