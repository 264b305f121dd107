"""Folders and files of the page, with sums."""

from dataclasses import dataclass
from types import SimpleNamespace

from tightrope.report.formats.html.tree_view import view_tree
from tightrope.report.model import Score


@dataclass
class Viewed:
    file: str
    anchor: str
    covered: int
    unit: SimpleNamespace

    @property
    def scores(self):
        return {"mcdc": Score(covered=self.covered, unknown=1)}


def function(file: str, covered: int, tests: int = 1, errors: int = 0) -> Viewed:
    return Viewed(
        file, f"{file}:f", covered, SimpleNamespace(function="f", tests=["t"] * tests, crashes=["c"] * errors)
    )


def test_rows_have_the_sums_of_what_is_below_them() -> None:
    functions = [
        function("src/main.c", 1),
        function("src/drivers/can/decode.c", 2, tests=3),
        function("src/drivers/can/decode.c", 4, errors=2),
        function("src/drivers/can/frame.c", 8),
        function("top.c", 16),
    ]
    rows = view_tree(functions, ["mcdc"])
    shown = [(row.depth, row.name, row.functions, row.scores["mcdc"].covered, row.tests, row.errors) for row in rows]
    assert shown == [
        (0, "src", 4, 15, 6, 2),
        (1, "drivers/can", 3, 14, 5, 2),
        (2, "decode.c", 2, 6, 4, 2),
        (2, "frame.c", 1, 8, 1, 0),
        (1, "main.c", 1, 1, 1, 0),
        (0, "top.c", 1, 16, 1, 0),
    ]
    assert [row.file for row in rows] == [
        "",
        "",
        "src/drivers/can/decode.c",
        "src/drivers/can/frame.c",
        "src/main.c",
        "top.c",
    ]
    assert rows[2].anchor == "src/drivers/can/decode.c:f"


def test_one_file_needs_no_tree() -> None:
    assert view_tree([function("a/b.c", 1), function("a/b.c", 2)], ["mcdc"]) == ()
