"""The file that builds the suites of a folder: CMakeLists.txt or Makefile.

    # -- test_door_step: plain
    add_executable(test_door_step test_door_step.c)
    ...

Each suite has a block. A block stays as long as its suite is there: functions of one project are often tested one by
one, into one folder. The blocks are sorted, so their order does not depend on that of the work.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.source.flags import flags_below
from tightrope.suite.case import Suite
from tightrope.suite.folder import MARKER, check_file, write_file
from tightrope.suite.seal import ABOUT_SEAL
from tightrope.suite.writers import WRITERS, program_name
from tightrope.suite.writers.cmocka_wrap import wrap_flags
from tightrope.suite.writers.plain_c import compiler_flags

_BLOCK = re.compile(r"^# -- (\S+): ([\w-]+)\n(.*?)(?=^# --|\Z)", re.MULTILINE | re.DOTALL)
_END = "# --\n"
_HERE = "${CMAKE_CURRENT_SOURCE_DIR}"


@dataclass(frozen=True, slots=True)
class BuildFile:
    """`frame`: the names of formats and of suites -> what stands before the blocks, and after them."""

    name: str
    block: Callable[[Suite, str], Iterator[str]]  # a suite and a format -> the lines that build it
    frame: Callable[[Sequence[str], Sequence[str]], tuple[str, str]]


def check_build_files(folder: Path, builds: Iterable[str], formats: Iterable[str]) -> None:
    """Notice, before the work begins, that there is nothing to build, or that a user's file is in the way."""
    for each in builds:
        check_file(folder / BUILD_FILES[each].name, has_seal=True)
        if not any(WRITERS[name].build for name in formats):
            raise UsageError(
                f"--build {each}: suites of the format {', '.join(formats)} are not built",
                hint="add a format in C, such as --format plain",
                slug="nothing-to-build",
            )


def update_build_files(suite: Suite, builds: Iterable[str], formats: Iterable[str]) -> Iterator[str]:
    """Write the blocks of the suite, in place of its earlier ones; the names of the files."""
    built = [each for each in formats if WRITERS[each].build]
    for each in builds:
        kind = BUILD_FILES[each]
        blocks = {program_name(suite, name): (name, "\n".join(kind.block(suite, name)) + "\n\n") for name in built}
        _add_blocks(suite.folder, kind, blocks)
        yield kind.name


def is_build_file(name: str) -> bool:
    return any(each.name == name for each in BUILD_FILES.values())


def take_build_file(folder: Path, name: str, text: str) -> None:
    """Add the blocks of a file that was written elsewhere, for suites that are in the folder now."""
    (kind,) = (each for each in BUILD_FILES.values() if each.name == name)
    _add_blocks(folder, kind, dict(_present_blocks(folder, text)))


def _add_blocks(folder: Path, kind: BuildFile, blocks: Mapping[str, tuple[str, str]]) -> None:
    """In place of earlier ones of the same suites."""
    with _locked(folder):
        file = folder / kind.name
        old = file.read_text(encoding="utf-8") if file.is_file() else ""
        whole = {**dict(_present_blocks(folder, old)), **blocks}
        before, after = kind.frame(list(dict.fromkeys(name for name, _ in whole.values())), sorted(whole))
        text = "".join(f"# -- {name}: {whole[name][0]}\n{whole[name][1]}" for name in sorted(whole))
        write_file(file, f"{before}\n{text}{_END}{after}")


def _present_blocks(folder: Path, text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Blocks of suites that are still there."""
    for name, kind, block in _BLOCK.findall(text):
        if (folder / f"{name}.c").is_file():
            yield name, (kind, block)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one process at a time: with --jobs, several write suites into the folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


# -- CMake


@dataclass(frozen=True, slots=True)
class _FoundBlocks:
    """How CMake finds a framework, and what suites are then linked with."""

    lines: tuple[str, ...] = ()
    target: str = ""
    flags: tuple[str, ...] = ()


def _package(name: str) -> _FoundBlocks:
    found = f"TIGHTROPE_{name.upper()}"
    lines = ("find_package(PkgConfig REQUIRED)", f"pkg_check_modules({found} REQUIRED IMPORTED_TARGET {name})")
    return _FoundBlocks(lines, f"PkgConfig::{found}")


_FRAMEWORKS: Mapping[str, _FoundBlocks] = {
    "plain": _FoundBlocks(),
    "unity": _FoundBlocks(
        (
            "if(NOT TARGET unity)",
            '  find_path(UNITY unity.c HINTS ENV UNITY REQUIRED DOC "folder of Unity\'s unity.c")',
            '  add_library(unity STATIC "${UNITY}/unity.c")',
            '  target_include_directories(unity PUBLIC "${UNITY}")',
            "endif()",
        ),
        "unity",
        ("-DTIGHTROPE_MAIN",),
    ),
    "cmocka": _package("cmocka"),
    "cmocka-wrap": _package("cmocka"),
    "check": _package("check"),
    "gtest": _FoundBlocks(
        ("enable_language(CXX)", "if(NOT TARGET GTest::gtest_main)", "  find_package(GTest REQUIRED)", "endif()"),
        "GTest::gtest_main",
    ),
}


def _cmake_frame(formats: Sequence[str], _: Sequence[str]) -> tuple[str, str]:
    lines = [
        f"# {MARKER}: builds the tests in this folder, for CTest. Generating again updates this file.",
        f"# {ABOUT_SEAL}",
        "# In the CMakeLists.txt of the project:  enable_testing()  and  add_subdirectory() of this folder.",
        "cmake_minimum_required(VERSION 3.18)",
        "if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)",
        "  project(tightrope_tests C)",
        "  enable_testing()",
        "endif()",
        *(line for name in _FRAMEWORKS if name in formats for line in _FRAMEWORKS[name].lines),
    ]
    return "\n".join(lines) + "\n", ""


def _cmake_block(suite: Suite, name: str) -> Iterator[str]:
    """Every C file that has flags of its own is a library; the project may make errors of warnings, which its own
    build shows."""
    program, found = program_name(suite, name), _FRAMEWORKS[name]
    own = [f"{suite.file_stem}{ending}" for ending in WRITERS[name].endings]
    flags = [*compiler_flags(suite), *found.flags, "-w"]
    others = [(suite.path_to(each.source), each.flags) for each in suite.linked]
    if len(own) > 1:  # the rest is C++
        others.append((own.pop(0), tuple(flags)))
    for number, (source, its_flags) in enumerate(others, 1):
        yield f"add_library({program}_{number} OBJECT {_quoted(source)})"
        yield from _options(f"{program}_{number}", its_flags, suite.folder)
    objects = [f"$<TARGET_OBJECTS:{program}_{number}>" for number in range(1, len(others) + 1)]
    yield f"add_executable({program} {' '.join([*own, *objects])})"
    yield from _options(program, flags if own[0].endswith(".c") else ["-w"], suite.folder)
    wrapped = wrap_flags(suite) if name == "cmocka-wrap" else []
    libraries = [*wrapped, *map(_quoted, suite.libraries), *([found.target] if found.target else [])]
    if libraries:
        yield f"target_link_libraries({program} PRIVATE {' '.join(libraries)})"
    yield f"add_test(NAME {program} COMMAND {program})"


def _options(target: str, flags: Sequence[str], folder: Path) -> Iterator[str]:
    """`SHELL:` keeps a flag and its value together where CMake removes what it has seen before."""
    words = [" ".join(map(_escaped, flag)) for flag in flags_below(flags, folder, _HERE)]
    shown = " ".join(f'"SHELL:{each}"' if " " in each else _quoted_flag(each) for each in words)
    if shown:
        yield f"target_compile_options({target} PRIVATE {shown})"


def _quoted_flag(flag: str) -> str:
    return flag if re.fullmatch(r"[\w./+=-]+", flag) else f'"{flag}"'


def _escaped(text: str) -> str:
    return re.sub(r'["\\;]', lambda found: f"\\{found[0]}", text).replace("$", "\\$").replace(f"\\{_HERE}", _HERE)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w./+-]+", text) else f'"{_escaped(text)}"'


# -- make


def _make_frame(_: Sequence[str], programs: Sequence[str]) -> tuple[str, str]:
    names = " ".join(programs)
    before = [
        f"# {MARKER}: builds and runs the tests in this folder. Generating again updates this file.",
        f"# {ABOUT_SEAL}",
        *(".PHONY: test clean", f"test: {names}"),
        '\t@failed=0; for each in $^; do echo "# $$each"; ./$$each || failed=1; done; exit $$failed',
    ]
    after = ["clean:", f"\trm -f {names} {' '.join(f'{name}*.o' for name in programs)}"]
    return "\n".join(before) + "\n", "\n".join(after) + "\n"


def _make_block(suite: Suite, name: str) -> Iterator[str]:
    build = WRITERS[name].build
    assert build is not None
    sources = [*(f"{suite.file_stem}{ending}" for ending in WRITERS[name].endings), suite.include_path]
    linked = [suite.path_to(each.source) for each in suite.linked]
    yield f"{program_name(suite, name)}: {' '.join(path.replace(' ', chr(92) + ' ') for path in [*sources, *linked])}"
    for command in build(suite):
        compiler, _, rest = command.replace("$", "$$").partition(" ")
        yield f"\t{ {'cc': '$(CC)', 'c++': '$(CXX)'}[compiler] } {rest}"


BUILD_FILES: Mapping[str, BuildFile] = {
    "cmake": BuildFile("CMakeLists.txt", _cmake_block, _cmake_frame),
    "make": BuildFile("Makefile", _make_block, _make_frame),
}
