"""The pages say what is so: made pages are current, and every example prints what the page shows.

Commands of ours are called, not started: a process of its own would take longer than most of them do.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from documents import Command, SavedFile, Session, agree, scrub, steps
from imports import ROOT

from tightrope import cli

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "examples" / "README.md"]
TOOLS = ("cat", "sed", "ls", "grep", "echo", "cp", "git")  # what else a page uses needs a compiler, or a shell


def test_pages_made_from_the_code_are_current():
    file = ROOT / "docs" / "make_reference.py"
    spec = importlib.util.spec_from_file_location("make_reference", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = ((module.FOLDER, module.pages()), (module.SCHEMAS, module.schemas()))
    files = [(folder / name, text) for folder, texts in made for name, text in texts.items()]
    old = [file for file, text in files if file.read_text(encoding="utf-8") != text]
    assert not old, "make docs"


@pytest.mark.usefixtures("not_counted_by_gcov")  # what it says is scrubbed
@pytest.mark.parametrize("page", [page for page in PAGES if list(steps(page))], ids=lambda page: page.stem)
def test_examples_of_the_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setenv("NO_COLOR", "1")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "reader")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "reader@example.org")
    known: dict[str, object] = {}  # to Python, session after session
    for step in steps(page):
        if isinstance(step, SavedFile):
            (tmp_path / step.name).write_text(step.text, encoding="utf-8")
        elif isinstance(step, Session):
            check_session(step, known, tmp_path)
        else:
            check(step, tmp_path, capfd)


def check(command: Command, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(command.words)
    words = demo() if words == ["make", "demo"] else words
    with contextlib.chdir(folder):
        if words[0] == "tightrope":
            cli.main(words[1:])
        elif words[0] in TOOLS:
            subprocess.run(words, check=False)
        else:
            return
    said = capfd.readouterr()
    printed = scrub(said.out) or scrub(said.err)
    assert agree(command.output, printed), "\n".join([f"$ {command.words}", *printed])


def check_session(session: Session, known: dict[str, object], folder: Path) -> None:
    examples = doctest.DocTestParser().get_doctest(session.text, known, "session", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    with contextlib.chdir(folder):
        runner.run(examples, out=said.append, clear_globs=False)
    known.update(examples.globs)
    assert runner.tries and not runner.failures, "".join(said)


def demo() -> list[str]:
    """The one command of `make demo`, as the Makefile has it."""
    recipe = re.search(r"^demo:.*\n\t@?\$\(BIN\)/(tightrope .*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return shlex.split(recipe[1].replace("$(BUILD)", "build"))


def test_a_page_is_read_as_its_reader_does():
    """A stand-in for the file is enough."""
    text = "Save it as `a.c`:\n\n```c\nint x;\n```\n\n```console\n$ tightrope a \\\n  b\none\n...\n$ ls\n```\n"
    text += "```python\n>>> 1\n1\n```\n\n```python\nx = 1\n```\n"

    class Page:
        def read_text(self, encoding):
            return text

    assert list(steps(Page())) == [
        SavedFile("a.c", "int x;\n"),
        Command("tightrope a   b", ("one", "...")),
        Command("ls", ()),
        Session(">>> 1\n1\n"),
    ]
    assert agree(("one", "...", "four"), ["one", "two", "three", "four"])
    assert not agree(("one", "four"), ["one", "two", "four"])
    assert scrub("1 test from 2 runs in 0.01 s\n  confirmed; gcov 12.2.0 counts x\n") == [
        "1 test from # runs in # s",
        "  confirmed",
    ]
