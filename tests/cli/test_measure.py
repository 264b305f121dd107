"""`tightrope measure` as people and machines see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from schema_check import check

from tightrope import cli
from tightrope.report.schema import make_schema

UNIT = "int sign(int x)\n{\n    if (x > 0)\n        return 1;\n    return x < 0 ? -1 : 0;\n}\n"
TESTS = "int sign(int);\nvoid test_up(void) { sign(3); }\nvoid test_zero(void) { sign(0); }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    Path("unit.c").write_text(UNIT)
    Path("tests.c").write_text(TESTS)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_what_people_see(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["measure", "unit.c", "--suite", "tests.c", "-c", "branch"]) == 0
    assert capsys.readouterr().out == (
        "sign  unit.c:1   branch 3/4 covered (75%), 1 not covered   2 tests of tests.c\n"
        "  not covered\n"
        "    unit.c:5:14  x < 0 is true\n"
        "        5 |     return x < 0 ? -1 : 0;\n"
        "          |              ^\n"
        "  test_up    covers 1, all of them alone\n"
        "  test_zero  covers 2, all of them alone\n"
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("wanted", "status"), [("75", 0), ("76", 1), ("branch=80", 1)])
def test_thresholds(wanted: str, status: int) -> None:
    words = ["measure", "unit.c", "--suite", "tests.c", "-c", "branch", "-q", "--fail-under", wanted]
    assert cli.main(words) == status


@pytest.mark.usefixtures("folder")
def test_json_follows_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["measure", "unit.c", "--suite", "tests.c", "-c", "mcdc,statement,wm", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    check(found, make_schema("schema.json"))
    (unit,) = found["units"]
    assert unit["stop_reason"] == "measured"
    assert unit["suites"] == ["tests.c"]
    assert [test["id"] for test in unit["tests"]] == ["test_up", "test_zero"]
    assert all(set(test["covers"]) <= set(test["hits"]) for test in unit["tests"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["unit.c"], 2, "no-suite"),
        (["unit.c", "--suite", "missing.c"], 2, "no-such-file"),
        (["unit.c", "--suite", "unit.c"], 2, "no-tests"),
        (["unit.c", "--suite", "tests.c", "--merge", "unit.c"], 2, "merge"),
        (["unit.c:other", "--suite", "tests.c"], 5, "no-such-function"),
    ],
)
def test_what_cannot_be_measured(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int, message: str
) -> None:
    assert cli.main(["measure", *words]) == status
    said = capsys.readouterr().err
    assert f"[{message}]" in said
    assert "help:" in said


@pytest.mark.usefixtures("folder")
def test_a_missing_function_is_the_linkers_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tests.c").write_text("int sign(int), other(void);\nvoid test_a(void) { sign(other()); }\n")
    assert cli.main(["measure", "unit.c", "--suite", "tests.c"]) == 4
    assert "other" in capsys.readouterr().err
