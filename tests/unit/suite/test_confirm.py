"""Tests that were written must behave alike without probes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from tightrope.errors import CompileError
from tightrope.running.run_record import Ending, Outcome
from tightrope.suite.confirm import Agreement, Expected, confirm, read_tap
from tightrope.suite.guard import Limits
from tightrope.suite.native import run_program


def test_tap_amid_the_output_of_the_unit() -> None:
    output = textwrap.dedent("""\
        1..4
        hello ok 7 - not_me and more
        no newlineok 1 - first
        # result: expected 3, got 4
        not ok 2 - second
        ok 3 - third # SKIP crashes: division by zero
        """)
    found = read_tap(output)
    assert sorted(found) == ["first", "second", "third"]
    assert found["first"].is_ok
    assert (found["second"].is_ok, found["second"].detail) == (False, "result: expected 3, got 4")
    assert found["third"].was_skipped


FAKE = """\
#!{python}
import sys, os
words = sys.argv[1:]
{body}
"""


def fake_build(body: str) -> object:
    """A builder that makes a Python script in place of a C program."""

    def build(source: Path, program: Path, flags: Sequence[str]) -> None:
        program.write_text(FAKE.format(python=sys.executable, body=textwrap.dedent(body)))
        program.chmod(0o755)

    return build


QUICK = Limits(seconds=2.0)


def agreements(build: object, tests: list[Expected], tmp_path: Path) -> list[tuple[str, Agreement]]:
    found = confirm("", tests, build, tmp_path, QUICK)  # type: ignore[arg-type]
    return [(each.name, each.agreement) for each in found.tests]


def test_same_and_different(tmp_path: Path) -> None:
    build = fake_build("print('1..2\\nok 1 - a\\n# x: expected 1, got 2\\nnot ok 2 - b')")
    found = confirm("", [Expected("a"), Expected("b")], build, tmp_path, QUICK)  # type: ignore[arg-type]
    assert [each.agreement for each in found.tests] == [Agreement.SAME, Agreement.DIFFERENT]
    assert found.tests[1].detail == "x: expected 1, got 2"
    assert found.names(Agreement.DIFFERENT) == ("b",)
    assert not found.all_same


def test_program_that_dies_half_way_is_asked_test_by_test(tmp_path: Path) -> None:
    build = fake_build("""\
        if words == ["2"]: os.abort()
        if words == ["3"]: print("ok 1 - c"); sys.exit()
        print("ok 1 - a", flush=True)
        os.abort()
        """)
    found = confirm("", [Expected("a"), Expected("b"), Expected("c")], build, tmp_path, QUICK)  # type: ignore[arg-type]
    assert [each.agreement for each in found.tests] == [Agreement.SAME, Agreement.DIFFERENT, Agreement.SAME]
    assert found.tests[1].detail == "ended by signal 6"


def test_endings_other_than_returning_are_confirmed_one_by_one(tmp_path: Path) -> None:
    aborts, exits = Ending(Outcome.CRASHED, "abort", status=-6), Ending(Outcome.EXITED, "exit status 3", status=3)
    tests = [Expected("a"), Expected("b", aborts), Expected("c", aborts), Expected("d", exits), Expected("e", exits)]
    build = fake_build("""\
        if words == ["2"]: os.abort()
        if words == ["3"]: print("ok 1 - c"); sys.exit()
        if words == ["4"]: sys.exit(3)
        if words == ["5"]: sys.exit(4)
        print("ok 1 - a")
        """)
    assert agreements(build, tests, tmp_path) == [
        ("a", Agreement.SAME),
        ("b", Agreement.SAME),
        ("c", Agreement.NOT_RUN),
        ("d", Agreement.SAME),
        ("e", Agreement.DIFFERENT),
    ]


def test_after_undefined_behaviour_any_end_is_right_and_is_told(tmp_path: Path) -> None:
    overrun = Ending(Outcome.CRASHED, "read out of bounds")
    build = fake_build("if words == ['1']: os.abort()\nprint('ok 1 - b')")
    found = confirm("", [Expected("a", overrun), Expected("b", overrun)], build, tmp_path, QUICK)  # type: ignore[arg-type]
    assert [(each.agreement, each.status) for each in found.tests] == [(Agreement.SAME, -6), (Agreement.SAME, None)]


def test_file_that_does_not_compile_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    def build(source: Path, program: Path, flags: Sequence[str]) -> None:
        raise CompileError("tests.c does not compile")

    found = confirm("", [Expected("a")], build, tmp_path)
    assert "does not compile" in found.problem
    assert not found.all_same


def test_endless_program_is_stopped(tmp_path: Path) -> None:
    ended = run_program([sys.executable, "-c", "while True: pass"], tmp_path, Limits(seconds=0.3))
    assert ended.was_stopped


def test_output_is_limited(tmp_path: Path) -> None:
    script = "import sys\nwhile True: sys.stdout.write('x' * 4096)"
    ended = run_program([sys.executable, "-c", script], tmp_path, Limits(seconds=5.0, output=10_000))
    assert len(ended.output) <= 10_000
    assert not ended.was_stopped


def test_children_end_with_the_program(tmp_path: Path) -> None:
    script = "import os, time\nif os.fork() == 0: time.sleep(30)\n"
    ended = run_program([sys.executable, "-c", script], tmp_path, Limits(seconds=5.0))
    assert ended.status == 0


@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")
def test_real_c(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text("int twice(int a) { return 2 * a; }\n")
    text = textwrap.dedent("""\
        #include "unit.c"
        #include <stdio.h>
        int main(void) {
            printf("1..2\\n");
            printf("%s 1 - good\\n", twice(2) == 4 ? "ok" : "not ok");
            printf("%s 2 - bad\\n", twice(2) == 5 ? "ok" : "not ok");
        }
        """)

    def build(source: Path, program: Path, flags: Sequence[str]) -> None:
        subprocess.run(["gcc", *flags, str(source), "-o", str(program)], check=True)

    found = confirm(text, [Expected("good"), Expected("bad")], build, tmp_path)
    assert [each.agreement for each in found.tests] == [Agreement.SAME, Agreement.DIFFERENT]
