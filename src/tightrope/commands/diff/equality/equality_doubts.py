"""What keeps a proof about all inputs of a shape from being one about all callers: the counterpart of doubts.py for two
versions that no input of the shape tells apart.

Each doubt is a sentence that goes on after "no input of this shape tells them apart, but ...".
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.commands.diff.comparing.correspondence import Correspondence, replaced_functions
from tightrope.inputs.stub_answers import describe_stubs
from tightrope.library.verifier_functions import NONDET
from tightrope.program.flow.call_graph import reachable_functions
from tightrope.soundness.shape_limits import has_near_end, input_nodes, is_restriction, may_share_objects, never_failing
from tightrope.units.prepared import PreparedUnit

CTORS = ("@llvm.global_ctors", "@llvm.global_dtors")


def find_doubts(old: PreparedUnit, new: PreparedUnit) -> tuple[str, ...]:
    """None: what holds for the shape holds for all callers."""
    found = (doubt for unit in (old, new) for doubt in _doubts(unit))
    return tuple(dict.fromkeys([*_other_starts(old, new), *_moved(old, new), *found]))


def _moved(old: PreparedUnit, new: PreparedUnit) -> Iterator[str]:
    """Functions that one version has a stub for."""
    match = Correspondence.of(old, new)
    for mine, other in ((match.old, match.new), (match.new, match.old)):
        for name in replaced_functions(mine, other):
            yield f"`{name}` is defined in one version only"


def _other_starts(old: PreparedUnit, new: PreparedUnit) -> Iterator[str]:
    """Variables that are inputs, so that every test sets them; a program finds them as they are initialised."""
    theirs = {one.name: new.program.globals.get(one.ir_name) for one in new.interface.globals}
    for one in old.interface.globals:
        mine, other = old.program.globals.get(one.ir_name), theirs.get(one.name)
        if mine is not None and other is not None and mine.initializer != other.initializer:
            yield f"`{one.name}` is initialised otherwise, and every test sets it"


def _doubts(unit: PreparedUnit) -> Iterator[str]:
    yield from _world(unit)
    yield from _callers(unit)


def _world(unit: PreparedUnit) -> Iterator[str]:
    """What is no input, and may be otherwise all the same."""
    if _is_volatile(unit):
        yield "it reads or writes volatile data"
    for name in unit.interface.inherited_state:
        yield f"what `{name}` holds from call to call is not compared"
    if unit.interface.reads_arguments:
        yield "it looks at the arguments of `main`"
    if any(name in unit.program.globals for name in CTORS):
        yield "functions run before and after the program, which no run of ours does"
    if any(one.name.startswith(NONDET) for one in unit.interface.verifier_functions):
        yield "a program may draw more values than were tried"
    stubbed = {stub.name for stub in unit.shape.stubs}
    for function in unit.interface.reached_missing:
        if function.name not in stubbed:
            yield f"`{function.name}` has no body here"


def _callers(unit: PreparedUnit) -> Iterator[str]:
    """What a caller could do beyond the shape."""
    for name in never_failing(unit):
        yield f"`{name}` always has memory here"
    if may_share_objects(unit):
        yield "a caller could let pointers share memory in ways that were not tried"
    if has_near_end(unit):
        yield "it may feel where the objects end into which its pointers lead"
    for node in input_nodes(unit):
        if is_restriction(node):
            yield f"a caller could give more for `{node.path}`"
    stubs = set(describe_stubs(unit.ctypes, unit.shape.stubs))
    yield from (note for note in unit.shape.notes if note not in stubs)


def _is_volatile(unit: PreparedUnit) -> bool:
    return any(
        instruction.opcode in ("load", "store") and instruction.flags & {"volatile", "atomic"}
        for name in reachable_functions(unit.program, unit.function.name)
        for block in unit.program.functions[name].blocks
        for instruction in block.instructions
    )
