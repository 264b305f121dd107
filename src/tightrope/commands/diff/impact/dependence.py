"""What a place in the code affects directly: by its value, by writing memory, by deciding a branch, by ending the run.

%x = add %a, 1        every instruction that reads %x
store %x, @limit      every load that may read that memory later
br %c, ...            the blocks and phi nodes that it decides
call @f(%x)           the parameters of @f; whether @f is executed depends on the block of the call
ret %x                what reads the results of calls of its function
sdiv %a, %b           everything that may be executed later: it may end the run
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.impact.execution_order import ExecutionOrder, find_execution_order
from tightrope.commands.diff.impact.impact import How
from tightrope.commands.diff.impact.instruction_keys import values_of
from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.points_to import EVERYTHING, PointsToAnalysis
from tightrope.commands.diff.impact.side_effects import NO_SIZES, CertainSize, SideEffects, Stretch, overlap
from tightrope.commands.diff.impact.termination import find_endless_exits
from tightrope.program.flow.control_flow import Flow
from tightrope.program.flow.graph import Mask, components, from_mask

Affected = tuple[int, How, str]  # place, how, and the name of the memory, if through memory


@dataclass(slots=True)
class Dependence:
    """The dependences of one version."""

    code: NumberedCode
    objects: PointsToAnalysis
    effects: SideEffects
    order: ExecutionOrder
    endless: frozenset[int]
    exiting: frozenset[str]  # functions from which some runs do not return
    readers: dict[int, list[int]] = field(default_factory=dict)  # by object
    users: dict[int, list[int]] = field(default_factory=dict)
    callers: dict[str, list[int]] = field(default_factory=dict)
    callees: dict[int, tuple[str, ...]] = field(default_factory=dict)
    calls: dict[str, list[int]] = field(default_factory=dict)  # by function: the calls in it
    decided: dict[int, list[int]] = field(default_factory=dict)  # by branch: blocks and phi nodes
    _reads: dict[int, list[Stretch]] = field(default_factory=dict)
    _known_loops: dict[str, list[Mask]] = field(default_factory=dict)
    _ending: frozenset[str] = frozenset()  # functions in which a run may end
    _in_segment: list[list[int]] = field(default_factory=list)
    _endangered: dict[int, list[int]] = field(default_factory=dict)  # by definition

    def __post_init__(self) -> None:
        self._in_segment = [[] for _ in self.order.behind]
        for place, each in enumerate(self.code.instructions):
            self._in_segment[self.order.segment_of[place]].append(place)
            self._note_memory(place)
            if each.opcode != "ret" and self.may_end(place):
                self._note_danger(place)
            if each.opcode in ("call", "invoke"):
                self._note_call(place)
            else:
                self._note_operands(place)
            if each.opcode == "phi":
                for _, sides in self.code.ways(place):
                    for end, _ in sides:
                        self.decided.setdefault(end, []).append(place)
        for function in self.code.functions:
            self._note_control(function.name)
        places = range(len(self.code.instructions))
        self._ending = _with_callers(
            self.code, {self.code.function_of(place) for place in places if self.may_end(place)}
        )

    def _note_memory(self, place: int) -> None:
        reads = self._reads[place] = list(self.effects.reads(place))
        for one in dict.fromkeys(one for one, _, _ in reads):
            self.readers.setdefault(one, []).append(place)

    def _note_danger(self, place: int) -> None:
        """Note operands that may end the run: not the value of a store, nor the dividend of an unsigned division."""
        each, function = self.code.instructions[place], self.code.function_of(place)
        values = (each.operands[1],) if each.opcode in ("store", "udiv", "urem") else values_of(each)
        for value in values:
            at = self.code.definitions.get((function, value.text)) if value.is_local else None
            if at is not None:
                self._endangered.setdefault(at, []).append(place)

    def _note_operands(self, place: int) -> None:
        function = self.code.function_of(place)
        for value in values_of(self.code.instructions[place]):
            self._use(function, value.text, place)

    def _use(self, function: str, name: str, user: int) -> None:
        at = self.code.definitions.get((function, name)) if name.startswith("%") else None
        if at is not None:
            self.users.setdefault(at, []).append(user)

    def _note_call(self, place: int) -> None:
        """Arguments of a function with a body are used by its parameters."""
        each = self.code.instructions[place]
        function, callees = self.code.function_of(place), self.code.callees(each)
        if not callees:
            return self._note_operands(place)
        self.callees[place] = callees
        self.calls.setdefault(function, []).append(place)
        self._use(function, each.callee, place)
        for name in callees:
            self.callers.setdefault(name, []).append(place)
            count = len(self.code.program.functions[name].parameters)
            for index, argument in enumerate(each.arguments):
                at = self.code.parameter(name, index) if index < count else None
                self._use(function, argument.value.text, place if at is None else at)

    def _note_control(self, function: str) -> None:
        for number, sides in enumerate(self.code.control[function].of_block):
            for source, _ in sides:
                end = self.code.last(function, source)
                self.decided.setdefault(end, []).append(self.code.block(function, number))

    # -- questions

    def affected(self, place: int, has_value: bool = True, is_given: bool = True) -> Iterator[Affected]:
        """What the place affects. `has_value`: its value may differ; if False, only whether it is executed may differ.
        `is_given`: of a call, the arguments may differ; if False, no value in the callee differs."""
        count = len(self.code.instructions)
        if place < count:
            yield from self._by_instruction(place, has_value)
            yield from self._by_call(place, is_given)
        elif place < count + len(self.code.blocks):
            block = place - count
            how = How.DATA if has_value else How.CONTROL
            yield from ((each, how, "") for each in self.code.body(block))
        elif place < count + len(self.code.blocks) + len(self.code.parameters):
            yield from self._by_value(place)

    def may_end(self, place: int) -> bool:
        """True if everything that may follow depends on it."""
        if place >= len(self.code.instructions):
            return False
        if self.code.instructions[place].opcode == "ret":  # its callers continue only if it is reached
            return self.code.function_of(place) in self.exiting
        return place in self.endless or self._may_recur(place) or self.effects.may_end(place)

    def _may_recur(self, place: int) -> bool:
        """True if it is a recursive call, which may not terminate."""
        function = self.code.function_of(place)
        return any(self.code.is_recursive(name, function) for name in self.code.callees(self.code.instructions[place]))

    def ends_inside(self, place: int) -> bool:
        """True if it calls a function in which a run may end."""
        return any(name in self._ending for name in self.callees.get(place, ()))

    def endangered(self, place: int, has_value: bool = True) -> Iterator[int]:
        """The instructions that may end other runs than before if this place is affected: those that use its value as
        an address or divisor."""
        yield from self._endangered.get(place, ()) if has_value else ()
        if place < len(self.code.instructions) and self.code.instructions[place].opcode == "ret":
            for call in self.callers.get(self.code.function_of(place), ()):
                yield from self._endangered.get(call, ())

    def endangered_in(self, block: int, branch: int | None) -> Iterator[int]:
        """The instructions that may end other runs than before if the block may be executed differently, because the
        branch may go another way or be executed differently; None: for any reason."""
        for each in self.code.body(block - len(self.code.instructions)):
            is_sure = branch is not None and self.effects.is_sure_behind(each, branch)
            if (self.may_end(each) and not is_sure) or self.ends_inside(each):
                yield each

    def is_block(self, place: int) -> bool:
        return 0 <= place - len(self.code.instructions) < len(self.code.blocks)

    def decides(self, branch: int, block: int) -> bool:
        """True if the branch decides directly whether the block is executed."""
        return block in self.decided.get(branch, ())

    def is_outside(self, place: int) -> bool:
        """True if it calls a function without a body that may end the run."""
        is_call = place < len(self.code.instructions) and self.code.instructions[place].opcode in ("call", "invoke")
        return is_call and place not in self.callees and self.effects.may_end(place)

    def behind(self, place: int) -> Iterator[int]:
        """The instructions that may be executed after this one."""
        segment = self.order.segment_of[place]
        yield from (each for each in self._in_segment[segment] if each > place)
        for number in from_mask(self.order.behind[segment]):
            yield from self._in_segment[number]

    # -- parts

    def _by_instruction(self, place: int, has_value: bool) -> Iterator[Affected]:
        each = self.code.instructions[place]
        yield from (one for one in self._by_value(place) if has_value or self._is_outside_of_loop(place, one[0]))
        yield from self._by_memory(place)
        yield from ((other, How.CONTROL, "") for other in self.decided.get(place, ()))
        if each.opcode == "ret":
            for call in self.callers.get(self.code.function_of(place), ()):
                yield from self._by_value(call)

    def _is_outside_of_loop(self, place: int, user: int) -> bool:
        """True if the user is outside of a loop around the place: it reads the value of the last iteration, which may
        be another one now. Users inside the loop read the value of their own iteration."""
        function, number = self.code.blocks[self.code.block_of[place]]
        users = [user] if user < len(self.code.instructions) else self._giving(function, place)
        others = [self.code.blocks[self.code.block_of[each]][1] for each in users]
        loops = [loop for loop in self._loops(function) if loop >> number & 1]
        return any(not loop >> other & 1 for loop in loops for other in others)

    def _giving(self, function: str, place: int) -> list[int]:
        """The calls that pass the value of this instruction to a function."""
        name = self.code.instructions[place].result
        return [
            call
            for call in self.calls.get(function, ())
            if any(argument.value.text == name for argument in self.code.instructions[call].arguments)
        ]

    def _loops(self, function: str) -> list[Mask]:
        if function not in self._known_loops:
            flow = self.code.flows[function]
            loops = [loop.body for loop in flow.loops()]
            if _is_irreducible(flow):  # its loops are not clear: treat no two blocks as in the same loop
                loops += [1 << node for group in components(flow.graph.successors) if len(group) > 1 for node in group]
            self._known_loops[function] = loops
        return self._known_loops[function]

    def _by_call(self, place: int, is_given: bool) -> Iterator[Affected]:
        names = self.callees.get(place, ())
        for name in names:
            for index in range(len(self.code.program.functions[name].parameters)) if is_given else ():
                at = self.code.parameter(name, index)
                if at is not None:
                    yield at, How.DATA, ""
            if is_given and self.code.program.functions[name].type.is_variadic:
                yield from ((self.code.block(name, number), How.DATA, "") for number in range(self._blocks(name)))
        for name in self._below(names):
            yield self.code.called(name), How.CONTROL, ""
            for store in self.code.places_of(name):
                if not self._is_in_own(store):
                    yield from self._by_memory(store, place)

    def _blocks(self, function: str) -> int:
        return len(self.code.program.functions[function].blocks)

    def _below(self, names: Sequence[str]) -> list[str]:
        """These functions and all functions that they may call."""
        found = dict.fromkeys(names)
        waiting = list(names)
        while waiting:
            for call in self.calls.get(waiting.pop(), ()):
                fresh = [name for name in self.callees[call] if name not in found]
                found.update(dict.fromkeys(fresh))
                waiting += fresh
        return list(found)

    def _is_in_own(self, place: int) -> bool:
        """True if it writes to a local of its own call."""
        each, function = self.code.instructions[place], self.code.function_of(place)
        is_copy = each.callee.startswith(("@llvm.memcpy", "@llvm.memmove", "@llvm.memset"))
        if each.opcode != "store" and not is_copy:
            return False
        value = each.arguments[0].value if is_copy else each.operands[1]
        while value.is_local:
            at = self.code.definitions.get((function, value.text), len(self.code.instructions))
            source = self.code.instructions[at] if at < len(self.code.instructions) else None
            if source is None or source.opcode != "getelementptr":
                return source is not None and source.opcode == "alloca"
            value = source.operands[0]
        return False

    def _by_value(self, place: int) -> Iterator[Affected]:
        yield from ((user, How.DATA, "") for user in self.users.get(place, ()))

    def _by_memory(self, place: int, since: int | None = None) -> Iterator[Affected]:
        """What may later read the memory written here; `since`: only what is executed after this call starts."""
        since = place if since is None else since
        for stretch in self.effects.writes(place):
            one = stretch[0]
            found = self.readers if one == EVERYTHING else (one, EVERYTHING)
            for reader in dict.fromkeys(each for number in found for each in self.readers.get(number, ())):
                if self.order.may_follow(since, reader) and self._may_read(reader, stretch):
                    yield reader, How.DATA, self.objects.names[one]

    def _may_read(self, reader: int, written: Stretch) -> bool:
        return any(overlap(written, read) for read in self._reads[reader])


def find_dependence(
    code: NumberedCode, silent: Container[str], has_checks: bool, sizes: Mapping[str, CertainSize] = NO_SIZES
) -> Dependence:
    """Analyse one version. `silent`: library functions that neither keep nor write what is passed to them. `sizes`: of
    globals of which callers may pass less."""
    objects = PointsToAnalysis(code, silent).find()
    effects = SideEffects(code, objects, silent, has_checks, sizes)
    exits = find_endless_exits(code, effects)
    return Dependence(code, objects, effects, find_execution_order(code), exits, _find_exiting(code, effects))


def _find_exiting(code: NumberedCode, effects: SideEffects) -> frozenset[str]:
    """Functions that end the run by a call or never return, and their callers. Crashes are handled at the
    instruction."""
    calls = {
        code.function_of(place)
        for place, each in enumerate(code.instructions)
        if each.opcode in ("call", "invoke") and effects.may_end(place)
    }
    stuck = {each.name for each in code.functions if code.trapped(each.name)}
    return _with_callers(code, calls | stuck | {name for name in code.first_block if code.is_recursive(name, name)})


def _is_irreducible(flow: Flow) -> bool:
    """True if the flow is irreducible: cycles remain when the back edges of all loops are removed."""
    back = {edge for loop in flow.loops() for edge in loop.back_edges}
    nodes = range(len(flow.graph))
    rest = [[target for target in flow.graph.successors[node] if (node, target) not in back] for node in nodes]
    return any(len(group) > 1 for group in components(rest))


def _with_callers(code: NumberedCode, found: set[str]) -> frozenset[str]:
    callers: dict[str, set[str]] = {}
    for place, each in enumerate(code.instructions):
        for name in code.callees(each):
            callers.setdefault(name, set()).add(code.function_of(place))
    waiting = sorted(found)
    while waiting:
        for name in callers.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return frozenset(found)
