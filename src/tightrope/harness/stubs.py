"""Stubs in C, for the driver and for written tests. Those of the driver also report to the runtime for the search.

    static int tightrope_answers_sensor[4];                 what it answers: inputs
    static unsigned tightrope_calls_sensor;                 how often it was called: observed
    int (sensor)(int unused_1 __attribute__((unused)))
    {
        unsigned tightrope_call = tightrope_calls_sensor++;
        if (tightrope_call > 3) tightrope_call = 3;         the last answer is given again
        return tightrope_answers_sensor[tightrope_call];
    }

The library itself uses the symbols of its functions. So a stub for a library function gets another symbol, declared
before the unit is included:  `long time(long *) __asm__("tightrope_stub_time");`.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.harness import heap_stubs
from tightrope.harness.heap_stubs import CALL
from tightrope.inputs.shape import BYTE, InputShape, Leaf
from tightrope.inputs.stub_answers import (
    answers_name,
    calls_name,
    choices_name,
    fails_at_last,
    failures_name,
    function_type,
    has_answers,
    left_out_name,
    promised_result,
    result_type,
    writes_name,
    written_type,
)
from tightrope.inputs.stub_arguments import declare_arguments, keep_arguments, kept_arguments, note_argument
from tightrope.inputs.stub_outputs import is_any_pointer, may_be_written
from tightrope.inputs.whole_program import is_stream
from tightrope.program.declarations.c_types import (
    VOID_ID,
    CFunctionType,
    CScalar,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.declare import (
    declare,
    declare_bare,
    is_spellable,
    parameter_list,
)
from tightrope.program.declarations.interface import Interface
from tightrope.program.declarations.stubs import Stub, Written

RESET = "tightrope_forget_answers"
HIDES_CALLS = "tightrope_hides_calls"  # in a test of which nothing is known about what calls get
PROTOTYPES = (
    "void tightrope_turn(unsigned *call, unsigned answers, const void *counter);",
    "void tightrope_hand_over(const volatile void *pointer);",
    "void tightrope_fit(void *to, unsigned long *bytes, void *nowhere, unsigned long long *left_out, unsigned call);",
    "void tightrope_beyond(void);",
    "void tightrope_note_call(unsigned stub);",
    "void tightrope_note_number(unsigned position, unsigned long long value);",
    "void tightrope_note_real(unsigned position, double value);",
    "void tightrope_note_pointer(unsigned position, const volatile void *pointer);",
    "void tightrope_note_bytes(unsigned position, const void *at, unsigned long long size);",
)


_RESULTS = {  # what POSIX promises -> how an answer becomes such a result: in the driver, without a branch; in tests
    "status": ("{0} >> {1}", "{0} < 0 ? -1 : 0"),  # 0 or -1
    "number": ("{0} | ({0} >> {1})", "{0} < 0 ? -1 : {0}"),  # not negative, or -1
    "failure": ("{0} | -1", "{0} | -1"),  # it returns only if it fails
}


_LATE_ANSWER = f"(-{errno.EIO})"  # as the kernel gives it: no loop goes on after this error as it may after EINTR


def _is_unknown(stub: Stub) -> bool:
    """Whether the replaced function may change any variable of the program; functions of the library and registers do
    not."""
    return stub.register is None and (not stub.is_redirected or stub.is_wanted)


@dataclass(frozen=True, slots=True)
class StubWriter:
    """Writes the stubs of one shape. `is_driver`: they also tell the runtime what the search must know."""

    ctypes: CTypes
    stubs: tuple[Stub, ...]
    slots: dict[str, int] | None = None  # driver only: name of a root -> its slot
    has_globals: bool = False  # driver only: there are variables that other functions may change
    shows: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # tests only: path of a stub -> C that logs a call
    left_out: frozenset[str] | None = None  # tests only: names that a test sets; None: not known
    linked: tuple[str, ...] = ()  # tests only: functions like `malloc` that linked files call

    @classmethod
    def for_driver(cls, ctypes: CTypes, shape: InputShape) -> StubWriter:
        leaves = [(root.name, root.shape) for root in shape.roots if root.answers_of]
        slots = {name: leaf.slot for name, leaf in leaves if isinstance(leaf, Leaf) and leaf.slot is not None}
        has_globals = any(not (root.answers_of or root.is_constant or root.is_hidden) for root in shape.globals)
        return cls(ctypes, shape.stubs, slots, has_globals)

    @property
    def is_driver(self) -> bool:
        return self.slots is not None

    def redirections(self) -> Iterator[str]:
        """C that comes before the unit is included. Where a header gives the function another symbol, it must not get
        a third one: then the definition has that of the header, which is not the one that the library itself uses."""
        for stub in self.stubs:
            if stub.is_redirected and not stub.label:
                text = self._prototype(stub, stub.name)
                # `select` has a parameter `fd_set *`, and no declaration before the header can name that type.
                macro = f"#define {stub.name} tightrope_stub_{stub.name}"
                yield f'{text} __asm__("tightrope_stub_{stub.name}");' if text else macro

    def definitions(self) -> Iterator[str]:
        """After it."""
        if any(stub.never_returns for stub in self.stubs):
            yield "#include <stdlib.h>"
        if not self.is_driver:
            yield from heap_stubs.helpers(self.stubs)
        for stub in self.stubs:
            yield from self._data(stub)
            yield from self._function(stub)
        if self.stubs and not self.is_driver:
            yield from self._reset()

    def _prototype(self, stub: Stub, name: str) -> str | None:
        return heap_stubs.prototype(stub, name) if stub.type == VOID_ID else declare_bare(self.ctypes, stub.type, name)

    def _data(self, stub: Stub) -> Iterator[str]:
        count = stub.answers
        if stub.may_fail:
            yield f"static unsigned char {failures_name(stub)}[{count}];"
        elif has_answers(self.ctypes, stub):
            yield f"static {declare(self.ctypes, result_type(self.ctypes, stub), f'{answers_name(stub)}[{count}]')};"
        for one in stub.writes:
            target, place = written_type(self.ctypes, stub, one), f"{writes_name(stub, one)}[{count}]"
            place += f"[{one.count}]" if one.count > 1 else ""
            yield f"static {f'unsigned char {place}' if target == BYTE else declare(self.ctypes, target, place)};"
            if one.may_leave:
                yield f"static unsigned char {choices_name(stub, one)}[{count}];"
            if self._may_lack_room(stub, one):
                yield f"static unsigned long long {left_out_name(stub, one)};"
        if stub.may_fail or stub.is_counted:
            yield f"static unsigned {calls_name(stub)};"
        yield from declare_arguments(self.ctypes, stub)

    def _function(self, stub: Stub) -> Iterator[str]:
        if stub.like:
            yield heap_stubs.declare_worker(stub, self.is_driver)
        storage = "static __attribute__((unused)) " if stub.name.startswith("tightrope_stub_") else ""
        yield f"{storage}{self._head(stub)}"
        yield "{"
        yield from (f"    {line}" for line in self._body(stub))
        yield from ("}", "")

    def _head(self, stub: Stub) -> str:
        """The head of the definition, with the name in brackets, because the unit may have a macro of that name."""
        if stub.type == VOID_ID:
            return heap_stubs.head(stub)
        kind = function_type(self.ctypes, stub)
        last, given = len(kind.parameters), self._parameters(stub, kind)
        if self.is_driver and last + 1 in _written_positions(stub):  # `va_arg` would compare addresses
            own, given = f"tightrope_own_{stub.word}", given.replace("...", f"void *argument_{last + 1}")
            text = declare(self.ctypes, kind.result, f"{own}({given})")
            return f'{text} __asm__("tightrope_stub_{stub.name}");\n{text}'
        return declare(self.ctypes, kind.result, f"({stub.name})({given})")

    def _parameters(self, stub: Stub, kind: CFunctionType) -> str:
        kept = {one.position for one in kept_arguments(self.ctypes, stub)}
        lengths = {one.length for one in stub.writes if one.length} | ({stub.outside.most} - {0})
        last = len(kind.parameters)
        lengths |= {last} if last + 1 in _written_positions(stub) else set()
        used = (
            _written_positions(stub) | set(self._handed_over(stub)) | kept | set(self._noted(stub)) | self._shown(stub)
        ) | lengths
        own = range(stub.skipped + 1, len(kind.parameters) + 1)
        return parameter_list(self.ctypes, kind, own if stub.like else used)

    def _body(self, stub: Stub) -> Iterator[str]:
        if stub.like:
            slot = (self.slots or {}).get(f"{failures_name(stub)}[0]")
            yield from heap_stubs.body(stub, self._turn(stub), self.is_driver, slot)
            return
        if stub.never_returns:
            yield from (f"{calls_name(stub)}++;", "exit(1);")
            return
        yield from self._count(stub)
        yield from self._take_unnamed(stub)
        yield from self._note(stub)
        yield from keep_arguments(self.ctypes, stub, CALL)
        if self.has_globals and _is_unknown(stub):
            yield "tightrope_beyond();"
        if self.is_driver and stub.outside.is_of_files and _opens(self.ctypes, stub):
            yield f"if ({calls_name(stub)} > 1) tightrope_beyond();"  # the second begins where the first one ended
        for position in self._handed_over(stub):
            is_union = is_any_pointer(self.ctypes, self.ctypes.strip(_parameter(self.ctypes, stub, position)))
            pointer = f"*(const volatile void **)&argument_{position}" if is_union else f"argument_{position}"
            yield f"tightrope_hand_over((const volatile void *){pointer});"
        for one in stub.writes:
            yield from (
                self._write(stub, one) if one.is_default else self._store(stub, one.position, writes_name(stub, one))
            )
        if has_answers(self.ctypes, stub):
            yield from self._answer(stub)

    def _take_unnamed(self, stub: Stub) -> Iterator[str]:
        """The argument in place of `...` through which it writes. In the driver it is a parameter: see `_head`."""
        last = len(function_type(self.ctypes, stub).parameters)
        if last + 1 in _written_positions(stub) and not self.is_driver:
            name = f"argument_{last}"
            yield f"__builtin_va_list tightrope_rest; __builtin_va_start(tightrope_rest, {name});"
            yield f"void *argument_{last + 1} = __builtin_va_arg(tightrope_rest, void *);"
            yield "__builtin_va_end(tightrope_rest);"

    def _handed_over(self, stub: Stub) -> list[int]:
        """In the driver: parameters through which the replaced function may write, but the stub does not. A run that
        passes an object there depends on a simplification of ours, so it proves nothing."""
        kind, known = function_type(self.ctypes, stub), _written_positions(stub)
        known -= {one.position for one in stub.writes if one.may_leave or one.parts}
        if not self.is_driver or stub.outside.is_of_files:
            return []
        return [
            n
            for n, each in enumerate(kind.parameters, 1)
            if n not in known
            and (
                may_be_written(self.ctypes, each)
                or _is_filled(stub, is_any_pointer(self.ctypes, self.ctypes.strip(each)))
            )
        ]

    def _note(self, stub: Stub) -> Iterator[str]:
        """In the driver: tell the runtime the arguments. In a test: log the call."""
        is_read = stub.register is not None and not stub.register.is_write
        if self.is_driver and not (stub.keeps_arguments or is_read):
            yield f"tightrope_note_call({self.stubs.index(stub)});"
            yield from self._noted(stub).values()
        yield from self.shows.get(stub.path, ())

    def _shown(self, stub: Stub) -> set[int]:
        text = " ".join(self.shows.get(stub.path, ()))
        return {int(position) for position in re.findall(r"\bargument_(\d+)", text)}

    def _noted(self, stub: Stub) -> dict[int, str]:
        """Position of an argument -> the C statement."""
        if not self.is_driver or stub.keeps_arguments or stub.like or stub.never_returns:
            return {}
        found = {at: note_argument(self.ctypes, at, number) for at, number in _parameters_of(self.ctypes, stub)}
        return {at: text for at, text in found.items() if text}

    def _count(self, stub: Stub) -> Iterator[str]:
        if stub.register is not None and stub.register.is_stable:
            yield f"unsigned {CALL} = 0;"
        elif has_answers(self.ctypes, stub) or stub.writes:
            yield from self._turn(stub)
        elif kept_arguments(self.ctypes, stub):  # without a branch, as `_turn`
            yield f"unsigned {CALL} = {calls_name(stub)}++, tightrope_last = {stub.answers - 1};"
            yield f"{CALL} -= ({CALL} > tightrope_last) * ({CALL} - tightrope_last);"
        else:
            yield f"{calls_name(stub)}++;"

    def _turn(self, stub: Stub) -> Iterator[str]:
        """C that computes the number of the answer. In the driver, a call beyond the last answer reaches a bound, so
        the run proves nothing; and there is no branch, which would have a side that is never explored."""
        yield f"unsigned {CALL} = {calls_name(stub)}++;"
        if self.is_driver:
            yield f"tightrope_turn(&{CALL}, {stub.answers}, &{calls_name(stub)});"
        else:
            yield f"if ({CALL} > {stub.answers - 1}) {CALL} = {stub.answers - 1};"

    def _store(self, stub: Stub, position: int, values: str) -> Iterator[str]:
        """C that writes through a parameter unless it is NULL, or the call fails for want of an answer: after `select`
        has failed, programs look at what it was given. Without a branch in the driver: it writes to a dummy."""
        to, value, size = f"tightrope_to_{position}", f"{values}[{CALL}]", f"sizeof {values}[0]"
        if self.is_driver:
            yield f"static unsigned char tightrope_nowhere_{position}[{size}];"
            yield f"unsigned long {to} = (unsigned long)argument_{position};"
            yield f"{to} += !{to} * (unsigned long)tightrope_nowhere_{position};"
            if fails_at_last(self.ctypes, stub):
                late = f"({calls_name(stub)} > {stub.answers})"
                yield f"{to} += {late} * ((unsigned long)tightrope_nowhere_{position} - {to});"
            yield f"__builtin_memcpy((void *){to}, &{value}, {size});"
        else:
            yield f"void *{to} = (void *)argument_{position};"
            in_time = f" && {calls_name(stub)} <= {stub.answers}" * fails_at_last(self.ctypes, stub)
            yield f"if ({to} != NULL{in_time})"
            yield f"    __builtin_memcpy({to}, &{value},"
            yield f"                     {size});"

    def _write(self, stub: Stub, one: Written) -> Iterator[str]:
        """C that writes what nobody asked for: where there is room and, where that is an input, if the input says so.
        In the driver there is no other branch, because one of its sides might never be explored; the number of
        elements is pinned."""
        to, values, size = f"tightrope_to_{one.key}", writes_name(stub, one), f"tightrope_size_{one.key}"
        conditions = [] if self.is_driver else [f"{to} != NULL"]
        conditions += [f"{choices_name(stub, one)}[{CALL}]"] * one.may_leave
        if not self.is_driver and self._may_lack_room(stub, one):
            number = f"({calls_name(stub)} < 64 ? {calls_name(stub)} - 1 : 63)"
            conditions.append(f"!({left_out_name(stub, one)} >> {number} & 1)")
        kind, start = f"__typeof__({values}[0])" if one.parts else "void", one.to or f"argument_{one.position}"
        yield f"{kind} *{to} = (void *){start};"
        yield from self._count_bytes(one, values, size)
        if one.tells:
            yield f"{one.tells} = {size} * {choices_name(stub, one)}[{CALL}];"
        yield f"if ({' && '.join(conditions)}) {{" if conditions else "{"
        if self.is_driver:
            yield f"    {self._find_room(stub, one, to, size)}"
        yield from (f"    {line}" for line in self._copy(stub, one, to, size))
        yield "}"

    def _find_room(self, stub: Stub, one: Written, to: str, size: str) -> str:
        """In the driver: if the address is NULL or has no room, it becomes that of a dummy."""
        nowhere, wanted = f"tightrope_nowhere_{one.key}", f"sizeof {writes_name(stub, one)}[0]"
        mark = f"&{left_out_name(stub, one)}" if self._may_lack_room(stub, one) else "0"
        dummy = f"static _Alignas(16) unsigned char {nowhere}[{wanted}];"
        count = "" if one.has_length else f"unsigned long {size} = {wanted}; "
        call = f"tightrope_fit(&{to}, &{size}, {nowhere}, {mark}, {calls_name(stub)} - 1);"
        return f"{dummy} {count}{call}"

    def _copy(self, stub: Stub, one: Written, to: str, size: str) -> Iterator[str]:
        values = writes_name(stub, one)
        if not one.parts:
            yield f"__builtin_memcpy({to}, &{values}[{CALL}],"
            yield f"                 {size if one.has_length else f'sizeof {values}[0]'});"
        yield from (f"{_reach(to, part)} = {values}[{CALL}]{part};" for part in one.parts)

    def _count_bytes(self, one: Written, values: str, name: str) -> Iterator[str]:
        """The bytes that are written, where an argument says how many elements there are."""
        if not one.has_length:
            return
        given = one.given or f"argument_{one.length}"
        most = f"sizeof {values}[0]" if one.is_length_in_bytes else str(one.count)
        element = f"{values}[0]" if one.count == 1 else f"{values}[0][0]"
        times = "" if one.is_length_in_bytes or one.type == BYTE else f" * sizeof {element}"
        if self.is_driver:
            yield f"unsigned long {name} = ({given} > 0) * (unsigned long){given};"
            yield f"{name} = ({name} - ({name} > {most}) * ({name} - {most})){times};"
        else:
            yield f"unsigned long {name} = {given} > 0 ? (unsigned long){given} : 0;"
            yield f"{name} = ({name} < {most} ? {name} : {most}){times};"

    def _may_lack_room(self, stub: Stub, one: Written) -> bool:
        is_needed = self.left_out is None or left_out_name(stub, one) in self.left_out
        return one.is_default and not one.has_room and is_needed

    def _answer(self, stub: Stub) -> Iterator[str]:
        answer = f"{answers_name(stub)}[{CALL}]"
        if fails_at_last(self.ctypes, stub):
            yield from self._fail_at_last(stub, answer)
            answer = "tightrope_answer"
        if stub.outside.mask is not None:
            answer += f" & 0x{stub.outside.mask:x}"
        if stub.outside.stores and function_type(self.ctypes, stub).parameters:
            yield from self._store(stub, 1, answers_name(stub))
        if stub.outside.is_of_files and stub.sets_errno and _opens(self.ctypes, stub):
            yield from self._lack_file(answer)
        kind = promised_result(self.ctypes, stub)
        if kind is not None:
            if stub.sets_errno:
                yield from self._set_errno(answer, 8 * kind.size - 1)
            words = _RESULTS[stub.outside.result][not self.is_driver]
            answer = words.format(answer, 8 * kind.size - 1)
            if stub.outside.most:
                yield from self._limit(answer, kind, f"argument_{stub.outside.most}")
                answer = "tightrope_result"
        yield f"return {answer};"

    def _fail_at_last(self, stub: Stub, answer: str) -> Iterator[str]:
        """The answer as a variable: a failure after the last one. Without a branch in the driver."""
        own, is_late = f"__typeof__({answers_name(stub)}[0])", f"{calls_name(stub)} > {stub.answers}"
        if self.is_driver:
            yield f"{own} tightrope_late = -({own})({is_late});"
            yield f"{own} tightrope_answer = ({answer} & ~tightrope_late) | (tightrope_late & {_LATE_ANSWER});"
        else:
            yield f"{own} tightrope_answer = {is_late} ? {_LATE_ANSWER} : {answer}; /* EIO */"

    def _set_errno(self, answer: str, sign: int) -> Iterator[str]:
        """As the kernel gives it: an answer of -5 is a failure with the error 5. Without a branch in the driver."""
        yield f"int tightrope_error = (int)((0u - (unsigned){answer}) & 4095u);"
        yield "tightrope_error += !tightrope_error; /* never 0 */"
        if self.is_driver:
            yield f"int tightrope_failed = (int)({answer} >> {sign});"
            yield "errno = (errno & ~tightrope_failed) | (tightrope_error & tightrope_failed);"
        else:
            yield f"if ({answer} < 0)"
            yield "    errno = tightrope_error;"

    def _lack_file(self, answer: str) -> Iterator[str]:
        """No stream: there is no such file. The driver tells the search that it may lack another thing."""
        if self.is_driver:
            yield f"errno -= ({answer} == 0) * (errno - {errno.ENOENT});"
            yield "tightrope_beyond();"
        else:
            yield f"if ({answer} == NULL)"
            yield f"    errno = {errno.ENOENT}; /* ENOENT */"

    def _limit(self, answer: str, kind: CScalar, most: str) -> Iterator[str]:
        """The result as a variable, not larger than an argument. Without a branch in the driver."""
        own = "long" if kind.size == 8 else "int"
        largest = (1 << (8 * kind.size - 1)) - 1
        yield f"{own} tightrope_result = {answer};"
        yield f"{own} tightrope_most = ({own})({most} & 0x{largest:x});"
        if self.is_driver:
            yield "tightrope_result -= (tightrope_result > tightrope_most) * (tightrope_result - tightrope_most);"
        else:
            yield "if (tightrope_result > tightrope_most) tightrope_result = tightrope_most;"

    # -- before each test

    def _reset(self) -> Iterator[str]:
        yield f"static void {RESET}(void)"
        yield "{"
        for stub in self.stubs:
            for line in self._data(stub):
                yield from (f"    {text}" for text in _forget(line))
        yield from (f"    {heap_stubs.current(name)} = {name};" for name in self.linked)
        text = " ".join(line for lines in self.shows.values() for line in lines)
        yield from ["    tightrope_logged = 0;", "    tightrope_log[0] = 0;"] * bool(text)
        yield from ["    tightrope_objects_count = 0;"] * ("tightrope_show_pointer(" in text)
        yield from [f"    {HIDES_CALLS} = 0;"] * (HIDES_CALLS in text)
        yield "}"


def _forget(declaration: str) -> Iterator[str]:
    found = re.search(r"tightrope_(?:answers|fails|writes|chosen|left_out|calls|arguments)_\w+", declaration)
    assert found is not None
    name = found.group()
    is_number = name.startswith(("tightrope_calls", "tightrope_left_out"))
    yield f"{name} = 0;" if is_number else f"__builtin_memset({name}, 0, sizeof {name});"


def define_missing(ctypes: CTypes, interface: Interface, stubs: Iterable[Stub], attribute: str = "") -> Iterator[str]:
    """Bodies for functions of other files that have no stub: they do nothing and return zero."""
    known = {*(stub.name for stub in stubs), *(one.name for one in interface.verifier_functions)}
    for one in interface.missing_functions:
        kind = ctypes.strip(one.type)
        if one.name not in known and isinstance(kind, CFunctionType) and is_spellable(ctypes, one.type):
            yield attribute + declare(ctypes, kind.result, f"({one.name})({parameter_list(ctypes, kind)})")
            yield _nothing(ctypes, kind, one.never_returns)


def _nothing(ctypes: CTypes, kind: CFunctionType, never_returns: bool) -> str:
    """A body. A function that must not return would have a stub if it could be called."""
    if never_returns:
        return "{ for (;;) { } }"
    if isinstance(ctypes.strip(kind.result), CVoid):
        return "{ }"
    return f"{{ static {declare(ctypes, kind.result, 'tightrope_answer')}; return tightrope_answer; }}"


def _parameter(ctypes: CTypes, stub: Stub, position: int) -> TypeId:
    return function_type(ctypes, stub).parameters[position - 1]


def _is_filled(stub: Stub, is_union: bool) -> bool:
    """Whether an address of any type may be written: by `recvfrom`, not by `bind`."""
    return is_union and stub.outside.has_outputs


def _opens(ctypes: CTypes, stub: Stub) -> bool:
    """Whether it returns a stream, which has the content of standard input."""
    return is_stream(ctypes, result_type(ctypes, stub))


def _reach(pointer: str, part: str) -> str:
    return f"{pointer}->{part[1:]}" if part.startswith(".") else f"(*{pointer}){part}"


def _parameters_of(ctypes: CTypes, stub: Stub) -> Iterator[tuple[int, TypeId]]:
    return enumerate(function_type(ctypes, stub).parameters, 1)


def _written_positions(stub: Stub) -> set[int]:
    return {one.position for one in stub.writes} | ({1} if stub.outside.stores else set())


# -- what linked files use and no file defines: the unit may not declare it, so it gets a name of ours, and an
#    assembler name for the linker. Functions do nothing and return zero.


def define_loose_data(interface: Interface, attribute: str = "") -> Iterator[str]:
    for number, one in enumerate(interface.loose, 1):
        if one.size:
            name = f"tightrope_loose_{number}"
            yield f'extern char {name}[{one.size}] __asm__("{one.name}");'
            yield f"{attribute}__attribute__((aligned(16))) char {name}[{one.size}];"


def define_loose_functions(interface: Interface, attribute: str = "") -> Iterator[str]:
    """Not needed in the driver: woven calls of functions without a body return zero."""
    for number, one in enumerate(interface.loose, 1):
        if one.answer:
            name = f"tightrope_loose_{number}"
            yield f'{one.answer} {name}(void) __asm__("{one.name}");'
            body = "{ }" if one.answer == "void" else "{ return 0; }"
            yield f"{attribute}{one.answer} {name}(void) {body}"
