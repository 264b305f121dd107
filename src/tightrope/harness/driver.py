"""The C driver around a unit: it includes the unit's source, so that static functions and data are accessible,
fills the inputs slot by slot, states the assumptions, calls the function and reports the outputs.

    static struct config tightrope_object_cfg;           what pointers point to has static storage: the
                                                         runtime knows its bounds and resets it between runs
    void tightrope_drive(void)
    {
        struct config *cfg;                              parameters keep their names: assumptions use them
        int n;
        cfg = (void *)&tightrope_object_cfg;
        tightrope_input(0, (void *)&tightrope_object_cfg.level, 32);
        tightrope_input(1, (void *)&n, 32);
        tightrope_assume(..., 1);
        { int tightrope_result = f(cfg, n);
        tightrope_output(0, (const void *)&tightrope_result, 4);
        }
    }

`main` is renamed in the whole driver, so that a parameter or member called `main` is renamed consistently.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.harness.assembly import declare_instructions
from tightrope.harness.fill import UNSIGNED, Numbers, fill, mark_padding, object_name
from tightrope.harness.heap_stubs import define_allocators, define_free, redirect_free
from tightrope.harness.register_access import define_accesses
from tightrope.harness.stubs import PROTOTYPES as STUB_PROTOTYPES
from tightrope.harness.stubs import StubWriter, define_loose_data, define_missing
from tightrope.inputs.draws import define_for_driver, draw_outputs, is_drawn
from tightrope.inputs.scalars import Output, Slot
from tightrope.inputs.shape import (
    BYTE,
    FixedPointer,
    Functions,
    InputShape,
    Leaf,
    Observed,
    PointsInto,
    PointsTo,
    objects_of,
    observe,
    slots_of,
    walk,
)
from tightrope.inputs.whole_program import assume_program, declare_stdin, program_assumptions
from tightrope.location import Location
from tightrope.program.declarations.c_types import CArray, CRecord, CTypedef, CTypes
from tightrope.program.declarations.declare import declare, is_qualified, is_spellable
from tightrope.program.declarations.interface import COUNT_PREFIX, FUNCTION_PREFIX, UNIT_MAIN, Interface

DRIVER_FILE = "tightrope_driver.c"  # its name in debug information, wherever it is compiled
ENTRY = "tightrope_drive"
RESULT = "tightrope_result"
CHOSEN_ALIGNMENT = 32  # where the low bits of an address are an input: more than a compiler gives to any array
OPEN_ARRAY_LENGTH = 256  # elements given to `extern int table[];`: often there is one for each character

_PROTOTYPES = (
    "void tightrope_input(unsigned slot, void *at, unsigned bits);",
    "void tightrope_choose(unsigned slot, void *at, void *const *targets, unsigned count, unsigned bits);",
    "void tightrope_assume(_Bool holds, unsigned number);",
    "void tightrope_prefer(_Bool holds);",
    "void tightrope_bound(void *at, unsigned long bytes);",
    "void tightrope_promise(void *at);",
    "void tightrope_returned(void);",
    "void tightrope_output(unsigned number, const void *at, unsigned size);",
    "void tightrope_note_memory(void);",
    "void tightrope_note_unseen(void *at, unsigned size);",
    "void tightrope_note_target(unsigned output, const volatile void *pointer);",
    *STUB_PROTOTYPES,
)


def _without_names(prototype: str) -> str:
    """The prototype without names of parameters: the unit may have macros of these names."""
    return re.sub(r"(?<=[ *])(?!(?:long|void|unsigned)\b)[a-z]+(?=[,)])", "", prototype)


def is_driver(place: Location) -> bool:
    """Whether a place is in the driver, not in C of the user."""
    return Path(place.file).name == DRIVER_FILE


@dataclass(frozen=True, slots=True)
class Driver:
    text: str
    slots: tuple[Slot, ...]
    outputs: tuple[Output, ...]
    assumptions: tuple[str, ...]  # by number - 1: the user's, then those that keep enums to their members

    @property
    def widths(self) -> tuple[int, ...]:
        """Of the slots, in bits."""
        return tuple(slot.scalar.bits for slot in self.slots)


def write_driver(
    ctypes: CTypes,
    interface: Interface,
    shape: InputShape,
    source_path: str,
    assumptions: Sequence[str] = (),
    enum_values: str = "members",
    further: str = "",
) -> Driver:
    """The driver's text and what its numbers mean. `further`: C that belongs to the unit, behind its source."""
    slots = slots_of(shape)
    implied = implied_assumptions(shape, enum_values)
    numbers = {slot: number for number, slot in enumerate(implied, len(assumptions) + 1)}
    observed = observe(shape, RESULT, object_name)
    first_global = len(observe(replace(shape, roots=shape.parameters), RESULT, object_name))
    stubs = StubWriter.for_driver(ctypes, shape)
    redirected = (*stubs.redirections(), *redirect_free(interface, shape), *declare_instructions(interface.assembly))
    lines = [
        f'#line 2 "{DRIVER_FILE}"',
        *include_unit(source_path, redirected, interface.definitions),
        *define_inline(interface.inline_functions),
        further,
    ]
    lines += [*map(_without_names, _PROTOTYPES), ""]
    lines += [*define_undefined(interface), *define_constants(ctypes, interface)]
    lines += [*define_missing(ctypes, interface, shape.stubs), *stubs.definitions(), *define_accesses(shape.stubs)]
    lines += [*define_loose_data(interface), *define_free(interface, shape, is_driver=True)]
    lines += define_allocators(interface, is_driver=True)
    lines += [*declare_stdin(shape), *define_for_driver(ctypes, interface, shape, len(observed))]
    lines += _objects(ctypes, shape)
    lines += _whereabouts(shape, observed)
    lines += _global_functions(shape, observed[first_global:], numbers)
    lines += _call_wrapper(ctypes, interface)
    lines += _type_names(ctypes, interface)
    lines += [f"void {ENTRY}(void);", f"void {ENTRY}(void)", "{", *_declarations(ctypes, interface)]
    lines += _inputs(shape, numbers)
    lines += _promises(ctypes, shape)
    lines += _assumption_lines(assumptions, len(lines))
    note = [] if interface.keeps_arguments else ["    tightrope_note_memory();"]
    lines += [*note, *_call(ctypes, interface, shape), "    tightrope_returned();", *note]
    lines += _observe(observed[:first_global], bool(note))
    lines += ["    tightrope_observe_globals();"] if shape.globals else []
    outputs = (*(output for output, _, _ in observed), *draw_outputs(shape, len(observed)))
    return Driver("\n".join([*lines, "    }", "}"]) + "\n", slots, outputs, (*assumptions, *implied.values()))


def implied_assumptions(shape: InputShape, enum_values: str) -> dict[int, str]:
    """Slot -> what the shape assumes about it, in words."""
    nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
    found: dict[int, str] = {}
    for node in nodes:
        if isinstance(node, PointsInto) and node.slot is not None:
            found[node.slot] = f"{node.path} points into {node.object}, or just past it"
        elif isinstance(node, Leaf) and node.slot is not None:
            if node.scalar.kind == "enum" and node.scalar.members and enum_values == "members":
                found[node.slot] = f"{node.path} is a member of its enum"
            elif node.is_limited:
                found[node.slot] = f"{node.path} is at most {node.most}"
    return {**found, **program_assumptions(shape)}


def include_unit(source_path: str, before: Iterable[str] = (), definitions: Sequence[str] = ()) -> tuple[str, ...]:
    """Includes the unit. Nothing else comes first, so that feature-test macros of the unit take effect."""
    include = f'#include "{source_path}"'
    around = (*undefine(definitions), *before, *define_away(definitions), include, *undefine(definitions))
    return ("/* Written by Tightrope. */", f"#define main {UNIT_MAIN}", *around)


def define_away(definitions: Sequence[str]) -> Iterator[str]:
    """Before the unit: `#define __irq`."""
    for each in definitions:
        name, _, text = each.partition("=")
        yield from undefine([each])
        yield f"#define {name} {text}".rstrip()


def undefine(definitions: Sequence[str]) -> Iterator[str]:
    """Around the unit: the code of the driver and of the tests needs the words of its compiler."""
    return (f"#undef {re.split('[(=]', each)[0]}" for each in definitions)


def define_inline(names: Iterable[str]) -> Iterator[str]:
    """After the unit: a further declaration makes the compiler generate code for a function that is only `inline`."""
    return (f"extern __typeof__({name}) {name};" for name in names)


def define_undefined(interface: Interface, attribute: str = "", without: Collection[str] = ()) -> Iterator[str]:
    """Storage for `extern` globals that other files define, except for constants that are inputs."""
    ours = {*without, *(one.name for one in interface.globals if one.storage)}
    for name in interface.undefined_globals:
        is_open = name in interface.open_arrays
        one = f"__typeof__({name}[0]) {name}[{OPEN_ARRAY_LENGTH}];" if is_open else f"__typeof__({name}) {name};"
        if name not in ours:
            yield attribute + one


def define_constants(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    """Storage for constants that other files define and that are inputs: variables with the same symbol."""
    for one in interface.globals:
        if one.storage and one.name in interface.undefined_globals:
            yield f'{declare(ctypes, one.type, one.storage)} __asm__("{one.name}");'


def declare_object(ctypes: CTypes, node: PointsTo, place: str, name: str) -> str:
    """Storage called `name` for what the pointer at `place` points to."""
    declarator = f"{name}[{node.count}]" if node.count > 1 else name
    aligned = f"_Alignas({CHOSEN_ALIGNMENT}) " * bool(node.own_elements)
    if node.target == BYTE:
        return f"{aligned or ('' if node.is_opaque else '_Alignas(16) ')}unsigned char {declarator}"
    if not is_spellable(ctypes, node.target):
        return f"__typeof__(*{place}) {declarator}"
    is_atomic = is_qualified(ctypes, node.target, frozenset({"_Atomic"}))  # another type to C than the plain one
    return f"{aligned}{'_Atomic ' if is_atomic else ''}{declare(ctypes, node.target, declarator)}"


def _objects(ctypes: CTypes, shape: InputShape) -> Iterator[str]:
    """Declares all objects, parents first: a type without a name is spelled through the pointer in the parent."""
    for root in shape.roots:
        for node, place in walk(root.shape, root.name, object_name):
            if isinstance(node, PointsTo):
                declaration = declare_object(ctypes, node, place, object_name(node.object))
                yield f"static {declaration}{_room(ctypes, node)};"


def _room(ctypes: CTypes, node: PointsTo) -> str:
    """An initialiser that gives a flexible array member its length."""
    if not node.flexible:
        return ""
    kind = ctypes.strip(node.target)
    assert isinstance(kind, CRecord)
    array = ctypes.strip(kind.members[-1].type)
    is_scalar = isinstance(array, CArray) and not isinstance(ctypes.strip(array.element), CRecord | CArray)
    return f" = {{.{node.flexible} = {{[{node.room - 1}] = {'0' if is_scalar else '{0}'}}}}}"


def _whereabouts(shape: InputShape, observed: Sequence[Observed]) -> Iterator[str]:
    """C that turns the target of a pointer into a number that does not depend on addresses: 0 is NULL, 1 is unknown,
    numbers from 2 on are the bytes of the objects, one after the other. A branch would become part of the path of the
    run, so there is none."""
    if not any(output.scalar.kind == "pointer" for output, _, _ in observed):
        return
    pointer, found, before, offset = (f"tightrope_{word}" for word in ("pointer", "found", "before", "offset"))
    yield f"static unsigned long long tightrope_whereabouts(const volatile void *{pointer})"
    yield "{"
    yield f"    unsigned long long {found} = {pointer} != 0, {before} = 1, {offset} = 0;"
    for node in objects_of(shape):
        name = object_name(node.object)
        yield f"    {offset} = (unsigned long){pointer} - (unsigned long)&{name};"
        yield f"    {found} += ({offset} < sizeof {name}) * ({before} + {offset});"
        yield f"    {before} += sizeof {name};"
    yield f"    (void){before}; (void){offset};"
    yield f"    return {found};"
    yield "}"


def _global_functions(shape: InputShape, observed: Sequence[Observed], numbers: Numbers) -> Iterator[str]:
    """Functions that set and observe globals. They are separate, because a parameter may hide a global."""
    if not shape.globals:
        return
    yield from ("static void tightrope_set_globals(void)", "{")
    for root in shape.globals:
        if not is_drawn(root):
            nodes = list(walk(root.shape, root.name, object_name))
            yield from mark_padding(root)
            yield from fill(nodes[root.is_hidden :], numbers)
    yield from ("}", "static void tightrope_observe_globals(void)", "{")
    yield from _observe(observed)
    yield "}"


def _call_wrapper(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    """A wrapper for the call, for a function with a parameter of the same name, which would hide it."""
    if not _hides_function(interface):
        return
    names = [f"tightrope_argument_{index}" for index in range(len(interface.parameters))]
    types = [one.type for one in interface.parameters]
    arguments = ", ".join(declare(ctypes, number, name) for number, name in zip(types, names, strict=True))
    yield f"static {declare(ctypes, interface.result, f'tightrope_call({arguments})')}"
    yield f"{{ return {interface.call_name}({', '.join(names)}); }}"


def _hides_function(interface: Interface) -> bool:
    return any(one.name == interface.name for one in interface.parameters)


def _type_names(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    """Type aliases for the case that a parameter has the name of a type and hides it from later declarations."""
    if _hides_types(ctypes, interface):
        for index, one in enumerate(interface.parameters):
            yield f"typedef {declare(ctypes, one.type, f'tightrope_type_{index}')};"
        yield f"typedef {declare(ctypes, interface.result, 'tightrope_type_of_result')};"


def _hides_types(ctypes: CTypes, interface: Interface) -> bool:
    typedefs = {one.name for one in ctypes.types.values() if isinstance(one, CTypedef)}
    return any(one.name in typedefs for one in interface.parameters)


def _declarations(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    hides_types = _hides_types(ctypes, interface)
    for index, one in enumerate(interface.parameters):
        alias = f"tightrope_type_{index} {one.name}"
        initial = " = {0}" if isinstance(ctypes.strip(one.type), CRecord) else ""  # it may have const members
        yield f"    {alias if hides_types else declare(ctypes, one.type, one.name)}{initial};"


def _inputs(shape: InputShape, numbers: Numbers) -> Iterator[str]:
    if shape.globals:
        yield "    tightrope_set_globals();"
    for root in shape.parameters:
        if not isinstance(root.shape, Leaf | PointsTo | PointsInto | Functions | FixedPointer):
            # The bytes of a struct that are not slots must be the same in every run.
            yield f"    __builtin_memset(&{root.name}, 0, sizeof {root.name});"
        yield from fill(walk(root.shape, root.name, object_name), numbers)
    yield from assume_program(shape, numbers)


def _promises(ctypes: CTypes, shape: InputShape) -> Iterator[str]:
    """Tell the runtime which objects are const for the unit; a caller may change them through other pointers."""
    for node in objects_of(shape):
        if node.target != BYTE and is_qualified(ctypes, node.target, frozenset({"const"})):
            yield f"    tightrope_promise((void *)&{object_name(node.object)});"


def _assumption_lines(assumptions: Sequence[str], above: int) -> list[str]:
    """The assumptions of the user; `#line` gives each a name for compiler messages."""
    lines: list[str] = []
    for number, text in enumerate(assumptions, 1):
        lines += ["    tightrope_assume((_Bool)(", f'#line 1 "--assume number {number}"', *text.splitlines()]
        lines += [f'#line {above + len(lines) + 2} "{DRIVER_FILE}"', f"    ), {number});"]
    return lines


def _call(ctypes: CTypes, interface: Interface, shape: InputShape) -> Iterator[str]:
    """The call. The result is initialised, not assigned, because it may have const members."""
    names = [one.name for one in interface.parameters]
    call = f"{'tightrope_call' if _hides_function(interface) else f'({interface.call_name})'}({', '.join(names)});"
    if shape.result is None:
        yield f"    {{ {call}"
    elif _hides_types(ctypes, interface):
        yield f"    {{ tightrope_type_of_result {RESULT} = {call}"
    else:
        yield f"    {{ {declare(ctypes, interface.result, RESULT)} = {call}"


def _observe(observed: Iterable[Observed], has_notes: bool = False) -> Iterator[str]:
    """`has_notes`: the runtime is told what pointers in the result lead to, for written tests."""
    for output, node, place in observed:
        number, size = output.number, output.scalar.size
        if output.scalar.kind == "pointer":
            at = f"unsigned long long tightrope_at = tightrope_whereabouts((const volatile void *){place});"
            yield f"    {{ {at} tightrope_output({number}, &tightrope_at, 8); }}"
            if has_notes and place.startswith(RESULT):
                yield f"    tightrope_note_target({number}, (const volatile void *){place});"
        elif isinstance(node, Leaf) and node.is_bit_field:
            bits = f"{UNSIGNED[size]} tightrope_bits = ({UNSIGNED[size]}){place};"
            yield f"    {{ {bits} tightrope_output({number}, &tightrope_bits, {size}); }}"
        else:
            yield f"    tightrope_output({number}, (const void *)&{place}, {size});"


# -- before there can be a driver


def write_inquiry(interface: Interface, source_path: str, hidden: Collection[str] = (), further: str = "") -> str:
    """C that makes the compiler tell the types of `extern` globals and functions that the unit does not define, and the
    values of constant expressions in array parameters. Compile it like the unit, read the result, and pass it to
    `complete_interface`. An expression that is not constant gives 0. `hidden` functions are left out, because their
    declarations are not visible here. `further`: C that belongs to the unit, behind its source."""
    declared = declare_instructions(interface.assembly)
    lines = [*include_unit(source_path, declared, interface.definitions), further, *define_undefined(interface)]
    lines += define_inline(interface.inline_functions)
    for number, function in enumerate(interface.asked_functions):
        if function.name in hidden:
            continue
        lines.append(f"__typeof__(&{function.name}) {FUNCTION_PREFIX}{number} = {function.name};")
    for number, text in enumerate(interface.pending_counts):
        lines.append(f"extern const unsigned long long {COUNT_PREFIX}{number};")
        constant = f"__builtin_constant_p({text}) ? ({text}) : 0"
        lines.append(f"const unsigned long long {COUNT_PREFIX}{number} = {constant};")
    return "\n".join(lines) + "\n"
