"""Program -> IR text that records which points a run hits, and nothing else.

A point is a byte. Recording it costs one store, and no register, load or arithmetic:

    br i1 %cmp, label %x, label %y        →        br i1 %cmp, label %x, label %tr.side
                                          tr.side: store volatile i8 1, ptr ... @tightrope_points, i64 7
                                                   br label %y

Only the requested points are recorded. The store is volatile, so that no optimiser moves it behind a crash or out of an
endless loop. Code for marks is in count_marks.py. A test is wrapped, so that its begin and end are known:

    define void @test_a() { ... }           →        define void @test_a() { begin; call @test_a.measured; end }
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import llvmlite.binding as llvm

from tightrope.errors import InternalError
from tightrope.program.flow.points import Points, sides
from tightrope.program.ir.editing import EditableBody, branch, open_body, phi
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Block, Function, Instruction, Program
from tightrope.program.ir.types import VOID
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, NOTHING, REACH, Marks
from tightrope.program.marks.regions import unended_begin
from tightrope.weaving.counting.count_marks import MarkCounter, Ways, store_point
from tightrope.weaving.counting.count_regions import ZEROS
from tightrope.weaving.counting.record import PAGE, mapped_bytes, row_bytes
from tightrope.weaving.mark_table import MarkTable
from tightrope.weaving.weave_function import defined_text, last_step, suffixed

_LABEL = re.compile(rf"label %({NAME})")
_ATTRIBUTES = re.compile(r"(\)(?: unnamed_addr| local_unnamed_addr)?)((?: #\d+)?(?: \w.*)? \{)$")
_FRAME = "@llvm.frameaddress.p0"
_DECLARATION = re.compile(rf"declare .*(?:{'|'.join((CONDITION, LABEL_BEGIN, LABEL_END, REACH))})\(")


def count(
    program: Program,
    points: Points,
    wanted: Collection[int] = (),
    tests: Mapping[str, int] | None = None,
    marks: Marks = NOTHING,
) -> str:
    """`wanted` are the points to record; `tests` the functions that are tests, with their numbers, from 1 on. If no
    points are numbered, they are recorded by code of another file."""
    numbers, table = tests or {}, MarkTable(marks)
    lines = [line for line in program.prelude if not _DECLARATION.match(line)]
    lines += [*_declarations(numbers, program), *(_storage(points) if len(points) else ())]
    for function in program.functions.values():
        if function.is_defined:
            counter = _FunctionCounter(program, function, points, frozenset(wanted), table)
            counted = counter.count()
            lines += counter.marks.tables
            lines += _write_test(counted, numbers[function.name]) if function.name in numbers else _write(counted)
    return "\n".join(lines) + "\n"


def implied_points(program: Program, points: Points, wanted: Collection[int]) -> dict[int, int]:
    """Points that need not be recorded -> a mask of points, any of which implies them: a block was executed if one of
    its sides was taken."""
    found: dict[int, int] = {}
    for (function, name, side), number in points.numbers.items():
        block = _block(program, function, name) if side is None and number in wanted else None
        if block is None or unended_begin(block):
            continue
        others = [points.numbers[function, name, each] for each in sides(block)]
        if others and all(other in wanted for other in others):
            found[number] = sum(1 << other for other in others)
    return found


def _block(program: Program, function: str, name: str) -> Block:
    return next(block for block in program.functions[function].blocks if block.name == name)


def _declarations(tests: Mapping[str, int], program: Program) -> Iterator[str]:
    if tests:
        yield from (f"declare ptr {name}(i32)" for name in (_FRAME,) if name not in program.functions)
        yield "declare hidden i32 @tightrope_begin(i32, ptr)"
        yield "declare hidden void @tightrope_end(i32)"


def _storage(points: Points) -> Iterator[str]:
    """As weaving/counting/record.c declares it."""
    mapped, row = mapped_bytes(len(points)), row_bytes(len(points))
    yield f"@tightrope_points = hidden global [{mapped} x i8] zeroinitializer, align {PAGE}"
    yield f"@tightrope_row_bytes = hidden constant i64 {row}"
    yield f"@tightrope_mapped_bytes = hidden constant i64 {mapped}"
    yield f"{ZEROS} = private constant [16 x i8] zeroinitializer, align 16"


class _FunctionCounter:
    """One function, with a store at each point that is wanted."""

    def __init__(
        self, program: Program, function: Function, points: Points, wanted: frozenset[int], table: MarkTable
    ) -> None:
        self.function, self.points, self.wanted = function, points, wanted
        self.body = open_body(function, program.named_types)
        self.marks = MarkCounter(function, points, wanted, table, self.body)

    def count(self) -> Function:
        for block in self.function.blocks:
            self._count_block(self.body.blocks[block.name])  # as it is now: blocks before it may have changed its phis
        first = self.function.blocks[0].name
        entry = self.body.blocks[first].instructions
        self.body.put(first, (*self.marks.at_entry(), *entry))
        return replace(self.function, blocks=tuple(self.body.blocks.values()))

    def _count_block(self, block: Block) -> None:
        point = self._point(block.name, None)
        before, ways = _counted_before(block), Ways(block)
        for position, side in enumerate(_sides_by_target(block)):
            ways.add(position, [store_point(self._point(block.name, side))])
        inside: list[Instruction] = []
        self.marks.regions.enter(block)
        for each in block.instructions:
            inside += store_point(point) if each is before else ()
            inside += self.marks.replace(each, block, ways)
        self.body.put(block.name, inside)
        if ways.is_used:
            _put_on_ways(self.body, block, ways)

    def _point(self, block: str, side: int | None) -> int | None:
        number = self.points.numbers.get((self.function.name, block, side))
        return number if number in self.wanted else None


def _sides_by_target(block: Block) -> Iterable[int]:
    """Sides in the order of the terminator's targets: a `br` has the true one first."""
    found = sides(block)
    return found if block.instructions[-1].opcode == "switch" else reversed(found)


def _counted_before(block: Block) -> Instruction:
    """Where weaving counts it: when all of the block was executed, as far as it can be. The predicate of a label that
    starts here and ends in another block is not part of it."""
    return unended_begin(block) or last_step(block)


def _put_on_ways(body: EditableBody, block: Block, ways: Ways) -> None:
    """A block on each way out on which something is done."""
    last = body.last(block.name)
    names: list[str] = []
    for target, done in zip(last.targets, ways.done, strict=True):
        names.append(body.fresh(f"{block.name}.tr.way") if done else target)
        if done:
            body.insert_after(block.name, Block(names[-1], (*done, branch([target], last.location))))
    body.put_last(block.name, _retarget(last, names))
    for target in dict.fromkeys(last.targets):
        own = [name for name, old in zip(names, last.targets, strict=True) if old == target]
        sources = [block.name if name == target else name for name in own]
        body.put_phis(target, [_from_ways(each, block.name, sources) for each in body.phis(target)])


def _retarget(last: Instruction, targets: Sequence[str]) -> Instruction:
    left = iter(targets)
    return replace(last, text=_LABEL.sub(lambda _: f"label %{next(left)}", last.text), targets=tuple(targets))


def _from_ways(each: Instruction, block: str, sources: Iterable[str]) -> Instruction:
    """The phi with a row for each way from the block, in the place of those that it had for the block itself."""
    left = iter(sources)
    incoming = [(value, next(left) if source == block else source) for value, source in each.incoming]
    return phi(each.result or "", each.type, incoming, each.location)


# -- writing


def _write(function: Function) -> Iterator[str]:
    yield function.header
    for block in function.blocks:
        yield f"{block.name}:"
        yield from (f"  {defined_text(each.text).strip()}" for each in block.instructions)
    yield "}"


def _write_test(function: Function, number: int) -> Iterator[str]:
    """The test under another name, and under its own what says when it begins and ends."""
    inner = suffixed(function.name, "measured")
    yield from _write(replace(function, header=function.header.replace(f"{function.name}(", f"{inner}(", 1)))
    result = function.type.result
    words = [f"{each.type} {each.name}" for each in function.parameters]
    call = f"call {result} {inner}({', '.join(words)})"
    yield _ATTRIBUTES.sub(r"\1 noinline\2", function.header, count=1)
    yield "tr.entry:"
    yield f"  %tr.frame = call ptr {_FRAME}(i32 0)"
    yield f"  %tr.before = call i32 @tightrope_begin(i32 {number}, ptr %tr.frame)"
    yield "  %tr.skip = icmp slt i32 %tr.before, 0"
    yield "  br i1 %tr.skip, label %tr.skipped, label %tr.run"
    yield "tr.run:"
    yield f"  {'' if result == VOID else '%tr.result = '}{call}"
    yield "  call void @tightrope_end(i32 %tr.before)"
    yield "  ret void" if result == VOID else f"  ret {result} %tr.result"
    yield "tr.skipped:"
    yield "  ret void" if result == VOID else f"  ret {result} zeroinitializer"
    yield "}"


# -- IR text -> an object file, optimised, which is then linked with somebody's tests

_TRIPLE = re.compile(r'^target triple = "[^"]*"$', re.MULTILINE)
_UNOPTIMISED = re.compile(r'\bnoinline |"frame-pointer"="all" ')
_ATTRIBUTE_GROUP = re.compile(r"^(attributes #\d+ = \{)(.*)", re.MULTILINE)


def compile_ir(text: str, level: int = 2) -> bytes:
    """A position-independent object. `level` is that of -O."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for inline assembly
    try:
        module = llvm.parse_assembly(_prepared(text), llvm.create_context())
        module.verify()
    except RuntimeError as problem:
        raise InternalError(f"LLVM refuses the IR that notes points:\n{problem}") from problem
    machine = llvm.Target.from_default_triple().create_target_machine(opt=level, reloc="pic")
    if level:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
        builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _prepared(text: str) -> str:
    """The text for this machine's LLVM, without attributes that only prevent optimisation. Dereferencing a null pointer
    must end the run here as well: C allows the optimiser to assume that it never happens, and to remove the code that
    leads to it."""
    named = _TRIPLE.sub(f'target triple = "{llvm.get_process_triple()}"', text)
    return _ATTRIBUTE_GROUP.sub(
        lambda found: f"{found[1]} null_pointer_is_valid {_UNOPTIMISED.sub('', found[2])}", named
    )
