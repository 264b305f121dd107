"""What a written test gives to a whole program: the values that it draws with `__VERIFIER_nondet_*`, and its input.

static const union tightrope_draw draws[] = {{.number = -3}, {.real = 0.5}};
DRAWS(draws);
PROVIDE_INPUT("12\\n");
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.inputs.draws import (
    NO_MORE_INPUT,
    Draw,
    define_verifier_functions,
    draws_of,
    has_draws,
    is_drawn,
)
from tightrope.inputs.scalars import Scalar, c_literal
from tightrope.inputs.whole_program import stdin_text
from tightrope.program.declarations.c_types import CPointer, CTypes, TypeId
from tightrope.program.declarations.declare import declare
from tightrope.suite.case import Case, Suite
from tightrope.suite.writers.c_values import wrap

_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 63: "\\?", 92: "\\\\"}


def define_program_functions(suite: Suite, attribute: str) -> Iterator[str]:
    """Bodies for the functions that a program expects its environment to define."""
    functions = suite.interface.verifier_functions
    if not functions:
        return
    yield from ("void exit(int status);", "void abort(void);")
    if has_draws(suite.ctypes, suite.interface):
        yield _NEXT_DRAW.replace("STATUS", str(NO_MORE_INPUT))

    def draw(ctypes: CTypes, number: TypeId, scalar: Scalar) -> str:
        cast = "void *" if isinstance(ctypes.strip(number), CPointer) else declare(ctypes, number, "").strip()
        return f"{{ return ({cast})tightrope_next_draw().{_member(scalar)}; }}"

    body = "{ if (!unused_1) abort(); }"
    for line in define_verifier_functions(suite.ctypes, suite.interface, draw, body):
        yield line if line.startswith("{") else attribute + line


_NEXT_DRAW = """\
/* The values that the program draws, in the order of its calls: first the given ones, then zeros; after `count` values
   the program exits. */
union tightrope_draw { long long number; unsigned long long count; double real; };
static const union tightrope_draw *tightrope_draws;
static unsigned tightrope_draws_given, tightrope_draws_left;
#define DRAWS(count, values) \\
    (tightrope_draws = (values), tightrope_draws_given = sizeof(values) / sizeof *(values), \\
     tightrope_draws_left = (count))
static union tightrope_draw tightrope_next_draw(void)
{
    union tightrope_draw next = {0};
    if (tightrope_draws_left-- == 0)
        exit(STATUS);
    if (tightrope_draws_given > 0) {
        next = *tightrope_draws++;
        tightrope_draws_given--;
    }
    return next;
}"""


def _member(scalar: Scalar) -> str:
    if scalar.kind == "float":
        return "real"
    return "count" if scalar.kind == "unsigned" else "number"


def provide(suite: Suite, case: Case) -> Iterator[str]:
    """The lines of a test before its call."""
    text = stdin_text(suite.shape, case.input)
    if text is not None:
        yield f'    PROVIDE_INPUT("{_escaped(text)}");'
    if not any(is_drawn(root) for root in suite.shape.roots):
        return
    drawn = draws_of(suite.shape, case.input, case.outputs)
    values = ", ".join(_value(draw) for draw in drawn if draw.slot is not None) or "{0}"
    yield from wrap(f"    static const union tightrope_draw draws[] = {{{values}}};")
    yield f"    DRAWS({len(drawn)}, draws);"


def _value(draw: Draw) -> str:
    return f"{{.{_member(draw.scalar)} = {c_literal(draw.scalar, draw.raw)}}}"


def _escaped(text: bytes) -> str:
    """The bytes inside a string literal; octal escapes have three digits, so that a digit may follow."""
    return "".join(_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in text)
