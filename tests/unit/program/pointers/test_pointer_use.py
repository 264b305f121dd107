"""Uses of pointers in hand-written IR: shapes that clang rarely writes."""

from __future__ import annotations

import pytest

from tightrope.program.ir.read_ir import read_program
from tightrope.program.pointers.pointer_use import Use, find_pointer_uses
from tightrope.program.pointers.touched_members import touched_members

TYPES = """
%struct.in = type { i32, ptr }
%struct.out = type { i64, %struct.in, [3 x %struct.in] }
@g = global %struct.out zeroinitializer
@p = global ptr null
"""


def use(body: str, holder: tuple[object, ...] = ("parameter", 0), parameters: str = "ptr %p, i64 %i") -> Use:
    program = read_program(
        f"{TYPES}\ndefine void @f({parameters}) {{\nentry:\n{body}\n  ret void\n}}\ndeclare ptr @h(ptr)\n"
    )
    return find_pointer_uses(program, "@f").of(holder)


def test_an_index_and_a_member_at_once() -> None:
    found = use(
        "  %a = getelementptr %struct.in, ptr %p, i64 %i, i32 1\n  %v = load ptr, ptr %a\n  store ptr %v, ptr @p"
    )
    assert found.is_indexed and found.is_read


def test_a_constant_index_and_a_member_at_once() -> None:
    found = use("  %a = getelementptr %struct.in, ptr %p, i64 2, i32 0\n  store i32 1, ptr %a")
    assert found.least_count == 3 and found.is_written and not found.is_indexed


def test_a_member_of_a_member_at_once() -> None:
    body = (
        "  %a = getelementptr %struct.out, ptr %p, i64 0, i32 1, i32 1\n  %v = load ptr, ptr %a\n  store i8 1, ptr %v"
    )
    assert use(body, ("member", "in", 8)).is_written


def test_a_member_in_an_array_in_a_record_at_once() -> None:
    body = (
        "  %a = getelementptr %struct.out, ptr %p, i64 0, i32 2, i64 %i, i32 1\n  %v = load ptr, ptr %a\n"
        "  store i8 1, ptr %v"
    )
    assert use(body, ("member", "in", 8)).is_written


def test_a_constant_address_in_a_global() -> None:
    where = "getelementptr inbounds (%struct.out, ptr @g, i64 0, i32 1, i32 1)"
    assert use(f"  %v = load ptr, ptr {where}\n  store i8 1, ptr %v", ("member", "in", 8)).is_written


def test_bytes_into_a_global() -> None:
    where = "getelementptr inbounds (i8, ptr @g, i64 16)"
    assert use(f"  %v = load ptr, ptr {where}\n  store i8 1, ptr %v", ("member", "in", 8)).is_written


def test_select_and_cast() -> None:
    body = "  %c = icmp eq i64 %i, 0\n  %s = select i1 %c, ptr %p, ptr null\n  %d = freeze ptr %s\n  store i8 0, ptr %d"
    assert use(body).is_written


def test_null_on_the_left() -> None:
    assert use("  %c = icmp eq ptr null, %p\n  %w = zext i1 %c to i64").is_compared


def test_an_exchange_reads_and_writes() -> None:
    found = use("  %old = atomicrmw add ptr %p, i64 1 seq_cst")
    assert found.is_read and found.is_written


def test_given_to_code_that_is_not_here() -> None:
    assert not use("  %r = call ptr @h(ptr %p)").is_known


@pytest.mark.parametrize("parameters", ["ptr sret(%struct.in) %r, ptr %p", "i64 %x.coerce0, ptr %x.coerce1, ptr %p"])
def test_parameters_are_counted_as_in_c(parameters: str) -> None:
    number = 0 if "sret" in parameters else 1
    assert use("  store i8 0, ptr %p", ("parameter", number), parameters).is_written


def test_an_instruction_that_nobody_knows_may_do_anything() -> None:
    assert not use("  frobnicate ptr %p, i64 %i").is_known
    assert not use("  store frobnicated ptr %p").is_known


def touched(body: str) -> list[tuple[str, int]]:
    program = read_program(
        f"{TYPES}\ndefine void @f(ptr %p, i64 %i) {{\nentry:\n{body}\n  ret void\n}}\ndeclare ptr @h(ptr)\n"
    )
    found = touched_members(program, "@f")
    return [(name, at) for name, at in (("in", 8), ("out", 8), ("out", 24)) if found.may_touch(name, at)]


def test_members_of_members() -> None:
    body = (
        "  %a = getelementptr %struct.out, ptr %p, i64 0, i32 1, i32 1\n  %v = load ptr, ptr %a\n  store i8 1, ptr %v"
    )
    assert touched(body) == [("in", 8), ("out", 8)]


def test_a_record_given_away_is_looked_at_with_all_that_is_in_it() -> None:
    body = "  %a = getelementptr %struct.out, ptr %p, i64 0, i32 0\n  store i64 0, ptr %a\n  %r = call ptr @h(ptr %p)"
    assert touched(body) == [("in", 8), ("out", 8), ("out", 24)]


def test_without_c_types_bytes_may_belong_to_any_record() -> None:
    assert touched("  %a = getelementptr i8, ptr %p, i64 24\n  %v = load i8, ptr %a\n  store i8 %v, ptr @p") == [
        ("out", 24)
    ]
