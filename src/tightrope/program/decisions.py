"""Decisions: the Boolean expressions of a function that DO-178C wants covered, with their conditions.

Taken from clang's AST (syntax.py). What cannot be followed in the compiled code is listed with its problem, never
dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.location import Location
from tightrope.program.boolean_tree import Tree


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of a decision: it has no Boolean operator of its own."""

    text: str  # 'a > 3'
    location: Location  # in the user's file
    start: int  # in the preprocessed text
    end: int
    constant: bool | None = None  # its value, where it is a constant: the compiler leaves no code for it
    is_in_macro: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A Boolean expression that is no operand of another one."""

    function: str  # '@f'
    text: str  # 'a > 3 && b'
    location: Location  # in the user's file
    role: str  # 'if', 'while', 'do', 'for', '?:', 'switch', 'assert', 'value'
    tree: Tree
    conditions: tuple[Condition, ...]
    start: int = 0  # in the preprocessed text
    end: int = 0
    problem: str = ""  # why its evaluations cannot be followed; '' when they can
