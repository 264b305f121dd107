"""The syntax of one function: clang's AST of the preprocessed text, where every node is a slice of that text.

Macros are expanded there, so that each condition has a text and a place of its own. The place in the user's file is
kept beside it: what comes out of a macro is where the macro was used.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.location import Location


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of clang's AST. `text[start:end]` of the preprocessed text is the node."""

    kind: str  # 'BinaryOperator', 'IfStmt', 'DeclRefExpr' ...
    start: int
    end: int
    location: Location  # in the user's file; where a macro was expanded, the place of that
    is_in_macro: bool  # the node starts in the expansion of a macro
    children: tuple[Node | None, ...]  # as clang has them; None for a part that is absent (`for (;;)`)
    type: str = ""  # of an expression, desugared where clang tells: 'int', 'char *', '_Bool'
    name: str = ""  # the declaration that is referred to or declared; the member
    opcode: str = ""  # of operators: '&&', '+=', '++'; of casts: 'IntegralCast' ...
    value: str = ""  # of literals, and of constant expressions where clang tells
    declares: str = ""  # DeclRefExpr: 'VarDecl', 'ParmVarDecl', 'EnumConstantDecl', 'FunctionDecl'
    declaration: str = ""  # clang's number of the declaration: tells variables of one name apart
    is_postfix: bool = False


@dataclass(frozen=True, slots=True)
class FunctionSyntax:
    """One function definition."""

    name: str  # as the preprocessed text has it
    text: str  # the whole preprocessed text
    root: Node  # the FunctionDecl

    def slice(self, node: Node) -> str:
        """The node's own C, macros expanded."""
        return self.text[node.start : node.end]
