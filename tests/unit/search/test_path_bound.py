"""A bound on paths: what the search still changes, by depth and by iteration."""

from __future__ import annotations

import struct

import pytest

from tightrope.expr.terms import TermTable
from tightrope.running.memory_map import EventKind, OutcomeCode
from tightrope.running.runner import Trace
from tightrope.search.candidate import Flip
from tightrope.search.fork import Fork
from tightrope.search.path_bound import NO_BOUND, PathBound, earlier_evaluations
from tightrope.solving.path_condition import PathCondition

BRANCH, GUARD = EventKind.BRANCH, EventKind.GUARD
LOOP = [(4, BRANCH), (9, BRANCH), (4, BRANCH), (4, GUARD), (4, BRANCH), (9, BRANCH)]  # site and kind, by event


def fork_at(depth: int) -> Fork:
    events = b"".join(struct.pack("<IIHH", 1, site, 1, kind) for site, kind in LOOP)
    trace = Trace(int(OutcomeCode.RETURNED), 0, 0, 1, events, 0)
    site, kind = LOOP[depth]
    term = TermTable().input(0, 1)
    return Fork((int(kind), site, term, 1), PathCondition.empty(), (0,), trace, depth, rank=depth)


def test_evaluations_of_the_same_branch_are_counted() -> None:
    assert [earlier_evaluations(fork_at(depth)) for depth in range(6)] == [0, 0, 1, 0, 2, 1]


@pytest.mark.parametrize(
    ("bound", "allowed"),
    [
        (NO_BOUND, [True] * 6),
        (PathBound(depth=2), [True, True, False, False, False, False]),
        (PathBound(iterations=1), [True, True, False, True, False, False]),
        (PathBound(iterations=2), [True, True, True, True, False, True]),
        (PathBound(depth=3, iterations=1), [True, True, False, False, False, False]),
    ],
    ids=str,
)
def test_what_is_beyond_a_bound_is_not_changed(bound: PathBound, allowed: list[bool]) -> None:
    assert [bound.allows(Flip(fork_at(depth), 0)) for depth in range(6)] == allowed
    assert bool(bound) == (not all(allowed))
