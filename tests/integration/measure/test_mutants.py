"""What tests say about mutants, whatever the tests and the mutants do to their process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope import cli
from tightrope.command_line.arguments import read_options
from tightrope.commands.measure.measure import measure
from tightrope.report.model import ReportedObjective, UnitReport

LOOP = """\
int calls;
int count(int n)
{
    int sum = 0;
    while (n > 0)
        sum += n--;
    calls++;
    return sum;
}
"""
UNIT = """\
int calls;
int count(int n)
{
    int sum = 2 * n;
    calls++;
    return sum;
}
"""  # without mutants that do not end, each of which takes a second, or that take long to prove equivalent
PROLOGUE = (
    "#include <stdlib.h>\n#define CHECK(e) do { if (!(e)) abort(); } while (0)\nint count(int n); extern int calls;\n"
)


@pytest.fixture
def measured(tmp_path: Path):
    def run(text: str, *words: str, unit: str = UNIT) -> UnitReport:
        (tmp_path / "unit.c").write_text(unit)
        (tmp_path / "tests.c").write_text(PROLOGUE + text)
        target = f"{tmp_path / 'unit.c'}:count"
        asked = [
            "measure",
            target,
            "-c",
            "mutation",
            "--suite",
            str(tmp_path / "tests.c"),
            "--time-limit",
            "6",
            *words,
        ]
        return measure(read_options(asked)).units[0]

    return run


def find(unit: UnitReport, text: str) -> ReportedObjective:
    (found,) = [each for each in unit.objectives if each.text == text]
    return found


def test_a_mutant_that_does_not_end_is_killed(measured):
    unit = measured("void test_three(void) { CHECK(count(3) == 6); }\n", unit=LOOP)
    assert find(unit, "n > 0 as 1").verdict == "covered"
    assert find(unit, "n-- as n++").tests == ("test_three",)


def test_a_test_that_reaches_a_mutant_and_passes_is_named(measured):
    unit = measured("void test_three(void) { count(3); }\nvoid test_none(void) { CHECK(count(0) == 0); }\n")
    left = find(unit, "sum as -sum")
    assert (left.verdict, left.reason, left.passing) == ("unknown", "alive", ("test_three", "test_none"))
    assert left.change == ("    return sum;", "    return -sum;")


def test_what_no_test_reaches_is_alive_for_that_reason(measured):
    unit = measured("void test_nothing(void) { }\n")
    assert {each.reason for each in unit.objectives if each.verdict == "unknown"} == {"not_reached"}


def test_a_test_that_fails_without_a_mutant_judges_nothing(measured):
    unit = measured("void test_wrong(void) { CHECK(count(3) == 7); }\n")
    assert not any(each.verdict == "covered" for each in unit.objectives)
    assert find(unit, "sum as -sum").reason == "not_judged"
    assert any("test_wrong fails when it is run alone" in each for each in unit.warnings)


def test_tests_do_not_see_what_others_left_behind(measured):
    """In one process, the second test would fail, and would seem to kill every mutant."""
    unit = measured(
        "void test_one(void) { count(1); CHECK(calls == 1); }\nvoid test_two(void) { count(2); CHECK(calls == 1); }\n"
        "int main(void) { test_one(); test_two(); return 0; }\n"
    )
    assert find(unit, "sum as -sum").verdict == "unknown"
    assert find(unit, "calls++ deleted").tests


def test_a_program_without_test_functions_is_one_test(measured):
    unit = measured("int main(void) { return count(3) != 6; }\n")
    killed = find(unit, "sum as -sum")
    assert killed.verdict == "covered"
    assert len(killed.tests) == 1
    assert killed.tests[0].endswith("tests.c")


def test_a_program_whose_tests_cannot_run_alone_judges_as_a_whole(measured):
    unit = measured(
        "static int prepared;\nvoid test_prepare(void) { prepared = 3; }\n"
        "void test_use(void) { CHECK(prepared); CHECK(count(prepared) == 6); }\n"
        "int main(void) { test_prepare(); test_use(); return 0; }\n"
    )
    assert find(unit, "sum as -sum").verdict == "covered"


APART = (
    "#include <unistd.h>\n#include <sys/wait.h>\n"
    "void test_apart(void) { int status = 0; pid_t child = fork(); if (child == 0) _exit(count(3) != 6);\n"
    "    waitpid(child, &status, 0); CHECK(status == 0); }\n"
)


def test_tests_that_start_processes_are_judged_by_their_status(measured):
    assert find(measured(APART), "sum as -sum").tests == ("test_apart",)


def test_a_mutant_in_a_process_that_does_not_end_is_killed(measured):
    assert find(measured(APART, unit=LOOP), "n > 0 as 1").verdict == "covered"


def test_equivalent_mutants_are_infeasible(measured):
    unit = measured(
        "void test_all(void) { CHECK(count(3) == 6); CHECK(count(-3) == 0); CHECK(calls == 2); }\n",
        unit="int calls; int count(int n) { calls++; if (n < 0) n = 0; unsigned char low = n & 7; return low * (low + 1) / 2; }\n",
    )
    shown = find(unit, "n < 0 as n <= 0")
    assert (shown.verdict, shown.proof) == ("infeasible", "unsatisfiable")
    assert shown.formula


def test_what_a_mutant_leaves_behind_kills_nothing(measured, tmp_path, monkeypatch):
    """A mutant writes a file that makes every later run of the test fail."""
    monkeypatch.chdir(tmp_path)
    unit = measured(
        "#include <stdio.h>\n#include <unistd.h>\n"
        "void test_once(void) { CHECK(access(\"mark\", F_OK)); if (count(3) == 0) fclose(fopen(\"mark\", \"w\")); }\n",
        "--allow-files", str(tmp_path),
    )  # fmt: skip
    assert not any(each.verdict == "covered" for each in unit.objectives)
    assert any("test_once fails when it is run alone" in each for each in unit.warnings)


TABLE = "static int table[4] = {5, 6, 7, 8};\nint count(int n) { if (n < 0 || n > 3) return 0; return table[n] > 4; }\n"


def test_a_mutant_that_leaves_an_array_fails_where_the_function_does_not(measured):
    unit = measured("void test_behind(void) { CHECK(count(4) == 0 || count(4) == 1); }\n", unit=TABLE)
    assert find(unit, "3 as 4").tests == ("test_behind",)
    assert find(unit, "n < 0 as n <= 0").verdict == "unknown"


def test_leaving_an_array_as_the_function_does_kills_nothing(measured):
    """What lies behind the array is not zero, but whether it is, no test says."""
    unit = measured(
        "void test_behind(void) { count(4); }\n",
        unit="static struct { int table[4], behind; } all = {{5}, 9};\nint count(int n) { return all.table[n] > 4; }\n",
    )
    assert find(unit, "4 as 5").verdict == "unknown"
    assert not any(each.verdict == "covered" for each in unit.objectives)


def test_suites_with_registers_are_measured(tmp_path):
    """Their text has names of its own, beside those of the program that runs mutants."""
    (tmp_path / "led.c").write_text("void led(int on) { *(volatile unsigned *)0x40020018 = on ? 1 : 2; }\n")
    target, suite = f"{tmp_path / 'led.c'}:led", str(tmp_path / "suite")
    assert cli.main(["generate", target, "-c", "branch", "-o", suite, "-q"]) == 0
    (unit,) = measure(read_options(["measure", target, "-c", "mutation", "--suite", suite])).units
    assert any(each.verdict == "covered" for each in unit.objectives)
