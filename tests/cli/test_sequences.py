"""Sequences on the command line: how they are written, what the tests show, and how they are measured and explained."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tightrope import cli

ROOT = Path(__file__).parents[2]
LAMP = """\
static int is_on, presses;

void lamp_init(void)
{
    is_on = 0;
    presses = 0;
}

int lamp_press(int seconds)
{
    if (seconds > 2)
        return presses;
    is_on = !is_on;
    presses++;
    if (presses == 3)
        return -1;
    return is_on;
}

int twice(int x) { return 2 * x; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    (tmp_path / "lamp.c").write_text(LAMP)
    return tmp_path


def generate(*words: str) -> int:
    return cli.main(["generate", "lamp.c", *words, "-c", "branch", "--quiet", "-o", "out", "--json", "report.json"])


def unit() -> dict:
    (found,) = json.loads(Path("report.json").read_text())["units"]
    return found


def test_tests_show_the_calls_in_order_and_what_each_returned(folder: Path) -> None:
    assert generate("--sequence", "lamp_init; lamp_press*5") == 0
    found = unit()
    assert found["sequence"] == "lamp_init; lamp_press*5"
    assert {row["verdict"] for row in found["objectives"]} == {"covered"}
    text = (folder / "out" / "test_lamp_sequence_lamp_init_lamp_press.c").read_text()
    assert "tests of `lamp_init; lamp_press*5` in lamp.c" in text
    first = text[text.index("\nstatic void test_") :].partition("{\n")[2].partition("\n}")[0].splitlines()
    assert first[0] == "    lamp_init();"
    calls = first[1 : first.index("")]
    assert [line.partition("(")[0].strip() for line in calls[:4]] == [
        "int lamp_press_1 = lamp_press",
        "EXPECT_INT",
        "int lamp_press_2 = lamp_press",
        "EXPECT_INT",
    ]
    assert max(test["inputs"]["calls"] for test in found["tests"]) <= 4, "a call that is not needed is left out"
    assert all("lamp_press_5_seconds" not in test["inputs"] for test in found["tests"])
    suite = "out/test_lamp_sequence_lamp_init_lamp_press.c"
    subprocess.run(["cc", "-std=c11", "-fwrapv", "-o", "lamp", suite], check=True)
    assert subprocess.run(["./lamp"], check=False, capture_output=True).returncode == 0


def test_auto_finds_functions_that_share_variables(folder: Path) -> None:
    assert generate("--sequence", "auto", "--max-runs", "50") == 0
    assert unit()["sequence"] == "lamp_init; lamp_press*8"


def test_the_spec_file_may_hold_sequences(folder: Path) -> None:
    (folder / "tightrope.toml").write_text('sequence = "lamp_press*2"\n[function.lamp_press]\nassume = "seconds > 2"\n')
    assert generate() == 0
    assert unit()["sequence"] == "lamp_press*2"
    assert {row["id"]: row["verdict"] for row in unit()["objectives"]}["lamp_press:branch:+2.17:false"] == "infeasible"
    assert "lamp_press_2_seconds > 2" in unit()["assumptions"]


def test_written_tests_and_inputs_are_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate("--sequence", "lamp_press*4", "--format", "plain,json") == 0
    for end, words in (("c", ()), ("json", ("--sequence", "lamp_press*4"))):
        suite = f"out/test_lamp_sequence_lamp_press.{end}"
        assert cli.main(["measure", "lamp.c", "-c", "branch", "--suite", suite, *words]) == 0
        assert "branch 4/4 covered" in capsys.readouterr().out.replace("  ", " ")


def test_what_more_calls_may_cover_is_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate("--sequence", "lamp_press*2") == 0
    (row,) = [each for each in unit()["objectives"] if each["verdict"] == "unknown"]
    assert (row["reason"], row["option"]) == ("more_calls", "--sequence")
    assert "within `lamp_press*2`" in row["why"]
    assert cli.main(["explain", "report.json", row["id"]]) == 0
    assert "--sequence 'lamp_press*4'" in capsys.readouterr().out


def test_inputs_shows_the_first_call_of_each_function(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inputs", "lamp.c", "--sequence", "lamp_init; lamp_press*3"]) == 0
    shown = capsys.readouterr().out
    assert "lamp_press_1_seconds" in shown
    assert "lamp_press_2_seconds" not in shown
    assert "the inputs of lamp_press_2 to lamp_press_3 are like those of lamp_press_1" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sequence", "lamp_init; 3"), "`3` is not a call in a sequence"),
        (("--sequence", "lamp_press*0"), "a call can be repeated 1 to 256 times"),
        (("--sequence", "lamp_pres*2"), "no function `lamp_pres` is defined in lamp.c"),
        (("-f", "twice", "--sequence", "lamp_press*2"), "`twice` is not the name of a sequence"),
        (("--sequence", "lamp_press*2", "--format", "testcomp"), "cannot be combined with --format testcomp"),
    ],
)
def test_what_is_no_sequence_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert generate(*words) in (2, 5)
    assert message in capsys.readouterr().err


def test_auto_says_when_nothing_is_shared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lamp.c").write_text("int twice(int x) { return 2 * x; }\n")
    assert generate("--sequence", "auto") == 5
    assert "share variables that keep their values" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "sequence", "infeasible"),
    [("debounce", "debounce*8", 1), ("ring_buffer", "auto", 0), ("door", "door_step*12", 6)],
)
def test_every_objective_of_the_examples_is_decided(folder: Path, name: str, sequence: str, infeasible: int) -> None:
    source = str(ROOT / "examples" / f"{name}.c")
    words = ["--sequence", sequence, "-c", "mcdc,branch", "--max-runs", "5000", "--no-confirm"]
    assert cli.main(["generate", source, *words, "--quiet", "-o", "out", "--json", "report.json"]) == 0
    verdicts = [row["verdict"] for row in unit()["objectives"]]
    assert (verdicts.count("unknown"), verdicts.count("infeasible")) == (0, infeasible)
