"""Arguments of calls of stubs: told to the runtime (`tightrope_note_number(1, argument_1);`), or, for the comparison of
two versions of a program, recorded by the stub itself.

    static int tightrope_arguments_send_1[4];               of each call that has an answer of its own; later ones take
    ...                                                     the place of the last
    tightrope_arguments_send_1[tightrope_call] = argument_1;

For a pointer, the stub records the address. It does not record structures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.shape import FixedPointer, Leaf, Root
from tightrope.inputs.type_facts import scalar_of
from tightrope.program.declarations.c_types import CEnum, CFunctionType, CPointer, CRecord, CScalar, CTypes, TypeId
from tightrope.program.declarations.declare import declare, is_spellable, is_variable_arguments
from tightrope.program.declarations.stubs import Stub

NO_CALL = "nobody has called yet"


@dataclass(frozen=True, slots=True)
class KeptArgument:
    """One argument of a stub that is recorded."""

    position: int  # from 1
    type: TypeId
    scalar: Scalar | None  # None: a pointer


def kept_arguments(ctypes: CTypes, stub: Stub) -> tuple[KeptArgument, ...]:
    """The arguments that a stub records; none unless `keeps_arguments` is set."""
    kind = ctypes.strip(stub.type)
    if not stub.keeps_arguments or stub.like or stub.never_returns or not isinstance(kind, CFunctionType):
        return ()
    found = (_argument(ctypes, position, number) for position, number in enumerate(kind.parameters, 1))
    return tuple(one for one in found if one)


def _argument(ctypes: CTypes, position: int, number: TypeId) -> KeptArgument | None:
    kind = ctypes.strip(number)
    if isinstance(kind, CPointer):
        is_data = not isinstance(ctypes.strip(kind.target), CFunctionType)
        return (
            KeptArgument(position, number, None) if is_data and not is_variable_arguments(ctypes, kind.target) else None
        )
    scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
    return KeptArgument(position, number, scalar) if scalar and is_spellable(ctypes, number) else None


def argument_roots(ctypes: CTypes, stub: Stub) -> Iterator[Root]:
    """Roots that are observed and are not inputs."""
    for one in kept_arguments(ctypes, stub):
        for call in range(stub.answers):
            path = f"{stub.path}::argument_{one.position}#{call + 1}"
            shape = Leaf(path, one.type, one.scalar) if one.scalar else FixedPointer(path, one.type, NO_CALL)
            yield Root(f"{_place(stub, one)}[{call}]", shape, is_global=True, answers_of=stub.path, is_counter=True)


def declare_arguments(ctypes: CTypes, stub: Stub) -> Iterator[str]:
    for one in kept_arguments(ctypes, stub):
        place = f"{_place(stub, one)}[{stub.answers}]"
        plain = declare(ctypes, one.type, place)
        yield f"static {plain if one.scalar else f'const volatile void *{place}'};"


def keep_arguments(ctypes: CTypes, stub: Stub, call: str) -> Iterator[str]:
    """C that records the arguments; `call` is the variable with the number of the call."""
    for one in kept_arguments(ctypes, stub):
        yield f"{_place(stub, one)}[{call}] = argument_{one.position};"


def note_argument(ctypes: CTypes, position: int, number: TypeId) -> str:
    """C that tells the runtime one argument of a call; '' for a type that no test compares."""
    kind, name = ctypes.strip(number), f"argument_{position}"
    if isinstance(kind, CPointer) and not is_variable_arguments(ctypes, kind.target):
        if isinstance(ctypes.strip(kind.target), CFunctionType):
            return f"tightrope_note_number({position}, (unsigned long){name});"
        return f"tightrope_note_pointer({position}, (const volatile void *){name});"
    if isinstance(kind, CRecord):
        return f"tightrope_note_bytes({position}, (const void *)&{name}, sizeof {name});"
    scalar = scalar_of(kind) if isinstance(kind, CScalar | CEnum) else None
    if scalar is None:
        return ""
    what, cast = ("real", "double") if scalar.kind == "float" else ("number", "unsigned long long")
    return f"tightrope_note_{what}({position}, ({cast}){name});"


def _place(stub: Stub, one: KeptArgument) -> str:
    return f"tightrope_arguments_{stub.word}_{one.position}"
