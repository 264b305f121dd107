"""What a test must provide for a function: its parameters, the globals that it and its callees touch,
and the functions that have no body. Only names and types; what values they may take is `inputs/shape.py`.

The compiled unit does not contain two facts: the type of an `extern` global that the unit does not define (compilers
leave it out of the debug information), and the value of a constant expression in `int a[SIZE]`. If one is needed,
`Interface.needs_inquiry` is true: compile the text of `write_inquiry` and call `complete_interface`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tightrope.errors import UnsupportedError
from tightrope.library.libc_models import READERS
from tightrope.library.symbols import is_exported
from tightrope.library.table import LARGE_TWINS
from tightrope.library.verifier_functions import is_verifier_function
from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    VOID_ID,
    CFunction,
    CFunctionType,
    CGlobal,
    CParameter,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CTypes,
    TypeId,
)
from tightrope.program.declarations.declare import is_qualified, is_spellable, is_variable_arguments
from tightrope.program.declarations.declared_counts import declared_count_text, literal_count
from tightrope.program.declarations.opened_files import OF_FILES, only_reads_files
from tightrope.program.declarations.sequence import SequenceCall
from tightrope.program.declarations.stubs import OPENERS, READ_ELSEWHERE, Stub, StubOptions
from tightrope.program.declarations.variadic_arguments import find_type, variadic_types
from tightrope.program.ir.assembly import AssemblyInstruction
from tightrope.program.ir.model import Function, Global, Program
from tightrope.program.ir.types import ArrayType, NamedType

ReadSource = Callable[[str], str | None]  # a file as debug information names it -> its text

UNIT_MAIN = "tightrope_unit_main"  # what `main` of the unit is called where a driver includes it
COUNT_PREFIX = "tightrope_count_"
FUNCTION_PREFIX = "tightrope_function_"
NO_STUBS = StubOptions()

ERRNO_LOCATION = "@__errno_location"  # what `errno` is a macro for
_SYMBOL = re.compile(r'@(?:[-\w$.]+|"[^"]*")')
_ANNOTATIONS = re.compile(r"@llvm\.|@tightrope_")
_LIBRARY_GLOBALS = frozenset(
    {"stdin", "stdout", "stderr", "environ", "optarg", "optind", "opterr", "optopt", "timezone", "tzname", "signgam"}
)


@dataclass(frozen=True, slots=True)
class InterfaceParameter:
    name: str  # unique, also where the definition leaves it out
    type: TypeId
    count: int | None = None  # elements that the definition declares
    count_text: str = ""  # the C text that says so
    is_named: bool = True
    devices: tuple[int, ...] = ()  # constant addresses that the code compares it with
    variadic_type: str = ""  # it is passed for `...`: its type as the function writes it


@dataclass(frozen=True, slots=True)
class InterfaceGlobal:
    name: str  # in C
    ir_name: str
    type: TypeId
    is_defined: bool = True  # False: the file that includes the unit must define it
    is_constant: bool = False  # only globals that the unit does not define
    holds_addresses: bool = False  # its initialiser points at something, so its pointers are kept
    storage: str = ""  # a writable variable with its symbol, if it is const in the unit


@dataclass(frozen=True, slots=True)
class MissingFunction:
    """A function that neither the unit nor the C library defines: a test must define it in order to link."""

    name: str
    type: TypeId = VOID_ID  # a CFunctionType; unknown before the inquiry
    never_returns: bool = False  # the code after a call of it is unreachable
    label: str = ""  # its symbol, if that is not its name


@dataclass(frozen=True, slots=True)
class LooseSymbol:
    """A symbol that files linked with the unit use and do not define; the unit has no declaration of it."""

    name: str
    is_reached: bool  # a call of the function may reach it
    answer: str = ""  # of a function: the C type that it returns
    size: int = 0  # of data: bytes


@dataclass(frozen=True, slots=True)
class Interface:
    """`call_name` is the name by which code that includes the unit calls the function."""

    function: CFunction
    call_name: str
    parameters: tuple[InterfaceParameter, ...]
    result: TypeId
    globals: tuple[InterfaceGlobal, ...] = ()
    undefined_globals: tuple[str, ...] = ()  # of the whole unit: C names that it does not define
    open_arrays: tuple[str, ...] = ()  # those of them that are declared without a length
    undefined_functions: tuple[str, ...] = ()  # called by the function, or address taken, but no body
    missing_functions: tuple[MissingFunction, ...] = ()  # of the whole unit
    replaced_functions: tuple[MissingFunction, ...] = ()  # called by the function; the library has them, but ...
    stubs: tuple[Stub, ...] = ()  # for functions that a call may reach
    stub_options: StubOptions = NO_STUBS
    keeps_arguments: bool = False  # every stub does
    hidden_state: tuple[str, ...] = ()  # what is no input: static locals, thread-locals, atomic structs, errno
    pending_counts: tuple[str, ...] = ()  # expressions that only the compiler can evaluate
    needed_types: tuple[str, ...] = ()  # undefined globals that the function touches, of types yet unknown
    loose: tuple[LooseSymbol, ...] = ()
    reads_stdin: bool = False
    frees: bool = False  # it calls the library's `free`
    linked_frees: bool = False  # a linked file does
    linked_allocators: tuple[str, ...] = ()  # functions like `malloc` that linked files call, and that may fail
    reads_arguments: bool = False  # it is `main`, and does something with argc or argv
    definitions: tuple[str, ...] = ()  # `__irq=`: words of other compilers, which the unit needs to be defined away
    inline_functions: tuple[str, ...] = ()  # of the whole unit: C99's `inline` alone, for which there is no code yet
    assembly: tuple[AssemblyInstruction, ...] = ()  # of another processor, in the whole unit
    sequence: str = ""  # as the user writes it
    calls: tuple[SequenceCall, ...] = ()  # of a sequence: those that it may make, in their order

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def reached_missing(self) -> tuple[MissingFunction, ...]:
        """Missing functions that a call may reach, without those of the verifier (`__VERIFIER_...`)."""
        ours = self.verifier_functions
        return tuple(f for f in self.missing_functions if f.name in self.undefined_functions and f not in ours)

    @property
    def inherited_state(self) -> tuple[str, ...]:
        """Hidden state that earlier calls may have changed."""
        return () if self.comes_first else self.hidden_state

    @property
    def comes_first(self) -> bool:
        """Whether nothing of the program runs before it: `main`, or a sequence."""
        return self.name == "main" or bool(self.calls)

    @property
    def verifier_functions(self) -> tuple[MissingFunction, ...]:
        """Missing functions that have a meaning for verifiers: `__VERIFIER_nondet_int` ..."""
        return tuple(one for one in self.missing_functions if is_verifier_function(one.name))

    @property
    def reached_loose(self) -> tuple[LooseSymbol, ...]:
        return tuple(one for one in self.loose if one.is_reached)

    @property
    def needs_inquiry(self) -> bool:
        return bool(self.pending_counts or self.needed_types or self.asked_functions)

    @property
    def asked_functions(self) -> tuple[MissingFunction, ...]:
        """Functions whose types only the compiler can tell."""
        return (*self.missing_functions, *self.replaced_functions)


def find_interface(
    program: Program,
    ctypes: CTypes,
    name: str,
    read_source: ReadSource,
    is_in_library: Callable[[str], bool] = lambda name: True,
    stubs: StubOptions = NO_STUBS,
    beside: Collection[str] = (),
    calls: Sequence[SequenceCall] = (),
) -> Interface:
    """The interface of the function with this C name. Rejects functions that no test can call. `beside`: further
    globals that belong to it although this code does not touch them; `calls`: those of a sequence, which it makes."""
    function = ctypes.functions[name]
    refuse_uncallable(ctypes, function)
    reached = _reach(program, f"@{name}", beside)
    parameters = _parameters(ctypes, function, read_source)
    parameters = tuple(_with_declared_counts(parameters, ctypes, calls, read_source)) if calls else parameters
    undefined_globals = _reached_first(_undefined_globals(program, is_in_library), reached)
    undefined = _reached_first(_undefined_functions(program), reached)
    ends = functions_without_return(program)
    labels = {LARGE_TWINS[one]: one for one in undefined if _is_large_twin(program, one, read_source)}
    names = {label: name for name, label in labels.items()}
    called = tuple(names.get(one, one) for one in undefined if f"@{one}" in reached)
    replaced = [one for one in called if is_in_library(one) and stubs.replaces(one)]
    opens_nothing = name == "main" and not OPENERS.intersection(called)  # what it reads may be number 0
    if opens_nothing or reads_descriptor_0(program):
        replaced = [one for one in replaced if one not in READ_ELSEWHERE or one in stubs.wanted]
    if OF_FILES & stubs.unwanted or not only_reads_files(program, name, reached):
        replaced = [one for one in replaced if one not in OF_FILES or one in stubs.wanted]
    interface = Interface(
        function=function,
        call_name=UNIT_MAIN if name == "main" else name,
        parameters=parameters,
        result=function.result,
        globals=tuple(unit_globals(program, ctypes, reached)),
        undefined_globals=undefined_globals,
        open_arrays=tuple(name for name in undefined_globals if _is_open(program, name)),
        undefined_functions=called,
        missing_functions=tuple(
            MissingFunction(one, never_returns=one in ends) for one in undefined if not is_in_library(one)
        ),
        replaced_functions=tuple(
            MissingFunction(one, never_returns=one in ends, label=labels.get(one, "")) for one in replaced
        ),
        hidden_state=tuple(find_hidden_state(program, ctypes, reached)),
        needed_types=tuple(name for name in undefined_globals if f"@{name}" in reached),
        reads_stdin="@stdin" in reached or not READERS.isdisjoint(set(called) - set(replaced)),
        reads_arguments=name == "main" and _reads_parameters(program.functions["@main"]),
    )
    pending = [one.count_text for one in parameters if one.count_text and one.count is None]
    return replace(interface, pending_counts=tuple(pending))


def _reached_first(names: Iterable[str], reached: Collection[str]) -> tuple[str, ...]:
    """In their order; then those of the rest of the file, so that this rest does not decide their order."""
    every = [*names]
    return (*(one for one in every if f"@{one}" in reached), *sorted(one for one in every if f"@{one}" not in reached))


def reads_descriptor_0(program: Program) -> bool:
    """Whether some call reads a file by its number 0."""
    reading = (
        each
        for function in program.functions.values()
        for each in function.instructions()
        if each.opcode == "call" and each.callee[1:] in READ_ELSEWHERE
    )
    return any(each.arguments and each.arguments[0].value.text == "0" for each in reading)


def complete_interface(asked: Interface, program: Program, ctypes: CTypes, beside: Collection[str] = ()) -> Interface:
    """The same interface with the inquiry's answers: `program` and `ctypes` are those of the inquiry."""
    function = ctypes.functions.get(asked.name) or ctypes.functions[asked.call_name]
    answers = iter([_count(program, number) for number in range(len(asked.pending_counts))])
    further = [find_type(ctypes, one.variadic_type) for one in asked.parameters if one.variadic_type]
    types = [*(one.type for one in function.parameters), *(VOID_ID if one is None else one for one in further)]
    parameters = [
        replace(old, type=new, count=next(answers) if old.count_text and old.count is None else old.count)
        for old, new in zip(asked.parameters, types, strict=True)
    ]
    reached = _reach(program, f"@{function.name}", beside)
    functions = tuple(
        replace(one, type=_function_type(ctypes, number)) for number, one in enumerate(asked.asked_functions)
    )
    return replace(
        asked,
        function=replace(function, name=asked.name),
        parameters=tuple(parameters),
        result=function.result,
        globals=tuple(
            replace(one, is_defined=one.name not in asked.undefined_globals)
            for one in unit_globals(program, ctypes, reached, frozenset(asked.undefined_globals))
        ),
        missing_functions=functions[: len(asked.missing_functions)],
        replaced_functions=functions[len(asked.missing_functions) :],
        pending_counts=(),
        needed_types=(),
    )


def _count(program: Program, number: int) -> int | None:
    """The answer is 0 where the expression is no constant."""
    text = program.globals[f"@{COUNT_PREFIX}{number}"].initializer
    match = re.search(r"(\d+)\s*$", text)
    return int(match.group(1)) or None if match else None


def _function_type(ctypes: CTypes, number: int) -> TypeId:
    """VOID_ID where the inquiry could not ask: the function is declared inside of another one."""
    known = ctypes.globals.get(f"@{FUNCTION_PREFIX}{number}")
    pointer = ctypes.strip(known.type) if known else None
    return pointer.target if isinstance(pointer, CPointer) else VOID_ID


def functions_without_return(program: Program) -> frozenset[str]:
    """Functions that do not return: the compiler knows it from the declaration, and omits the code after a call."""
    return frozenset(
        first.callee[1:]
        for function in program.functions.values()
        for block in function.blocks
        for first, then in pairwise(block.instructions[-2:])
        if first.opcode == "call" and then.opcode == "unreachable"
    )


def refuse_uncallable(ctypes: CTypes, function: CFunction) -> None:
    """Raise UnsupportedError for a function that no test can call."""

    def refusal(what: str, hint: str, slug: str) -> UnsupportedError:
        return UnsupportedError(f"{function.name}: {what}", location=function.location, hint=hint, slug=slug)

    for parameter in function.parameters:
        reason = _why_refused(ctypes, parameter)
        if reason:
            raise refusal(reason, "test its callees, or wrap it in a function without that parameter", "parameter-type")
    if _is_complex(ctypes, function.result):
        raise refusal("a _Complex result is not supported", "wrap it in a function that splits it", "parameter-type")


def _why_refused(ctypes: CTypes, parameter: CParameter) -> str:
    kind = ctypes.strip(parameter.type)
    word = f"parameter `{parameter.name}`" if parameter.name else "a parameter without a name"
    if _is_complex(ctypes, parameter.type):
        return f"{word} is _Complex, which is not supported"
    if isinstance(kind, CPointer) and _is_complex(ctypes, kind.target):
        return f"{word} points to _Complex, which is not supported"
    if isinstance(kind, CPointer) and is_variable_arguments(ctypes, kind.target):
        return f"{word} is a va_list, which only a caller with variable arguments can create"
    return "" if is_spellable(ctypes, parameter.type) else f"{word} has a type without a name, which no test can use"


def _is_complex(ctypes: CTypes, number: TypeId) -> bool:
    kind = ctypes.strip(number)
    return isinstance(kind, CScalar) and kind.kind == "complex"


def _reach(program: Program, start: str, beside: Collection[str] = ()) -> dict[str, None]:
    """Symbols mentioned by the function, by what it may call, and by initialisers of what these mention."""
    reached: dict[str, None] = {start: None}
    waiting = [start]
    while waiting:
        for symbol in mentions(program, waiting.pop()):
            if symbol not in reached:
                reached[symbol] = None
                waiting.append(symbol)
    return {**reached, **{f"@{name}": None for name in beside if f"@{name}" in program.globals}}


def mentions(program: Program, symbol: str) -> Iterator[str]:
    if symbol in program.globals:
        yield from _SYMBOL.findall(program.globals[symbol].initializer)
    if symbol in program.functions:
        for instruction in program.functions[symbol].instructions():
            yield from _SYMBOL.findall(instruction.text)


def _reads_parameters(function: Function) -> bool:
    names = {parameter.name for parameter in function.parameters}
    instructions = list(function.instructions())
    return any(names.intersection(re.findall(r"%[-\w.$]+", each.text)) for each in instructions)


def _parameters(ctypes: CTypes, function: CFunction, read_source: ReadSource) -> tuple[InterfaceParameter, ...]:
    names = [parameter.name for parameter in function.parameters if parameter.name]
    found = []
    for index, parameter in enumerate(function.parameters, 1):
        text = _count_text(ctypes, parameter, names, read_source)
        name = parameter.name or _free_name(f"unnamed_{index}", names)
        found.append(InterfaceParameter(name, parameter.type, literal_count(text), text, bool(parameter.name)))
    for index, (text, number) in enumerate(variadic_types(ctypes, function, read_source), 1):
        name = _free_name(f"variadic_{index}", names)
        found.append(InterfaceParameter(name, number, is_named=False, variadic_type=text))
    return tuple(found)


def _with_declared_counts(
    parameters: Sequence[InterfaceParameter], ctypes: CTypes, calls: Sequence[SequenceCall], read_source: ReadSource
) -> Iterator[InterfaceParameter]:
    """Arguments of calls have the numbers of elements that the called functions declare."""
    declared = {
        argument: one
        for call in calls
        for one, argument in zip(
            _parameters(ctypes, ctypes.functions[call.function], read_source), call.arguments.values(), strict=True
        )
    }
    for each in parameters:
        found = declared.get(each.name)
        yield replace(each, count=found.count, count_text=found.count_text) if found else each


def _free_name(wish: str, taken: list[str]) -> str:
    while wish in taken:
        wish += "_"
    return wish


def _count_text(ctypes: CTypes, parameter: CParameter, names: list[str], read_source: ReadSource) -> str:
    """Only a parameter whose type is a pointer, and no typedef of one, can have been declared as an array."""
    kind = ctypes.types[parameter.type]
    while isinstance(kind, CQualified):  # int a[const 5]
        kind = ctypes.types[kind.target]
    if not isinstance(kind, CPointer) or isinstance(ctypes.strip(kind.target), CFunctionType):
        return ""
    if not parameter.name or parameter.location is None:
        return ""
    source = read_source(parameter.location.file)
    return declared_count_text(source, parameter.location, parameter.name, names) if source is not None else ""


def unit_globals(
    program: Program, ctypes: CTypes, reached: dict[str, None], foreign: frozenset[str] = frozenset()
) -> Iterator[InterfaceGlobal]:
    """In the order of the program. `foreign`: C names that only the inquiry defines."""
    for ir_name, one in program.globals.items():
        described = ctypes.globals.get(ir_name)
        if ir_name not in reached or described is None or _is_hidden(ctypes, one, described):
            continue
        is_foreign = described.name in foreign or not one.is_defined
        if one.is_constant and not is_foreign:
            continue
        keeps, name = "@" in one.initializer, described.name
        if one.is_constant and is_spellable(ctypes, described.type):
            yield InterfaceGlobal(name, ir_name, described.type, False, False, keeps, f"tightrope_value_{name}")
        else:
            yield InterfaceGlobal(name, ir_name, described.type, not is_foreign, one.is_constant, keeps)


def _undefined_globals(program: Program, is_in_library: Callable[[str], bool]) -> Iterator[str]:
    """Of the whole unit, because all of it is linked into a test. Symbols of a linker script, such as `__bss_start`,
    look like those of the library."""
    for ir_name, one in program.globals.items():
        name = ir_name[1:]
        belongs = _belongs_to_library(one) or (name.startswith("_") and is_in_library(name) and is_exported(name))
        if not one.is_defined and not belongs and not _is_opaque(program, one):
            yield name


def _is_open(program: Program, name: str) -> bool:
    kind = program.globals[f"@{name}"].type
    return isinstance(kind, ArrayType) and kind.count == 0


def _is_opaque(program: Program, one: Global) -> bool:
    """Whether it is a struct that is only declared: only the file that defines it can create one."""
    return isinstance(one.type, NamedType) and one.type.name not in program.named_types


def _belongs_to_library(one: Global) -> bool:
    """Whether the C library defines it; a second definition would replace that one."""
    return one.name[1:] in _LIBRARY_GLOBALS or one.name.startswith('@"') or one.is_thread_local


def _undefined_functions(program: Program) -> Iterator[str]:
    for ir_name, function in program.functions.items():
        if not function.is_defined and not _ANNOTATIONS.match(ir_name):
            yield ir_name[1:]


def _is_large_twin(program: Program, symbol: str, read_source: ReadSource) -> bool:
    """Whether the C calls the function by its usual name: where it has the long one, that is another function."""
    if symbol not in LARGE_TWINS or f"@{LARGE_TWINS[symbol]}" in program.functions:
        return False
    calls = (
        each.location
        for function in program.functions.values()
        for each in function.instructions()
        if each.callee == f"@{symbol}" and each.location is not None
    )
    word = re.compile(rf"\b{symbol}\b")
    return not any(word.search(_line_at(place, read_source)) for place in calls)


def _line_at(place: Location, read_source: ReadSource) -> str:
    return "".join((read_source(place.file) or "").splitlines()[place.line - 1 : place.line])


def _is_hidden(ctypes: CTypes, one: Global, described: CGlobal) -> bool:
    """Whether no test can set it. C has no way to write one member of an atomic struct."""
    is_atomic = is_qualified(ctypes, described.type, frozenset({"_Atomic"}))
    return (
        bool(described.owner)
        or one.is_thread_local
        or (is_atomic and isinstance(ctypes.strip(described.type), CRecord))
    )


def find_hidden_state(program: Program, ctypes: CTypes, reached: dict[str, None]) -> Iterator[str]:
    if ERRNO_LOCATION in reached:
        yield "errno"
    for ir_name, one in program.globals.items():
        if ir_name not in reached or one.is_constant or not one.is_defined:
            continue
        described = ctypes.globals.get(ir_name)
        if described is None or _is_hidden(ctypes, one, described):
            yield f"{described.owner}::{described.name}" if described and described.owner else ir_name[1:]
