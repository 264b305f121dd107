"""Values that a program in the style of Test-Comp draws with `__VERIFIER_nondet_*`.

There is one slot per function and draw: the third draw of all, if it is an int, is slot `__VERIFIER_nondet_int#3`. All
functions draw from one sequence. Which of them made which draw is an output; it is written at once, so that it is also
known for runs that crash. A draw costs nothing until it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tightrope.inputs.scalars import Input, Output, Scalar
from tightrope.inputs.shape import Elements, InputShape, Leaf, Root, slot_of
from tightrope.inputs.type_facts import scalar_of
from tightrope.inputs.wishes import Wishes
from tightrope.library.verifier_functions import ASSUME, ERRORS, NONDET
from tightrope.program.declarations.c_types import CEnum, CFunctionType, CPointer, CScalar, CTypes, CVoid, TypeId
from tightrope.program.declarations.declare import declare, is_spellable, parameter_list
from tightrope.program.declarations.interface import Interface, MissingFunction

DRAWS = "nondet"  # their path
MOST_DRAWS = 64  # that are inputs; later ones are zero
MANY_ZEROS, FEW_ZEROS = 100_000, 1_000  # after that many zeros the program ends; see `limits`
NO_MORE_INPUT = 1  # the exit status of such a run, as TestCov has it

_COUNT = Scalar("unsigned", 32, 4)
_POINTER = Scalar("unsigned", 64, 8)

NextSlot = Callable[[], int]


def is_drawn(root: Root) -> bool:
    """Whether the root has no storage: each of its leaves is a value that is produced when the program draws it."""
    return root.answers_of.startswith(NONDET)


def nondet_functions(interface: Interface) -> tuple[MissingFunction, ...]:
    """All functions for draws in the whole unit, because all of it is linked into a test."""
    return tuple(one for one in interface.verifier_functions if one.name.startswith(NONDET))


def drawn_type(ctypes: CTypes, function: MissingFunction) -> tuple[TypeId, Scalar] | None:
    """What a call returns; None for a type that no slot can hold."""
    kind = ctypes.strip(function.type)
    if not isinstance(kind, CFunctionType) or not is_spellable(ctypes, function.type):
        return None
    answer = ctypes.strip(kind.result)
    if isinstance(answer, CPointer):
        return kind.result, _POINTER
    scalar = scalar_of(answer) if isinstance(answer, CScalar | CEnum) else None
    return (kind.result, scalar) if scalar else None


def draw_roots(ctypes: CTypes, interface: Interface, wishes: Wishes, next_slot: NextSlot) -> Iterator[Root]:
    """One root per function that the unit can reach, with one leaf per draw."""
    most = wishes.for_path(DRAWS).count or MOST_DRAWS
    for one in nondet_functions(interface):
        found = drawn_type(ctypes, one)
        if found is not None and one.name in interface.undefined_functions:
            number, scalar = found
            leaves = tuple(Leaf(f"{one.name}#{at}", number, scalar, next_slot()) for at in range(1, most + 1))
            yield Root(one.name, Elements(DRAWS, number, leaves, most), True, one.name)


def draw_outputs(shape: InputShape, first: int) -> tuple[Output, ...]:
    """For each draw that is an input: which root it came from; then how many draws there were."""
    most = drawn_inputs(shape)
    paths = [f"nondet#{at}" for at in range(1, most + 1)] + ["number of draws"] * bool(most)
    return tuple(Output(number, path, _COUNT) for number, path in enumerate(paths, first))


def limits(shape: InputShape) -> tuple[int, int]:
    """The most draws: of a program that ends by itself when it draws only zeros, and of one that does not."""
    most = drawn_inputs(shape)
    return most + MANY_ZEROS, most + FEW_ZEROS


def _drawn(shape: InputShape) -> tuple[Root, ...]:
    return tuple(root for root in shape.roots if is_drawn(root))


def leaves_of(root: Root) -> tuple[Leaf, ...]:
    elements = root.shape.elements if isinstance(root.shape, Elements) else (root.shape,)
    return tuple(one for one in elements if isinstance(one, Leaf))


def drawn_inputs(shape: InputShape) -> int:
    """How many draws are inputs."""
    return min((len(leaves_of(root)) for root in _drawn(shape)), default=0)


@dataclass(frozen=True, slots=True)
class Draw:
    """One value that a run drew. After the last slot it is zero, and the function that drew it is not known."""

    scalar: Scalar
    raw: int
    type: TypeId | None = None
    slot: int | None = None


def draws_of(shape: InputShape, values: Input, outputs: Sequence[int | None]) -> tuple[Draw, ...]:
    """The draws of a run, in order; `outputs` are all outputs of the run."""
    roots, most = _drawn(shape), drawn_inputs(shape)
    if not most or len(outputs) <= most:
        return ()
    drawn = []
    for at, kind in enumerate(outputs[-most - 1 : -1]):
        if kind is None:
            break
        leaf = leaves_of(roots[kind])[at]
        drawn.append(Draw(leaf.scalar, values[slot_of(leaf)], leaf.type, leaf.slot))
    more = (outputs[-1] or 0) - len(drawn)
    return (*drawn, *[Draw(_COUNT, 0)] * more)


def drawn_slots(shape: InputShape) -> frozenset[int]:
    return frozenset(slot_of(leaf) for root in _drawn(shape) for leaf in leaves_of(root))


DrawBody = Callable[[CTypes, TypeId, Scalar], str]  # the body of a function that returns this


def has_draws(ctypes: CTypes, interface: Interface) -> bool:
    """All such functions of the whole unit, reachable or not."""
    return any(drawn_type(ctypes, one) is not None for one in nondet_functions(interface))


def define_verifier_functions(ctypes: CTypes, interface: Interface, draw: DrawBody, assume: str) -> Iterator[str]:
    """Head and body of each `__VERIFIER_` function that the program declares and does not define."""
    for one in interface.verifier_functions:
        kind = ctypes.strip(one.type)
        if isinstance(kind, CFunctionType) and is_spellable(ctypes, one.type):
            yield declare(ctypes, kind.result, f"({one.name})({parameter_list(ctypes, kind)})")
            drawn = drawn_type(ctypes, one) if one.name.startswith(NONDET) else None
            if drawn is not None:
                yield draw(ctypes, *drawn)
            elif one.name == ASSUME and kind.parameters:
                yield assume
            else:
                yield "{ abort(); }" if one.name in ERRORS else _return_zero(ctypes, kind)


def _return_zero(ctypes: CTypes, kind: CFunctionType) -> str:
    if isinstance(ctypes.strip(kind.result), CVoid):
        return "{ }"
    return f"{{ static {declare(ctypes, kind.result, 'tightrope_answer')}; return tightrope_answer; }}"


def define_for_driver(ctypes: CTypes, interface: Interface, shape: InputShape, first_output: int) -> Iterator[str]:
    """These functions for an instrumented run."""
    if not interface.verifier_functions:
        return
    yield "void abort(void);"
    yield from _draw_function(drawn_inputs(shape), first_output)
    kinds = {root.name: (kind, leaves_of(root)[0].slot) for kind, root in enumerate(_drawn(shape))}
    names = iter([one.name for one in nondet_functions(interface) if drawn_type(ctypes, one) is not None])

    def draw(ctypes: CTypes, number: TypeId, scalar: Scalar) -> str:
        kind, slot = kinds.get(next(names), (0, 0))  # an unreachable one draws nothing
        is_pointer = isinstance(ctypes.strip(number), CPointer)
        value = "unsigned long tightrope_value" if is_pointer else declare(ctypes, number, "tightrope_value")
        call = f"tightrope_draw(&tightrope_value, sizeof tightrope_value, {scalar.bits}, {kind}, {slot});"
        return f"{{ {value}; {call} return {'(void *)' * is_pointer}tightrope_value; }}"

    yield from define_verifier_functions(ctypes, interface, draw, "{ tightrope_assume((_Bool)(unused_1 != 0), 0); }")


def _draw_function(most: int, first_output: int) -> tuple[str, ...]:
    return (
        "void tightrope_beyond(void);",
        "void tightrope_limit(unsigned draws);",
        "static unsigned tightrope_draws;",
        "static void tightrope_draw(void *at, unsigned long size, unsigned bits, unsigned kind, unsigned first_slot)",
        "{",
        "    unsigned number = tightrope_draws;",
        "    tightrope_limit(number);",
        "    tightrope_draws++;",
        f"    tightrope_output({first_output + most}, &tightrope_draws, sizeof tightrope_draws);",
        "    __builtin_memset(at, 0, size);",
        f"    if (number >= {most}) {{",
        "        tightrope_beyond();",
        "        return;",
        "    }",
        f"    tightrope_output({first_output} + number, &kind, sizeof kind);",
        "    tightrope_input(first_slot + number, at, bits);",
        "}",
    )
