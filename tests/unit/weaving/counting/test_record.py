"""The file into which test programs note what they hit."""

from __future__ import annotations

from pathlib import Path

from tightrope.weaving.counting.record import PAGE, StateOfTest, create_record, mapped_bytes, read_record, row_bytes


def test_a_new_record_has_nothing_in_it(tmp_path: Path) -> None:
    create_record(tmp_path / "r", points=70, tests=3, skipped=[2])
    found = read_record(tmp_path / "r", 70)
    assert found.current == 0
    assert found.rows == (0, 0, 0, 0)
    assert found.states == (StateOfTest.WAITING, StateOfTest.WAITING, StateOfTest.SKIPPED, StateOfTest.WAITING)


def test_what_was_not_kept_belongs_to_the_test_that_runs(tmp_path: Path) -> None:
    """The layout is that of weaving/counting/record.c: rows behind 4 numbers and the states, points at the end."""
    file = tmp_path / "r"
    create_record(file, points=9, tests=2)
    content = bytearray(file.read_bytes())
    content[8] = 2  # current
    rows = 32 + 8
    content[rows + row_bytes(9) * 1 + 4] = 1  # test 1, point 4
    content[rows + row_bytes(9) * 2 + 0] = 1  # test 2, point 0
    content[len(content) - mapped_bytes(9) + 8] = 1  # point 8, not kept yet
    file.write_bytes(content)
    found = read_record(file, 9)
    assert found.current == 2
    assert found.rows == (0, 1 << 4, 1 | 1 << 8)


def test_a_row_has_room_for_the_spare_byte_and_points_begin_a_page(tmp_path: Path) -> None:
    assert all(row_bytes(points) > points and row_bytes(points) % 8 == 0 for points in (1, 7, 8, 64, PAGE))
    create_record(tmp_path / "r", points=PAGE, tests=1)
    size = (tmp_path / "r").stat().st_size
    assert (size - mapped_bytes(PAGE)) % PAGE == 0
    assert mapped_bytes(PAGE) == 2 * PAGE
