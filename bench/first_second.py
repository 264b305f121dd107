"""What a command costs beside the search: one small function, a hundred functions of one file, MC/DC suites of the
programs of the experiments beside CBMC.

    python -m bench.first_second [--cbmc COMMAND] [--only PATTERN]

Processor time of all processes counts, with a cache of its own that was filled before (*warm*).
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.parts import results
from bench.parts.cpu_time import Cost, measure_command
from bench.parts.subjects import LABELS, REACTIVE, Subject, choose
from bench.parts.subjects import add_options as add_subjects
from bench.parts.tables import markdown

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = 100
AIM_SMALL, AIM_MANY, AIM_BEYOND_CBMC = 0.45, 8.0, 0.4
CBMC_WORDS = ("--cover", "mcdc", "--unwind", "8", "--no-unwinding-assertions")
BODIES = (
    "    if (a > {n} && b < a)\n        return a - b;\n    return b == {n} ? 1 : 0;",
    (
        "    int found = 0;\n    for (int i = 0; i < 4; i++)\n        if ((a >> i & 1) && (b >> i & 1))\n"
        "            found += {n};\n    return found;"
    ),
    (
        "    switch (a) {{\n    case {n}:\n        return b;\n    case -{n}:\n        return -1;\n    default:\n"
        "        return b > {n} || a < b;\n    }}"
    ),
    (
        "    if (a < 0 || b < 0)\n        return -{n};\n    if (a + b > {n}00 && a != b)\n        return {n};\n"
        "    return a < b ? a : b;"
    ),
)


def main() -> int:
    parser = results.make_parser(__doc__ or "", repetitions=5)
    parser.add_argument("--cbmc", default="", metavar="COMMAND", help="how CBMC is called, if it is there")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS", help="for each program")
    add_subjects(parser)
    wanted = parser.parse_args()
    results.keep("first-second", _page(wanted), {}, wanted, results.BENCH)
    return 0


def _page(wanted: argparse.Namespace) -> Iterator[str]:
    yield from results.head("The first second", wanted.note)
    yield "Seconds of processor time of all processes (in brackets: wall time), medians, with warm caches."
    yield ""
    with tempfile.TemporaryDirectory() as name:
        bench = _Commands(Path(name), wanted.repetitions)
        yield from bench.small()
        yield from bench.many()
        yield from bench.programs(choose(tuple(dict.fromkeys((*LABELS, *REACTIVE))), wanted.only), wanted)


class _Commands:
    def __init__(self, folder: Path, repetitions: int) -> None:
        self.folder, self.repetitions = folder, repetitions
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ZIG_", "TIGHTROPE_"))}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        self.environment = {**kept, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPYCACHEPREFIX": str(folder / "pyc")}

    def _generate(self, *words: str, times: int = 0) -> tuple[Cost, Cost]:
        """The first run, and the median of the others."""
        command = [sys.executable, "-m", "tightrope", "generate", "-q", "-o", str(self.folder / "tests"), *words]
        first, *others = (measure_command(command, self.environment) for _ in range(1 + (times or self.repetitions)))
        if any((first.status, *(each.status for each in others))):
            raise SystemExit(f"tightrope did not succeed: {' '.join(command)}")
        middle = [statistics.median(getattr(each, name) for each in others) for name in ("wall", "processor")]
        return first, Cost(middle[0], middle[1], others[0].status)

    def small(self) -> Iterator[str]:
        yield f"## One small function (aim: {AIM_SMALL} s on an idle machine)"
        yield ""
        file = str(ROOT / "examples" / "triangle.c")
        cold, warm = self._generate(file, "--no-cache")
        _, stored = self._generate(file)
        rows = [("first run, empty caches", cold), ("warm", warm), ("taken from the store", stored)]
        yield from markdown(("examples/triangle.c", "seconds"), [(words, _show(cost)) for words, cost in rows])
        yield f"\nThe aim is {_met(warm.processor, AIM_SMALL)}.\n"

    def many(self) -> Iterator[str]:
        yield f"## {FUNCTIONS} functions of one file (aim: {AIM_MANY:g} s)"
        yield ""
        file = self.folder / "many.c"
        functions = (f"int f{n}(int a, int b)\n{{\n{BODIES[n % 4].format(n=n + 3)}\n}}\n" for n in range(FUNCTIONS))
        file.write_text("\n".join(functions), encoding="utf-8")
        cold, warm = self._generate(str(file), "--no-cache", times=1)
        yield from markdown(("", "seconds"), [("first run", _show(cold)), ("warm", _show(warm))])
        yield f"\nThe aim is {_met(warm.processor, AIM_MANY)}.\n"

    def programs(self, subjects: Sequence[Subject], wanted: argparse.Namespace) -> Iterator[str]:
        yield f"## MC/DC suites of the programs of the experiments (aim: CBMC and {AIM_BEYOND_CBMC} s)"
        yield ""
        rows = []
        for each in subjects:
            asked = ("-c", "mcdc", "--no-cache", "--time-limit", f"{wanted.time_limit:g}")
            _, own = self._generate(f"{each.path}:{each.function}", *asked, "--", *each.flags, times=1)
            other = _ask_cbmc(wanted.cbmc, each, wanted.time_limit * 6)
            is_known = other is not None and other.status is not None
            aim = _met(own.processor, other.processor + AIM_BEYOND_CBMC) if other and is_known else ""
            rows.append((each.name, _show(own), _show(other) if other else "not installed", aim))
        yield from markdown(("program", "Tightrope", f"CBMC {' '.join(CBMC_WORDS)}", "aim"), rows)
        yield ""


def _ask_cbmc(command: str, subject: Subject, limit: float) -> Cost | None:
    """0: all is decided, 10: something is not covered within the unwinding."""
    if not command:
        return None
    words = (*command.split(), *CBMC_WORDS, "--function", subject.function, *subject.flags, str(subject.path))
    return measure_command(words, limit=limit)


def _show(cost: Cost) -> str:
    return f"{cost.processor:.2f} ({cost.wall:.2f})" if cost.status is not None else f"more than {cost.wall:.0f}"


def _met(value: float, aim: float) -> str:
    return f"met ({value:.2f} of {aim:.2f})" if value <= aim else f"**missed** ({value:.2f} of {aim:.2f})"


if __name__ == "__main__":
    sys.exit(main())
