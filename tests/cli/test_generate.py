"""`tightrope generate`, from the command to files and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from schema_check import check

from tightrope import cli
from tightrope.errors import UsageError
from tightrope.report.schema import make_schema

GOOD = """\
int f(int a)
{
    if (a > 3)
        return 1;
    return 0;
}
"""
LONG = """\
int walk(unsigned a, unsigned b, unsigned c)
{
    unsigned n = 0;
    for (int i = 0; i < 16; i++) {
        if (a >> i & 1) n += b;
        if (c >> i & 1) n ^= a;
    }
    if (a == 7 && a == 8)
        return -1;
    return (int)n;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    (tmp_path / "good.c").write_text(GOOD)
    (tmp_path / "long.c").write_text(LONG)
    return tmp_path


class Ran:
    """What a command left: code, out, err, and the units of its report."""

    def __init__(self, code: int, out: str, err: str, units: list[dict[str, Any]]) -> None:
        self.code, self.out, self.err, self.units = code, out, err, units

    @property
    def unit(self) -> dict[str, Any]:
        (unit,) = self.units
        return unit

    def verdicts(self) -> list[str]:
        return [objective["verdict"] for objective in self.unit["objectives"]]


@pytest.fixture
def generate(folder: Path, capsys: pytest.CaptureFixture[str]):
    def run(*words: str) -> Ran:
        at = words.index("--") if "--" in words else len(words)
        code = cli.main(["generate", "-c", "branch", *words[:at], "--json", "report.json", *words[at:]])
        shown = capsys.readouterr()
        report = folder / "report.json"
        units = json.loads(report.read_text())["units"] if report.exists() else []
        assert "Traceback" not in shown.err
        return Ran(code, shown.out, shown.err, units)

    return run


# --- bad input ---------------------------------------------------------------------------------


def refused(ran: Ran, code: int, *parts: str) -> None:
    assert ran.code == code
    assert [line for line in ran.err.splitlines() if line.startswith("tightrope: error: ")] != []
    assert all(part in ran.err for part in parts), ran.err
    assert ran.out == ""


def is_untouched(folder: Path, *files: str) -> bool:
    """No output folder, no report, nothing beside the given files."""
    return {each.name for each in folder.iterdir()} == {".git", "good.c", "long.c", *files}


def test_c_that_does_not_compile_shows_the_compilers_message(generate, folder) -> None:
    (folder / "bad.c").write_text("int f(int a)\n{\n    return a +;\n}\n")
    refused(
        generate("bad.c"),
        4,
        "bad.c:3:15: error: expected expression",
        "    3 |     return a +;",
        "      |               ^",
    )
    assert is_untouched(folder, "bad.c")


def test_one_bad_file_takes_nothing_from_good_ones(generate, folder) -> None:
    (folder / "bad.c").write_text("int f(")
    ran = generate("good.c", "bad.c")
    assert ran.code == 4
    assert "bad.c   not tested: it does not compile" in ran.out
    assert not is_untouched(folder, "bad.c")


def test_missing_header_is_named(generate, folder) -> None:
    (folder / "bad.c").write_text('#include "board.h"\nint f(int a) { return a; }\n')
    refused(generate("bad.c"), 4, "'board.h' file not found", "-I FOLDER")


@pytest.mark.parametrize(
    ("text", "target", "code", "message"),
    [
        ("int v(_Complex float n) { return 1; }", "x.c", 2, "parameter `n` is _Complex"),
        ("int f(int a) { return a; }", "x.c:g", 5, "no function `g` is defined in x.c"),
        ("int f(int a) { return a; }", "x.c:F", 5, "did you mean f?"),
        ("int only_data;", "x.c", 5, "x.c defines no function"),
        ("/* nothing */", "x.c", 5, "x.c defines no function"),
        ("#include <stdlib.h>", "x.c", 5, "x.c defines no function"),
        ("#error not today\nint f;", "x.c", 4, "not today"),
        ("\x7fELF\x02\x01\x01", "x.c", 4, "does not compile"),
    ],
)
def test_files_without_anything_to_test(text, target, code, message, generate, folder) -> None:
    (folder / "x.c").write_text(text)
    refused(generate(target), code, message)
    assert is_untouched(folder, "x.c")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--assume", "n > 3"], "use of undeclared identifier 'n'"),
        (["--assume", "a >"], "`a >` does not compile"),
        (["--assume", "a = 3"], "did you mean ==?"),
        (["--input", "buffer=3"], "no input has the path `buffer`"),
        (["--cc", "no-such-compiler"], "`no-such-compiler` cannot be run"),
        (["--cc", "false"], "--cc: `false`"),
        (["-p", "."], "there is no"),
        (["-p", "nowhere"], "nowhere"),
        (["-o", "/proc/tightrope"], "cannot write to /proc/tightrope"),
        (["-o", "good.c"], "good.c is a file, not a folder"),
        (["--", "-fno-such-flag"], "-fno-such-flag"),
    ],
)
def test_options_that_cannot_be_used(words, message, generate, folder) -> None:
    refused(generate("good.c:f", *words), 2, message)
    assert is_untouched(folder)


def test_report_that_cannot_be_written(folder, capsys) -> None:
    assert cli.main(["generate", "good.c", "--json", "nowhere/report.json", "-q"]) == 2
    assert "nowhere/report.json" in capsys.readouterr().err


def test_spec_with_a_typo(generate, folder) -> None:
    (folder / "tightrope.toml").write_text('[function.f]\nasume = "a > 3"\n')
    refused(generate("good.c"), 2, "tightrope.toml:2", "did you mean assume?")


def test_a_users_file_is_never_overwritten(generate, folder) -> None:
    mine = folder / "tests" / "test_good_f.c"
    mine.parent.mkdir()
    mine.write_text("/* mine */\n")
    refused(generate("good.c", "-o", "tests"), 2, "was not written by Tightrope")
    assert mine.read_text() == "/* mine */\n"
    assert list(mine.parent.iterdir()) == [mine]


def test_own_files_are_replaced(generate, folder) -> None:
    assert generate("good.c", "-o", "tests").code == 0
    first = (folder / "tests" / "test_good_f.c").read_text()
    assert generate("good.c", "-o", "tests").code == 0
    assert (folder / "tests" / "test_good_f.c").read_text() == first


def test_a_function_that_cannot_be_tested_does_not_stop_the_others(generate, folder) -> None:
    (folder / "x.c").write_text(
        GOOD + "int v(_Complex float n) { return 1; }\nint main(int n, char **w) { return n; }\n"
    )
    ran = generate("x.c")
    assert ran.code == 0
    assert [unit["stop_reason"].split(":")[0] for unit in ran.units][1:] == [
        "not tested", "every objective has a verdict"
    ]  # fmt: skip
    assert "`n` is _Complex" in ran.out


# --- good input --------------------------------------------------------------------------------


def test_written_tests_compile_without_warnings_and_pass(generate, folder) -> None:
    assert generate("good.c", "-o", "tests", "--format", "plain,json").code == 0
    program = folder / "program"
    build = ["gcc", "-std=c11", "-Wall", "-Wextra", "-o", str(program), "tests/test_good_f.c"]
    try:
        built = subprocess.run(build, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("needs gcc")
    assert (built.returncode, built.stderr) == (0, "")
    shown = subprocess.run([program], capture_output=True, text=True)
    assert shown.returncode == 0
    assert shown.stdout.splitlines()[0] == "1..2"
    assert len(re.findall(r"^ok \d+ - ", shown.stdout, re.MULTILINE)) == 2


@pytest.mark.parametrize("start", ["", "#define errno (*__errno_location())\n", "#include <errno.h>\n"])
def test_written_tests_of_a_unit_with_its_own_way_to_errno_compile(start, generate, folder) -> None:
    declared = "extern int *__errno_location(void);\n"
    (folder / "x.c").write_text(f"{start}{declared}int f(int a) {{ return a > 3 ? (*__errno_location() = 4) : 0; }}\n")
    confirmation = generate("x.c", "-o", "tests", "--", "-Wall", "-Werror").unit["confirmation"]
    assert "errno = 0;" in (folder / "tests" / "test_x_f.c").read_text()
    assert (confirmation["problem"], confirmation["different"]) == ("", [])


def test_json_on_standard_output_fits_the_schema(folder, capsys) -> None:
    assert cli.main(["generate", "good.c", "--json", "-", "-o", "tests"]) == 0
    check(json.loads(capsys.readouterr().out), make_schema("schema.json"))


def test_report_of_crashes_and_open_objectives_fits_the_schema(generate, folder) -> None:
    (folder / "x.c").write_text(
        "#include <stdlib.h>\n#include <math.h>\nint f(int *p, double x, _Bool b)"
        " { if (!p) return 1; if (sin(x) > 0.7) abort(); if (b) for (;;) ; return *p; }"
    )
    ran = generate("x.c", "--time-limit", "1", "-c", "branch,statement")
    check(json.loads((folder / "report.json").read_text()), make_schema("schema.json"))
    assert {crash["outcome"] for crash in ran.unit["crashes"]} >= {"crashed", "timed_out"}


def test_fail_under(generate, folder) -> None:
    (folder / "x.c").write_text("int f(int a, int *p) { if (!p) return 1; return a > 2 ? a : 0; }")
    assert generate("x.c", "--input", "p=not-null", "--fail-under", "75").code == 0
    ran = generate("x.c", "--input", "p=not-null", "--fail-under", "branch=76")
    assert ran.code == 1
    assert "75%" in ran.out
    assert "--fail-under: branch coverage is 75%, below the 76% asked for" in ran.err


def test_contradictory_assumptions_are_an_error(generate, folder) -> None:
    (folder / "x.c").write_text("int f(int a) { if (a > 3) return 1; return 2; }")
    for engine in ("auto", "search", "encoding"):
        ran = generate("x.c", "--assume", "a > 3 && a < 2", "--fail-under", "100", "--engine", engine)
        assert ran.code == 2
        assert "no input satisfies the assumptions of f: a > 3 && a < 2 [no-input]" in ran.err


def test_a_function_that_is_not_tested_fails_a_gate(generate, folder) -> None:
    (folder / "x.c").write_text(
        '#include "tightrope.h"\nint f(int a) { return a > 3 ? 1 : 2; }\n'
        "int g(int a) { TIGHTROPE_ASSUME(a > 3 && a < 2); return a > 3 ? 1 : 2; }"
    )
    ran = generate("x.c", "-c", "branch", "--fail-under", "100")
    assert ran.code == 1
    assert "--fail-under: 1 function was not tested (g)" in ran.err
    assert "2 functions, 1 of them not tested" in ran.out
    assert generate("x.c", "-c", "branch").code == 0
    assert generate("x.c", "-c", "branch", "--fail-under", "100", "--allow-refused").code == 0


def test_a_threshold_of_another_criterion_is_a_mistake(generate, folder) -> None:
    (folder / "x.c").write_text("int f(int a) { if (a > 3) return 1; return 2; }")
    ran = generate("x.c", "-c", "branch", "--fail-under", "mcdc=50")
    assert ran.code == 2
    assert "`mcdc` is not among the criteria" in ran.err


def test_what_only_crashes_reach_is_not_covered(generate, folder) -> None:
    (folder / "x.c").write_text("int share(int on) { int none = 0; if (on) return 1 / none; else return 2 / none; }")
    ran = generate("x.c", "-c", "branch", "--fail-under", "1")
    assert ran.code == 1
    assert {each["reason"] for each in ran.unit["objectives"]} == {"only_crashing"}
    assert "only runs that crash cover it: division by zero at x.c:1:52, with on = 1" in ran.out
    assert not ran.unit["tests"]


def test_a_run_time_error_is_covered_by_a_test_that_shows_it(generate, folder) -> None:
    (folder / "x.c").write_text(
        "int f(int i, int d) { int t[4] = {1, 2, 3, 4}; if (d > 9) return 7 / (d - 10); return t[i]; }"
    )
    ran = generate("x.c", "-c", "rte")
    found = {each["kind"]: each["verdict"] for each in ran.unit["objectives"]}
    assert found["division"] == found["index"] == "covered"


def test_quiet_prints_nothing(generate) -> None:
    ran = generate("good.c", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_run_limit(generate) -> None:
    ran = generate("long.c", "--max-runs", "10", "--exhaustive", "--no-confirm")
    assert ran.unit["statistics"]["runs"] == 10
    assert "run" in ran.unit["stop_reason"]
    open_ones = [each for each in ran.unit["objectives"] if each["verdict"] != "covered"]
    assert {(each["verdict"], each["reason"]) for each in open_ones} == {("unknown", "run_limit")}
    assert all(each["option"] == "--max-runs" for each in open_ones)


def test_run_limit_of_the_encoding_alone(generate) -> None:
    """The clock had not ended it."""
    ran = generate("long.c", "--max-runs", "1", "--engine", "encoding", "--no-confirm")
    assert "run" in ran.unit["stop_reason"]
    assert {each["reason"] for each in ran.unit["objectives"] if each["verdict"] == "unknown"} == {"run_limit"}


def test_time_limit(generate) -> None:
    ran = generate("long.c", "--time-limit", "0.5", "--exhaustive", "--no-confirm")
    assert 0.25 < ran.unit["statistics"]["seconds"] < 2  # of the rest, preparing takes a part
    assert "time" in ran.unit["stop_reason"]
    assert "infeasible" not in ran.verdicts()


# --- assumptions -------------------------------------------------------------------------------

RANGED = """\
#include <tightrope.h>
int f(int n)
{
    TIGHTROPE_ASSUME(n != 4);
    if (n > 5)
        return 1;
    if (n < 0)
        return 2;
    if (n == 4)
        return 3;
    return 0;
}
"""


def inputs(ran: Ran, name: str) -> set[int]:
    return {test["inputs"][name] for test in ran.unit["tests"]}


@pytest.mark.parametrize("way", ["option", "two options", "spec", "spec of the function"])
def test_what_an_assumption_rejects_is_no_test(way, generate, folder) -> None:
    (folder / "x.c").write_text(RANGED)
    texts = {"option": "", "two options": "", "spec": 'assume = "n >= 0 && n <= 5"\n',
             "spec of the function": '[function.f]\nassume = ["n >= 0", "n <= 5"]\n'}  # fmt: skip
    (folder / "own.toml").write_text(texts[way])
    options = {"option": ["--assume", "n >= 0 && n <= 5"], "two options": ["--assume", "n >= 0", "--assume", "n <= 5"]}
    ran = generate("x.c", "--spec", "own.toml", *options.get(way, []))
    assert inputs(ran, "n") <= {0, 1, 2, 3, 5}
    assert ran.verdicts() == ["infeasible", "covered"] * 3
    assert {test["outcome"] for test in ran.unit["tests"]} == {"returned"}
    assert ran.unit["crashes"] == []


def test_assumptions_that_no_run_has_met_yet(generate, folder) -> None:
    (folder / "x.c").write_text("int f(int a, int b) { if (a > b) return 1; return 2; }")
    ran = generate("x.c", "--assume", "a * a == 1522756 && b == 77", "--max-runs", "1", "--engine", "search")
    assert ran.code == 0
    assert ran.unit["tests"] == []
    assert any("no input that satisfies the assumptions" in warning for warning in ran.unit["warnings"])
    assert set(ran.verdicts()) == {"unknown"}


def test_assumption_over_globals_and_what_pointers_point_to(generate, folder) -> None:
    (folder / "x.c").write_text("static int limit;\nint f(const int *p) { if (*p > limit) return 1; return 0; }")
    ran = generate("x.c", "--assume", "limit == 40", "--assume", "*p % 2 == 1")
    assert ran.verdicts() == ["covered", "covered"]
    for test in ran.unit["tests"]:
        assert test["inputs"]["limit"] == 40
        assert test["inputs"]["*p"] % 2 == 1


def test_an_assumption_is_shown_as_it_was_written(generate, folder) -> None:
    (folder / "x.c").write_text("int f(const char *s) { if (s[1] == 'x') return 1; return 0; }")
    assert generate("x.c", "--assume", "s[2]==0").unit["assumptions"][0] == "s[2]==0"


# --- the project's own build -------------------------------------------------------------------

BOARD = '#include "board.h"\nint f(int a) { if (a == LEVEL) return DEPTH; return 0; }\n'


@pytest.mark.parametrize("dialect", ["command", "arguments"])
def test_flags_from_a_compilation_database(dialect, generate, folder) -> None:
    (folder / "include").mkdir()
    (folder / "include" / "board.h").write_text("#define DEPTH 3\n")
    (folder / "source").mkdir()
    (folder / "source" / "x.c").write_text(BOARD)
    words = ["gcc", "-O2", "-Iinclude", "-DLEVEL=1234", "-Wall", "-c", "source/x.c", "-o", "x.o"]
    entry: dict[str, Any] = {"directory": str(folder), "file": "source/x.c"}
    entry |= {"command": " ".join(words)} if dialect == "command" else {"arguments": words}
    (folder / "build").mkdir()
    (folder / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    ran = generate("source/x.c", "-p", "build")
    assert ran.code == 0, ran.err
    assert ran.verdicts() == ["covered", "covered"]
    assert 1234 in inputs(ran, "a")
    assert ran.unit["confirmation"]["same"] == 2


def test_flags_after_two_dashes(generate, folder) -> None:
    (folder / "x.c").write_text("int f(int a) { if (a == LEVEL) return 1; return 0; }\n")
    assert 77 in inputs(generate("x.c", "--", "-DLEVEL=77"), "a")


def test_file_that_the_database_does_not_know(generate, folder) -> None:
    (folder / "compile_commands.json").write_text("[]")
    ran = generate("good.c", "-p", ".")
    assert ran.code == 5
    assert "has no entry for good.c" in ran.err


def test_the_total_time_goes_on_where_something_is_open(generate, folder: Path, monkeypatch) -> None:
    from tightrope.commands.generate import generate as module

    given: list[tuple[str, float, int]] = []
    walk = module.walk_job

    def note(file, name, options, *rest):
        given.append((name, options.time_limit, len(rest[-1].inputs)))
        unit = walk(file, name, options, *rest)
        if name == "walk" and len(given) == 2:  # as if its time had been too short
            objectives = [replace(each, verdict="unknown", tests=()) for each in unit.objectives[:1]]
            unit = replace(
                unit, stop_reason="the time limit was reached", objectives=(*objectives, *unit.objectives[1:])
            )
        return unit

    monkeypatch.setattr(module, "walk_job", note)
    done = generate("good.c", "long.c", "-c", "branch", "--total-time", "3600", "--time-limit", "60", "--no-cache")
    assert done.code == 0
    assert [(name, limit) for name, limit, _ in given] == [("f", 60.0), ("walk", 60.0), ("walk", 60.0)]
    assert [inputs > 0 for _, _, inputs in given] == [False, False, True]
    assert re.findall(r"^\[(./.)\]", done.out, re.MULTILINE) == ["1/2", "2/2", "2/2"]
    assert {each["verdict"] for each in done.units[1]["objectives"]} == {"covered", "infeasible"}


@pytest.mark.parametrize("how", ["refused", "less"])
def test_a_further_round_never_makes_a_result_worse(how, generate, folder: Path, monkeypatch) -> None:
    from tightrope.commands.generate import generate as module

    walk, texts = module.walk_job, []

    def spoil(file, name, options, *rest):
        tests = folder / "tightrope-tests" / "test_long_walk.c"
        if texts and how == "refused":
            raise UsageError("it cannot be prepared this time")
        unit = walk(file, name, options, *rest)
        unknown = [replace(each, verdict="unknown", tests=()) for each in unit.objectives[: 3 if texts else 1]]
        texts.append(tests.read_text())
        if len(texts) > 1:
            tests.unlink()
        objectives = (*unknown, *unit.objectives[len(unknown) :])
        return replace(unit, stop_reason="the time limit was reached", objectives=objectives)

    monkeypatch.setattr(module, "walk_job", spoil)
    done = generate("long.c", "-c", "branch", "--total-time", "3600", "--time-limit", "60", "--no-cache")
    assert done.code == 0, done.err
    assert done.verdicts().count("unknown") == 1
    assert (folder / "tightrope-tests" / "test_long_walk.c").read_text() == texts[0]


def test_functions_for_which_no_total_time_is_left(generate) -> None:
    done = generate("good.c", "long.c", "-c", "branch", "--total-time", "0.001", "--no-cache")
    assert done.code == 0
    reasons = [unit["stop_reason"] for unit in done.units]
    assert reasons[1:] == ["not tested: the time of all functions (--total-time) was over before its turn"]
    assert len(done.units[0]["objectives"]) == 2


def test_messages_use_the_names_of_the_c_and_say_things_once(generate, folder) -> None:
    (folder / "x.c").write_text(
        "#include <stdio.h>\n"
        "int wild(unsigned long at) { if (at < 4096) return 0; return *(int *)at; }\n"
        'int scan(const char *s) { int a; if (sscanf(s, "%d", &a) != 1) return -1; return a > 9; }\n'
        "struct list { struct list *next; int value; };\n"
        "int last(struct list *l) { if (l == 0) return 100 / l->value; return l->value; }\n"
    )
    wild = generate("x.c:wild", "-c", "branch")
    assert len(wild.unit["crashes"]) == 1, "whatever the address is: one place, one crash"
    assert wild.out.count("SIGSEGV at address") == 2, "in the reason of the objective, and as a crash"
    scan = generate("x.c:scan", "-c", "branch", "--engine", "encoding")
    assert "the encoding does not support a call of `sscanf` (line 3)" in scan.out
    last = generate("x.c:last", "-c", "branch")
    assert "    with l = NULL\n" in last.out, "nothing that only another pointer would lead to"


def test_a_crash_at_an_address_of_the_code_says_what_to_do(generate, folder) -> None:
    (folder / "x.c").write_text(
        "unsigned f(int a) { unsigned *p = (unsigned *)0x20000000; if (a > 3) return 1; *p = a; return p[0] + 1; }\n"
    )
    crash = "SIGSEGV at the constant address 0x20000000 (no memory here: declare it volatile, or as a variable)"
    ran = generate("x.c", "-c", "branch")
    assert [each["reason"] for each in ran.unit["crashes"]] == [crash]
    assert f"only runs that crash cover it: {crash} at x.c:1:" in ran.out


def test_arguments_behind_dots_have_no_formula_and_the_report_says_where(generate, folder) -> None:
    (folder / "x.c").write_text(
        "static int second(int a, ...)\n{\n"
        "    __builtin_va_list ap;\n    __builtin_va_start(ap, a);\n    int b = __builtin_va_arg(ap, int);\n"
        "    __builtin_va_end(ap);\n    return b;\n}\n"
        "int f(int a)\n{\n    if (a > 100 || a < 0)\n        return 0;\n    return second(1, a) > 100 ? 1 : 2;\n}\n"
    )
    out = generate("x.c:f", "-c", "branch", "--engine", "encoding").out
    assert "the encoding does not support arguments behind `...` (line 4)" in out
    (folder / "y.c").write_text(
        '#include <stdio.h>\nint f(int a) { char b[9]; snprintf(b, 9, "%d", a & 7); return b[0] == 120 ? 1 : 2; }\n'
    )
    out = generate("y.c:f", "-c", "branch", "--engine", "encoding").out
    assert "the encoding does not support arguments behind `...`\n" in out, "the line of a model is none of the user's"
