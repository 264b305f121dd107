"""What the types alone say about the value of an integer expression: bounds that hold in every run.

(unsigned char)c    0 .. 255        literals    themselves        a < b    0 .. 1        e & 7    0 .. 7

An operation of two such values has bounds, too, where it cannot overflow: of unsigned char, a + b is 0 .. 510.
"""

from __future__ import annotations

from tightrope.coverage.labelling.arithmetic import Arithmetic, arithmetic
from tightrope.coverage.labelling.predicates import is_truth
from tightrope.program.c_text.syntax import SyntaxNode

Bounds = tuple[int, int]

_BITS = {1: 8, 2: 16, 3: 32, 4: 64, 5: 64}  # by rank; long has 32 on some targets, which are within these


def find_bounds(node: SyntaxNode) -> Bounds | None:
    """The least and the greatest value; None for what is no integer."""
    if is_truth(node):
        return 0, 1
    kind = arithmetic(node.type)
    if kind is None or kind.is_real:
        return None
    own = _bounds_of_type(kind)
    inner = _inner_bounds(node)
    return inner if inner and own[0] <= inner[0] and inner[1] <= own[1] else own


def _bounds_of_type(kind: Arithmetic) -> Bounds:
    bits = _BITS[kind.rank]
    if kind.name == "char":
        return -128, 255  # signed or not
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.is_signed else (0, (1 << bits) - 1)


def _inner_bounds(node: SyntaxNode) -> Bounds | None:
    first = node.children[0] if node.children else None
    match node.kind:
        case "IntegerLiteral" | "CharacterLiteral":
            return (int(node.value),) * 2 if node.value.lstrip("-").isdigit() else None
        case "ParenExpr":
            return find_bounds(first) if first else None
        case "ImplicitCastExpr" | "CStyleCastExpr" if node.opcode in ("IntegralCast", "NoOp", "LValueToRValue"):
            return find_bounds(first) if first else None
        case "BinaryOperator":
            both = [find_bounds(each) if each else None for each in node.children]
            return _combined(node.opcode, both[0], both[1])
    return None


def _combined(opcode: str, left: Bounds | None, right: Bounds | None) -> Bounds | None:
    """Bounds of an operation, unless it overflows; None if nothing is known."""
    if opcode == "&":
        masks = [each[1] for each in (left, right) if each and each[0] >= 0]
        return (0, min(masks)) if masks else None
    if left is None or right is None:
        return None
    match opcode:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            products = [one * other for one in left for other in right]
            return min(products), max(products)
        case "/" if left[0] >= 0 and right[0] > 0:
            return left[0] // right[1], left[1] // right[0]
        case "%" if right[0] > 0:
            most = right[1] - 1
            return (0, min(most, left[1])) if left[0] >= 0 else (-most, most)
        case ">>" if left[0] >= 0 and right[0] >= 0:
            return left[0] >> right[1], left[1] >> right[0]
        case "|" | "^" if left[0] >= 0 and right[0] >= 0:
            return 0, (1 << max(left[1], right[1]).bit_length()) - 1
    return None


def may_hold(left: SyntaxNode, relation: str, right: SyntaxNode) -> bool:
    """False if no values within the bounds are in this relation."""
    one, other = find_bounds(left), find_bounds(right)
    if one is None or other is None:
        return True
    match relation:
        case "<":
            return one[0] < other[1]
        case "<=":
            return one[0] <= other[1]
        case ">":
            return one[1] > other[0]
        case ">=":
            return one[1] >= other[0]
        case "==":
            return one[0] <= other[1] and other[0] <= one[1]
    return not one[0] == one[1] == other[0] == other[1]
