"""RTE: every operation with undefined behaviour for some operands is executed with such operands (Bardin et al.,
Section III-B).

A covered label is a run-time error that a test triggers; an infeasible one cannot happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.coverage.labelling.arithmetic import Arithmetic, arithmetic, array_length
from tightrope.coverage.labelling.evaluation import FunctionFacts, is_arrow, is_constant, is_pure, is_step, strip
from tightrope.coverage.labelling.kept_operands import KeptOperands, keep_both, keep_operands, keep_value
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.predicates import bracket, join, needs_inside
from tightrope.coverage.labelling.sites import Site, find_place, find_sites, operand_site
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Label


@dataclass(frozen=True, slots=True)
class Error:
    """A possible error of one operation: the predicate `happens`, once its operands may be evaluated."""

    kind: str
    text: str
    happens: str
    operands: tuple[SyntaxNode, ...]  # the operands that `happens` reads


def label_errors(facts: FunctionFacts) -> Iterator[Label]:
    labeller = Labeller(facts, "rte")
    for site in find_sites(facts):
        is_address_taken = _is_address_taken(site)
        for number, error in enumerate(find_errors(facts, site.node, is_address_taken)):
            if all(is_pure(operand) for operand in error.operands):
                yield _label(labeller, site, error)
                continue
            kept = _keep(facts, site, error)
            if kept:
                happens = list(find_errors(kept.facts, site.node, is_address_taken))[number].happens
                happens = join((*_needs_of_target(kept.facts, site, error), happens))
                yield labeller.at(kept.place, site.node.location, error.kind, error.kind, error.text, happens)
            else:
                yield labeller.problem(site, error.kind, "", error.text, IMPURE)


def _keep(facts: FunctionFacts, site: Site, error: Error) -> KeptOperands | None:
    """Where an error of operands with side effects is seen: `a[i++]` between `i++` and the access, `x++ / n` behind
    `n`, before the division, `i++ + n` behind the sum, which wraps around in our runs. The target of `x += n++` is read
    behind `n++`; one that has side effects itself cannot be kept."""
    variable = [operand for operand in error.operands if not is_constant(operand)]
    if len(variable) == 1:
        return keep_value(facts, variable[0])
    if site.node.kind == "CompoundAssignOperator":
        target, value = error.operands
        return keep_value(facts, value) if is_pure(target) else None
    wraps = site.node.kind == "BinaryOperator" and site.node.opcode in ("+", "-", "*")
    return keep_operands(facts, site) if wraps else keep_both(facts, site.node)


def _needs_of_target(facts: FunctionFacts, site: Site, error: Error) -> tuple[str, ...]:
    """What must hold for the target of `x += n++` to be read where `n++` is over."""
    is_target = site.node.kind == "CompoundAssignOperator" and error.operands[0] is site.node.children[0]
    return defined(facts, error.operands[0]) if is_target else ()


def _label(labeller: Labeller, site: Site, error: Error) -> Label:
    """The label of an error. Its operands must have a value: no other error may come before."""
    needs = [need for operand in error.operands for need in defined(labeller.facts, operand)]
    at = find_place(labeller.facts, site, error.operands)
    if at.place is None:  # `p->x = f()`: in front of p itself
        at = find_place(labeller.facts, operand_site(site, error.operands[0]))
    return labeller.about(site, at, error.kind, "", error.text, *needs, error.happens)


def _is_address_taken(site: Site) -> bool:
    """`&a[i]`, `&p->x`: nothing is read there."""
    for parent, _ in site.parents:
        if parent.kind == "UnaryOperator" and parent.opcode == "&":
            return True
        if parent.kind not in ("ParenExpr", "MemberExpr") or is_arrow(parent):
            return False
    return False


def defined(facts: FunctionFacts, node: SyntaxNode) -> tuple[str, ...]:
    """What must hold for a pure expression to have a value."""
    return needs_inside(facts, node, lambda each: (f"!({error.happens})" for error in find_errors(facts, each)))


def find_errors(facts: FunctionFacts, node: SyntaxNode, is_address_taken: bool = False) -> Iterator[Error]:
    """The errors that the operation itself may cause."""
    kind = arithmetic(node.type)
    match node.kind:
        case "BinaryOperator" | "CompoundAssignOperator":
            yield from _binary(facts, node, kind)
        case "UnaryOperator":
            yield from _unary(facts, node, kind, is_address_taken)
        case "ArraySubscriptExpr":
            yield from _index(facts, node, is_address_taken)
        case "MemberExpr":
            if is_arrow(node) and node.children[0] and not is_address_taken:
                yield from _null(facts, node.children[0])


def _binary(facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic | None) -> Iterator[Error]:
    left, right = node.children
    opcode = node.opcode.removesuffix("=") if node.kind == "CompoundAssignOperator" else node.opcode
    if not left or not right or not kind or kind.is_real:
        return
    if opcode in ("/", "%"):
        yield from _division(facts, kind, left, right)
    elif opcode in ("<<", ">>") and not is_constant(right):
        yield from _shift(facts, kind, right)
    elif opcode in ("+", "-", "*") and _computes_in(kind, left, right) and not is_constant(node):
        happens = overflow(kind, opcode, facts.text(left), facts.text(right))
        yield Error("overflow", f"{facts.words(left)} {opcode} {facts.words(right)} overflows", happens, (left, right))


def _computes_in(kind: Arithmetic, left: SyntaxNode, right: SyntaxNode) -> bool:
    """True if the operation is computed in this type; a short += is computed in int, and cannot overflow."""
    kinds = arithmetic(left.type), arithmetic(right.type)
    return kind.overflows and all(each is not None and each.name == kind.name for each in kinds)


def overflow(kind: Arithmetic, opcode: str, left: str, right: str) -> str:
    """The result does not fit. For int it is computed in long long; for wider types, the bounds are compared."""
    a, b = bracket(left), bracket(right)
    if kind.name == "int":
        wide = f"(long long){a} {opcode} {b}"
        return f"{wide} > {kind.maximum} || {wide} < {kind.minimum}"
    low, high = kind.minimum, kind.maximum
    if opcode == "+":
        return f"({b} > 0 && {a} > {high} - {b}) || ({b} < 0 && {a} < {low} - {b})"
    if opcode == "-":
        return f"({b} < 0 && {a} > {high} + {b}) || ({b} > 0 && {a} < {low} + {b})"
    return (
        f"{a} > 0 ? ({b} > 0 ? {a} > {high} / {b} : {b} < {low} / {a})"
        f" : {b} > 0 ? {a} < {low} / {b} : {a} != 0 && {b} < {high} / {a}"
    )


def _division(facts: FunctionFacts, kind: Arithmetic, left: SyntaxNode, right: SyntaxNode) -> Iterator[Error]:
    a, b = bracket(facts.text(left)), bracket(facts.text(right))
    if is_constant(right):
        return
    yield Error("division", f"division by {facts.words(right)}, which is 0", f"{b} == 0", (right,))
    if kind.overflows:
        text = f"{facts.words(left)} divided by {facts.words(right)} overflows"
        yield Error("overflow", text, f"{a} == {kind.minimum} && {b} == -1", (left, right))


def _shift(facts: FunctionFacts, kind: Arithmetic, right: SyntaxNode) -> Iterator[Error]:
    by = bracket(facts.text(right))
    its = arithmetic(right.type)
    below = f"{by} < 0 || " if its and its.is_signed else ""
    yield Error(
        "shift", f"shift by {facts.words(right)}, which is out of range", f"{below}{by} >= {kind.width}", (right,)
    )


def _unary(facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic | None, is_address_taken: bool) -> Iterator[Error]:
    operand = node.children[0]
    if not operand or is_constant(operand):
        return
    text = facts.text(operand)
    if node.opcode == "*" and not is_address_taken:
        yield from _null(facts, operand)
    elif node.opcode == "-" and kind and kind.overflows:
        yield Error("overflow", f"{facts.words(node)} overflows", f"{bracket(text)} == {kind.minimum}", (operand,))
    elif is_step(node) and kind and kind.overflows:
        limit = kind.maximum if node.opcode == "++" else kind.minimum
        yield Error("overflow", f"{facts.words(node)} overflows", f"{bracket(text)} == {limit}", (operand,))


def _index(facts: FunctionFacts, node: SyntaxNode, is_address_taken: bool) -> Iterator[Error]:
    """For an array whose type has the length; taking the address one past the end is allowed."""
    base, index = node.children
    if not base or not index:
        return
    length = _length(base)
    if length is None:
        if not is_address_taken and strip(base).kind != "StringLiteral" and base.opcode != "ArrayToPointerDecay":
            yield from _null(facts, base)
        return
    if is_constant(index):
        return
    text, its = bracket(facts.text(index)), arithmetic(index.type)
    below = f"{text} < 0 || " if its and its.is_signed else ""
    happens = f"{below}{text} {'>' if is_address_taken else '>='} {length}"
    yield Error(
        "index", f"index {facts.words(index)} of {facts.words(base)}, which has {length} elements", happens, (index,)
    )


def _length(base: SyntaxNode) -> int | None:
    is_array = base.opcode == "ArrayToPointerDecay" and base.children[0]
    return array_length(base.children[0].type) if is_array and base.children[0] else None


def _null(facts: FunctionFacts, pointer: SyntaxNode) -> Iterator[Error]:
    """A null pointer is dereferenced; arrays and addresses of objects are never null."""
    inner = strip(pointer)
    is_object = (inner.kind == "UnaryOperator" and inner.opcode == "&") or pointer.opcode == "ArrayToPointerDecay"
    is_function = pointer.opcode == "FunctionToPointerDecay"
    if is_object or is_function or is_constant(pointer) or inner.kind == "BinaryOperator":
        return
    text = facts.text(pointer)
    yield Error("null", f"{facts.words(pointer)} is null", f"{bracket(text)} == 0", (pointer,))
