"""Terms for people, C-like: `x + 1 <s 3`.

Signedness belongs to the operator, as in the solver, so an operator that reads its operands as signed carries an
`s` (`<s`, `/s`) and one that reads them as unsigned a `u`. Constants next to a signed operator, and those close to
2**bits, print as negative numbers. Long terms are cut: this is for messages, not for reading back.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.expr import ieee
from tightrope.expr.evaluate import signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk

LONGEST = 2_000  # characters of one printed operand before it is cut

_TIGHTEST = 100
_INFIX: dict[Op, tuple[str, int]] = {  # spelling, precedence as in C
    Op.MUL: ("*", 13),
    Op.UDIV: ("/u", 13),
    Op.SDIV: ("/s", 13),
    Op.UREM: ("%u", 13),
    Op.SREM: ("%s", 13),
    Op.F_MUL: ("*", 13),
    Op.F_DIV: ("/", 13),
    Op.ADD: ("+", 12),
    Op.SUB: ("-", 12),
    Op.F_ADD: ("+", 12),
    Op.F_SUB: ("-", 12),
    Op.SHL: ("<<", 11),
    Op.LSHR: (">>u", 11),
    Op.ASHR: (">>s", 11),
    Op.ULT: ("<u", 10),
    Op.ULE: ("<=u", 10),
    Op.SLT: ("<s", 10),
    Op.SLE: ("<=s", 10),
    Op.F_LT: ("<", 10),
    Op.F_LE: ("<=", 10),
    Op.EQ: ("==", 9),
    Op.F_EQ: ("==", 9),
    Op.F_SAME: ("===", 9),
    Op.AND: ("&", 8),
    Op.XOR: ("^", 7),
    Op.OR: ("|", 6),
}
_LOGICAL = {Op.AND: ("&&", 5), Op.OR: ("||", 4), Op.XOR: ("!=", 9)}
_NEGATED = {Op.EQ: "!=", Op.F_EQ: "!="}
_TERNARY = 3
_UNARY = 14

Names = Callable[[int], str]
Piece = tuple[str, int]  # text and how tightly it binds


def show(term: Term, name: Names = "slot{}".format) -> str:
    """`term` as one line; `name` gives a slot's name in the C source."""
    pieces: dict[Term, Piece] = {}
    for each in walk(term):
        text, precedence = _piece(each, pieces, name)
        pieces[each] = (text if len(text) <= LONGEST else f"{text[:LONGEST]}...", precedence)
    return pieces[term][0]


def _piece(term: Term, pieces: dict[Term, Piece], name: Names) -> Piece:
    args = [pieces[arg] for arg in term.args]
    if term.op is Op.INPUT:
        return name(term.number), _TIGHTEST
    if term.op is Op.CONSTANT:
        return _constant(term), _TIGHTEST
    if term.op is Op.NOT:
        return _negation(term, pieces)
    if term.op in _INFIX:
        return _infix(term, args)
    if term.op is Op.ITE:
        return f"{_inside(args[0], _TERNARY + 1)} ? {args[1][0]} : {_inside(args[2], _TERNARY)}", _TERNARY
    return _other(term, args)


def _constant(term: Term) -> str:
    if term.is_float:
        return repr(ieee.to_python(term.number, term.bits)) + ("f" if term.bits == 32 else "")
    value = signed(term.number, term.bits) if term.bits > 1 else term.number
    return str(value if -4096 <= value < 0 or term.number < 1 << 16 else hex(term.number))


def _negation(term: Term, pieces: dict[Term, Piece]) -> Piece:
    inner = term.args[0]
    if inner.op in _NEGATED:
        left, right = (pieces[arg] for arg in inner.args)
        return f"{_inside(left, 9)} {_NEGATED[inner.op]} {_inside(right, 10)}", 9
    return f"{'!' if term.bits == 1 else '~'}{_inside(pieces[inner], _UNARY)}", _UNARY


def _infix(term: Term, args: list[Piece]) -> Piece:
    is_logical = term.bits == 1 and term.args[0].bits == 1 and term.op in _LOGICAL
    sign, precedence = _LOGICAL[term.op] if is_logical else _INFIX[term.op]
    return f"{_inside(args[0], precedence)} {sign} {_inside(args[1], precedence + 1)}", precedence


def _other(term: Term, args: list[Piece]) -> Piece:
    """Casts, bit moves and float functions."""
    first = args[0][0]
    if term.op is Op.EXTRACT:
        return f"{_inside(args[0], _TIGHTEST)}[{term.number + term.bits - 1}:{term.number}]", _TIGHTEST
    if term.op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND):
        return f"({'u' if term.op is Op.ZERO_EXTEND else 's'}{term.bits}){_inside(args[0], _UNARY)}", _UNARY
    if term.op is Op.F_NEG:
        return f"-{_inside(args[0], _UNARY)}", _UNARY
    if term.op is Op.F_FROM_BITS:
        return f"float{term.bits}({first})", _TIGHTEST
    word = term.op.name.removeprefix("F_").lower()
    return f"{word}({', '.join(text for text, _ in args)})", _TIGHTEST


def _inside(piece: Piece, precedence: int) -> str:
    text, own = piece
    return text if own >= precedence else f"({text})"
