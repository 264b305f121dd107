"""Random C expressions whose value is defined on every input (unless a trap was asked for).

An expression has no side effect, so it may be written twice. What C leaves undefined is avoided by
construction: shift amounts are masked, divisors are guarded, indices are masked to the array's
size, and floats are turned into integers by helper functions that check the range first. Signed
overflow is left in: both builds that are compared use -fwrapv.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from c_kinds import BOOL, DOUBLE, FLOAT, INT, INTEGERS, LONG, UNSIGNED, UNSIGNED_LONG, Kind, common, promote

INTERESTING = (0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 63, 97, 100, 127, 128, 200, 255, 256, 1000, 32767, 65535)
LARGE = (65536, 1000000, 2147483647)
FRACTIONS = ("0.0", "0.5", "1.0", "1.5", "2.0", "0.1", "3.25", "100.0", "1e10", "-2.5")


@dataclass(frozen=True, slots=True)
class Expression:
    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be read, and written if `is_writable`; `index` is the size of an array to index, or 0."""

    text: str
    kind: Kind
    is_writable: bool = True
    index: int = 0
    is_union: bool = False  # its bytes are seen as other kinds: no NaN may be stored


@dataclass(frozen=True, slots=True)
class Callee:
    """A function without side effects that expressions may call."""

    name: str
    result: Kind
    parameters: tuple[Kind, ...]


@dataclass(slots=True)
class Support:
    """Helper functions that expressions asked for, in the order of first use."""

    texts: dict[str, str] = field(default_factory=dict)

    def to_integer(self, kind: Kind) -> str:
        """The name of a function that turns a double into `kind` where that is defined, else gives 7."""
        name = f"to_{kind.identifier}"
        low = -100.0 if kind.is_signed else -0.5
        high = 120.0 if kind.bits == 8 else 30000.0
        self.texts[name] = (
            f"static {kind.name} {name}(double x)\n{{\n    return x > {low} && x < {high} ? ({kind.name})x : 7;\n}}\n"
        )
        return name

    def divide(self, kind: Kind, operator: str) -> str:
        """The name of a function that divides whatever the divisor is.

        A function of its own, because compilers drop a division whose result they can tell (`x % x`,
        `0 / x`, `(unsigned)(x / y) >= 0`) together with its trap, even without optimisation.
        """
        name = f"{'divide' if operator == '/' else 'remainder'}_{kind.identifier}"
        arguments = f"{kind.name} x, {kind.name} y"
        self.texts[name] = f"static {kind.name} {name}({arguments})\n{{\n    return x {operator} y;\n}}\n"
        return name

    def calm(self, kind: Kind) -> str:
        """The name of a function that replaces a NaN, whose bits may differ between correct builds."""
        name = f"calm_{kind.identifier}"
        self.texts[name] = f"static {kind.name} {name}({kind.name} x)\n{{\n    return x == x ? x : 0.5f;\n}}\n"
        return name


@dataclass(slots=True)
class ExpressionMaker:
    """Writes expressions over the places and callees in scope."""

    random: Random
    places: list[Place]
    callees: list[Callee]
    support: Support
    may_trap: bool = False

    def expression(self, depth: int) -> Expression:
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf()
        forms: list[tuple[int, Callable[[int], Expression]]] = [
            (3, self.unary), (8, self.arithmetic), (4, self.bitwise), (3, self.shift), (3, self.division),
            (4, self.comparison), (2, self.logical), (2, self.conditional), (3, self.cast), (2, self.call),
        ]  # fmt: skip
        weights = [weight for weight, _ in forms]
        return self.random.choices(forms, weights)[0][1](depth - 1)

    def integer(self, depth: int) -> Expression:
        """An expression of integer kind."""
        made = self.expression(depth)
        if not made.kind.is_float:
            return made
        kind = self.random.choice(INTEGERS)
        return Expression(f"{self.support.to_integer(kind)}({made.text})", kind)

    def condition(self, depth: int) -> str:
        pick = self.random.random()
        if pick < 0.6:
            return self.comparison(depth).text
        if pick < 0.8:
            return self.logical(depth).text
        return self.expression(depth).text

    def fit(self, made: Expression, place: Place | Kind) -> str:
        """The text of `made` as it may be stored in `place`."""
        kind = place if isinstance(place, Kind) else place.kind
        if made.kind.is_float and not kind.is_float and kind != BOOL:
            return f"{self.support.to_integer(kind)}({made.text})"
        if kind.is_float and isinstance(place, Place) and place.is_union:
            return f"{self.support.calm(kind)}({made.text})"
        return f"({kind.name}){made.text}" if self.random.random() < 0.2 else made.text

    def leaf(self) -> Expression:
        if self.places and self.random.random() < 0.75:
            return self.read(self.random.choice(self.places))
        return self.literal()

    def read(self, place: Place) -> Expression:
        return Expression(self.spell(place), place.kind)

    def spell(self, place: Place) -> str:
        """The lvalue, its index in range by a mask or a constant."""
        if not place.index:
            return place.text
        index = self.random.choice([p for p in self.places if not p.index] or [None])
        if index is None or index.kind.is_float or self.random.random() < 0.25:
            return f"{place.text}[{self.random.randrange(place.index)}]"
        if index.kind.is_signed or self.random.random() < 0.7:
            return f"{place.text}[{index.text} & {place.index - 1}]"
        return f"{place.text}[{index.text} % {place.index}]"

    def literal(self) -> Expression:
        pick = self.random.random()
        if pick < 0.12:
            text = self.random.choice(FRACTIONS)
            kind = self.random.choice((FLOAT, DOUBLE))
            return Expression(f"({text}{'f' if kind == FLOAT else ''})", kind)
        value = self.random.choice(INTERESTING if pick < 0.9 else LARGE)
        suffix, kind = self.random.choice((("", INT), ("", INT), ("", INT), ("u", UNSIGNED), ("L", LONG),
                                           ("ul", UNSIGNED_LONG)))  # fmt: skip
        if kind == INT and self.random.random() < 0.25:
            return Expression(f"(-{value})", INT)
        return Expression(f"{value}{suffix}", kind)

    def unary(self, depth: int) -> Expression:
        operator = self.random.choice("-~!")
        made = self.integer(depth) if operator == "~" else self.expression(depth)
        kind = INT if operator == "!" else promote(made.kind)
        return Expression(f"({operator}{made.text})", kind)

    def arithmetic(self, depth: int) -> Expression:
        left, right = self.expression(depth), self.expression(depth)
        operator = self.random.choice("++--*")
        return Expression(f"({left.text} {operator} {right.text})", common(left.kind, right.kind))

    def bitwise(self, depth: int) -> Expression:
        left, right = self.integer(depth), self.integer(depth)
        operator = self.random.choice("&|^")
        return Expression(f"({left.text} {operator} {right.text})", common(left.kind, right.kind))

    def shift(self, depth: int) -> Expression:
        left, right = self.integer(depth), self.integer(0)
        kind = promote(left.kind)
        operator = self.random.choice(("<<", ">>"))
        return Expression(f"({left.text} {operator} ({right.text} & {kind.bits - 1}))", kind)

    def division(self, depth: int) -> Expression:
        operator = self.random.choice("//%")
        left = self.integer(depth) if operator == "%" else self.expression(depth)
        right = self.integer(min(depth, 1))
        kind = common(left.kind, right.kind)
        if left.kind.is_float:
            return Expression(f"({left.text} {operator} {right.text})", kind)
        if self.may_trap and self.random.random() < 0.5:
            kind = self.random.choice(INTEGERS)
            name = self.support.divide(kind, operator)
            return Expression(f"{name}({self.fit(left, kind)}, {self.fit(right, kind)})", kind)
        if kind.is_signed and self.random.random() < 0.4:
            guard = f"{right.text} != 0 && {right.text} != -1"
            return Expression(f"({guard} ? {left.text} {operator} {right.text} : {left.text})", kind)
        return Expression(f"({left.text} {operator} (({right.text} & {self.random.choice((3, 7, 63))}) + 1))", kind)

    def comparison(self, depth: int) -> Expression:
        left, right = self.expression(depth), self.expression(min(depth, 1))
        operator = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return Expression(f"({left.text} {operator} {right.text})", INT)

    def logical(self, depth: int) -> Expression:
        left, right = self.condition(depth - 1), self.condition(depth - 1)
        return Expression(f"({left} {self.random.choice(('&&', '||'))} {right})", INT)

    def conditional(self, depth: int) -> Expression:
        condition, left, right = self.condition(depth - 1), self.expression(depth), self.expression(depth)
        return Expression(f"({condition} ? {left.text} : {right.text})", common(left.kind, right.kind))

    def cast(self, depth: int) -> Expression:
        made = self.expression(depth)
        kind = self.random.choice((*INTEGERS, BOOL, FLOAT, DOUBLE))
        if made.kind.is_float and not kind.is_float and kind != BOOL:
            return Expression(f"{self.support.to_integer(kind)}({made.text})", kind)
        return Expression(f"(({kind.name}){made.text})", kind)

    def call(self, depth: int) -> Expression:
        if not self.callees:
            return self.arithmetic(depth)
        callee = self.random.choice(self.callees)
        arguments = ", ".join(self.fit(self.expression(min(depth, 1)), kind) for kind in callee.parameters)
        return Expression(f"{callee.name}({arguments})", callee.result)
