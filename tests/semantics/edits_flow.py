"""Edits of the order in which things are done: what is found again in the new version does not stand where it stood."""

from __future__ import annotations

import re
from collections.abc import Iterator

from edit_sites import LOOPS, Site, Source
from edits_inside import Edits

from tightrope.program.c_text.syntax import SyntaxNode


def other_jump(source: Source) -> Edits:
    """`break` becomes `continue`, a `goto` goes elsewhere."""
    labels = {site.node.name for site in source.sites if site.node.kind == "LabelStmt"}
    for site in source.sites:
        if site.node.kind in ("BreakStmt", "ContinueStmt") and site.is_in_loop:
            yield ((site.start, site.end, "continue" if site.node.kind == "BreakStmt" else "break"),)
        elif site.node.kind == "GotoStmt":
            yield from (((site.start, site.end, f"goto {label}"),) for label in sorted(labels))


def swapped_branches(source: Source) -> Edits:
    for site in source.sites:
        parts = [_find(source, each) for each in site.node.children] if site.node.kind == "IfStmt" else []
        if len(parts) == 3 and parts[1] and parts[2]:
            first, second = source.whole(parts[1]), source.whole(parts[2])
            yield (*first, source.text[slice(*second)]), (*second, source.text[slice(*first)])


def repeated(source: Source) -> Edits:
    """`if` becomes `while`, `while` becomes `if`."""
    for site in source.sites:
        if site.node.kind == "WhileStmt":
            yield ((site.start, site.start + len("while"), "if"),)
        elif site.node.kind == "IfStmt" and len(site.node.children) == 2:
            yield ((site.start, site.start + len("if"), "while"),)


def moved_out(source: Source) -> Edits:
    """Before or behind the loop or the `if` that it stood in."""
    for site in source.sites:
        around = _around(source, site) if site.is_statement else None
        if around is not None and site.node.kind not in ("BreakStmt", "ContinueStmt", "ReturnStmt"):
            start, end = source.whole(site)
            text, behind = source.text[start:end], source.whole(around)[1]
            yield (around.start, around.start, f"{text} "), (start, end, ";")
            yield (start, end, ";"), (behind, behind, f" {text}")


def moved_in(source: Source) -> Edits:
    """To the start, or the end, of the loop or the `if` that follows."""
    for one, other in source.neighbours():
        body = _find(source, other.node.children[-1]) if other.node.kind in ("IfStmt", *LOOPS[:2]) else None
        if body is not None and body.node.kind == "CompoundStmt":
            start, end = source.whole(one)
            text = source.text[start:end]
            yield (start, end, ";"), (body.start + 1, body.start + 1, f" {text}")
            yield (start, end, ";"), (body.end - 1, body.end - 1, f"{text} ")


def swapped_cases(source: Source) -> Edits:
    cases = [site for site in source.sites if site.node.kind == "CaseStmt"]
    for one in cases:
        for other in cases:
            first, second = _find(source, one.node.children[0]), _find(source, other.node.children[0])
            if first and second and first.start < second.start:
                yield (
                    (first.start, first.end, source.slice(second)),
                    (second.start, second.end, source.slice(first)),
                )


def new_branch(source: Source) -> Edits:
    """An `else` for an `if` that has none; a statement that is done twice, on both sides of a new decision."""
    for site in source.sites:
        if site.node.kind == "IfStmt" and len(site.node.children) == 2 and site.is_statement and site.numbers:
            end = source.whole(site)[1]
            yield from (((end, end, f" else {name}++;"),) for name in site.numbers)
        elif site.is_statement and site.numbers:
            start, end = source.whole(site)
            text = source.text[start:end]
            yield ((start, end, f"if ({site.numbers[0]} == 2) {{ {text} }} else {{ {text} }}"),)


def _find(source: Source, node: SyntaxNode | None) -> Site | None:
    return next((site for site in source.sites if site.node is node), None)


def _around(source: Source, site: Site) -> Site | None:
    """The nearest statement around it that has neighbours."""
    for each in _ancestors(source, site):
        if each.is_statement:
            return each
    return None


def _ancestors(source: Source, site: Site) -> Iterator[Site]:
    parent = _find(source, site.parent)
    while parent is not None:
        yield parent
        parent = _find(source, parent.parent)


def undefined(source: Source) -> Edits:
    """A function that `f` calls loses its body: whoever calls it gets an input."""
    for name in source.functions:
        start, end = source.body(name)
        head = re.match(r"(static )?([^{]*)", source.text[start:end])
        if name != "f" and head:
            yield ((start, end, f"{head[2].strip()};"),)


def own_signature(source: Source) -> Edits:
    """What `f` itself is given."""
    start, end = source.body("f")
    head = re.match(r"[^{]*", source.text[start:end])
    for found in re.finditer(r"(unsigned char|signed char|int|short)(?= \w+[,)])", head[0] if head else ""):
        for new in ("unsigned char", "signed char", "short", "int"):
            if new != found[0]:
                yield ((start + found.start(), start + found.end(), new),)
    closing = start + (head[0].rindex(")") if head else 0)
    yield ((closing, closing, ", unsigned char further"),)


FLOW = {
    each.__name__: each
    for each in (
        other_jump,
        swapped_branches,
        repeated,
        moved_out,
        moved_in,
        swapped_cases,
        new_branch,
        undefined,
        own_signature,
    )
}
