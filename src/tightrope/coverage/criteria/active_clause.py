"""Active clause coverage: general, correlated and restricted.

P. Ammann, J. Offutt, H. Huang, "Coverage criteria for logical expressions", 2003. They
call a condition *active* if it matters (is unmasked). They do not define the value of a condition that short-circuit
evaluation skips: here it counts as any value.

    gacc    the condition is active and true, active and false
    cacc    the same, and the decision has another outcome in the second case (masking MC/DC)
    racc    the same, and no other condition differs (unique-cause MC/DC)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.criteria.mcdc import want_unmasked
from tightrope.coverage.truth_table import TruthTable, Wanted, want_pair


class GeneralActiveClause(AboutDecisions):
    """Two objectives per condition."""

    name: ClassVar[str] = "gacc"
    help: ClassVar[str] = "every condition decides its decision, once while it is true and once while it is false"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        for index, _ in table.conditions():
            yield from want_unmasked(table, index)


class CorrelatedActiveClause(AboutDecisions):
    """One objective per condition: a pair."""

    name: ClassVar[str] = "cacc"
    help: ClassVar[str] = "as gacc, and the two outcomes of the decision differ"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        sentence = "no two tests show `{}` deciding `{}` with different outcomes"
        for index, _ in table.conditions():
            yield want_pair(table, index, sentence, table.masking_pairs(index))


class RestrictedActiveClause(AboutDecisions):
    """One objective per condition: a pair."""

    name: ClassVar[str] = "racc"
    help: ClassVar[str] = "as cacc, and no other condition differs"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        sentence = "no two tests differ only in `{}` and in the outcome of `{}`"
        for index, _ in table.conditions():
            yield want_pair(table, index, sentence, table.unique_cause_pairs(index), needs_rows=True)
