"""Boolean expressions over numbered conditions, as C evaluates them: left to right, and only as far as needed.

A *vector* says for each condition whether it was false, true or not evaluated (None) in one evaluation of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leaf:
    """Condition number `index` of the decision, counted from 0 in the order of the text."""

    index: int


@dataclass(frozen=True, slots=True)
class Not:
    operand: Tree


@dataclass(frozen=True, slots=True)
class And:
    """`&&`"""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Or:
    """`||`"""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Both:
    """`&` between Booleans: as `&&`, but both sides are evaluated."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Either:
    """`|` between Booleans: as `||`, but both sides are evaluated."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Differ:
    """`^` and `!=` between Booleans."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Same:
    """`==` between Booleans."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Choice:
    """`chooser ? then : otherwise`, all three Boolean."""

    chooser: Tree
    then: Tree
    otherwise: Tree


Tree = Leaf | Not | And | Or | Both | Either | Differ | Same | Choice


@dataclass(frozen=True, slots=True)
class Vector:
    """One way to evaluate a tree, and what comes out."""

    values: tuple[bool | None, ...]  # by condition; None: not evaluated
    outcome: bool
