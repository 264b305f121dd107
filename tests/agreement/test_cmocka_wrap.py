"""Stubs as mocks of CMocka: the suite passes, and fails where the unit asks more or less often, or gets it wrong."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from installed_frameworks import why_missing

from tightrope import cli

UNIT = """\
int next(void);
long long wide(int which);
double scale(void);
int copy(int *to);
void note(int what);
void stop(int why) __attribute__((noreturn));

int take(int limit)
{
    int sum = 0, more = 0;
    while (next() > 3 && sum < 6)
        sum++;
    if (wide(sum) == -5000000000)
        sum += 100;
    if (scale() > 0.5)
        sum += 1000;
    if (copy(&more) == -1 && more == 7)
        note(sum);
    if (limit == 9)
        stop(1);
    return sum;
}
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if why_missing("cmocka-wrap") or not shutil.which("gcc"):
        pytest.skip(why_missing("cmocka-wrap") or "without gcc, nothing is built")
    folder = tmp_path_factory.mktemp("wrap")
    (folder / "take.c").write_text(UNIT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
        words = ["generate", str(folder / "take.c"), "-q", "-o", str(folder / "tests"), "--build", "make"]
        assert cli.main([*words, "-c", "branch", "--format", "cmocka-wrap"]) == 0
    return folder


def run(folder: Path) -> tuple[int, str]:
    words = ["make", "-s", "-B", "CC=gcc -w", "test"]
    done = subprocess.run(words, cwd=folder / "tests", capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_answers_are_said_with_will_return(suite: Path) -> None:
    text = (suite / "tests/test_take_cmocka_wrap.c").read_text()
    assert "will_return(__wrap_next, " in text and "will_return(__wrap_wide, -5000000000" in text
    assert "int __wrap_copy(int *argument_1)" in text and "void __wrap_note(" in text
    assert "tightrope_answers_next" not in text and "tightrope_answers_scale" in text  # a float cannot be carried
    assert "-Wl,--wrap=next" in text and " \n" not in text


def test_the_suite_passes(suite: Path) -> None:
    status, said = run(suite)
    assert status == 0, said
    assert "[  PASSED  ]" in said


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("int sum = 0,", "int sum = next() * 0,"),  # asks once more
        ("if (wide(sum) == -5000000000)", "if (sum == 77)"),  # does not ask
        ("sum < 6", "sum < 5"),
        ("more == 7", "more != 7"),
        ("limit == 9", "limit == 8"),
    ],
)
def test_a_fault_is_found(suite: Path, tmp_path: Path, right: str, wrong: str) -> None:
    changed = shutil.copytree(suite, tmp_path / "changed")
    text = (changed / "take.c").read_text()
    assert right in text
    (changed / "take.c").write_text(text.replace(right, wrong))
    status, said = run(changed)
    assert status != 0 and "FAILED" in said, said
