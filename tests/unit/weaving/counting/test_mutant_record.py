"""The file that a program with mutants writes."""

from __future__ import annotations

from tightrope.weaving.counting.mutant_record import (
    MutantPlan,
    MutantRecord,
    MutantVerdict,
    create_mutant_record,
    read_mutant_record,
)

PLAN = MutantPlan(tests=2, mutants=3)
PASSED, FAILED, CRASHED = (int(each) for each in (MutantVerdict.PASSED, MutantVerdict.FAILED, MutantVerdict.CRASHED))


def test_an_empty_record_says_nothing(tmp_path):
    file = tmp_path / "record"
    create_mutant_record(file, PLAN)
    found = read_mutant_record(file, PLAN)
    assert set(found.originals) == {MutantVerdict.NOT_RUN}
    assert not any(found.killed_by(test) or found.is_reached(test) for test in range(3))


def test_a_record_says_which_test_comes_first(tmp_path):
    file = tmp_path / "record"
    create_mutant_record(file, MutantPlan(tests=2, mutants=3, expected={1: 2, 3: 1}))
    assert file.read_bytes()[40 + 3 * 40 :][: 4 * 4] == bytes((0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0))


def test_rows_are_read_by_test_and_mutant(tmp_path):
    file = tmp_path / "record"
    create_mutant_record(file, PLAN)
    content = bytearray(file.read_bytes())
    originals, expected = 40, 40 + 3 * 40  # behind the plan, and behind the facts about three rows of tests
    reached = expected + 4 * 4
    for test, verdict in enumerate((PASSED, PASSED, FAILED)):
        content[originals + 40 * test] = verdict
    content[reached + 4 : reached + 8] = bytes((0, 1, 1, 0))  # of test 1
    content[reached + 8 : reached + 12] = bytes((0, 0, 0, 1))  # of test 2
    content[reached + 12 + 4 : reached + 12 + 8] = bytes((0, PASSED, CRASHED, 0))
    file.write_bytes(bytes(content))
    found = read_mutant_record(file, PLAN)
    assert found.originals == (MutantVerdict.PASSED, MutantVerdict.PASSED, MutantVerdict.FAILED)
    assert found.killed_by(1) == (2,)
    assert found.passed_by(1) == (1,)
    assert found.is_reached(3)
    assert found.is_finished(1)
    assert found.is_finished(3)  # only a test that fails without it reaches it


def test_a_test_that_did_not_run_leaves_a_mutant_open(tmp_path):
    rows = (bytes(3), bytes((0, 1, 1)), bytes((0, 1, 0)))
    verdicts = (bytes(3), bytes((0, PASSED, PASSED)), bytes(3))
    found = MutantRecord((MutantVerdict.PASSED,) * 3, rows, verdicts)
    assert not found.is_finished(1)  # the second test reaches it, too
    assert found.is_finished(2)


def test_without_tests_the_whole_program_judges():
    found = MutantRecord((MutantVerdict.PASSED,), (bytes((0, 1)),), (bytes(2),))
    assert not found.is_finished(1)
