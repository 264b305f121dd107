"""A run says whether signed arithmetic overflowed in it; computed again here with numbers that never do."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.runner import RunLimits, Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.build import start_runner
from tightrope.units.prepare import prepare_file, prepare_unit

BITS = {"int": 32, "long": 64, "unsigned": 32, "short": 16, "signed char": 8}
Results = Callable[[int, int], list[int]]  # of all operations, in order

CASES: list[tuple[str, str, str, Results]] = [
    # type of a and b, body, type of the arithmetic ('': it cannot overflow), results
    ("int", "return a + b > 3;", "int", lambda a, b: [a + b]),
    ("int", "return a - b > 3;", "int", lambda a, b: [a - b]),
    ("int", "return a * b > 3;", "int", lambda a, b: [a * b]),
    ("int", "return -a > b;", "int", lambda a, b: [-a]),
    ("int", "a++; b--; return a > b;", "int", lambda a, b: [a + 1, b - 1]),
    ("int", "a += b; a *= 3; return a > 7;", "int", lambda a, b: [a + b, 3 * wrapped(a + b, 32)]),
    ("long", "return a + b > 3;", "long", lambda a, b: [a + b]),
    ("long", "return a - b > 3;", "long", lambda a, b: [a - b]),
    ("long", "return a * b > 3;", "long", lambda a, b: [a * b]),
    ("short", "return a * b > 3;", "int", lambda a, b: [a * b]),
    ("signed char", "a += b; return a > 3;", "int", lambda a, b: [a + b]),
    ("unsigned", "return a * b - 5 > 3;", "", lambda a, b: []),
    ("int", "return (a & b) > 3;", "", lambda a, b: []),
]


def wrapped(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def edges(bits: int, chance: random.Random) -> list[int]:
    top = 1 << (bits - 1)
    near = [0, 1, -1, 2, 3, -3, top - 1, -top, top // 2, -top // 2, int(top**0.5), 1 - top]
    return [wrapped(each, bits) for each in (*near, *(chance.randrange(-top, top) for _ in range(12)))]


@pytest.mark.parametrize(
    ("kind", "body", "of", "results"), CASES, ids=[f"{kind}: {body}" for kind, body, _, _ in CASES]
)
def test_overflow_is_noted_exactly(kind: str, body: str, of: str, results: Results, tmp_path: Path) -> None:
    file = tmp_path / "unit.c"
    file.write_text(f"int target({kind} a, {kind} b) {{ {body} }}\n")
    options = Options((Target(file, "target"),), criteria=("branch",))
    unit = prepare_unit(prepare_file(find_compiler(), file, options, lambda text: None), "target", options)
    bits, width = BITS[kind], BITS.get(of, 0)
    values = edges(bits, random.Random(body))
    seen = set()
    worker, sizes = Worker(), (len(unit.driver.slots), len(unit.driver.outputs))
    try:
        with start_runner(worker, unit.file.compiler, unit.woven, *sizes, RunLimits()) as runner:
            for a, b in itertools.product(values, values):
                expected = bool(width) and any(wrapped(each, width) != each for each in results(a, b))
                record = runner.record((a % (1 << bits), b % (1 << bits)))
                assert record.wraps == expected, (a, b)
                seen.add(expected)
    finally:
        worker.close()
    assert seen == ({False, True} if kind == of else {False})
