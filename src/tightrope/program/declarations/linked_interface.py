"""The interface of a function whose unit is linked with other files of its program.

What these files define is not missing any more, and their code may reach more than that of the unit. A symbol that they
use and no linked file defines has no declaration in the unit: it is *loose*, and only its type in the IR is known.

    unit.c           other.c          third.c (not linked)
    f() -> helper()  helper() -> log()  log()          loose: log
                     static int calls;                 hidden state: calls
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from tightrope.library.libc_models import READERS
from tightrope.program.declarations.c_types import VOID_ID, CTypes
from tightrope.program.declarations.interface import (
    Interface,
    InterfaceGlobal,
    LooseSymbol,
    MissingFunction,
    find_hidden_state,
    mentions,
    unit_globals,
)
from tightrope.program.declarations.stubs import Stub, may_redirect_free, redirect
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.linked_programs import Outline
from tightrope.program.ir.model import Function, Global, Program
from tightrope.program.ir.types import FloatType, IntType, PointerType, Type

ProgramSymbol = tuple[int, str]  # number of the program, symbol


def link_interface(
    interface: Interface,
    ctypes: CTypes,
    programs: Sequence[Program],
    outlines: Sequence[Outline],
    is_in_library: Callable[[str], bool],
) -> Interface:
    """`programs`: the unit's, then what is needed of the files it is linked with; `outlines`: all of these files."""
    reached = reach(programs, f"@{interface.name}")
    found = tuple(_globals(interface, ctypes, programs, reached))
    own_state = find_hidden_state(programs[0], ctypes, _of(reached, 0))
    names = {stub.label: stub.name for stub in interface.stubs if stub.label}
    undefined = tuple(names.get(one, one) for one in _undefined_functions(programs, reached))
    linked_frees = any(number and name == "@free" for number, name in reached) and may_redirect_free(
        undefined, interface.stub_options
    )
    allocators = tuple(_linked_allocators(interface, programs, reached))
    return replace(
        interface,
        frees=interface.frees or linked_frees,
        linked_frees=linked_frees,
        linked_allocators=allocators,
        globals=found,
        undefined_globals=tuple(name for name in interface.undefined_globals if not _definer(programs, f"@{name}")),
        open_arrays=tuple(name for name in interface.open_arrays if not _definer(programs, f"@{name}")),
        undefined_functions=undefined,
        missing_functions=tuple(_still_missing(interface.missing_functions, programs)),
        replaced_functions=tuple(_still_missing(interface.replaced_functions, programs)),
        stubs=(*_stubs(interface, ctypes, programs), *_allocators(interface, allocators)),
        hidden_state=tuple(dict.fromkeys((*own_state, *_linked_state(programs, reached, found)))),
        loose=(
            *(one for one in interface.loose if not any(f"@{one.name}" in each.defined for each in outlines)),
            *_loose(interface, programs[0], outlines, _names(reached), is_in_library),
        ),
        reads_stdin="@stdin" in _names(reached) or bool(READERS.intersection(undefined)),
    )


def _undefined_functions(programs: Sequence[Program], reached: dict[ProgramSymbol, None]) -> dict[str, None]:
    """All symbols, in the order in which a walk reaches them."""
    names = (name for number, name in reached if name in programs[number].functions)
    return {
        name[1:]: None
        for name in names
        if not name.startswith(("@llvm.", "@tightrope_")) and not _definer(programs, name)
    }


def _linked_allocators(
    interface: Interface, programs: Sequence[Program], reached: dict[ProgramSymbol, None]
) -> Iterator[str]:
    """Functions of the library that linked files call for memory: there may be none, as for the unit itself."""
    for name in dict.fromkeys(name for number, name in reached if number and name in programs[number].functions):
        if interface.stub_options.lets_fail(name[1:]) and not any(_defines(each, name) for each in programs):
            yield name[1:]


def _allocators(interface: Interface, names: Sequence[str]) -> Iterator[Stub]:
    known = {stub.name for stub in interface.stubs}
    return (interface.stub_options.for_allocator(name) for name in names if name not in known)


def _stubs(interface: Interface, ctypes: CTypes, programs: Sequence[Program]) -> Iterator[Stub]:
    """A function of a linked file is called, unless the user asked for a stub."""
    for one in interface.stubs:
        kept = redirect(one, ctypes) if _definer(programs, f"@{one.name}") else one
        if kept is not None:
            yield kept


def _still_missing(functions: Sequence[MissingFunction], programs: Sequence[Program]) -> Iterator[MissingFunction]:
    return (one for one in functions if not _definer(programs, f"@{one.name}"))


def reach(programs: Sequence[Program], start: str) -> dict[ProgramSymbol, None]:
    """All symbols that the function uses, directly or not. A name means the file's own symbol, else another file's."""
    reached: dict[ProgramSymbol, None] = {(0, start): None}
    waiting = [(0, start)]
    while waiting:
        number, symbol = waiting.pop()
        for name in mentions(programs[number], symbol):
            for node in _meanings(programs, number, name):
                if node not in reached:
                    reached[node] = None
                    waiting.append(node)
    return reached


def _meanings(programs: Sequence[Program], number: int, name: str) -> Iterator[ProgramSymbol]:
    """The file's own symbol. If it is visible to other files (it may be weak) or missing, also that of another file."""
    is_own = _defines(programs[number], name)
    is_visible = not is_own or _defines(programs[number], name, for_others=True)
    others = [n for n, program in enumerate(programs) if is_visible and _defines(program, name, for_others=True)]
    yield from ((n, name) for n in dict.fromkeys([*([number] if is_own else []), *others]) or [number])


def _definer(programs: Sequence[Program], name: str) -> tuple[int] | None:
    """The program that defines the name for all of them; in a tuple, so that the first counts as found."""
    return next(((n,) for n, program in enumerate(programs) if _defines(program, name, for_others=True)), None)


def _defines(program: Program, name: str, *, for_others: bool = False) -> bool:
    one: Function | Global | None = program.functions.get(name) or program.globals.get(name)
    return one is not None and one.is_defined and not (for_others and one.is_internal)


def _of(reached: dict[ProgramSymbol, None], number: int) -> dict[str, None]:
    return {name: None for program, name in reached if program == number}


def _globals(
    interface: Interface, ctypes: CTypes, programs: Sequence[Program], reached: dict[ProgramSymbol, None]
) -> Iterator[InterfaceGlobal]:
    """Those that the unit can name. Of an array declared without a length, only its own file knows where it ends."""
    undefined = frozenset(interface.undefined_globals)
    in_unit = _of(reached, 0)
    in_unit.update((name, None) for _, name in reached if name in programs[0].globals)
    for one in unit_globals(programs[0], ctypes, in_unit, undefined):
        home = _definer(programs, one.ir_name)
        if one.is_defined or home is None:
            yield one
        elif one.name not in interface.open_arrays:
            real = programs[home[0]].globals[one.ir_name]
            if not real.is_constant:
                keeps = "@" in real.initializer
                yield replace(one, is_defined=True, is_constant=False, holds_addresses=keeps, storage="")


def _linked_state(
    programs: Sequence[Program], reached: dict[ProgramSymbol, None], inputs: Sequence[InterfaceGlobal]
) -> Iterator[str]:
    """Variables of the other files that the unit cannot name, or cannot set."""
    names = {one.ir_name for one in inputs}
    for number, name in reached:
        one = programs[number].globals.get(name) if number else None
        if one is not None and one.is_defined and not one.is_constant and (one.is_internal or name not in names):
            yield name[1:]


def _loose(
    interface: Interface,
    unit: Program,
    outlines: Sequence[Outline],
    reached: frozenset[str],
    is_in_library: Callable[[str], bool],
) -> Iterator[LooseSymbol]:
    """What the linked files, all of them and as a whole, need and no file defines."""
    known = {*interface.undefined_globals, *(one.name for one in interface.missing_functions)}
    known.update(one.name for one in interface.loose)
    for program in (outline.declared for outline in outlines):
        for name in (*program.functions, *program.globals):
            is_had = any(name in outline.defined for outline in outlines) or _defines(unit, name, for_others=True)
            is_ours = name[1:] in known or name.startswith(("@llvm.", "@tightrope_", '@"'))
            if not (is_had or is_ours or _defines(program, name) or is_in_library(name[1:])):
                known.add(name[1:])
                yield _loose_symbol(program, name, is_reached=name in reached)


def _names(reached: dict[ProgramSymbol, None]) -> frozenset[str]:
    return frozenset(name for _, name in reached)


def add_hidden_functions(interface: Interface, program: Program) -> Interface:
    """Functions that the unit declares inside other functions: the driver cannot name them, so they are loose too."""
    hidden = [one.name for one in interface.missing_functions if one.type == VOID_ID]
    reached = interface.undefined_functions
    found = [_loose_symbol(program, f"@{name}", is_reached=name in reached) for name in hidden]
    return replace(interface, loose=(*interface.loose, *found))


def without_hidden_data(interface: Interface, program: Program, unknown: Collection[str]) -> Interface:
    """The same for variables (`extern int x;` in a body) whose names are unknown; the interface itself if none is."""
    hidden = [name for name in interface.undefined_globals if name in unknown]
    if not hidden:
        return interface
    known = _names(reach([program], f"@{interface.name}"))
    found = [_loose_symbol(program, f"@{name}", is_reached=f"@{name}" in known) for name in hidden]
    return replace(
        interface,
        undefined_globals=tuple(name for name in interface.undefined_globals if name not in hidden),
        open_arrays=tuple(name for name in interface.open_arrays if name not in hidden),
        loose=(*interface.loose, *found),
    )


def _loose_symbol(program: Program, name: str, is_reached: bool) -> LooseSymbol:
    if name in program.functions:
        return LooseSymbol(name[1:], is_reached, answer=_answer(program.functions[name].type.result))
    return LooseSymbol(name[1:], is_reached, size=_size(program, program.globals[name].type))


def _size(program: Program, kind: Type) -> int:
    """The size; a minimum for an array without a length and for a struct that is only declared."""
    try:
        return max(64, Layout(program).size_of(kind))
    except ValueError:
        return 64


def _answer(kind: Type) -> str:
    """A C type that is returned in the same way. A struct that is returned in memory stays as it is."""
    if isinstance(kind, FloatType):
        return {"float": "float", "x86_fp80": "long double"}.get(kind.name, "double")
    if isinstance(kind, PointerType):
        return "void *"
    return "long long" if isinstance(kind, IntType) else "void"
