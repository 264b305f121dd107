"""Which functions the C library of this machine defines: what is neither there nor in the unit is missing."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from functools import cache

from tightrope.library.table import Fact, functions_with
from tightrope.library.verifier_functions import VERIFIER

_IN_EVERY_PROGRAM = functions_with(Fact.IN_EVERY_PROGRAM)
# What compilers call, in libraries of their own: `__udivti3`, `__atomic_load`. Other functions with such names are
# those of other compilers: `__disable_irq`.
_OF_COMPILERS = re.compile(
    r"__(?:[a-z]+(?:[sdthxq][ifc])+\d?$|(?:atomic|sync|builtin|gcc|llvm|stack_chk|tls|emutls|cxa|isoc\d+|asan|ubsan|msan)_?)"
)
_LIBRARIES = {"c": "libc.so.6", "m": "libm.so.6"}  # short name -> file; finding a file costs a tenth of a second


def is_in_library(name: str) -> bool:
    """Whether the library defines it; also true if no library can be read, because the linker will report the error."""
    libraries = _loaded()
    return (
        not libraries
        or name in _IN_EVERY_PROGRAM
        or (_OF_COMPILERS.match(name) is not None and not name.startswith(VERIFIER))
        or is_exported(name)
    )


def is_exported(name: str) -> bool:
    """Whether the library really has a symbol of this name; true as well if no library can be read."""
    libraries = _loaded()
    return not libraries or any(hasattr(library, name) for library in libraries)


@cache
def _loaded() -> tuple[ctypes.CDLL, ...]:
    found = []
    for short_name, file in _LIBRARIES.items():
        try:
            found.append(ctypes.CDLL(file))
        except OSError:
            path = ctypes.util.find_library(short_name)
            found += [ctypes.CDLL(path)] if path else []
    return tuple(found)
