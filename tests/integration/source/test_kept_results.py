"""Recorded calls and kept results of the compiler: the same bytes as by its driver, and never those of another text."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tightrope.errors import CompileError
from tightrope.program.ir.read_ir import raw_text
from tightrope.source import compile_request, recorded_calls
from tightrope.source.compile import compile_to_bitcode, compile_to_object, link_program
from tightrope.source.flags import Flags
from tightrope.source.preprocess import dump_syntax, preprocess
from tightrope.source.process import Finished, run_command
from tightrope.source.toolchain import find_compiler, says_what_it_calls

COMPILER = find_compiler(None)
pytestmark = pytest.mark.skipif(not says_what_it_calls(COMPILER), reason="this compiler is called by its driver only")

TEXT = (
    '#include <stddef.h>\n#include "size.h"\nchar memory[SIZE];\nint f(size_t at) { return at < SIZE && memory[at]; }\n'
)


class Calls(list[str]):
    """What was started: `cc` (the driver), `clang` or `ld.lld`."""

    def since(self) -> list[str]:
        found = list(self)
        self.clear()
        return found


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Calls]:
    """With an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(recorded_calls, "_known", {})
    found = Calls()

    def run(command: tuple[str, ...], **rest: object) -> Finished:
        found.append(command[1] if "-###" not in command else "-###")
        return run_command(command, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(compile_request, "run_command", run)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "a folder"
    (made / "first").mkdir(parents=True)
    (made / "second").mkdir()
    (made / "second" / "size.h").write_text("#define SIZE 7\n")
    return made


def code_of(bitcode: bytes) -> str:
    """Without the name of the temporary file."""
    return "\n".join(line for line in raw_text(bitcode).splitlines() if not line.startswith("source_filename"))


def flags(folder: Path) -> tuple[str, ...]:
    return ("-I", str(folder / "first"), f"-I{folder / 'second'}")


def test_a_recorded_call_writes_the_same_bytes_as_the_driver(
    calls: Calls, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_all() -> list[str]:
        return [
            code_of(compile_to_bitcode(COMPILER, TEXT, flags(folder))),
            code_of(compile_to_bitcode(COMPILER, TEXT, flags(folder), working_directory=folder, is_optimised=True)),
            preprocess(COMPILER, TEXT, flags(folder)),
            dump_syntax(COMPILER, TEXT, "f", flags(folder)).replace("0x", ""),
        ]

    quick = make_all()
    assert calls.since() == ["-###", "clang"] * 4
    for asks in ("find_call", "recall_call"):
        monkeypatch.setattr(compile_request, asks, lambda *words: None)
    slow = make_all()
    assert calls.since() == ["cc"] * 4
    assert quick[:3] == slow[:3]
    assert quick[3].count('"kind"') == slow[3].count('"kind"') > 5  # the rest are addresses in the compiler


def test_a_call_is_recorded_once_for_all_files(calls: Calls, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, place in enumerate((folder, folder / "first", None)):
        compile_to_bitcode(COMPILER, f"int x = {number};", working_directory=place, name=f"x{number}.c")
    assert calls.since() == ["-###", "clang", "clang", "clang"]
    monkeypatch.setattr(recorded_calls, "_known", {})  # as in another process
    compile_to_bitcode(COMPILER, "int x = 9;")
    assert calls.since() == ["clang"]


def test_the_same_text_is_compiled_once(calls: Calls, folder: Path) -> None:
    first = compile_to_bitcode(COMPILER, TEXT, flags(folder))
    calls.since()
    assert compile_to_bitcode(COMPILER, TEXT, flags(folder)) == first
    assert calls.since() == []


def test_what_is_kept_needs_no_folder(calls: Calls, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compile_to_bitcode(COMPILER, TEXT, flags(folder))
    monkeypatch.setattr(compile_request, "temporary_folder", lambda: pytest.fail("a folder was created"))
    assert compile_to_bitcode(COMPILER, TEXT, flags(folder)) == first


@pytest.mark.parametrize("change", ["text", "header", "shadow", "own folder", "flag", "removed"])
def test_another_text_is_compiled_again(calls: Calls, folder: Path, change: str) -> None:
    """`shadow`: a header appears in a folder that is searched before the one where it was found."""
    text, words = TEXT, flags(folder)
    if change == "own folder":
        (folder / "unit.c").write_text(TEXT)
        text = f'#include "{folder}/unit.c"\n'
    first = compile_to_bitcode(COMPILER, text, words)
    if change == "text":
        text = text.replace("at < SIZE", "at <= SIZE")
    elif change == "header":
        (folder / "second" / "size.h").write_text("#define SIZE 8\n")
    elif change == "shadow":
        (folder / "first" / "size.h").write_text("#define SIZE 8\n")
    elif change == "own folder":
        (folder / "size.h").write_text("#define SIZE 8\n")
    elif change == "flag":
        words = (*words, "-DSIZE=8", "-Dmemory=store")
    else:
        (folder / "second" / "size.h").unlink()
        with pytest.raises(CompileError, match="does not compile"):
            compile_to_bitcode(COMPILER, text, words)
        return
    assert code_of(compile_to_bitcode(COMPILER, text, words)) != code_of(first)


@pytest.mark.parametrize("asks", ['__has_include("first.h")', "__TIME__[0]", "__DATE__[0]"])
def test_what_depends_on_more_than_files_is_not_kept(calls: Calls, folder: Path, asks: str) -> None:
    text = f"int x =\n#if {asks}\n1\n#endif\n0;" if "include" in asks else f"int f(void) {{ return {asks}; }}"
    for _ in range(2):
        compile_to_bitcode(COMPILER, text, flags(folder))
        assert "clang" in calls.since()


def test_a_damaged_cache_only_costs_time(calls: Calls, folder: Path, tmp_path: Path, monkeypatch) -> None:
    first = code_of(compile_to_bitcode(COMPILER, TEXT, flags(folder)))
    for file in (each for each in (tmp_path / "cache" / "tightrope").rglob("*") if each.is_file()):
        file.write_bytes(file.read_bytes()[:-3] + b"???")
    monkeypatch.setattr(recorded_calls, "_known", {})
    calls.since()
    assert code_of(compile_to_bitcode(COMPILER, TEXT, flags(folder))) == first
    assert calls.since() == ["-###", "clang"]


def test_messages_are_those_of_the_driver(calls: Calls, folder: Path) -> None:
    with pytest.raises(CompileError) as wrong:
        compile_to_bitcode(COMPILER, "int x = y;", name="wrong.c")
    assert calls.since() == ["-###", "clang", "cc"]
    assert "wrong.c:1:9: error: use of undeclared identifier 'y'" in wrong.value.diagnostics
    said: list[str] = []
    file = folder / "loop.c"
    file.write_text("int f(int x) { for (; x < 9; x++); return x; }\n")
    for _ in range(2):  # what is said is not kept, so it is said again
        compile_to_bitcode(COMPILER, file, on_warning=said.append)
    assert len(said) == 2
    assert said[0] == said[1]
    assert "warning: for loop has empty body" in said[0]


def test_a_program_is_linked_from_kept_parts(calls: Calls, tmp_path: Path) -> None:
    source, helper = tmp_path / "main.c", tmp_path / "helper.o"
    source.write_text("int helper(void);\nint main(void) { return helper(); }\n")
    for status, expected in ((3, ["-###", "clang", "-###", "ld.lld"]), (3, []), (4, ["ld.lld"])):
        text = f"int helper(void) {{ return {status}; }}"
        helper.write_bytes(compile_to_object(COMPILER, text, is_optimised=False))
        calls.since()
        link_program(COMPILER, [source, helper], Flags(), tmp_path / "program", are_movable=True)
        assert calls.since() == expected
        assert subprocess.run([tmp_path / "program"], check=False).returncode == status


def test_a_program_that_needs_more_is_linked_by_the_driver(calls: Calls, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int missing(void);\nint main(void) { return missing(); }\n")
    with pytest.raises(CompileError, match="does not link") as wrong:
        link_program(COMPILER, [source], Flags(), tmp_path / "program")
    assert "missing" in wrong.value.diagnostics
    assert calls.since()[-1] == "cc"
    assert not (tmp_path / "program").exists()
