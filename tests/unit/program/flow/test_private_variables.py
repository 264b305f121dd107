"""Which static variables no pointer from outside can lead to."""

from __future__ import annotations

import pytest

from tightrope.program.flow.private_variables import find_private_variables
from tightrope.program.ir.read_ir import read_program

STATE = "@state = internal global [4 x i32] zeroinitializer\n@shown = global i32 0\n@place = internal global ptr null\n"
HELPER = "define internal void @helper(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
KEEPER = "define internal void @keeper(ptr %p) {\n  store ptr %p, ptr @place\n  ret void\n}\n"
FINDER = "define internal ptr @finder() {\n  ret ptr @state\n}\n"


@pytest.mark.parametrize(
    ("body", "is_private"),
    [
        ("%v = load i32, ptr @state", True),
        ("store i32 1, ptr @state", True),
        ("%p = getelementptr [4 x i32], ptr @state, i64 0, i64 %i\n  store i32 1, ptr %p", True),
        ("call void @helper(ptr @state)", True),
        ("%p = call ptr @finder()\n  store i32 1, ptr %p", True),
        ("store ptr @state, ptr @place", False),
        ("%p = getelementptr [4 x i32], ptr @state, i64 0, i64 %i\n  store ptr %p, ptr @place", False),
        ("call void @keeper(ptr @state)", False),
        ("%p = call ptr @finder()\n  store ptr %p, ptr @place", False),
        ("call void @unknown(ptr @state)", False),
        ("%n = ptrtoint ptr @state to i64", False),
        ("%p = select i1 true, ptr @state, ptr @shown\n  call void @unknown(ptr %p)", False),
    ],
)
def test_where_the_address_goes(body: str, is_private: bool) -> None:
    text = f"define void @f(i64 %i) {{\n  {body}\n  ret void\n}}\ndeclare void @unknown(ptr)\n"
    found = find_private_variables(read_program(STATE + HELPER + KEEPER + FINDER + text))
    assert ("@state" in found) == is_private
    assert "@shown" not in found


def test_a_returned_address_leaves_the_file() -> None:
    text = "define ptr @f() {\n  ret ptr @state\n}\n"
    assert "@state" not in find_private_variables(read_program(STATE + text))


def test_another_variable_may_hold_the_address() -> None:
    text = "@table = global ptr @state\n"
    assert "@state" not in find_private_variables(read_program(STATE + text))
