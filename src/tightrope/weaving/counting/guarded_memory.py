"""Program -> the same program, which notices that an access leaves a variable, or a block of the heap, at its end.

A gap lies behind each of them. Where a pointer leads is only known while the program runs, so each access through one
asks whether it is in a gap (weaving/counting/mutants.c):

    @t = global [3 x i16] ...       →     @t = global { [3 x i16], [32 x i8] } ...
    %x = load i16, ptr %p           →     call void @tightrope_check_access(ptr %p, i64 2)
                                          %x = load i16, ptr %p
    call ptr @malloc(i64 %n)        →     call ptr @tightrope_malloc(i64 %n)

Left out are variables that other files may define or find in sections, locals, and what functions of the library do,
apart from `memcpy`, `memmove` and `memset`. What jumps over the gap is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from tightrope.library.table import FUNCTIONS, Fact, functions_with
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.lexer import split_commas
from tightrope.program.ir.model import Block, Function, Global, Instruction, Program
from tightrope.program.ir.read_type import read_type
from tightrope.weaving.counting.count_regions import line

ACCESS, ADD = "@tightrope_check_access", "@tightrope_add_gaps"
LEAST_GAP, MOST_GAP = 32, 1024  # bytes; as large as the variable in between
_HEAP = tuple(name for name, known in FUNCTIONS.items() if known.heap == name)
_ALLOCATORS = re.compile(rf"@({'|'.join(_HEAP)})\b")
_GLOBAL = re.compile(r"(@\S+ = (?:[a-z_]+(?:\([^()]*\))? )*?(?:global|constant) )(.*)")
_SHARED = re.compile(r" (?:common|weak|weak_odr|linkonce|linkonce_odr|appending|available_externally|thread_local\S*) ")
_USED, _TELL = "@llvm.used", "@tightrope_tell_gaps"
_MOVES_BLOCKS = {f"@{name}" for name in functions_with(Fact.MOVES_BLOCKS)}  # what is known of blocks would be wrong
_INTRINSICS = ("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset.")


def guard_memory(program: Program, *, has_heap: bool = True) -> Program:
    """`has_heap`: no other code of the program frees blocks that this code allocates, or the other way round."""
    layout, functions = Layout(program), program.functions
    is_heap_ours = has_heap and not any(f"@{name}" in functions and functions[f"@{name}"].is_defined for name in _HEAP)
    guards_heap = is_heap_ours and _MOVES_BLOCKS.isdisjoint(functions)
    sizes = dict(_find_sizes(program, layout))
    prelude = [_with_gap(each, sizes) for each in program.prelude]
    found = {name: _guard(each, layout) if each.is_defined else each for name, each in functions.items()}
    prelude.append(f"declare hidden void {ACCESS}(ptr, i64)")
    if sizes:
        prelude += _table(sizes)
    if guards_heap:
        prelude = [_ALLOCATORS.sub(r"@tightrope_\1", each) for each in prelude]
        found = {name: _on_own_heap(each) for name, each in found.items()}
    return replace(program, functions=found, prelude=tuple(prelude))


# -- variables


def _find_sizes(program: Program, layout: Layout) -> Iterator[tuple[str, int]]:
    """The variables that get a gap."""
    if any(each.startswith(_USED) for each in program.prelude):
        return  # a module has one list of what must be kept
    for each in program.prelude:
        known = program.globals.get(each.partition(" = ")[0]) if each.startswith("@") else None
        if known is not None and _may_grow(known, each):
            try:
                size = layout.size_of(known.type)
            except ValueError:
                continue
            if size:
                yield known.name, size


def _may_grow(known: Global, text: str) -> bool:
    marks = split_commas(text)
    is_placed = any(part.startswith(("section ", "comdat", "partition ")) for part in marks)
    is_aligned = any(part.startswith("align ") for part in marks)
    is_alone = is_aligned and not is_placed and not _SHARED.search(text.partition("{")[0].partition("[")[0])
    return known.is_defined and is_alone and not known.is_thread_local and not known.name.startswith("@llvm.")


def _with_gap(text: str, sizes: dict[str, int]) -> str:
    found = _GLOBAL.fullmatch(text)
    size = sizes.get(text.partition(" = ")[0])
    if size is None or found is None:
        return text
    value, *marks = split_commas(found[2])
    kind, gap = value[: read_type(value, 0)[1]], f"[{_gap(size)} x i8]"
    return ", ".join([f"{found[1]}<{{ {kind}, {gap} }}> <{{ {value}, {gap} zeroinitializer }}>", *marks])


def _gap(size: int) -> int:
    return min(max(size, LEAST_GAP), MOST_GAP)


def _table(sizes: dict[str, int]) -> Iterator[str]:
    """The variables with their sizes and gaps, told before `main`."""
    rows = [f"{{ ptr, i64, i64 }} {{ ptr {name}, i64 {size}, i64 {_gap(size)} }}" for name, size in sizes.items()]
    kind = f"[{len(rows)} x {{ ptr, i64, i64 }}]"
    yield f"declare hidden void {ADD}(ptr, i64)"
    yield f"@tightrope_gaps = private constant {kind} [{', '.join(rows)}]"
    yield f'@tightrope_tell = internal constant ptr {_TELL}, section ".init_array", align 8'
    yield '@llvm.used = appending global [1 x ptr] [ptr @tightrope_tell], section "llvm.metadata"'
    yield f"define internal void {_TELL}() {{ call void {ADD}(ptr @tightrope_gaps, i64 {len(rows)}) ret void }}"


# -- accesses


def _guard(function: Function, layout: Layout) -> Function:
    locals_ = {each.result for each in function.instructions() if each.opcode == "alloca"}
    blocks = [
        Block(block.name, tuple(one for each in block.instructions for one in _guarded(each, layout, locals_)))
        for block in function.blocks
    ]
    return replace(function, blocks=tuple(blocks))


def _guarded(each: Instruction, layout: Layout, locals_: Collection[str | None]) -> Iterator[Instruction]:
    """The instruction, behind a call that looks where it accesses memory."""
    yield from (line(f"call void {ACCESS}(ptr {at}, i64 {size})") for at, size in _accesses(each, layout, locals_))
    yield each


def _accesses(each: Instruction, layout: Layout, locals_: Collection[str | None]) -> Iterator[tuple[str, str]]:
    """Addresses and sizes, as operands."""
    if each.opcode in ("load", "store"):
        pointer, kind = each.operands[-1], each.type if each.opcode == "load" else each.operands[0].type
        if pointer.is_local and pointer.text not in locals_ and str(pointer.type) == "ptr":
            yield pointer.text, str(layout.store_size_of(kind))
    elif each.callee.startswith(_INTRINSICS):
        *pointers, size, _ = (argument.value for argument in each.arguments)
        yield from (
            (one.text, size.text)
            for one in pointers
            if one.is_local and str(one.type) == "ptr" and one.text not in locals_ and str(size.type) == "i64"
        )


# -- the heap


def _on_own_heap(function: Function) -> Function:
    if not function.is_defined:
        return function
    blocks = [
        Block(block.name, tuple(_renamed(each) for each in block.instructions), block.places)
        for block in function.blocks
    ]
    return replace(function, blocks=tuple(blocks))


def _renamed(each: Instruction) -> Instruction:
    return replace(each, text=_ALLOCATORS.sub(r"@tightrope_\1", each.text)) if "@" in each.text else each
