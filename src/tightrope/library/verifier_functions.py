"""Functions that a program in the style of Test-Comp leaves to whoever runs it.

    __VERIFIER_nondet_int()      draws the next input of the program, as an int
    __VERIFIER_assume(e)         runs in which e is false are not of interest
    reach_error()                what a test is wanted for; often the program has a body for it

They count as such only where they have no body.
"""

from __future__ import annotations

VERIFIER = "__VERIFIER_"  # no library has names that begin so
NONDET = f"{VERIFIER}nondet_"
ASSUME = "__VERIFIER_assume"
ERRORS = frozenset({"reach_error", "__VERIFIER_error"})


def is_verifier_function(name: str) -> bool:
    return name.startswith(NONDET) or name == ASSUME or name in ERRORS
