"""Two memories are compared piece by piece, so that no cell of either is cut."""

from __future__ import annotations

import pytest

from tightrope.encoding.memory import Memory
from tightrope.encoding.observer import TouchedObject, cut_pieces
from tightrope.encoding.values import Nature, Object
from tightrope.expr.terms import TermTable

Cells = tuple[tuple[int, int], ...]  # offset, size


def left(cells: Cells, size: int = 16) -> TouchedObject:
    table, where, memory = TermTable(), Object("@g", size, Nature.MUTABLE), Memory()
    for offset, width in cells:
        memory.write(table, where, offset, width, table.constant(1, 8 * width))
    return TouchedObject(where, memory, memory, ())


@pytest.mark.parametrize(
    ("one", "other", "pieces"),
    [
        (((0, 4),), ((0, 4),), ((0, 4),)),
        (((0, 4),), (), ((0, 4),)),
        (((0, 4),), ((0, 2),), ((0, 1), (1, 1), (2, 1), (3, 1))),
        (((0, 4),), ((2, 2),), ((0, 1), (1, 1), (2, 1), (3, 1))),
        (((2, 4),), ((0, 4),), tuple((at, 1) for at in range(6))),
        (((0, 4), (8, 8)), ((4, 4),), ((0, 4), (4, 4), (8, 8))),
    ],
)
def test_pieces(one: Cells, other: Cells, pieces: Cells) -> None:
    assert tuple(cut_pieces(left(one), left(other), 16)) == pieces
    assert tuple(cut_pieces(left(other), left(one), 16)) == pieces


def test_what_ends_early_is_cut_there() -> None:
    assert tuple(cut_pieces(left(((0, 8),)), left(((0, 4),), 4), 4)) == ((0, 1), (1, 1), (2, 1), (3, 1))


def test_padding_is_no_piece() -> None:
    table, where, memory = TermTable(), Object("@g", 8, Nature.MUTABLE), Memory()
    memory.write(table, where, 0, 4, table.constant(1, 32))
    memory.write(table, where, 5, 1, table.constant(1, 8))
    assert list(TouchedObject(where, memory, memory, (5, 6, 7)).pieces()) == [(0, 4)]
