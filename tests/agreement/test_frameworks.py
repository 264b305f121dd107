"""Suites in every C format say the same: the same tests pass, the same tests fail where a fault is planted, and they
cover the same. Each format is built with its real framework, all suites of a file in one program.

The judge is the plain format, which needs none.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from installed_frameworks import unity_folder

from tightrope import cli

UNIT = Path(__file__).parent / "frameworks.c"
ALL = ("plain", "unity", "cmocka", "check", "gtest")
FLAGS = ("-std=gnu11", "-fwrapv", "-w")


def package(name: str, what: str) -> list[str]:
    words = ["pkg-config", what, name]
    done = subprocess.run(words, capture_output=True, text=True, check=False) if shutil.which("pkg-config") else None
    if done is None or done.returncode != 0:
        pytest.skip(f"pkg-config does not find {name}: its suites are not built")
    return done.stdout.split()


@dataclass(frozen=True)
class Kind:
    """How the suites of one format become one program: C that runs them all, and the names of the tests that fail."""

    ending: str
    main: Callable[[list[str]], str]
    flags: Callable[[], list[str]]
    libraries: Callable[[], list[str]]
    results: re.Pattern[str]  # groups `name` and, if the test fails, `failed`
    is_cpp: bool = False


def _main(declare: str, call: str, before: str = "int failed = 0;", after: str = "return failed != 0;") -> Callable:
    def text(stems: list[str]) -> str:
        lines = [declare.format(stem) for stem in stems]
        return "\n".join([*lines, f"int main(void) {{ {before}", *(call.format(stem) for stem in stems), after, "}"])

    return text


def _unity_flags() -> list[str]:
    folder = unity_folder()
    if folder is None:
        pytest.skip("there is no unity.c: TIGHTROPE_UNITY can name its folder")
    return [f"-I{folder}"]


KINDS = {
    "plain": Kind(
        "", _main("int tightrope_{0}(void);", "failed += tightrope_{0}();"), list, lambda: ["-lm"],
        re.compile(r"^(?:ok|(?P<failed>not ok)) \d+ - (?P<name>\w+)", re.MULTILINE),
    ),
    "unity": Kind(
        "_unity",
        _main("#include <unity.h>\nvoid tightrope_{0}(void);", "tightrope_{0}();", "UNITY_BEGIN();", "return UNITY_END();"),
        _unity_flags, lambda: [f"{unity_folder()}/unity.c", "-lm"],
        re.compile(r"^.*:\d+:test_(?P<name>\w+):(?:PASS|IGNORE|(?P<failed>FAIL))", re.MULTILINE),
    ),
    "cmocka": Kind(
        "_cmocka", _main("int tightrope_{0}(void);", "failed += tightrope_{0}();"),
        lambda: package("cmocka", "--cflags"), lambda: [*package("cmocka", "--libs"), "-lm"],
        re.compile(r"^\[ *(?:OK|SKIPPED|(?P<failed>FAILED)) *\] test_(?P<name>\w+)$", re.MULTILINE),
    ),
    "check": Kind(
        "_check",
        _main("#include <check.h>\nSuite *tightrope_{0}(void);", "srunner_add_suite(all, tightrope_{0}());",
              "int failed; SRunner *all = srunner_create(NULL);",
              "srunner_run_all(all, CK_VERBOSE); failed = srunner_ntests_failed(all); srunner_free(all); return failed != 0;"),
        lambda: package("check", "--cflags"), lambda: [*package("check", "--libs"), "-lm"],
        re.compile(r"^.*:\d+:(?:P|(?P<failed>[FE])):\w+:test_(?P<name>\w+):", re.MULTILINE),
    ),
    "gtest": Kind(
        "_gtest", lambda stems: "\n".join(f'#include "{stem}_gtest.cpp"' for stem in stems),
        lambda: package("gtest", "--cflags"), lambda: [*package("gtest_main", "--libs"), "-lm"],
        re.compile(r"^\[ *(?:OK|SKIPPED|(?P<failed>FAILED)) *\] (?P<name>\w+\.\w+) \(", re.MULTILINE), is_cpp=True,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with suites of all functions, in all formats."""
    if not shutil.which("gcc") or not shutil.which("gcov"):
        pytest.skip("without gcc, nothing is built")
    folder = tmp_path_factory.mktemp("frameworks")
    unit = shutil.copy(UNIT, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
        words = ["generate", unit, "-q", "-o", str(folder / "suite"), "--format", ",".join(ALL)]
        assert cli.main(words) == 0
        assert cli.main([*words, "--sequence", "fill*3; drain", "-c", "branch"]) == 0
    return folder


def stems(folder: Path) -> list[str]:
    return sorted(each.stem.removesuffix("_cmocka") for each in (folder / "suite").glob("test_*_cmocka.c"))


def built(folder: Path, name: str, *flags: str) -> Path:
    """All suites of a format as one program."""
    kind, suite = KINDS[name], folder / "suite"
    place = folder / f"{name}{''.join(flags)}"
    place.mkdir()
    main = suite / f"all_{name}.{'cpp' if kind.is_cpp else 'c'}"
    main.write_text(kind.main(stems(folder)))
    own = [f"{stem}{kind.ending}.c" for stem in stems(folder)]
    compile_words = ["gcc", *FLAGS, *flags, *kind.flags(), "-DTIGHTROPE_NO_MAIN", "-c"]
    for file in own:
        run([*compile_words, str(suite / file), "-o", str(place / f"{file}.o")], suite)
    objects = [str(place / f"{file}.o") for file in own]
    linker = "g++" if kind.is_cpp else "gcc"
    run([linker, "-w", *flags, *kind.flags(), "-o", str(place / "all"), str(main), *objects, *kind.libraries()], suite)
    return place


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def outcomes(folder: Path, place: Path, kind: Kind) -> tuple[int, dict[str, bool]]:
    """The exit status, and for each test whether it passes."""
    done = subprocess.run([str(place / "all")], cwd=place, capture_output=True, text=True, check=False, timeout=120)
    found = {one["name"]: not one["failed"] for one in kind.results.finditer(done.stdout + done.stderr)}
    if kind.is_cpp:
        names = cpp_names(folder)
        found = {names[name]: passes for name, passes in found.items()}
    return done.returncode, found


def cpp_names(folder: Path) -> dict[str, str]:
    """`group.short` -> the name of the case."""
    texts = [each.read_text() for each in (folder / "suite").glob("*_gtest.cpp")]
    rows = [
        row for text in texts for row in re.findall(r"^TEST\((\w+), (\w+)\) \{ test_\w+?__(\w+)\(\); \}", text, re.M)
    ]
    return {f"{group}.{short}": case for group, short, case in rows}


def covered(place: Path) -> dict[str, set[tuple[int, int]]]:
    """Suite -> the branches of the unit that gcov saw taken, by line and number."""
    found: dict[str, set[tuple[int, int]]] = {}
    for data in sorted(place.glob("test_*.gcda")):
        text = run(["gcov", "--json-format", "--stdout", "-b", str(data)], place)
        files = [each for each in json.loads(text)["files"] if each["file"].endswith(UNIT.name)]
        branches = [
            (line["line_number"], number, branch["count"])
            for file in files
            for line in file["lines"]
            for number, branch in enumerate(line["branches"])
        ]
        stem = re.sub(r"(_unity|_cmocka|_check|_gtest)?\.c.*", "", data.name)
        found[stem] = {(line, number) for line, number, count in branches if count > 0}
    return found


@pytest.fixture(scope="module")
def judged(suites: Path) -> tuple[dict[str, bool], dict[str, bool], dict[str, set[tuple[int, int]]]]:
    """What the plain format says: without faults, with them; and what it covers."""
    place = built(suites, "plain", "--coverage")
    status, right = outcomes(suites, place, KINDS["plain"])
    assert status == 0
    assert right
    assert all(right.values())
    status, wrong = outcomes(suites, built(suites, "plain", "-DFAULTS"), KINDS["plain"])
    assert status == 1
    return right, wrong, covered(place)


FAULTY = (
    "motor_step",
    "filter",
    "mode_name",
    "find",
    "control",
    "guarded",
    "wait_for",
    "next_number",
    "start_device",
    "fill",
)


def test_every_fault_is_found(judged) -> None:
    wrong = judged[1]
    assert {one for one in FAULTY if not any(one in name and not passes for name, passes in wrong.items())} == set()


@pytest.mark.parametrize("name", [each for each in ALL if each != "plain"])
def test_the_framework_says_what_the_plain_format_says(name: str, suites: Path, judged) -> None:
    right, wrong, branches = judged
    place = built(suites, name, "--coverage")
    assert outcomes(suites, place, KINDS[name]) == (0, right)
    assert covered(place) == branches
    status, found = outcomes(suites, built(suites, name, "-DFAULTS"), KINDS[name])
    assert status != 0
    assert found == wrong
