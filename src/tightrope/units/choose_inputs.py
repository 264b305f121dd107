"""Chooses the inputs of a function: its interface with stubs and linked files, the shape of its inputs, and the driver
that creates them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tightrope.errors import CompileError, UnsupportedError
from tightrope.harness.driver import DRIVER_FILE, include_unit, write_driver, write_inquiry
from tightrope.harness.sequence_text import CHOICE, SequenceText
from tightrope.inputs.argument_needs import ArgumentNeeds, find_argument_needs
from tightrope.inputs.hints import find_hints
from tightrope.inputs.input_paths import steps_of
from tightrope.inputs.joined_hints import OtherVersion
from tightrope.inputs.shape import InputShape, Leaf, Root
from tightrope.inputs.whole_program import choose_program_shape, start_program
from tightrope.inputs.wishes import NO_GROWTH, Growth
from tightrope.library.symbols import is_in_library
from tightrope.options.options import Options
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.declarations.interface import Interface, complete_interface, find_interface
from tightrope.program.declarations.linked_interface import add_hidden_functions, link_interface, without_hidden_data
from tightrope.program.declarations.stub_choice import check_stubs, with_stubs
from tightrope.program.declarations.stubs import StubOptions
from tightrope.program.devices.register_names import (
    ask_for_expansions,
    make_register_stubs,
    mentioned_macros,
    name_registers,
    read_expansions,
)
from tightrope.program.devices.registers import find_compared_addresses, find_register_accesses
from tightrope.program.ir.linked_programs import join_programs
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_bitcode
from tightrope.program.pointers.pointer_flow import parameter_numbers
from tightrope.units.input_requests import Asked, check_asked, gather
from tightrope.units.linking import ALL_FUNCTIONS, PLAIN_CTYPE, LinkedFile, with_given_heap
from tightrope.units.namesakes import find_namesakes
from tightrope.units.prepared import ChosenInputs, PreparedFile, PreparedUnit
from tightrope.units.sequence_requests import gather_for_calls

MOST_ANSWERS = 16  # of a stub, if nobody asks for more
_INNER_EXTERN = re.compile(r"^(?:[ \t]+|[^\n]*[{;][ \t]*)extern\b", re.MULTILINE)


def choose_inputs(
    file: PreparedFile,
    name: str,
    options: Options,
    beside: OtherVersion | None = None,
    growth: Growth = NO_GROWTH,
) -> ChosenInputs:
    """The inputs of the function, as the user asked for and otherwise by default, or larger by `growth`."""
    stubs = _about_stubs(file, options)
    _refuse_renamed(file, name)
    interface, described = _interface_of(file, name, stubs, beside.globals if beside else frozenset())
    links = file.linker.choose(interface, options.link, stubs.replaces)
    linked = links.files
    interface = _link_interface(file, interface, described, linked)
    redirected = (*["free"] * interface.linked_frees, *interface.linked_allocators)
    linked = tuple(with_given_heap(each, redirected) for each in linked)
    check_stubs(interface, described, file.program, stubs)
    if file.sequence is not None:
        interface = _with_calls(interface, described, file.sequence)
        asked = gather_for_calls(interface.function, interface.calls, described, options, read_source)
        asked = replace(asked, wishes=replace(asked.wishes, growth=growth))
    else:
        asked = gather(interface.function, options, read_source, growth)
    everything = join_programs([file.program, *(each.program for each in linked)])
    interface, described = _with_registers(file, interface, described, everything, stubs)
    interface = replace(start_program(interface, _roots_asked_for(asked)), keeps_arguments=beside is not None)
    hints = (beside.find_hints if beside else find_hints)(everything, described, interface)
    needs = find_argument_needs(everything) if interface.reads_arguments else ArgumentNeeds()
    shape = choose_program_shape(described, interface, asked.wishes, hints, needs)
    shape = shape if file.sequence is None else _for_sequence(shape, file.sequence)
    source, further = str(file.path.resolve()), file.sequence.text if file.sequence else ""
    driver = write_driver(described, interface, shape, source, asked.assumptions, options.enum, further)
    return ChosenInputs(interface, described, asked, shape, driver, hints, linked, links.remarks)


def _with_registers(
    file: PreparedFile, interface: Interface, described: CTypes, program: Program, stubs: StubOptions
) -> tuple[Interface, CTypes]:
    """The interface with a stub for each register that a call may read or write."""
    root = f"@{interface.name}"
    found_accesses = () if stubs.is_off else find_register_accesses(program, root)
    accesses = [one for one in found_accesses if not one.symbol or one.symbol in interface.undefined_globals]
    if not accesses:
        return interface, described
    compared, numbers = find_compared_addresses(program, root), parameter_numbers(program.functions[root])
    devices = {number: compared[name] for number, name in numbers if name in compared}
    parameters = [replace(one, devices=devices.get(at, ())) for at, one in enumerate(interface.parameters)]
    interface = replace(interface, parameters=tuple(parameters))
    is_numbered = any(not one.symbol for one in accesses)
    macros = read_expansions(_expand_macros(file), described) if is_numbered else ()
    names = name_registers(described, accesses, macros, {one.name: one.type for one in interface.globals})
    described, found = make_register_stubs(described, accesses, names, stubs.answers)
    symbols = {one.symbol for one in accesses}
    variables = tuple(one for one in interface.globals if one.name not in symbols)
    return replace(interface, stubs=(*interface.stubs, *found), globals=variables), described


def _expand_macros(file: PreparedFile) -> str:
    """The macros of the file without parameters, expanded by the preprocessor. Nothing if that fails: registers have
    addresses for names then."""
    source = str(file.path.resolve())
    includes = "\n".join([*include_unit(source), ""])
    flags = (*file.flags.kept, *PLAIN_CTYPE)
    try:
        definitions = file.text_beside(includes, (*flags, "-dM"), DRIVER_FILE).preprocess()
        macros = mentioned_macros(definitions, read_source(source) or "")
        return file.text_beside(includes + ask_for_expansions(macros), flags, DRIVER_FILE).preprocess()
    except CompileError:
        return ""


def _about_stubs(file: PreparedFile, options: Options) -> StubOptions:
    """In a sequence, a stub has an answer for each call that may ask for one."""
    stubs = options.about_stubs
    calls = len(file.sequence.calls) if file.sequence else 0
    return replace(stubs, answers=max(stubs.answers, min(calls, MOST_ANSWERS)))


def _with_calls(interface: Interface, described: CTypes, text: SequenceText) -> Interface:
    """The interface of a sequence; its place is that of its first function."""
    first = described.functions[text.calls[0].function]
    function = replace(interface.function, location=first.location)
    return replace(interface, function=function, sequence=str(text.sequence), calls=text.calls)


def _for_sequence(shape: InputShape, text: SequenceText) -> InputShape:
    """The shape, in which counters are limited and choices are shown by the names of functions."""

    def change(root: Root) -> Root:
        leaf = root.shape
        if not isinstance(leaf, Leaf):
            return root
        if root.name in text.counters:
            return replace(root, shape=replace(leaf, most=text.counters[root.name], is_limited=True))
        if any(call.choice == root.name for call in text.calls):
            members = tuple((name.removeprefix(CHOICE).partition("_")[2], n) for name, n in leaf.scalar.members)
            return replace(root, shape=replace(leaf, scalar=replace(leaf.scalar, members=members)))
        return root

    return replace(shape, roots=tuple(map(change, shape.roots)), calls=text.calls)


def _roots_asked_for(asked: Asked) -> frozenset[str]:
    """The names of the inputs about which the user says something."""
    return frozenset(steps[0] for each in asked.requests for steps in [steps_of(each.path)] if steps)


def _refuse_renamed(file: PreparedFile, name: str) -> None:
    """Refuse `int f(int) __asm__("g");`: in the compiled code, f is called g."""
    if f"@{name}" not in file.program.functions:
        message = f"{name}: the compiler gives it another name (an asm label), which is not supported"
        place = file.ctypes.functions[name].location if name in file.ctypes.functions else None
        raise UnsupportedError(message, location=place, hint="test it without the label", slug="renamed")


def _link_interface(
    file: PreparedFile, interface: Interface, described: CTypes, linked: Sequence[LinkedFile]
) -> Interface:
    if not linked:
        return interface
    programs, outlines = (file.program, *(each.program for each in linked)), [each.outline for each in linked]
    return link_interface(interface, described, programs, outlines, _library_of(file.program))


def look_at_other_version(file: PreparedFile, name: str, options: Options) -> OtherVersion:
    """The inputs that a version of the function would have."""
    inputs = choose_inputs(file, name, options, OtherVersion())
    return OtherVersion(frozenset(one.name for one in inputs.interface.globals), inputs.hints)


def check_inputs(inputs: ChosenInputs | PreparedUnit, program: Program) -> None:
    """Refuse wishes for inputs that do not exist."""
    functions = [name[1:] for name in program.functions]
    check_asked(inputs.asked, inputs.shape, inputs.ctypes, functions, inputs.interface.hidden_state)


def _interface_of(
    file: PreparedFile, name: str, stubs: StubOptions, beside: frozenset[str]
) -> tuple[Interface, CTypes]:
    library = _library_of(file.program)
    calls = file.sequence.calls if file.sequence else ()
    interface = find_interface(file.program, file.ctypes, name, read_source, library, stubs, beside, calls)
    interface = replace(
        interface,
        assembly=file.assembly.instructions,
        definitions=file.definitions,
        inline_functions=file.inline_functions,
    )
    if not (interface.needs_inquiry or (interface.undefined_globals and _has_hidden_declarations(file))):
        return with_stubs(interface, file.ctypes, stubs), file.ctypes
    bitcode, interface = _inquire(file, interface)
    program, raw = read_bitcode(bitcode)
    described = read_debug_info(raw)
    known = add_hidden_functions(complete_interface(interface, program, described, beside), file.program)
    return with_stubs(known, described, stubs), described


def _library_of(program: Program) -> Callable[[str], bool]:
    """Those of these names that the program and the library use for the same function."""
    others = find_namesakes(program)
    return lambda name: name not in others and is_in_library(name)


def _inquire(file: PreparedFile, interface: Interface) -> tuple[bytes, Interface]:
    """Compile the inquiry; if that fails, again without what the compiler does not know at file scope: a function may
    declare other functions and variables for itself alone. Such variables are loose in the interface."""
    source, flags = str(file.path.resolve()), (*file.flags.kept, *PLAIN_CTYPE, *ALL_FUNCTIONS)
    further = file.sequence.text if file.sequence else ""
    try:
        return file.text_beside(write_inquiry(interface, source, (), further), flags, DRIVER_FILE).compile(), interface
    except CompileError as problem:
        names = [function.name for function in interface.asked_functions]
        unknown = frozenset(re.findall(r"'(\w+)'", problem.diagnostics))
        hidden = [name for name in names if name in unknown]
        seen = without_hidden_data(interface, file.program, unknown)
        text = write_inquiry(seen, source, hidden if hidden or seen is not interface else names, further)
        return file.text_beside(text, flags, DRIVER_FILE).compile(), seen


def _has_hidden_declarations(file: PreparedFile) -> bool:
    """Whether some function may declare variables for itself: then all functions of the file need the inquiry."""
    return _INNER_EXTERN.search(read_source(str(file.path)) or "") is not None


@lru_cache(maxsize=256)
def read_source(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
