"""Multiple condition coverage, and its pairwise form.

G. J. Myers, "The Art of Software Testing", 1979 (every combination of the conditions' values); S. Bardin et al.,
"Efficient leveraging of symbolic execution to advanced coverage criteria", 2014 (the same as labels, and n-wise, here
n = 2). Because of short-circuit evaluation, only combinations that C can evaluate count: `a && b` has three, not four.
Combinations that constants exclude do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import ClassVar

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.truth_table import Row, TruthTable, Wanted, shorten, word
from tightrope.program.decisions.boolean_tree import MAX_VECTORS

TOO_MANY_COMBINATIONS = f"it can be evaluated in more than {MAX_VECTORS} ways"
_MARKS = {False: "F", True: "T", None: "-"}


class MultipleCondition(AboutDecisions):
    """One objective per way to evaluate a decision."""

    name: ClassVar[str] = "mcc"
    help: ClassVar[str] = "every decision is evaluated with each possible combination of its conditions"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        if table.is_too_large:
            yield _want_everything(table)
        for row in table.rows:
            vector = "".join(_MARKS[value] for value in row.vector.values)
            evaluated = [index for index, value in enumerate(row.vector.values) if value is not None]
            yield _want_combination(table, evaluated, row.vector.values, vector, (row,))


class PairwiseCondition(AboutDecisions):
    """One objective per pair of conditions and possible pair of values; for a single condition, one per value."""

    name: ClassVar[str] = "ncc"
    help: ClassVar[str] = "every two conditions of a decision are evaluated with each combination of their values"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        if table.is_too_large:
            yield _want_everything(table)
            return
        count = len(table.decision.conditions)
        for indices in combinations(range(count), min(2, count)):
            for values in product((True, False), repeat=len(indices)):
                wanted = dict(zip(indices, values, strict=True))
                rows = tuple(row for row in table.rows if all(row.value(at) is wanted[at] for at in indices))
                shown = ":".join(f"c{at + 1}:{word(wanted[at])}" for at in indices)
                if rows:
                    yield _want_combination(table, indices, wanted, shown, rows)


def _want_combination(
    table: TruthTable,
    indices: tuple[int, ...] | list[int],
    values: tuple[bool | None, ...] | dict[int, bool],
    shown: str,
    rows: tuple[Row, ...],
) -> Wanted:
    conditions = table.decision.conditions
    with_values = ", ".join(f"`{shorten(conditions[at].text)}` {word(bool(values[at]))}" for at in indices)
    return Wanted(
        kind="combination",
        word=shown,
        location=table.decision.location,
        text=with_values if table.is_lone else f"{with_values} in `{table.text}`",
        sentence=f"no test evaluates `{table.text}` with {with_values}",
        rows=rows,
    )


def _want_everything(table: TruthTable) -> Wanted:
    """One objective in place of combinations that are too many to list."""
    return Wanted(
        kind="combination",
        word="all",
        location=table.decision.location,
        text=f"every combination in `{table.text}`",
        sentence=f"`{table.text}` has too many combinations to list",
        problem=TOO_MANY_COMBINATIONS,
    )
