"""Blocks and text of control flow in normal form, on small IR."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
from plain_ir import write_program

from tightrope.location import Location
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.read_ir import read_program
from tightrope.program.normal_form.normal_form import normalise_control

DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "unit.c", directory: "/c")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!13 = !DILocation(line: 3, column: 9, scope: !3)
!14 = !DILocation(line: 4, column: 9, scope: !3)
!15 = !DILocation(line: 5, column: 9, scope: !3)
"""


def normal(body: str, is_conditional: bool = True) -> Program:
    """@f with this body, in normal form; LLVM must accept it, and text and fields must agree."""
    text = f"define i32 @f(i1 %a, i1 %b, i1 %c, i32 %x, i32 %y) !dbg !3 {{\n{body}\n}}\n{DEBUG}"
    program = normalise_control(read_program(text), lambda place: is_conditional)
    with llvm.parse_assembly(write_program(program), llvm.create_context()) as module:
        module.verify()
    for each in (each for block in program.functions["@f"].blocks for each in block.instructions):
        assert read_instruction(each.text, each.location, {}) == each
    return program


def show(program: Program) -> str:
    """`block: instruction; instruction` per line."""
    blocks = program.functions["@f"].blocks
    return "\n".join(f"{block.name}: {'; '.join(each.text for each in block.instructions)}" for block in blocks)


def lines(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().split("\n"))


AND = """
entry:
  br label %cond
cond:
  br i1 %a, label %rhs, label %end, !dbg !14
rhs:
  br label %end
end:
  %both = phi i1 [ false, %cond ], [ %b, %rhs ]
  br i1 %both, label %body, label %after, !dbg !13
body:
  br label %cond
after:
  ret i32 0"""


def test_the_last_operand_of_a_loop_is_a_branch() -> None:
    program = normal(AND)
    assert show(program) == lines("""
        entry: br label %cond
        cond: br i1 %a, label %rhs, label %after
        rhs: br i1 %b, label %body, label %after
        body: br label %cond
        after: ret i32 0""")
    assert program.functions["@f"].blocks[2].instructions[-1].location == Location("/c/unit.c", 3, 9)


@pytest.mark.parametrize(
    ("steps", "last", "targets"),
    [
        ("%n = xor i1 %both, true", "%n", "%after, label %body"),
        ("%n = xor i1 %both, true\n  %m = xor i1 %n, true", "%m", "%body, label %after"),
        (
            "%w = zext i1 %both to i64, !dbg !13\n  %tobool = icmp ne i64 %w, 0, !dbg !13",
            "%tobool",
            "%body, label %after",
        ),
    ],
)
def test_what_keeps_the_truth_is_seen_through(steps: str, last: str, targets: str) -> None:
    text = AND.replace("  br i1 %both", f"  {steps}\n  br i1 {last}")
    assert f"rhs: br i1 %b, label {targets}" in show(normal(text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(AND.replace("ret i32 0", "%z = zext i1 %both to i32\n  ret i32 %z"), id="kept value"),
        pytest.param(
            AND.replace("  br i1 %both", "  %cmp = icmp eq i1 %both, true\n  br i1 %cmp"), id="comparison of C"
        ),
        pytest.param(
            AND.replace(
                "  br i1 %both",
                "  %w = zext i1 %both to i32, !dbg !14\n  %tobool = icmp ne i32 %w, 0, !dbg !15\n  br i1 %tobool",
            ),
            id="ok = a && b; if (ok)",
        ),
        pytest.param(AND.replace("[ %b, %rhs ]", "[ false, %rhs ]"), id="a && 0"),
        pytest.param(AND.replace("[ %b, %rhs ]", "[ undef, %rhs ]"), id="undefined"),
        pytest.param(AND.replace("label %body, label %after", "label %body, label %body"), id="no choice"),
        pytest.param(
            AND.replace("br label %cond\nafter", "br i1 %c, label %end, label %cond\nafter").replace(
                "[ %b, %rhs ]", "[ %b, %rhs ], [ %b, %body ]"
            ),
            id="source that decides something else",
        ),
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert "phi i1" in show(normal(text))


def test_a_join_in_a_join() -> None:
    found = show(
        normal("""
entry:
  br i1 %a, label %inner, label %end
inner:
  br i1 %b, label %join, label %rhs
rhs:
  br label %join
join:
  %either = phi i1 [ true, %inner ], [ %c, %rhs ]
  br label %end
end:
  %all = phi i1 [ false, %entry ], [ %either, %join ]
  br i1 %all, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0""")
    )
    assert found == lines("""
        entry: br i1 %a, label %inner, label %no
        inner: br i1 %b, label %yes, label %rhs
        rhs: br i1 %c, label %yes, label %no
        yes: ret i32 1
        no: ret i32 0""")


def test_phis_behind_a_join_get_an_entry_per_edge() -> None:
    found = show(
        normal("""
entry:
  br i1 %a, label %rhs, label %end
rhs:
  br label %end
end:
  %both = phi i1 [ false, %entry ], [ %b, %rhs ]
  br i1 %both, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i32 [ 1, %yes ], [ %x, %end ]
  ret i32 %r""")
    )
    assert found == lines("""
        entry: br i1 %a, label %rhs, label %no
        rhs: br i1 %b, label %yes, label %no
        yes: br label %no
        no: %r = phi i32 [ 1, %yes ], [ %x, %entry ], [ %x, %rhs ]; ret i32 %r""")


SIDE_EFFECT = """
entry:
  br label %cond
cond:
  %n = phi i32 [ %x, %entry ], [ %m, %body ]
  br i1 %a, label %rhs, label %end
rhs:
  %next = add i32 %n, 1
  %less = icmp slt i32 %n, %y
  br label %end
end:
  %m = phi i32 [ %n, %cond ], [ %next, %rhs ]
  %both = phi i1 [ false, %cond ], [ %less, %rhs ]
  br i1 %both, label %body, label %after
body:
  br i1 %c, label %cond, label %after
after:
  %r = phi i32 [ 0, %end ], [ 5, %body ]
  %sum = add i32 %r, %m
  ret i32 %sum"""


def test_another_phi_of_the_join_is_asked_for_backwards() -> None:
    """`while (a && n++ < y) if (!c) break;`: behind the loop, n comes from three places."""
    assert show(normal(SIDE_EFFECT)) == lines("""
        entry: br label %cond
        cond: %n = phi i32 [ %x, %entry ], [ %next, %body ]; br i1 %a, label %rhs, label %after
        rhs: %next = add i32 %n, 1; %less = icmp slt i32 %n, %y; br i1 %less, label %body, label %after
        body: br i1 %c, label %cond, label %after
        after: %m1 = phi i32 [ %n, %cond ], [ %next, %rhs ], [ %next, %body ]; \
%r = phi i32 [ 5, %body ], [ 0, %cond ], [ 0, %rhs ]; %sum = add i32 %r, %m1; ret i32 %sum""")


def test_needless_phis_are_not_placed() -> None:
    """Behind a loop that does not change the value it is still what the edge carried."""
    text = SIDE_EFFECT.replace("br i1 %c, label %cond, label %after", "br i1 %c, label %cond, label %body")
    text = text.replace("%r = phi i32 [ 0, %end ], [ 5, %body ]", "%r = add i32 %x, 0")
    text = text.replace("br i1 %both, label %body", "br i1 %both, label %before").replace(
        "body:\n", "before:\n  br label %body\nbody:\n  %u = add i32 %m, 7\n"
    )
    assert "body: %u = add i32 %next, 7" in show(normal(text))


def test_a_second_edge_between_two_blocks_gets_a_block_of_its_own() -> None:
    found = show(
        normal("""
entry:
  br i1 %a, label %yes, label %end
other:
  br label %end
end:
  %both = phi i1 [ true, %entry ], [ %b, %other ]
  br i1 %both, label %yes, label %no
yes:
  %r = phi i32 [ 1, %entry ], [ 2, %end ]
  ret i32 %r
no:
  ret i32 0""")
    )
    assert found == lines("""
        entry: br i1 %a, label %yes, label %end.true
        end.true: br label %yes
        other: br i1 %b, label %yes, label %no
        yes: %r = phi i32 [ 1, %entry ], [ 2, %end.true ], [ 2, %other ]; ret i32 %r
        no: ret i32 0""")


SELECT = """
entry:
  %counter = zext i1 %a to i64, !dbg !13
  %cond = select i1 %a, i32 4, i32 5, !dbg !13
  %sum = add i32 %cond, %x
  br i1 %b, label %entry.true, label %done
entry.true:
  br label %done
done:
  %r = phi i32 [ %sum, %entry ], [ 0, %entry.true ]
  ret i32 %r"""


def test_a_conditional_is_a_branch() -> None:
    program = normal(SELECT)
    assert show(program) == lines("""
        entry: br i1 %a, label %cond.true, label %cond.false
        cond.true: br label %cond.end
        cond.false: br label %cond.end
        cond.end: %cond = phi i32 [ 4, %cond.true ], [ 5, %cond.false ]; %sum = add i32 %cond, %x; \
br i1 %b, label %entry.true, label %done
        entry.true: br label %done
        done: %r = phi i32 [ %sum, %cond.end ], [ 0, %entry.true ]; ret i32 %r""")
    assert program.functions["@f"].blocks[0].instructions[-1].location == Location("/c/unit.c", 3, 9)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SELECT.replace("%cond", "%ffs"), id="built-in function"),
        pytest.param(SELECT.replace("%cond", "%cond.sroa.speculated"), id="promoted local"),
        pytest.param(SELECT.replace("i32 5, !dbg !13", "i32 5"), id="no place"),
    ],
)
def test_other_selects_are_left_alone(text: str) -> None:
    assert "select" in show(normal(text))


def test_where_the_text_has_no_conditional_there_is_none() -> None:
    assert "select" in show(normal(SELECT, is_conditional=False))


def test_names_that_are_taken_are_not_given_again() -> None:
    found = show(normal(SELECT.replace("entry.true", "cond.true").replace("%sum", "%cond.end")))
    assert "entry: br i1 %a, label %cond.true1, label %cond.false" in found
    assert "cond.end1: %cond = phi i32 [ 4, %cond.true1 ], [ 5, %cond.false ]" in found


def test_conditionals_in_a_row_and_in_joins() -> None:
    """`x + (a && b ? 4 : 5) + (c ? 1 : 2)`"""
    found = show(
        normal("""
entry:
  br i1 %a, label %rhs, label %end
rhs:
  br label %end
end:
  %both = phi i1 [ false, %entry ], [ %b, %rhs ]
  %counter = zext i1 %both to i64
  %cond = select i1 %both, i32 4, i32 5, !dbg !13
  %counter2 = zext i1 %c to i64
  %cond2 = select i1 %c, i32 1, i32 2, !dbg !13
  %sum = add i32 %cond, %cond2
  ret i32 %sum""")
    )
    assert (
        found
        == lines("""
        entry: br i1 %a, label %rhs, label %cond.false
        rhs: br i1 %b, label %cond.true, label %cond.false
        cond.true: br label %cond.end
        cond.false: br label %cond.end
        cond.end: %cond = phi i32 [ 4, %cond.true ], [ 5, %cond.false ]; br i1 %c, label %cond2.true, label %cond2.false
        cond2.true: br label %cond2.end
        cond2.false: br label %cond2.end
        cond2.end: %cond2 = phi i32 [ 1, %cond2.true ], [ 2, %cond2.false ]; %sum = add i32 %cond, %cond2; ret i32 %sum""")
    )


def test_places_of_a_join_go_to_the_blocks_that_decide_now() -> None:
    blocks = {block.name: block for block in normal(AND).functions["@f"].blocks}
    assert Location("/c/unit.c", 3, 9) in blocks["rhs"].places
    assert blocks["cond"].places == (Location("/c/unit.c", 3, 9), Location("/c/unit.c", 4, 9))


SETTLED = """
entry:
  br i1 %a, label %arm, label %other
arm:
  br i1 false, label %yes, label %no
other:
  br i1 %b, label %yes, label %no
yes:
  ret i32 1
no:
  %r = phi i32 [ %x, %arm ], [ %y, %other ]
  ret i32 %r"""


def test_a_branch_on_a_constant_is_none() -> None:
    assert show(normal(SETTLED)) == lines("""
        entry: br i1 %a, label %arm, label %other
        arm: br label %no
        other: br i1 %b, label %yes, label %no
        yes: ret i32 1
        no: %r = phi i32 [ %x, %arm ], [ %y, %other ]; ret i32 %r""")
    assert "no: %r = phi i32 [ %y, %other ]" in show(normal(SETTLED.replace("i1 false", "i1 true")))


def test_a_block_that_only_a_constant_leads_to_stays_reached() -> None:
    assert "br i1 false" in show(normal(SETTLED.replace("i1 %b, label %yes, ", "")))


MARK = "call void @tightrope_condition(i32 7, i1 {})"


def with_mark(steps: str, last: str, marked: str) -> str:
    """`while (({ a && b; }))`: what is joined is a condition of its own."""
    steps = f"{steps}\n  " if steps else ""
    return AND.replace("  br i1 %both", f"  {steps}{MARK.format(marked)}\n  br i1 {last}")


def normal_with_marks(body: str) -> str:
    text = f"declare void @tightrope_condition(i32, i1)\ndefine i32 @f(i1 %a, i1 %b) !dbg !3 {{\n{body}\n}}\n{DEBUG}"
    program = normalise_control(read_program(text), lambda place: True)
    with llvm.parse_assembly(write_program(program), llvm.create_context()) as module:
        module.verify()
    return show(program)


def test_the_mark_of_a_join_goes_on_each_way_past_it() -> None:
    assert normal_with_marks(with_mark("", "%both", "%both")) == lines(f"""
        entry: br label %cond
        cond: br i1 %a, label %rhs, label %end.false
        end.false: {MARK.format("false")}; br label %after
        rhs: {MARK.format("%b")}; br i1 %b, label %body, label %after
        body: br label %cond
        after: ret i32 0""")


def test_the_mark_of_the_opposite_of_a_join() -> None:
    shown = normal_with_marks(with_mark("%n = xor i1 %both, true", "%n", "%n"))
    assert f"end.false: {MARK.format('true')}; br label %body" in shown
    opposite = "%tightrope.opposite = xor i1 %b, true"
    marked = MARK.format("%tightrope.opposite")
    assert f"rhs: {opposite}; {marked}; br i1 %b, label %after, label %body" in shown


def test_a_mark_of_something_else_keeps_the_join() -> None:
    assert "%both = phi" in normal_with_marks(with_mark("", "%both", "%a"))
