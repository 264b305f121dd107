"""Stubs in C, for the driver and for written tests. The two differ in one thing: the driver's tell the runtime
what only a search must know.

    static int tightrope_answers_sensor[4];                 what it answers: inputs
    static unsigned tightrope_calls_sensor;                 how often it was called: observed
    int (sensor)(int unused_1 __attribute__((unused)))
    {
        unsigned tightrope_call = tightrope_calls_sensor++;
        if (tightrope_call > 3) tightrope_call = 3;         the last answer is given again
        return tightrope_answers_sensor[tightrope_call];
    }

A function that the library has keeps its own symbol, which the library itself uses: before the unit is included,
its name is given another one,  `long time(long *) __asm__("tightrope_stub_time");`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tightrope.execution import allocator_stubs
from tightrope.execution.allocator_stubs import CALL, failures
from tightrope.execution.inputs import Scalar
from tightrope.execution.shape import BYTE, InputShape, Leaf, Root, Shape
from tightrope.execution.stub_arguments import declare_arguments, keep_arguments, kept_arguments
from tightrope.program.bare_types import declare_bare
from tightrope.program.c_types import VOID_ID, CFunctionType, CPointer, CRecord, CTypes, CVoid, TypeId
from tightrope.program.declare import declare, is_qualified, is_spellable
from tightrope.program.interface import Interface, is_variable_arguments
from tightrope.program.stubs import Stub, Written

RESET = "tightrope_forget_answers"
PROTOTYPES = (
    "void tightrope_turn(unsigned *call, unsigned answers);",
    "void tightrope_hand_over(const volatile void *pointer);",
    "void tightrope_beyond(void);",
)

_COUNTER = Scalar("unsigned", 32, 4)
_FAILURE = Scalar("bool", 1, 1)

Build = Callable[[TypeId, str], Shape]  # a type and a path -> the shape of an input


# -- inputs and what is observed


def answer_roots(
    ctypes: CTypes, stub: Stub, call: int, build: Build, next_slot: Callable[[], int | None]
) -> Iterator[Root]:
    """The inputs of one call of a stub, counted from 0."""
    if stub.may_fail:
        leaf = Leaf(f"{stub.path}#{call + 1}.fails", BYTE, _FAILURE, next_slot())
        yield Root(f"{failures(stub)}[{call}]", leaf, is_global=True, answers_of=stub.path)
    elif has_answers(ctypes, stub):
        shape = build(_result(ctypes, stub), f"{stub.path}#{call + 1}")
        yield Root(f"{_answers(stub)}[{call}]", shape, is_global=True, answers_of=stub.path)
    for one in stub.writes:
        yield from _written_roots(ctypes, stub, one, call, build)


def counter_roots(stub: Stub) -> Iterator[Root]:
    """The number of its calls, which is observed. How often memory is asked for is nobody's business."""
    if not stub.like:
        counter = Leaf(calls_path(stub), VOID_ID, _COUNTER)
        yield Root(_calls(stub), counter, is_global=True, answers_of=stub.path, is_counter=True)


def _written_roots(ctypes: CTypes, stub: Stub, one: Written, call: int, build: Build) -> Iterator[Root]:
    target = _target(ctypes, stub, one.position)
    pointer = f"{stub.path}::argument_{one.position}#{call + 1}"
    for index in range(one.count):
        place = f"{_written(stub, one)}[{call}]" + (f"[{index}]" if one.count > 1 else "")
        path = f"{pointer}[{index}]" if one.count > 1 else f"*{pointer}"
        yield Root(place, build(target, path), is_global=True, answers_of=stub.path)


def calls_path(stub: Stub) -> str:
    return f"calls of {stub.path}"


def has_answers(ctypes: CTypes, stub: Stub) -> bool:
    kind = ctypes.strip(stub.type)
    is_void = isinstance(kind, CFunctionType) and isinstance(ctypes.strip(kind.result), CVoid)
    return not (stub.like or stub.never_returns or is_void)


def unused_answers(shape: InputShape, outputs: Sequence[tuple[str, int | None]]) -> frozenset[str]:
    """Names of roots that a run did not come to; `outputs` are paths and what was observed there."""
    made = {path: raw for path, raw in outputs if raw is not None}
    return frozenset(
        root.name
        for stub in shape.stubs
        for root in shape.globals
        if root.answers_of == stub.path and _call_number(root) >= made.get(calls_path(stub), stub.answers)
    )


def silent_callbacks(shape: InputShape) -> Iterator[str]:
    """Counters that are worth a word only when they are not zero: there may be many function pointers."""
    return (_calls(stub) for stub in shape.stubs if stub.name != stub.path)


def _call_number(root: Root) -> int:
    found = re.search(r"\[(\d+)\]", root.name)
    return int(found.group(1)) if found else -1


def describe_stubs(ctypes: CTypes, stubs: Iterable[Stub]) -> Iterator[str]:
    """What is assumed about the functions behind them."""
    for stub in stubs:
        words = _deeds(ctypes, stub)
        is_missing = not stub.is_redirected and stub.name == stub.path
        yield f"{stub.path}(): it has no body here; {words}" if is_missing else f"{stub.path}(): {words}"


def _deeds(ctypes: CTypes, stub: Stub) -> str:
    again = f"{stub.answers}, then the last one again"
    if stub.like and stub.is_redirected:
        return f"each of its first {stub.answers} calls may fail"
    if stub.like:
        return "it allocates or frees memory, as its name says (see --stub, --no-stub)"
    if stub.never_returns:
        return "a call of it ends the run"
    if not has_answers(ctypes, stub) and not stub.writes:
        return "it does nothing"
    word = "its answers are inputs" if has_answers(ctypes, stub) else "what it writes is an input"
    return f"{word} ({again}), and it changes nothing{' else' * bool(stub.writes)}"


# -- C


def _is_unknown(stub: Stub) -> bool:
    """Whether the function may do anything to variables of the program: those of the library leave them alone."""
    return not stub.is_redirected or stub.is_wanted


@dataclass(frozen=True, slots=True)
class StubWriter:
    """Writes the stubs of one shape. `is_driver`: what a search must know is told to the runtime."""

    ctypes: CTypes
    stubs: tuple[Stub, ...]
    slots: dict[str, int] | None = None  # driver only: name of a root -> its slot
    has_globals: bool = False  # driver only: there are variables that other functions may change

    @classmethod
    def for_driver(cls, ctypes: CTypes, shape: InputShape) -> StubWriter:
        leaves = [(root.name, root.shape) for root in shape.roots if root.answers_of]
        slots = {name: leaf.slot for name, leaf in leaves if isinstance(leaf, Leaf) and leaf.slot is not None}
        has_globals = any(not (root.answers_of or root.is_constant) for root in shape.globals)
        return cls(ctypes, shape.stubs, slots, has_globals)

    @property
    def is_driver(self) -> bool:
        return self.slots is not None

    def redirections(self) -> Iterator[str]:
        """Before the unit is included."""
        for stub in self.stubs:
            if stub.is_redirected:
                symbol = f'__asm__("tightrope_stub_{stub.name}")'
                yield f"{self._prototype(stub, stub.name)} {symbol};"

    def definitions(self) -> Iterator[str]:
        """After it."""
        if any(stub.never_returns for stub in self.stubs):
            yield "#include <stdlib.h>"
        if not self.is_driver:
            yield from allocator_stubs.helpers(self.stubs)
        for stub in self.stubs:
            yield from self._data(stub)
            yield from self._function(stub)
        if self.stubs and not self.is_driver:
            yield from self._reset()

    def _prototype(self, stub: Stub, name: str) -> str:
        if stub.type == VOID_ID:
            return allocator_stubs.prototype(stub, name)
        text = declare_bare(self.ctypes, stub.type, name)
        assert text is not None  # choosing the stub has checked it
        return text

    def _data(self, stub: Stub) -> Iterator[str]:
        count = stub.answers
        if stub.may_fail:
            yield f"static unsigned char {failures(stub)}[{count}];"
        elif has_answers(self.ctypes, stub):
            yield f"static {declare(self.ctypes, _result(self.ctypes, stub), f'{_answers(stub)}[{count}]')};"
        for one in stub.writes:
            target, place = _target(self.ctypes, stub, one.position), f"{_written(stub, one)}[{count}]"
            place += f"[{one.count}]" if one.count > 1 else ""
            yield f"static {f'unsigned char {place}' if target == BYTE else declare(self.ctypes, target, place)};"
        if stub.may_fail or not stub.like:
            yield f"static unsigned {_calls(stub)};"
        yield from declare_arguments(self.ctypes, stub)

    def _function(self, stub: Stub) -> Iterator[str]:
        if stub.like:
            yield allocator_stubs.declare_worker(stub, self.is_driver)
        storage = "static __attribute__((unused)) " if stub.name.startswith("tightrope_stub_") else ""
        yield f"{storage}{self._head(stub)}"
        yield "{"
        yield from (f"    {line}" for line in self._body(stub))
        yield from ("}", "")

    def _head(self, stub: Stub) -> str:
        """Its name in brackets: the unit may have a macro of that name."""
        if stub.type == VOID_ID:
            return allocator_stubs.head(stub)
        kind = _function_type(self.ctypes, stub)
        return declare(self.ctypes, kind.result, f"({stub.name})({self._parameters(stub, kind)})")

    def _parameters(self, stub: Stub, kind: CFunctionType) -> str:
        kept = {one.position for one in kept_arguments(self.ctypes, stub)}
        used = _written_positions(stub) | set(self._handed_over(stub)) | kept
        own = range(stub.skipped + 1, len(kind.parameters) + 1)
        return parameter_list(self.ctypes, kind, own if stub.like else used)

    def _body(self, stub: Stub) -> Iterator[str]:
        if stub.like:
            slot = (self.slots or {}).get(f"{failures(stub)}[0]")
            yield from allocator_stubs.body(stub, self._turn(stub), self.is_driver, slot)
            return
        if stub.never_returns:
            yield from (f"{_calls(stub)}++;", "exit(1);")
            return
        yield from self._count(stub)
        yield from keep_arguments(self.ctypes, stub, CALL)
        if self.has_globals and _is_unknown(stub):
            yield "tightrope_beyond();"
        for position in self._handed_over(stub):
            yield f"tightrope_hand_over((const volatile void *)argument_{position});"
        for one in stub.writes:
            yield from self._store(one.position, _written(stub, one))
        if has_answers(self.ctypes, stub):
            yield from self._answer(stub)

    def _handed_over(self, stub: Stub) -> list[int]:
        """In the driver: parameters through which the function that the stub stands for may write, while the stub does
        not. A run that gives it something there has felt the end of the shape: nothing is proved by it."""
        kind, known = _function_type(self.ctypes, stub), _written_positions(stub)
        if not self.is_driver:
            return []
        return [n for n, each in enumerate(kind.parameters, 1) if n not in known and _may_write(self.ctypes, each)]

    def _count(self, stub: Stub) -> Iterator[str]:
        if has_answers(self.ctypes, stub) or stub.writes:
            yield from self._turn(stub)
        elif kept_arguments(self.ctypes, stub):  # without a branch, as `_turn`
            yield f"unsigned {CALL} = {_calls(stub)}++, tightrope_last = {stub.answers - 1};"
            yield f"{CALL} -= ({CALL} > tightrope_last) * ({CALL} - tightrope_last);"
        else:
            yield f"{_calls(stub)}++;"

    def _turn(self, stub: Stub) -> Iterator[str]:
        """Which answer it is. In the driver, calls beyond the answers have felt the end of the shape of the inputs,
        so that nothing is proved by them; and there is no branch, whose other side nobody would have explored."""
        yield f"unsigned {CALL} = {_calls(stub)}++;"
        if self.is_driver:
            yield f"tightrope_turn(&{CALL}, {stub.answers});"
        else:
            yield f"if ({CALL} > {stub.answers - 1}) {CALL} = {stub.answers - 1};"

    def _store(self, position: int, values: str) -> Iterator[str]:
        """Unless it is NULL. In the driver without a branch: a write to nowhere does no harm."""
        to, value, size = f"tightrope_to_{position}", f"{values}[{CALL}]", f"sizeof {values}[0]"
        if self.is_driver:
            yield f"static unsigned char tightrope_nowhere_{position}[{size}];"
            yield f"unsigned long {to} = (unsigned long)argument_{position};"
            yield f"{to} += !{to} * (unsigned long)tightrope_nowhere_{position};"
            yield f"__builtin_memcpy((void *){to}, &{value}, {size});"
        else:
            yield f"void *{to} = (void *)argument_{position};"
            yield f"if ({to} != NULL)"
            yield f"    __builtin_memcpy({to}, &{value},"
            yield f"                     {size});"

    def _answer(self, stub: Stub) -> Iterator[str]:
        answer = f"{_answers(stub)}[{CALL}]"
        if stub.outside.mask is not None:
            answer += f" & 0x{stub.outside.mask:x}"
        if stub.outside.stores and _function_type(self.ctypes, stub).parameters:
            yield from self._store(1, _answers(stub))
        yield f"return {answer};"

    # -- before each test

    def _reset(self) -> Iterator[str]:
        yield f"static void {RESET}(void)"
        yield "{"
        for stub in self.stubs:
            for line in self._data(stub):
                yield from (f"    {text}" for text in _forget(line))
        yield "}"


def _forget(declaration: str) -> Iterator[str]:
    found = re.search(r"tightrope_(?:answers|fails|writes|calls|arguments)_\w+", declaration)
    assert found is not None
    name = found.group()
    yield f"{name} = 0;" if name.startswith("tightrope_calls") else f"__builtin_memset({name}, 0, sizeof {name});"


def define_missing(ctypes: CTypes, interface: Interface, stubs: Iterable[Stub], attribute: str = "") -> Iterator[str]:
    """Bodies for functions that are in other files and that nobody made a stub for: they do nothing and return zero."""
    known = {*(stub.name for stub in stubs), *(one.name for one in interface.verifier_functions)}
    for one in interface.missing_functions:
        kind = ctypes.strip(one.type)
        if one.name not in known and isinstance(kind, CFunctionType) and is_spellable(ctypes, one.type):
            yield attribute + declare(ctypes, kind.result, f"({one.name})({parameter_list(ctypes, kind)})")
            yield _nothing(ctypes, kind, one.never_returns)


def _nothing(ctypes: CTypes, kind: CFunctionType, never_returns: bool) -> str:
    """A body. One that must not return is never called, or it would have a stub."""
    if never_returns:
        return "{ for (;;) { } }"
    if isinstance(ctypes.strip(kind.result), CVoid):
        return "{ }"
    return f"{{ static {declare(ctypes, kind.result, 'tightrope_answer')}; return tightrope_answer; }}"


def parameter_list(ctypes: CTypes, kind: CFunctionType, used: Iterable[int] = ()) -> str:
    """Names are `unused_1` ...: before C23 they cannot be left out."""
    wanted = frozenset(used)
    names = [
        _parameter(ctypes, number, f"argument_{index}")
        if index in wanted
        else f"{_parameter(ctypes, number, f'unused_{index}')} __attribute__((unused))"
        for index, number in enumerate(kind.parameters, 1)
    ]
    if not names:
        return "" if kind.is_variadic else "void"
    return ", ".join([*names, "..."] if kind.is_variadic else names)


def _parameter(ctypes: CTypes, number: TypeId, name: str) -> str:
    """A `va_list` is a pointer to something that has no name."""
    kind = ctypes.strip(number)
    is_list = isinstance(kind, CPointer) and is_variable_arguments(ctypes, kind.target)
    return f"__builtin_va_list {name}" if is_list else declare(ctypes, number, name)


def _written_positions(stub: Stub) -> set[int]:
    return {one.position for one in stub.writes} | ({1} if stub.outside.stores else set())


def _may_write(ctypes: CTypes, number: TypeId) -> bool:
    """True for a pointer to data that is not const and that the unit could look at afterwards."""
    pointer = ctypes.strip(number)
    if not isinstance(pointer, CPointer) or is_qualified(ctypes, pointer.target, frozenset({"const"})):
        return False
    target = ctypes.strip(pointer.target)
    is_opaque = isinstance(target, CRecord) and not target.is_complete
    return not (isinstance(target, CFunctionType) or is_opaque or is_variable_arguments(ctypes, pointer.target))


def _function_type(ctypes: CTypes, stub: Stub) -> CFunctionType:
    kind = ctypes.strip(stub.type)
    assert isinstance(kind, CFunctionType)
    return kind


def _result(ctypes: CTypes, stub: Stub) -> TypeId:
    return _function_type(ctypes, stub).result


def _target(ctypes: CTypes, stub: Stub, position: int) -> TypeId:
    """What the argument points to."""
    pointer = ctypes.strip(_function_type(ctypes, stub).parameters[position - 1])
    assert isinstance(pointer, CPointer)
    return BYTE if isinstance(ctypes.strip(pointer.target), CVoid) else pointer.target


def _answers(stub: Stub) -> str:
    return f"tightrope_answers_{stub.word}"


def _written(stub: Stub, one: Written) -> str:
    return f"tightrope_writes_{stub.word}_{one.position}"


def _calls(stub: Stub) -> str:
    return f"tightrope_calls_{stub.word}"
