"""What is left of verdicts when tests are not confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.commands.generate.conclude import name_tests
from tightrope.commands.generate.confirmed_verdicts import is_about_branches, without_tests
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered, Reason, Unknown
from tightrope.location import Location
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import Case, Suite, credit

ANY = Objective("f:branch:1", "branch", "true", Location("f.c", 1), "", (0,), "")
PAIR = Objective(
    "f:mcdc:1", "mcdc", "", Location("f.c", 1), "", (1, 2, 3), "", relation=Relation.PAIR, pairs=((1, 2), (1, 3))
)


def make(**points: int) -> tuple[Suite, Ledger]:
    ledger = Ledger([ANY, PAIR])
    for hit in points.values():
        ledger.record(hit, 1)
    cases = [Case(name, (), Ending(Outcome.RETURNED), (), points=hit) for name, hit in points.items()]
    return Suite(None, None, None, Path("f.c"), Path(), credit(cases, [ANY, PAIR])), ledger


def test_both_tests_of_a_pair_are_named_in_its_order() -> None:
    suite, ledger = make(first=0b0100, second=0b0011)
    name_tests(ledger, suite)
    assert ledger.verdict(PAIR) == Covered(("second", "first"))
    assert ledger.verdict(ANY) == Covered(("second",))


def test_a_pair_is_unknown_when_one_of_its_tests_is_not_confirmed() -> None:
    suite, ledger = make(first=0b0101, second=0b0010)
    left = without_tests(suite, {"second"}, ledger)
    assert [case.name for case in left.cases] == ["first"]
    assert left.cases[0].objectives == (ANY,)
    assert ledger.verdict(PAIR) == Unknown(Reason.NOT_CONFIRMED)
    assert isinstance(ledger.verdict(ANY), Covered)


def test_another_test_may_take_the_place_of_one_that_is_not_confirmed() -> None:
    suite, ledger = make(first=0b0100, second=0b0010, third=0b1001)
    left = without_tests(suite, {"first"}, ledger)
    name_tests(ledger, left)
    assert ledger.verdict(PAIR) == Covered(("second", "third"))


@pytest.mark.parametrize(
    ("criterion", "is_judged"), [("branch", True), ("mcdc", True), ("wm", True), ("statement", False), ("call", False)]
)
def test_gcov_is_asked_where_it_can_tell(criterion, is_judged) -> None:
    assert is_about_branches(criterion) is is_judged
