from __future__ import annotations

import struct

import pytest

from tightrope.expr.evaluate import holds
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable
from tightrope.running.memory_map import EventKind
from tightrope.running.runner import Trace
from tightrope.search.constraints import Constraints
from tightrope.search.decode import Decoder

BRANCH, SWITCH, PIN = int(EventKind.BRANCH), int(EventKind.SWITCH), int(EventKind.PIN)


def row(op: Op, bits: int, a: int = 0, b: int = 0, c: int = 0, number: int = 0, sort: int = 0) -> bytes:
    return struct.pack("<BBBxIIIQ", op, bits, sort, a, b, c, number)


NODES = [
    b"\0" * 24, row(Op.INPUT, 8, number=3), row(Op.CONSTANT, 8, number=200), row(Op.ULT, 1, 1, 2), row(Op.ITE, 8, 3, 1, 2),
    row(Op.ZERO_EXTEND, 32, 4), row(Op.F_FROM_BITS, 32, 5, sort=1), row(Op.EXTRACT, 3, 1, number=4),
]  # fmt: skip


def trace(nodes: int, *events: tuple[int, int, int, int], epoch: int = 1) -> Trace:
    return Trace(1, 0, epoch, nodes, b"".join(struct.pack("<IIHH", *each) for each in events), 0)


def make_decoder(reads: list[tuple[int, int]]) -> Decoder:
    def read(start: int, end: int) -> bytes:
        reads.append((start, end))
        return b"".join(NODES[start:end])

    return Decoder(TermTable(), read)


def test_nodes_become_terms() -> None:
    decoder = make_decoder([])
    events = [(number, 10, 1, BRANCH) for number in range(1, 8)]
    terms = [step[2] for step in decoder.steps(trace(8, *events))]
    slot, limit, below, chosen, wide, real, part = terms
    assert slot is decoder.table.input(3, 8) and limit is decoder.table.constant(200, 8)
    assert below is decoder.table.make(Op.ULT, 1, (slot, limit))
    assert chosen is not None and chosen.args == (below, slot, limit)
    assert wide is not None and real is not None and part is not None
    assert (wide.bits, real.is_float, part.bits, part.number) == (32, True, 3, 4)


def test_a_step_is_an_event_with_its_term() -> None:
    decoder = make_decoder([])
    steps = decoder.steps(trace(4, (3, 10, 1, BRANCH), (0, 12, 0, BRANCH), (1, 14, 2, SWITCH)))
    assert [(kind, site, side) for kind, site, _, side in steps] == [(BRANCH, 10, 1), (BRANCH, 12, 0), (SWITCH, 14, 2)]
    assert steps[1][2] is None
    assert decoder.steps(trace(4, (3, 10, 1, BRANCH), (1, 14, 2, SWITCH)), 1)[0][1] == 14


def test_only_new_nodes_are_read() -> None:
    reads: list[tuple[int, int]] = []
    decoder = make_decoder(reads)
    decoder.steps(trace(4))
    decoder.steps(trace(4))
    decoder.steps(trace(8))
    assert reads == [(1, 4), (4, 8)]
    decoder.steps(trace(3, epoch=2))
    assert reads[-1] == (1, 3)


@pytest.fixture
def constraints() -> Constraints:
    return Constraints(TermTable(), {10: (1, 7, 9), 20: ()})


def test_sides_of_a_branch_exclude_each_other(constraints: Constraints) -> None:
    table = constraints.table
    term = table.make(Op.ULT, 1, (table.input(0, 8), table.constant(5, 8)))
    for value in range(256):
        taken = [
            side for side in constraints.sides(BRANCH, 4) if holds(constraints.target(BRANCH, 4, term, side), (value,))
        ]
        assert taken == [int(value < 5)]


@pytest.mark.parametrize("site", [10, 20])
def test_exactly_one_side_of_a_switch_holds(constraints: Constraints, site: int) -> None:
    term = constraints.table.input(0, 8)
    cases = constraints.switches[site]
    for value in range(16):
        sides = [
            side
            for side in constraints.sides(SWITCH, site)
            if all(holds(each, (value,)) for each in constraints.of(SWITCH, site, term, side))
        ]
        assert sides == [cases.index(value) + 1 if value in cases else 0]


def test_other_values_than_those_pinned(constraints: Constraints) -> None:
    table = constraints.table
    pinned = [table.make(Op.EQ, 1, (table.input(0, 8), table.constant(value, 8))) for value in (3, 4)]
    other = constraints.other_values(pinned)
    assert [value for value in range(8) if holds(other, (value,))] == [0, 1, 2, 5, 6, 7]
