"""Which definitions reach which uses, on functions written as blocks of marks."""

from tightrope.location import Location
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.accesses import Access
from tightrope.program.marks.data_flow import find_flows
from tightrope.program.marks.labels import Form

PLACE = Location("f.c", 1, 1)


def access(name: str, is_definition: bool, problem: str = "") -> Access:
    return Access("@f", name, f"@f/{name}", is_definition, PLACE, Form.STATEMENT, 0, 0, problem)


def flows(body: str, accesses: list[Access]) -> list[tuple[int, int]]:
    text = f"define void @f(i1 %c) {{\n{body}\n}}\ndeclare void @tightrope_reach(i32)\n"
    function = read_program(text.replace("reach ", "call void @tightrope_reach(i32 ").replace(" ;", ")"))
    return [(flow.definition, flow.use) for flow in find_flows(function.functions["@f"], accesses)]


D, U = True, False


def test_a_definition_reaches_the_use_behind_it():
    assert flows("b:\n  reach 0 ;\n  reach 1 ;\n  ret void", [access("x", D), access("x", U)]) == [(0, 1)]


def test_a_use_before_it_is_not_reached():
    assert flows("b:\n  reach 1 ;\n  reach 0 ;\n  ret void", [access("x", D), access("x", U)]) == []


def test_another_definition_ends_it():
    accesses = [access("x", D), access("x", D), access("x", U)]
    assert flows("b:\n  reach 0 ;\n  reach 1 ;\n  reach 2 ;\n  ret void", accesses) == [(1, 2)]


def test_another_variable_does_not():
    accesses = [access("x", D), access("y", D), access("x", U)]
    assert flows("b:\n  reach 0 ;\n  reach 1 ;\n  reach 2 ;\n  ret void", accesses) == [(0, 2)]


def test_both_ways_to_a_join_count():
    body = """
b:
  reach 0 ;
  br i1 %c, label %x, label %y
x:
  reach 1 ;
  br label %y
y:
  reach 2 ;
  ret void"""
    assert flows(body, [access("x", D), access("x", D), access("x", U)]) == [(0, 2), (1, 2)]


def test_a_loop_brings_a_definition_back():
    body = """
b:
  reach 0 ;
  br label %x
x:
  reach 1 ;
  reach 2 ;
  br i1 %c, label %x, label %y
y:
  ret void"""
    assert flows(body, [access("x", D), access("x", U), access("x", D)]) == [(0, 1), (2, 1)]


def test_a_variable_with_a_definition_that_is_not_marked_has_no_flows():
    accesses = [access("x", D), access("x", D, "in an odd place"), access("x", U), access("y", D), access("y", U)]
    body = "b:\n  reach 0 ;\n  reach 2 ;\n  reach 3 ;\n  reach 4 ;\n  ret void"
    assert flows(body, accesses) == [(3, 4)]
