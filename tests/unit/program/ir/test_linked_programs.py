"""Several programs as one."""

from __future__ import annotations

from tightrope.program.ir.linked_programs import join_programs
from tightrope.program.ir.read_ir import read_program
from tightrope.program.pointers.pointer_use import find_pointer_uses

UNIT = """
define i32 @f(ptr %p) {
entry:
  %r = call i32 @g(ptr %p)
  ret i32 %r
}
declare i32 @g(ptr)
"""
OTHER = """
@table = global i32 0
define i32 @g(ptr %q) {
entry:
  %a = getelementptr i32, ptr %q, i64 5
  %v = load i32, ptr %a
  ret i32 %v
}
"""


def test_a_definition_wins() -> None:
    joined = join_programs([read_program(UNIT), read_program(OTHER)])
    assert joined.functions["@g"].is_defined and "@table" in joined.globals


def test_one_program_is_itself() -> None:
    program = read_program(UNIT)
    assert join_programs([program]) is program


def test_a_pointer_is_followed_into_another_file() -> None:
    unit, other = read_program(UNIT), read_program(OTHER)
    assert not find_pointer_uses(unit, "f").of(("parameter", 0)).is_known
    use = find_pointer_uses(join_programs([unit, other]), "f").of(("parameter", 0))
    assert use.is_known and use.least_count == 6
