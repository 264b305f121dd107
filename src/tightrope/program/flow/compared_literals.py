"""Comparisons of addresses of string literals. Whether two equal literals are one object is the compiler's choice:

    const char *p = "none", *q = "none";        if (p == q) ...         either side is possible

A comparison counts if one side is the address of a literal for certain, and the other one may be: a literal, too, or a
pointer from elsewhere in a program that keeps, passes or returns addresses of literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Instruction, Program
from tightrope.program.ir.types import PointerType

_LITERAL = re.compile(r"@\.str(?:\.\d+)*(?![\w.])")
_SYMBOL = re.compile(rf"@{NAME}")
_MOVES = ("phi", "select", "getelementptr", "freeze")  # the result is one of the operands, or inside the same object


def find_compared_literals(program: Program, functions: Iterable[str]) -> Iterator[str]:
    """The functions, of those named, that compare such addresses, without the `@`."""
    known = [program.functions[name] for name in functions if name in program.functions]
    escapes = None
    for function in known:
        for sides in _compared(function):
            if not any(map(_is_literal, sides)):
                continue
            if escapes is None:
                escapes = any(_lets_escape(program, each) for each in known)
            if all(_is_literal(side) or (escapes and _is_from_elsewhere(side)) for side in sides):
                yield function.name[1:]
                break


def _compared(function: Function) -> Iterator[tuple[set[str], set[str]]]:
    """The roots of both sides of each comparison of two addresses."""
    if not any(_LITERAL.search(each.text) for each in function.instructions()):
        return
    definitions = {each.result: each for each in function.instructions() if each.result}
    for each in function.instructions():
        if each.opcode == "icmp" and isinstance(each.operands[0].type, PointerType):
            one, other = (_roots(value.text, definitions) for value in each.operands)
            yield one, other


def _roots(text: str, definitions: Mapping[str, Instruction]) -> set[str]:
    """Where a pointer may come from: constants, parameters, and results of other instructions."""
    roots, seen, left = set(), {text}, [text]
    while left:
        now = left.pop()
        made = definitions.get(now)
        if made is None or made.opcode not in _MOVES:
            roots.add(now)
            continue
        values = [value for value, _ in made.incoming] or list(made.operands)
        values = values[1:] if made.opcode == "select" else values[:1] if made.opcode == "getelementptr" else values
        fresh = {value.text for value in values} - seen
        seen |= fresh
        left += fresh
    return roots


def _is_literal(roots: set[str]) -> bool:
    return any(_LITERAL.search(root) for root in roots)


def _is_from_elsewhere(roots: set[str]) -> bool:
    return any(root.startswith("%") for root in roots)


def _lets_escape(program: Program, function: Function) -> bool:
    """Whether addresses of literals are kept in memory, passed to code of the program, returned, or in a table."""
    for each in function.instructions():
        if each.opcode in ("store", "ret") and any(_LITERAL.search(value.text) for value in each.operands[:1]):
            return True
        callee = program.functions.get(each.callee)
        if (callee is None or callee.is_defined) and any(_LITERAL.search(one.value.text) for one in each.arguments):
            return True
        for name in _SYMBOL.findall(each.text):
            if name in program.globals and _LITERAL.search(program.globals[name].initializer):
                return True
    return False
