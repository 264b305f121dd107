"""--check: a run ends where C has no result, and the expression of the check says the same as the run."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tightrope.expr.evaluate import holds
from tightrope.expr.terms import TermTable
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.running.memory_map import EventKind
from tightrope.running.run_record import Ending, Outcome
from tightrope.running.runner import Runner, Trace, Worker
from tightrope.search.decode import Decoder
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file, prepare_unit, start

WIDTHS = {"int": 32, "long": 64}
CONSTANTS = (0, 1, -1, 2, -3, 10, 100, -128)


@contextmanager
def checked(folder: Path, text: str, *checks: str, flags: tuple[str, ...] = ()) -> Iterator[Runner]:
    path = folder / "target.c"
    path.write_text(text)
    options, worker = Options((Target(path, "target"),), criteria=("branch",), checks=checks, flags=flags), Worker()
    try:
        unit = prepare_unit(prepare_file(find_compiler(), path, options, lambda text: None), "target", options)
        with start(unit, worker, options) as runner:
            yield runner
    finally:
        worker.close()


def borders(bits: int) -> tuple[int, ...]:
    most = (1 << (bits - 1)) - 1
    near = (0, 1, -1, 2, -2, 3, -3, 10, 46341, -46341, most // 10, most // 3, -most // 3, most // 2, most // 2 + 1)
    return (*near, most, most - 1, most - 100, -most - 1, -most, -most + 99)


def fits(value: int, bits: int) -> bool:
    return -(1 << (bits - 1)) <= value < 1 << (bits - 1)


def guards_agree(runner: Runner, decoder: Decoder, values: Sequence[int], trace: Trace) -> bool:
    """Every condition of the path, evaluated on the input, says what the run did."""
    steps = [step for step in decoder.steps(trace) if step[0] == EventKind.GUARD and step[2] is not None]
    return all(holds(term, values) == bool(side) for _, _, term, side in steps)


def check_all(runner: Runner, inputs: Sequence[tuple[int, ...]], expected: Sequence[bool], reason: str) -> list[str]:
    decoder, wrong = Decoder(TermTable(), runner.node_bytes), []
    for values, is_fine in zip(inputs, expected, strict=True):
        trace = runner.trace(values)
        ending = runner.ending()
        as_expected = ending.outcome is Outcome.RETURNED if is_fine else ending.reason == reason
        if not as_expected or not guards_agree(runner, decoder, values, trace):
            wrong.append(f"{values}: {ending}")
    return wrong


OPERATIONS = {"a + b": int.__add__, "a - b": int.__sub__, "a * b": int.__mul__}


@pytest.mark.parametrize("kind", WIDTHS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_signed_arithmetic_of_two_inputs(kind: str, operation: str, tmp_path: Path) -> None:
    bits, compute = WIDTHS[kind], OPERATIONS[operation]
    pairs = [(a, b) for a in borders(bits) for b in borders(bits)]
    inputs = [(a % (1 << bits), b % (1 << bits)) for a, b in pairs]
    with checked(tmp_path, f"{kind} target({kind} a, {kind} b) {{ return {operation}; }}", "overflow") as runner:
        assert check_all(runner, inputs, [fits(compute(a, b), bits) for a, b in pairs], "signed overflow") == []


FORMS = ("a + {c}", "a - {c}", "{c} - a", "a * {c}", "{c} * a", "{c} + a")


@pytest.mark.parametrize("kind", WIDTHS)
@pytest.mark.parametrize("form", FORMS)
def test_signed_arithmetic_with_a_constant(kind: str, form: str, tmp_path: Path) -> None:
    bits = WIDTHS[kind]
    cases = "".join(f"case {n}: return {form.format(c=f'({c})')};" for n, c in enumerate(CONSTANTS))
    pairs = [(n, a) for n in range(len(CONSTANTS)) for a in borders(bits)]
    expected = [fits(eval(form.format(c=CONSTANTS[n]), {"a": a}), bits) for n, a in pairs]
    text = f"{kind} target(int n, {kind} a) {{ switch (n) {{ {cases} }} return 0; }}"
    with checked(tmp_path, text, "overflow") as runner:
        inputs = [(n, a % (1 << bits)) for n, a in pairs]
        assert check_all(runner, inputs, expected, "signed overflow") == []


UNARY = "int target(int n, int a) { switch (n) { case 0: return -a; case 1: a++; return a; case 2: return --a; } return 0; }"


def test_negation_and_increments(tmp_path: Path) -> None:
    pairs = [(n, a) for n in range(3) for a in borders(32)]
    expected = [fits((-a, a + 1, a - 1)[n], 32) for n, a in pairs]
    with checked(tmp_path, UNARY, "overflow") as runner:
        assert check_all(runner, [(n, a % (1 << 32)) for n, a in pairs], expected, "signed overflow") == []


@pytest.mark.parametrize("kind", ["int", "unsigned", "long", "unsigned long"])
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_amounts_of_shifts(kind: str, operator: str, tmp_path: Path) -> None:
    bits = 64 if "long" in kind else 32
    amounts = (0, 1, 7, 31, 32, 33, 63, 64, 65, 255, -1, -31, -(1 << 31))
    with checked(tmp_path, f"{kind} target({kind} a, int n) {{ return a {operator} n; }}", "shift") as runner:
        inputs = [(5, n % (1 << 32)) for n in amounts]
        expected = [0 <= n < bits for n in amounts]
        assert check_all(runner, inputs, expected, "shift by a negative number or by too many bits") == []


NEVER = """
unsigned target(unsigned a, unsigned b, short s, signed char c, int n)
{
    unsigned long wide = a;
    int cells[3][4] = {{0}}, (*rows)[n & 3 ? n & 3 : 1] = (void *)cells;
    a = a * b + 7u - (unsigned)n;
    wide = wide * wide * b - a;
    s++; s *= 3; c -= 100; c = (signed char)(c * c);
    rows[1][0] = s * c + c;
    return a + (unsigned)wide + (unsigned)rows[1][0] - (unsigned)(n << 3);
}
"""


def endings(runner: Runner, bits: Sequence[int]) -> set[tuple[Outcome, str]]:
    found = set[tuple[Outcome, str]]()
    for value in borders(32):
        runner.trace(tuple(value % (1 << width) for width in bits))
        ending: Ending = runner.ending()
        found.add((ending.outcome, ending.reason))
    return found


def test_unsigned_and_promoted_arithmetic_is_never_reported(tmp_path: Path) -> None:
    with checked(tmp_path, NEVER, "overflow", "shift") as runner:
        assert endings(runner, (32, 32, 16, 8, 32)) == {(Outcome.RETURNED, "")}


@pytest.mark.parametrize("flags", [(), ("-fwrapv",), ("-fno-strict-overflow",), ("-ftrapv",), ("-fno-wrapv",)], ids=str)
def test_flags_of_the_user_do_not_matter(flags: tuple[str, ...], tmp_path: Path) -> None:
    text = "int target(int a) { return a + 1; }"
    with checked(tmp_path, text, flags=flags) as runner:
        assert endings(runner, (32,)) == {(Outcome.RETURNED, "")}
    with checked(tmp_path, text, "overflow", flags=flags) as runner:
        assert endings(runner, (32,)) == {(Outcome.RETURNED, ""), (Outcome.CRASHED, "signed overflow")}


def test_without_its_check_a_sum_wraps(tmp_path: Path) -> None:
    text = "int target(int a) { return a + 1 > a; }"
    with checked(tmp_path, text, "shift") as runner:
        runner.trace(((1 << 31) - 1,))
        assert struct.unpack("<i", struct.pack("<I", (runner.outputs()[0] or 0) & 0xFFFFFFFF)) == (0,)
