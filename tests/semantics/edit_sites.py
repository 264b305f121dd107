"""Where a C text can be edited (edits.py): the nodes of its functions, as slices of what the user wrote, each with the
variables that can be used there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tightrope.location import Location
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode
from tightrope.source.toolchain import Compiler
from tightrope.units.function_syntax import find_syntax

_NAME = "edited.c"
LOOPS = ("ForStmt", "WhileStmt", "DoStmt")
_NUMBERS = ("int", "unsigned int", "long", "short", "char", "signed char", "unsigned char", "unsigned short")
NUMBERS = frozenset((*_NUMBERS, "unsigned long", "_Bool", "long long", "unsigned long long"))


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    type: str

    @property
    def is_number(self) -> bool:
        return self.type in NUMBERS


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A node with what is around it."""

    node: SyntaxNode
    parent: SyntaxNode | None
    function: FunctionSyntax
    scope: tuple[Variable, ...]  # declared before it, nearest last
    is_in_loop: bool
    is_in_switch: bool
    start: int  # in the text
    end: int
    is_statement: bool

    @property
    def numbers(self) -> list[str]:
        return [each.name for each in self.scope if each.is_number]


class Source:
    """A C text and everything in it that can be edited."""

    def __init__(self, compiler: Compiler, text: str, functions: Sequence[str], flags: Sequence[str] = ()) -> None:
        self.text = text
        self.functions = find_syntax(compiler, text, functions, flags, name=_NAME)
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return tuple(site for each in self.functions.values() for site in self._walk_function(each))

    def body(self, name: str) -> tuple[int, int]:
        """Where a function starts and ends."""
        root = self.functions[name].root
        assert root.end_location is not None
        return self.offset(root.location), self.offset(root.end_location)

    def slice(self, site: Site) -> str:
        return self.text[site.start : site.end]

    def offset(self, place: Location) -> int:
        return self._lines[place.line - 1] + place.column - 1

    def whole(self, site: Site) -> tuple[int, int]:
        """A statement with its semicolon."""
        rest = self.text[site.end :]
        ahead = len(rest) - len(rest.lstrip())
        is_open = self.text[site.end - 1] not in "};" and rest[ahead : ahead + 1] == ";"
        return site.start, site.end + ahead + 1 if is_open else site.end

    def neighbours(self) -> Iterator[tuple[Site, Site]]:
        """Statements that follow each other."""
        statements = [site for site in self.sites if site.is_statement]
        by_node = {id(site.node): site for site in statements}
        for site in self.sites:
            found = [by_node.get(id(each)) for each in site.node.children] if site.node.kind == "CompoundStmt" else []
            yield from ((one, two) for one, two in itertools.pairwise(found) if one and two)

    def _walk_function(self, function: FunctionSyntax) -> Iterator[Site]:
        root = function.root
        scope = tuple(Variable(each.name, each.type) for each in root.children if each and each.kind == "ParmVarDecl")
        for child in root.children:
            if child is not None:
                yield from self._walk(child, root, function, scope, False, False)

    def _walk(
        self,
        node: SyntaxNode,
        parent: SyntaxNode,
        function: FunctionSyntax,
        scope: tuple[Variable, ...],
        loop: bool,
        switch: bool,
    ) -> Iterator[Site]:
        end = node.end_location
        if end is not None and not node.is_in_macro and node.location.file.endswith(_NAME):
            start, stop = self.offset(node.location), self.offset(end)
            is_statement = _is_statement(node, parent)
            yield Site(node, parent, function, scope, loop, switch, start, stop, is_statement)
        loop, switch = loop or node.kind in LOOPS, node.kind == "SwitchStmt" or (switch and node.kind not in LOOPS)
        for child in node.children:
            if child is not None:
                yield from self._walk(child, node, function, scope, loop, switch)
                scope = (*scope, *_declared(child))


def _declared(node: SyntaxNode) -> tuple[Variable, ...]:
    if node.kind != "DeclStmt":
        return ()
    return tuple(Variable(each.name, each.type) for each in node.children if each and each.kind == "VarDecl")


def _is_statement(node: SyntaxNode, parent: SyntaxNode) -> bool:
    return parent.kind == "CompoundStmt" and node.kind not in ("DeclStmt", "CaseStmt", "DefaultStmt", "LabelStmt")
