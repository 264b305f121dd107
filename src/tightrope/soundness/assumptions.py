"""What is taken for granted about the rest of the program: its other files, the library, the locale, other threads.

Tests cannot vary it, so a proof holds only as long as it is true. Reports list it, and rows of the table of doubts say
where a proof would rest on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tightrope.inputs.input_paths import any_number
from tightrope.inputs.sequence_inputs import later_parameters
from tightrope.inputs.shape import BYTE, objects_of
from tightrope.library.libc_models import ALLOCATORS
from tightrope.library.symbols import is_in_library
from tightrope.library.table import FUNCTIONS, GRANTED, Fact
from tightrope.program.declarations.declare import has_padding
from tightrope.program.declarations.interface import Interface, mentions
from tightrope.program.flow.call_graph import find_address_taken, reachable_functions
from tightrope.program.ir.linked_programs import replaceable_symbols, weak_references
from tightrope.program.ir.model import Function, Program
from tightrope.program.ir.types import PointerType
from tightrope.units.build import whose_answers_are_used
from tightrope.units.prepared import PreparedUnit

IGNORED_ASSEMBLY = "inline assembly does nothing; it is that of another processor, and is ignored"
OTHER_LAYOUT = "structs have the layout of this machine, without `__packed`, which is ignored"
UNSEEN_WRITES = "writes no memory that the function reads (by %n, through a buffer of a stream, or to signgam)"
DEVICES = "devices change no variables of the program, and no memory whose address they were given"
PRESENT = "some file of the program defines it; it is a weak reference, whose address would be NULL otherwise"
PADDING = "its padding is 0, as tests pass it; another caller may leave anything there"
REPLACEABLE = "as this file defines it; it is weak, so another file may replace it (see --link)"


def list_assumptions(unit: PreparedUnit) -> Iterator[str]:
    """Sentences for the report: `printf(): does not fail`."""
    yield from [IGNORED_ASSEMBLY] * ignores_assembly(unit)
    yield from [OTHER_LAYOUT] * has_other_layout(unit)
    yield from (f"{name}(): {UNSEEN_WRITES}" for name in unseen_writers(unit))
    yield from [DEVICES] * any(stub.register is not None for stub in unit.shape.stubs)
    yield from sequence_assumptions(unit.interface)
    yield from (f"{name}(): {REPLACEABLE}" for name in replaceable_functions(unit))
    yield from (f"{name}: {REPLACEABLE}" for name in replaceable_constants(unit))
    yield from (f"{name}: {PRESENT}" for name in absent_symbols(unit))
    yield from (f"{any_number(path)}: not NULL, as declared" for path in _never_null(unit))
    yield from (f"{any_number(path)}: {words}" for path, words in _least_sizes(unit))
    given = [one for one in unit.interface.parameters if one.name not in later_parameters(unit.shape)]
    yield from (f"{one.name}: {PADDING}" for one in given if has_padding(unit.ctypes, one.type))
    yield from (f"{name}(): {GRANTED[Fact.SUCCEEDS]}" for name in never_failing(unit))
    called = _called(unit)
    used = whose_answers_are_used(unit.program, called)  # whether output fails matters only to those who read that
    for name in called:
        granted = sorted(FUNCTIONS[name].facts & GRANTED.keys())
        shown = FUNCTIONS[name].spelled or f"{name}()"
        yield from (f"{shown}: {GRANTED[fact]}" for fact in granted if fact is not Fact.SUCCEEDS or name in used)


def _never_null(unit: PreparedUnit) -> Iterator[str]:
    """Pointers that are declared so (`values[static 3]`): a caller who passes NULL breaks a rule of C."""
    if unit.interface.name != "main":
        yield from (node.path for node in objects_of(unit.shape) if node.slot is None and node.is_never_null)


def _least_sizes(unit: PreparedUnit) -> Iterator[tuple[str, str]]:
    """What a caller must pass, because constants of the code say how far it goes: with less, it leaves the object."""
    for node in objects_of(unit.shape):
        if node.is_needed:
            unit_word = "bytes" if node.target == BYTE else "elements"
            yield node.path, f"at least {node.count - node.is_string} {unit_word}, which the code uses"


def sequence_assumptions(interface: Interface) -> Iterator[str]:
    if interface.sequence:
        words = "variables start with their initial values, and nothing else sets them"
        yield f"calls are `{interface.sequence}`: {words}"


def handed_out_functions(unit: PreparedUnit) -> list[str]:
    """Functions that change variables and that other code may call between the calls of a sequence, because it gets
    their address."""
    if not unit.interface.calls:
        return []
    program, called = unit.program, reachable_functions(unit.program, unit.function.name)
    others = [name for name in find_address_taken(program) if name not in called and name in program.functions]
    state = {name for name, one in program.globals.items() if one.is_defined and not one.is_constant}
    return [name[1:] for name in sorted(others) if not state.isdisjoint(_reached(program, name))]


def ignores_assembly(unit: PreparedUnit) -> bool:
    return unit.file.ignores_assembly


def has_other_layout(unit: PreparedUnit) -> bool:
    return unit.file.has_other_layout


def unseen_writers(unit: PreparedUnit) -> list[str]:
    """Functions of the library that may write memory of the unit although what they do is not followed: the printing
    ones if some text has a `%n`, those that give memory to a stream, and those that set `signgam`."""
    known, reached = unit.program, [name[1:] for name in _reached_symbols(unit)]
    names = [name for name in reached if not _is_defined(known.functions.get(f"@{name}"))]
    texts = [known.globals[f"@{name}"].initializer for name in reached if f"@{name}" in known.globals]
    prints = [name for name in names if Fact.HARMLESS in _facts(name) and name.removesuffix("_chk").endswith("printf")]
    told = {Fact.LENDS_MEMORY, Fact.SETS_SIGNGAM} if "signgam" in reached else {Fact.LENDS_MEMORY}
    found = [name for name in names if not _facts(name).isdisjoint(told)]
    return [*found, *(prints if any(_COUNTS.search(text) for text in texts) else ())]


def _facts(name: str) -> frozenset[Fact]:
    return FUNCTIONS[name].facts if name in FUNCTIONS else frozenset()


_COUNTS = re.compile(r"%[-+ #0-9.*'hlqjztL]*n")


def linker_symbols(unit: PreparedUnit) -> list[str]:
    """Variables that no file defines and whose names look like those of a linker script (`extern unsigned _end;`):
    what lies between two of them are other variables."""
    known, reached = unit.file.program, _reached(unit.file.program, f"@{unit.interface.name}")
    names = [name for name in reached if name.startswith("@_") and name in known.globals]
    return [name[1:] for name in names if not known.globals[name].is_defined and not is_in_library(name[1:])]


def never_failing(unit: PreparedUnit) -> list[str]:
    """Allocators that the function calls and that never fail, because no input lets them fail."""
    return [name for name in _called(unit) if name in ALLOCATORS]


def _called(unit: PreparedUnit) -> list[str]:
    """Functions of the library that a call may reach, without those that are stubs: a stub's answers are inputs. They
    are those of the driver's program, where `isdigit` is a call and no macro."""
    stubs = {stub.name for stub in unit.shape.stubs}
    known = unit.program.functions
    names = (
        found[1]
        for name in _reached_symbols(unit)
        if (found := _NAME.fullmatch(name)) and not _is_defined(known.get(name))
    )
    return [name for name in dict.fromkeys(names) if name in FUNCTIONS and name not in stubs]


def _is_defined(function: Function | None) -> bool:
    return function is not None and function.is_defined


_NAME = re.compile(r"@(?:llvm\.(?=\w+\.f\d))?(\w+)(?:\.f\d+)?")  # `rint` for `llvm.rint.f64`, too


def replaceable_functions(unit: PreparedUnit) -> list[str]:
    """Weak functions that a call may reach: another file of the program may define them in their place."""
    return [name for name, here in _reached_replaceable(unit) if here in unit.program.functions]


def replaceable_constants(unit: PreparedUnit) -> list[str]:
    """Weak constants that the function may read. A weak variable is an input, whoever defines it."""
    data = unit.program.globals
    return [name for name, here in _reached_replaceable(unit) if here in data and data[here].is_constant]


def replaced_could_write(unit: PreparedUnit) -> list[str]:
    """Weak functions whose replacement could change what the function reads: a variable, or an object whose address it
    gets."""
    found = [(name, unit.program.functions.get(here)) for name, here in _reached_replaceable(unit)]
    has_globals = any(not (root.answers_of or root.is_constant) for root in unit.shape.globals)
    return [name for name, here in found if here and (has_globals or _takes_pointers(here))]


def absent_symbols(unit: PreparedUnit) -> list[str]:
    """Weak references that no linked file defines: tests define them, but a program need not."""
    weak = weak_references(unit.file.program) - {name for each in unit.linked for name in each.outline.defined}
    return [name[1:] for name in _reached(unit.file.program, f"@{unit.interface.name}") if name in weak] if weak else []


def _takes_pointers(function: Function) -> bool:
    return any(isinstance(one, PointerType) for one in function.type.parameters)


def _reached_replaceable(unit: PreparedUnit) -> list[tuple[str, str]]:
    """C names, each with the symbol of the definition here."""
    weak = replaceable_symbols(unit.program)
    reached = _reached_symbols(unit) if weak else []
    return [(name[1:], weak[name]) for name in reached if name in weak and name != unit.function.name]


def _reached_symbols(unit: PreparedUnit) -> list[str]:
    """Those of the driver's program; stubs and what these use are ours."""
    stubs = {f"@{name}" for stub in unit.shape.stubs for name in stub.symbols}
    return _reached(unit.program, unit.function.name, stubs)


def _reached(program: Program, start: str, without: Collection[str] = ()) -> list[str]:
    """Symbols that the function uses, directly or not."""
    reached = {start: None}
    waiting = [start]
    while waiting:
        fresh = [name for name in mentions(program, waiting.pop()) if name not in reached and name not in without]
        reached |= dict.fromkeys(fresh)
        waiting += fresh
    return list(reached)
