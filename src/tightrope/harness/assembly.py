"""C that lets stubs stand for instructions of another processor (`program/ir/assembly.py`).

In the driver, the IR calls them. Written tests are built by any compiler, so there the assembler is told to call them:

    .macro mrs p0, p1, rest:vararg            mrs %eax, primask
    .ifc x\\p1,xprimask
    tightrope_call assembly__mrs_primask, 0
    mov tightrope_assembly+64(%rip), \\p0
    .endif
    .endm
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tightrope.program.ir.assembly import AssemblyInstruction

_TYPES = {"i32": "unsigned", "i64": "unsigned long long", "ptr": "void *"}
_ARGUMENTS = ("rdi", "rsi", "rdx", "rcx")  # as the System V ABI of x86-64 passes them
_SAVED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "rbp")
_CELLS = "tightrope_assembly"  # arguments, and from RESULTS on results
_RESULTS = 8 * len(_ARGUMENTS)


def declare_instructions(instructions: Sequence[AssemblyInstruction]) -> Iterator[str]:
    """Prototypes, to stand before the unit."""
    for each in instructions:
        parameters = ", ".join(_TYPES[one.type] for one in each.arguments) or "void"
        for name, bits in each.functions:
            yield f"{_TYPES[f'i{bits}'] if bits else 'void'} {name}({parameters});"


def define_instructions(instructions: Sequence[AssemblyInstruction]) -> Iterator[str]:
    """What a file that includes the unit needs before it: the assembler calls the functions."""
    if not instructions:
        return
    yield "/* The unit contains assembly of another processor. Each of its instructions calls a function of this file:"
    yield "   the assembler gets a macro of its name. */"
    yield "#ifndef __x86_64__"
    yield '#error "the macros for the assembly of the unit are written for x86-64"'
    yield "#endif"
    yield from declare_instructions(instructions)
    yield f"extern unsigned long long {_CELLS}[];"
    yield f"__attribute__((weak, used)) unsigned long long {_CELLS}[{len(_ARGUMENTS) + 4}];"
    yield "__asm__("
    mnemonics = dict.fromkeys(each.mnemonic for each in instructions)
    own = [_macro(name, [each for each in instructions if each.mnemonic == name]) for name in mnemonics]
    for line in (*_call_macro(), *(line for lines in own for line in lines)):
        text = line.replace("\\", "\\\\").replace('"', '\\"')
        yield f'    "{text}\\n"'
    yield ");"


def _call_macro() -> Iterator[str]:
    """Calls a C function from the middle of compiled code: what the compiler keeps in registers, in flags and below the
    stack pointer stays as it is."""
    yield ".macro tightrope_call function, result"
    yield "leaq -128(%rsp), %rsp"
    yield "pushfq"
    yield from (f"pushq %{name}" for name in _SAVED)
    yield "movq %rsp, %rbp"
    yield "subq $512, %rsp"
    yield "andq $-16, %rsp"
    yield "fxsave (%rsp)"
    yield from (f"movq {_CELLS}+{8 * n}(%rip), %{name}" for n, name in enumerate(_ARGUMENTS))
    yield "call \\function"
    yield f"movq %rax, {_CELLS}+{_RESULTS}+8*\\result(%rip)"
    yield "fxrstor (%rsp)"
    yield "movq %rbp, %rsp"
    yield from (f"popq %{name}" for name in reversed(_SAVED))
    yield "popfq"
    yield "leaq 128(%rsp), %rsp"
    yield ".endm"


def _macro(mnemonic: str, instructions: Sequence[AssemblyInstruction]) -> Iterator[str]:
    count = max(len(each.operands) for each in instructions)
    parameters = [*(f"p{n}" for n in range(count)), "rest:vararg"]
    yield f".macro {mnemonic} {', '.join(parameters)}"
    for each in instructions:
        fixed = {n: text for n, text in enumerate(each.operands) if "$" not in text}
        yield from (f".ifc x\\p{n},x{text}" for n, text in fixed.items())
        for n, argument in enumerate(each.arguments[: len(_ARGUMENTS)]):
            cell = f"{_CELLS}+{8 * n}(%rip)"
            if not argument.is_constant:
                yield f"movq $0, {cell}"
            yield f"{'movq' if argument.is_constant else 'mov'} \\p{argument.position}, {cell}"
        for n, (name, _) in enumerate(each.functions):
            yield f"tightrope_call {name}, {n}"
        for n, result in enumerate(each.results):
            if result.position >= 0:
                yield f"mov {_CELLS}+{_RESULTS}+{8 * n}(%rip), \\p{result.position}"
        yield from (".endif" for _ in fixed)
    yield ".endm"
