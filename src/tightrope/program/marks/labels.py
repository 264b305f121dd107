"""Label: a predicate on the state at a place of the C (paper 002).

Plain data. Labellings make labels (coverage/labelling), anchors.py puts them into the C that is only compiled to find
their places in the IR, and label_text.py writes them into the user's own C.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tightrope.location import Location


class Form(Enum):
    """How a label goes into the text."""

    STATEMENT = "statement"  # before the statement [start, end)
    BODY = "body"  # the same, where the statement stands alone behind `if`, `else`, `while`, `case` ...: needs braces
    BEHIND = "behind"  # behind the statement, which is no last one of a block that it leaves
    BODY_END = "body end"  # the same for a statement that stands alone: needs braces
    EXPRESSION = "expression"  # in front of the expression [start, end), by a comma: a loop's first condition


@dataclass(frozen=True, slots=True)
class Label:
    """`predicate` must hold when control comes to the place, in some run."""

    criterion: str  # 'wm', 'limit', 'rte', 'idp', 'label', 'mcc' ...
    kind: str  # 'ror', 'aor', 'division', or the tag of a label in the source
    function: str  # '@f'
    location: Location  # in the user's file: of what the label is about
    text: str  # for people: 'a < b as a <= b'
    predicate: str  # C, macros expanded; safe to evaluate at the place, without side effects
    form: Form = Form.STATEMENT
    start: int = 0  # in the preprocessed text
    end: int = 0
    place: Location | None = None  # in the user's file, of the statement or expression it is put before
    is_in_macro: bool = False  # the place is in the expansion of a macro: it has no place of its own in the user's file
    is_written: bool = False  # it stands in the user's source already
    problem: str = ""  # why it cannot be put anywhere; '' when it can
    what: str = ""  # for ids, behind the place: 'ror:<='
    place_end: Location | None = None  # in the user's file: where what it is put before ends; None inside of a macro
    ends_with_macro: bool = False  # there, a macro's name ends or starts, and its arguments may follow


@dataclass(frozen=True, slots=True)
class Partition:
    """A way to divide the inputs of a function: each predicate, in C over parameters and globals, is a block of it."""

    name: str
    predicates: tuple[str, ...]
