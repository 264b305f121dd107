"""Hyperlabels: objectives over several labels in the source, for one call of the function.

M. Marcozzi, M. Delahaye, S. Bardin, N. Kosmatov, V. Prevosto, "Generic and effective specification of structural test
objectives", ICST 2017 (HTOL). There, l1 · l2 is a conjunction, l1 -> l2 a sequence, l1 + l2 a disjunction, and bindings
of values are related by a guard; `pc_label_bindings`, `pc_label_sequence` are as in their tools.

    TIGHTROPE_HYPERLABEL("FORMULA")

    FORMULA = TERM { "or" TERM }                                  one of them happens
    TERM    = CHAIN [ "where" C expression over bound names ]     with the values of the last time that the labels held
    CHAIN   = NUMBER { "then" NUMBER [ "without" NUMBER ] }       one after the other, and this one not between the two
            | NUMBER { "and" NUMBER }                             all, in any order

What has happened so far is kept in locals that we add. So an objective is a label over the state and these locals, at
the places where it can be completed:

    pc_label(a > 3, 1, "");  ...  pc_label(b, 2, "");       "1 then 2":    kept |= a > 3;  ...  LABEL(b && kept)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightrope.coverage.labelling.arithmetic import arithmetic
from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, is_pure, strip, strip_parentheses, walk
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.predicates import bracket, join
from tightrope.coverage.labelling.sites import LabelPlace, function_body
from tightrope.coverage.labelling.written import NUMBER, find_marked, own_text, read_string
from tightrope.errors import UsageError
from tightrope.location import Location
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Form, Label, Temporary, Update
from tightrope.program.marks.marks import TEMPORARY

_FUNCTION = "tightrope_hyperlabel"
_GRAMMAR = "as in `1 then 2 without 3`, `1 and 2 where x == y`, `1 then 2 or 3 then 4`"
_UNSAFE = "`{}` may have no value there: assign it to an initialised local first, and name that in the label"
_WORDS = re.compile(r"\d+|then|and|without|\S+")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass(frozen=True, slots=True)
class Member:
    """A label in the source, as a part of hyperlabels. `flat` is its predicate without jumps, as 0 or 1."""

    predicate: str
    flat: str
    start: int  # of its expression in the preprocessed text
    end: int
    location: Location
    is_in_macro: bool
    problem: str = ""
    bound: tuple[tuple[str, str, str], ...] = ()  # name, type, value without jumps


@dataclass(frozen=True, slots=True)
class _Chain:
    """Members that must hold, each at one of several places; in this order, or in any."""

    members: tuple[tuple[Member, ...], ...]
    is_ordered: bool
    breakers: Mapping[int, tuple[tuple[Member, bool], ...]] = field(default_factory=dict)
    #   after the member at this position: labels that interrupt it when they have this truth
    guard: str = ""


@dataclass(frozen=True, slots=True)
class _Call:
    """A use of one of the macros."""

    node: SyntaxNode
    kind: str
    arguments: tuple[SyntaxNode, ...]


def label_hyperlabels(facts: FunctionFacts) -> Iterator[Label]:
    """Labels at the places where an objective can be completed; those of one objective are a group."""
    calls = list(_find_calls(facts))
    if not calls:
        return
    members = _find_members(facts, calls)
    for call in calls:
        if call.kind == "hyperlabel":
            text = _string(call, 0)
            chains = _Reader(call.node.location, text, members).read()
            yield from _label_chains(facts, call.node, "hyperlabel", text, chains)
    yield from _label_sequences(facts, calls)


def _find_calls(facts: FunctionFacts) -> Iterator[_Call]:
    if _FUNCTION not in facts.syntax.slice(facts.syntax.root):
        return
    for node in everything(facts.syntax.root):
        cast = node.children[0] if node.kind == "ParenExpr" and node.children else None
        asked = cast.children[0] if cast and cast.opcode == "ToVoid" else None
        call = strip_parentheses(asked.children[0]) if asked and asked.name == "sizeof" and asked.children[0] else None
        parts = [each for each in call.children if each] if call and call.kind == "CallExpr" else []
        if parts and strip(parts[0]).name == _FUNCTION:
            yield _Call(node, read_string(strip(parts[1]).value), tuple(parts[2:]))


def _string(call: _Call, at: int) -> str:
    literal = strip(call.arguments[at]) if at < len(call.arguments) else None
    if not literal or literal.kind != "StringLiteral":
        raise _error(call.node.location, f"argument {at + 1} of the hyperlabel must be a string in quotes")
    return read_string(literal.value)


def _number(call: _Call, at: int) -> int:
    literal = strip(call.arguments[at]) if at < len(call.arguments) else None
    if not literal or literal.kind != "IntegerLiteral":
        raise _error(call.node.location, f"argument {at + 1} of the label must be a number")
    return int(literal.value)


def _error(location: Location, message: str) -> UsageError:
    return UsageError(message, location=location, slug="hyperlabel", hint=f"a hyperlabel is written {_GRAMMAR}")


# --- labels that hyperlabels speak of


def _find_members(facts: FunctionFacts, calls: Sequence[_Call]) -> dict[str, tuple[Member, ...]]:
    """By number, as it is written."""
    found: dict[str, tuple[Member, ...]] = {}
    for node in everything(facts.syntax.root):
        marked = find_marked(facts, node)
        number = NUMBER.match(marked[1]) if marked else None
        if marked and number:
            found[number[1]] = (*found.get(number[1], ()), _member(facts, node, marked[0]))
    for call in calls:
        if call.kind == "bindings":
            number_of = str(_number(call, 1))
            member = replace(_member(facts, call.node, call.arguments[0]), bound=tuple(_bindings(facts, call)))
            found[number_of] = (*found.get(number_of, ()), member)
    return found


def _member(facts: FunctionFacts, node: SyntaxNode, predicate: SyntaxNode) -> Member:
    text, flat = own_text(facts, predicate), flatten_predicate(facts, predicate)
    problem = "" if flat else IMPURE if not is_pure(predicate) else _UNSAFE.format(text)
    return Member(text, flat or "0", node.start, node.end, node.location, node.is_in_macro, problem)


def _bindings(facts: FunctionFacts, call: _Call) -> Iterator[tuple[str, str, str]]:
    """`e, id, "TAG", binding, n, "x", value, ...`"""
    count, first = _number(call, 4), 5
    if len(call.arguments) != first + 2 * count:
        raise _error(call.node.location, f"pc_label_bindings has {count} bindings, each of a name and a value")
    for at in range(first, len(call.arguments), 2):
        name, value = _string(call, at), call.arguments[at + 1]
        kind = arithmetic(value.type)
        if not kind or kind.is_real or not flatten_predicate(facts, value):
            why = "is no integer" if not kind or kind.is_real else "may have no value there"
            raise _error(call.node.location, f"the value of {name}, `{facts.words(value)}`, {why}")
        yield name, kind.name, bracket(facts.text(value))


_FLAT_BINARY = ("<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "+", "-", "*")
_NO_JUMP = frozenset(
    ("DeclRefExpr", "IntegerLiteral", "FloatingLiteral", "CharacterLiteral", "ImplicitCastExpr", "CStyleCastExpr")
)


def flatten_predicate(facts: FunctionFacts, node: SyntaxNode) -> str:
    """The expression as C without jumps, calls and anything that may fail; '' if that is not possible."""
    inner = node
    while inner.kind in ("ParenExpr", "ImplicitCastExpr") and inner.children[0]:
        inner = inner.children[0]
    if inner.kind == "CStyleCastExpr" and inner.type in ("_Bool", "bool") and inner.children[0]:
        return flatten_predicate(facts, inner.children[0])
    if inner.opcode in ("&&", "||") and inner.kind == "BinaryOperator":
        parts = [flatten_predicate(facts, each) for each in inner.children if each]
        return f"(!!{parts[0]} {inner.opcode[0]} !!{parts[1]})" if all(parts) else ""
    if inner.opcode == "!" and inner.children[0]:
        part = flatten_predicate(facts, inner.children[0])
        return f"(!{part})" if part else ""
    return f"({facts.text(inner)})" if all(_is_flat(facts, each) for each in walk(node)) else ""


def _is_flat(facts: FunctionFacts, node: SyntaxNode) -> bool:
    match node.kind:
        case "DeclRefExpr":
            is_variable = node.declares in ("VarDecl", "ParmVarDecl")
            return "volatile" not in node.type and (not is_variable or facts.has_value(node.declaration))
        case "BinaryOperator":
            return node.opcode in _FLAT_BINARY
        case "UnaryOperator":
            return node.opcode in ("!", "~", "+", "-")
        case "MemberExpr":
            return bool(node.children[0]) and not (node.children[0] and node.children[0].type.rstrip().endswith("*"))
        case "ImplicitCastExpr" | "CStyleCastExpr":
            return node.opcode != "FloatingToIntegral"
    return node.kind in (*_NO_JUMP, "ParenExpr", "ConstantExpr", "UnaryExprOrTypeTraitExpr")


# --- formulas


class _Reader:
    """Reads one formula."""

    def __init__(self, location: Location, text: str, members: Mapping[str, tuple[Member, ...]]) -> None:
        self.location, self.text, self.members = location, text, members

    def read(self) -> list[_Chain]:
        return [self._term(part) for part in re.split(r"\bor\b", self.text)]

    def _term(self, text: str) -> _Chain:
        chain, word, guard = text.partition(" where ")
        read = self._chain(_WORDS.findall(chain))
        if word and not guard.strip():
            raise self._fail("there is no guard behind `where`")
        return replace(read, guard=guard.strip())

    def _chain(self, words: list[str]) -> _Chain:
        if not words:
            raise self._fail("a part of it is empty")
        members, breakers = [self._member(words[0])], dict[int, tuple[tuple[Member, bool], ...]]()
        connectors, at = set[str](), 1
        while at < len(words):
            word, operand = words[at], words[at + 1] if at + 1 < len(words) else ""
            if word in ("then", "and"):
                connectors.add(word)
                members.append(self._member(operand))
            elif word == "without" and "then" in connectors:
                broken = tuple((each, True) for each in self._member(operand))
                breakers[len(members) - 2] = (*breakers.get(len(members) - 2, ()), *broken)
            else:
                raise self._fail(f"`{word}` is not expected there")
            at += 2
        if len(connectors) > 1:
            raise self._fail("`then` and `and` cannot be mixed: write two hyperlabels")
        return _Chain(tuple(members), connectors != {"and"}, breakers)

    def _member(self, word: str) -> tuple[Member, ...]:
        if not word.isdigit():
            raise self._fail(f"`{word}` is no number of a label" if word else "it ends where a label is expected")
        if word not in self.members:
            known = ", ".join(sorted(self.members, key=lambda each: (len(each), each))) or "none"
            raise self._fail(f"no label of this function has the number {word} (there are: {known})")
        return self.members[word]

    def _fail(self, why: str) -> UsageError:
        return _error(self.location, f'hyperlabel "{self.text}": {why}')


# --- labels of formulas


def _label_chains(
    facts: FunctionFacts, node: SyntaxNode, kind: str, text: str, chains: Sequence[_Chain]
) -> Iterator[Label]:
    group = f"{kind}:{node.start}"
    labeller = Labeller(facts, "label")
    for number, chain in enumerate(chains):
        builder = _ChainBuilder(facts, node, f"{node.start}_{number}", chain)
        for member, claims, temporaries in builder.ends():
            place = LabelPlace(
                Form.EXPRESSION, member.start, member.end, member.location, member.is_in_macro, temporaries=temporaries
            )
            label = labeller.at(place, node.location, kind, kind, text, join((bracket(member.predicate), *claims)))
            yield replace(label, group=group, problem=builder.problem)


class _ChainBuilder:
    """The locals that follow a chain, and the labels that complete it."""

    def __init__(self, facts: FunctionFacts, node: SyntaxNode, name: str, chain: _Chain) -> None:
        body = function_body(facts.syntax.root)
        assert body
        self.chain, self.name, self.node, self.declared_at = chain, name, node, body.start + 1
        involved = [each for places in chain.members for each in places]
        involved += [each for broken in chain.breakers.values() for each, _ in broken]
        self.problem = next((each.problem for each in involved if each.problem), "")
        self.bound = self._bindings()
        self.guard = self._guard()

    def ends(self) -> Iterator[tuple[Member, tuple[str, ...], tuple[Temporary, ...]]]:
        """The members that may complete it, with what else must be true there."""
        chain, flags = self.chain, self._flags()
        guards = (self.guard,) if self.guard else ()
        temporaries = (*self.bound.values(), *flags.values())
        if chain.is_ordered:
            last = len(chain.members) - 1
            before = (flags[last - 1].name,) if last else ()
            yield from ((member, (*before, *guards), temporaries) for member in chain.members[last])
            return
        for at, places in enumerate(chain.members):
            others = tuple(flag.name for position, flag in flags.items() if position != at)
            yield from ((member, (*others, *guards), temporaries) for member in places)

    def _flags(self) -> dict[int, Temporary]:
        """By position of a member: whether the chain has come so far. Later ones are updated first, so that one event
        does not count twice."""
        chain = self.chain
        count = len(chain.members) - 1 if chain.is_ordered else len(chain.members)
        return {at: self._flag(at) for at in reversed(range(count))}

    def _flag(self, at: int) -> Temporary:
        chain, name = self.chain, self._name(at)
        before = f"{self._name(at - 1)} & " if chain.is_ordered and at else ""
        updates = [
            _late(f"{name} &= {'!' if truth else '!!'}{breaker.flat}", breaker)
            for breaker, truth in chain.breakers.get(at, ())
        ]
        updates += [_late(f"{name} |= {before}!!{member.flat}", member) for member in chain.members[at]]
        shown = f"<{at + 1} of {len(chain.members)}>"
        return Temporary(name, "int", self.declared_at, shown, initial="0", updates=tuple(updates))

    def _name(self, at: int) -> str:
        return f"{TEMPORARY}chain_{self.name}_{at}"

    def _bindings(self) -> dict[str, Temporary]:
        """By name: the value of the last time that its label held."""
        found: dict[str, Temporary] = {}
        for member in (each for places in self.chain.members for each in places):
            for name, kind, value in member.bound:
                kept = f"{TEMPORARY}bound_{self.name}_{name}"
                unsigned = kind if kind.startswith("unsigned") else f"unsigned {kind}"
                chosen = f"-({unsigned})!!{member.flat}"
                text = f"{kept} = ({kind})((({unsigned}){value} & {chosen}) | (({unsigned}){kept} & ~{chosen}))"
                known = found.get(name) or Temporary(kept, kind, self.declared_at, name, initial="0")
                update = Update(text, Form.EXPRESSION, member.start, member.end)
                found[name] = replace(known, updates=(*known.updates, update))
        return found

    def _guard(self) -> str:
        def name(word: re.Match[str]) -> str:
            if word.group() not in self.bound:
                known = ", ".join(self.bound) or "no name"
                raise _error(
                    self.node.location,
                    f"`{word.group()}` in the guard `{self.chain.guard}` is not bound (its labels bind {known})",
                )
            return self.bound[word.group()].name

        return _NAME.sub(name, self.chain.guard)


def _late(text: str, member: Member) -> Update:
    return Update(text, Form.EXPRESSION, member.start, member.end, is_late=True)


def _label_sequences(facts: FunctionFacts, calls: Sequence[_Call]) -> Iterator[Label]:
    """`pc_label_sequence(e, id, at, of, "TAG", 0)`, which `pc_label_sequence_condition(e, "TAG")` interrupts."""
    sequences: dict[int, list[_Call]] = {}
    for call in calls:
        if call.kind == "sequence":
            sequences.setdefault(_number(call, 1), []).append(call)
    for number, parts in sequences.items():
        count, tag = _number(parts[0], 3), _string(parts[0], 4)
        places: list[list[Member]] = [[] for _ in range(count)]
        for call in parts:
            at = _number(call, 2)
            if not 1 <= at <= count or _number(call, 3) != count:
                raise _error(call.node.location, f"member {at} of sequence {number}, which has {count}")
            places[at - 1].append(_member(facts, call.node, call.arguments[0]))
        if not all(places):
            missing = next(at for at, each in enumerate(places, 1) if not each)
            raise _error(parts[0].node.location, f"sequence {number} of {count} has no member {missing}")
        conditions = [each for each in calls if each.kind == "condition" and _string(each, 1) == tag]
        broken = tuple((_member(facts, each.node, each.arguments[0]), False) for each in conditions)
        chain = _Chain(tuple(map(tuple, places)), True, {at: broken for at in range(count - 1) if broken})
        last = max(parts, key=lambda call: _number(call, 2))
        yield from _label_chains(facts, last.node, "sequence", f"sequence {number} ({tag})", [chain])
