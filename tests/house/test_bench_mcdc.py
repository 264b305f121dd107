"""The benchmark of MC/DC generators: its judge, its schema, its runners. What needs clang 19 is skipped without it."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

subjects = import_module("bench.mcdc.subjects")
tests_file = import_module("bench.mcdc.tests_file")
judging = import_module("bench.mcdc.judge")

needs_judge = pytest.mark.skipif(bool(judging.missing_tools()), reason=judging.missing_tools() or "-")

UNIT = """
#include <stdlib.h>

struct pair { int first; double second; };

int limit;

int ask(int number);

static int is_small(int value)
{
    return value < 10;
}

int decide(int a, unsigned char *b, struct pair *pair)
{
    if (a == 1000)
        abort();
    if (a == 1001)
        for (;;)
            limit = limit;
    if (a == 1002)
        exit(3);
    if (a == 1003)
        *(volatile int *)0 = 1;
    if (a > 0 && (b[1] == 7 || pair->second > 2.5))
        return 1;
    if (ask(1) > ask(2) && limit > 4)
        return limit == 77 ? *(volatile int *)0 : 2;
    return is_small(pair->first);
}

int other(int a)
{
    return a && limit;
}
"""
A_DECISION = "decide:26.9-26.51"  # a > 0 && (...)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("unit") / "unit.c"
    file.write_text(UNIT)
    return subjects.FunctionUnderTest(
        "small",
        str(file),
        "decide",
        call="decide(a, b, pair)",
        objects=("int a", "unsigned char b[2]", "struct pair room, *pair = &room"),
        inputs=("a", "b[2]", "pair->first", "pair->second", "limit"),
        stubs={"int ask(int number)": 2},
        preconditions=("limit < 100",),
        not_counted=("other",),
    )


@pytest.fixture(scope="module")
def judge(small: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return judging.Judge(small, tmp_path_factory.mktemp("judge"))


def given(subject: Any, tmp_path: Path, *inputs: Any, **further: Any) -> Any:
    file = tmp_path / "tests.json"
    tests = [each if "inputs" in each else {"inputs": each} for each in inputs]
    file.write_text(json.dumps({"schema": 1, "tool": "hand", "tests": tests, **further}))
    return tests_file.read_tests(file, subject)


# -- subjects


def test_the_list_is_long_enough_and_each_entry_is_whole():
    listed = subjects.read_subjects()
    assert len(listed) >= 30 and sum(bool(each.package) for each in listed) >= 8
    packages = import_module("bench.real.packages").PACKAGES
    for each in listed:
        assert each.package in packages if each.package else Path(each.file).is_file(), each.name
        assert each.function in each.call and each.leaves and len(set(each.leaves)) == len(each.leaves)


def test_counts_in_inputs_become_elements():
    assert list(subjects.expand("a[2].b[2]")) == ["a[0].b[0]", "a[0].b[1]", "a[1].b[0]", "a[1].b[1]"]
    assert list(subjects.expand("*p")) == ["*p"]


def test_a_description_survives_json(small: Any):
    said = json.loads(small.as_json())
    assert said["leaves"][-2:] == ["ask_answers[0]", "ask_answers[1]"]
    assert 'INPUT(b[1], "b[1]");' in said["harness"] and "ASSUME(limit < 100);" in said["harness"]
    assert subjects.from_json(small.as_json()) == small


def test_a_misspelt_key_is_an_error(tmp_path: Path):
    file = tmp_path / "list.toml"
    file.write_text('[a]\nfile = "x.c"\nfunction = "f"\ncall = "f()"\ninputs = []\nprecondition = ["1"]\n')
    with pytest.raises(ValueError, match=r"a: unknown keys.*precondition"):
        subjects.read_subjects(file)


# -- the schema


def test_lists_numbers_and_reals_are_read(small: Any, tmp_path: Path):
    (test,) = given(small, tmp_path, {"b": [1, 2], "pair->second": "0x1.8p+1", "a": True, "limit": -3}).tests
    assert test.values == {"b[0]": "i 1", "b[1]": "i 2", "pair->second": "r 0x1.8p+1", "a": "i 1", "limit": "i -3"}


@pytest.mark.parametrize(
    ("inputs", "problem"),
    [
        ({"c": 1}, "c is no input"),
        ({"b": [1, 2, 3]}, r"b\[2\] is no input"),
        ({"pair->none": 1}, "pair->none is no input"),
        ({"a": "system(1)"}, "no number"),
        ({"a": None}, "no number"),
        ({"a": 2**64}, "no number"),
        ({"inputs": {}, "seconds": "soon"}, "seconds"),
        ({"inputs": []}, "inputs"),
    ],
)
def test_what_is_no_test_says_why(small: Any, tmp_path: Path, inputs: Any, problem: str):
    (test,) = given(small, tmp_path, inputs).tests
    assert test.problem and __import__("re").search(problem, test.problem)


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 2, "tests": []}', '{"schema": 1}'])
def test_a_file_without_tests_is_an_error(small: Any, tmp_path: Path, text: str):
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(tests_file.BadTestsError):
        tests_file.read_tests(tmp_path / "t.json", small)


# -- the judge


@needs_judge
def test_the_judge_counts_conditions_with_an_independent_effect(small: Any, judge: Any, tmp_path: Path):
    tests = given(
        small,
        tmp_path,
        {"inputs": {"a": 1, "b": [0, 7]}, "seconds": 1},  # T T -
        {"inputs": {"a": 0, "b": [0, 7]}, "seconds": 2},  # F - -: shows the first
        {"inputs": {"a": 1}, "seconds": 3},  # T F F: shows the second
        {"inputs": {"a": 1, "pair->second": 2.75}, "seconds": 4},  # T F T: shows the third
    ).tests
    shown = [
        sorted(each[-2:] for each in judged.mcdc.covered if each.startswith(A_DECISION))
        for judged in judge.judge(tests, [0.5, 1, 2, 3, 4])
    ]
    assert shown == [[], [], ["c1"], ["c1", "c2"], ["c1", "c2", "c3"]]


@needs_judge
def test_functions_that_do_not_count_are_left_out(small: Any, judge: Any, tmp_path: Path):
    (judged,) = judge.judge(given(small, tmp_path, {}).tests, [1])
    for seen in (judged.mcdc, judged.branches, judged.gcov):
        assert {name.partition(":")[0] for name in seen.known} <= {"decide", "is_small"}
    assert len(judged.mcdc.known) == 10  # four checks, three and two conditions, `?:`; `value < 10` decides nothing


@needs_judge
def test_stubs_answer_in_order_and_then_zero(small: Any, judge: Any, tmp_path: Path):
    second = "decide:28.9-28.37"
    tests = given(small, tmp_path, {"ask_answers": [2, 1], "limit": 5}, {"ask_answers": [0, 1], "limit": 5}).tests
    (judged,) = judge.judge(tests, [1])
    assert {name for name in judged.mcdc.covered if name.startswith(second)} == {f"{second}:d1:c1"}


@needs_judge
def test_a_call_that_does_not_return_counts_in_the_decisions_that_it_evaluated(
    small: Any, judge: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Branches behind a crash are no news: compilers compute the sides not taken by subtraction."""
    monkeypatch.setattr(judging, "SECONDS_OF_A_TEST", 0.2)
    ends = {1000: "crashed", 1001: "timed out", 1002: "exited", 1003: "crashed"}
    for value, outcome in ends.items():
        (judged,) = judge.judge(given(small, tmp_path, {"a": value}).tests, [1])
        assert judged.outcomes == {outcome: 1} and judged.tests == 1
        assert not judged.branches.covered and not judged.gcov.covered and not judged.mcdc.covered
    answers = {"ask_answers": [2, 1]}
    (judged,) = judge.judge(given(small, tmp_path, {**answers, "limit": 77}, {**answers, "limit": 3}).tests, [1])
    assert judged.outcomes == {"returned": 1, "crashed": 1}
    second = "decide:28.9-28.37:d1"
    assert {name for name in judged.mcdc.covered if name.startswith(second)} == {f"{second}:c2"}


@needs_judge
@pytest.mark.parametrize("inputs", [{"limit": 100}, {"b": [256]}, {"b": [-1]}, {"a": 2**31}, {"a": 1.5}, {"no": 1}])
def test_invalid_tests_cover_nothing(small: Any, judge: Any, tmp_path: Path, inputs: Any):
    (judged,) = judge.judge(given(small, tmp_path, inputs).tests, [1])
    assert judged.outcomes == {"invalid": 1} and judged.tests == 0
    assert not judged.mcdc.covered and not judged.branches.covered and not judged.gcov.covered
    assert judged.branches.known and judged.gcov.known


@needs_judge
def test_tests_do_not_see_what_others_left(small: Any, judge: Any, tmp_path: Path):
    """A second test without answers gets zeros, not those of the first."""
    (judged,) = judge.judge(given(small, tmp_path, {"ask_answers": [2, 1], "limit": 5}, {}).tests, [1])
    second = [name for name in judged.branches.covered if name.startswith("decide:28.9")]
    assert len(second) == 2  # true in the first test, false in the second


# -- runners


def test_bits_of_cbmc_become_numbers():
    value = import_module("bench.mcdc.runners.cbmc")._value
    assert value({"name": "integer", "binary": "11111111", "width": 8, "type": "char", "data": "'x'"}) == -1
    assert value({"name": "integer", "binary": "11111111", "width": 8, "type": "const char"}) == -1
    assert value({"name": "integer", "binary": "11111111", "width": 8, "type": "unsigned char"}) == 255
    assert value({"name": "integer", "binary": "00000100", "width": 8, "type": "_Bool", "data": "TRUE"}) == 1
    bits = f"{struct.unpack('>Q', struct.pack('>d', -2.5))[0]:064b}"
    assert value({"name": "float", "binary": bits, "width": 64}) == "-0x1.4000000000000p+1"


def ktest(objects: Sequence[tuple[str, bytes]], version: int = 3) -> bytes:
    def text(content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + content

    head = b"KTEST" + struct.pack(">I", version) + struct.pack(">I", 1) + text(b"harness.bc\0")
    rest = b"".join(text(name.encode() + b"\0") + text(content) for name, content in objects)
    return head + struct.pack(">II", 0, 0) + struct.pack(">I", len(objects)) + rest


def test_files_of_klee_are_read():
    read = import_module("bench.mcdc.runners.klee").read_ktest
    assert list(read(ktest([("a", b"\1\0\0\0"), ("b[0]", b"\7")]))) == [("a", b"\1\0\0\0"), ("b[0]", b"\7")]
    with pytest.raises(ValueError, match="KTEST"):
        list(read(b"something else"))


@needs_judge
def test_the_runner_of_klee_with_a_stand_in(small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program that checks how it is called and writes one file of the documented format."""
    content = ktest([("a", b"\x05\0\0\0"), ("b[0]", b"\1"), ("b[1]", b"\7"), ("pair->first", b"\xff\xff\xff\xff")])
    script = tmp_path / "klee.py"
    script.write_text(
        "import pathlib, sys\n"
        "if '--version' in sys.argv: print('KLEE 9.9 (stand-in)'); sys.exit()\n"
        "assert pathlib.Path('harness.bc').read_bytes()[:2] == b'BC'\n"
        "(folder,) = [word.split('=')[1] for word in sys.argv if word.startswith('--output-dir=')]\n"
        "pathlib.Path(folder).mkdir()\n"
        f"(pathlib.Path(folder) / 'test000001.ktest').write_bytes({content!r})\n"
    )
    monkeypatch.setenv("KLEE", f"{sys.executable} {script}")
    monkeypatch.setenv("KLEE_CLANG", judging.CLANG)
    found = import_module("bench.mcdc.runners.klee").find(small, 2.0, tmp_path)
    assert found.tool == "KLEE 9.9" and found.is_anytime
    (test,) = found.tests
    assert {name: test["inputs"][name] for name in ("a", "b[1]", "pair->first", "limit")} == {
        "a": 5, "b[1]": 7, "pair->first": -1, "limit": 0,
    }  # fmt: skip


@needs_judge
def test_random_values_stay_in_the_domain_and_reach_something(small: Any, judge: Any, tmp_path: Path):
    found = import_module("bench.mcdc.runners.random_values").find(small, 1.0, tmp_path)
    tests = given(small, tmp_path, *found.tests).tests
    (judged,) = judge.judge(tests, [1])
    assert found.is_anytime and set(judged.outcomes) <= {"returned", "crashed", "exited", "timed out"}
    assert len(judged.branches.covered) >= 4


def test_the_domain_becomes_wishes_of_tightrope(small: Any):
    runner = import_module("bench.mcdc.runners.tightrope")
    assert list(runner.wishes(small)) == ["b=not-null, array 2", "pair=not-null, one"]
    said = {"a": "NAME", "b": "an object", "b[0]": "x", "pair->second": "inf", "ask#2": 7, "hidden": 3, "limit": 4}
    assert runner._inputs(small, said, {"NAME": 12}) == {
        "a": 12, "b[0]": 120, "pair->second": "inf", "ask_answers[1]": 7, "limit": 4,
    }  # fmt: skip


@needs_judge
def test_enumerators_are_asked_of_a_compiler(small: Any, tmp_path: Path):
    (tmp_path / "unit.c").write_text(f"enum {{ ZERO, MINUS = -3, LARGE = 70000 }};\n{UNIT}")
    subject = __import__("dataclasses").replace(small, file=str(tmp_path / "unit.c"))
    found = import_module("bench.mcdc.runners.tightrope").constants(subject, {"ZERO", "MINUS", "LARGE"}, tmp_path)
    assert found == {"ZERO": 0, "MINUS": -3, "LARGE": 70000}


# -- the campaign and its page

TOOL = """
import json, sys
description, seconds, tests = sys.argv[1:]
word = {word!r}
if word == "missing":
    sys.exit("nothing here") if 0 else (print("no such tool", file=sys.stderr), sys.exit(77))
if word == "broken":
    sys.exit(1)
open({log!r}, "a").write(word + " " + seconds + "\\n")
found = [{{"inputs": {{"a": 1, "b": [0, 7]}}}}, {{"inputs": {{}}}}]
if word == "anytime":
    found = [dict(each, seconds=at) for each, at in zip(found, (0.5, 6))]
json.dump({{"schema": 1, "tool": word, "anytime": word == "anytime", "tests": found}}, open(tests, "w"))
"""


@needs_judge
def test_a_campaign_keeps_rows_and_makes_a_page(small: Any, tmp_path: Path):
    campaign, page = import_module("bench.mcdc.campaign"), import_module("bench.mcdc.page")
    tools, log = {}, tmp_path / "log"
    for word in ("quick", "anytime", "missing", "broken"):
        script = tmp_path / f"{word}.py"
        script.write_text(TOOL.format(word=word, log=str(log)))
        tools[word] = (sys.executable, str(script))
    rows = list(campaign.run_campaign([small], tools, [5.0, 10.0], tmp_path / "rows", 1))
    assert log.read_text().split("\n")[:-1] == [
        "quick 10",
        "anytime 10",
    ]  # both are cut or reused for the smaller limit
    by = {(row.tool, row.limit): row for row in rows}
    assert by["missing", 5.0].problem.startswith("not installed: no such tool")
    assert by["broken", 5.0].problem.startswith("exit status 1")
    assert by["quick", 5.0].tests == by["quick", 10.0].tests == 2
    assert (by["anytime", 5.0].tests, by["anytime", 10.0].tests) == (1, 2)
    assert len(by["anytime", 5.0].covered["branches"]) < len(by["anytime", 10.0].covered["branches"])

    assert list(campaign.run_campaign([small], tools, [5.0, 10.0], tmp_path / "rows", 1)) == rows  # from the store
    assert log.read_text().count("\n") == 2
    text = "\n".join(page.page(rows, [small], list(tools), [5.0, 10.0], ""))
    assert "**missing: not run here**" in text and "| 5 s | quick |" in text
    assert page.rows_as_csv(rows).count("\n") == 9
    assert page.draw_curves(rows, list(tools)).count("<polyline") == 2


def test_one_more_tool_is_named_on_the_command_line():
    read = import_module("bench.mcdc.campaign").read_tool
    assert read("mine=run 'my tool' -x") == ("mine", ("run", "my tool", "-x"))
    with pytest.raises(ValueError, match="NAME=COMMAND"):
        read("mine")


def test_flags_that_change_the_meaning_are_kept():
    flags = import_module("bench.mcdc.debian_subjects").meaning_flags
    words = ["cc", "-Iinclude", "-D", "A=1", "-DB", "-O2", "-std=gnu99", "-Wall", "-c", "x.c", "-o", "x.o"]
    assert flags(words, Path("/f")) == ("-I", "/f/include", "-D", "A=1", "-D", "B", "-std=gnu99")
