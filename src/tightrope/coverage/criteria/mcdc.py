"""MC/DC: each condition is shown to decide its decision.

RTCA DO-178C: every point of entry and exit has been invoked, every decision has taken all possible outcomes, and every
condition has been shown to independently affect its decision's outcome. With `--decisions branching`, points of entry
and exit are left out. J. J. Chilenski, "An investigation of three forms of the modified condition decision coverage
(MCDC) criterion", 2001. Obligations <decision, condition, value> as in M. Whalen et al., "A flexible and non-intrusive
approach for computing complex structural coverage metrics", 2015.

*Masking* (`--mcdc-form masking`): two objectives per condition, one for each value: some evaluation in which the
condition has this value and matters. Together they are the pair that MC/DC requires, because below `&& || !` the value
of a condition that matters determines the outcome. Elsewhere (below `^ == !=`, or as the first operand of `?:`) the two
evaluations must also differ in outcome: then the pair is one objective.

*Unique cause* (`--mcdc-form unique-cause`): one objective per condition, a pair in which no other condition differs. A
condition that was not evaluated in one of the two counts as equal, as in llvm-cov.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tightrope.coverage.criteria.about_decisions import AboutDecisions
from tightrope.coverage.criteria.function import find_entry_and_exits
from tightrope.coverage.criterion import Subject
from tightrope.coverage.objective import Objective
from tightrope.coverage.truth_table import TruthTable, Wanted, shorten, want_pair, word

_BOTH_WAYS = "no two tests show that `{}` alone decides `{}`"


class Mcdc(AboutDecisions):
    """Two objectives per condition (masking), or one if two runs must be compared; the entry; each exit."""

    name: ClassVar[str] = "mcdc"
    help: ClassVar[str] = (
        "every condition is shown to independently affect the outcome of its decision (--mcdc-form); "
        "entry and exits (--decisions)"
    )

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        return with_entry_and_exits(subject, super().find_objectives(subject))

    def want(self, table: TruthTable, mcdc_form: str) -> Iterator[Wanted]:
        for index, _ in table.conditions():
            if mcdc_form == "unique-cause":
                yield want_pair(table, index, _BOTH_WAYS, table.unique_cause_pairs(index), needs_rows=True)
            elif index in table.fixed_polarities:
                yield from want_unmasked(table, index)
            else:
                yield want_pair(table, index, _BOTH_WAYS, table.masking_pairs(index))


def with_entry_and_exits(subject: Subject, found: tuple[Objective, ...]) -> tuple[Objective, ...]:
    """What was found for the decisions, and behind it, if they count, the points of entry and exit: tests are called
    after the first objective that they serve."""
    return (*found, *find_entry_and_exits(subject, Mcdc.name)) if subject.has_exits else found


def want_unmasked(table: TruthTable, index: int) -> Iterator[Wanted]:
    """The condition matters with each of its values."""
    condition = table.decision.conditions[index]
    shown = shorten(condition.text)
    for value in (True, False):
        text = f"`{shown}` matters in `{table.text}`, {word(value)}"
        sentence = f"no test shows that `{shown}` {word(value)} alone decides `{table.text}`"
        if table.is_lone:
            text, sentence = f"`{shown}` is {word(value)}", f"in no test `{shown}` is {word(value)}"
        yield Wanted(
            kind=word(value),
            word=f"c{index + 1}:{word(value)}",
            location=condition.location,
            text=text,
            sentence=sentence,
            rows=table.unmasked(index, value),
        )
