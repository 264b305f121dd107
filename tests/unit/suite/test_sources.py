"""What --suite names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.errors import UsageError
from tightrope.suite.sources import read_sources

OURS = "/* Written by Tightrope: tests of `f` in unit.c. Generating again replaces this file.\n"


def test_a_folder_of_ours_counts_each_suite_once(tmp_path: Path) -> None:
    (tmp_path / "test_unit_f.c").write_text(OURS)
    (tmp_path / "test_unit_f.json").write_text('{"cases": []}')
    (tmp_path / "test_unit_g.json").write_text('{"function": "g", "cases": []}')
    (tmp_path / "report.json").write_text('"a report of somebody else"')
    (tmp_path / "ours.json").write_text('{"schema": 1, "tool": {"name": "tightrope"}, "units": []}')
    found = read_sources([tmp_path])
    assert [(each.function, each.source) for each in found.written] == [("f", "unit.c")]
    assert [each.function for each in found.inputs] == ["g"]
    assert not found.tests


def test_c_files_of_a_folder_belong_together(tmp_path: Path) -> None:
    for name in ("b.c", "a.c", "notes.txt"):
        (tmp_path / name).write_text("")
    (only,) = read_sources([tmp_path]).tests
    assert [file.name for file in only.files] == ["a.c", "b.c"]


def test_several_are_added(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("")
    (tmp_path / "i.csv").write_text("n\n1\n")
    found = read_sources([tmp_path / "a.c", tmp_path / "i.csv"])
    assert (len(found.tests), len(found.inputs)) == (1, 1)


@pytest.mark.parametrize("name", ["missing", "empty", "notes.txt"])
def test_what_holds_no_tests_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(UsageError, match=name):
        read_sources([tmp_path / name])
