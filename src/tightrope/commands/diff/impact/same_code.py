"""Whether the compiler makes the same of a function, and of all that it may call, in two versions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tightrope.commands.diff.impact.alignment import align, check
from tightrope.commands.diff.impact.instruction_keys import Keys
from tightrope.commands.diff.impact.numbered_code import Code, number_code
from tightrope.commands.diff.impact.propagate import changed_globals, is_compared
from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Program
from tightrope.program.marks.marks import NOTHING

_SYMBOL = re.compile(rf"@{NAME}")


def is_same_code(old: Program, new: Program, function: str) -> bool:
    before, after = number_code(old, function), number_code(new, function)
    if [each.type for each in before.functions] != [each.type for each in after.functions]:
        return False
    found = align(Keys(before, NOTHING), Keys(after, NOTHING))
    if not _have_partners(before, found.new_of) or not _have_partners(after, found.old_of):
        return False
    if found.altered or next(check(found), None) is not None:
        return False
    used = _symbols(before) | _symbols(after)
    return not any(one.name in used for pair in changed_globals(found) for one in pair)


def _have_partners(code: Code, partners: Mapping[int, int]) -> bool:
    return all(place in partners for place in range(len(code.instructions)) if is_compared(code, place))


def _symbols(code: Code) -> frozenset[str]:
    """Names in the code, and in what globals start with: one may point to another."""
    texts = [each.text for each in code.instructions if "@" in each.text]
    texts += [each.initializer for each in code.program.globals.values() if "@" in each.initializer]
    return frozenset(name for text in texts for name in _SYMBOL.findall(text))
