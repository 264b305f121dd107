"""Edits of what functions do: each operator lists every edit of its kind (edits.py draws one)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from edit_sites import LOOPS, NUMBERS, Site, Source

Piece = tuple[int, int, str]  # from, to, what stands there then
Edits = Iterator[tuple[Piece, ...]]

_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_OTHERS = {
    **dict.fromkeys(_RELATIONS, _RELATIONS),
    **dict.fromkeys(_ARITHMETIC, _ARITHMETIC),
    **{f"{each}=": tuple(f"{other}=" for other in _ARITHMETIC[:8]) for each in _ARITHMETIC},
    "&&": ("||",),
    "||": ("&&",),
}


def _operators(source: Source, table: tuple[str, ...]) -> Edits:
    for site in source.sites:
        node = site.node
        if node.opcode in table and node.kind in ("BinaryOperator", "CompoundAssignOperator"):
            place = _operator(source, site)
            for other in _OTHERS[node.opcode] if place else ():
                if other != node.opcode and place:
                    yield ((*place, f" {other} "),)


def _operator(source: Source, site: Site) -> tuple[int, int] | None:
    """Between its operands, if neither comes from a macro."""
    left, right = site.node.children
    if left is None or right is None or left.end_location is None or right.is_in_macro or left.is_in_macro:
        return None
    start, end = source.offset(left.end_location), source.offset(right.location)
    return (start, end) if source.text[start:end].strip() == site.node.opcode else None


def relational(source: Source) -> Edits:
    return _operators(source, _RELATIONS)


def arithmetic(source: Source) -> Edits:
    return _operators(source, _ARITHMETIC)


def compound(source: Source) -> Edits:
    return _operators(source, tuple(f"{each}=" for each in _ARITHMETIC))


def logical(source: Source) -> Edits:
    return _operators(source, ("&&", "||"))


def constant(source: Source) -> Edits:
    for site in source.sites:
        if site.node.kind in ("IntegerLiteral", "CharacterLiteral"):
            text = source.slice(site)
            for new in (f"{text} + 1", f"{text} - 1", "0", "1", "7", f"-{text}"):
                yield ((site.start, site.end, new if new.isdigit() or site.parent is None else f"({new})"),)
        elif site.node.kind == "FloatingLiteral":
            yield from (((site.start, site.end, new),) for new in ("0.0", "1.5", "-2.0", "1e30", "(0.0 / 0.0)"))


def string(source: Source) -> Edits:
    for site in source.sites:
        text = source.slice(site)
        if site.node.kind == "StringLiteral" and len(text) > 2:
            yield ((site.start, site.end, f'"x{text[2:]}'),)
            yield ((site.start, site.end, f'{text[:-1]}b"'),)


def negated(source: Source) -> Edits:
    for site in _conditions(source):
        yield ((site.start, site.end, f"!({source.slice(site)})"),)


def dropped_conjunct(source: Source) -> Edits:
    for site in source.sites:
        if site.node.opcode in ("&&", "||") and _operator(source, site):
            start, end = _operator(source, site) or (0, 0)
            yield ((site.start, site.end, source.text[site.start : start]),)
            yield ((site.start, site.end, source.text[end : site.end]),)


def added_conjunct(source: Source) -> Edits:
    for site in _conditions(source):
        for name in site.numbers:
            for further in (f"&& {name} > 1", f"|| {name} == 2", f"&& ({name} & 1)"):
                yield ((site.start, site.end, f"(({source.slice(site)}) {further})"),)


def _conditions(source: Source) -> Iterator[Site]:
    for site in source.sites:
        parent = site.parent
        if parent is None or parent.kind not in ("IfStmt", *LOOPS, "ConditionalOperator"):
            continue
        at = {"ForStmt": 2, "DoStmt": 1}.get(parent.kind, 0)
        if parent.children[at] is site.node:
            yield site


def deleted(source: Source) -> Edits:
    for site in source.sites:
        is_last = site.node.kind == "ReturnStmt" and site.parent is site.function.root.children[-1]
        if site.is_statement and not is_last:
            yield ((site.start, site.end, "" if source.whole(site)[1] > site.end else ";"),)


def duplicated(source: Source) -> Edits:
    for site in source.sites:
        if site.is_statement:
            start, end = source.whole(site)
            yield ((start, end, f"{source.text[start:end]} {source.text[start:end]}"),)


def swapped(source: Source) -> Edits:
    for one, other in source.neighbours():
        first, second = source.whole(one), source.whole(other)
        yield (*first, source.text[slice(*second)]), (*second, source.text[slice(*first)])


def wrapped(source: Source) -> Edits:
    """A statement becomes conditional, or is repeated."""
    for site in source.sites:
        if not site.is_statement or site.node.kind == "ReturnStmt" or not site.numbers:
            continue
        start, end = source.whole(site)
        name = site.numbers[-1]
        for head in (f"if ({name} > 1)", f"if ({name} != 3)", "for (int twice = 0; twice < 2; twice++)"):
            yield ((start, end, f"{head} {{ {source.text[start:end]} }}"),)


def inserted(source: Source) -> Edits:
    for site in source.sites:
        if site.is_statement:
            for statement in _statements(site):
                yield ((site.start, site.start, f"{statement} "),)


def _statements(site: Site) -> Iterator[str]:
    names = site.numbers
    for name in names:
        yield from (f"{name} = 1;", f"{name}++;", f"{name} = {names[0]};", f"if ({name} == 2) {_leave(site)};")
    if names:
        yield f"if ({names[-1]} > 2) {{ int fresh = {names[0]} * 2; {names[-1]} = fresh; }}"
        yield f"while ({names[-1]} == 3) ;"  # never left
        yield f"{names[-1]} = 6 / {names[0]};"
    if site.is_in_loop:
        yield from (f"if ({name} == 1) {word};" for name in names for word in ("break", "continue"))


def _leave(site: Site) -> str:
    returned = site.function.root.type.split("(")[0].strip()
    return "return" if returned == "void" else "return 0"


def called(source: Source) -> Edits:
    """A call more, of each function there is that takes numbers."""
    for site in source.sites:
        if not site.is_statement or not site.numbers:
            continue
        for other in source.functions.values():
            parameters = other.root.type.partition("(")[2].rstrip(")").split(", ")
            if all(each in NUMBERS for each in parameters) and other.name != "f":
                arguments = ", ".join(site.numbers[-1:] * len(parameters))
                yield ((site.start, site.start, f"{other.name}({arguments}); "),)


def index(source: Source) -> Edits:
    for site in source.sites:
        if site.parent and site.parent.kind == "ArraySubscriptExpr" and site.parent.children[1] is site.node:
            text = source.slice(site)
            for new in (f"({text}) + 1", f"({text}) ^ 1", "0", *site.numbers[-2:]):
                yield ((site.start, site.end, new),)


def variable(source: Source) -> Edits:
    """Another variable of numbers, or another function of the same type."""
    for site in source.sites:
        node = site.node
        if node.kind == "DeclRefExpr" and node.declares in ("VarDecl", "ParmVarDecl") and node.type in NUMBERS:
            yield from (((site.start, site.end, name),) for name in site.numbers if name != node.name)
        elif node.kind == "DeclRefExpr" and node.declares == "FunctionDecl":
            others = [each.name for each in source.functions.values() if each.root.type == node.type]
            yield from (((site.start, site.end, name),) for name in others if name != node.name)


def step(source: Source) -> Edits:
    """`x++` becomes `x--`, `++x`."""
    for site in source.sites:
        if site.node.kind == "UnaryOperator" and site.node.opcode in ("++", "--"):
            text, name = source.slice(site), source.slice(site).strip("+-")
            yield ((site.start, site.end, text.translate(str.maketrans("+-", "-+"))),)
            yield ((site.start, site.end, f"++{name}" if site.node.is_postfix else f"{name}++"),)


def local_type(source: Source) -> Edits:
    for site in source.sites:
        found = re.match(r"(unsigned char|signed char|unsigned|int|long|short|char)\b", source.slice(site))
        kinds = ("DeclStmt",) if site.function.name == "f" else ("DeclStmt", "ParmVarDecl")
        if site.node.kind in kinds and found:
            yield from _types(site.start, found)


def _types(start: int, found: re.Match[str]) -> Edits:
    for new in ("unsigned char", "int", "unsigned", "short", "long", "static int", "volatile int", "float"):
        if new != found[0]:
            yield ((start, start + found.end(), new),)


INSIDE = {
    each.__name__: each
    for each in (
        relational,
        arithmetic,
        compound,
        logical,
        constant,
        string,
        negated,
        dropped_conjunct,
        added_conjunct,
        deleted,
        duplicated,
        swapped,
        wrapped,
        inserted,
        called,
        index,
        variable,
        step,
        local_type,
    )
}
