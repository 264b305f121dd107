"""IC: control comes to every statement (paper 002, Theorem 1)."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.coverage.labelling.evaluation import FunctionFacts
from tightrope.coverage.labelling.sites import find_statements
from tightrope.coverage.truth_table import shorten
from tightrope.program.marks.labels import Label


def label_statements(facts: FunctionFacts) -> Iterator[Label]:
    for node, place in find_statements(facts):
        yield Label(
            "statement",
            "statement",
            f"@{facts.syntax.name}",
            node.location,
            shorten(facts.words(node)),
            "1",
            place.form,
            place.start,
            place.end,
            place.location,
            place.is_in_macro,
            place_end=place.end_location,
            ends_with_macro=place.ends_with_macro,
        )
