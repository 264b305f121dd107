"""Masking: which conditions of a decision mattered in one evaluation of it.

A condition is *unmasked* in a vector if there are values for the conditions that were not evaluated with which the
opposite value of this condition gives the opposite outcome (all conditions evaluated).

There are two implementations. `unmasked` follows this definition; criteria use it. `masks` and `terminations` are the
static partial evaluation of M. Whalen et al., "A flexible and non-intrusive approach for computing complex structural
coverage metrics", 2015, Fig. 3: the effect of one value of a condition on the conditions before it. With them, `mark`
does what a run would do (Fig. 4). Line 18 of Fig. 3 uses the class of E; it must be that of its parent.

    a && (b || c)      a    masks: true {}   false {}     ends the decision: true no,  false yes
                       b           true {}   false {}                        true yes, false no
                       c           true {b}  false {a}                       true yes, false yes
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.program.decisions.boolean_tree import (
    NO_CONSTANTS,
    And,
    Both,
    Choice,
    ConditionRef,
    Constants,
    Differ,
    Either,
    Not,
    Or,
    Same,
    Tree,
    Vector,
    leaves,
    operands,
)

_Ancestor = tuple[Tree, int]  # an operator, and which of its operands the condition is in


def unmasked(tree: Tree, vector: Vector, constants: Constants = NO_CONSTANTS) -> frozenset[int]:
    """The conditions that were evaluated and mattered. A constant that was not evaluated still has its value."""
    evaluated = {index: value for index, value in enumerate(vector.values) if value is not None}
    return _sensitive(tree, {**constants, **evaluated})[1] & evaluated.keys()


def _sensitive(tree: Tree, known: Constants) -> tuple[frozenset[bool], frozenset[int]]:
    """The values that the tree can still have, and the conditions whose other value could change that.

    The operands of an operator share no condition, so that each can be asked alone.
    """
    if isinstance(tree, ConditionRef):
        return _VALUES[known.get(tree.index)], frozenset({tree.index})
    parts = [_sensitive(operand, known) for operand in operands(tree)]
    possible = [values for values, _ in parts]
    mattering = (found for position, (_, found) in enumerate(parts) if _lets_matter(tree, position, possible))
    return _combine(tree, possible), frozenset().union(*mattering)


def can_matter(tree: Tree, constants: Constants) -> frozenset[int]:
    """The conditions that the constants let matter. A condition elsewhere never does, whatever the others are."""
    return _sensitive(tree, constants)[1]


_VALUES = {False: frozenset({False}), True: frozenset({True}), None: frozenset({False, True})}


def _lets_matter(tree: Tree, position: int, possible: list[frozenset[bool]]) -> bool:
    """Whether the operand at this position decides the tree for some values that the others can have."""
    match tree:
        case And() | Both():
            return True in possible[1 - position]
        case Or() | Either():
            return False in possible[1 - position]
        case Choice() if position == 0:
            return len(possible[1] | possible[2]) > 1
        case Choice():
            return (position == 1) in possible[0]
        case _:
            return True


def _combine(tree: Tree, possible: list[frozenset[bool]]) -> frozenset[bool]:
    """The values of an operator whose operands can have these."""
    match tree:
        case Not():
            return frozenset(not value for value in possible[0])
        case And() | Both():
            return frozenset(left and right for left in possible[0] for right in possible[1])
        case Or() | Either():
            return frozenset(left or right for left in possible[0] for right in possible[1])
        case Choice():
            return frozenset(value for chosen in possible[0] for value in possible[1 if chosen else 2])
        case _:
            return frozenset((left == right) is isinstance(tree, Same) for left in possible[0] for right in possible[1])


def fixed_polarities(tree: Tree, constants: Constants = NO_CONSTANTS) -> frozenset[int]:
    """The conditions whose value alone tells the outcome, whenever they are unmasked.

    It does not below `^`, `==` and `!=`, and where it chooses in `?:`: both values can go with both outcomes.
    """
    if isinstance(tree, ConditionRef):
        return frozenset({tree.index})
    kept = [each for at, each in enumerate(operands(tree)) if _keeps_polarity(tree, at, constants)]
    return frozenset().union(*(fixed_polarities(each, constants) for each in kept))


def _keeps_polarity(parent: Tree, position: int, constants: Constants) -> bool:
    if isinstance(parent, Differ | Same) or (isinstance(parent, Choice) and position == 0):
        others = [each for number, each in enumerate(operands(parent)) if number != position]
        # a constant beside it leaves it one way to matter
        return any(len(_sensitive(each, constants)[0]) == 1 for each in others)
    return True


def masks(tree: Tree) -> dict[tuple[int, bool], frozenset[int]]:
    """By condition and value: the conditions that cannot matter any more. Where `is_static`, that is all that masks."""
    above = _all_ancestors(tree).items()
    return {(index, value): frozenset(_masked(each, value)) for index, each in above for value in (False, True)}


def terminations(tree: Tree) -> dict[tuple[int, bool], bool | None]:
    """By condition and value: whether the decision is over. None: that depends on what came before (never where
    `is_static`)."""
    return {
        (index, value): _ends(each, value) for index, each in _all_ancestors(tree).items() for value in (False, True)
    }


def is_static(tree: Tree) -> bool:
    """Whether masks and terminations tell everything: the tree has no operator but `&& || !` and `?:`."""
    return not isinstance(tree, Both | Either | Differ | Same) and all(map(is_static, operands(tree)))


def mark(tree: Tree, vector: Vector) -> frozenset[int]:
    """The marking function of Fig. 4, run over one evaluation of a static tree: the conditions that mattered."""
    masked, ends = masks(tree), terminations(tree)
    buffer: frozenset[int] = frozenset()
    for index in leaves(tree):
        value = vector.values[index]
        if value is not None:
            buffer = (buffer | {index}) - masked[index, value]
            if ends[index, value]:
                return buffer
    raise ValueError(f"nothing ends the decision in {vector}")


def _all_ancestors(tree: Tree, above: tuple[_Ancestor, ...] = ()) -> dict[int, tuple[_Ancestor, ...]]:
    """By condition, the operators above it, innermost first."""
    if isinstance(tree, ConditionRef):
        return {tree.index: above}
    found: dict[int, tuple[_Ancestor, ...]] = {}
    for position, operand in enumerate(operands(tree)):
        found |= _all_ancestors(operand, ((tree, position), *above))
    return found


def _masked(ancestors: tuple[_Ancestor, ...], value: bool) -> Iterator[int]:
    """`setMask` of Fig. 3."""
    known: bool | None = value
    for parent, position in ancestors:
        if known is None:
            return
        if position == 1 and known is _absorbing(parent):
            yield from leaves(operands(parent)[0])
        known = _partial_value(parent, position, known)


def _partial_value(parent: Tree, position: int, value: bool) -> bool | None:
    """`partialEval` of Fig. 3: the operator's value when one operand has this one; None: not known."""
    match parent:
        case Not():
            return not value
        case And() | Or() if position == 1:
            return value  # it would not have been evaluated had the left operand decided
        case Choice() if position > 0:
            return value
        case _:
            return value if value is _absorbing(parent) else None


def _absorbing(operator: Tree) -> bool | None:
    """The value of an operand that decides the operator alone."""
    match operator:
        case And() | Both():
            return False
        case Or() | Either():
            return True
        case _:
            return None


def _ends(ancestors: tuple[_Ancestor, ...], value: bool) -> bool | None:
    """`terminates` of Fig. 3. An operator can be over while its value is not known: `^`, behind its right operand."""
    known: bool | None = value
    for parent, position in ancestors:
        if position == 0 and not isinstance(parent, Not):
            if not isinstance(parent, And | Or) or known is (not _absorbing(parent)):
                return False  # another operand comes next
            if known is None:
                return None
        known = None if known is None else _partial_value(parent, position, known)
    return True
