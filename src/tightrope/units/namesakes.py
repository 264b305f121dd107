"""Functions that only share a name with a function of the C library: GNU make has its own `error` with other
parameters. They are missing functions like any other.

Only the kinds of the parameters are compared, not their widths: old programs declare `int read(int, char *, int)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tightrope.library.libc_models import MODELLED, PREFIX
from tightrope.program.ir.model import Program
from tightrope.program.ir.types import FloatType, FunctionType, IntType, PointerType, Type

ANY = "..."  # of a function that is declared without its parameters, or in an unknown way


def find_namesakes(program: Program) -> frozenset[str]:
    """C names of functions without a body that are not the library functions of the same names."""
    undefined = {name[1:]: one for name, one in program.functions.items() if not one.is_defined}
    return frozenset(
        name
        for name, one in undefined.items()
        if name in MODELLED and ANY not in (declared := declared_kinds(one.type)) and declared != modelled_kinds(name)
    )


def declared_kinds(kind: FunctionType) -> str:
    """A letter per parameter: `p` an address, `f` a float, `i` an integer; a dot for what may follow."""
    if kind.is_variadic and not kind.parameters:
        return ANY
    return "".join(_letter(one) for one in kind.parameters) + "." * kind.is_variadic


def _letter(kind: Type) -> str:
    if isinstance(kind, PointerType):
        return "p"
    if isinstance(kind, FloatType):
        return "f"
    return "i" if isinstance(kind, IntType) else ANY


@cache
def modelled_kinds(name: str) -> str:
    """The same for a model, as its C says."""
    text = MODELLED[name].path.read_text(encoding="utf-8")
    found = re.search(rf"^\w[^;=\n]*\b{PREFIX}{name}(\([^;{{]*?\))\s*\{{", text, re.MULTILINE)
    assert found is not None, name
    written = [one.strip() for one in _split(found[1][1:-1])]
    return "" if written == ["void"] else "".join(_letter_of_text(one) for one in written)


def _letter_of_text(parameter: str) -> str:
    if parameter == "...":
        return "."
    if "*" in parameter or "va_list" in parameter:
        return "p"
    return "f" if re.match(r"(float|double)\b", parameter) else "i"


def _split(text: str) -> Iterator[str]:
    """At the commas that are in no parentheses."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]
