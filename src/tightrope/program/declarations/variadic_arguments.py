"""What a function with `...` is called with: arguments of the types that its text asks `va_arg` for.

    int sum(int n, ...) { ... va_arg(list, int) ... }            sum(n, variadic_1, variadic_2, variadic_3, variadic_4)

With several types, they come in the order of the text, again and again: which one is read where depends on the other
arguments, which are inputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle, islice

from tightrope.program.declarations.c_types import CFunction, CTypes, TypeId
from tightrope.program.declarations.debug_info import spell
from tightrope.program.declarations.declare import is_spellable

COUNT = 4  # arguments
ROUNDS = 3  # arguments of each type, if there are several
_DEFAULT = "int"
_ASKED = re.compile(r"\bva_arg\s*\(\s*[^,()]+,\s*([^()]+?)\s*\)")


def variadic_types(
    ctypes: CTypes, function: CFunction, read_source: Callable[[str], str | None]
) -> tuple[tuple[str, TypeId], ...]:
    """The types of the arguments, as written and by number; none where the function takes no variable arguments."""
    if not function.is_variadic:
        return ()
    text = _body(read_source(function.location.file) or "", function.location.line)
    asked = dict.fromkeys(re.sub(r"\s+", " ", each) for each in _ASKED.findall(text))
    known = [(each, number) for each in asked if (number := find_type(ctypes, each)) is not None]
    plain = find_type(ctypes, _DEFAULT)
    known = known or ([(_DEFAULT, plain)] if plain is not None else [])
    return tuple(islice(cycle(known), (COUNT if len(known) == 1 else ROUNDS * len(known)) if known else 0))


def find_type(ctypes: CTypes, text: str) -> TypeId | None:
    """The type that is written so."""
    wanted = _normal(text)
    for number in ctypes.types:
        if is_spellable(ctypes, number) and _normal(spell(ctypes, number, "")) == wanted:
            return number
    return None


def _normal(text: str) -> str:
    words = re.findall(r"\w+|\*", re.sub(r"\bstruct\b|\bunion\b|\benum\b", "", text))
    return " ".join(sorted(w for w in words if w != "*")) + "*" * words.count("*")


def _body(text: str, line: int) -> str:
    """The text of a function that begins in this line, up to the brace that closes it."""
    lines = text.split("\n")[line - 1 :]
    depth, found = 0, []
    for each in lines:
        found.append(each)
        depth += each.count("{") - each.count("}")
        if "}" in each and depth <= 0:
            break
    return "\n".join(found)
