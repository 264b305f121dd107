"""Call coverage: every call in the function is made.

ISO 26262-6, Table 12 ("call coverage"), counted in the calling function.
"""

from __future__ import annotations

import re
from typing import ClassVar

from tightrope.coverage.criterion import NO_MARKS, Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.location import Location
from tightrope.program.ir.assembly import PREFIX
from tightrope.program.ir.model import Block, Instruction

_OURS = ("@tightrope_", f"@{PREFIX}")
_BUILT_IN = re.compile(r"@llvm\.(\w+)")


class CallCoverage:
    """One objective per call in the text of the function. Calls that the compiler inserts do not count."""

    name: ClassVar[str] = "call"
    help: ClassVar[str] = "every call in the function is executed"
    needs: ClassVar[frozenset[Need]] = NO_MARKS

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        found = [
            _objective(subject, block, each, each.location)
            for block in subject.function.blocks
            for each in block.instructions
            if each.location and each.location.line and _is_call(subject, each, each.location)
        ]
        return number_equals(sorted(found, key=lambda each: each.location))


def _is_call(subject: Subject, instruction: Instruction, place: Location) -> bool:
    if instruction.opcode != "call" or instruction.is_assembly or instruction.callee.startswith(_OURS):
        return False
    built_in = _BUILT_IN.match(instruction.callee)
    if not built_in:
        return True
    called = re.match(r"(?:__builtin_)?(\w+)\s*\(", subject.source.rest_of_line(place))
    return called is not None and called[1].startswith(built_in[1])


def _objective(subject: Subject, block: Block, call: Instruction, place: Location) -> Objective:
    name = call.callee.removeprefix("@").strip('"')
    shown = _show_call(subject.source.rest_of_line(place)) or (
        name if call.callee.startswith("@") else "a function pointer"
    )
    word = re.match(r"\w+", shown)
    return Objective(
        id=f"{subject.name}:call:{relative_place(place, subject.first)}:{word[0] if word else 'pointer'}",
        criterion=CallCoverage.name,
        kind="call",
        location=place,
        text=f"`{shown}` is called",
        points=(subject.point(block.name),),
        sentence=f"no test calls `{shown}`",
    )


def _show_call(text: str) -> str:
    """`f(a, g(b))` at the start of the text, `f(...)` where it goes on in the next line; '' where no call starts."""
    if not re.match(r"[\w(*]", text) or "(" not in text:
        return ""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and character == ")" and not text[at + 1 :].lstrip().startswith("("):
            return text[: at + 1]
    return text.partition("(")[0].rstrip() + "(...)"
