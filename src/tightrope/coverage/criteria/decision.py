"""Decision, condition and decision/condition coverage.

G. J. Myers, "The Art of Software Testing", 1979. A *decision* is a Boolean expression, anywhere in the
code, that is not an operand of another one. A *condition* is a part of it without Boolean operators (RTCA DO-178C,
glossary).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.truth_table import TruthTable, Wanted, shorten, word


class DecisionCoverage(AboutDecisions):
    """Two objectives per decision."""

    name: ClassVar[str] = "decision"
    help: ClassVar[str] = "every decision is true in some test and false in some test"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        return _want_outcomes(table)


class ConditionCoverage(AboutDecisions):
    """Two objectives per condition, for any outcome of the decision. Only a condition that is evaluated counts."""

    name: ClassVar[str] = "condition"
    help: ClassVar[str] = "every condition of each decision is true in some test and false in some test"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        return _want_values(table)


class DecisionConditionCoverage(AboutDecisions):
    """Both together. A decision with a single condition is counted once."""

    name: ClassVar[str] = "decision-condition"
    help: ClassVar[str] = "every decision and every condition is true in some test and false in some test"

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        yield from _want_outcomes(table)
        if not table.is_lone:
            yield from _want_values(table)


def _want_outcomes(table: TruthTable) -> Iterator[Wanted]:
    for outcome in (True, False):
        yield Wanted(
            kind=word(outcome),
            word=word(outcome),
            location=table.decision.location,
            text=f"`{table.text}` is {word(outcome)}",
            sentence=f"in no test `{table.text}` is {word(outcome)}",
            rows=table.with_outcome(outcome),
        )


def _want_values(table: TruthTable) -> Iterator[Wanted]:
    for index, condition in table.conditions():
        shown = shorten(condition.text)
        where = "" if table.is_lone else f" in `{table.text}`"
        for value in (True, False):
            yield Wanted(
                kind=word(value),
                word=f"c{index + 1}:{word(value)}",
                location=condition.location,
                text=f"`{shown}` is {word(value)}{where}",
                sentence=f"in no test `{shown}` is {word(value)}{where}",
                rows=table.with_value(index, value),
            )
