"""The cost of measuring coverage: programs that only compute, built plainly and instrumented by us, clang and gcc.

Each build is compared with the plain build of the same compiler at the same level of optimisation: processor time, the
best of N. The builds run in turn, so that other load on the machine affects all of them alike. Every build must compute
the same checksum.

    python -m bench.measure --repetitions 7 --results bench/results/DATE-measure.md
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tightrope.commands.measure.measured_program import build, read_parts
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.source.toolchain import compiler_environment, find_compiler
from tightrope.units.prepare import prepare_file

PROGRAMS = Path(__file__).parent / "programs" / "measured"
ROUNDS = {"scanner": 12000, "sorting": 1500, "machine": 120000}  # about half a second each
LEVEL = "-O2"
CLANG = ("-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc")


@dataclass(slots=True)
class Build:
    """One way to build a program. `plain` is the build that it is compared with."""

    name: str
    path: Path
    plain: str = ""
    seconds: list[float] = field(default_factory=list)
    checksum: str = ""

    @property
    def best(self) -> float:
        return max(min(self.seconds), 1e-6)  # the clock of the processor may say that nothing was used


def builds_of(program: str, folder: Path) -> Iterator[Build]:
    sources = [PROGRAMS / f"{program}.c", PROGRAMS / "main.c"]
    bundled = find_compiler()
    zig = (*bundled.command, "-mcpu=baseline", "-fno-sanitize=undefined")
    environment = compiler_environment(bundled)
    yield _compile("bundled", zig, sources, folder, environment=environment)
    for criteria in (("branch",), ("mcdc",), ("statement", "branch", "mcdc")):
        yield _ours(program, criteria, folder)
    clang = shutil.which("clang-19")
    if clang:
        yield _compile("clang-19", (clang,), sources, folder)
        yield _compile("clang-19 -fcoverage-mcdc", (clang, *CLANG), sources, folder, "clang-19")
    for gcc in filter(shutil.which, ("gcc", "gcc-14")):
        yield _compile(gcc, (gcc,), sources, folder)
        yield _compile(f"{gcc} --coverage", (gcc, "--coverage"), sources, folder, gcc)
        if gcc == "gcc-14":
            flags = ("--coverage", "-fcondition-coverage")
            yield _compile(f"{gcc} -fcondition-coverage", (gcc, *flags), sources, folder, gcc)


def _compile(
    name: str,
    command: Sequence[str],
    sources: Sequence[Path],
    folder: Path,
    plain: str = "",
    environment: dict[str, str] | None = None,
) -> Build:
    place = folder / name.replace(" ", "_")
    place.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in sources:
        objects.append(str(place / f"{source.stem}.o"))
        words = [*command, LEVEL, "-w", "-c", str(source), "-o", objects[-1]]
        subprocess.run(words, check=True, env=environment)
    path = place / "program"
    subprocess.run([*command, LEVEL, *objects, "-o", str(path)], check=True, env=environment)
    return Build(name, path, plain)


def _ours(program: str, criteria: tuple[str, ...], folder: Path) -> Build:
    """As `tightrope measure` builds it; `main` is somebody else's code."""
    source = PROGRAMS / f"{program}.c"
    options = Options((Target(source),), criteria=criteria)
    file = prepare_file(find_compiler(), source, options, print)
    parts = read_parts(file, file.functions, [PROGRAMS / "main.c"], options)
    name = f"tightrope {','.join(criteria)}"
    place = folder / name.replace(" ", "_")
    place.mkdir(parents=True)
    measured = build(file, file.functions, parts, options, place)
    unfollowed = [(each.text, each.problem) for each in measured.lifted.marks.decisions if each.problem]
    if unfollowed:
        print(f"{program}: not followed: {unfollowed}")
    return Build(name, measured.path, "bundled")


def run(program: str, builds: Sequence[Build], repetitions: int, folder: Path) -> None:
    for _ in range(repetitions):
        for each in builds:
            seconds, each.checksum = _run_once((str(each.path), str(ROUNDS[program])), folder)
            each.seconds.append(seconds)
    sums = {each.checksum for each in builds}
    assert len(sums) == 1, f"{program}: the builds compute different things: {sums}"


def _run_once(command: Sequence[str], folder: Path) -> tuple[float, str]:
    """Processor seconds of the user's code, and what was printed."""
    output = folder / "output"
    record = folder / "record"
    with output.open("w") as stream:
        environment = {**os.environ, "LLVM_PROFILE_FILE": str(record)}
        process = subprocess.Popen(command, stdout=stream, cwd=folder, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_utime, output.read_text()


def table(found: dict[str, list[Build]]) -> Iterator[str]:
    """Rows are builds, columns programs; each cell the ratio to the plain build, and the seconds."""
    names = list(found)
    yield f"| build | {' | '.join(names)} | geometric mean |"
    yield f"| --- |{' ---: |' * (len(names) + 1)}"
    first = found[names[0]]
    for at, each in enumerate(first):
        row = [found[name][at] for name in names]
        plain = [next(one for one in found[name] if one.name == (each.plain or each.name)) for name in names]
        ratios = [one.best / base.best for one, base in zip(row, plain, strict=True)]
        cells = [f"{ratio:.2f} ({one.best:.3f} s)" for ratio, one in zip(ratios, row, strict=True)]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        yield f"| {each.name} | {' | '.join(cells)} | {mean:.2f} |"


def report(found: dict[str, list[Build]], repetitions: int) -> str:
    missing = [tool for tool in ("clang-19", "gcc", "gcc-14") if not shutil.which(tool)]
    lines = [
        "# What measuring costs",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores; {LEVEL}; processor time, best of {repetitions}, all in turn.",
        "Ratios are to the plain build of the same compiler; `bundled` is the plain build of ours.",
        *(f"Not here, so not measured: {', '.join(missing)}." for _ in missing[:1]),
        "",
        *table(found),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    found: dict[str, list[Build]] = {}
    with tempfile.TemporaryDirectory(prefix="tightrope-bench-") as place:
        for program in ROUNDS:
            folder = Path(place) / program
            found[program] = list(builds_of(program, folder))
            run(program, found[program], given.repetitions, folder)
    text = report(found, given.repetitions)
    print(text, end="")
    if given.results:
        given.results.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
