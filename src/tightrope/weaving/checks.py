"""Checks on request, for operations whose result C leaves undefined while gcc -O0 computes one and goes on.

A run that fails a check ends there as crashed. Without instrumentation it goes on. So it shows nothing about the code
after that place: neither that an objective is covered nor that no input reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tightrope.program.ir.model import Instruction
from tightrope.running.memory_map import ReasonCode


@dataclass(frozen=True, slots=True)
class Check:
    help: str
    what: str  # is checked, as places say it
    reason: ReasonCode


CHECKS: dict[str, Check] = {
    "overflow": Check(
        "results of signed +, -, *, ++ and -- that do not fit", "signed arithmetic", ReasonCode.SIGNED_OVERFLOW
    ),
    "shift": Check("shifts by a negative number or by too many bits", "shift", ReasonCode.SHIFT_RANGE),
}


def is_checked(instruction: Instruction, checks: Collection[str]) -> bool:
    """Whether the check of overflow looks at it."""
    return "overflow" in checks and must_fit(instruction)


def must_fit(instruction: Instruction) -> bool:
    """Whether it is signed arithmetic of the C, which is undefined if the result does not fit. Compiled without
    -fwrapv, it is marked `nsw`; so is the offset of a row in an array of variable length, which has no name in C."""
    is_offset = instruction.opcode == "mul" and not re.match(r"%mul\d*$", instruction.result or "")
    return "nsw" in instruction.flags and not is_offset
