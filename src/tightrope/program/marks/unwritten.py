"""Marks for what nothing has written: locals without a value, and the result of a function that ends without `return`.

LLVM's SROA turns locals into values, and makes zeros (which clang stores on our request, "auto-init") or nothing at all
of those that have none. So before that, each of them is given the contents of a variable that does not exist: where
clang zeroes it, otherwise where it is made.

    store i1 0, ptr %x, !annotation !7           ->   %u.1 = load i1, ptr @tightrope_unwritten.x
                                                      store i1 %u.1, ptr %x
    store i32 0, ptr %x, !annotation !7          ->   call @llvm.memcpy(ptr %x, ptr @tightrope_unwritten.x, i64 4, ..
    call @llvm.memset(ptr %s, i8 0, i64 12, ..   ->   call @llvm.memcpy(ptr %s, ptr @tightrope_unwritten.s, i64 12, ..

From version 20 on, clang also zeroes the padding of a struct with an initialiser; gcc and other versions do not. There,
too, the zeros are replaced. (A person's `memset` has an address that is `inbounds`, or another place.)

What SROA leaves of it are loads from such variables, and copies to memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Instruction, Program

UNWRITTEN = "@tightrope_unwritten."
RESULT = "retval"  # clang's name for what a function returns
_ALLOCA = re.compile(r"  (%[\w.$\"-]+) = alloca (i\d+|ptr|float|double), align \d+")
_ZEROED = re.compile(
    r"store (?P<type>\S+) [^ ]+, ptr (?P<scalar>%[\w.$\"-]+),.*!annotation !"
    r"|@llvm\.memset\S*\(ptr(?: align \d+)? (?P<object>%[\w.$\"-]+), i8 0, i64 (?P<size>\d+),.*!annotation !"
)
_PADDING = re.compile(
    r"(  (?P<part>%[\w.$\"-]+) = getelementptr i8, ptr (?P<whole>%[\w.$\"-]+), i64 \d+, !dbg (?P<place>!\d+)\n)"
    r"  call void @llvm\.memset\S*\(ptr(?: align \d+)? (?P=part), i8 0, i64 (?P<size>\d+), i1 false\), "
    r"!dbg (?P=place)$",
    re.MULTILINE,
)
_DECLARED = re.compile(r"#dbg_declare\(ptr (%[\w.$\"-]+), !(\d+),")
_LOCAL = re.compile(r'^!(\d+) = !DILocalVariable\(name: "([^"]+)"', re.MULTILINE)
_FUNCTION = re.compile(rf"^define [^\n]* (@{NAME})\([^\n]*\n.*?^\}}", re.MULTILINE | re.DOTALL)
_OURS = re.compile(r'@"?tightrope_(?!unit_main$)')  # the driver and the models, but not `main` of the unit
_SOURCE = re.compile(rf"{re.escape(UNWRITTEN)}([\w.$]+)")
_SIZES = {"i8": "1", "i16": "2", "i32": "4", "i64": "8", "ptr": "8", "float": "4", "double": "8"}
_COPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


def mark_unwritten(text: str) -> str:
    """The text of a module with these marks, except in functions of Tightrope."""
    marker = _Marker(dict(_LOCAL.findall(text)))
    marked = _FUNCTION.sub(lambda found: found[0] if is_ours(found[1]) else marker.edit(found[0]), text)
    further = [] if "declare void @llvm.memcpy.p0.p0.i64(" in text else [_COPY]
    return "\n".join((marked, *marker.declarations(), *further, ""))


def is_ours(function: str) -> bool:
    """True for a function of Tightrope: its locals count as written."""
    return bool(_OURS.match(function))


def unwritten_source(each: Instruction) -> str | None:
    """The name of the local whose contents the instruction loads or copies, if nothing has written them."""
    if each.opcode == "load":
        found = _SOURCE.search(each.operands[0].text)
    elif each.callee.startswith(("@llvm.memcpy", "@llvm.memmove")):
        found = _SOURCE.search(each.arguments[1].value.text)
    else:
        return None
    return found[1] if found else None


def without_idle_marks(program: Program) -> Program:
    """The program without loads that nobody uses, and without marks of memory that a function starts with: that is
    unwritten anyway."""
    return replace(program, functions={name: _tidy(each) for name, each in program.functions.items()})


def local_name(value: str) -> str:
    """`%x.sroa.2`, a part of a local as SROA calls it, -> `x`"""
    return re.split(r"\.sroa\b", value.strip('%"'))[0]


class _Marker:
    """Edits functions of one module. `locals_` has the names of locals in C, by number of their metadata."""

    def __init__(self, locals_: Mapping[str, str]) -> None:
        self._locals = locals_
        self._names: dict[str, None] = {RESULT: None}
        self._count = 0

    def declarations(self) -> Iterator[str]:
        return (f"{UNWRITTEN}{name} = external global i8" for name in self._names)

    def edit(self, function: str) -> str:
        names = {to: self._locals.get(number, to) for to, number in _DECLARED.findall(function)}
        lines = _PADDING.sub(lambda found: self._edit_padding(found, names), function).split("\n")
        zeroed = {found["scalar"] for found in map(_ZEROED.search, lines) if found}
        return "\n".join(edited for line in lines for edited in self._edit_line(line, names, zeroed))

    def _edit_padding(self, found: re.Match[str], names: Mapping[str, str]) -> str:
        return found[1] + self._copy(found["part"], found["whole"], found["size"], names)

    def _copy(self, to: str, local: str, size: str, names: Mapping[str, str]) -> str:
        operands = f"ptr {to}, ptr {self._variable(local, names)}, i64 {size}"
        return f"  call void @llvm.memcpy.p0.p0.i64({operands}, i1 false)"

    def _edit_line(self, line: str, names: Mapping[str, str], zeroed: set[str]) -> Iterator[str]:
        found = _ZEROED.search(line) if "!annotation" in line else None
        if found and found["object"]:
            yield self._copy(found["object"], found["object"], found["size"], names)
            return
        if found and found["type"] in _SIZES:  # where SROA leaves it in memory, the runtime sees what it is
            yield self._copy(found["scalar"], found["scalar"], _SIZES[found["type"]], names)
            return
        if found:
            yield from self._fill(found["scalar"], found["type"], names)
            return
        yield line
        made = _ALLOCA.match(line) if " = alloca " in line else None
        if made and made[1] not in zeroed and not made[1].endswith(".addr"):
            yield from self._fill(made[1], made[2], names)

    def _fill(self, to: str, kind: str, names: Mapping[str, str]) -> Iterator[str]:
        self._count += 1
        value = f"%tightrope_unwritten.{self._count}"
        yield f"  {value} = load {kind}, ptr {self._variable(to, names)}, align 1"
        yield f"  store {kind} {value}, ptr {to}"

    def _variable(self, to: str, names: Mapping[str, str]) -> str:
        name = re.sub(r"[^\w.$]", "_", names.get(to, local_name(to)).strip('%"'))
        self._names[name] = None
        return f"{UNWRITTEN}{name}"


def _tidy(function: Function) -> Function:
    loaded = {each.result for each in function.instructions() if each.opcode == "load" and unwritten_source(each)}
    if not loaded and not any(unwritten_source(each) for each in function.instructions()):
        return function
    entry, *others = function.blocks
    first = (each for each in entry.instructions if not _marks_memory(each, loaded))
    blocks = [replace(entry, instructions=tuple(first)), *others]
    used = {text for block in blocks for each in block.instructions for text in _operands(each)}
    return replace(
        function,
        blocks=tuple(
            replace(
                block,
                instructions=tuple(i for i in block.instructions if i.result not in loaded or i.result in used),
            )
            for block in blocks
        ),
    )


def _marks_memory(each: Instruction, loaded: set[str | None]) -> bool:
    is_store = each.opcode == "store" and each.operands[0].text in loaded
    return is_store or (each.opcode == "call" and unwritten_source(each) is not None)


def _operands(each: Instruction) -> Iterator[str]:
    yield from (value.text for value in each.operands)
    yield from (argument.value.text for argument in each.arguments)
    yield from (value.text for value, _ in each.incoming)
