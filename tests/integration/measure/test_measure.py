"""Existing tests, built and run: which test covers what, whatever the tests do to their process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.commands.measure.measure import measure
from tightrope.errors import UsageError
from tightrope.report.as_json import report_from_json, to_values
from tightrope.report.model import UnitReport

UNIT = """\
int grade(int points, int bonus)
{
    if (points > 90 || (points > 80 && bonus))
        return 1;
    return points > 50 ? 2 : 3;
}
static int twice(int x) { return x > 10 ? 0 : 2 * x; }
int both(int x) { return twice(x) && x; }
int main(void) { return grade(1, 2); }
"""


class Bench:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("unit.c", UNIT)

    def write(self, name: str, text: str) -> Path:
        (self.folder / name).write_text(text)
        return self.folder / name

    def measure(self, function: str, *words: str, criteria: str = "branch") -> UnitReport:
        target = f"{self.folder / 'unit.c'}:{function}"
        return measure(read_options(["measure", target, "-c", criteria, *words])).units[0]

    def suite(self, text: str, function: str = "grade", criteria: str = "branch", *words: str) -> UnitReport:
        return self.measure(function, "--suite", str(self.write("tests.c", text)), *words, criteria=criteria)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def covered(unit: UnitReport) -> set[str]:
    return {row.text for row in unit.objectives if row.verdict == "covered"}


def by_test(unit: UnitReport) -> dict[str, set[str]]:
    texts = {row.id: row.text for row in unit.objectives}
    return {test.id: {texts[each] for each in test.covers} for test in unit.tests}


CALLS = """
void test_good(void) { grade(95, 0); }
void test_poor(void) { grade(10, 1); }
int main(void) { test_good(); test_poor(); return 0; }
"""
GOOD = {"points > 90 is true"}
POOR = {"points > 90 is false", "points > 80 is false", "points > 50 is false"}


@pytest.mark.parametrize("start", ['#define main unit_main\n#include "unit.c"\n#undef main', "int grade(int, int);"])
def test_each_test_by_itself_included_or_linked(bench: Bench, start: str) -> None:
    unit = bench.suite(start + CALLS)
    assert by_test(unit) == {"test_good": GOOD, "test_poor": POOR}
    missing = [row for row in unit.objectives if row.verdict != "covered"]
    assert {(row.verdict, row.reason) for row in missing} == {("unknown", "not_covered")}
    assert {row.text for row in missing} == {
        "points > 80 is true", "bonus is true", "bonus is false", "points > 50 is true",
    }  # fmt: skip


def test_a_program_without_tests_is_the_test(bench: Bench) -> None:
    unit = bench.suite("int grade(int, int);\nint main(void) { return grade(95, 0) + grade(10, 1) > 99; }\n")
    assert list(by_test(unit).values()) == [GOOD | POOR]
    assert unit.tests[0].id.endswith("tests.c")


def test_tests_without_a_main_are_called(bench: Bench) -> None:
    unit = bench.suite("int grade(int, int);\nvoid test_good(void) { grade(95, 0); }\n")
    assert by_test(unit) == {"test_good": GOOD}


def test_what_is_done_outside_of_tests_is_the_programs(bench: Bench) -> None:
    text = "int grade(int, int);\nvoid test_good(void) { grade(95, 0); }\n"
    found = by_test(bench.suite(text + "int main(void) { grade(10, 1); test_good(); return 0; }\n"))
    assert found.pop("test_good") == GOOD
    assert list(found.values()) == [POOR]


BAD = {
    "crashed": "volatile int *p = 0; *p = 1;",
    "exited": "exit(7);",
    "timed_out": "for (volatile int i = 0;; i = 0) ;",
}


@pytest.mark.parametrize(("outcome", "deed"), BAD.items())
def test_a_test_that_ends_the_process_takes_nothing_with_it(bench: Bench, outcome: str, deed: str) -> None:
    text = f"""
    #include <stdlib.h>
    int grade(int, int);
    void test_good(void) {{ grade(95, 0); }}
    void test_bad(void) {{ grade(60, 0); {deed} }}
    void test_poor(void) {{ grade(10, 1); }}
    int main(void) {{ test_good(); test_bad(); test_poor(); return 0; }}
    """
    unit = bench.suite(text, "grade", "branch", "--time-limit", "1")
    assert [(test.id, test.outcome) for test in unit.tests] == [
        ("test_good", "returned"), ("test_bad", outcome), ("test_poor", "returned"),
    ]  # fmt: skip
    found = by_test(unit)
    assert found["test_good"] == GOOD
    if outcome == "exited":
        assert found["test_bad"] == {"points > 90 is false", "points > 80 is false", "points > 50 is true"}
    else:
        assert found["test_bad"] == set(), "a test that crashes or does not end covers nothing"
    assert found["test_poor"] == POOR


def test_a_test_in_a_process_of_its_own(bench: Bench) -> None:
    text = """
    #include <stdlib.h>
    #include <unistd.h>
    #include <sys/wait.h>
    int grade(int, int);
    void test_good(void) { grade(95, 0); }
    void test_bad(void) { grade(60, 0); abort(); }
    void test_poor(void) { grade(10, 1); }
    static void apart(void (*test)(void)) { if (fork() == 0) { test(); exit(0); } wait(0); }
    int main(void) { apart(test_good); apart(test_bad); apart(test_poor); return 0; }
    """
    unit = bench.suite(text)
    assert [(test.id, test.outcome) for test in unit.tests] == [
        ("test_good", "returned"), ("test_bad", "crashed"), ("test_poor", "returned"),
    ]  # fmt: skip
    assert by_test(unit)["test_poor"] == POOR
    assert "points > 50 is true" in by_test(unit)["test_bad"]


def test_a_test_that_fails_by_longjmp_has_ended(bench: Bench) -> None:
    """As Unity and cmocka do it."""
    text = """
    #include <setjmp.h>
    int grade(int, int);
    static jmp_buf out;
    void test_good(void) { grade(95, 0); }
    void test_bad(void) { grade(60, 0); longjmp(out, 1); }
    void test_poor(void) { grade(10, 1); }
    static void run(void (*test)(void)) { if (setjmp(out) == 0) test(); }
    int main(void) { run(test_bad); run(test_good); run(test_poor); return 0; }
    """
    unit = bench.suite(text)
    assert {(test.id, test.outcome) for test in unit.tests} == {
        ("test_good", "returned"), ("test_bad", "returned"), ("test_poor", "returned"),
    }  # fmt: skip
    assert by_test(unit)["test_good"] == GOOD
    assert by_test(unit)["test_poor"] == POOR


def test_tests_print_what_they_like(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    bench.suite('#include <stdio.h>\nint grade(int, int);\nint main(void) { puts("noise"); return grade(1, 1); }\n')
    assert "noise" not in "".join(capfd.readouterr())


def test_a_static_function_through_its_callers(bench: Bench) -> None:
    unit = bench.suite("int both(int);\nvoid test_it(void) { both(3); both(0); }\n", "twice")
    assert covered(unit) == {"x > 10 is false"}


def test_all_functions_of_a_file_in_one_execution(bench: Bench) -> None:
    bench.write(
        "tests.c",
        "int both(int), grade(int, int);\nvoid test_a(void) { both(30); }\nvoid test_b(void) { grade(9, 9); }",
    )
    words = ["measure", str(bench.folder / "unit.c"), "--suite", str(bench.folder / "tests.c"), "-c", "branch"]
    units = {unit.function: unit for unit in measure(read_options(words)).units}
    assert set(units) == {"grade", "twice", "both", "main"}
    assert covered(units["twice"]) == {"x > 10 is true"}
    assert covered(units["grade"]) == POOR


def test_helpers_in_a_folder_are_linked_with_each_program(bench: Bench) -> None:
    folder = bench.folder / "tests"
    folder.mkdir()
    (folder / "helper.c").write_text("int grade(int, int);\nvoid call_it(int x) { grade(x, 0); }\n")
    for name, value in (("one", 95), ("two", 10)):
        (folder / f"{name}.c").write_text(f"void call_it(int);\nint main(void) {{ call_it({value}); return 0; }}\n")
    unit = bench.measure("grade", "--suite", str(folder))
    assert sorted(map(len, by_test(unit).values())) == [1, 3]


def test_a_file_to_link_with(bench: Bench) -> None:
    helper = bench.write("helper.c", "int value(void) { return 95; }\n")
    text = "int grade(int, int), value(void);\nvoid test_it(void) { grade(value(), 0); }\n"
    assert covered(bench.suite(text, "grade", "branch", "--link", str(helper))) == GOOD


def test_files_of_the_project_that_the_tests_need_are_linked(bench: Bench) -> None:
    bench.write("value.c", "int deeper(void);\nint value(void) { return deeper(); }\n")
    bench.write("deeper.c", "int deeper(void) { return 95; }\nint main(void) { return 0; }\n")
    bench.write("again.c", "int value(void) { return 1; }\nint grade(int a, int b) { return a + b; }\n")
    rows = [
        {"directory": str(bench.folder), "file": name, "arguments": ["cc", "-c", name]}
        for name in ("unit.c", "again.c", "value.c", "deeper.c")
    ]
    bench.write("compile_commands.json", json.dumps(rows))
    text = "int grade(int, int), value(void);\nvoid test_it(void) { grade(value(), 0); }\n"
    assert covered(bench.suite(text)) == GOOD


def test_other_names_of_tests(bench: Bench) -> None:
    text = (
        "int grade(int, int);\nvoid verify_good(void) { grade(95, 0); }\nint main(void) { verify_good(); return 0; }\n"
    )
    assert list(by_test(bench.suite(text, "grade", "branch", "--tests", "verify_*"))) == ["verify_good"]


def test_a_test_that_nobody_calls_is_named(bench: Bench) -> None:
    text = "int grade(int, int);\nvoid test_a(void) { grade(95, 0); }\nvoid test_b(void) { }\nint main(void) { test_a(); return 0; }\n"
    unit = bench.suite(text)
    assert [test.id for test in unit.tests] == ["test_a"]
    assert any("test_b" in warning for warning in unit.warnings)


# -- inputs


INPUTS = {"in.json": '[{"points": 95}, {"points": 10, "bonus": 1}]', "in.csv": "points,bonus\n95,\n10,1\n"}


@pytest.mark.parametrize(("name", "text"), INPUTS.items())
def test_inputs(bench: Bench, name: str, text: str) -> None:
    unit = bench.measure("grade", "--suite", str(bench.write(name, text)))
    assert by_test(unit) == {f"{name}:1": GOOD, f"{name}:2": POOR}


def test_inputs_without_a_function_are_for_one_function(bench: Bench) -> None:
    inputs = bench.write("in.csv", "x\n1\n")
    with pytest.raises(UsageError, match="does not say which function"):
        measure(read_options(["measure", str(bench.folder / "unit.c"), "--suite", str(inputs)]))


# -- pairs, and several measurements


WHOLE = {
    "in.csv": "x\n11\n3\n",
    "in.json": '{"file": "unit.c", "function": "both", "cases": [{"inputs": {"x": 11}}, {"inputs": {"x": 3}}]}',
    "tests.c": "int both(int);\nint main(void) { return both(11) + both(3); }\n",
}


@pytest.mark.parametrize(("name", "text"), WHOLE.items())
def test_a_whole_program_is_one_unit(bench: Bench, name: str, text: str) -> None:
    """The function named is the unit; what its runs do in other functions of the file counts."""
    target, suite = f"{bench.folder / 'unit.c'}:both", str(bench.write(name, text))
    words = ["measure", target, "-c", "branch", "--whole-program", "--suite", suite]
    (unit,) = measure(read_options(words)).units
    assert unit.function == "both"
    assert {"x > 10 is true", "x > 10 is false"} <= covered(unit)
    assert "points > 50 is true" in {row.text for row in unit.objectives if row.reason == "not_covered"}


@pytest.mark.parametrize(("name", "text"), [(name, WHOLE[name]) for name in ("in.json", "tests.c")])
def test_all_functions_of_a_whole_program(bench: Bench, name: str, text: str) -> None:
    """Where no function is named, each has its own objectives, and runs of one count for all."""
    words = [str(bench.folder / "unit.c"), "-c", "branch", "--whole-program", "--suite", str(bench.write(name, text))]
    units = {unit.function: unit for unit in measure(read_options(["measure", *words])).units}
    assert covered(units["twice"]) == {"x > 10 is true", "x > 10 is false"}
    ids = [row.id for unit in units.values() for row in unit.objectives]
    assert len(set(ids)) == len(ids) == 12


def test_two_tests_make_a_pair(bench: Bench) -> None:
    text = "int grade(int, int);\nvoid test_a(void) { grade(95, 0); }\nvoid test_b(void) { grade(70, 0); }\n"
    unit = bench.suite(text, "grade", "racc")
    pairs = {row.text: row.tests for row in unit.objectives if row.verdict == "covered"}
    assert ("test_a", "test_b") in pairs.values() or ("test_b", "test_a") in pairs.values()


def test_earlier_measurements_add_up_and_pairs_span_them(bench: Bench) -> None:
    old = bench.folder / "old.json"
    alone = bench.suite("int grade(int, int);\nvoid test_a(void) { grade(95, 0); }\n", "grade", "racc,branch")
    assert not [row for row in alone.objectives if row.criterion == "racc" and row.verdict == "covered"]
    report = measure(
        read_options(
            [
                "measure",
                f"{bench.folder / 'unit.c'}:grade",
                "-c",
                "racc,branch",
                "--suite",
                str(bench.folder / "tests.c"),
            ]
        )
    )
    old.write_text(json.dumps(to_values(report)))
    assert report_from_json(json.loads(old.read_text())) == report
    other = "int grade(int, int);\nvoid test_b(void) { grade(70, 0); }\n"
    merged = bench.suite(other, "grade", "racc,branch", "--merge", str(old))
    both = [row for row in merged.objectives if row.criterion == "racc" and row.verdict == "covered"]
    assert [sorted(row.tests) for row in both] == [["test_a", "test_b"]]
    assert "points > 90 is true" in covered(merged)


def test_what_was_measured_of_other_code_is_not_added(bench: Bench) -> None:
    old = bench.folder / "old.json"
    bench.suite("int grade(int, int);\nvoid test_a(void) { grade(95, 0); }\n", "grade", "branch")
    words = ["measure", f"{bench.folder / 'unit.c'}:grade", "-c", "branch", "--suite", str(bench.folder / "tests.c")]
    old.write_text(json.dumps(to_values(measure(read_options(words)))))
    bench.write("unit.c", UNIT.replace("points > 90", "points > 93"))
    merged = bench.suite(
        "int grade(int, int);\nvoid test_b(void) { grade(10, 0); }\n", "grade", "branch", "--merge", str(old)
    )
    assert "points > 93 is true" not in covered(merged)
    assert any("has changed" in warning for warning in merged.warnings)


def test_constants_are_infeasible_and_nothing_else_is(bench: Bench) -> None:
    bench.write(
        "unit.c", "int f(int a) { if (a && 0) return 1; if (a > 5 && a < 3) return 2; return sizeof(int) == 4; }\n"
    )
    unit = bench.suite("int f(int);\nvoid test_a(void) { f(0); }\n", "f")
    assert {row.proof for row in unit.objectives if row.verdict == "infeasible"} <= {"constant"}
    assert any(row.text == "a < 3 is true" and row.verdict == "unknown" for row in unit.objectives)
