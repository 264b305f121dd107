"""The bundled compiler on real C: flags, messages, folders, programs."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from llvmlite import binding

from tightrope.errors import CompileError, LinkError, ToolchainError, UnknownFlagError, UsageError
from tightrope.location import Location
from tightrope.source.compilation_database import read_database
from tightrope.source.compile import compile_to_bitcode, compile_to_object, drop_unknown_flags, link_program
from tightrope.source.flags import Flags, sort_flags
from tightrope.source.toolchain import Compiler, find_compiler

ZIG = find_compiler(None, {})
BOTH = "int both(int a, int b) { if (a > 3 && b) return 1; return 0; }\n"


def ir(source: Path | str, flags=(), **rest) -> str:
    return str(binding.parse_bitcode(compile_to_bitcode(ZIG, source, flags, **rest)))


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    (tmp_path / "unit.c").write_text(BOTH)
    return tmp_path / "unit.c"


def test_the_bitcode_is_what_the_design_asks_for(unit):
    text = ir(unit)
    assert text.count("br i1") == 2, "one branch per condition"
    assert "%a.addr = alloca i32" in text, "unoptimised, with names"
    assert "!DILocation" in text, "with debug information"
    assert "optnone" not in text, "passes may run on it"
    assert "ubsan" not in text and "stack_chk" not in text
    assert '"target-cpu"="x86-64"' in text or "aarch64" in text


def test_the_users_flags_hold_but_not_their_optimisation():
    source = "#ifdef NDEBUG\n#error NDEBUG\n#endif\nint f(int a) { return a + N; }\n"
    text = ir(source, sort_flags(["-O2", "-DN=41", "-g0", "-Werror"]).kept)
    assert "add nsw" not in text and "41" in text
    assert "alloca" in text


def test_signed_overflow_wraps():
    assert "nsw" not in ir("int f(int a) { return a + 1; }", ["-ftrapv"])


def test_same_text_same_ir():
    one, other = (ir("#include <stddef.h>\n" + BOTH).split("\n", 2)[2] for _ in range(2))
    assert one == other, "but for the lines that name the file"


def test_an_error_is_the_compilers_own_with_caret(unit, tmp_path):
    unit.write_text("int f(int a) {\n  return b;\n}\n")
    with pytest.raises(CompileError) as caught:
        compile_to_bitcode(ZIG, unit)
    assert caught.value.location == Location(str(unit), 2, 10)
    assert f"{unit}:2:10: error: use of undeclared identifier 'b'\n    2 |   return b;\n      |          ^" in str(
        caught.value
    )
    assert sorted(file.name for file in tmp_path.iterdir()) == ["unit.c"], "nothing is left behind"


def test_an_error_in_a_text_names_the_text():
    with pytest.raises(CompileError, match=r"^driver\.c does not compile.*\ndriver\.c:1:22: error"):
        compile_to_bitcode(ZIG, "int f(int a){return a}")


def test_warnings_are_told_to_whoever_listens(capfd):
    heard: list[str] = []
    source = "int f(int a) { return g(a); }\n"
    compile_to_bitcode(ZIG, source, on_warning=heard.append)
    assert "driver.c:1:23: warning: call to undeclared function 'g'" in heard[0]
    compile_to_bitcode(ZIG, source)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("flag", ["-fnope", "--nope", "-mfoo", "-std=zzz"])
def test_a_flag_that_it_does_not_know(unit, flag):
    with pytest.raises(UnknownFlagError) as caught:
        compile_to_bitcode(ZIG, unit, sort_flags([flag]).kept)
    assert (caught.value.flag, caught.value.exit_code) == (flag, 2)


def test_flags_of_another_compiler_can_be_thinned_out():
    flags = drop_unknown_flags(ZIG, Flags(("-DX", "-fnope", "-mfoo", "-DY")))
    assert flags.kept == ("-DX", "-DY")
    assert [each.flag for each in flags.worth_saying] == ["-fnope", "-mfoo"]
    missing = Flags(("-include", "missing.h"))
    assert drop_unknown_flags(ZIG, missing) == missing, "that is for the real compile to say"


def test_every_flag_that_sorting_keeps_for_x86_is_known():
    words = "-ansi -std=gnu11 -fshort-enums -funsigned-char -fpack-struct=1 -fPIC -fno-common -fms-extensions -fno-plt"
    more = "-ffreestanding -fno-builtin -fvisibility=hidden -ftrivial-auto-var-init=zero -fgnu89-inline -pthread"
    assert drop_unknown_flags(ZIG, sort_flags((words + " " + more).split())).dropped == ()


def test_the_header_for_users(tmp_path):
    source = "#include <tightrope.h>\nint f(int a) {\n  TIGHTROPE_ASSUME(a > 1 && a < 4);\n  return a;\n}\n"
    assert "call void @tightrope_assume(i1" in ir(source)
    (tmp_path / "unit.c").write_text(source + "int main(void) { return f(0); }")
    link_program(ZIG, [tmp_path / "unit.c"], Flags(), tmp_path / "run")
    assert subprocess.run([tmp_path / "run"], check=False).returncode == 0, "elsewhere it says nothing"


def test_a_database_entry_compiles_in_its_own_folder(tmp_path, unit):
    build = tmp_path / "build"
    build.mkdir()
    (build / "made.h").write_text("#define MADE 7\n")
    unit.write_text('#include "made.h"\nint f(int a) { return a == MADE; }\n')
    line = "gcc -I. -O2 -fipa-pta -fno-such-thing -MD -MF x.d -o x.o -c ../unit.c"
    entry = {"directory": str(build), "file": "../unit.c", "command": line}
    (build / "compile_commands.json").write_text(json.dumps([entry]))
    (command,) = read_database(build).find(unit)
    flags = drop_unknown_flags(ZIG, command.flags, working_directory=command.directory)
    assert [each.flag for each in flags.worth_saying] == ["-fipa-pta", "-fno-such-thing"]
    assert "icmp eq i32" in ir(unit, flags.kept, working_directory=command.directory)
    assert sorted(file.name for file in build.iterdir()) == ["compile_commands.json", "made.h"]


def test_nothing_piles_up_in_the_compilers_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    for number in range(3):
        compile_to_object(ZIG, f"int f(void) {{ return {number}; }}")
    assert not list(tmp_path.rglob("*.o"))


def test_an_object():
    assert compile_to_object(ZIG, BOTH)[:4] in (b"\x7fELF", b"\xcf\xfa\xed\xfe")


def test_a_program_links_quickly_even_when_nothing_is_cached(tmp_path, monkeypatch):
    """Without -nostdlib, zig would first build its runtime library: 4 to 18 seconds."""
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path / "zig"))
    (tmp_path / "p.c").write_text(
        '#include <stdio.h>\n#include <math.h>\nint main(int n, char **v) { printf("%g", sqrt(n * 4)); }'
    )
    link_program(ZIG, [tmp_path / "p.c"], Flags(), tmp_path / "run")
    assert subprocess.run([tmp_path / "run"], capture_output=True, check=False).stdout == b"2"
    assert not list((tmp_path / "zig").rglob("libcompiler_rt*"))


def test_a_program_that_needs_the_runtime_library(tmp_path):
    (tmp_path / "p.c").write_text("int main(int n, char **v) { __int128 big = n; return (int)(big * 7 / n) != 7; }")
    link_program(ZIG, [tmp_path / "p.c"], Flags(), tmp_path / "run")
    assert subprocess.run([tmp_path / "run"], check=False).returncode == 0


def test_a_program_of_a_file_and_an_object(tmp_path, unit):
    (tmp_path / "unit.o").write_bytes(compile_to_object(ZIG, unit))
    (tmp_path / "p.c").write_text("int both(int, int);\nint main(void) { return both(4, 1); }")
    link_program(ZIG, [tmp_path / "p.c"], sort_flags([str(tmp_path / "unit.o")]), tmp_path / "run")
    assert subprocess.run([tmp_path / "run"], check=False).returncode == 1


def test_a_program_that_misses_something(tmp_path, unit):
    with pytest.raises(LinkError, match="undefined symbol: main"):
        link_program(ZIG, [unit], Flags(), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    unit.write_text("int main(void) { return 0; }")
    with pytest.raises(UsageError, match="cannot write"):
        link_program(ZIG, [unit], Flags(), tmp_path / "missing" / "run")


@pytest.mark.parametrize("home", [None, "file", "/proc/1/nowhere"])
def test_it_works_where_nothing_can_be_written(unit, tmp_path, monkeypatch, home):
    """No HOME, one below a file, one in /proc (where zig would wait for ever), and a read-only current folder."""
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", str(tmp_path / home))
    monkeypatch.chdir("/proc" if os.path.isdir("/proc") else "/")
    assert "define" in ir(unit, time_limit=30.0)


def test_a_compiler_that_takes_too_long_or_crashes(unit, tmp_path):
    for name, line, complaint in (("slow", "sleep 60", "longer than 0.2 s"), ("bad", "kill -ABRT $$", "signal 6")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
        with pytest.raises(CompileError, match=complaint):
            compile_to_bitcode(Compiler((str(tmp_path / name),), "clang", "19", False), unit, time_limit=0.2)


def test_a_compiler_or_folder_that_is_gone(unit, tmp_path):
    with pytest.raises(ToolchainError, match="cannot be started"):
        compile_to_bitcode(Compiler((str(tmp_path / "gone"),), "clang", "19", False), unit)
    with pytest.raises(UsageError, match="there is no such folder"):
        compile_to_bitcode(ZIG, unit, working_directory=tmp_path / "gone")
