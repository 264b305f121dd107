"""Unsupported code is rejected with its name and its line: each C file of refused/ says where and what, with a
comment `// expect refused: NAME`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tightrope import cli

PROGRAMS = sorted((Path(__file__).parent / "refused").glob("*.c"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.stem)
def test_refused(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    ((number, name),) = [
        (n, found[1]) for n, line in enumerate(lines, 1) if (found := re.search("refused: (.*)", line))
    ]
    function = lines[0].removeprefix("// function: ")
    assert cli.main(["generate", f"{program}:{function}", "--quiet", "-o", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"{program.name}:{number}:" in said
    assert name in said and "help: " in said
    assert not list(tmp_path.iterdir())
