"""compile_commands.json as builds write it: what the file needs is kept, what belongs to another compiler is not."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope.source.project import compile_by_recipe, find_project
from tightrope.source.toolchain import find_compiler

UNIT = """
#include <stdint.h>
#include "quoted.h"
#include <system.h>
#if !defined(FORCED) || WANTED != 3 || !defined(FROM_FILE) || !defined(MACROS)
#error a flag is lost
#endif
int f(int a) { int unused; return a > QUOTED + SYSTEM; }
"""
KEPT = "-DWANTED=3 -include forced.h -imacros macros.h -iquote quoted -isystem system @flags.txt"
OF_GCC = (
    "-O2 -g3 -Wall -Wextra -Werror -Wlogical-op -Wno-format-truncation -pedantic-errors -pipe -MD -MF x.d -MT x.o -MQ x.o "
    "-fplugin=annotate.so -fplugin-arg-annotate-level=3 -march=native -mtune=generic -flto=auto -ffat-lto-objects "
    "-fsanitize=address,undefined -fno-sanitize-recover -fstack-protector-strong -fcf-protection -fanalyzer "
    "-fno-ipa-sra --param=max-inline-insns-single=40 -fconserve-stack -Wp,-D_FORTIFY_SOURCE=2 -fprofile-arcs "
    "-ftest-coverage -fdiagnostics-color=always -grecord-gcc-switches -specs=/usr/lib/rpm/hardened -fopenmp -pthread "
    "-fvisibility=hidden -fno-common -fno-builtin-memcpy -mno-red-zone -fmerge-all-constants -fno-delete-null-pointer-checks "
    "-fnew-gcc-flag-of-2030 -Wnew-warning-of-2030"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, text in {
        "src/x.c": UNIT,
        "src/forced.h": "#define FORCED 1\n",
        "src/macros.h": "#define MACROS 1\n",
        "src/quoted/quoted.h": "#define QUOTED 1\n",
        "src/system/system.h": "#define SYSTEM 2\n",
        "src/flags.txt": "-DFROM_FILE '-DTEXT=\"a b\"'\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def compile_x(project: Path, words: list[str], style: str) -> tuple[bytes, tuple[str, ...]]:
    entry: dict[str, object] = {"directory": "src", "file": "x.c"}
    entry |= {"arguments": words} if style == "arguments" else {"command": shlex.join(words)}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    found = find_project(project / "src" / "x.c", None)
    bitcode, recipe = compile_by_recipe(
        find_compiler(), project / "src" / "x.c", found.recipes(project / "src" / "x.c")
    )
    return bitcode, tuple(dropped.flag for dropped in recipe.flags.dropped)


@pytest.mark.parametrize("style", ["arguments", "command"])
@pytest.mark.parametrize("standard", ["gnu17", "gnu89", "c11", "gnu2x", "iso9899:1999"])
def test_the_flags_of_a_gcc_build(project: Path, style: str, standard: str):
    words = ["ccache", "gcc", f"-std={standard}", *shlex.split(KEPT), *OF_GCC.split(), "-o", "x.o", "-c", "x.c"]
    bitcode, dropped = compile_x(project, words, style)
    assert bitcode
    listed = {"-Werror", "-march=native", "-fsanitize=address,undefined", "-fnew-gcc-flag-of-2030", "-flto=auto"}
    assert listed <= set(dropped)


def test_all_c_files_of_a_cmake_project(tmp_path: Path):
    """Also where one file belongs to two programs."""
    if not shutil.which("cmake"):
        pytest.skip("no cmake")
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.c").write_text("#ifndef TWO\n#error wrong target\n#endif\nint f(int x) { return x > LIMIT; }\n")
    (tmp_path / "sub" / "limit.h").write_text("#define LIMIT 7\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_library(one STATIC a.c)\nadd_library(two STATIC a.c)\n"
        "target_compile_definitions(two PRIVATE TWO)\ntarget_compile_options(two PRIVATE -include limit.h -Werror)\n"
        "target_include_directories(two PRIVATE sub)\n"
    )
    command = ["cmake", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-S", str(tmp_path), "-B", str(tmp_path / "build")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    project = find_project(tmp_path / "a.c", None)
    assert project.was_found and len(project.recipes(tmp_path / "a.c")) == 2
    _, recipe = compile_by_recipe(find_compiler(), tmp_path / "a.c", project.recipes(tmp_path / "a.c"))
    assert "-DTWO" in recipe.flags.kept
