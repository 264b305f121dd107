"""`tightrope explain`: what a user reads about a verdict."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tightrope import cli

MODE = """\
enum light { RED, GREEN };

static int clamp(int x)
{
    if (x > 100)
        return 100;
    return x;
}

int mode(int speed, int gear, enum light light, const char *name)
{
    int fast = clamp(speed);
    if (gear > 3 && fast > 100)
        return 1;
    switch (light) {
    case RED:
        return 2;
    case GREEN:
        break;
    }
    for (int i = 0; i < gear; i++)
        if (i > 5 && gear < 5)
            return 3;
    int verbose = 0;
    if (verbose)
        return 4;
    if (name[0] == 'a' && name[40] == 'b')
        return 5;
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("explain")
    (place / "mode.c").write_text(MODE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        words = ["-c", "branch,cacc", "--assume", "gear < 9", "--input", "name=string 50, not-null", "-o", "out", "-q"]
        assert cli.main(["generate", "mode.c:mode", *words, "--json", "r.json", "--", "-DX=1"]) == 0
    return place


@pytest.fixture
def explain(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)

    def run(*words: str) -> str:
        assert cli.main(["explain", "r.json", *words]) == 0
        return capsys.readouterr().out

    return run


def clauses(text: str) -> list[str]:
    """`LINE: what`"""
    found = re.findall(r"^    mode\.c:(\d+)(?::\d+)? +(.*?)(?:   \((.*)\))?$", text, re.MULTILINE)
    return [f"{line}: {what}{f' ({note})' if note else ''}" for line, what, note in found]


def test_what_is_open_is_listed(explain):
    printed = explain().splitlines()
    assert any(line.startswith("infeasible  mode:branch:+3.26:true ") for line in printed)
    assert not any(line.startswith("covered") for line in printed)
    assert printed[-1].startswith("More about one of them: tightrope explain r.json ")


def test_a_condition_of_a_callee_takes_part(explain):
    text = explain("mode:branch:+3.26:true")
    assert "  these contradict each other; no input satisfies both:" in text
    assert clauses(text) == ["5: `x > 100` is false", "13: `fast > 100` is true (asked for)"]


def test_an_assumption_of_the_shape_is_named(explain):
    text = explain("mode:branch:*:default")
    assert clauses(text) == ["10: light is a member of its enum (assumed)", "15: no case matches (asked for)"]


def test_conditions_in_a_loop(explain):
    text = explain("*+12.27:true")
    assert [each for each in clauses(text) if "gear < 5" in each] == [
        "22: `gear < 5` is true at least once (asked for)"
    ]
    assert "`i < gear`" in text


def test_a_constant_is_said_to_be_one(explain):
    text = explain("mode:branch:*:true", "--json", "-")
    constant = [row["id"] for row in json.loads(text)["objectives"] if row["text"] == "verbose is true"]
    assert "`verbose` is always false" in explain(*constant)


def test_a_covered_objective_has_its_simplest_test(explain):
    text = explain("mode:branch:+5.5:case-0")
    assert "covered by" in text
    assert re.search(r"^    mode_\w+  with .*: returns$", text, re.MULTILINE)
    assert re.search(
        r"cd out && cc -std=gnu11 -fwrapv -DX=1 -o test_mode test_mode\.c && \./test_mode \d+$", text, re.MULTILINE
    )


def test_a_pair_has_two_tests(explain):
    text = explain("mode:cacc:+17.9:c1:pair")
    assert "covered by these two tests together:" in text
    assert len(re.findall(r"^    mode_\w+  with", text, re.MULTILINE)) == 2


def test_several_that_fit_are_listed(explain):
    text = explain("mode:branch:+3")
    assert text.splitlines()[-1] == "4 objectives match `mode:branch:+3`: name one by its id."


def test_json_for_programs(explain):
    found = json.loads(explain("mode:branch:*:default", "--json", "-"))
    (row,) = found["objectives"]
    assert row["verdict"] == "infeasible"
    assert [each["note"] for each in row["clauses"]] == ["assumed", "asked for"]


def test_an_id_may_stand_behind_options(explain):
    assert json.loads(explain("--json", "-", "mode:branch:*:default"))["objectives"][0]["verdict"] == "infeasible"


def test_words_that_are_missing_or_unknown(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert cli.main(["explain"]) == 2
    assert "name a report" in capsys.readouterr().err
    assert cli.main(["explain", "r.json", "--why"]) == 2
    assert "unknown option --why" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["explain", "--help"])
    assert "REPORT [ID ...]" in capsys.readouterr().out


def test_nothing_that_fits(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert cli.main(["explain", "r.json", "mode:branch:+3.26:treu"]) == 5
    assert "did you mean mode:branch:" in capsys.readouterr().err
    assert cli.main(["explain", "r.json", "-f", "mod"]) == 5
    assert "did you mean mode?" in capsys.readouterr().err
    assert cli.main(["explain", "mode.c"]) == 2
    assert "[no-report]" in capsys.readouterr().err


def test_c_that_has_changed(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.json").write_text((folder / "r.json").read_text())
    assert cli.main(["explain", "r.json", "mode:branch:*:default"]) == 0
    assert "there is no file mode.c here" in capsys.readouterr().out
    (tmp_path / "mode.c").write_text(MODE.replace("return 5", "return 6"))
    assert cli.main(["explain", "r.json", "mode:branch:*:default"]) == 0
    text = capsys.readouterr().out
    assert "mode.c has changed since the report was written" in text
    assert "no case matches" in text
    (tmp_path / "mode.c").write_text(MODE.replace("switch (light)", "    switch (light)"))
    assert cli.main(["explain", "r.json", "mode:branch:*:default"]) == 0
    assert "the C no longer has the objective mode:branch:+5.5:default" in capsys.readouterr().out


def test_what_ends_a_recursion_is_named(tmp_path, monkeypatch, capsys):
    """Deeper calls are impossible because of `n > 4`, which therefore belongs to the explanation."""
    monkeypatch.chdir(tmp_path)
    product = "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }"
    small = "int small(int n) {\n if (n < 0 || n > 4)\n  return 0;\n return fact(n) > 24 ? 1 : 2;\n}\n"
    (tmp_path / "mode.c").write_text(f"{product}\n{small}")
    assert cli.main(["generate", "mode.c:small", "-c", "branch", "-q", "--json", "r.json"]) == 0
    assert cli.main(["explain", "r.json", "small:branch:+3*:true"]) == 0
    assert [each for each in clauses(capsys.readouterr().out) if not each.startswith("1:")] == [
        "3: `n > 4` is false",
        "5: `fact(n) > 24` is true (asked for)",
    ]


def test_the_report_knows_its_command(folder):
    (unit,) = json.loads((folder / "r.json").read_text())["units"]
    assert unit["command"] == [
        "generate", "mode.c:mode", "-c", "branch,cacc", "--assume", "gear < 9", "--input", "name=string 50, not-null",
        "--", "-DX=1",
    ]  # fmt: skip
