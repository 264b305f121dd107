"""Tests of an old version, given to the new one: which are kept, with what names and inputs, and what is said about
those that are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.commands.diff.diff import diff
from tightrope.commands.diff.old_tests.old_suite import OldTest, list_lost, read_old_suite
from tightrope.commands.diff.old_tests.reuse import (
    choose_carried,
    judge_old_tests,
    remember_files,
    replaced_files,
    save_lost,
    suites_in_the_way,
    try_old_tests,
)
from tightrope.commands.generate.conclude import conclude
from tightrope.commands.generate.generate import generate
from tightrope.commands.generate.native_coverage import find_native_coverage, with_native_tests
from tightrope.coverage.objective import Objective
from tightrope.engines.explore import explore
from tightrope.errors import UsageError
from tightrope.inputs.whole_program import describe_values
from tightrope.options.options import Options
from tightrope.report.as_json import write_json
from tightrope.report.difference_model import DifferenceReport, ReportedOldTest
from tightrope.report.model import Report, Tool, UnitReport
from tightrope.running.runner import Worker
from tightrope.suite.seal import seal
from tightrope.units.prepare import prepare_unit, start
from tightrope.units.prepared import PreparedUnit
from tightrope.units.select_functions import choose

OLD = """\
int grade(int points, int bonus)
{
    if (points > 90)
        return 1;
    if (points > 50 && bonus)
        return 2;
    return 3;
}
"""
NEW = OLD.replace("points > 90", "points > 80")


@dataclass(frozen=True)
class Outcome:
    tests: tuple[OldTest, ...]
    rows: tuple[ReportedOldTest, ...]
    report: UnitReport
    warnings: tuple[str, ...]

    def fates(self) -> dict[str, str]:
        return {row.test: row.fate for row in self.rows}

    def reason(self, test: str) -> str:
        return next(row.reason for row in self.rows if row.test == test)

    def inputs(self) -> dict[str, dict[str, object]]:
        return {test.id: dict(test.inputs) for test in self.report.tests}


class Bench:
    """Two versions, old.c and new.c, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str) -> Path:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        return self.folder / name

    def options(self, file: str, *words: str) -> Options:
        return read_options(["generate", str(self.folder / file), "-q", "-c", "branch", *words])

    def prepare(self, file: str, *words: str) -> PreparedUnit:
        ((prepared, name),) = choose(self.options(file, *words)).functions()
        return prepare_unit(prepared, name, self.options(file, *words).for_function(name))

    def generate(self, file: str, *words: str) -> UnitReport:
        return generate(self.options(file, "-o", str(self.folder / "tests"), "--no-confirm", *words)).units[0]

    def read(self, *suites: str, words: Sequence[str] = ()) -> tuple[OldTest, ...]:
        old, new = self.prepare("old.c", *words), self.prepare("new.c", *words)
        return read_old_suite([self.folder / one for one in suites], new, old, self.options("new.c", *words))

    def values(self, tests: Sequence[OldTest], *words: str) -> dict[str, dict[str, object]]:
        """What each test gives to the new version."""
        shape = self.prepare("new.c", *words).shape
        return {test.name: describe_values(shape, test.input) for test in tests if test.input is not None}

    def live(
        self,
        *suites: str,
        words: Sequence[str] = (),
        output: str = "out",
        is_impacted: Callable[[Objective], bool] = lambda objective: True,
        new: str = "new.c",
    ) -> Outcome:
        """All of it, as `diff` does."""
        paths = [word for one in suites for word in ("--suite", str(self.folder / one))]
        (self.folder / output).mkdir(exist_ok=True)
        options = replace(
            self.options(new, "-o", str(self.folder / output), *words),
            suites=tuple(Path(word) for word in paths[1::2]),
        )
        old, unit = self.prepare("old.c", *words), self.prepare(new, *words)
        unit = replace(unit, objectives=tuple(each for each in unit.objectives if is_impacted(each)))
        tests = read_old_suite(suites_in_the_way(unit, options), unit, old, options)
        hits = [(each.name, each.hits) for each in tests if each.is_native]
        native = find_native_coverage(unit.objectives, hits)
        left = replace(unit, objectives=tuple(each for each in unit.objectives if each.id not in native))
        with start(left, Worker(), options) as runner:
            tried = try_old_tests(tests, left, runner)
            seeds = [test.input for test in tests if test.input is not None]
            found = explore(left, runner, options, lambda *_: None, seeds=seeds, looks_for_errors=False)
            replaced = replaced_files(unit, options)
            before = remember_files(replaced)
            carried = choose_carried(tried, found.runs, unit.objectives, replaced)
            report = conclude(left, runner, found, options, lambda _: None, carried=carried)
        report = with_native_tests(report, unit, native)
        rows = judge_old_tests(tried, carried, report, native)
        return Outcome(tests, rows, report, save_lost(before, rows))


@pytest.fixture
def bench(tmp_path: Path, not_counted_by_gcov: None) -> Bench:
    bench = Bench(tmp_path)
    bench.write("old.c", OLD)
    bench.write("new.c", NEW)
    return bench


# -- what can be read


def test_written_c_gives_its_inputs(bench):
    before = bench.generate("old.c")
    assert bench.values(bench.read("tests")) == {test.id: test.inputs for test in before.tests}


def test_json_gives_its_inputs(bench):
    before = bench.generate("old.c", "--format", "json")
    assert bench.values(bench.read("tests")) == {test.id: test.inputs for test in before.tests}


def test_a_report_gives_the_inputs_of_its_tests(bench):
    report = bench.folder / "report.json"
    before = bench.generate("old.c")
    write_json(Report(Tool("tightrope", "0"), (before,)), str(report))
    assert bench.values(bench.read("report.json")) == {test.id: test.inputs for test in before.tests}


def test_csv_and_lists_get_names_that_c_can_have(bench):
    bench.write("some.csv", "points,bonus\n95,0\n60,1\n")
    bench.write("some.json", '[{"points": 95}]')
    tests = bench.read("some.csv", "some.json")
    assert [test.name for test in tests] == ["some_csv_1", "some_csv_2", "some_json_1"]
    assert [test.called for test in tests] == ["some.csv:1", "some.csv:2", "some.json:1"]
    assert bench.values(tests)["some_csv_2"] == {"points": 60, "bonus": 1}


def test_what_is_there_twice_is_one_test(bench):
    before = bench.generate("old.c", "--format", "plain,json")
    (bench.folder / "copy").mkdir()
    bench.write("copy/test_old_grade.json", (bench.folder / "tests" / "test_old_grade.json").read_text())
    assert len(bench.read("tests", "copy")) == len(before.tests)


def test_one_name_with_two_inputs_is_two_tests(bench):
    for folder, points in (("one", 95), ("two", 96)):
        case = {"name": "high", "inputs": {"points": points}}
        bench.write(f"{folder}/a.json", json.dumps({"function": "grade", "cases": [case]}))
    tests = bench.read("one", "two")
    assert [test.name for test in tests] == ["high", "high_2"]


def test_tests_of_other_functions_are_none_of_ours(bench):
    bench.write("a.json", json.dumps({"function": "other", "cases": [{"name": "x", "inputs": {}}]}))
    assert bench.read("a.json") == ()


def test_what_a_user_changed_in_written_c_is_seen(bench):
    before = bench.generate("old.c")
    file = bench.folder / "tests" / "test_old_grade.c"
    value = before.tests[0].inputs["points"]
    text = file.read_text().replace(f"int points = {value};", "int points = 77;", 1)
    file.write_text(text)
    assert bench.values(bench.read("tests"))[before.tests[0].id]["points"] == 77


SHAPES = {
    "pointers": (
        "struct node { int value; struct node *next; char name[6]; unsigned flag : 3; };\n"
        "int f(struct node *n, const char *text, const int *items, int count)\n{\n"
        "    if (n && n->value == 42 && n->flag == 5 && n->next && n->next->value == 7) return 1;\n"
        "    if (n && n->name[0] == 'a' && n->name[1] == 'b') return 2;\n"
        "    if (text && text[0] == 'x' && text[1] == 'y') return 3;\n"
        "    for (int i = 0; i < count && i < 4; i++) if (items[i] == -9) return 4;\n    return 0;\n}\n"
    ),
    "stubs and globals": (
        "enum color { RED = 3, GREEN, BLUE }; enum color paint; double level; static int table[4];\n"
        "int sensor(int channel);\n"
        "int f(void)\n{\n"
        "    if (paint == BLUE && level > 2.5) return 1;\n"
        "    if (table[2] == 11) return 2;\n"
        "    if (sensor(1) > 100 && sensor(2) < -100) return 3;\n    return 0;\n}\n"
    ),
    "pointers into": (
        "int f(const char *p, const char *end)\n{\n"
        "    if (p + 3 == end && *p == 'q') return 1;\n    return p == end;\n}\n"
    ),
    "same objects": (
        "struct pair { struct pair *other; int kind; };\n"
        "int f(struct pair *a)\n{\n    if (a && a->other == a && a->kind == 2) return 1;\n    return 0;\n}\n"
    ),
    "unions and floats": (
        "union number { float real; int whole; }; struct box { union number n; _Bool is_real; };\n"
        "int f(struct box box, float x, unsigned char c)\n{\n"
        "    if (box.is_real && x > 0.125f) return 1;\n    return c == 200;\n}\n"
    ),
    "function pointers": (
        "typedef int (*rule)(int); int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; }\n"
        "int f(rule r, int x) { if (r && r(x) == 12) return 1; return 0; }\n"
    ),
    "allocation": (
        "#include <stdlib.h>\nint f(int n)\n{\n    int *p = malloc(4), *q = malloc(4);\n"
        "    int found = !p && q ? 1 : p && !q ? 2 : 3;\n    free(p);\n    free(q);\n    return found + (n == 8);\n}\n"
    ),
    "standard input": (
        "#include <stdio.h>\nint f(void)\n{\n    int c = getchar();\n    if (c == 'k') return getchar() == '9';\n"
        "    return 2;\n}\n"
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_inputs_of_every_shape_come_back_from_c(bench, name):
    """JSON has them too, from the same run."""
    bench.write("old.c", SHAPES[name])
    bench.write("new.c", SHAPES[name])
    before = bench.generate("old.c:f", "--format", "plain,json")
    unit = bench.prepare("old.c:f")
    options = bench.options("new.c:f")
    tests = read_old_suite([bench.folder / "tests"], bench.prepare("new.c:f"), unit, options)
    assert not [test for test in tests if test.problem or test.is_native]
    found = {test.name: describe_values(unit.shape, test.input) for test in tests if test.input is not None}
    assert found == {test.id: test.inputs for test in before.tests}
    assert len(found) > 1


def test_a_suite_that_is_of_the_new_version_already_is_read(bench):
    bench.write("new.c", NEW.replace("int bonus", "int bonus, int extra").replace("&& bonus", "&& bonus == extra"))
    after = bench.generate("new.c")
    tests = bench.read("tests")
    assert bench.values(tests) == {test.id: test.inputs for test in after.tests}


# -- when the new version has other inputs


def test_an_input_that_is_gone_is_left_out_and_said(bench):
    bench.write("new.c", "int grade(int points)\n{\n    return points > 80 ? 1 : 3;\n}\n")
    bench.write("some.csv", "points,bonus\n95,7\n")
    (test,) = bench.read("some.csv")
    assert bench.values([test]) == {"some_csv_1": {"points": 95}}
    assert test.remarks == ("`bonus` is no longer an input",)


def test_a_renamed_parameter_is_the_same_input(bench):
    bench.write("new.c", NEW.replace("points", "score"))
    before = bench.generate("old.c")
    wanted = {test.id: {"score": test.inputs["points"], "bonus": test.inputs["bonus"]} for test in before.tests}
    tests = bench.read("tests")
    assert bench.values(tests) == wanted
    assert not any(test.remarks for test in tests)


def test_a_new_parameter_in_front_does_not_take_the_place_of_the_old_one(bench):
    bench.write("new.c", NEW.replace("int points,", "int extra, int points,"))
    bench.write("some.csv", "points,bonus\n95,7\n")
    tests = bench.read("some.csv")
    assert bench.values(tests)["some_csv_1"] == {"extra": 0, "points": 95, "bonus": 7}


def test_a_value_that_does_not_fit_any_more_is_lost_with_the_reason(bench):
    bench.write("new.c", NEW.replace("int points", "unsigned char points"))
    bench.generate("old.c")
    bench.write("some.csv", "points,bonus\n300,1\n-1,0\n")
    tests = bench.read("some.csv")
    assert [test.input for test in tests] == [None, None]
    assert "300 does not fit in 8 bits" in tests[0].problem


def test_a_member_that_the_enum_has_lost_is_said(bench):
    text = "enum color { RED, GREEN, BLUE };\nint f(enum color c) { return c == RED ? 1 : 2; }\n"
    bench.write("old.c", text)
    bench.write("new.c", text.replace(", BLUE", ""))
    bench.write("a.json", '[{"c": "BLUE"}, {"c": "GREEN"}]')
    tests = bench.read("a.json")
    assert [bool(test.problem) for test in tests] == [True, False]
    assert "BLUE" in tests[0].problem


def test_other_inputs_than_the_test_was_written_for(bench):
    """An array of 8 was written; with an array of 16, reading it would leave the object."""
    text = "int f(const int *items) { return items[0] == 4 ? 1 : items[1] == 5 ? 2 : 3; }\n"
    bench.write("old.c", text)
    bench.write("new.c", text)
    bench.generate("old.c")
    tests = bench.read("tests", words=["--input", "items=array 16"])
    assert tests and all(test.is_native for test in tests)


def test_tests_of_a_function_that_is_gone_are_listed(bench):
    before = bench.generate("old.c")
    tests = list_lost([bench.folder / "tests"], "grade", ["old.c", "new.c"], "grade is gone")
    assert [(test.name, test.problem) for test in tests] == [(test.id, "grade is gone") for test in before.tests]


# -- what becomes of them


def test_all_that_serve_are_kept_with_name_and_input(bench):
    before = bench.generate("old.c")
    after = bench.live("tests")
    assert set(after.fates().values()) == {"kept"}
    for test in before.tests:
        assert after.inputs()[test.id] == test.inputs
    assert all(row.verdict == "covered" for row in after.report.objectives)


def test_only_what_is_missing_is_added(bench):
    bench.write("some.csv", "points,bonus\n95,0\n60,1\n60,0\n")
    after = bench.live("some.csv")
    assert [test.id for test in after.report.tests[:3]] == ["some_csv_1", "some_csv_2", "some_csv_3"]
    (added,) = after.report.tests[3:]
    assert added.inputs["points"] <= 50
    assert added.id.startswith("grade__")


def test_values_that_are_kept_are_not_made_simpler(bench):
    bench.write("some.csv", "points,bonus\n123456,-77\n")
    assert bench.live("some.csv").inputs()["some_csv_1"] == {"points": 123456, "bonus": -77}


def test_what_serves_nothing_that_is_impacted_is_not_needed(bench):
    bench.write("some.csv", "points,bonus\n95,0\n60,1\n")
    after = bench.live("some.csv", is_impacted=lambda each: each.location.line == 5)
    assert after.fates() == {"some_csv_1": "not-needed", "some_csv_2": "kept"}
    assert "some_csv_1" not in after.inputs()
    assert after.reason("some_csv_1").startswith("it covers no impacted objective")


def test_new_tests_get_names_that_no_old_one_has(bench):
    name = "grade__points_gt_50_F"
    bench.write("a.json", json.dumps({"function": "grade", "cases": [{"name": name, "inputs": {"points": 95}}]}))
    after = bench.live("a.json", is_impacted=lambda each: each.location.line == 5)
    assert after.fates() == {name: "not-needed"}
    assert name not in after.inputs()


def test_a_test_that_an_assumption_rejects_is_lost(bench):
    bench.write("some.csv", "points,bonus\n95,0\n")
    after = bench.live("some.csv", words=["--assume", "points <= 90"])
    assert after.fates() == {"some_csv_1": "lost"}
    assert "points <= 90" in after.reason("some_csv_1")


def test_a_test_that_crashes_now_is_kept_and_said(bench):
    bench.write("new.c", OLD.replace("return 1;", "return 1 / bonus;"))
    bench.write("some.csv", "points,bonus\n95,0\n")
    after = bench.live("some.csv")
    assert after.fates() == {"some_csv_1": "kept"}
    assert "it crashes: division by zero at line 4" in after.reason("some_csv_1")
    (test,) = [test for test in after.report.tests if test.id == "some_csv_1"]
    assert (test.outcome, test.inputs) == ("crashed", {"points": 95, "bonus": 0})


# -- files


def test_a_suite_that_is_written_again_goes_on(bench):
    """Also the tests that nothing asks for, and without --suite."""
    before = bench.generate("old.c", "-o", str(bench.folder / "out"))
    text = (bench.folder / "out" / "test_old_grade.c").read_text()
    bench.write("changed/old.c", NEW)
    bench.write("out/test_old_grade.c", seal(text.replace("../old.c", "../changed/old.c")))
    after = bench.live(new="changed/old.c", is_impacted=lambda each: each.location.line == 5)
    assert {test.id for test in before.tests} <= after.inputs().keys()
    assert "not-needed" in after.fates().values()
    assert "it stays in its file" in next(row.reason for row in after.rows if row.fate == "not-needed")
    assert after.warnings == ()


def test_a_file_with_lost_tests_is_kept_aside(bench):
    bench.generate("old.c", "-o", str(bench.folder / "out"))
    text = (bench.folder / "out" / "test_old_grade.c").read_text()
    bench.write("changed/old.c", NEW.replace("int points", "unsigned char points").replace("80", "20"))
    file = bench.write("out/test_old_grade.c", seal(text.replace("int points = 91", "int points = 911")))
    changed = file.read_text()
    after = bench.live(new="changed/old.c")
    assert "lost" in after.fates().values()
    assert (bench.folder / "out" / "test_old_grade.c.old").read_text() == changed
    assert "test_old_grade.c.old" in after.warnings[0]


def test_an_edited_file_is_never_written_again(bench):
    bench.generate("old.c", "-o", str(bench.folder / "out"))
    text = (bench.folder / "out" / "test_old_grade.c").read_text()
    bench.write("changed/old.c", NEW)
    file = bench.write("out/test_old_grade.c", text.replace("int points = 91", "int points = 92"))
    with pytest.raises(UsageError, match="was edited since Tightrope wrote it"):
        bench.live(new="changed/old.c")
    assert "int points = 92" in file.read_text()


def test_files_of_the_suite_are_not_touched(bench):
    bench.generate("old.c")
    before = {file: file.read_bytes() for file in (bench.folder / "tests").iterdir()}
    bench.live("tests")
    assert {file: file.read_bytes() for file in (bench.folder / "tests").iterdir()} == before


# -- C of the user's

HAND_WRITTEN = """\
#include <assert.h>
#include "old.c"
static void test_high(void) { assert(grade(95, 0) == 1); }
static void test_middle(void) { assert(grade(60, 1) == 2); assert(grade(60, 0) == 3); }
int main(void) { test_high(); test_middle(); return 0; }
"""


def test_hand_written_tests_are_run_on_the_new_version(bench):
    bench.write("tests.c", HAND_WRITTEN)
    after = bench.live("tests.c")
    assert after.fates() == {"test_high": "kept", "test_middle": "kept"}
    assert "it stays as it is" in after.reason("test_high")
    by_text = {(row.line, row.kind): row.tests for row in after.report.objectives}
    assert by_text[3, "true"] == ("test_high",)
    (added,) = after.report.tests
    assert added.inputs["points"] <= 50


def test_what_hand_written_tests_cover_too_is_kept(bench):
    bench.write("tests.c", HAND_WRITTEN)
    bench.write("some.csv", "points,bonus\n95,0\n")
    after = bench.live("tests.c", "some.csv")
    assert after.fates()["some_csv_1"] == "kept"
    assert after.inputs()["some_csv_1"] == {"points": 95, "bonus": 0}


def test_hand_written_tests_that_call_a_linked_function(bench):
    bench.write("tests.c", "int grade(int, int);\nint main(void) { return grade(95, 0) != 1; }\n")
    after = bench.live("tests.c")
    assert after.fates() == {"tests.c": "kept"}


def test_hand_written_tests_that_do_not_build_are_lost(bench):
    bench.write("new.c", "int grade(int points)\n{\n    return points > 80 ? 1 : 3;\n}\n")
    bench.write("tests.c", HAND_WRITTEN)
    after = bench.live("tests.c")
    assert after.fates() == {"tests.c": "lost"}
    assert "does not build with the new version: too many arguments" in after.reason("tests.c")
    assert all(row.verdict == "covered" for row in after.report.objectives)


def test_a_file_that_does_not_build_does_not_take_others_with_it(bench):
    bench.write("suite/tests.c", HAND_WRITTEN.replace('"old.c"', '"../old.c"'))
    bench.write("suite/broken.c", "int grade(int, int);\nint main(void) { return grade(1); }\n")
    bench.write("suite/other.c", "#include <nowhere.h>\nint main(void) { return other(); }\n")
    after = bench.live("suite")
    wanted = {"broken.c": "lost", "other.c": "not-needed", "test_high": "kept", "test_middle": "kept"}
    assert after.fates() == wanted
    assert after.reason("other.c") == "it does not mention grade, and it cannot be run"


def test_a_hand_written_test_that_serves_nothing_is_not_needed(bench):
    bench.write("tests.c", HAND_WRITTEN)
    after = bench.live("tests.c", is_impacted=lambda each: each.location.line == 3 and each.kind == "true")
    assert after.fates() == {"test_high": "kept", "test_middle": "not-needed"}


# -- the command


def compare(bench: Bench, *words: str) -> DifferenceReport:
    files = [str(bench.folder / "old.c"), str(bench.folder / "new.c")]
    return diff(read_options(["diff", *files, "-q", "-c", "branch", *words]))


def test_the_command_keeps_tests_and_doing_it_again_changes_nothing(bench):
    before, out = bench.generate("old.c"), bench.folder / "out"
    (row,) = compare(bench, "--suite", str(bench.folder / "tests"), "-o", str(out)).functions
    assert {test.id for test in before.tests} == {test.test for test in row.old_tests}
    kept = {test.test for test in row.old_tests if test.fate == "kept"}
    assert kept <= {test.id for test in row.unit.tests}
    written = {file.name: file.read_text() for file in out.iterdir()}
    compare(bench, "--suite", str(out), "-o", str(out))
    assert {file.name: file.read_text() for file in out.iterdir()} == written


def test_tests_of_a_removed_function_have_their_row(bench):
    bench.write("old.c", OLD + "int gone(int x) { return x > 3 ? 1 : 2; }\n")
    bench.generate("old.c:gone")
    rows = compare(bench, "--suite", str(bench.folder / "tests"), "-o", str(bench.folder / "out")).functions
    (gone,) = [row for row in rows if row.function == "gone"]
    assert gone.old_tests
    assert {(test.fate, test.reason) for test in gone.old_tests} == {("lost", "gone no longer exists")}
