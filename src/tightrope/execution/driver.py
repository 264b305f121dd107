"""The C driver around a unit: it includes the unit's source, so that static functions and data are in reach,
fills the inputs slot by slot, states the assumptions, calls the function and shows what came out.

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

`main` stays renamed in the whole driver, so that a parameter or member of that name is still itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tightrope.execution.enum_membership import membership
from tightrope.execution.inputs import Output, Slot
from tightrope.execution.shape import (
    BYTE,
    FixedPointer,
    InputShape,
    Leaf,
    Observed,
    PointsTo,
    Shape,
    objects_of,
    observe,
    slots_of,
    walk,
)
from tightrope.program.c_types import CFunctionType, CRecord, CTypedef, CTypes, CVoid
from tightrope.program.declare import declare, is_spellable
from tightrope.program.interface import UNIT_MAIN, Interface

DRIVER_FILE = "tightrope_driver.c"  # its name in debug information, wherever it is compiled
ENTRY = "tightrope_drive"
RESULT = "tightrope_result"
OPEN_ARRAY_LENGTH = 8  # elements given to `extern int table[];`

_PROTOTYPES = (
    "void tightrope_input(unsigned slot, void *at, unsigned bits);",
    "void tightrope_assume(_Bool holds, unsigned number);",
    "void tightrope_output(unsigned number, const void *at, unsigned size);",
)
_UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}

EnumNumbers = Mapping[int, int]  # slot -> number of the assumption that keeps it to its enum's members


@dataclass(frozen=True, slots=True)
class Driver:
    text: str
    slots: tuple[Slot, ...]
    outputs: tuple[Output, ...]
    assumptions: tuple[str, ...]  # by number - 1: the user's, then those that keep enums to their members


def write_driver(
    ctypes: CTypes,
    interface: Interface,
    shape: InputShape,
    source_path: str,
    assumptions: Sequence[str] = (),
    enum_values: str = "members",
) -> Driver:
    """The driver's text and what its numbers mean."""
    slots = slots_of(shape)
    enums = [slot for slot in slots if slot.scalar.members and enum_values == "members"]
    numbers = {slot.number: number for number, slot in enumerate(enums, len(assumptions) + 1)}
    observed = observe(shape, RESULT, object_name)
    first_global = len(observe(replace(shape, roots=shape.parameters), RESULT, object_name))
    lines = [f'#line 2 "{DRIVER_FILE}"', *include_unit(source_path), "", *_PROTOTYPES, "", *define_undefined(interface)]
    lines += define_missing(ctypes, interface)
    lines += _objects(ctypes, shape)
    lines += _whereabouts(shape, observed)
    lines += _global_functions(shape, observed[first_global:], numbers)
    lines += _call_wrapper(ctypes, interface)
    lines += _type_names(ctypes, interface)
    lines += [f"void {ENTRY}(void);", f"void {ENTRY}(void)", "{", *_declarations(ctypes, interface)]
    lines += _inputs(shape, numbers)
    lines += _assumption_lines(assumptions, len(lines))
    lines += _call(ctypes, interface, shape)
    lines += _observe(observed[:first_global])
    lines += ["    tightrope_observe_globals();"] if shape.globals else []
    described = tuple(f"{slot.path} is a member of its enum" for slot in enums)
    outputs = tuple(output for output, _, _ in observed)
    return Driver("\n".join([*lines, "    }", "}"]) + "\n", slots, outputs, (*assumptions, *described))


def include_unit(source_path: str) -> tuple[str, ...]:
    """First of all, so that the unit's feature-test macros still work."""
    return ("/* Written by Tightrope. */", f"#define main {UNIT_MAIN}", f'#include "{source_path}"')


def define_undefined(interface: Interface, attribute: str = "") -> Iterator[str]:
    """Storage for `extern` globals that the unit leaves to other files."""
    for name in interface.undefined_globals:
        is_open = name in interface.open_arrays
        one = f"__typeof__({name}[0]) {name}[{OPEN_ARRAY_LENGTH}];" if is_open else f"__typeof__({name}) {name};"
        yield attribute + one


def define_missing(ctypes: CTypes, interface: Interface, attribute: str = "") -> Iterator[str]:
    """Bodies for functions that are in other files: they do nothing and return zero."""
    for one in interface.missing_functions:
        kind = ctypes.strip(one.type)
        if isinstance(kind, CFunctionType) and is_spellable(ctypes, one.type):
            yield attribute + declare(ctypes, kind.result, f"{one.name}({_parameter_list(ctypes, kind)})")
            is_void = isinstance(ctypes.strip(kind.result), CVoid)
            answer = declare(ctypes, kind.result, "tightrope_answer")
            yield "{ }" if is_void else f"{{ static {answer}; return tightrope_answer; }}"


def _parameter_list(ctypes: CTypes, kind: CFunctionType) -> str:
    """Names are `unused_1` ...: before C23 they cannot be left out."""
    names = [
        f"{declare(ctypes, number, f'unused_{index}')} __attribute__((unused))"
        for index, number in enumerate(kind.parameters, 1)
    ]
    if not names:
        return "" if kind.is_variadic else "void"
    return ", ".join([*names, "..."] if kind.is_variadic else names)


def object_name(name: str) -> str:
    return f"tightrope_object_{name}"


def declare_object(ctypes: CTypes, node: PointsTo, place: str, name: str) -> str:
    """Storage called `name` for what the pointer at `place` points to."""
    declarator = f"{name}[{node.count}]" if node.count > 1 else name
    if node.target == BYTE:
        return f"unsigned char {declarator}"
    if not is_spellable(ctypes, node.target):
        return f"__typeof__(*{place}) {declarator}"
    return declare(ctypes, node.target, declarator)


def _objects(ctypes: CTypes, shape: InputShape) -> Iterator[str]:
    """Parents first: a nameless type is spelled by way of the pointer in its parent."""
    for root in shape.roots:
        for node, place in walk(root.shape, root.name, object_name):
            if isinstance(node, PointsTo):
                yield f"static {declare_object(ctypes, node, place, object_name(node.object))};"


def _whereabouts(shape: InputShape, observed: Sequence[Observed]) -> Iterator[str]:
    """Where a pointer points, as a number that does not depend on addresses: 0 is NULL, 1 is elsewhere, and
    from 2 on come the bytes of the objects one after the other. Without a branch: it would join the path."""
    if not any(output.scalar.kind == "pointer" for output, _, _ in observed):
        return
    yield "static unsigned long long tightrope_whereabouts(const volatile void *pointer)"
    yield "{"
    yield "    unsigned long long found = pointer != 0, before = 1, offset = 0;"
    for node in objects_of(shape):
        name = object_name(node.object)
        yield f"    offset = (unsigned long)pointer - (unsigned long)&{name};"
        yield f"    found += (offset < sizeof {name}) * (before + offset);"
        yield f"    before += sizeof {name};"
    yield "    (void)before; (void)offset;"
    yield "    return found;"
    yield "}"


def _global_functions(shape: InputShape, observed: Sequence[Observed], numbers: EnumNumbers) -> Iterator[str]:
    """Apart from the call, where a parameter may have the name of a global."""
    if not shape.globals:
        return
    yield from ("static void tightrope_set_globals(void)", "{")
    for root in shape.globals:
        yield from _fill(walk(root.shape, root.name, object_name), numbers)
    yield from ("}", "static void tightrope_observe_globals(void)", "{")
    yield from _observe(observed)
    yield "}"


def _call_wrapper(ctypes: CTypes, interface: Interface) -> Iterator[str]:
    """A parameter with the name of the function hides it from the call."""
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
    """A parameter with the name of a type hides it from the declarations that follow."""
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


def _inputs(shape: InputShape, numbers: EnumNumbers) -> Iterator[str]:
    if shape.globals:
        yield "    tightrope_set_globals();"
    for root in shape.parameters:
        if not isinstance(root.shape, Leaf | PointsTo | FixedPointer):
            # What is no slot of a struct must be the same in every run.
            yield f"    __builtin_memset(&{root.name}, 0, sizeof {root.name});"
        yield from _fill(walk(root.shape, root.name, object_name), numbers)


def _fill(nodes: Iterable[tuple[Shape, str]], numbers: EnumNumbers) -> Iterator[str]:
    for node, place in nodes:
        if isinstance(node, Leaf) and node.slot is not None:
            yield from _fill_leaf(node, node.slot, place)
            if node.slot in numbers:
                members = [value for _, value in node.scalar.members]
                yield f"    tightrope_assume({membership(f'(long long){place}', members)}, {numbers[node.slot]});"
        elif isinstance(node, PointsTo):
            yield f"    {assignable_pointer(node, place)} = (void *)&{object_name(node.object)};"
        elif isinstance(node, FixedPointer) and node.is_null:
            yield f"    {assignable_pointer(node, place)} = 0;"


def assignable_pointer(node: PointsTo | FixedPointer, place: str) -> str:
    """The pointer as something that can be assigned to, also where it is declared const."""
    return f"*(void **)(void *)&{place}" if node.is_constant else place


def _fill_leaf(leaf: Leaf, slot: int, place: str) -> Iterator[str]:
    bits = leaf.scalar.bits
    if not leaf.is_bit_field:
        yield f"    tightrope_input({slot}, (void *)&{place}, {bits});"
        return
    yield f"    {{ {_UNSIGNED[leaf.scalar.size]} tightrope_bits; tightrope_input({slot}, &tightrope_bits, {bits});"
    yield f"      {place} = {'1 & ' if leaf.scalar.kind == 'bool' else ''}tightrope_bits; }}"


def _assumption_lines(assumptions: Sequence[str], above: int) -> list[str]:
    """Each on a line of its own, under a name that compiler messages can show."""
    lines: list[str] = []
    for number, text in enumerate(assumptions, 1):
        lines += ["    tightrope_assume((_Bool)(", f'#line 1 "--assume number {number}"', *text.splitlines()]
        lines += [f'#line {above + len(lines) + 2} "{DRIVER_FILE}"', f"    ), {number});"]
    return lines


def _call(ctypes: CTypes, interface: Interface, shape: InputShape) -> Iterator[str]:
    """The result is initialised, not assigned: it may have const members."""
    names = [one.name for one in interface.parameters]
    call = f"{'tightrope_call' if _hides_function(interface) else interface.call_name}({', '.join(names)});"
    if shape.result is None:
        yield f"    {{ {call}"
    elif _hides_types(ctypes, interface):
        yield f"    {{ tightrope_type_of_result {RESULT} = {call}"
    else:
        yield f"    {{ {declare(ctypes, interface.result, RESULT)} = {call}"


def _observe(observed: Iterable[Observed]) -> Iterator[str]:
    for output, node, place in observed:
        number, size = output.number, output.scalar.size
        if output.scalar.kind == "pointer":
            at = f"unsigned long long tightrope_at = tightrope_whereabouts((const volatile void *){place});"
            yield f"    {{ {at} tightrope_output({number}, &tightrope_at, 8); }}"
        elif isinstance(node, Leaf) and node.is_bit_field:
            bits = f"{_UNSIGNED[size]} tightrope_bits = ({_UNSIGNED[size]}){place};"
            yield f"    {{ {bits} tightrope_output({number}, &tightrope_bits, {size}); }}"
        else:
            yield f"    tightrope_output({number}, (const void *)&{place}, {size});"
