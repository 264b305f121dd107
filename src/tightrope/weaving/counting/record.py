"""The file in which a test program records which test hits which points; weaving/counting/record.c writes it.

control | state of each test | rows: outside of tests, test 1, test 2 ... | points, in whole pages
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

PAGE = 1 << 16  # bytes; the largest of the systems that we know, a multiple of the usual 4096
VARIABLE = "TIGHTROPE_RECORD"  # of the environment: the number of the descriptor of the file
_CONTROL = struct.Struct("<4Q")  # tests, current, alarm in milliseconds, calls


class StateOfTest(IntEnum):
    WAITING = 0
    SKIPPED = 1
    BEGUN = 2
    ENDED = 3


@dataclass(frozen=True, slots=True)
class Record:
    """What a program left behind. Numbers count from 1, so that row 0 is what happened outside of tests."""

    current: int  # the test that ran when it ended; 0: none
    states: tuple[StateOfTest, ...]  # by number; the first is nobody's
    rows: tuple[int, ...]  # by number: bit p is set when point p was hit


def row_bytes(points: int) -> int:
    """Bytes of a row."""
    return (points // 8 + 1) * 8


def mapped_bytes(points: int) -> int:
    """Bytes of the points while the program runs: whole pages, because they are mapped."""
    return -(-row_bytes(points) // PAGE) * PAGE


def create_record(file: Path, points: int, tests: int, skipped: Collection[int] = (), seconds: float = 0.0) -> None:
    """An empty record. `seconds` is what one test may take; 0: any time."""
    states = bytes(StateOfTest.SKIPPED if test in skipped else StateOfTest.WAITING for test in range(tests + 1))
    head = _CONTROL.pack(tests, 0, int(seconds * 1000), 0) + states
    with file.open("wb") as stream:
        stream.write(head)
        stream.truncate(_points_at(points, tests) + mapped_bytes(points))


def read_record(file: Path, points: int) -> Record:
    content = file.read_bytes()
    tests, current, _, _ = _CONTROL.unpack_from(content)
    size = row_bytes(points)
    starts = [*range(_rows_at(tests), _rows_at(tests) + size * (tests + 1), size), _points_at(points, tests)]
    rows = [_mask(content[start : start + points]) for start in starts]
    rows[current] |= rows.pop()  # what the last test had no time to keep
    states = content[_CONTROL.size : _CONTROL.size + tests + 1]
    return Record(current, tuple(StateOfTest(state) for state in states), tuple(rows))


def _rows_at(tests: int) -> int:
    return _CONTROL.size + (tests + 8) // 8 * 8


def _points_at(points: int, tests: int) -> int:
    return -(-(_rows_at(tests) + row_bytes(points) * (tests + 1)) // PAGE) * PAGE


def _mask(row: bytes) -> int:
    return int(row[::-1].translate(_DIGITS) or b"0", 2)


_DIGITS = b"0" + b"1" * 255
