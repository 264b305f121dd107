"""Counts of points without our weaver and runtime: counters written into the IR text, compiled by the same compiler.

An independent twin for tests. Each block adds one to its own point and to the side that it leaves by.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tightrope.program.c_text.source_text import SourceText
from tightrope.program.flow.points import Points, number_points, sides
from tightrope.program.ir.model import Block, Function, Program
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import compiler_environment, find_compiler
from tightrope.units.marked_program import has_conditional

_PRINT = """
define void @tightrope_print_counts() {{
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [{count} x i64], ptr @tightrope_counts, i64 0, i64 %at
  %value = load i64, ptr %place
  %unused = call i32 (ptr, ...) @printf(ptr @tightrope_format, i64 %value)
  %next = add i64 %at, 1
  %more = icmp ult i64 %next, {count}
  br i1 %more, label %loop, label %done
done:
  ret void
}}
@tightrope_counts = global [{count} x i64] zeroinitializer
@tightrope_format = private constant [5 x i8] c"%ld\\0A\\00"
"""


def count_points(source: Path, name: str, tests: Path, folder: Path) -> tuple[Function, Points, list[int]]:
    """Run the test file (whose main returns) and answer how often each point of the function was hit."""
    raw, normal = normalise(compile_to_bitcode(find_compiler(), tests, (f"-I{source.parent}",)))
    program = normalise_control(read_program(normal, raw), has_conditional(SourceText()))
    function = program.functions[f"@{name}"]
    points = number_points([function])
    woven = folder / "woven.ll"
    woven.write_text(_weave(program, function, points))
    compiler, built = find_compiler(), folder / "woven"
    command = [*compiler.command, "-w", "-fno-sanitize=undefined", str(woven), "-o", str(built)]
    subprocess.run(command, check=True, capture_output=True, env=compiler_environment(compiler))
    output = subprocess.run([built], capture_output=True, text=True, check=False).stdout
    counts = re.findall(r"^\d+$", output, re.MULTILINE)
    return function, points, [int(each) for each in counts[-len(points) :]]


def _weave(program: Program, function: Function, points: Points) -> str:
    lines = [*program.prelude]
    for each in program.functions.values():
        if each.is_defined:
            lines += [each.header, *_write(each, points if each is function else None), "}"]
    if "@printf" not in program.functions:
        lines.append("declare i32 @printf(ptr, ...)")
    return "\n".join(lines) + _PRINT.format(count=len(points))


def _write(function: Function, points: Points | None) -> Iterator[str]:
    for block in function.blocks:
        *inner, last = (each.text for each in block.instructions)
        yield f"{block.name}:"
        yield from inner
        if points:
            yield from _counting(block, function.name, points)
        if function.name == "@main" and last.startswith("ret "):
            yield "  call void @tightrope_print_counts()"
        yield last


def _counting(block: Block, function: str, points: Points) -> Iterator[str]:
    last = block.instructions[-1]
    yield from _add(points.numbers[function, block.name, None], "1")
    if not sides(block):
        return
    kind, value = last.operands[0].type, last.operands[0].text
    taken = []
    for side in sides(block):
        number = points.numbers[function, block.name, side]
        if last.opcode == "br":
            yield f"  %tr.c{number} = icmp eq i1 {value}, {side}"
        elif side:
            yield f"  %tr.c{number} = icmp eq {kind} {value}, {last.cases[side - 1]}"
            taken.append(number)
    if last.opcode == "switch":
        yield from _none_of(points.numbers[function, block.name, 0], taken)
    for side in sides(block):
        number = points.numbers[function, block.name, side]
        yield f"  %tr.z{number} = zext i1 %tr.c{number} to i64"
        yield from _add(number, f"%tr.z{number}")


def _none_of(number: int, others: list[int]) -> Iterator[str]:
    so_far = "false"
    for other in others:
        yield f"  %tr.o{number}.{other} = or i1 {so_far}, %tr.c{other}"
        so_far = f"%tr.o{number}.{other}"
    yield f"  %tr.c{number} = xor i1 {so_far}, true"


def _add(number: int, amount: str) -> Iterator[str]:
    yield f"  %tr.p{number} = getelementptr i64, ptr @tightrope_counts, i64 {number}"
    yield f"  %tr.v{number} = load i64, ptr %tr.p{number}"
    yield f"  %tr.s{number} = add i64 %tr.v{number}, {amount}"
    yield f"  store i64 %tr.s{number}, ptr %tr.p{number}"
