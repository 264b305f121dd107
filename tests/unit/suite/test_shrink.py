"""Shrinks to exactly this."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.inputs.scalars import Input
from tightrope.running.run_record import Ending, Outcome, RunRecord
from tightrope.suite.readability import LeafType, input_rank, length, rank
from tightrope.suite.reduce import Kept
from tightrope.suite.shrink import shrink, simple_values

INT = LeafType("signed", 32, is_signed=True)
UNSIGNED = LeafType("unsigned", 32)
CHAR = LeafType("char", 8, is_signed=True)
BOOL = LeafType("bool", 1)
DOUBLE = LeafType("float", 64)
COLOUR = LeafType("enum", 32, members=(7, 3, 5))


def shrink_to(leaves: list[LeafType], start: Input, holds: Callable[..., bool], max_runs: int = 2000) -> list[object]:
    """The values, as people read them, of the simplest input found for which the predicate holds."""

    def run(values: Input) -> RunRecord:
        return RunRecord(values, Ending(Outcome.RETURNED), int(bool(holds(*show(leaves, values)))))

    assert run(start).points
    found = shrink(Kept(run(start), (1,)), leaves, run, max_runs)
    return show(leaves, found.input)


def show(leaves: list[LeafType], values: Input) -> list[object]:
    return [leaf.real(raw) if leaf.is_float else leaf.number(raw) for leaf, raw in zip(leaves, values, strict=True)]


def bits(value: float) -> int:
    raw: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return raw


SHRINKS = [
    ([INT], (2_000_000_000,), lambda a: True, [0]),
    ([INT], (2_000_000_000,), lambda a: a > 1000, [1001]),
    ([INT], (-2_000_000_000 & 0xFFFFFFFF,), lambda a: a < -1000, [-1001]),
    ([INT], (-5 & 0xFFFFFFFF,), lambda a: a != 0, [1]),
    ([INT, INT], (77, 2_000_000), lambda a, b: a < b, [0, 1]),
    ([INT, INT, INT], (500, 500, 500), lambda a, b, c: a == b == c > 0, [1, 1, 1]),
    ([INT, INT, INT], (800, 800, 13), lambda a, b, c: a == b != c and min(a, b, c) > 0, [2, 2, 1]),
    ([INT, INT], (123_456, 123_463), lambda a, b: b == a + 7, [0, 7]),
    ([INT, INT], (123_456, 123_463), lambda a, b: b == a + 7 and a > 9, [10, 17]),
    ([UNSIGNED], (0xDEADBEEF,), lambda a: a & 0x80, [128]),
    ([CHAR] * 4, (0xC3, 0x91, 0x55, 0x07), lambda *s: s[0] != 0 and s[1] != 0, [ord("a"), ord("a"), 0, 0]),
    ([CHAR], (0x13,), lambda c: not ord("a") <= c <= ord("z") and c > 0, [ord("A")]),
    ([CHAR], (ord("?"),), lambda c: c == ord("?"), [ord("?")]),
    ([CHAR], (0x80,), lambda c: c < 0, [-1]),
    ([BOOL, BOOL], (1, 1), lambda a, b: a, [1, 0]),
    ([COLOUR], (5,), lambda c: c != 7, [3]),
    ([COLOUR], (99,), lambda c: True, [7]),
    ([DOUBLE], (bits(1234.56789),), lambda d: True, [0.0]),
    ([DOUBLE], (bits(1234.56789),), lambda d: d > 0.7, [1.0]),
    ([DOUBLE], (bits(0.123456789),), lambda d: 0 < d < 0.2, [0.1]),
    ([DOUBLE], (bits(-1e300),), lambda d: d < -3, [-4.0]),
    ([DOUBLE], (bits(float("nan")),), lambda d: d != d or d > 2, [3.0]),
    ([DOUBLE], (bits(float("inf")),), lambda d: d > 1e308 and d == d, [float("inf")]),
    ([INT] * 64, tuple(range(1, 65)), lambda *a: a[40] > 0, [0] * 40 + [1] + [0] * 23),
]  # fmt: skip


@pytest.mark.parametrize(("leaves", "start", "holds", "expected"), SHRINKS)
def test_shrinks_to_exactly_this(leaves, start, holds, expected) -> None:
    assert shrink_to(leaves, start, holds) == expected


def test_ending_must_stay_the_same() -> None:
    def run(values: Input) -> RunRecord:
        ending = Ending(Outcome.CRASHED, "division by zero") if values[0] > 9 else Ending(Outcome.RETURNED)
        return RunRecord(values, ending, 1)

    assert shrink(Kept(run((70,)), (1,)), [UNSIGNED], run).input == (10,)


def test_every_obligation_is_kept() -> None:
    def run(values: Input) -> RunRecord:
        return RunRecord(values, Ending(Outcome.RETURNED), (values[0] > 3) | (values[1] > 5) << 1)

    assert shrink(Kept(run((90, 80)), (0b01, 0b10)), [UNSIGNED] * 2, run).input == (4, 6)


def test_budget_is_respected() -> None:
    runs = 0

    def run(values: Input) -> RunRecord:
        nonlocal runs
        runs += 1
        return RunRecord(values, Ending(Outcome.RETURNED), int(sum(values) > 10**9))

    start = RunRecord((10**9, 10**8), Ending(Outcome.RETURNED), 1)
    shrink(Kept(start, (1,)), [INT, INT], run, max_runs=10)
    assert runs <= 10


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4), st.integers(0, 2**32 - 1), st.integers(1, 99))
def test_result_is_never_worse_and_still_holds(start: list[int], salt: int, modulus: int) -> None:
    leaves = [INT] * len(start)

    def run(values: Input) -> RunRecord:
        return RunRecord(values, Ending(Outcome.RETURNED), int((sum(values) ^ salt) % modulus == wanted))

    wanted = (sum(start) ^ salt) % modulus
    found = shrink(Kept(run(tuple(start)), (1,)), leaves, run, max_runs=300)
    assert found.points == 1
    assert input_rank(leaves, found.input) <= input_rank(leaves, tuple(start))


@pytest.mark.parametrize("leaf", [INT, UNSIGNED, CHAR, BOOL, DOUBLE, COLOUR, LeafType("float", 32)])
def test_order_is_total_and_starts_with_the_simplest(leaf: LeafType) -> None:
    raws = {*simple_values(leaf), *(value & ((1 << leaf.bits) - 1) for value in (1, 77, 2**31, 2**63 + 5, -1))}
    assert len({rank(leaf, raw) for raw in raws}) == len(raws)
    assert min(raws, key=lambda raw: rank(leaf, raw)) == leaf.simplest
    assert length(leaf, leaf.simplest) == 0


def test_a_run_that_does_something_undefined_to_null_gets_objects() -> None:
    """NULL is more readable, but only without it is nothing undefined done. The last pointer must stay NULL."""
    pointer = LeafType("choice", 8, members=(1, 0))

    def run(values: Input) -> RunRecord:
        covers = values[2] == 1 and 4 < values[3] < 100
        return RunRecord(values, Ending(Outcome.RETURNED), int(covers), is_risky=values[0] == 1 or values[1] == 1)

    found = shrink(Kept(run((1, 1, 1, 77)), (1,)), [pointer, pointer, pointer, INT], run)
    assert (found.input, found.is_risky) == ((0, 0, 1, 5), False)
    assert shrink(Kept(run((0, 0, 1, 77)), (1,)), [pointer, pointer, pointer, INT], run).input == (0, 0, 1, 5)
