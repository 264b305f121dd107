"""What is left of verdicts when tests are not confirmed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tightrope.commands.generate import confirmed_verdicts
from tightrope.commands.generate.conclude import name_tests
from tightrope.commands.generate.confirmed_verdicts import is_about_branches, without_tests
from tightrope.coverage.ledger import Ledger
from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered, Reason, Unknown
from tightrope.deadline import NEVER, Deadline
from tightrope.location import Location
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.case import Case, Suite, credit
from tightrope.suite.confirm import Confirmations
from tightrope.suite.gcov import Judgement

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


class Judge:
    """gcc: these tests fail however they are written, others only as they are first."""

    def __init__(self, fails_first: set[str], fails_always: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.fails_first, self.fails_always = fails_first, fails_always
        self.asked: list[list[str]] = []
        monkeypatch.setattr(confirmed_verdicts, "judge", self.judge)
        monkeypatch.setattr(confirmed_verdicts, "_confirm", lambda *_: Confirmations(()))
        monkeypatch.setattr(confirmed_verdicts, "_with_equal_answers", lambda unit, runner, case, failed: case)

    def judge(self, unit: object, suite: Suite, *_: object) -> Judgement:
        names = [case.name for case in suite.cases]
        failing = self.fails_always if self.asked else self.fails_always | self.fails_first
        self.asked.append(names)
        return Judgement("gcov", failed=tuple((name, "a call") for name in names if name in failing))

    def conclude(self, suite: Suite, ledger: Ledger, deadline: Deadline, seconds: float) -> list[str]:
        """The tests that are left."""
        options = Options((Target("f.c"),), criteria=("branch",))  # type: ignore[arg-type]
        unit = SimpleNamespace(shape=SimpleNamespace(stubs=()))
        first = self.judge(unit, suite)
        parts: tuple[Any, ...] = (unit, suite, Confirmations(()), None, ledger, options, deadline, seconds)
        left, _, judgement = confirmed_verdicts._make_portable(first, *parts)
        assert judgement is not None and not judgement.failed
        return [case.name for case in left.cases]


def test_only_what_fails_in_a_build_by_gcc_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = Judge({"second"}, set(), monkeypatch)
    assert gcc.conclude(*make(first=0b01, second=0b10), NEVER, 0.0) == ["first", "second"]
    assert gcc.asked == [["first", "second"], ["second"]]


def test_what_fails_again_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = Judge(set(), {"second"}, monkeypatch)
    suite, ledger = make(first=0b01, second=0b1110)
    assert gcc.conclude(suite, ledger, NEVER, 0.0) == ["first"]
    assert ledger.verdict(PAIR) == Unknown(Reason.JUDGED)


def test_what_fails_is_dropped_if_there_is_no_time_to_judge_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = Judge({"second"}, set(), monkeypatch)
    late = Deadline(10.0, clock=lambda: 9.0)
    assert gcc.conclude(*make(first=0b01, second=0b10), late, 5.0) == ["first"]
    assert len(gcc.asked) == 1
