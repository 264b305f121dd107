"""The body of one written test: variables with the input's values, globals, the call, what is expected.

Objects behind pointers are `static`: globals may still point to them after the test, and bytes that the input does
not name are zero, as in the run that the case comes from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from tightrope.harness.driver import declare_object
from tightrope.harness.fill import UNSIGNED, assignable_pointer
from tightrope.harness.pointer_outputs import find_pointer_target
from tightrope.harness.stubs import HIDES_CALLS, RESET
from tightrope.inputs.scalars import Output
from tightrope.inputs.sequence_inputs import idle_parameters, made_calls
from tightrope.inputs.shape import (
    BYTE,
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    Leaf,
    Observed,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    children,
    is_address,
    live_objects,
    objects_of,
    observe,
    slot_of,
    target_of,
    walk,
    walk_object,
)
from tightrope.inputs.stub_answers import left_out_name, left_out_path, silent_callbacks, unused_answers
from tightrope.inputs.whole_program import STREAMS, is_provided
from tightrope.program.declarations.c_types import CArray, CEnum, CTypedef
from tightrope.program.declarations.declare import declare, has_const_elements, is_spellable
from tightrope.running.run_record import Outcome
from tightrope.suite.case import Case, Suite
from tightrope.suite.observed_calls import MOST_CALLS, ShownCalls, calls_in, is_list
from tightrope.suite.observed_memory import ObservedMemory
from tightrope.suite.writers.c_expectations import ExpectationWriter, text_literal
from tightrope.suite.writers.c_program import provide
from tightrope.suite.writers.c_registers import needs_barrier
from tightrope.suite.writers.c_values import Values, keeps_something, wrap
from tightrope.suite.writers.words import PLAIN_WORDS, Words

POINTERS = PointsTo | PointsInto | Functions  # they have no variable of their own


@dataclass(frozen=True, slots=True)
class FunctionWriter:
    suite: Suite
    names: Mapping[str, str]  # parameter -> variable; '*' + object -> variable; call of a sequence -> its result
    result: str
    shown: ShownCalls
    words: Words = PLAIN_WORDS
    places: tuple[Observed, ...] = ()  # what is observed, in the names of the test

    @classmethod
    def of(cls, suite: Suite, words: Words = PLAIN_WORDS) -> FunctionWriter:
        """Names variables like the parameters, unless that would hide a name that the test needs."""
        taken = _needed_names(suite)
        names: dict[str, str] = {}
        for root in suite.shape.parameters:
            if not isinstance(root.shape, POINTERS):
                names[root.name] = _free(root.name, taken, "_value")
        for pointer in objects_of(suite.shape):
            names[f"*{pointer.object}"] = _free(pointer.object, taken, "_object")
        for call in suite.shape.calls:
            names[_call_key(call.name)] = _free(call.name, taken, "_result")
        writer = cls(suite, names, _free("result", taken, "_of_call"), suite.shown_calls, words)
        return replace(writer, places=observe(suite.shape, writer.result, writer.name_object))

    def name_object(self, name: str) -> str:
        return self.names[f"*{name}"]

    def body(self, case: Case) -> Iterator[str]:
        values, unused = Values(case.input, self.name_object), self._unused(case)
        live = live_objects(self.suite.shape, case.input, unused)
        memory = self._memory(case, live)
        before = list(self._preparation(case, values, unused, live, memory))
        yield from [*before, ""] if before else []
        barrier = ["    MEMORY_BARRIER();"] * needs_barrier(self.suite)
        calls = self._calls(case, values, memory) if self.suite.shape.calls else self._call(values)
        yield from (*barrier, *calls, *barrier)
        if case.ending.outcome is Outcome.RETURNED:
            yield from self._expectations(case, values, live, memory)
        elif self.suite.shape.result is not None and not self.suite.shape.calls:
            yield f"    (void){self.result};"

    def _preparation(
        self,
        case: Case,
        values: Values,
        unused: Collection[str],
        live: Collection[str],
        memory: ObservedMemory | None,
    ) -> Iterator[str]:
        """Everything before the call."""
        late = list(self._late_pointers(values, live))
        early = replace(values, late=frozenset(slot_of(node) for node, _ in late))
        for root in sorted(self.suite.shape.roots, key=_leads_elsewhere):
            yield from self._objects(root, early, live)
        for node, place in late:
            yield f"    {assignable_pointer(node, place)} = {values.address(node)};"
        for root in self.suite.shape.parameters:
            if root.name not in unused:
                yield from self._parameter(root, values)
        if self.suite.shape.stubs:
            yield f"    {RESET}();"
            yield from [f"    {HIDES_CALLS} = 1;"] * self.suite.hides_calls(case)
            yield from (f"    {name} = 0x{raw:x};" for name, raw in left_out_calls(self.suite, case))
            yield from self._know_objects(memory)
        for root in self.suite.shape.globals:
            if root.name not in unused:
                yield from self._global(root, values)
        yield from provide(self.suite, case)
        if "errno" in self.suite.interface.hidden_state:
            yield "    errno = 0;"

    def _unused(self, case: Case) -> frozenset[str]:
        """What the test need not set: unused answers of stubs, what `provide` writes, and arguments of calls that are
        not made."""
        outputs = [(output.path, raw) for output, raw in zip(self.suite.outputs, case.outputs, strict=False)]
        provided = {root.name for root in self.suite.shape.globals if is_provided(root)}
        idle = idle_parameters(self.suite.shape, case.input)
        return unused_answers(self.suite.shape, outputs) | provided | idle

    def _late_pointers(self, values: Values, live: Collection[str]) -> Iterator[tuple[PointsTo, str]]:
        """Pointers in objects that lead to objects of others, which may be declared later; where they are stored."""
        for pointer in objects_of(self.suite.shape):
            for below, at in children(pointer, "", self.name_object) if pointer.object in live else ():
                for node, place in walk_object(below, at, self.name_object):
                    if not isinstance(node, PointsTo) or node.slot is None:
                        continue
                    target = target_of(node, values.input)
                    if not is_address(target) and target not in (NULL, node.own):
                        yield node, place

    def _objects(self, root: Root, values: Values, live: Collection[str]) -> Iterator[str]:
        """Objects, the last first, so that each is declared before the pointer to it. An object that no pointer leads
        to in this case is left out."""
        nodes = walk(root.shape, self.names.get(root.name, root.name), self.name_object)
        pointers = [(node, at) for node, at in nodes if isinstance(node, PointsTo) and node.object in live]
        nameless = [one for one in pointers if not self._is_spelled(one[0]) or _holds_stream(one[0], values)]
        for node, at in pointers[::-1] if not nameless else pointers:
            declaration = f"    {self._storage(node)} {self._declare(node, at)}"
            if nameless:
                yield f"{declaration};"
            else:
                yield from wrap(f"{declaration}{self._initial(node, values)};")
        for node, _ in pointers if nameless else ():
            yield from self._assign_object(node, values)

    def _declare(self, node: PointsTo, place: str) -> str:
        return declare_object(self.suite.ctypes, node, place, self.name_object(node.object))

    def _storage(self, node: PointsTo) -> str:
        """Before C23, an array does not convert to an array of const elements; a flexible array has no initialiser."""
        if node.target != BYTE and has_const_elements(self.suite.ctypes, node.target):
            return "static const"
        return "__extension__ static" if node.flexible else "static"

    def _is_spelled(self, node: PointsTo) -> bool:
        return node.target < 0 or is_spellable(self.suite.ctypes, node.target)

    def _initial(self, node: PointsTo, values: Values) -> str:
        record = node.elements[0] if node.flexible else None
        if isinstance(record, Fields):
            return f" = {_with_room(node, record, values)}"
        if all(values.is_zero(one) for one in node.elements):
            return ""
        if node.count > 1:
            return f" = {values.element_list(node.elements, node.count)}"
        return f" = {values.initialiser(node.elements[0])}"

    def _assign_object(self, node: PointsTo, values: Values) -> Iterator[str]:
        """Assign the values after the declarations, for objects that have no initialiser: a type without a name is
        spelled through its parent, which must be declared first; and streams are not constants."""
        name = self.name_object(node.object)
        for index, element in enumerate(node.elements):
            yield from _assign_parts(element, name if node.count == 1 else f"{name}[{index}]", values, is_zeroed=True)

    def _parameter(self, root: Root, values: Values) -> Iterator[str]:
        shape = root.shape
        if isinstance(shape, POINTERS) or self._is_written_in_call(root):
            return
        number = next(one.type for one in self.suite.interface.parameters if one.name == root.name)
        declaration = declare(self.suite.ctypes, number, self.names[root.name])
        if isinstance(shape, Leaf | FixedPointer):
            yield f"    {declaration} = {values.initialiser(shape)};"
        elif isinstance(shape, Fixed) or values.is_zero(shape):
            yield f"    static {declaration};"
        else:
            storage = "" if _holds_stream(shape, values) else "static "
            yield from wrap(f"    {storage}{declaration} = {values.initialiser(shape)};")

    def _global(self, root: Root, values: Values) -> Iterator[str]:
        shape, name = root.shape, root.name
        if root.is_hidden:
            return
        if root.answers_of:
            yield from _assign_parts(shape, name, values, is_zeroed=True)
        elif isinstance(shape, Elements):
            yield from self._global_array(shape, name, values)
        elif not isinstance(shape, Fields | Alternatives) or _has_constant(shape) or keeps_something(shape):
            yield from _assign_parts(shape, name, values)
        else:
            type_name = self._type_name(shape, name)
            yield from wrap(f"    {name} = ({type_name}){values.initialiser(shape)};")

    def _type_name(self, shape: Shape, name: str) -> str:
        is_spelled = is_spellable(self.suite.ctypes, shape.type)
        return declare(self.suite.ctypes, shape.type, "").strip() if is_spelled else f"__typeof__({name})"

    def _global_array(self, shape: Elements, name: str, values: Values) -> Iterator[str]:
        if not shape.elements:
            return
        if any(keeps_something(one) or _has_constant(one) for one in shape.elements):
            yield from _assign_parts(shape, name, values)
            return
        array = self.suite.ctypes.strip(shape.type)
        assert isinstance(array, CArray)
        count, holder = len(shape.elements), f"values_of_{name}"
        is_spelled = is_spellable(self.suite.ctypes, array.element)
        declarator = f"{holder}[{count}]"
        nameless = f"__typeof__({name}[0]) {declarator}"
        declaration = declare(self.suite.ctypes, array.element, declarator) if is_spelled else nameless
        yield from wrap(f"    static {declaration} = {values.element_list(shape.elements, count)};")
        yield f"    COPY({name}, {holder});"

    def _call(self, values: Values) -> Iterator[str]:
        arguments = ", ".join(self._argument(root, values) for root in self.suite.shape.parameters)
        call = f"{self.suite.interface.call_name}({arguments});"
        if self.suite.shape.result is None:
            yield f"    {call}"
        else:
            yield from wrap(f"    {declare(self.suite.ctypes, self.suite.interface.result, self.result)} = {call}")

    def _calls(self, case: Case, values: Values, memory: ObservedMemory | None) -> Iterator[str]:
        """The calls of a sequence, each followed by what it returned."""
        roots = {root.name: root for root in self.suite.shape.parameters}
        is_checked = case.ending.outcome is Outcome.RETURNED
        writer = self._expectation_writer(values, memory)
        for call in made_calls(self.suite.shape, case.input):
            arguments = ", ".join(self._argument(roots[name], values) for name in call.arguments.values())
            if not call.has_result:
                yield f"    {call.function}({arguments});"
                continue
            name, number = self.names[_call_key(call.name)], self.suite.ctypes.functions[call.function].result
            yield from wrap(f"    {declare(self.suite.ctypes, number, name)} = {call.function}({arguments});")
            own = [
                ((output, node, f"{name}{place.removeprefix(f'{self.result}.{call.name}')}"), raw)
                for (output, node, place), raw in zip(self.places, case.outputs, strict=False)
                if re.match(rf"{re.escape(self.result)}\.{re.escape(call.name)}\b", place)
            ]
            lines = list(writer.each([one for one, _ in own], [raw for _, raw in own])) if is_checked else []
            yield from lines or [f"    (void){name};"]

    def _is_written_in_call(self, root: Root) -> bool:
        """Numbers are written where they are passed, so that a sequence reads as a list of calls."""
        return bool(self.suite.shape.calls) and isinstance(root.shape, Leaf)

    def _argument(self, root: Root, values: Values) -> str:
        if isinstance(root.shape, POINTERS):
            return values.address(root.shape)
        return values.initialiser(root.shape) if self._is_written_in_call(root) else self.names[root.name]

    def _expectations(
        self, case: Case, values: Values, live: Collection[str], memory: ObservedMemory | None
    ) -> Iterator[str]:
        dead = {self.name_object(one.object) for one in objects_of(self.suite.shape) if one.object not in live}
        of_calls = f"{self.result}." if self.suite.shape.calls else "\0"
        silent = set(silent_callbacks(self.suite.shape))
        given = {left_out_name(stub, one) for stub in self.suite.shape.stubs for one in stub.writes}
        observed = [
            (each, raw)
            for each, raw in zip(self.places, case.outputs, strict=False)
            if _variable(each[2]) not in dead | given and not (raw == 0 and each[2] in silent)
            if not each[2].startswith(of_calls) and not self._leads_to(each[0], raw, dead)
        ]
        if memory is not None and self.shown.arguments:
            is_read = {stub.path for stub in self.suite.shape.stubs if stub.register and not stub.register.is_write}
            roots = [root for root in self.suite.shape.globals if root.is_counter]
            counters = {root.name for root in roots if root.answers_of not in is_read}  # those are among the calls
            observed = [(each, raw) for each, raw in observed if each[2] not in counters]
        writer = self._expectation_writer(values, memory)
        lines = list(writer.lines([each for each, _ in observed], [raw for _, raw in observed]))
        yield from lines
        yield from self._expect_calls(case, memory)
        has_result = self.suite.shape.result is not None and not self.suite.shape.calls
        if has_result and not any(f"({self.result}" in line for line in lines):
            yield f"    (void){self.result};"

    def _leads_to(self, output: Output, raw: int | None, dead: Collection[str]) -> bool:
        """True if it is a pointer to an object that the test does not have. It was moved out of its own object and is
        there by chance."""
        if output.scalar.kind != "pointer" or raw is None:
            return False
        spot = find_pointer_target(self.suite.ctypes, objects_of(self.suite.shape), raw)
        return spot is not None and self.name_object(spot.object.object) in dead

    def _expectation_writer(self, values: Values, memory: ObservedMemory | None) -> ExpectationWriter:
        return ExpectationWriter(self.suite.ctypes, objects_of(self.suite.shape), values, memory, self.words)

    # -- calls of stubs

    def _memory(self, case: Case, live: Collection[str]) -> ObservedMemory | None:
        """None as well if there are more calls than a test can show."""
        memory = self.suite.memory(case, self.name_object, set(self.names.values()), live)
        return memory if memory is not None and len(calls_in(memory.notes)) <= MOST_CALLS else None

    def _expect_calls(self, case: Case, memory: ObservedMemory | None) -> Iterator[str]:
        if memory is None or not self.shown.arguments:
            return
        lines = [text_literal(self.shown.line(call, memory).encode()) for call in calls_in(memory.notes)]
        if not lines:
            yield from ("", "    EXPECT_NO_CALLS();")
            return
        yield from ("", "    /* calls, in order: */")
        if len(lines) == 1:
            yield f"    EXPECT_CALLS({lines[0]});"
            return
        yield "    EXPECT_CALLS("
        yield from (f"        {line}," for line in lines[:-1])
        yield f"        {lines[-1]});"

    def _know_objects(self, memory: ObservedMemory | None) -> Iterator[str]:
        """Objects to which pointers among the arguments of stubs lead: they are shown by their names."""
        if memory is None or not self.shown.arguments:
            return
        for one in self.shown.named_objects(calls_in(memory.notes), memory):
            yield f"    KNOW{'_ARRAY' * is_list(memory.ctypes, one)}({one.name});"


def left_out_calls(suite: Suite, case: Case) -> Iterator[tuple[str, int]]:
    """Calls of stubs that write nothing, because there is no room: a variable, and a bit for each of them."""
    found = {output.path: raw for output, raw in zip(suite.outputs, case.outputs, strict=False)}
    for stub in suite.shape.stubs:
        for one in stub.writes:
            if raw := found.get(left_out_path(stub, one)):
                yield left_out_name(stub, one), raw


def _leads_elsewhere(root: Root) -> bool:
    """True when it contains a pointer to the object of another parameter or global, which must be declared before."""
    nodes = [node for node, _ in walk(root.shape, "", str)]
    own = {node.object for node in nodes if isinstance(node, PointsTo)}
    return any(isinstance(node, PointsInto) and node.object not in own for node in nodes)


def _with_room(node: PointsTo, record: Fields, values: Values) -> str:
    """A struct whose last member is as long as its initialiser makes it, so the last element is always there."""
    member = record.members[-1][1]
    elements = list(enumerate(member.elements)) if isinstance(member, Elements) else []
    shown = [f"[{at}] = {values.initialiser(one)}" for at, one in elements if not values.is_zero(one)]
    last = node.room - 1
    if not any(text.startswith(f"[{last}]") for text in shown):
        is_scalar = all(isinstance(one, Leaf | PointsTo | FixedPointer) for _, one in elements)
        shown.append(f"[{last}] = {'0' if is_scalar else '{0}'}")
    others = values.initialiser(replace(record, members=record.members[:-1]))[1:-1]
    return f"{{{'' if others == '0' else f'{others}, '}.{node.flexible} = {{{', '.join(shown)}}}}}"


def _assign_parts(shape: Shape, place: str, values: Values, is_zeroed: bool = False) -> Iterator[str]:
    """One assignment per leaf, for objects that cannot be assigned as a whole."""
    for node, at in walk_object(shape, place, values.name_object):
        if is_zeroed and values.is_zero(node):
            continue
        if isinstance(node, Leaf) and node.slot is not None:
            yield f"    {_assignable(node, at)} = {values.initialiser(node)};"
        elif isinstance(node, POINTERS) or (isinstance(node, FixedPointer) and node.is_null):
            yield f"    {assignable_pointer(node, at)} = {values.initialiser(node)};"


def _holds_stream(shape: Shape, values: Values) -> bool:
    """True if a part of the object is `stdin` or `stdout`, which are not constant initialisers."""
    parts = [node for below, at in children(shape, "", str) for node, _ in walk_object(below, at, str)]
    return any(isinstance(node, Functions) and values.address(node) in STREAMS for node in parts)


def _assignable(leaf: Leaf, place: str) -> str:
    """The leaf as something that can be assigned to, also where it is declared const."""
    if not leaf.is_constant:
        return place
    size = leaf.scalar.size
    kind = {4: "float", 8: "double"}[size] if leaf.scalar.kind == "float" else UNSIGNED[size]
    return f"*({kind} *)(void *)&{place}"


def _has_constant(shape: Shape) -> bool:
    """True when C refuses to assign the object as a whole."""
    return any(
        isinstance(node, Leaf | POINTERS | FixedPointer) and node.is_constant for node, _ in walk_object(shape, "", str)
    )


def _call_key(name: str) -> str:
    return f"result of {name}"


def _variable(place: str) -> str:
    """The variable that a C expression starts with."""
    found = re.match(r"\w+", place)
    return found.group() if found else ""


def _needed_names(suite: Suite) -> set[str]:
    """Names that a local variable must not hide: the function, globals, types, and members of enums."""
    taken = {suite.function, suite.interface.call_name, "NULL", *(call.function for call in suite.shape.calls)}
    taken |= {one.name for one in suite.interface.globals}
    for kind in suite.ctypes.types.values():
        if isinstance(kind, CTypedef):
            taken.add(kind.name)
        elif isinstance(kind, CEnum):
            taken |= {name for name, _ in kind.members}
    return taken


def _free(wish: str, taken: set[str], suffix: str) -> str:
    name = wish if wish not in taken else f"{wish}{suffix}"
    while name in taken:
        name += "_"
    taken.add(name)
    return name
