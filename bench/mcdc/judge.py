"""The judge: what tests of any tool cover, by llvm-cov (MC/DC and branches) and gcov (branches).

    python -m bench.mcdc.judge SUBJECT TESTS.json [--at SECONDS]

It shares nothing with any tool: a plain C driver, which it writes from the description of the subject, sets the inputs
of a test and makes the call. README.md says how it counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bench.mcdc.debian_subjects import resolve
from bench.mcdc.subjects import FunctionUnderTest, read_subjects
from bench.mcdc.tests_file import BadTestsError, GivenTest, read_tests

HERE = Path(__file__).parent
VERSION = "19"
CLANG, PROFDATA, COV = f"clang-{VERSION}", f"llvm-profdata-{VERSION}", f"llvm-cov-{VERSION}"
SECONDS_OF_A_TEST = 1.0
OUTCOMES = {
    "I": "invalid",  # a value that does not fit, or a broken precondition: not counted
    "R": "returned",
    "E": "exited",
    "X": "crashed",
    "T": "timed out",
    "K": "killed",  # nothing of it was counted
}
_FLAGS = ("-O0", "-g", "-w", "-fwrapv", "-fno-strict-aliasing")
_LLVM = ("-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc")
_LINK = (
    "-no-pie",
    "-Wl,--unresolved-symbols=ignore-all",
    "-lm",
)  # other parts of a package, which the call does not reach


@dataclass(frozen=True, slots=True)
class Seen:
    """Objectives of one kind: all, and those that are covered."""

    known: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class JudgedTests:
    """What all tests up to some moment cover. `mcdc`: conditions with an independent effect."""

    mcdc: Seen
    branches: Seen  # sides of conditions and of cases, as llvm-cov has them
    gcov: Seen  # arcs, as gcov has them
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def tests(self) -> int:
        return sum(count for word, count in self.outcomes.items() if word != "invalid")


class NoJudgeError(Exception):
    """What is missing on this machine, or does not compile, as a sentence."""


def missing_tools() -> str:
    """A sentence, or nothing if the judge can work."""
    missing = [name for name in (CLANG, PROFDATA, COV, "gcc", "gcov") if shutil.which(name) is None]
    return (
        f"the judge needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed"
        if missing
        else ""
    )


class Judge:
    """Of one subject. Its two programs, one for llvm-cov and one for gcov, are built once."""

    def __init__(self, subject: FunctionUnderTest, folder: Path) -> None:
        if said := missing_tools():
            raise NoJudgeError(said)
        self.subject, self.folder = subject, folder.resolve()
        self.leaves = {leaf: place for place, leaf in enumerate(subject.leaves)}
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "driver.c").write_text(driver(subject), encoding="utf-8")
        main = str(HERE / "judge_main.c")
        for compiler, further in ((CLANG, _LLVM), ("gcc", ("--coverage",))):
            of = self.folder / compiler
            of.mkdir(exist_ok=True)
            _run([compiler, "-O1", "-w", "-c", main, "-o", "main.o"], of)
            _run([compiler, *_FLAGS, *further, *subject.flags, "-c", "../driver.c", "-o", "driver.o"], of)
            _run([compiler, *further, "main.o", "driver.o", *_LINK, "-o", "judged"], of)

    def judge(self, tests: Sequence[GivenTest], moments: Sequence[float]) -> Iterator[JudgedTests]:
        """What is covered at each moment, in order, by the tests found until then."""
        for old in (*self.folder.glob(f"{CLANG}/*.profraw"), *self.folder.glob("gcc/*.gcda")):
            old.unlink()
        outcomes: Counter[str] = Counter()
        before, last = -1.0, None
        for moment in sorted(moments):
            now = [test for test in tests if before < test.seconds <= moment]
            before = moment
            outcomes["invalid"] += sum(bool(test.problem) for test in now)
            now = [test for test in now if not test.problem]
            if now or last is None:
                outcomes += self._run_tests(now)
                last = self._by_llvm(), self._by_gcov()
            (mcdc, branches), gcov = last
            yield JudgedTests(mcdc, branches, gcov, dict(+outcomes))

    def _run_tests(self, tests: Sequence[GivenTest]) -> Counter[str]:
        file = self.folder / "tests.txt"
        file.write_text("".join(map(self._lines, tests)), encoding="utf-8")
        said = []
        for compiler in (CLANG, "gcc"):
            of = self.folder / compiler
            environment = {**os.environ, "LLVM_PROFILE_FILE": str(of / "counts-%m.profraw")}
            words = ["./judged", str(file), str(SECONDS_OF_A_TEST)]
            said.append(_run(words, of, environment, limit=60 + 2 * SECONDS_OF_A_TEST * len(tests)))
        return Counter(OUTCOMES[letter] for letter in said[0])

    def _lines(self, test: GivenTest) -> str:
        return "".join(f"{self.leaves[lvalue]} {value}\n" for lvalue, value in test.values.items()) + "\n"

    def _by_llvm(self) -> tuple[Seen, Seen]:
        of = self.folder / CLANG
        raw = sorted(of.glob("counts*.profraw"))
        if not raw:  # no test was valid: an empty profile says what there is
            (of / "empty.txt").write_text("", encoding="utf-8")
            raw = [of / "empty.txt"]
        functions = self._export(raw)
        unfinished = sorted(of.glob("unfinished*.profraw"))
        return _mcdc(functions, self._export([*raw, *unfinished]) if unfinished else functions), _branches(functions)

    def _export(self, raw: Sequence[Path]) -> list[dict[str, Any]]:
        of = self.folder / CLANG
        _run([PROFDATA, "merge", *map(str, raw), "-o", "counts.profdata"], of)
        said = json.loads(_run([COV, "export", "judged", "-instr-profile=counts.profdata"], of))
        functions = [each for each in said["data"][0]["functions"] if self._is_counted(each)]
        if not functions:
            raise NoJudgeError(f"{self.subject.name}: llvm-cov knows none of its functions")
        return sorted(functions, key=lambda function: str(function["name"]))

    def _is_counted(self, function: Mapping[str, Any]) -> bool:
        is_here = Path(function["filenames"][0]).resolve() == Path(self.subject.file).resolve()
        return is_here and self.subject.counts(function["name"].rpartition(":")[2])

    def _by_gcov(self) -> Seen:
        of = self.folder / "gcc"
        said = json.loads(_run(["gcov", "--json-format", "--stdout", "-b", "driver.gcno"], of).splitlines()[0])
        here = [each for each in said["files"] if (of / each["file"]).resolve() == Path(self.subject.file).resolve()]
        lines = [line for each in here for line in each["lines"] if self.subject.counts(line.get("function_name", ""))]
        return _seen(
            {
                f"{line['function_name']}:{line['line_number']}:{place}": arc["count"] > 0
                for line in lines
                for place, arc in enumerate(line["branches"])
            }
        )


def driver(subject: FunctionUnderTest) -> str:
    """Plain C: the unit, and one function that sets an input or makes the call."""
    lines = [subject.prologue, _SET, "void judged_starts(void);"]
    lines += [
        "int judged_step(int judged_input, int judged_real, __int128 judged_whole, double judged_double)\n{",
        subject.declarations,
    ]
    lines += ["    switch (judged_input) {"]
    lines += [f"    case {place}: SET({leaf});" for place, leaf in enumerate(subject.leaves)]
    lines += ["    }", *(f"    {text};" for text in subject.before)]
    lines += [f"    if (!({text})) return 0;" for text in subject.preconditions]
    return "\n".join([*lines, "    judged_starts();", f"    (void)({subject.call});", "    return 1;", "}"]) + "\n"


# A type that keeps 0.5 is real. A value that does not fit makes the test invalid: it must not wrap silently.
_SET = """
#define IS_REAL(lvalue) ((__typeof__(lvalue))0.5 == 0.5)
#define SET(lvalue) \\
    if (judged_real) { \\
        lvalue = (__typeof__(lvalue))judged_double; \\
        return IS_REAL(lvalue) || (double)lvalue == judged_double; \\
    } \\
    lvalue = (__typeof__(lvalue))judged_whole; \\
    return IS_REAL(lvalue) || (__int128)lvalue == judged_whole
"""


def _mcdc(functions: Iterable[Mapping[str, Any]], with_unfinished: Iterable[Mapping[str, Any]]) -> Seen:
    """Conditions of larger decisions as llvm-cov judges them, also in calls that did not return; a decision of one
    condition needs both outcomes."""
    shown: dict[str, bool] = {}
    for function, same in zip(functions, with_unfinished, strict=True):
        name, records = function["name"].rpartition(":")[2], same["mcdc_records"]
        for number, record in enumerate(records):  # uses of a macro have one place: they differ by number
            for place, is_shown in enumerate(record[-1]):
                shown[f"{name}:{_place(record)}:d{number}:c{place + 1}"] = is_shown
        for number, region in enumerate(function["branches"]):
            is_part = any(record[:2] <= region[:2] and region[2:4] <= record[2:4] for record in records)
            if not is_part and not _is_case(region, function["filenames"]):
                shown[f"{name}:{_place(region)}:b{number}"] = bool(region[4] and region[5])
    return _seen(shown)


def _is_case(region: Sequence[int], files: Sequence[str]) -> bool:
    """A case of a switch is a branch for llvm-cov, but no decision."""
    lines = _lines_of(files[region[6]])
    return lines[region[0] - 1][region[1] - 1 :].startswith(("case", "default"))


@cache
def _lines_of(file: str) -> list[str]:
    return Path(file).read_text(encoding="utf-8", errors="replace").split("\n")


def _branches(functions: Iterable[Mapping[str, Any]]) -> Seen:
    taken: dict[str, bool] = {}
    for function in functions:
        name = function["name"].rpartition(":")[2]
        for number, region in enumerate(function["branches"]):
            for side, count in (("true", region[4]), ("false", region[5])):
                taken[f"{name}:{_place(region)}:b{number}:{side}"] = count > 0
    return _seen(taken)


def _seen(found: Mapping[str, bool]) -> Seen:
    return Seen(frozenset(found), frozenset(name for name, is_covered in found.items() if is_covered))


def _place(region: Sequence[int]) -> str:
    return f"{region[0]}.{region[1]}-{region[2]}.{region[3]}"


def _run(words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, limit: float = 300.0) -> str:
    try:
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        raise NoJudgeError(f"{words[0]} took more than {limit:.0f} s") from None
    if done.returncode:
        raise NoJudgeError(f"`{' '.join(words)}` failed:\n{done.stderr[-1000:]}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", help="its name in subjects.toml")
    parser.add_argument("tests", type=Path, help="what a tool wrote")
    parser.add_argument("--at", type=float, default=float("inf"), help="only tests found until then")
    wanted = parser.parse_args()
    chosen = [each for each in read_subjects() if each.name == wanted.subject]
    if not chosen:
        parser.error(f"there is no subject {wanted.subject}; see {HERE.name}/subjects.toml")
    with tempfile.TemporaryDirectory() as folder:
        try:
            subject = resolve(chosen[0])
            given = read_tests(wanted.tests, subject)
            (judged,) = Judge(subject, Path(folder)).judge(given.tests, [wanted.at])
        except (BadTestsError, NoJudgeError) as problem:
            print(f"error: {problem}", file=sys.stderr)
            return 2
    for line in report(judged, [test.problem for test in given.tests if test.problem]):
        print(line)
    return 0


def report(judged: JudgedTests, problems: Sequence[str] = ()) -> Iterator[str]:
    """For people."""
    for words, seen in (
        ("MC/DC (llvm-cov)", judged.mcdc),
        ("branches (llvm-cov)", judged.branches),
        ("branches (gcov)", judged.gcov),
    ):
        yield f"{words:20} {len(seen.covered)}/{len(seen.known)}"
    yield f"{'tests':20} " + ", ".join(f"{count} {word}" for word, count in sorted(judged.outcomes.items()))
    for problem in sorted(set(problems)):
        yield f"  invalid: {problem}"
    for identity in sorted(judged.mcdc.known - judged.mcdc.covered):
        yield f"  not shown: {identity}"


if __name__ == "__main__":
    sys.exit(main())
