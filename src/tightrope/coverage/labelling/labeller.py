"""Makes labels: chooses their places, and guards predicates so that they are safe to evaluate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tightrope.coverage.labelling.evaluation import FunctionFacts
from tightrope.coverage.labelling.predicates import join
from tightrope.coverage.labelling.sites import GuardedPlace, LabelPlace, Site
from tightrope.location import Location
from tightrope.program.marks.labels import Label

NOWHERE = "no label can be placed before it: write it as a statement of its own"
NOT_KEPT = "it has side effects, and its value cannot be kept: write that as a statement of its own"
IMPURE = "it has side effects, calls a function or reads a volatile object: write that as a statement of its own"


@dataclass(frozen=True)
class Labeller:
    """Makes the labels of one criterion in one function."""

    facts: FunctionFacts
    criterion: str

    @property
    def function(self) -> str:
        return f"@{self.facts.syntax.name}"

    def about(self, site: Site, at: GuardedPlace, kind: str, what: str, text: str, *claims: str) -> Label:
        """A label about a pure expression: its predicate is that all claims hold."""
        if at.place is None:
            return self.problem(site, kind, what, text, NOWHERE)
        return self.at(at.place, site.node.location, kind, _join(kind, what), text, join((*at.guards, *claims)))

    def at(self, place: LabelPlace, location: Location, kind: str, what: str, text: str, predicate: str) -> Label:
        """A label at the place; `location` is that of the expression that it is about."""
        return Label(
            self.criterion,
            kind,
            self.function,
            location,
            text,
            predicate,
            place.form,
            place.start,
            place.end,
            place.location,
            place.is_in_macro,
            what=what,
            place_end=place.end_location,
            ends_with_macro=place.ends_with_macro,
            temporaries=place.temporaries,
            value_type=place.value_type,
        )

    def problem(self, site: Site, kind: str, what: str, text: str, reason: str) -> Label:
        node = site.node
        return Label(
            self.criterion, kind, self.function, node.location, text, "0", is_in_macro=node.is_in_macro,
            problem=reason, what=_join(kind, what),
        )  # fmt: skip


def _join(kind: str, what: str) -> str:
    return ":".join(part for part in (kind, what) if part)


def without_repetitions(labels: Iterable[Label]) -> tuple[Label, ...]:
    """The labels without duplicates at the same place, in the order of the text."""
    kept: dict[object, Label] = {}
    for label in labels:
        key: object = label if label.problem else (label.kind, label.start, label.form, label.predicate)
        kept.setdefault(key, label)
    return tuple(kept.values())
