"""Definitions and uses: the last definition of each variable is stored, and a use reports which one it was.

    call void @tightrope_reach(i32 4)      store i32 5, ptr %tr.definition.2        definition 4 of the variable
    call void @tightrope_reach(i32 9)      %tr.7 = load i32, ptr %tr.definition.2   use 9: is it from definition 4?
                                           %tr.8 = icmp eq i32 %tr.7, 5
                                           hit the point of this flow if %tr.8

The memory is the function's own, so that recursion keeps its definitions apart. 0 stands for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tightrope.program.flow.points import Points
from tightrope.program.ir.model import Function, Instruction
from tightrope.program.marks.data_flow import reached
from tightrope.program.marks.marks import Marks

Hit = Callable[[str, int], list[str]]  # an i1 and a point -> lines that hit the point if it is true


def flow_locals(function: Function, marks: Marks) -> list[str]:
    """The lines at the entry that give each followed variable its memory."""
    followed = {marks.accesses[flow.use].variable for flow in marks.flows if flow.function == function.name}
    slots = [_slot(marks, variable) for variable in sorted(followed)]
    return [line for slot in slots for line in (f"{slot} = alloca i32", f"store i32 0, ptr {slot}")]


def flow_code(mark: Instruction, marks: Marks, points: Points, fresh: Callable[[], str], hit: Hit) -> list[str]:
    """The lines that stand for one mark. A definition without a use still ends older ones."""
    number = reached(mark)
    assert number is not None
    access = marks.accesses[number]
    if not any(marks.accesses[flow.use].variable == access.variable for flow in marks.flows):
        return []
    if access.is_definition:
        return [f"store i32 {number + 1}, ptr {_slot(marks, access.variable)}"]
    return list(_use_code(number, marks, points, fresh, hit))


def _use_code(number: int, marks: Marks, points: Points, fresh: Callable[[], str], hit: Hit) -> Iterator[str]:
    for flow, point in zip(marks.flows, points.flows, strict=True):
        if flow.use == number:
            last, is_it = fresh(), fresh()
            yield f"{last} = load i32, ptr {_slot(marks, marks.accesses[number].variable)}"
            yield f"{is_it} = icmp eq i32 {last}, {flow.definition + 1}"
            yield from hit(is_it, point)


def _slot(marks: Marks, variable: str) -> str:
    """The memory of a variable, named by its first access."""
    first = next(number for number, each in enumerate(marks.accesses) if each.variable == variable)
    return f"%tr.definition.{first}"
