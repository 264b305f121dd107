"""`tightrope doctor`: what was found and what is missing, in words that help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope import cli


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CC", raising=False)
    (tmp_path / ".git").mkdir()
    return tmp_path


def doctor(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = cli.main(["doctor", *words])
    return code, capsys.readouterr().out


def test_the_machine(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    code, shown = doctor(capsys)
    assert code == 0
    for word in (
        "compiler",
        "headers",
        "LLVM",
        "solver",
        "bitwuzla",
        "judges",
        "cores",
        "memory",
        "trial",
        "confirmed",
    ):
        assert word in shown
    assert shown.rstrip().endswith("Tests can be generated.")
    columns = {line.index(word) for line, word in _second_words(shown)}
    assert len(columns) == 1, "findings stand below each other"


def _second_words(shown: str) -> list[tuple[str, str]]:
    lines = [line for line in shown.splitlines() if line.startswith("  ") and line[2] != " "]
    return [(line, line.split(maxsplit=1)[1]) for line in lines]


def test_a_file_that_compiles(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    (in_folder / "x.c").write_text("int helper(int); int f(int a) { return helper(a) > 3; }")
    (in_folder / "y.c").write_text("int helper(int a) { return a; }")
    flags = "-O2 -Wall -march=native -fsanitize=address -flto -DX='a b' -fanalyzer"
    rows = [{"directory": ".", "file": file, "command": f"gcc {flags} -c {file}"} for file in ("x.c", "y.c")]
    (in_folder / "compile_commands.json").write_text(json.dumps(rows))
    code, shown = doctor(capsys, "x.c")
    assert code == 0
    assert "from compile_commands.json (found" in shown
    assert "kept       '-DX=a b'" in shown
    for flag in ("-march=native", "-fsanitize=address", "-flto", "-fanalyzer"):
        assert flag in shown
    assert "functions  1: f" in shown
    assert "calls      helper in y.c" in shown
    assert "Tests can be generated for x.c." in shown


def test_missing_headers_are_all_named_with_a_cure(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    (in_folder / "inc").mkdir()
    (in_folder / "inc" / "near.h").touch()
    (in_folder / "config.h.in").touch()
    headers = ["near.h", "config.h", "cmocka.h", "who_knows_what.h"]
    (in_folder / "x.c").write_text("".join(f'#include "{header}"\n' for header in headers) + "int x;")
    code, shown = doctor(capsys, "x.c")
    assert code == 4
    assert "add `-- -I inc`" in shown
    assert "configure the project first" in shown
    assert "libcmocka-dev" in shown or Path("/usr/include/cmocka.h").exists()
    assert "who_knows_what.h" in shown
    assert "No tests can be generated yet: see the lines in red about x.c." in shown
    assert doctor(capsys, "x.c", "--", "-Iinc")[1].count("near.h") == 0


def test_c_that_is_wrong(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    (in_folder / "x.c").write_text("int f( { return 1; }")
    code, shown = doctor(capsys, "x.c")
    assert code == 4
    assert "compiles   no" in shown
    assert "x.c:1:8: error:" in shown


def test_32_bits(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    (in_folder / "x.c").write_text("int x;")
    code, shown = doctor(capsys, "x.c", "--", "-m32")
    assert code == 4
    assert "64-bit process, which cannot run it" in shown


def test_a_wrong_compiler(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    code, shown = doctor(capsys, "--cc", "no-such-clang")
    assert code == 2
    assert "`no-such-clang` cannot be run" in shown
    assert "No tests can be generated yet: see the lines in red about this machine." in shown


def test_for_machines(in_folder: Path, capsys: pytest.CaptureFixture[str]):
    code, shown = doctor(capsys, "--json", "-")
    assert code == 0
    rows = json.loads(shown)["findings"][0]["rows"]
    assert {row["grade"] for row in rows} <= {"good", "note"}
    assert "trial" in {row["topic"] for row in rows}
