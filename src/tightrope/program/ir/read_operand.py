"""Text -> operands: values, call arguments and parameters with their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tightrope.program.ir.lexer import NAME, find_close
from tightrope.program.ir.model import Argument, Value
from tightrope.program.ir.read_type import SIMPLE, STARTS, parse_type, read_type
from tightrope.program.ir.types import OtherType

_ATTRIBUTE = re.compile(r'\s*(?:([a-z_][\w]*)|("[^"]*"(?:="[^"]*")?))')
_ALIGNMENT = re.compile(r" \d+")

_CONSTANT_WORDS = frozenset(
    "true false null undef poison zeroinitializer none splat blockaddress dso_local_equivalent no_cfi ptrauth asm"
    " getelementptr ptrtoint ptrtoaddr inttoptr bitcast addrspacecast trunc zext sext fptrunc fpext uitofp sitofp"
    " fptoui fptosi add sub mul shl lshr ashr and or xor icmp fcmp select extractelement insertelement"
    " shufflevector c".split()
)


@lru_cache(maxsize=1 << 16)
def read_value(text: str) -> Value:
    """`i32 %x`: a type, then the value. Constant expressions are kept whole."""
    word, _, rest = text.partition(" ")
    simple = SIMPLE.get(word)
    if simple is not None and rest[:1] not in ("a", "("):  # neither `ptr addrspace(1)` nor a function type
        return Value(simple, rest)
    kind, end = read_type(text, 0)
    return Value(kind, text[end:].strip())


@lru_cache(maxsize=1 << 16)
def read_argument(text: str) -> Argument:
    """`ptr noundef byval(%struct.big) align 8 %b`; a declaration leaves the value out."""
    word, _, rest = text.partition(" ")
    simple = SIMPLE.get(word)
    if simple is not None and (rest[:1] in "%@-" or rest.isdigit()):
        return Argument(Value(simple, rest))
    kind, at = read_type(text, 0)
    if kind == OtherType("metadata"):
        return Argument(Value(kind, text[at:].strip()))
    found = tuple(attributes(text, at))
    passed = {name: parse_type(inner) for name, inner, _ in found if name in ("byval", "sret")}
    value = text[found[-1][2] if found else at :].strip()
    return Argument(Value(kind, value), passed.get("byval"), passed.get("sret"))


def attributes(text: str, at: int) -> Iterator[tuple[str, str, int]]:
    """Every attribute from here on, what its brackets hold, and where it ends.

    Any lower-case word that cannot begin a constant is one, so that attributes which LLVM invents later
    are skipped all the same.
    """
    while found := _ATTRIBUTE.match(text, at):
        name, at, inner = found.group(1) or "", found.end(), ""
        if name in _CONSTANT_WORDS:
            return
        if text.startswith("(", at):
            close = find_close(text, at)
            inner, at = text[at + 1 : close], close + 1
        elif name in ("align", "cc") and (number := _ALIGNMENT.match(text, at)):
            at = number.end()
        yield name, inner, at


def skip_attributes(text: str, at: int = 0) -> int:
    """Where the type begins that stands after linkage, calling convention and attributes."""
    if STARTS.match(text, at):
        return at
    for _, _, end in attributes(text, at):
        if STARTS.match(text, end + 1):
            return end + 1
    raise ValueError(f"no type in: {text}")


_CALLEE = re.compile(rf"[%@]{NAME}")
_ASSEMBLY = re.compile(r'asm (?:[a-z]+ )*"[^"]*", "[^"]*"')
_EXPRESSION_WORD = re.compile(rf"[a-z_]+|[%@]{NAME}")


def read_callee(text: str, at: int) -> tuple[str, int]:
    """What is called, and where the bracket of its arguments opens."""
    found = _CALLEE.match(text, at) or _ASSEMBLY.match(text, at)
    if found:
        return found.group(), found.end()
    end = _end_of_expression(text, at)
    return text[at:end], end


def _end_of_expression(text: str, at: int) -> int:
    """The end of a constant such as `inttoptr (i64 8 to ptr)`, `no_cfi @f` or `null`."""
    end = at
    while found := _EXPRESSION_WORD.match(text, end):
        end = found.end()
        if text.startswith(" (", end):
            return find_close(text, end + 1) + 1
        if text.startswith("(", end):
            return end
        end += 1
    raise ValueError(f"nothing to call at: {text[at:]}")
