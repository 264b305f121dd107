"""Which functions of a file are its tests."""

from __future__ import annotations

from tightrope.program.ir.read_ir import read_program
from tightrope.suite.find_tests import find_tests


def ir(**calls: str) -> str:
    """Functions that call others: `main="test_a test_b"`. A name with `_p` in it takes a pointer, with `_two` two numbers."""
    parameters = {name: "ptr %s" if "_p" in name else "i32 %x, i32 %y" if "_two" in name else "" for name in calls}
    given = {"ptr %s": "ptr null", "i32 %x, i32 %y": "i32 1, i32 2", "": ""}
    lines = []
    for name, callees in calls.items():
        lines.append(f"define void @{name}({parameters[name]}) {{\nentry:")
        lines += [f"  call void @{callee}({given[parameters[callee]]})" for callee in callees.split()]
        lines += ["  ret void", "}"]
    return "\n".join(lines) + "\n"


def found_in(patterns: tuple[str, ...] = ("test*",), **calls: str) -> list[str]:
    return [name[1:] for name in find_tests(read_program(ir(**calls)), patterns, ["@unit"])]


def test_functions_that_main_calls() -> None:
    assert found_in(unit="", test_a="unit", test_b="unit", helper="unit", main="test_a test_b") == ["test_a", "test_b"]


def test_a_runner_is_no_test() -> None:
    found = found_in(unit="", test_a="unit", test_b="unit", test_all="test_a test_b", main="test_all")
    assert found == ["test_a", "test_b"]


def test_what_only_tests_call_is_part_of_them() -> None:
    assert found_in(unit="", test_setup="unit", test_a="test_setup unit", main="test_a") == ["test_a"]


def test_the_unit_may_have_the_name_of_a_test() -> None:
    text = ir(test_bit="", test_a="test_bit", main="test_a")
    assert find_tests(read_program(text), ("test*",), ["@test_bit"]) == ("@test_a",)


def test_a_state_is_no_hindrance_and_arguments_are() -> None:
    assert found_in(unit="", test_p="unit", test_two="unit", main="test_p test_two") == ["test_p"]


def test_tests_that_are_listed_in_a_table() -> None:
    text = "@table = global [1 x ptr] [ptr @test_a]\n" + ir(unit="", test_a="unit", main="")
    assert find_tests(read_program(text), ("test*",), ["@unit"]) == ("@test_a",)


def test_other_names() -> None:
    assert found_in(
        ("check_*", "*_spec"), unit="", check_a="unit", b_spec="unit", test_c="unit", main="check_a b_spec"
    ) == [
        "check_a",
        "b_spec",
    ]
