"""IDP: every block of every partition of the inputs, at the entry of the function (Bardin et al., Section III-B).

[function.clamp.partition]
sign = ["x < 0", "x == 0", "x > 0"]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tightrope.coverage.labelling.evaluation import FunctionFacts
from tightrope.coverage.labelling.labeller import Labeller
from tightrope.coverage.labelling.sites import LabelPlace, function_body
from tightrope.program.marks.labels import Form, Label, Partition


def label_partitions(facts: FunctionFacts, partitions: Iterable[Partition]) -> Iterator[Label]:
    body = function_body(facts.syntax.root)
    if body is None:
        return
    first = next((each for each in body.children if each), None)
    is_before = first is not None and not first.is_in_macro
    start = first.start if first and is_before else body.start + 1
    location = first.location if first and is_before else replace(body.location, column=body.location.column + 1)
    place, labeller = LabelPlace(Form.STATEMENT, start, start, location, body.is_in_macro), Labeller(facts, "idp")
    for partition in partitions:
        for number, predicate in enumerate(partition.predicates, 1):
            what = f"{partition.name}:{number}"
            yield labeller.at(place, facts.syntax.root.location, partition.name, what, predicate, predicate)
