"""The values of constant expressions, as far as they can be told from the syntax alone.

What is not certain has no value: only the compiler knows `sizeof(struct s)`, for instance. `may_be_constant` tells
whether it is worth asking the compiler (folding.py).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from tightrope.program.c_text.syntax import SyntaxNode, walk

Number = int | float
Enumerators = Mapping[str, int]

_BITS = {
    "char": 8, "signed char": 8, "short": 16, "int": 32, "long": 64, "long long": 64, "__int128": 128,
    "unsigned char": -8, "unsigned short": -16, "unsigned int": -32, "unsigned long": -64, "unsigned long long": -64,
    "unsigned __int128": -128,
}  # fmt: skip
_SIZES = {
    "char": 1, "signed char": 1, "unsigned char": 1, "_Bool": 1, "bool": 1, "short": 2, "unsigned short": 2, "int": 4,
    "unsigned int": 4, "float": 4, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8,
}  # fmt: skip
_FLOATS = ("double",)  # `float` and `long double` round otherwise than Python does
_BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_ON_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_TRANSPARENT = frozenset(("ParenExpr", "ConstantExpr"))
_CASTS = frozenset(("ImplicitCastExpr", "CStyleCastExpr"))
_NUMBER_CASTS = frozenset(("IntegralCast", "IntegralToBoolean", "NoOp", "IntegralToFloating", "FloatingToBoolean"))

_NOT_EVALUATED = frozenset(
    ("UnaryExprOrTypeTraitExpr", "OffsetOfExpr", "TypeTraitExpr", "GenericSelectionExpr", "ChooseExpr", "ConstantExpr")
)
_ABOUT_CODE = frozenset(  # builtins that do not evaluate what they are asked about
    ("__builtin_constant_p", "__builtin_object_size", "__builtin_dynamic_object_size", "__builtin_classify_type")
)


def constant_value(node: SyntaxNode | None, enumerators: Enumerators) -> Number | None:
    """The value of an expression that has one whatever the program does; None when it cannot be told."""
    if node is None:
        return None
    if node.kind == "ConstantExpr" and node.value.lstrip("-").isdigit():
        return int(node.value)
    parts = [part for part in node.children if part is not None]
    if node.kind in _TRANSPARENT or (node.kind == "UnaryOperator" and node.opcode == "__extension__"):
        return constant_value(parts[0], enumerators) if parts else None
    if node.kind in _CASTS:
        inner = constant_value(parts[0], enumerators) if parts and node.opcode in _NUMBER_CASTS else None
        return None if inner is None else _as_type(inner, node.type)
    if node.kind == "UnaryOperator":
        return _unary(node, constant_value(parts[0], enumerators))
    if node.kind == "BinaryOperator":
        return _binary(node, parts, enumerators)
    if node.kind == "ConditionalOperator":
        chosen = constant_value(parts[0], enumerators)
        return None if chosen is None else constant_value(parts[1 if chosen else 2], enumerators)
    return _leaf(node, enumerators)


def _leaf(node: SyntaxNode, enumerators: Enumerators) -> Number | None:
    if node.kind == "IntegerLiteral":
        return int(node.value) if node.value.isdigit() else None
    if node.kind == "CharacterLiteral":  # clang tells the code; '\xff' is -1 where `char` is signed
        return int(node.value) if node.value.isdigit() and int(node.value) < 128 else None
    if node.kind == "CXXBoolLiteralExpr":
        return {"True": 1, "true": 1, "False": 0, "false": 0}.get(node.value)
    if node.kind == "FloatingLiteral" and node.type in _FLOATS:
        return float(node.value)
    if node.kind == "DeclRefExpr" and node.declares == "EnumConstantDecl":
        return enumerators.get(node.name)
    if node.kind == "UnaryExprOrTypeTraitExpr" and node.name == "sizeof":
        return _SIZES.get(node.argument)
    return None


def _unary(node: SyntaxNode, value: Number | None) -> Number | None:
    if value is None:
        return None
    if node.opcode == "!":
        return int(not value)
    if node.opcode in ("-", "+"):
        return _as_type(-value if node.opcode == "-" else value, node.type)
    return _as_type(~value, node.type) if node.opcode == "~" and isinstance(value, int) else None


def _binary(node: SyntaxNode, parts: list[SyntaxNode], enumerators: Enumerators) -> Number | None:
    left = constant_value(parts[0], enumerators)
    if node.opcode in ("&&", "||") and left is not None and bool(left) == (node.opcode == "||"):
        return int(bool(left))
    right = constant_value(parts[1], enumerators)
    if left is None or right is None:
        return None
    if node.opcode in ("&&", "||"):
        return int(bool(right))
    if node.opcode in _BINARY:
        return _as_type(_BINARY[node.opcode](left, right), node.type)
    if isinstance(left, int) and isinstance(right, int):
        return _on_integers(node, left, right)
    return None


def _on_integers(node: SyntaxNode, left: int, right: int) -> Number | None:
    """Division by zero and shifts by too much have no value."""
    if node.opcode in _ON_INTEGERS:
        return _as_type(_ON_INTEGERS[node.opcode](left, right), node.type)
    if node.opcode in ("/", "%") and right:
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return _as_type(quotient if node.opcode == "/" else left - quotient * right, node.type)
    if node.opcode in ("<<", ">>") and 0 <= right < abs(_BITS.get(node.type, 0)) and left >= 0:
        return _as_type(left << right if node.opcode == "<<" else left >> right, node.type)
    return None


def _as_type(value: Number, type_name: str) -> Number | None:
    """The value as that type holds it; None when that overflows or the type is not a basic one."""
    if type_name in ("_Bool", "bool"):
        return int(bool(value))
    if type_name in _FLOATS:
        return float(value) if abs(value) < 1 << 53 else None
    bits = _BITS.get(type_name)
    if bits is None or isinstance(value, float) or (type_name == "char" and not 0 <= value < 128):
        return None  # whether `char` has a sign is a flag of the compiler
    if bits < 0:
        return int(value) & ((1 << -bits) - 1)
    return int(value) if -(1 << (bits - 1)) <= value < 1 << (bits - 1) else None


def may_be_constant(node: SyntaxNode) -> bool:
    """Could the compiler know a value of the expression? False only if it certainly does not: the expression reads an
    object that may change, changes one, or calls a function without arguments."""
    parts = [part for part in node.children if part is not None]
    if node.kind in _NOT_EVALUATED:
        return True
    if node.kind == "ConditionalOperator":
        return may_be_constant(parts[0]) and any(map(may_be_constant, parts[1:]))
    if node.kind == "BinaryOperator" and node.opcode in ("&&", "||"):
        return may_be_constant(parts[0])  # the other operand may not be evaluated
    if node.kind == "CallExpr":
        if _callee(node) in _ABOUT_CODE:
            return True
        return bool(parts[1:]) and all(map(may_be_constant, parts[1:]))
    if node.opcode == "LValueToRValue" and _may_change(node):
        return False
    is_change = node.kind == "CompoundAssignOperator" or node.opcode in ("=", "++", "--")
    return not is_change and all(map(may_be_constant, parts))


def asked_of_optimiser(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Each `__builtin_constant_p(n)` in it. Where that is not certainly true, the optimiser decides about it."""
    return (each for each in walk(node) if each.kind == "CallExpr" and _callee(each) == "__builtin_constant_p")


def _callee(call: SyntaxNode) -> str:
    called = call.children[0]
    if called is None:
        return ""
    return called.name or next((each.name for each in walk(called) if each.kind == "DeclRefExpr"), "")


def _may_change(read: SyntaxNode) -> bool:
    if "volatile" in read.children[0].type if read.children and read.children[0] else "":
        return True
    read_from = (each for each in walk(read) if each.declares in ("VarDecl", "ParmVarDecl"))
    return any(each.declares == "ParmVarDecl" or "const" not in each.type.rpartition("*")[2] for each in read_from)
