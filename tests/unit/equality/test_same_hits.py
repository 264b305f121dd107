"""Which objectives can be compared by hits, and which inputs a search begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tightrope.coverage.objective import Objective, Relation
from tightrope.equality.same_hits import _are_of_one_kind, _few_that_hit_all
from tightrope.location import Location

ONE = Objective("f:branch:+1.2:true", "branch", "true", Location("f.c", 2, 2), "a is true", (3,), "")
PAIR = replace(ONE, points=(3, 5), relation=Relation.PAIR, pairs=((3, 5),))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (ONE, replace(ONE, points=(7,)), True),
        (ONE, replace(ONE, points=(7, 8)), True),  # one of several points is enough
        (ONE, replace(ONE, points=()), False),
        (ONE, replace(ONE, is_constant=True), False),
        (ONE, replace(ONE, problem="it cannot be asked about"), False),
        (ONE, replace(ONE, is_error=True), False),
        (PAIR, ONE, False),
        (PAIR, replace(PAIR, points=(6, 9), pairs=((6, 9),)), True),
        (PAIR, replace(PAIR, points=(6, 9), pairs=((9, 6),)), False),
        (PAIR, replace(PAIR, points=(6, 6), pairs=((6, 6),)), False),
        (replace(PAIR, relation=Relation.ALL, pairs=()), replace(PAIR, relation=Relation.ALL, pairs=(), points=(4,)), False),
    ],
)  # fmt: skip
def test_hits_decide_both_in_the_same_way(old, new, expected):
    assert _are_of_one_kind(old, new) is expected


def test_few_inputs_hit_all():
    models = {(1,): {"a"}, (2,): {"a", "b"}, (3,): {"c"}, (4,): {"b"}, (5,): set()}
    assert list(_few_that_hit_all(models)) == [(2,), (3,)]
    assert list(_few_that_hit_all({})) == []
