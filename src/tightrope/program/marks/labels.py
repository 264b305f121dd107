"""Label: a predicate on the state at a place of the C (paper 002).

Plain data. Labellings make labels (coverage/labelling), anchors.py puts them into the C that is only compiled to find
their places in the IR, and label_text.py writes them into the user's own C.
"""

from __future__ import annotations

import re
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
    VALUE = "value"  # right behind the evaluation of the expression [start, end), whose value nothing has used yet


@dataclass(frozen=True, slots=True)
class Update:
    """`text` is executed at a place: an assignment to a temporary, straight-line code that cannot fail."""

    text: str
    form: Form
    start: int  # in the preprocessed text
    end: int
    is_late: bool = False  # behind the labels that stand at this place, not before them


@dataclass(frozen=True, slots=True)
class Temporary:
    """A local that we add to a function: what a predicate must know of an earlier moment of the run.

    It keeps the value of an expression with side effects, which must not be evaluated again, or what has happened."""

    name: str
    type: str  # C that is known at the start of the function
    declared_at: int  # in the preprocessed text: behind the brace that opens the function
    text: str  # for people: what it keeps
    initial: str = ""
    captures: tuple[int, int] | None = None  # the expression [start, end) whose value it gets on each evaluation
    promoted: str = ""  # the type to which C promotes that before it is tested: 'int' of a char in `&&`
    updates: tuple[Update, ...] = ()


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
    temporaries: tuple[Temporary, ...] = ()  # that the predicate reads
    value_type: str = ""  # of Form.VALUE: the type of the expression
    group: str = ""  # labels of one group form one objective: one of them must hold
    is_partial: bool = False  # of a mutant that may be undefined where the predicate does not hold

    @property
    def shown(self) -> str:
        """The predicate for people: without the names of temporaries."""
        text = self.predicate
        for each in self.temporaries:
            text = re.sub(rf"\b{each.name}\b", each.text.replace("\\", r"\\"), text)
        return text


@dataclass(frozen=True, slots=True)
class Partition:
    """A way to divide the inputs of a function: each predicate, in C over parameters and globals, is a block of it."""

    name: str
    predicates: tuple[str, ...]
