"""Mutation operators: what may be wrong with one expression of the C.

A. J. Offutt et al., "An experimental determination of sufficient mutant operators", TOSEM 1996; H. Agrawal et al.,
"Design of mutant operators for the C programming language", 1989. Those of `wm` (coverage/labelling/mutants.py), and
those that always have another value at the place of the mutation, so that only their consequences can be tested:

    ror     a < b as a <= b, a > b, a >= b, a == b, a != b, true, false
    aor     a + b as a - b, a * b, a / b, a % b, a, b; for pointers, p + i as p - i, p
    bor     a & b as a | b, a ^ b, a, b; a << b as a >> b, a
    cor     a && b as a || b, a, b
    cond    a condition c as !c, true, false
    uoi     a signed e as -e, an unsigned e as ~e, a truth value e as !e
    uod     -e and ~e as e
    abs     e as abs(e) and -abs(e)
    step    x++ as x--
    asg     x += e as x -= e, x *= e ..., x = e
    lhs     x = e as y = e, for each other variable of x's type in scope
    const   a literal c as c + 1, c - 1, 0

What cannot be noticed, or is undefined in most cases, is left out: an index is not negated, nor is a value that nobody
uses, or of which only matters whether it is zero. So is what types exclude: an unsigned char is its absolute value, and
`n <= 0` is `n == 0` where n is unsigned. Assertions are not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tightrope.coverage.labelling.arithmetic import arithmetic, is_narrow_choice, is_pointer
from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, is_constant, is_pure, strip_parentheses
from tightrope.coverage.labelling.mutants import can_differ, is_assignable, is_same, may_be
from tightrope.coverage.labelling.predicates import COMPARISONS, bracket, is_truth
from tightrope.coverage.labelling.sites import Site, find_sites, find_statements
from tightrope.coverage.labelling.value_bounds import find_bounds
from tightrope.coverage.labelling.weak_mutation import Scope
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.mutants import MutantForm

ARITHMETIC = ("+", "-", "*", "/", "%")
BITWISE = ("&", "|", "^")
SHIFTS = ("<<", ">>")
_LITERALS = ("IntegerLiteral", "CharacterLiteral", "FloatingLiteral")
_TRANSPARENT = ("ParenExpr", "ImplicitCastExpr")
_ASSERTION = frozenset(("__assert_fail", "__assert_rtn", "__assert", "__assert2", "_assert"))
_LOGICAL = ("&&", "||")

SAME_RANK = (frozenset("+-"), frozenset("*/%"), frozenset(SHIFTS))  # operators that bind alike


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of one expression or statement."""

    operator: str
    what: str
    node: SyntaxNode
    replacement: str  # C, macros expanded
    shown: str  # the same in the user's words
    form: MutantForm = MutantForm.VALUE


def mutate_expressions(facts: FunctionFacts) -> Iterator[Mutation]:
    """The mutations of all expressions of a function, in the order of the text."""
    scope, unused = Scope(facts), frozenset(find_unused(facts))
    asserted = find_assertions(facts)
    for site in find_sites(facts):
        if not is_inside(site.node, asserted):
            yield from _Mutated(facts, site, scope, unused).find()


def find_unused(facts: FunctionFacts) -> Iterator[SyntaxNode]:
    """Full expressions that are evaluated for their effects alone: statements, and parts of `for`."""
    values = frozenset(_values_of_statements(facts))
    for node, _ in find_statements(facts):
        if not node.kind.endswith("Stmt") and node not in values:
            yield node
        elif node.kind == "ForStmt":
            yield from (each for each in (node.children[0], node.children[3]) if each)


def _values_of_statements(facts: FunctionFacts) -> Iterator[SyntaxNode]:
    """The last statement of each `({ ... })`, which is its value."""
    for each in everything(facts.syntax.root):
        body = each.children[0] if each.kind == "StmtExpr" else None
        if body and body.children and body.children[-1]:
            yield body.children[-1]


def find_assertions(facts: FunctionFacts) -> tuple[SyntaxNode, ...]:
    """What the macro `assert` expands to: `({ if (e) ; else __assert_fail(...); })`, or `e ? (void)0 : ...`."""
    around = (each for each in everything(facts.syntax.root) if each.kind in ("StmtExpr", "ConditionalOperator"))
    return tuple(each for each in around if _fails_assertion(each))


def _fails_assertion(node: SyntaxNode) -> bool:
    return any(each.kind == "DeclRefExpr" and each.name in _ASSERTION for each in everything(node))


def is_inside(node: SyntaxNode, others: Iterable[SyntaxNode]) -> bool:
    return any(each.start <= node.start and node.end <= each.end for each in others)


def _is_operation(node: SyntaxNode) -> bool:
    """True for an expression with operators that may bind less than another one beside it."""
    while node.kind == "ImplicitCastExpr" and node.children[0]:
        node = node.children[0]
    return node.kind in ("BinaryOperator", "ConditionalOperator")


@dataclass(frozen=True)
class _Mutated:
    """The mutations of one expression."""

    facts: FunctionFacts
    site: Site
    scope: Scope
    unused: frozenset[SyntaxNode]  # full expressions whose values nobody uses

    def find(self) -> Iterator[Mutation]:
        node = self.site.node
        if not node.end or node.kind == "ParenExpr":
            return
        if is_constant(node):
            yield from self._literal()
        elif node.kind == "BinaryOperator":
            yield from self._binary()
        elif node.kind == "CompoundAssignOperator":
            yield from self._update()
        elif node.kind == "UnaryOperator":
            yield from self._unary()
        elif node.kind == "CallExpr" or node.opcode == "LValueToRValue":
            yield from self._truth() if self._is_tested else self._value()

    # -- where it stands

    @property
    def _user(self) -> tuple[SyntaxNode, int] | None:
        """What uses the value: the nearest parent that is neither parentheses nor a conversion, and the position of the
        operand. None if the expression is a whole."""
        return next((row for row in self.site.parents if row[0].kind not in _TRANSPARENT), None)

    @property
    def _is_tested(self) -> bool:
        """True if only matters whether it is zero."""
        user = self._user
        if user is None:
            return self.site.whole.is_tested
        is_chooser = user[0].kind == "ConditionalOperator" and user[1] == 0
        return is_chooser or user[0].opcode in (*_LOGICAL, "!")

    @property
    def _is_index(self) -> bool:
        """True for an index, and for what is added to a pointer."""
        user = self._user
        if user is None:
            return False
        is_moved = user[0].kind in ("BinaryOperator", "CompoundAssignOperator") and is_pointer(user[0].type)
        return user[0].kind == "ArraySubscriptExpr" or (is_moved and user[0].opcode in ("+", "-", "+=", "-="))

    # -- texts

    def _make(self, operator: str, what: str, replacement: str, shown: str, form: MutantForm) -> Mutation:
        return Mutation(operator, what, self.site.node, replacement, shown, form)

    def _value_of(self, operator: str, what: str, replacement: str, shown: str) -> Mutation:
        return self._make(operator, what, replacement, shown, MutantForm.VALUE)

    def _joined(self, left: SyntaxNode, opcode: str, right: SyntaxNode) -> tuple[str, str]:
        """C and words of `left opcode right`."""
        texts = (bracket(self.facts.text(left)), bracket(self.facts.text(right)))
        is_alike = any({opcode, self.site.node.opcode} <= set(rank) for rank in (*SAME_RANK, COMPARISONS))
        words = [self.facts.words(each) for each in (left, right)]
        if not is_alike and not opcode.endswith("="):
            words = [
                bracket(each) if _is_operation(node) else each for each, node in zip(words, (left, right), strict=True)
            ]
        return f"{texts[0]} {opcode} {texts[1]}", f"{words[0]} {opcode} {words[1]}"

    # -- binary operators

    def _binary(self) -> Iterator[Mutation]:
        node = self.site.node
        left, right = node.children
        if not left or not right:
            return
        if node.opcode in COMPARISONS:
            yield from self._relation(left, right)
        elif node.opcode in _LOGICAL:
            yield from self._connector(left, right)
        elif node.opcode == "=":
            yield from self._target(left, right)
        elif node.opcode in (*ARITHMETIC, *BITWISE, *SHIFTS):
            yield from self._operation(left, right)
            if self._is_tested:
                yield from self._truth()
            else:
                yield from self._value()

    def _relation(self, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutation]:
        opcode = self.site.node.opcode
        is_order = arithmetic(left.type) is not None or opcode not in ("==", "!=")
        is_order = is_order or is_narrow_choice(left.type)
        for other in COMPARISONS if is_order else ("==", "!="):
            if other != opcode and can_differ(self.site.node, other):
                yield self._value_of("ror", other, *self._joined(left, other, right))
        for truth, number in (("true", "1"), ("false", "0")):
            if may_be(self.site.node, truth == "false"):
                yield self._value_of("ror", truth, number, number)

    def _connector(self, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutation]:
        node = self.site.node
        other = "||" if node.opcode == "&&" else "&&"
        yield self._value_of("cor", other, *self._joined(left, other, right))
        for what, operand in (("left", left), ("right", right)):
            text = self.facts.text(operand)
            yield self._value_of("cor", what, text if is_truth(operand) else f"!!({text})", self.facts.words(operand))
        user = self._user
        if user is None or user[0].opcode not in _LOGICAL:
            yield from self._truth()

    def _operation(self, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutation]:
        node = self.site.node
        opcode, type_ = node.opcode, node.type
        if is_pointer(type_):
            other = "-" if opcode == "+" else "+"
            if is_pointer(left.type):
                yield self._value_of("aor", other, *self._joined(left, other, right))
                yield self._operand("aor", "left", left)
            return
        if not arithmetic(left.type) or not arithmetic(right.type):  # a distance of pointers, __int128
            return
        group = next(each for each in (ARITHMETIC, BITWISE, SHIFTS) if opcode in each)
        operator = "aor" if group is ARITHMETIC else "bor"
        kind = arithmetic(type_)
        if kind is None:
            return
        for other in group:
            if other != opcode and not (other == "%" and kind.is_real) and not is_same(node, kind, other):
                yield self._value_of(operator, other, *self._joined(left, other, right))
        for what, operand in (("left", left), ("right", right)):
            if (what == "left" or group is not SHIFTS) and not is_same(node, kind, what):
                yield self._operand(operator, what, operand)

    def _operand(self, operator: str, what: str, operand: SyntaxNode) -> Mutation:
        return self._value_of(operator, what, self.facts.text(operand), self.facts.words(operand))

    def _target(self, target: SyntaxNode, value: SyntaxNode) -> Iterator[Mutation]:
        """Other variables to assign to."""
        own = strip_parentheses(target)
        if own.kind != "DeclRefExpr" or not is_assignable(target.type):
            return
        for other in self.scope.others(own, self.site.node.start):
            text, words = self.facts.text(value), self.facts.words(value)
            yield self._value_of("lhs", other.name, f"{other.name} = {text}", f"{other.name} = {words}")

    def _update(self) -> Iterator[Mutation]:
        """`x += e` with another operator, and as `x = e`."""
        node = self.site.node
        target, value = node.children
        opcode = node.opcode.removesuffix("=")
        if not target or not value:
            return
        others: tuple[str, ...] = ("+", "-") if is_pointer(node.type) else ()
        if not others:
            others = next(each for each in (ARITHMETIC, BITWISE, SHIFTS) if opcode in each)
            kind = arithmetic(node.type)
            others = (*(each for each in others if each != "%" or not (kind and kind.is_real)), "")
        for other in others:
            if other != opcode:
                yield self._value_of("asg", f"{other}=", *self._joined(target, f"{other}=", value))

    # -- unary operators, and operators that are inserted

    def _unary(self) -> Iterator[Mutation]:
        node = self.site.node
        operand = node.children[0]
        if operand is None:
            return
        text, words = bracket(self.facts.text(operand)), self.facts.words(operand)
        if node.opcode in ("++", "--"):
            other = "--" if node.opcode == "++" else "++"
            replaced, shown = (
                (f"{text}{other}", f"{words}{other}") if node.is_postfix else (f"{other}{text}", f"{other}{words}")
            )
            yield self._value_of("step", other, replaced, shown)
        elif node.opcode in ("-", "~") and arithmetic(node.type):
            yield self._value_of("uod", node.opcode, text, words)

    def _truth(self) -> Iterator[Mutation]:
        """COND: of a whole condition, or of one of its operands. `!c` has those of c."""
        text, words = self.facts.text(self.site.node), self.facts.words(self.site.node)
        for what, replaced, shown in (
            ("!", f"!({text})", f"!{bracket(words)}"),
            ("true", "1", "1"),
            ("false", "0", "0"),
        ):
            yield self._make("cond", what, replaced, shown, MutantForm.TRUTH)

    def _value(self) -> Iterator[Mutation]:
        """UOI and ABS."""
        node = self.site.node
        kind = arithmetic(node.type)
        text, words = bracket(self.facts.text(node)), self.facts.words(node)
        words = bracket(words) if _is_operation(node) else words
        if kind is None:
            if node.type.replace("const ", "") in ("_Bool", "bool"):
                yield self._value_of("uoi", "!", f"!{text}", f"!{words}")
            return
        user = self._user
        above = user[0].opcode if user and user[0].kind == "UnaryOperator" else ""
        if self._is_index or (user is None and self.site.whole.root in self.unused):
            return
        sign = "-" if kind.is_signed else "~"
        if above != sign:
            yield self._value_of("uoi", sign, f"{sign}{text}", f"{sign}{words}")
        low, high = find_bounds(node) or (-1, 1)
        if kind.is_signed and is_pure(node) and low < 0:
            yield self._value_of("abs", "abs", f"{text} < 0 ? -{text} : {text}", f"abs({self.facts.words(node)})")
        if kind.is_signed and is_pure(node) and high > 0:
            yield self._value_of("abs", "-abs", f"{text} < 0 ? {text} : -{text}", f"-abs({self.facts.words(node)})")

    # -- literals

    def _literal(self) -> Iterator[Mutation]:
        """CONST. The value of a condition is only zero or not; dividing by 0 and an index below 0 are left out."""
        node = self.site.node
        if node.kind not in _LITERALS or self._is_null:
            return
        if self._is_tested:
            is_zero = node.value in ("0", "0.0")
            yield self._value_of("const", "1" if is_zero else "0", "1" if is_zero else "0", "1" if is_zero else "0")
            return
        text, words = self.facts.text(node), self.facts.words(node)
        number = float(node.value) if node.kind == "FloatingLiteral" else int(node.value)
        yield self._value_of("const", "+1", f"{text} + 1", _shown_sum(number, 1, words))
        if not (number == 0 and self._is_index) and not (number == 1 and self._is_divisor):
            yield self._value_of("const", "-1", f"{text} - 1", _shown_sum(number, -1, words))
        if number not in (0, 1, -1) and not self._is_divisor:
            yield self._value_of("const", "0", "0", "0")

    @property
    def _is_null(self) -> bool:
        """A null pointer constant."""
        return any(parent.opcode == "NullToPointer" for parent, _ in self.site.parents[:3])

    @property
    def _is_divisor(self) -> bool:
        user = self._user
        return user is not None and user[1] == 1 and user[0].opcode in ("/", "%", "/=", "%=")


def _shown_sum(number: float, step: int, words: str) -> str:
    """A literal with its neighbour: as a number if it was written as a plain one."""
    return str(number + step) if words.isdigit() and isinstance(number, int) else f"({words} {'+-'[step < 0]} 1)"
