"""Excerpt: a part of a function as quoted in the report of a change: its place and its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.syntax_part import BLOCK, SyntaxPart
from tightrope.location import Location
from tightrope.program.c_text.syntax import FunctionSyntax, SyntaxNode, walk

_WORD = re.compile(rb"[A-Za-z_]\w*")
_LABELS = ("LabelStmt", "CaseStmt", "DefaultStmt")


@dataclass(frozen=True, slots=True)
class Excerpt:
    location: Location
    end: Location | None
    words: str  # as the user wrote it, on one line
    expanded: str  # macros expanded
    meaning: str  # what differs if both texts are the same
    macro: str = ""  # the macro that the whole part comes from


def quote_part(syntax: FunctionSyntax, part: SyntaxPart) -> Excerpt:
    """A whole part; a label without its statement."""
    if part.kind in _LABELS:
        return quote_head(syntax, part)
    node = _declarator(syntax, part.node, part.before) if part.before else part.node
    return _quote(syntax, node, _meaning(syntax, part, syntax.words(node)))


def quote_head(syntax: FunctionSyntax, part: SyntaxPart) -> Excerpt:
    """The head of a statement that contains others: `while (a < b)`."""
    node, end = part.node, part.end
    if end is None or not node.start < end.start <= node.end:
        return _quote(syntax, node, "")
    if part.kind == "DoStmt":
        return _quote_do(syntax, part)
    last = None if end.is_in_macro else end.location
    return _quote(syntax, replace(node, end=end.start, end_location=last, macro_end=None), _head_meaning(part))


def _head_meaning(part: SyntaxPart) -> str:
    return f"{part.says[0]} ({', '.join(part.casts)})" if part.kind == "FunctionDecl" else " ".join(part.says)


def _quote_do(syntax: FunctionSyntax, part: SyntaxPart) -> Excerpt:
    """The head of a `do` loop, whose condition is at the end."""
    condition = part.children[-1]
    assert condition is not None and part.end is not None
    words, expanded = syntax.words(condition.node), _on_one_line(syntax.slice(condition.node))
    return Excerpt(part.node.location, part.end.location, f"do while ({words})", f"do while ({expanded})", "")


def _quote(syntax: FunctionSyntax, node: SyntaxNode, meaning: str) -> Excerpt:
    end, macro = node.end_location or node.macro_end, ""
    if end is None and node.is_in_macro and (macro := _macro_at(syntax, node.location)):
        end = replace(node.location, column=node.location.column + len(macro))
    return Excerpt(node.location, end, syntax.words(node), _on_one_line(syntax.slice(node)), meaning, macro)


def _macro_at(syntax: FunctionSyntax, place: Location) -> str:
    lines = syntax.read(place.file) or []
    line = lines[place.line - 1][place.column - 1 :] if 0 < place.line <= len(lines) and place.column else b""
    found = _WORD.match(line)
    return found.group().decode() if found else ""


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _declarator(syntax: FunctionSyntax, node: SyntaxNode, before: SyntaxNode) -> SyntaxNode:
    """`b = 2` of `int a = 1, b = 2`: for clang, each of them begins at the type."""
    between = syntax.text[before.end : node.end]
    skipped = len(between) - len(between.lstrip(" \t,"))
    start = before.end + skipped
    if not skipped or not before.end_location or "\n" in syntax.text[before.end : start + 1]:
        return node
    place = replace(before.end_location, column=before.end_location.column + skipped)
    return replace(node, start=start, location=place, is_in_macro=False)


def _meaning(syntax: FunctionSyntax, part: SyntaxPart, words: str) -> str:
    """The value of an enumerator, the size of a type, the line of a local; otherwise the type of an expression."""
    if part.kind in ("DeclRefExpr", "UnaryExprOrTypeTraitExpr") and part.says[2:] and part.says[2]:
        return part.says[2]
    if part.kind == "DeclRefExpr" and part.says[0] == "":
        return f"{words} of line {_line_of(syntax, part.node.declaration)}"
    is_of_declaration = part.kind in ("DeclRefExpr", "MemberExpr") or not part.casts
    shown = part.type if is_of_declaration else part.casts[-1].split(" ", 1)[1]
    return f"({shown}) {words}" if shown and part.kind != BLOCK else words


def _line_of(syntax: FunctionSyntax, declaration: str) -> int:
    found = (each for each in walk(syntax.root) if each.declaration == declaration and each.kind.endswith("VarDecl"))
    return next((each.location.line for each in found), 0)


def describe_change(kind: ChangeKind, function: str, name: str, old: Excerpt | None, new: Excerpt | None) -> Change:
    """The change. If both are written in the same way, a macro or a declaration has changed, which is shown instead."""
    old_text, new_text = old.words if old else "", new.words if new else ""
    if old and new and old.macro == new.macro:
        name = name or new.macro
    if old and new and old_text == new_text:
        name = name or (new_text if new_text not in new.meaning else "")
        is_macro = old.expanded != new.expanded
        old_text, new_text = (old.expanded, new.expanded) if is_macro else (old.meaning, new.meaning)
    return Change(
        kind,
        function,
        name,
        old.location if old else None,
        new.location if new else None,
        old.end if old else None,
        new.end if new else None,
        old_text,
        new_text,
    )
