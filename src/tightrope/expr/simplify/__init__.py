"""Constructors that simplify locally, for large terms: a whole unit with its loops unrolled and its values joined stays
small, and constant parts fold to constants.

Laws: a term built here has the meaning of the plain term for every input (tests compare each with `evaluate`); the cost
of a call does not grow with its operands. `build` has the table of all constructors.
"""

from __future__ import annotations

from tightrope.expr.simplify.arithmetic import apply, complement, minus
from tightrope.expr.simplify.bounds import low_zeros, upper_bound
from tightrope.expr.simplify.comparisons import compare
from tightrope.expr.simplify.gates import any_of, both, choose, differ, either
from tightrope.expr.simplify.slices import concat, extract, resize, sign_extend, zero_extend

__all__ = [
    "any_of",
    "apply",
    "both",
    "choose",
    "compare",
    "complement",
    "concat",
    "differ",
    "either",
    "extract",
    "low_zeros",
    "minus",
    "resize",
    "sign_extend",
    "upper_bound",
    "zero_extend",
]
