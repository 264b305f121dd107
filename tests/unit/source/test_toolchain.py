"""Compilers are played by shell scripts, so that every answer can be tried."""

import os
from pathlib import Path

import pytest

from tightrope.errors import ToolchainError
from tightrope.source.toolchain import (
    Compiler,
    compiler_environment,
    find_compiler,
    find_gcc,
    is_of_compiler,
    is_of_system,
    private_folder,
)

ZIG = Compiler(("zig", "cc"), "zig", "0.17.0", is_bundled=True)
CLANG = Compiler(("clang",), "clang", "19.1.7", is_bundled=False)


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """pretend("clang", "clang version 19.1.7") puts such a program on PATH."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def make(name: str, answer: str, status: int = 0) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
        (tmp_path / name).chmod(0o755)

    return make


def test_the_bundled_compiler_is_the_default():
    compiler = find_compiler(None, {})
    assert (compiler.kind, compiler.is_bundled, compiler.notes) == ("zig", True, ())
    assert compiler.version.startswith("0.17")


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ("Debian clang version 19.1.7 (3~deb12u1)", "19.1.7"),
        ("clang version 15.0.0", "15.0.0"),
        ("Apple clang version 16.0.0 (clang-1600.0.26.3)", "16.0.0"),
    ],
)
def test_a_clang_of_the_option_or_of_the_environment_is_used(pretend, answer, version):
    pretend("my-clang", answer)
    expected = Compiler(("my-clang",), "clang", version, is_bundled=False)
    assert find_compiler("my-clang", {}) == expected
    assert find_compiler(None, {"CC": "my-clang"}) == expected


@pytest.mark.parametrize(
    ("answer", "status", "complaint"),
    [
        ("gcc (Debian 12.2.0-14) 12.2.0", 0, "is not clang"),
        ("clang version 14.0.6", 0, "is clang 14; at least 15 is needed"),
        ("clang version 19.1.7", 1, "cannot be run"),
        ("", 0, "cannot be run"),
    ],
)
def test_an_unusable_compiler_is_an_error_of_the_option_and_a_note_for_the_environment(
    pretend, answer, status, complaint
):
    pretend("some-cc", answer, status)
    with pytest.raises(ToolchainError, match=f"--cc: `some-cc` {complaint}"):
        find_compiler("some-cc", {})
    compiler = find_compiler(None, {"CC": "some-cc"})
    assert compiler.is_bundled
    assert complaint in compiler.notes[0]


def test_a_clang_later_than_our_reader_gets_a_note(pretend):
    pretend("clang-30", "clang version 30.1.0")
    assert "newer than the LLVM" in find_compiler("clang-30", {}).notes[0]


def test_zig_by_name_is_treated_as_zig(pretend):
    pretend("zig", "clang version 22.1.8")
    assert find_compiler("zig cc", {}).kind == "zig"


@pytest.mark.parametrize("command", ["'", "   "])
def test_a_command_that_is_none(command):
    with pytest.raises(ToolchainError):
        find_compiler(command, {})


def test_gcc_needs_a_gcov_of_its_own_version(pretend):
    pretend("my-gcc", "my-gcc (Debian 12.2.0-14+deb12u1) 12.2.0")
    pretend("my-gcov", "gcov (Debian 12.2.0-14+deb12u1) 12.2.0")
    found = find_gcc("my-gcc")
    assert found is not None
    assert (Path(found.gcov).name, found.version) == ("my-gcov", "12.2.0")
    pretend("my-gcov", "gcov (GCC) 13.2.1 20240101 (Red Hat 13.2.1-6)")
    pretend("gcov-12", "gcov (GCC) 11.1.0")
    assert find_gcc("my-gcc") is None
    pretend("my-gcc", "gcc (GCC) 13.2.1 20240101 (Red Hat 13.2.1-6)")
    assert find_gcc("my-gcc") is not None
    pretend("my-gcc", "Apple clang version 16.0.0")
    assert find_gcc("my-gcc") is None
    assert find_gcc("no-such-gcc") is None


def test_zig_gets_a_cache_folder_that_can_be_written(tmp_path: Path):
    usual = compiler_environment(ZIG, {"HOME": str(tmp_path)})
    assert usual["ZIG_GLOBAL_CACHE_DIR"] == usual["ZIG_LOCAL_CACHE_DIR"] == f"{tmp_path}/.cache/zig"
    (tmp_path / "file").write_text("")
    for hopeless in ({}, {"HOME": str(tmp_path / "file")}, {"ZIG_GLOBAL_CACHE_DIR": str(tmp_path / "file")}):
        folder = compiler_environment(ZIG, hopeless)["ZIG_GLOBAL_CACHE_DIR"]
        assert os.access(folder, os.W_OK)
    assert compiler_environment(ZIG, {}, scratch=tmp_path)["ZIG_LOCAL_CACHE_DIR"] == str(tmp_path)
    assert compiler_environment(CLANG, {"A": "b"}) == {"A": "b"}


def test_a_private_folder_is_never_someone_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = private_folder("test")
    assert first == private_folder("test")
    assert first.stat().st_mode & 0o077 == 0
    first.rmdir()
    first.symlink_to(tmp_path)
    assert private_folder("test") != first


@pytest.mark.parametrize(
    "file",
    [
        "/usr/include/stdio.h",
        "/usr/local/include/lib.h",
        "/usr/lib/llvm-19/lib/clang/19/include/stdint.h",
        "/usr/lib64/clang/17/include/stdint.h",
        "/opt/llvm/lib/clang/14.0.6/include/stddef.h",
    ],
)
def test_a_header_of_the_machine_or_its_compiler(file: str):
    assert is_of_system(Path(file))


@pytest.mark.parametrize(
    "file",
    ["/proj/lib/clang/parse.h", "/proj/lib/clang/src/lex.c", "/proj/lib/clang/include/a.h", "/proj/ziglang/lib/a.h"],
)
def test_a_folder_of_the_user_with_the_name_of_one_of_a_compiler(file: str):
    assert not is_of_system(Path(file))
    assert not is_of_compiler(Path(file))


def test_headers_of_the_bundled_compiler_are_its_own():
    zig = Path(find_compiler(None, {}).command[0]).parent
    assert is_of_compiler(zig / "lib" / "include" / "stdint.h")
