"""Regions of labels without branches compute what those with branches do."""

from __future__ import annotations

import ctypes
import itertools

import llvmlite.binding as llvm
import pytest

from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import read_program
from tightrope.program.marks.flat_regions import flatten_regions

MARKS = """
@g = global i32 7
declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
declare i1 @other()
"""

BOTH = """
define i32 @f(i1 %a, i32 %y) {
entry:
  call void @tightrope_label_begin(i32 0)
  br i1 %a, label %rhs, label %end
rhs:
  %b = icmp sgt i32 %y, 3
  br label %end
end:
  %p = phi i1 [ false, %entry ], [ %b, %rhs ]
  call void @tightrope_label_end(i32 0, i1 %p)
  br i1 %a, label %then, label %out
then:
  br label %out
out:
  %r = phi i32 [ 1, %end ], [ 2, %then ]
  ret i32 %r
}
"""


def flat(text: str) -> Function:
    return flatten_regions(read_program(MARKS + text)).functions["@f"]


def test_a_region_is_drawn_into_the_block_where_it_begins() -> None:
    function = flat(BOTH)
    assert [block.name for block in function.blocks] == ["entry", "then", "out"]
    assert [each.text for each in function.blocks[0].instructions] == [
        "call void @tightrope_label_begin(i32 0)",
        "%b = icmp sgt i32 %y, 3",
        "%p = and i1 %a, %b",
        "call void @tightrope_label_end(i32 0, i1 %p)",
        "br i1 %a, label %then, label %out",
    ]
    assert function.blocks[2].instructions[0].text == "%r = phi i32 [ 1, %entry ], [ 2, %then ]"


@pytest.mark.parametrize(
    "computed",
    [
        "%b = sdiv i32 7, %y\n  %c = icmp sgt i32 %b, 3",
        "%q = inttoptr i32 %y to ptr\n  %b = load i32, ptr %q\n  %c = icmp sgt i32 %b, 3",
        "%b = load volatile i32, ptr @g\n  %c = icmp sgt i32 %b, 3",
        "%c = call i1 @other()",
        "store i32 1, ptr @g\n  %c = icmp sgt i32 %y, 3",
    ],
)
def test_what_c_would_not_compute_stays_behind_its_branch(computed: str) -> None:
    function = flat(BOTH.replace("%b = icmp sgt i32 %y, 3", computed).replace("[ %b, %rhs ]", "[ %c, %rhs ]"))
    assert [block.name for block in function.blocks] == ["entry", "rhs", "end", "then", "out"]


def test_a_variable_is_always_there() -> None:
    text = BOTH.replace("%b = icmp sgt i32 %y, 3", "%v = load i32, ptr @g\n  %b = icmp sgt i32 %v, 3")
    assert len(flat(text).blocks) == 3


def test_a_loop_stays() -> None:
    text = BOTH.replace("  br label %end\nend:", "  br i1 %b, label %rhs, label %end\nend:")
    assert len(flat(text).blocks) == 5


def test_a_program_without_labels_stays_as_it_is() -> None:
    program = read_program("define i32 @f(i1 %a) {\nentry:\n  ret i32 0\n}\n")
    assert flatten_regions(program) == program


# Chains of && || ! ?: as clang makes them, over %a %b %c; @result is what the label says.
TREES = {
    "a && b && c": ("a:b:no", "b:c:no", "c:yes:no"),
    "a || b && c": ("a:yes:b", "b:c:no", "c:yes:no"),
    "(a || b) && !c": ("a:c:b", "b:c:no", "c:no:yes"),
    "a ? b : c": ("a:b:c", "b:yes:no", "c:yes:no"),
    "a && b || c": ("a:b:c", "b:yes:c", "c:yes:no"),
}


def tree_text(steps: tuple[str, ...]) -> str:
    """A block per condition; all ends meet in one phi with constants, and one with numbers."""
    blocks, ends = [], []
    for step in steps:
        name, true, false = step.split(":")
        targets = [f"in.{name}.{each}" if each in ("yes", "no") else f"ask.{each}" for each in (true, false)]
        blocks.append(f"ask.{name}:\n  br i1 %{name}, label %{targets[0]}, label %{targets[1]}")
        for each in {true, false} & {"yes", "no"}:
            blocks.append(f"in.{name}.{each}:\n  br label %end")
            ends.append((f"in.{name}.{each}", each))
    truth = ", ".join(f"[ {'true' if each == 'yes' else 'false'}, %{block} ]" for block, each in ends)
    where = ", ".join(f"[ {number}, %{block} ]" for number, (block, _) in enumerate(ends))
    first = steps[0].split(":")[0]
    return f"""
define i32 @f(i1 %a, i1 %b, i1 %c) {{
entry:
  call void @tightrope_label_begin(i32 0)
  br label %ask.{first}
{chr(10).join(blocks)}
end:
  %p = phi i1 {truth}
  %n = phi i32 {where}
  call void @tightrope_label_end(i32 0, i1 %p)
  %wide = zext i1 %p to i32
  %twice = mul i32 %n, 2
  %r = add i32 %twice, %wide
  ret i32 %r
}}
"""


def results(function: Function) -> list[int]:
    """What @f returns for each input, as the machine computes it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    body = "\n".join(
        f"{block.name}:\n" + "\n".join(f"  {each.text}" for each in block.instructions if "@tightrope" not in each.text)
        for block in function.blocks
    )
    module = llvm.parse_assembly(f"define i32 @f(i1 %a, i1 %b, i1 %c) {{\n{body}\n}}\n")
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    library = (
        llvm.JITLibraryBuilder()
        .add_ir(str(module))
        .export_symbol("f")
        .link(llvm.create_lljit_compiler(machine), "unit")
    )
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_bool, ctypes.c_bool, ctypes.c_bool)(library["f"])
    return [call(*values) for values in itertools.product((False, True), repeat=3)]


@pytest.mark.parametrize("name", TREES)
def test_every_tree_gives_what_it_gave(name: str) -> None:
    text = tree_text(TREES[name])
    branching, drawn = read_program(MARKS + text).functions["@f"], flat(text)
    assert len(branching.blocks) > 4 and len(drawn.blocks) == 1
    assert results(drawn) == results(branching)
    assert len(set(results(drawn))) > 2
