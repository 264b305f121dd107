"""Definitions of what linked files leave to yet other files, for the driver and for written tests.

The unit has no declaration of these, or has one that we do not know: they get names of our own, and an assembler name
that the linker sees. Functions do nothing and answer zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.program.declarations.interface import Interface


def define_loose_data(interface: Interface, attribute: str = "") -> Iterator[str]:
    for number, one in enumerate(interface.loose, 1):
        if one.size:
            name = f"tightrope_loose_{number}"
            yield f'extern char {name}[{one.size}] __asm__("{one.name}");'
            yield f"{attribute}__attribute__((aligned(16))) char {name}[{one.size}];"


def define_loose_functions(interface: Interface, attribute: str = "") -> Iterator[str]:
    """The weaver answers zero for every function without a body, so that the driver needs none of these."""
    for number, one in enumerate(interface.loose, 1):
        if one.answer:
            name = f"tightrope_loose_{number}"
            yield f'{one.answer} {name}(void) __asm__("{one.name}");'
            body = "{ }" if one.answer == "void" else "{ return 0; }"
            yield f"{attribute}{one.answer} {name}(void) {body}"
