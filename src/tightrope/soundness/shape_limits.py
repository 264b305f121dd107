"""What a caller could do that the shape of the inputs excludes: predicates of the table of doubts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from tightrope.inputs.shape import (
    BYTE,
    Fixed,
    FixedPointer,
    Functions,
    Leaf,
    PointsInto,
    PointsTo,
    Shape,
    element_of,
    walk,
)
from tightrope.program.declarations.declare import is_qualified
from tightrope.program.flow.private_variables import find_private_variables
from tightrope.program.flow.reached_code import writes_memory
from tightrope.program.pointers.pointer_use import find_pointer_uses
from tightrope.units.prepared import PreparedUnit


def input_nodes(unit: PreparedUnit) -> list[Shape]:
    """The shapes of all inputs except the arguments of `main`: if these are read, nothing is proved anyway."""
    roots = [root for root in unit.shape.roots if not root.is_argument]
    return [node for root in roots for node, _ in walk(root.shape, root.name, str)]


def may_share_objects(unit: PreparedUnit) -> bool:
    """True if a caller could make a pointer that is written through alias another pointer or a global in a way that was
    not tried. Data that is only read may be shared: equal values are among those that were tried."""
    nodes = input_nodes(unit)
    pointers = [node for node in nodes if isinstance(node, PointsTo)]
    if not pointers or not writes_memory(unit.program, unit.function.name):
        return False
    if any(isinstance(node, PointsInto) for node in nodes) or any(not root.answers_of for root in unit.shape.globals):
        return any(not _is_read_only(unit, node) for node in pointers) or bool(unit.shape.globals)
    if unit.interface.calls and any(not _is_read_only(unit, node) for node in pointers) and _has_open_state(unit):
        return True
    if all(_is_read_only(unit, node) for node in pointers):
        return len(pointers) > 1 and _writes_all_the_same(unit)
    return any(_may_share(unit, one, other) for one, other in _met_pairs(unit, pointers))


def _met_pairs(unit: PreparedUnit, pointers: Sequence[PointsTo]) -> Iterator[tuple[PointsTo, PointsTo]]:
    """Pairs of pointers that one call gets. What a call of a sequence keeps of an earlier one is state."""
    if not unit.interface.calls:
        yield from combinations(pointers, 2)
    for call in unit.interface.calls:
        names = {*call.arguments.values()}
        yield from combinations([each for each in pointers if _root_of(each) in names], 2)


def _root_of(node: Shape) -> str:
    found = re.search(r"\w+", node.path)
    return found.group() if found else ""


def _has_open_state(unit: PreparedUnit) -> bool:
    """True if a caller could pass the address of a variable that keeps its value between the calls of a sequence."""
    private = find_private_variables(unit.program)
    return any(
        one.is_defined and not one.is_constant and name not in private and not name.startswith("@tightrope_")
        for name, one in unit.program.globals.items()
    )


def _writes_all_the_same(unit: PreparedUnit) -> bool:
    """True if the unit may write through a pointer to const, after a cast."""
    uses = find_pointer_uses(unit.program, unit.function.name, unit.ctypes).uses
    return any(use.is_written or not use.is_known for holder, use in uses.items() if holder[0] == "parameter")


def _may_share(unit: PreparedUnit, one: PointsTo, other: PointsTo) -> bool:
    is_written = not (_is_read_only(unit, one) and _is_read_only(unit, other))
    was_tried = one.own in other.others and one.count == other.count == 1
    is_forbidden = any(is_qualified(unit.ctypes, each.type, frozenset({"restrict"})) for each in (one, other))
    return is_written and not was_tried and not is_forbidden


def _is_read_only(unit: PreparedUnit, pointer: PointsTo) -> bool:
    return pointer.target != BYTE and is_qualified(unit.ctypes, pointer.target, frozenset({"const"}))


def find_restrictions(unit: PreparedUnit) -> Iterator[str]:
    """Inputs for which a caller could pass more than was tried."""
    return (node.path for node in input_nodes(unit) if _is_restriction(node))


def _is_restriction(node: Shape) -> bool:
    match node:
        case PointsTo():
            return (node.slot is None and not node.is_never_null) or not (node.is_bounded or _is_whole(node))
        case Fixed() | FixedPointer():
            return not node.is_bound
    return isinstance(node, PointsInto | Functions)


def _is_whole(node: PointsTo) -> bool:
    """True for an array of a size that was asked for, if all its elements are inputs and no other input is its length:
    with more elements, only runs that leave it could do something else, and that is another doubt."""
    are_inputs = all(isinstance(one, Leaf) and one.slot is not None for one in node.elements)
    return are_inputs and len(node.elements) == node.count and not (node.is_string or node.length or node.flexible)


def has_bounds(unit: PreparedUnit) -> bool:
    """True if the shape of the inputs has bounds. The answers of stubs and what a program reads have them, too."""
    has_answers = bool(unit.shape.stubs) or any(root.answers_of for root in unit.shape.roots)
    reads = has_answers or "@tightrope_stdin" in unit.program.globals
    return reads or any(isinstance(node, PointsTo | PointsInto | Fixed | FixedPointer) for node in input_nodes(unit))


def has_near_end(unit: PreparedUnit) -> bool:
    """True if a pointer to the end of an object is limited by the size that we chose for the object: every comparison
    of the two depends on this size."""
    return any(
        (isinstance(node, PointsInto) and node.slot is not None and node.is_bounded)
        or (isinstance(node, PointsTo) and any(element_of(one) is not None for one in node.others))
        for node in input_nodes(unit)
    )
