"""Whole programs on the command line: what is written, and where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tightrope import cli

DRAWS = """\
extern int __VERIFIER_nondet_int(void);
static int helper(int x) { return x > 7; }
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        return 1;
    return helper(x);
}
"""
READS = """\
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char byte = 0;
    if (argc == 2 && argv[1][0] == '0')
        return read(0, &byte, 1) == 1 && byte == 'x' ? 1 : 2;
    return getchar() == 'y' && getchar() == EOF ? 3 : 4;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    (tmp_path / "draws.c").write_text(DRAWS)
    (tmp_path / "reads.c").write_text(READS)
    return tmp_path


def generate(*words: str) -> int:
    return cli.main(["generate", *words, "--criterion", "branch", "--quiet", "--output", "out"])


def written(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((folder / "out" / "test_draws_main-testcomp").iterdir())}


def test_the_same_program_gives_the_same_bytes_and_no_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert generate("draws.c:main", "--format", "testcomp") == 0
    first = written(folder)
    assert generate("draws.c:main", "--format", "testcomp") == 0
    assert written(folder) == first
    assert "<creationtime>1970-01-01T00:00:00Z</creationtime>" in first["metadata.xml"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert generate("draws.c:main", "--format", "testcomp") == 0
    assert "<creationtime>2023-11-14T22:13:20Z</creationtime>" in written(folder)["metadata.xml"]


def test_a_suite_for_the_competition_is_about_the_whole_program(folder: Path) -> None:
    assert generate("draws.c:main", "--format", "testcomp") == 0
    texts = "".join(written(folder).values())
    assert "x == 5 is true" in texts and '<input type="int">5</input>' in texts


def test_tests_of_an_earlier_suite_do_not_stay(folder: Path) -> None:
    assert generate("draws.c:main", "--format", "testcomp") == 0
    place = folder / "out" / "test_draws_main-testcomp"
    (place / "main_old.xml").write_text((place / "metadata.xml").read_text())
    (place / "mine.xml").write_text("<mine/>\n")
    assert generate("draws.c:main", "--format", "testcomp") == 0
    assert "mine.xml" in written(folder) and "main_old.xml" not in written(folder)


def test_a_file_of_the_user_is_in_the_way(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder / "out" / "test_draws_main-testcomp"
    place.mkdir(parents=True)
    (place / "metadata.xml").write_text("<mine/>\n")
    assert generate("draws.c:main", "--format", "testcomp") == 2
    assert "was not written by Tightrope" in capsys.readouterr().err


def test_written_tests_give_arguments_and_input_to_the_program(folder: Path) -> None:
    assert generate("reads.c:main", "--input", "stdin = array 3") == 0
    command = [sys.executable, "-m", "ziglang", "cc", "-std=c11", "-fno-sanitize=undefined", "-o", "tests"]
    subprocess.run([*command, "out/test_reads_main.c"], check=True)
    done = subprocess.run(["./tests"], input="not this", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\nok ") >= 4 and "not ok" not in done.stdout
