"""A call from any state, for proofs about sequences of any length (`engines/call_induction.py`):

tightrope_forget_state();      every variable of the program holds an unconstrained value
step(...);
tightrope_note_state();        what became of them
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from tightrope.encoding.constants import NotEncodedError
from tightrope.encoding.encoding import StateCell, StateStep
from tightrope.encoding.frame import Frame, Handler
from tightrope.encoding.values import PIECE, Object, Scalar
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term
from tightrope.program.ir.model import Global, Instruction
from tightrope.program.ir.types import FloatType, IntType, Type

MOST_CELLS = 256  # of one variable; the bytes of a larger one are made when they are read
MOST_NOTED = 48  # of one variable: more are data, not state
_OURS = ("@tightrope_", "@llvm.")
_WIDTHS = (8, 16, 32, 64)


def _forget_state(frame: Frame, call: Instruction) -> None:
    for one in frame.walk.subject.program.globals.values():
        if one.is_defined and not one.is_constant and not one.name.startswith(_OURS):
            found = list(_forget(frame, one))
            frame.walk.forgotten += found if len(found) <= MOST_NOTED else []


def _forget(frame: Frame, one: Global) -> Iterator[tuple[Object, int, int, Term]]:
    """Yields its integers: offset, initial value, any value."""
    layout, table, memory = frame.walk.constants.layout, frame.table, frame.state.memory
    where, leaves = frame.walk.constants.object_of(one.name), layout.leaves(one.type)
    if len(leaves) > MOST_CELLS:
        if not all(isinstance(kind, IntType | FloatType) for kind, _ in leaves):
            raise NotEncodedError(f"the state of `{one.name[1:]}`, which is large and has pointers")
        where.initial, where.make_byte = {}, lambda: frame.walk.anything(8)
        return
    for kind, offset in leaves:
        size = layout.store_size_of(kind)
        first, value = memory.read(table, where, offset, size), _anything(frame, kind, 8 * size)
        if value is PIECE:
            for at in range(size):
                memory.write(table, where, offset + at, 1, PIECE)
            continue
        memory.write(table, where, offset, size, value)
        if _is_integer(first) and first.op is Op.CONSTANT and _is_integer(value):
            yield where, offset, first.number, value


def _anything(frame: Frame, kind: Type, bits: int) -> Scalar:
    """An unconstrained number; a pointer, which could lead anywhere, is not encoded."""
    if bits in _WIDTHS and isinstance(kind, IntType):
        return frame.walk.anything(bits)
    if isinstance(kind, FloatType) and bits in (32, 64):
        return frame.walk.anything(bits, True)
    return PIECE


def _is_integer(value: Scalar | None) -> TypeGuard[Term]:
    return isinstance(value, Term) and not value.is_float


def _note_state(frame: Frame, call: Instruction) -> None:
    cells = []
    for where, offset, initial, before in frame.walk.forgotten:
        after = frame.state.memory.read(frame.table, where, offset, before.bits // 8)
        if _is_integer(after):
            cells.append(StateCell(where.name, initial, before, after))
    frame.walk.step = StateStep(tuple(cells), frame.state.reach)


ANY_STATE: dict[str, Handler] = {
    "@tightrope_forget_state": _forget_state,
    "@tightrope_note_state": _note_state,
}
