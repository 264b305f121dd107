"""Loop coverage: each loop with zero, exactly one, and more iterations.

The labels of coverage/labelling/loops.py, of which several may stand for one objective: a loop may be left in several
places.
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criterion import Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.location import Location
from tightrope.program.marks.labels import Label


class Loop:
    """Three objectives per loop; two for `do`, and for a loop whose condition is always true."""

    name: ClassVar[str] = "loop"
    help: ClassVar[str] = "every loop is executed with zero, with exactly one, and with more iterations"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.LABELS})

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        groups: dict[tuple[Location, str, str], list[tuple[Label, int]]] = {}
        for label, point in subject.labels(self.name):
            counters = ",".join(each.name for each in label.temporaries)
            groups.setdefault((label.location, counters, label.kind), []).append((label, point))
        return number_equals(_objective(subject, group) for group in groups.values())


def _objective(subject: Subject, group: list[tuple[Label, int]]) -> Objective:
    label = group[0][0]
    problem = next((each.problem for each, _ in group if each.problem), "")
    return Objective(
        id=f"{subject.name}:loop:{relative_place(label.location, subject.first)}:{label.kind}",
        criterion=Loop.name,
        kind=label.kind,
        location=label.location,
        text=label.text,
        points=() if problem else tuple(point for _, point in group),
        sentence=f"no test executes {label.text}",
        problem=problem,
    )
