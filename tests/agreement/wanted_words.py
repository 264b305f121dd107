"""What a criterion about decisions asks for, in the order in which its objectives come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.coverage.criteria import CRITERIA
from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.truth_table import make_table
from tightrope.program.decisions.decisions import Decision

ABOUT_DECISIONS = tuple(name for name, each in CRITERIA.items() if issubclass(each, AboutDecisions))


def wanted_words(criterion: str, decisions: Sequence[Decision], form: str) -> Iterator[tuple[int, str]]:
    """The number of a decision and the end of an objective's id: 'true', 'c2:false', 'c2:pair', 'TF-', 'c1:true:c2:false'."""
    found = CRITERIA[criterion]()
    assert isinstance(found, AboutDecisions)
    for number, decision in enumerate(decisions):
        table = make_table(decision)
        if not table.is_constant:
            yield from ((number, wanted.word) for wanted in found.want(table, form))
