"""Two lists of statements side by side, and large functions in little time. No compiler: syntax made by hand."""

from __future__ import annotations

import sys
import time

import pytest

from tightrope.commands.diff.changes.change import ChangeKind
from tightrope.commands.diff.changes.statement_pairing import Wrapping, pair_statements
from tightrope.commands.diff.changes.syntax_changes import compare_syntax
from tightrope.commands.diff.changes.syntax_part import BLOCK, Shapes, SyntaxPart
from tightrope.location import Location
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode

NODE = SyntaxNode("NullStmt", 0, 1, Location("unit.c", 1), False, ())


class Makes:
    """Parts by short names: `call("act", "a")`, `choice("ready", one, two)`."""

    def __init__(self) -> None:
        self.shapes = Shapes()

    def part(self, kind: str, says: tuple[str, ...] = (), *children: SyntaxPart) -> SyntaxPart:
        shape = self.shapes.number(kind, says, *(each.shape for each in children))
        return SyntaxPart(NODE, kind, says, children, shape, shape, 1 + sum(each.size for each in children))

    def call(self, name: str, *arguments: str) -> SyntaxPart:
        return self.part("CallExpr", (), *(self.part("DeclRefExpr", ("", each)) for each in (name, *arguments)))

    def choice(self, condition: str, *statements: SyntaxPart) -> SyntaxPart:
        blocks = self.part(BLOCK, (), *statements), self.part(BLOCK)
        return self.part("IfStmt", (), self.part("DeclRefExpr", ("", condition)), *blocks)


@pytest.fixture
def makes() -> Makes:
    return Makes()


def paired(old, new):
    """Indices, with None for what has no partner."""
    found = list(pair_statements(old, new))
    assert not any(isinstance(each, Wrapping) for each in found)
    return [(None if a is None else old.index(a), None if b is None else new.index(b)) for a, b in found]


def test_what_is_the_same_is_paired(makes):
    old = [makes.call(name) for name in "abcd"]
    new = [makes.call(name) for name in "axcd"]
    assert paired(old, new) == [(0, 0), (1, None), (None, 1), (2, 2), (3, 3)]


def test_what_came_and_what_went(makes):
    old = [makes.call("one", "a"), makes.call("two", "b"), makes.call("three", "c")]
    new = [makes.call("one", "a"), makes.choice("ready"), makes.call("three", "c")]
    assert paired(old, new) == [(0, 0), (1, None), (None, 1), (2, 2)]


def test_what_is_alike_is_paired(makes):
    old = [makes.call("log", "a", "b"), makes.call("stop")]
    new = [makes.call("begin"), makes.call("log", "a", "c"), makes.call("stop")]
    assert paired(old, new) == [(None, 0), (0, 1), (1, 2)]


def test_the_larger_one_is_kept_when_two_change_places(makes):
    small, large = makes.call("a"), makes.call("b", "x", "y", "z")
    assert (1, 0) in paired([small, large], [large, small])


def test_something_is_put_around_statements(makes):
    one, two, three = makes.call("one"), makes.call("two"), makes.call("three")
    around = makes.choice("ready", two, three)
    *before, wrapping = pair_statements([one, two, three], [one, around])
    assert before == [(one, one)]
    assert isinstance(wrapping, Wrapping)
    assert (wrapping.around, wrapping.statements, wrapping.is_old) == (around, (two, three), False)


def test_one_with_the_same_condition_is_not_around_something_else(makes):
    one, two = makes.call("one"), makes.call("two")
    old, new = [makes.choice("ready", one, two)], [makes.choice("ready", one), two]
    assert paired(old, new) == [(0, 0), (None, 1)]


@pytest.mark.parametrize("count", [0, 1, 700])
def test_every_statement_is_in_one_pair(makes, count):
    """Also in lists that are too long to be compared with care."""
    old = [makes.call(f"f{at}") for at in range(count)]
    new = [makes.call(f"f{at * 3 % 701}") for at in range(count)]
    found = paired(old, new)
    assert sorted(one for one, _ in found if one is not None) == list(range(count))
    assert sorted(other for _, other in found if other is not None) == list(range(count))


# -- large functions


def function(*statements: SyntaxNode) -> FunctionSyntax:
    body = SyntaxNode("CompoundStmt", 1, 9, Location("unit.c", 2, 1), False, statements)
    root = SyntaxNode("FunctionDecl", 0, 9, Location("unit.c", 1, 1), False, (body,), type="void (void)", name="f")
    return FunctionSyntax("f", "f(){ ... }", root)


def node(kind: str, *children: SyntaxNode, **further: str) -> SyntaxNode:
    return SyntaxNode(kind, 2, 4, Location("unit.c", 3, 3), False, children, **further)


def assign(value: int, opcode: str = "=") -> SyntaxNode:
    target = node("DeclRefExpr", name="shared", declares="VarDecl", type="int")
    number = node("IntegerLiteral", value=str(value), type="int")
    return node("BinaryOperator", target, node("BinaryOperator", number, number, opcode="+"), opcode=opcode)


def seconds_for(old: FunctionSyntax, new: FunctionSyntax) -> tuple[int, float]:
    start = time.process_time()
    changes = compare_syntax(old, new)
    return len(changes), time.process_time() - start


def test_a_long_function():
    old, new = [assign(at) for at in range(2000)], [assign(at) for at in range(2000)]
    new[1000] = assign(1000, "+=")
    count, seconds = seconds_for(function(*old), function(*new))
    assert count == 1
    assert seconds < 10  # in a quadratic way it takes minutes


def test_a_long_function_where_everything_is_another():
    old, new = [assign(at) for at in range(2000)], [assign(at) for at in range(5000, 7000)]
    count, seconds = seconds_for(function(*old), function(*new))
    assert count >= 2000
    assert seconds < 20


@pytest.fixture
def deep_recursion():
    """As find_syntax allows it."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(usual)


def test_a_deep_function(deep_recursion):
    def deep(levels: int, value: int) -> SyntaxNode:
        inside = assign(value)
        for at in range(levels):
            inside = node("IfStmt", node("IntegerLiteral", value=str(at), type="int"), inside, assign(at))
        return inside

    (change,) = compare_syntax(function(deep(200, 1)), function(deep(200, 2)))[:1]
    assert change.kind is ChangeKind.EXPRESSION
