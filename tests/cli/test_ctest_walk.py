"""The walk of docs/how-to/ctest.md, from `git clone` to CTest: the commands of the page, with every framework that is here.

The suites are generated once, in all formats, and built in one go; each framework has a test that looks at its own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed_frameworks import unity_folder, why_missing

from tightrope import cli

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "ctest.md"
FORMATS = ("plain", "unity", "cmocka", "cmocka-wrap", "check", "gtest")
FUNCTIONS = 7  # of the project
HASHES = re.compile(r'sha256:\w+|"source": "\w+"')  # of the written file, and of the file that is tested
CODE = re.compile(r"^(?!\s*(?:/\*)?\s*(?:line \d+: |and \d+ more)).*$", re.MULTILINE)


def commands() -> list[list[str]]:
    (block, *_) = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for line in block.splitlines()]


def start(words: list[str], folder: Path) -> str:
    unity = unity_folder()
    environment = {**os.environ, **({"UNITY": str(unity)} if unity else {})}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def make_repository(folder: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "pump", folder / "origin")
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "A pump"]):
        start(["git", *words], folder / "origin")
    return folder / "origin"


def walk(folder: Path, formats: str) -> Iterator[str]:
    """What the commands of the page print. Ours is called, not started."""
    origin = make_repository(folder)
    for words in commands():
        words = [str(origin) if word.startswith("https://") else word for word in words]
        if words[0] != "tightrope":
            yield start(words, folder)
            continue
        words[words.index("--format") + 1] = formats
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
            assert cli.main([*words[1:], "-q"]) == 0


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The project, and what CTest said of its tests."""
    missing = [name for name in ("git", "cmake", "ctest", "cc") if not shutil.which(name)]
    if missing:
        pytest.skip(f"{missing[0]} is not installed: the walk of the page is not tried")
    folder = tmp_path_factory.mktemp("walk")
    *_, said = walk(folder, ",".join(name for name in FORMATS if not why_missing(name)))
    return folder / "pump", said


def test_five_commands_are_enough() -> None:
    assert len(commands()) <= 5


@pytest.mark.parametrize("name", FORMATS)
def test_every_suite_of_the_framework_is_green(walked: tuple[Path, str], name: str) -> None:
    if why_missing(name):
        pytest.skip(why_missing(name))
    _, said = walked
    ending = "" if name == "plain" else f"_{name.replace('-', '_')}"
    results = re.findall(r"Test +#\d+: (test_\w+) \.+ +(\w+)", said)
    others = tuple(f"_{each.replace('-', '_')}" for each in FORMATS[1:])
    own = {test: result for test, result in results if (test.endswith(ending) if ending else not test.endswith(others))}
    assert len(own) == FUNCTIONS and set(own.values()) == {"Passed"}, said


def test_written_files_hold_no_path_of_this_machine(walked: tuple[Path, str]) -> None:
    project, _ = walked
    for file in (project / "tests").iterdir():
        assert not re.search(rf"{re.escape(str(project.parent))}|{re.escape(str(Path.home()))}/", file.read_text()), (
            file
        )


def test_comments_above_tests_are_short(walked: tuple[Path, str]) -> None:
    project, _ = walked
    found = 0
    for file in (project / "tests").glob("*.c*"):
        for comment in re.findall(
            r"/\*((?:(?!\*/).)*)\*/\n(?:static void test_|TIGHTROPE_TEST|void test_|START_TEST|TEST\()",
            file.read_text(),
            re.DOTALL,
        ):
            assert comment.count("\n") < 3, f"{file}: {comment}"
            found += 1
    assert found > FUNCTIONS


def test_a_comment_at_the_top_of_a_file_changes_nothing_but_places(walked: tuple[Path, str], monkeypatch) -> None:
    project, _ = walked
    ignored = shutil.ignore_patterns("tests", "build", ".git")
    other = shutil.copytree(project, project.parent / "other" / "pump", ignore=ignored)
    for file in (other / "src").glob("*.c"):
        file.write_text(f"/* One line more. */\n{file.read_text()}")
    start(["cmake", "-S", "pump", "-B", "pump/build"], other.parent)
    monkeypatch.chdir(other.parent)
    formats = ",".join(name for name in FORMATS if not why_missing(name))
    assert cli.main(["generate", "pump/src", "-q", "-o", "pump/tests", "--format", formats, "--build", "cmake"]) == 0
    names = sorted(file.name for file in (project / "tests").iterdir())
    assert names == sorted(file.name for file in (other / "tests").iterdir())
    for name in names:
        before, after = (HASHES.sub("", (each / "tests" / name).read_text()) for each in (project, other))
        assert CODE.findall(before) == CODE.findall(after), name
        assert re.sub(r"\bline \d+", "", before) == re.sub(r"\bline \d+", "", after), name
