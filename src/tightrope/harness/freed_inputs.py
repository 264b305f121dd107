"""A unit may free what it is given, which is static in a driver and in a written test: `free` must not see it.

So the unit's own calls of `free` come to a function of the file that includes the unit. In a driver, that one tells
the runtime; in a test, it knows static objects by where the linker put them. Other files of the program call the
library's, to which a static object is no block of the heap.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.inputs.shape import InputShape, PointsTo, walk
from tightrope.program.declarations.interface import Interface

_REDIRECTION = 'void free(void *) __asm__("tightrope_stub_free");'
_IN_DRIVER = """\
void tightrope_free(void *block);
void (free)(void *block)
{
    tightrope_free(block);
}
"""
_IN_TEST = """\
/* The unit may free what it is given; here, that is no block of the heap. */
extern char tightrope_static_start[] __asm__("_etext"), tightrope_static_end[] __asm__("_end");
void tightrope_real_free(void *) __asm__("free");
void (free)(void *block)
{
    if ((char *)block < tightrope_static_start || (char *)block >= tightrope_static_end)
        tightrope_real_free(block);
}
"""


def may_free_inputs(interface: Interface, shape: InputShape) -> bool:
    nodes = (node for root in shape.roots for node, _ in walk(root.shape, root.name, str))
    return interface.frees and any(isinstance(node, PointsTo) for node in nodes)


def redirect_free(interface: Interface, shape: InputShape) -> Iterator[str]:
    """Before the unit is included."""
    if may_free_inputs(interface, shape):
        yield _REDIRECTION


def define_free(interface: Interface, shape: InputShape, *, is_driver: bool) -> Iterator[str]:
    """After it."""
    if may_free_inputs(interface, shape):
        yield _IN_DRIVER if is_driver else _IN_TEST
