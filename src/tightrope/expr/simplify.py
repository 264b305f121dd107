"""Constructors that simplify locally, for who builds large terms: a whole unit with its loops unrolled and its values
merged stays small, and folds to constants where it is constant.

Laws: a term that is built here has the meaning of the plain term on every input (tests hold each against `evaluate`);
the cost of a call does not grow with its operands. `build` has the few that need no more than that.
"""

from __future__ import annotations

from tightrope.expr.arithmetic import binary, negative
from tightrope.expr.bounds import low_zeros, upper_bound
from tightrope.expr.comparisons import compare
from tightrope.expr.gates import both, choose, differ, either, invert
from tightrope.expr.slices import concat, extract, resize, sign_extend, zero_extend

__all__ = [
    "binary",
    "both",
    "choose",
    "compare",
    "concat",
    "differ",
    "either",
    "extract",
    "invert",
    "low_zeros",
    "negative",
    "resize",
    "sign_extend",
    "upper_bound",
    "zero_extend",
]
