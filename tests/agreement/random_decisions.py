"""Random functions of two small numbers, full of decisions of every kind, with marks for twin.py.

and or not xor == != & | ?: comma      of conditions over int, _Bool, pointer and double, with side effects,
if while do for ?: return switch       nested in arguments, arms and statement expressions,
= initialiser argument index           through macros, and with constants.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from twin import Marked

_HEAD = """\
#define BOTH(x, y) ((x) && (y))
#define ANY(x, y, z) ((x) || (y) || (z))
#define NEITHER(x, y) (!((x) || (y)))
#define ALIAS(x, y) BOTH(x, y)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define CHECK(x) if (!(x)) return -1
#define LIMIT 5
enum mode { OFF, ON = 3 };
static int calls;
static int same(int value) { return value; }
static int is_odd(int value) { calls++; return value & 1; }
static const int table[4] = {3, -1, 4, 0};
"""
_START = """\
int f(signed char a, signed char b)
{
    int x = a & 7, y = b - a, r = 0, fuel = 3;
    _Bool t = a > 3;
    double d = b / 2.0;
    const int *p = «0:«0.0:b & 1»» ? &table[a & 3] : 0;
"""
CONSTANTS_HEAD = """\
struct pair { signed char first; int second; };
enum size { NARROW = sizeof(struct pair), WIDE };
static const int fixed = 7;
"""
_NUMBERS = ("a", "b", "x", "y")
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_CONSTANTS = {
    "1": True, "0": False, "LIMIT > 3": True, "OFF": False, "ON": True, "sizeof(int) == 2": False,
    "sizeof(struct pair) == 8": True, "__builtin_offsetof(struct pair, second) == 3": False, "WIDE == 9": True,
    '"abc"[1] == 99': False, "sizeof \"abc\" == 4": True, "(signed char)300 == 45": False, "2.5f < 3": True,
    "__builtin_types_compatible_p(int, unsigned)": False, "_Generic(1.0f, int: 1, default: 0)": False, "fixed > 6": True,
}  # fmt: skip

Piece = tuple[str, str]  # marked C, and the same as Python over c0, c1 ...


class DecisionWriter:
    """Writes one function `f`. Only `&&`, `||` and `!` when `is_plain`: what llvm-cov follows, too."""

    def __init__(self, seed: int | str, *, is_plain: bool = False) -> None:
        self.random = Random(f"decisions {seed}")
        self.is_plain = is_plain
        self.trees = {0: "c0"}
        self.constants: dict[tuple[int, int], bool] = {}
        self._numbers = 1  # of decisions so far
        self._may_be_constant = True

    def function(self, statements: int = 4) -> Marked:
        body = "".join(f"    {self.statement(2)}\n" for _ in range(statements))
        text = f"{_HEAD}{CONSTANTS_HEAD}{_START}{body}    return r + ({self.logical()});\n}}\n"
        return Marked(text, self.trees, self.constants)

    # --- statements ---------------------------------------------------------------------------

    def statement(self, depth: int) -> str:
        if depth == 0:
            plain = self.random.choice(("r++;", "x = x + 1;", "y = b & 3;", ""))
            return plain or f"r += ({self.logical()});"
        kinds = (self._if, self._if, self._if, self._if_else, self._loop, self._value, self._value, self._through)
        return self.random.choice(kinds)(depth)

    def _if(self, depth: int) -> str:
        return f"if ({self.decision()}) {{ {self.statement(depth - 1)} }}"

    def _if_else(self, depth: int) -> str:
        return f"if ({self.decision()}) {self.statement(0)} else {{ {self.statement(depth - 1)} }}"

    def _loop(self, depth: int) -> str:
        kind = self.random.randrange(4)
        if kind == 0:
            return f"while ({self.decision(fuel=True)}) {{ {self.statement(0)} }}"
        if kind == 1:
            return f"do {{ {self.statement(0)} }} while ({self.decision(fuel=True)});"
        if kind == 2:
            return f"for (; {self.decision(fuel=True)}; x++) {{ {self.statement(0)} }}"
        return f"do {{ {self.statement(depth - 1)} }} while ({self._zero()});"

    def _zero(self) -> str:
        """A decision that is a constant."""
        number = self._open()
        self.trees[number], self.constants[number, 0] = "c0", False
        return f"«{number}:«{number}.0:0»»"

    def _value(self, depth: int) -> str:
        forms: tuple[Callable[[], str], ...] = (
            lambda: f"t = {self.logical()};",
            lambda: f"{{ int q = {self.logical()}; r += q; }}",
            lambda: f"r += same({self.logical()});",
            lambda: f"r += table[{self.logical()}];",
            lambda: f"r += ({self.decision()}) ? 2 : x;",
            lambda: f"r += ({self.decision()}) ? ({self.logical()}) : {self.random.choice(_NUMBERS)};",
            lambda: f"switch ({self.logical()}) {{ case 0: {self.statement(0)} break; default: r += 5; }}",
            lambda: f"x = ({self.logical()}) + ({self.logical()});",
        )
        return self.random.choice(forms)()

    def _through(self, depth: int) -> str:
        number = self._open()
        text, tree = self._tree(_Leaves(number), 2)
        self.trees[number] = f"not ({tree})"
        return f"‹CHECK(|if (›«{number}:‹|!(›{text}‹|)›»‹)|) return -1›;"

    # --- decisions -------------------------------------------------------------------------------

    def decision(self, *, fuel: bool = False) -> str:
        """A controlling expression."""
        number = self._open()
        leaves = _Leaves(number)
        first = (leaves.mark("fuel-- > 0"), leaves.name()) if fuel else None
        text, tree = self._tree(leaves, self.random.choice((0, 1, 2, 2, 2, 3)))
        if first:
            text, tree = f"{first[0]} && ({text})", f"{first[1]} and ({tree})"
        self.trees[number] = tree
        return f"«{number}:{text}»"

    def logical(self) -> str:
        """A tree that is a decision wherever it stands: its root is `&&`, `||` or `!`."""
        number = self._open()
        text, tree = self._logical(_Leaves(number), self.random.choice((1, 1, 2, 2, 3)))
        self.trees[number] = tree
        return f"«{number}:{text}»"

    def _open(self) -> int:
        self._numbers += 1
        return self._numbers - 1

    def _tree(self, leaves: _Leaves, depth: int) -> Piece:
        if depth == 0 or leaves.count > 5:
            return self._leaf(leaves)
        forms = [self._logical] * 6
        forms += [] if self.is_plain else [self._mixed, self._mixed, self._choice, self._comma, self._macro]
        return self.random.choice(forms)(leaves, depth)

    def _logical(self, leaves: _Leaves, depth: int) -> Piece:
        kind = self.random.randrange(5)
        if kind == 0:
            text, tree = self._leaf(leaves) if self.is_plain else self._tree(leaves, depth - 1)
            return f"!({text})", f"not ({tree})"
        left, one = self._tree(leaves, depth - 1)
        right, other = self._tree(leaves, depth - 1)
        sign, word = ("&&", "and") if kind < 3 else ("||", "or")
        return f"({left}) {sign} ({right})", f"(({one}) {word} ({other}))"

    def _mixed(self, leaves: _Leaves, depth: int) -> Piece:
        """Operators that are Boolean only because their operands are; `x & 1` is a condition."""
        sign = self.random.choice(("^", "==", "!=", "&", "|"))
        before, self._may_be_constant = self._may_be_constant, False
        left, one = self._boolean(leaves, depth - 1)
        right, other = self._boolean(leaves, depth - 1)
        self._may_be_constant = before
        return f"({left}) {sign} ({right})", f"(({one}) {'!=' if sign == '^' else sign} ({other}))"

    def _boolean(self, leaves: _Leaves, depth: int) -> Piece:
        if depth > 0 and self.random.random() < 0.6:
            return self.random.choice((self._logical, self._mixed))(leaves, depth)
        return leaves.mark(self.random.choice((self._comparison(), "t"))), leaves.name()

    def _choice(self, leaves: _Leaves, depth: int) -> Piece:
        chooser, one = self._tree(leaves, depth - 1)
        then, two = self._boolean(leaves, depth - 1)
        otherwise, three = self._boolean(leaves, depth - 1)
        return f"({chooser}) ? ({then}) : ({otherwise})", f"(({two}) if ({one}) else ({three}))"

    def _comma(self, leaves: _Leaves, depth: int) -> Piece:
        text, tree = self._tree(leaves, depth - 1)
        return f"(calls++, ({text}))", tree

    def _macro(self, leaves: _Leaves, depth: int) -> Piece:
        kind = self.random.randrange(6)
        if kind == 0:  # without `!!`, its argument must be an integer, and counts as Boolean only if it is one
            text, tree = self._boolean(leaves, depth - 1)
            return f"unlikely({text})", tree
        left, one = self._tree(leaves, depth - 1)
        if kind == 1:
            return f"likely({left})", one
        right, other = self._tree(leaves, depth - 1)
        if kind == 2:
            return f"BOTH({left}, {right})", f"(({one}) and ({other}))"
        if kind == 3:
            return f"NEITHER({left}, {right})", f"(not (({one}) or ({other})))"
        if kind == 4:
            return f"ALIAS({left}, {right})", f"(({one}) and ({other}))"
        last, third = self._leaf(leaves)
        return f"ANY({left}, {right}, {last})", f"(({one}) or ({other}) or ({third}))"

    # --- conditions -----------------------------------------------------------------------------

    def _leaf(self, leaves: _Leaves) -> Piece:
        if self._may_be_constant and self.random.random() < 0.06:
            text = self.random.choice(list(_CONSTANTS))
            self.constants[leaves.number, leaves.count] = _CONSTANTS[text]
            return leaves.mark(text), leaves.name()
        index = leaves.take()
        return f"«{leaves.number}.{index}:{self._condition()}»", f"c{index}"

    def _condition(self) -> str:
        simple = (
            self._comparison(),
            self._comparison(),
            self._comparison(),
            "t",
            "p",
            "d",
            "a & 4",
            "x",
            "y",
            "p != 0",
        )
        odd = ("d > 1.5", "is_odd(a)", "(x = a & 3)", "x++ < 4", "--y", "a ^ b", "(a & 1) == (b & 1)", "(a < b) == 1")
        if self.is_plain or self.random.random() < 0.8:
            return self.random.choice((*simple, *odd))
        nested: tuple[Callable[[], str], ...] = (
            lambda: f"same({self.logical()})",
            lambda: f"is_odd(a + ({self.logical()})) == 0",
            lambda: f"({self.logical()}) == x",
            lambda: f"(({self.decision()}) ? x : y) > {self.random.randint(0, 4)}",
            lambda: f"({{ int q = {self.logical()}; q > b; }})",
            lambda: f"table[{self.logical()}] > {self.random.choice(_NUMBERS)}",
        )
        return self.random.choice(nested)()

    def _comparison(self) -> str:
        left, relation = self.random.choice(_NUMBERS), self.random.choice(_RELATIONS)
        right = self.random.choice((*_NUMBERS, *(str(self.random.randint(-9, 12)) for _ in range(5))))
        return f"{left} {relation} {right}"


class _Leaves:
    """Numbers the conditions of one decision."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.count = 0

    def take(self) -> int:
        self.count += 1
        return self.count - 1

    def mark(self, text: str) -> str:
        return f"«{self.number}.{self.take()}:{text}»"

    def name(self) -> str:
        """Of the condition marked last."""
        return f"c{self.count - 1}"
