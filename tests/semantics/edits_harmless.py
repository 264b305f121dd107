"""Edits that change nothing: names of locals, layout, comments, parentheses, the order of functions."""

from __future__ import annotations

import re

from edit_sites import Site, Source
from edits_inside import Edits

from tightrope.program.c_text.syntax import walk

_OPEN = ("BinaryOperator", "CallExpr", "ArraySubscriptExpr", "MemberExpr", "DeclRefExpr", "UnaryOperator")


def renamed_local(source: Source) -> Edits:
    for function in source.functions.values():
        kinds = ("VarDecl", "ParmVarDecl") if function.name != "f" else ("VarDecl",)
        for declared in {each.declaration: each for each in walk(function.root) if each.kind in kinds}.values():
            start, end = source.body(function.name)
            uses = [
                site
                for site in source.sites
                if site.function is function and declared.declaration == site.node.declaration
            ]
            everywhere = len(re.findall(rf"\b{declared.name}\b", source.text[start:end]))
            pieces = tuple(_named(source, site) for site in uses)
            if declared.name and everywhere == len(pieces) and not any(piece[0] < 0 for piece in pieces):
                yield tuple((at, stop, f"{declared.name}_renamed") for at, stop in pieces)


def _named(source: Source, site: Site) -> tuple[int, int]:
    """Where in a declaration, or in a use, the name stands."""
    found = re.search(rf"\b{site.node.name}\b", source.slice(site))
    return (site.start + found.start(), site.start + found.end()) if found else (-1, -1)


def comments(source: Source) -> Edits:
    """Every other statement gets a comment, on its own line or before it."""
    statements = [site for site in source.sites if site.is_statement]
    yield tuple((site.start, site.start, "/* note */ ") for site in statements)
    yield tuple((site.start, site.start, "// note\n") for site in statements[::2])


def layout(source: Source) -> Edits:
    """Lines and columns move."""
    starts = [source.body(name)[0] for name in source.functions]
    yield tuple((start, start, "\n\n") for start in starts)
    spaces = [site for site in source.sites if site.is_statement]
    yield tuple((site.start, site.start, "\n        ") for site in spaces)
    yield tuple((found.start(), found.end(), "  ") for found in _inside(source, r"(?<=[;{]) (?=\S)"))
    yield tuple((found.start(), found.end(), "\n{") for found in _inside(source, r" \{"))


def _inside(source: Source, pattern: str) -> list[re.Match[str]]:
    spans = [source.body(name) for name in source.functions]
    found = re.finditer(pattern, source.text)
    return [each for each in found if any(start < each.start() < end for start, end in spans)]


def parentheses(source: Source) -> Edits:
    for site in source.sites:
        parent = site.parent.kind if site.parent else ""
        if site.node.kind in _OPEN and parent in ("BinaryOperator", "IfStmt", "ReturnStmt", "WhileStmt"):
            yield ((site.start, site.end, f"({source.slice(site)})"),)


def moved_function(source: Source) -> Edits:
    """To the end, with its declaration where it was."""
    for name in source.functions:
        start, end = source.body(name)
        text, head = source.text[start:end], re.match(r"[^{]*", source.text[start:end])
        if head and not re.search(r"\bstruct\b.*\{", head[0]):
            at = len(source.text)
            yield (start, end, f"{head[0].strip()};"), (at, at, f"\n{text}\n")


def unused(source: Source) -> Edits:
    """A function that nobody calls, a variable that nobody reads."""
    start, end = source.body("f")
    yield ((start, start, "static int unused(int x) { return x > 3 ? x / 2 : 7; }\n"),)
    yield ((start, start, "static int unused_here = 4;\n"),)
    yield ((start, start, "struct unused { int x; };\n#define UNUSED 3\n"),)
    yield ((end, end, "\nint unused(void) { return f != 0; }\n"),)


HARMLESS = {each.__name__: each for each in (renamed_local, comments, layout, parentheses, moved_function, unused)}
