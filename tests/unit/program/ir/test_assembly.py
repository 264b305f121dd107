"""Assembly of another processor becomes calls."""

from __future__ import annotations

import pytest

from tightrope.program.ir.assembly import (
    AssemblyArgument,
    AssemblyResult,
    ForeignAssembly,
    find_statements,
    module_assembly,
    read_instructions,
    replace_assembly,
    write_trial,
)
from tightrope.program.ir.read_ir import assemble


def function(body: str, parameters: str = "ptr %p, i32 %v") -> str:
    return f"define void @f({parameters}) {{\n{body}\n  ret void\n}}\n"


def replaced(text: str) -> str:
    statements = find_statements(text)
    keys = frozenset((each.template, each.constraints) for each in statements)
    return replace_assembly(text, ForeignAssembly(keys, read_instructions(statements)))


def test_each_instruction_is_a_function_of_its_own():
    text = function('  %x = call i32 asm sideeffect "mrs $0, primask\\0A\\09cpsid i", "=r,~{memory}"()')
    one, other = read_instructions(find_statements(text))
    assert (one.name, one.mnemonic, one.operands) == ("assembly__mrs_primask", "mrs", ("$0", "primask"))
    assert one.results == (AssemblyResult("assembly__mrs_primask", 0, 32),)
    assert other.functions == (("assembly__cpsid_i", 0),)
    done = replaced(text)
    assert "%x = freeze i32" in done
    assert "call void @assembly__cpsid_i()" in done
    assemble(done)


def test_registers_and_constants_that_it_reads_are_arguments():
    text = function('  call void asm sideeffect "msr $0, $1, $2", "r,r,i,~{memory}"(ptr %p, i32 %v, i32 5)')
    (one,) = read_instructions(find_statements(text))
    assert one.arguments == (
        AssemblyArgument(0, "ptr"),
        AssemblyArgument(1, "i32"),
        AssemblyArgument(2, "i32", is_constant=True),
    )
    assert "call void @assembly__msr(ptr %p, i32 %v, i32 5)" in replaced(text)


def test_a_pointer_that_no_call_gets_stays_with_assembly_that_may_write_there():
    done = replaced(function('  call void asm sideeffect "str $1, [$0]", "r,r,~{memory}"(ptr %p, i32 %v)'))
    assert 'asm sideeffect "", "r,~{memory}"(ptr %p)' in done
    assemble(done)


def test_an_output_in_memory_is_stored():
    done = replaced(function('  call void asm "rd $0", "=*m"(ptr elementtype(i16) %p)'))
    assert "call i32 @assembly__rd()" in done
    assert "store i16 %assembly.1.0.result0.as.s, ptr %p" in done
    assemble(done)


def test_several_results_have_a_function_each():
    text = function('  %x = call { i32, i64 } asm "two $0, $1", "=r,=r"()\n  %y = extractvalue { i32, i64 } %x, 1')
    (one,) = read_instructions(find_statements(text))
    assert one.functions == (("assembly__two", 32), ("assembly__two_2", 64))
    assemble(replaced(text))


def test_results_of_different_sizes_are_as_large_as_the_largest():
    text = function('  %x = call i32 asm "rd $0", "=r"()\n  %y = call ptr asm "rd $0 ", "=r"()')
    (one,) = read_instructions(find_statements(text))
    assert one.functions == (("assembly__rd", 64),)
    assemble(replaced(text))


def test_other_statements_stay():
    text = function('  call void asm sideeffect "nop", ""()')
    assert replace_assembly(text, ForeignAssembly(frozenset({("wfi", "")}))).strip() == text.strip()
    assert "module asm" not in replace_assembly(
        'module asm ".thumb"\n' + text, ForeignAssembly(has_foreign_module=True)
    )


@pytest.mark.parametrize("word", ["tail call", "call"])
def test_a_trial_numbers_each_line(word: str):
    statements = find_statements(function(f'  {word} void asm sideeffect "a\\0Ab", "r"(i32 %v)'))
    trial = write_trial("", statements)
    assert 'asm sideeffect "a /*tightrope 0*/\\0Ab /*tightrope 0*/", "r"(i32 zeroinitializer)' in trial
    assemble(trial)
    assert module_assembly('x\nmodule asm "a"\n') == ('module asm "a"\n',)
