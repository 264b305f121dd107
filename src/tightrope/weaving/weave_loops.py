"""Loops that go round in a circle: their state comes again, so they never end (`while (i) i >>= 1` with -1, a list that
leads back into itself). Such a run would take two million steps, and many inputs have such runs.

The state of a loop is what phi nodes of its header hold, as far as it may matter for where control goes or for whether
an instruction fails, and memory. At the header it is given to `tr_turn` (runtime/loops.c), which compares it with an
earlier one; blocks of the loop that may change memory, or do what nobody can see, count. So do calls of stubs that have
further answers: a loop that waits for a device or for another function never ends when these have given their last one.
And so do reads of volatile memory if there may be another thread, for which the loop waits.

    loop:  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
           %tr.turn.0 = phi i32 [ 0, %entry ], [ 1, %loop ]           1: by going round
           store i64 %..., ptr %tr.loop.0                             the state
           call void @tr_turn(ptr %tr.loop.0, i32 1, i32 %tr.turn.0)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.inputs.stub_answers import CALLS
from tightrope.library.libc_models import PREFIX
from tightrope.library.table import Fact, functions_with
from tightrope.program.flow.control_flow import flow_of, from_mask
from tightrope.program.ir.model import Block, Function, Instruction, Program
from tightrope.program.ir.types import FloatType, IntType, PointerType, Type
from tightrope.program.normal_form.endless_loops import WITHOUT_EFFECT

_OWN_WORDS = 3  # of `tr_turn`, behind the state of now and the one that it is compared with
_PURE = frozenset(
    (
        *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "fcmp", "fneg", "select", "freeze"),
        *("udiv", "sdiv", "urem", "srem", "fadd", "fsub", "fmul", "fdiv", "phi", "br", "switch", "getelementptr"),
        *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "bitcast"),
        *("ptrtoint", "inttoptr", "extractvalue", "insertvalue", "ret", "unreachable"),
    )
)
_STEERING = frozenset(("br", "switch", "load", "udiv", "sdiv", "urem", "srem"))  # these may also fail
_CHECKED = frozenset(("add", "sub", "mul", "shl", "lshr", "ashr", "fptoui", "fptosi"))  # and these, with --check
_MODEL = f"@{PREFIX}"
_COUNTER = f"@{CALLS}"
_KEEPERS = frozenset(f"@{name}" for name in functions_with(Fact.KEEPS_FUNCTIONS))
_PURE_CALLS = (
    *WITHOUT_EFFECT,
    *("@tightrope_turn", "@tightrope_note_"),
    *(f"@llvm.{name}." for name in ("umin", "umax", "smin", "smax", "abs", "ctpop", "ctlz", "cttz", "bswap", "fabs")),
)


@dataclass(frozen=True, slots=True)
class WatchedLoop:
    number: int
    header: str
    state: tuple[Instruction, ...]  # phi nodes that matter
    back: frozenset[str]  # blocks from which it goes round

    @property
    def room(self) -> str:
        return f"%tr.loop.{self.number}"

    @property
    def turn(self) -> str:
        return f"%tr.turn.{self.number}"

    @property
    def words(self) -> int:
        return 2 * len(self.state) + _OWN_WORDS


@dataclass(frozen=True, slots=True)
class WatchedLoops:
    """Of one function."""

    by_header: Mapping[str, WatchedLoop]
    changing: frozenset[str]  # blocks of these loops after which a state that comes again is another one
    predecessors: Mapping[str, Sequence[str]]  # of the headers, as often as they jump there


NOTHING_WATCHED = WatchedLoops({}, frozenset(), {})


@dataclass(frozen=True, slots=True)
class PureCode:
    """What changes nothing."""

    functions: frozenset[str] = frozenset()
    is_alone: bool = True  # no other thread changes what is volatile

    def has(self, each: Instruction) -> bool:
        if each.opcode == "load":
            return "atomic" not in each.flags and (self.is_alone or "volatile" not in each.flags)
        if each.opcode == "call":
            return not each.is_assembly and _is_silent(each.callee, self.functions)
        return each.opcode in _PURE


NOTHING_PURE = PureCode()


def find_pure_code(program: Program) -> PureCode:
    """The pure functions of the program, and whether it is alone: whether it calls nothing that may call a function of
    the program later, as a thread does; models do so only when the program calls them."""
    calls = {each.callee for one in program.functions.values() for each in one.instructions() if each.opcode == "call"}
    is_alone = all(f"{_MODEL}{callee[1:]}" in program.functions for callee in calls & _KEEPERS)
    return PureCode(_find_pure_functions(program, PureCode(is_alone=is_alone)), is_alone)


def _find_pure_functions(program: Program, code: PureCode) -> frozenset[str]:
    """Functions of the program that only compute and read; those of the C library that have such a model; and stubs
    that only count their calls and return the next answer: `tightrope_turn` says when there was one."""
    calls = {
        name: {each.callee for each in function.instructions() if each.opcode == "call"}
        for name, function in program.functions.items()
        if function.is_defined and _is_quiet(function, code)
    }
    found = set(calls)
    while impure := {name for name in found if not all(_is_silent(each, found) for each in calls[name])}:
        found -= impure
    return frozenset(found | {f"@{name.removeprefix(_MODEL)}" for name in found if name.startswith(_MODEL)})


def _is_quiet(function: Function, code: PureCode) -> bool:
    """As far as it does not call others. How often a stub was called, nobody reads while the run goes on."""
    rooms = {each.result for each in function.instructions() if each.opcode == "alloca"}
    stores = [each.operands[1].text for each in function.instructions() if each.opcode == "store"]
    if not any(to.startswith(_COUNTER) for to in stores):
        return all(each.opcode == "call" or code.has(each) for each in function.instructions())
    quiet = ("call", "alloca", "store")
    return all(to in rooms or to.startswith(_COUNTER) for to in stores) and all(
        each.opcode in quiet or code.has(each) for each in function.instructions()
    )


def _is_silent(callee: str, pure: Collection[str]) -> bool:
    return callee.startswith(_PURE_CALLS) or callee in pure or f"{_MODEL}{callee[1:]}" in pure


def find_watched_loops(function: Function, pure: PureCode, *, is_checked: bool = False) -> WatchedLoops:
    """`is_checked`: arithmetic may fail."""
    if not any(_jumps_back(function)):
        return NOTHING_WATCHED
    flow, blocks = flow_of(function), {block.name: block for block in function.blocks}
    found: dict[str, WatchedLoop] = {}
    inside: set[str] = set()
    for loop in flow.loops():
        header, body = blocks[flow.blocks[loop.header]], [blocks[flow.blocks[node]] for node in from_mask(loop.body)]
        needed = _needed(body, _STEERING | _CHECKED if is_checked else _STEERING)
        state = tuple(each for each in header.instructions if each.opcode == "phi" and each.result in needed)
        if all(_is_word(each.type) for each in state):
            back = frozenset(flow.blocks[at] for at, _ in loop.back_edges)
            found[header.name] = WatchedLoop(len(found), header.name, state, back)
            inside |= {block.name for block in body}
    changing = frozenset(name for name in inside if not all(map(pure.has, blocks[name].instructions)))
    return WatchedLoops(found, changing, {name: _predecessors(function, name) for name in found})


def _needed(body: Collection[Block], steering: Collection[str]) -> set[str]:
    """The locals of these blocks on which branches depend, or instructions that may fail."""
    definitions = {each.result: each for block in body for each in block.instructions if each.result}
    waiting = [
        name for block in body for each in block.instructions if _may_steer(each, steering) for name in _used(each)
    ]
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in needed:
            needed.add(name)
            waiting.extend(_used(definitions[name]))
    return needed


def _jumps_back(function: Function) -> Iterator[bool]:
    """Whether each jump leads to a block that comes earlier in the text, or to itself: every loop has such a jump."""
    order = {block.name: at for at, block in enumerate(function.blocks)}
    for at, block in enumerate(function.blocks):
        yield from (order[target] <= at for target in block.successors)


def _may_steer(each: Instruction, steering: Collection[str]) -> bool:
    return each.opcode in steering or (each.opcode == "call" and not each.callee.startswith(WITHOUT_EFFECT))


def _used(each: Instruction) -> Iterator[str]:
    yield from (value.text for value in each.operands)
    yield from (argument.value.text for argument in each.arguments)
    yield from (value.text for value, _ in each.incoming)


def _predecessors(function: Function, name: str) -> list[str]:
    return [block.name for block in function.blocks for target in block.successors if target == name]


def _is_word(kind: Type) -> bool:
    is_float = isinstance(kind, FloatType) and kind.name in ("float", "double")
    return is_float or isinstance(kind, PointerType) or (isinstance(kind, IntType) and kind.bits <= 64)
