"""The prototype of the whole-unit encoding beside `--engine encoding`, on its own programs, in one session.

It is a file, not part of this repository: `whole.py FILE FUNCTION UNROLLING`, for functions of ints, which prints
`objectives N {...} tests N queries N ... | front T s encode T s decide T s`. Its programs lie beside it.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.parts.engines import Decided, decide, quickest
from bench.parts.explore_unit import prepare
from bench.parts.subjects import COLLISION
from bench.parts.tables import markdown
from bench.parts.watched import watched

_RESULT = re.compile(
    r"objectives (\d+) \{(.*?)\} tests (\d+) queries (\d+) .*front ([\d.]+)s encode ([\d.]+)s decide ([\d.]+)s"
)
_GLOBALS = re.compile(r"^(?:int|enum \w+) (\w+);$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    words: str
    text: str  # of a C file with a function `entry` of ints
    unrolling: int


@dataclass(frozen=True, slots=True)
class Theirs:
    """What the prototype says of itself, and what the command took."""

    objectives: int
    verdicts: str
    tests: int
    queries: int
    seconds: float  # encoding and deciding
    command: float
    cpu: float  # of the command


@dataclass(frozen=True, slots=True)
class Compared:
    words: str
    theirs: Theirs | None
    ours: Decided
    command: float
    cpu: float


def measure(prototype: Path | None, folder: Path, repetitions: int) -> list[Compared]:
    """`folder` has the programs."""
    with tempfile.TemporaryDirectory() as name:
        return [_compare(each, prototype, Path(name), repetitions) for each in examples(folder)]


def examples(folder: Path) -> Iterator[Example]:
    machine = (folder / "machine.c").read_text(encoding="utf-8")
    yield Example("state machine, 6 steps", machine, 7)
    yield Example("collision avoidance", f"{_collision()}{_entry_of_globals()}", 1)
    yield Example("UTF-8, 7 bytes", (folder / "utf8.c").read_text(encoding="utf-8"), 8)
    yield Example("bubble sort, 6 ints", (folder / "bub.c").read_text(encoding="utf-8"), 7)
    for steps in (12, 20, 40):
        yield Example(f"state machine, {steps} steps", _machine(machine, steps), steps + 1)


def _machine(text: str, steps: int) -> str:
    """Of more steps: another bound of the loop, another entry."""
    body = re.sub(r"\bi < 6\b", f"i < {steps}", text[: text.index("int entry")])
    names = [f"e{number}" for number in range(steps)]
    parameters = ", ".join(f"int {name}" for name in names)
    return f"{body}int entry({parameters}) {{ int ev[{steps}] = {{{', '.join(names)}}}; return machine(ev); }}\n"


def _collision() -> str:
    return COLLISION.path.read_text(encoding="utf-8")


def _entry_of_globals() -> str:
    """The prototype takes parameters only."""
    names = _GLOBALS.findall(_collision())
    sets = " ".join(f"{name} = in_{name};" for name in names)
    return f"int entry({', '.join(f'int in_{name}' for name in names)}) {{ {sets} return resolve(); }}\n"


def _compare(example: Example, prototype: Path | None, folder: Path, repetitions: int) -> Compared:
    """In turns, the quickest of each."""
    file = folder / "example.c"
    file.write_text(example.text, encoding="utf-8")
    ready = prepare(file, "entry", ("branch",), whole_program=True, time_limit=120.0)
    theirs: list[Theirs] = []
    ours: list[Decided] = []
    commands: list[tuple[float, float]] = []
    for _ in range(repetitions):
        if prototype is not None:
            theirs.append(_theirs(prototype, file, example.unrolling, folder))
        with watched() as clock:
            found = decide(ready, "encoding")
        ours.append(replace(found, further={"encoding": clock.encoding, "asking": clock.asking}))
        commands.append(_command([*_generate(file, folder)], folder)[1:])
    best = min(theirs, key=lambda each: each.seconds) if theirs else None
    return Compared(example.words, best, quickest(ours), *min(commands))


def _generate(file: Path, folder: Path) -> Iterator[str]:
    yield from (sys.executable, "-m", "tightrope", "generate", f"{file}:entry", "-c", "branch", "--whole-program")
    yield from ("--engine", "encoding", "--no-confirm", "--time-limit", "120", "-q", "-o", str(folder / "tests"))


def _theirs(prototype: Path, file: Path, unrolling: int, folder: Path) -> Theirs:
    said, command, cpu = _command([sys.executable, str(prototype), str(file), "entry", str(unrolling)], folder)
    found = _RESULT.search(said)
    if found is None:
        raise SystemExit(f"the prototype does not run:\n{said}")
    objectives, verdicts, tests, queries, _, encoding, deciding = found.groups()
    seconds = float(encoding) + float(deciding)
    return Theirs(int(objectives), verdicts.replace("'", ""), int(tests), int(queries), seconds, command, cpu)


def _command(words: Sequence[str], folder: Path) -> tuple[str, float, float]:
    """What it prints, seconds, and seconds of the processor."""
    before, start = _children(), time.perf_counter()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"`{' '.join(words)}` failed:\n{done.stdout}{done.stderr}")
    return done.stdout, time.perf_counter() - start, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page(compared: Sequence[Compared]) -> Iterator[str]:
    yield "## The prototype"
    yield ""
    yield "*decide*: encoding and deciding, without the front end (the processor's time of it: *encoding*, *asking*)."
    yield "*command*: everything, from starting Python on; ours without confirming. *cpu*: the processor's time for it."
    yield "The prototype counts sides of `br`, we count `case`s too."
    yield ""
    heads = ["program", "its objectives", "tests", "queries", "decide s", "command s", "cpu s"]
    ours = ["ours: objectives", "models", "queries", "decide s", "encoding s", "asking s", "command s", "cpu s"]
    yield from markdown([*heads, *ours, "ratio of decide", "ratio of cpu"], [_row(each) for each in compared])
    yield ""


def _row(each: Compared) -> list[str]:
    ours, theirs = each.ours, each.theirs
    left = f"{theirs.objectives} ({theirs.verdicts})" if theirs else ""
    words = [left, *(map(str, (theirs.tests, theirs.queries)) if theirs else ("", ""))]
    words += [f"{s:.3f}" for s in (theirs.seconds, theirs.command, theirs.cpu)] if theirs else ["", "", ""]
    verdicts = f"{ours.objectives} ({ours.covered} + {ours.infeasible})"
    seconds = (ours.seconds, ours.further["encoding"], ours.further["asking"], each.command, each.cpu)
    mine = [verdicts, str(ours.models), str(ours.queries), *(f"{s:.3f}" for s in seconds)]
    ratios = [f"{ours.seconds / theirs.seconds:.2f}", f"{each.cpu / theirs.cpu:.2f}"] if theirs else ["", ""]
    return [each.words, *words, *mine, *ratios]
