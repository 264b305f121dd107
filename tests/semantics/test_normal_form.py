"""Normal control flow computes what the program computed: both are compiled and run side by side."""

from __future__ import annotations

import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from plain_ir import write_program
from random_control import calling_main, random_functions
from random_inputs import random_values, reference_program
from random_programs import random_program

from tightrope.program.ir.model import Program
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import compiler_environment, find_compiler


def read_c(text: str, folder: Path) -> tuple[Program, Program]:
    """The program as it is read, and with normal control flow."""
    (folder / "program.c").write_text(text)
    raw, normal = normalise(compile_to_bitcode(find_compiler(), folder / "program.c"))
    before = read_program(normal, raw)
    return before, normalise_control(before, lambda place: True)


def run(program: Program, folder: Path, given: str = "") -> str:
    text, built = folder / "program.ll", folder / "program"
    text.write_text(write_program(program))
    compiler = find_compiler()
    command = [*compiler.command, "-w", "-O0", "-fno-sanitize=undefined", str(text), "-lm", "-o", str(built)]
    subprocess.run(command, check=True, capture_output=True, env=compiler_environment(compiler))
    return subprocess.run([built], input=given, capture_output=True, text=True, check=True, timeout=60).stdout


def check_text(program: Program) -> None:
    """LLVM accepts the program, and its fields say what its text says."""
    with llvm.parse_assembly(write_program(program), llvm.create_context()) as module:
        module.verify()
    for function in program.functions.values():
        for each in (each for block in function.blocks for each in block.instructions):
            assert read_instruction(each.text, each.location, program.named_types) == each


@pytest.mark.parametrize("seed", range(3))
def test_control_flow_of_every_shape(seed: int, tmp_path: Path) -> None:
    before, after = read_c(random_functions(seed, 24) + calling_main(24), tmp_path)
    check_text(after)
    assert not any(
        each.opcode == "select" for f in after.functions.values() for b in f.blocks for each in b.instructions
    )
    results = run(before, tmp_path)
    assert len(results.split()) == 24 * 200
    assert run(after, tmp_path) == results


@pytest.mark.parametrize("seed", range(3))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    program = random_program(seed)
    before, after = read_c(reference_program(program), tmp_path)
    check_text(after)
    given = "\n".join(" ".join(f"{value:x}" for value in random_values(program, each)) for each in range(100))
    assert run(after, tmp_path, given) == run(before, tmp_path, given)
