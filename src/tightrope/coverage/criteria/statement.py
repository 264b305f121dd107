"""Statement coverage: every statement of the C is executed.

G. J. Myers, "The Art of Software Testing", 1979: the weakest structural criterion. A statement is executed when control
comes to it. Counted is what C calls a statement and what does something:

    if (a) return 1; else return 2;     three: the `if` and both `return` statements, wherever the lines end
    for (i = 0; i < n; i++) s += i;     two: the `for`, whose three parts are no statements, and its body
    int x = 3, y; int z;                one: a declaration counts if it initialises, when control comes to it
    case 1: default: again: x++;        one: labels are not statements of their own
    {  }  ;                             none

What a macro expands to counts, at the place of its use, and so does what stands in `({ ... })`; `assert(x)` is one. A
statement for which
the compiler generates no code, because no control comes to it, is infeasible: behind a `return`, in `if (0)`, before
the first `case`. The criterion is made of labels (paper 002: IC).
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.coverage.criteria.labelled import Labelled


class Statement(Labelled):
    """One objective per statement."""

    name: ClassVar[str] = "statement"
    help: ClassVar[str] = "every statement is executed"
    missing: ClassVar[str] = "no test executes `{text}` at line {line}"
