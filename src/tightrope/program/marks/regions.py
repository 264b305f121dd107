"""Regions: the parts of a function that only compute the predicates of labels, from begin to end, possibly across
blocks; and which of them a run may skip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.program.ir.editing import used_names
from tightrope.program.ir.model import Block, Function, Instruction
from tightrope.program.marks.marks import LABEL_BEGIN, LABEL_END

HARMLESS = frozenset(
    (
        *("icmp", "fcmp", "zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "freeze", "phi", "select"),
        *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "getelementptr"),
        *("fneg", "fadd", "fsub", "fmul", "fdiv", "fpext", "fptrunc", "sitofp", "uitofp"),
    )
)
"""Instructions that may be executed although C would not do so: they neither fail nor change anything."""
_QUIET = HARMLESS | {
    *("load", "udiv", "sdiv", "urem", "srem", "frem", "fptosi", "fptoui", "addrspacecast"),
    *("extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector", "br", "switch"),
}
_LOUD = ("@llvm.mem", "@llvm.va_", "@llvm.stack", "@llvm.lifetime")


def unended_begin(block: Block) -> Instruction | None:
    """The call that begins a region in the block, if the region does not end in it."""
    last = [each for each in block.instructions if each.callee in (LABEL_BEGIN, LABEL_END)][-1:]
    return last[0] if last and last[0].callee == LABEL_BEGIN else None


def ends_region(block: Block) -> bool:
    return any(each.callee == LABEL_END for each in block.instructions)


def region_blocks(function: Function) -> frozenset[str]:
    """The blocks that control enters inside a region."""
    inside: set[str] = set()
    blocks = {block.name: block for block in function.blocks}
    waiting = [block.name for block in function.blocks if unended_begin(block)]
    while waiting:
        for target in blocks[waiting.pop()].successors:
            if target not in inside:
                inside.add(target)
                if not ends_region(blocks[target]):
                    waiting.append(target)
    return frozenset(inside)


def label_blocks(function: Function) -> frozenset[str]:
    """The blocks that control leaves inside a region: how it leaves them is no branch of the program."""
    entered = region_blocks(function)
    return frozenset(
        block.name
        for block in function.blocks
        if unended_begin(block) or (block.name in entered and not ends_region(block))
    )


# --- jumping over regions


@dataclass(frozen=True, slots=True)
class RegionJump:
    """From a begin to right behind its end, over a region of which nothing behind it needs what is computed there.

      br i1 %open, label %inside, label %behind     the begin: is there still something to find out?
    inside:
      ...                                           one block or several, entered here and left below only
      call void @tightrope_label_end(i32 3, i1 %p)
      br label %behind
    behind:                                         no value of the region is used here

    A region that writes or calls is never jumped over: the program might behave differently without it.
    """

    begin: Instruction
    end: Instruction
    begins_in: str  # blocks
    ends_in: str


@dataclass(frozen=True, slots=True)
class _Region:
    jump: RegionJump
    inner: frozenset[str]  # blocks between the first and the last, which `inside` has parts of
    inside: tuple[Instruction, ...]  # with its end


def find_jumps(function: Function) -> tuple[RegionJump, ...]:
    """Every region that may be jumped over, in the order of the text."""
    if not any(each.callee == LABEL_BEGIN for each in function.instructions()):
        return ()
    blocks = {block.name: block for block in function.blocks}
    sources, users = _sources(function), _users(function)
    return tuple(
        region.jump
        for block in function.blocks
        for region in _regions(blocks, block)
        if _is_closed(region, sources) and all(map(_is_quiet, region.inside)) and _is_unused(region, users)
    )


def _sources(function: Function) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {block.name: set() for block in function.blocks}
    for block in function.blocks:
        for target in block.successors:
            found[target].add(block.name)
    return found


def _users(function: Function) -> dict[str, set[int]]:
    """By name of a local: the instructions that use it."""
    found: dict[str, set[int]] = {}
    for each in function.instructions():
        for name in used_names(each):
            found.setdefault(name, set()).add(id(each))
    return found


def _regions(blocks: Mapping[str, Block], first: Block) -> Iterator[_Region]:
    """The regions that begin in a block and have one end."""
    for position, begin in enumerate(first.instructions):
        if begin.callee == LABEL_BEGIN:
            start, is_over = _until_mark(first.instructions[position + 1 :])
            if not is_over:
                yield from _wide_region(blocks, first, begin, start)
            elif start[-1].callee == LABEL_END:
                yield _Region(RegionJump(begin, start[-1], first.name, first.name), frozenset(), tuple(start))


def _until_mark(instructions: Sequence[Instruction]) -> tuple[list[Instruction], bool]:
    """The instructions up to and with the first mark of a label, and whether there is one."""
    for position, each in enumerate(instructions):
        if each.callee in (LABEL_BEGIN, LABEL_END):
            return list(instructions[: position + 1]), True
    return list(instructions), False


def _wide_region(
    blocks: Mapping[str, Block], first: Block, begin: Instruction, start: Sequence[Instruction]
) -> Iterator[_Region]:
    """A region of several blocks."""
    inside, inner, ends = list(start), set[str](), dict[str, Instruction]()
    waiting = list(first.successors)
    while waiting:
        name = waiting.pop()
        if name not in inner and name not in ends:
            part, is_over = _until_mark(blocks[name].instructions)
            inside += part
            if is_over:
                ends[name] = part[-1]
            else:
                inner.add(name)
                waiting += blocks[name].successors
    last, end = next(iter(ends.items()), ("", begin))
    if len(ends) == 1 and end.callee == LABEL_END and first.name not in {last, *inner}:
        yield _Region(RegionJump(begin, end, first.name, last), frozenset(inner), tuple(inside))


def _is_closed(region: _Region, sources: Mapping[str, set[str]]) -> bool:
    """True when control comes into its blocks through its begin only."""
    jump = region.jump
    entered = region.inner if jump.begins_in == jump.ends_in else region.inner | {jump.ends_in}
    return all(sources[name] <= region.inner | {jump.begins_in} for name in entered)


def _is_quiet(each: Instruction) -> bool:
    """True when it changes nothing but its result."""
    if each.opcode == "call":
        return each.callee == LABEL_END or (each.callee.startswith("@llvm.") and not each.callee.startswith(_LOUD))
    return each.opcode in _QUIET and not each.flags & {"volatile", "atomic"}


def _is_unused(region: _Region, users: Mapping[str, set[int]]) -> bool:
    """True when only the region uses what it computes."""
    own = set(map(id, region.inside))
    return all(users.get(each.result, set()) <= own for each in region.inside if each.result)
