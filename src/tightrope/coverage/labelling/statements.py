"""IC: control comes to every statement (paper 002, Theorem 1)."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.coverage.labelling.evaluation import FunctionFacts
from tightrope.coverage.labelling.sites import find_statements
from tightrope.coverage.truth_table import shorten
from tightrope.program.marks.labels import Label


def label_statements(facts: FunctionFacts) -> Iterator[Label]:
    for node, point in find_statements(facts):
        yield Label(
            "statement",
            "statement",
            f"@{facts.syntax.name}",
            node.location,
            shorten(facts.words(node)),
            "1",
            point.form,
            point.start,
            point.end,
            point.location,
            point.is_in_macro,
            point_end=point.end_location,
            ends_with_macro=point.ends_with_macro,
        )
