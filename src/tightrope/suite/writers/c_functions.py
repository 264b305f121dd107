"""The body of one written test: variables with the input's values, globals, the call, what is expected.

What pointers point to is `static`: it may be reached through globals after the test, and the bytes that the
input does not name are zero, as they were when the case was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tightrope.execution.driver import assignable_pointer, declare_object
from tightrope.execution.shape import (
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Leaf,
    PointsTo,
    Root,
    Shape,
    objects_of,
    observe,
    walk,
    walk_object,
)
from tightrope.execution.trace import Outcome
from tightrope.program.c_types import CArray, CEnum, CTypedef
from tightrope.program.declare import declare, is_spellable
from tightrope.suite.case import Case, Suite
from tightrope.suite.writers.c_expectations import ExpectationWriter
from tightrope.suite.writers.c_values import Values, keeps_something, wrap

_UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}


@dataclass(frozen=True, slots=True)
class FunctionWriter:
    suite: Suite
    names: Mapping[str, str]  # parameter -> variable; '*' + object -> variable
    result: str

    @classmethod
    def of(cls, suite: Suite) -> FunctionWriter:
        """Variables are named like parameters, unless that would hide something that the test needs."""
        taken = _needed_names(suite)
        names: dict[str, str] = {}
        for root in suite.shape.parameters:
            if not isinstance(root.shape, PointsTo):
                names[root.name] = _free(root.name, taken, "_value")
        for pointer in objects_of(suite.shape):
            names[f"*{pointer.object}"] = _free(pointer.object, taken, "_object")
        return cls(suite, names, _free("result", taken, "_of_call"))

    def name_object(self, name: str) -> str:
        return self.names[f"*{name}"]

    def body(self, case: Case) -> Iterator[str]:
        values = Values(case.input, self.name_object)
        for root in self.suite.shape.roots:
            yield from self._objects(root, values)
        for root in self.suite.shape.parameters:
            yield from self._parameter(root, values)
        for root in self.suite.shape.globals:
            yield from self._global(root, values)
        if "errno" in self.suite.interface.hidden_state:
            yield "    errno = 0;"
        if self.suite.shape.roots:
            yield ""
        yield from self._call()
        if case.ending.outcome is Outcome.RETURNED:
            yield from self._expectations(case, values)
        elif self.suite.shape.result is not None:
            yield f"    (void){self.result};"

    def _objects(self, root: Root, values: Values) -> Iterator[str]:
        """Last first: an object is declared before the pointer that leads to it."""
        place = self.names.get(root.name, root.name)
        pointers = [(node, at) for node, at in walk(root.shape, place, self.name_object) if isinstance(node, PointsTo)]
        nameless = [one for one in pointers if not self._is_spelled(one[0])]
        for node, at in pointers[::-1] if not nameless else pointers:
            declaration = f"    static {declare_object(self.suite.ctypes, node, at, self.name_object(node.object))}"
            if nameless:
                yield f"{declaration};"
            else:
                yield from wrap(f"{declaration}{self._initial(node, values)};")
        for node, _ in pointers if nameless else ():
            yield from self._assign_object(node, values)

    def _is_spelled(self, node: PointsTo) -> bool:
        return node.target < 0 or is_spellable(self.suite.ctypes, node.target)

    def _initial(self, node: PointsTo, values: Values) -> str:
        if all(values.is_zero(one) for one in node.elements):
            return ""
        if node.count > 1:
            return f" = {values.element_list(node.elements, node.count)}"
        return f" = {values.initialiser(node.elements[0])}"

    def _assign_object(self, node: PointsTo, values: Values) -> Iterator[str]:
        """Types without a name are spelled by way of the parent, which must come first: values come later."""
        name = self.name_object(node.object)
        for index, element in enumerate(node.elements):
            yield from _assign_parts(element, name if node.count == 1 else f"{name}[{index}]", values, is_zeroed=True)

    def _parameter(self, root: Root, values: Values) -> Iterator[str]:
        shape = root.shape
        if isinstance(shape, PointsTo):
            return
        number = next(one.type for one in self.suite.interface.parameters if one.name == root.name)
        declaration = declare(self.suite.ctypes, number, self.names[root.name])
        if isinstance(shape, Leaf | FixedPointer):
            yield f"    {declaration} = {values.initialiser(shape)};"
        elif isinstance(shape, Fixed) or values.is_zero(shape):
            yield f"    static {declaration};"
        else:
            yield from wrap(f"    static {declaration} = {values.initialiser(shape)};")

    def _global(self, root: Root, values: Values) -> Iterator[str]:
        shape, name = root.shape, root.name
        if isinstance(shape, Elements):
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

    def _call(self) -> Iterator[str]:
        arguments = ", ".join(self._argument(root) for root in self.suite.shape.parameters)
        call = f"{self.suite.interface.call_name}({arguments});"
        if self.suite.shape.result is None:
            yield f"    {call}"
        else:
            yield from wrap(f"    {declare(self.suite.ctypes, self.suite.interface.result, self.result)} = {call}")

    def _argument(self, root: Root) -> str:
        if not isinstance(root.shape, PointsTo):
            return self.names[root.name]
        name = self.name_object(root.shape.object)
        return name if root.shape.count > 1 else f"&{name}"

    def _expectations(self, case: Case, values: Values) -> Iterator[str]:
        observed = observe(self.suite.shape, self.result, self.name_object)
        writer = ExpectationWriter(self.suite.ctypes, objects_of(self.suite.shape), values)
        lines = list(writer.lines(observed, case.outputs))
        yield from lines
        has_result = self.suite.shape.result is not None
        if has_result and not any(f"({self.result}" in line for line in lines):
            yield f"    (void){self.result};"


def _assign_parts(shape: Shape, place: str, values: Values, is_zeroed: bool = False) -> Iterator[str]:
    """One assignment per leaf, for objects that cannot be assigned as a whole."""
    for node, at in walk_object(shape, place, values.name_object):
        if is_zeroed and values.is_zero(node):
            continue
        if isinstance(node, Leaf) and node.slot is not None:
            yield f"    {_assignable(node, at)} = {values.initialiser(node)};"
        elif isinstance(node, PointsTo) or (isinstance(node, FixedPointer) and node.is_null):
            yield f"    {assignable_pointer(node, at)} = {values.initialiser(node)};"


def _assignable(leaf: Leaf, place: str) -> str:
    """The leaf as something that can be assigned to, also where it is declared const."""
    if not leaf.is_constant:
        return place
    size = leaf.scalar.size
    kind = {4: "float", 8: "double"}[size] if leaf.scalar.kind == "float" else _UNSIGNED[size]
    return f"*({kind} *)(void *)&{place}"


def _has_constant(shape: Shape) -> bool:
    """True when C refuses to assign the object as a whole."""
    return any(
        isinstance(node, Leaf | PointsTo | FixedPointer) and node.is_constant for node, _ in walk_object(shape, "", str)
    )


def _needed_names(suite: Suite) -> set[str]:
    """What a local variable must not hide: the function, globals, types, and members of enums."""
    taken = {suite.function, suite.interface.call_name, "NULL"}
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
