"""Inputs that people wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.errors import UsageError
from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import Elements, InputShape, Leaf, PointsTo, Root
from tightrope.suite.read_inputs import GivenInput, read_inputs, to_input

INT = Scalar("signed", 32, 4, is_signed=True)
CHAR = Scalar("char", 8, 1, is_signed=True)
TEXT = tuple(Leaf(f"text[{at}]", 1, CHAR, slot) for at, slot in enumerate((2, 3, 4)))
SHAPE = InputShape(
    (
        Root("n", Leaf("n", 0, INT, 0)),
        Root("text", PointsTo("text", 2, "text", 1, 4, TEXT, slot=1, others=("NULL",), is_string=True)),
    ),
    None,
)


def write(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_a_list(tmp_path: Path) -> None:
    found = read_inputs(write(tmp_path, "i.json", '[{"n": -3}, {"text": "ab"}]'))
    assert [each.name for each in found.inputs] == ["i.json:1", "i.json:2"]
    assert [to_input(each, SHAPE) for each in found.inputs] == [
        ((1 << 32) - 3, 0, 0, 0, 0),
        (0, 0, ord("a"), ord("b"), 0),
    ]


def test_a_suite_of_ours(tmp_path: Path) -> None:
    text = '{"schema": 1, "file": "../u.c", "function": "f", "cases": [{"name": "x", "inputs": {"text": "NULL"}}]}'
    found = read_inputs(write(tmp_path, "s.json", text))
    assert (found.function, found.source, found.inputs[0].name) == ("f", "../u.c", "x")
    assert to_input(found.inputs[0], SHAPE) == (0, 1, 0, 0, 0)


def test_csv(tmp_path: Path) -> None:
    found = read_inputs(write(tmp_path, "i.csv", "n,text[0]\n7,\n0x10,z\n\n"))
    assert [to_input(each, SHAPE) for each in found.inputs] == [(7, 0, 0, 0, 0), (16, 0, ord("z"), 0, 0)]


def test_bytes_above_127(tmp_path: Path) -> None:
    assert to_input(GivenInput("x", {"text": "\xff"}), SHAPE)[2] == 255


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"m": 1}, "there is no input `m`"),
        ({"text": "abcd"}, "`text` has only 3 elements"),
        ({"n": 1 << 40}, "does not fit"),
        ({"n": "three"}, "is not a valid value"),
    ],
)
def test_what_does_not_fit_is_said(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        to_input(GivenInput("x", values), SHAPE)


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", "{"), ("b.json", "3"), ("c.json", "[3]"), ("d.csv", "\n"), ("e.csv", "a,b\n1\n")]
)
def test_files_that_hold_no_inputs(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(UsageError, match=name):
        read_inputs(write(tmp_path, name, text))


def test_standard_input() -> None:
    length = Leaf("length of stdin", -1, Scalar("unsigned", 32, 4), 0)
    array = Elements("stdin", -1, tuple(Leaf(f"stdin[{at}]", -1, CHAR, at + 1) for at in range(3)), 3)
    roots = (
        Root("tightrope_stdin_length", length, is_global=True, answers_of="stdin"),
        Root("tightrope_stdin", array, is_global=True, answers_of="stdin"),
    )
    assert to_input(GivenInput("x", {"stdin": "a\xff"}), InputShape(roots, None)) == (2, 97, 255, 0)


def test_elements_of_arrays_by_list() -> None:
    leaves = tuple(Leaf(f"v[{at}]", 0, INT, at) for at in range(3))
    shape = InputShape((Root("v", Elements("v", 1, leaves, 3), is_global=True),), None)
    assert to_input(GivenInput("x", {"v": [1, 2]}), shape) == (1, 2, 0)
