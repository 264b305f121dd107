"""Several programs as one, for analyses that look at all code that may run. Nothing that is joined here is executed:
`link_bitcode` links for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from tightrope.program.ir.model import Program


class _Symbol(Protocol):
    @property
    def is_defined(self) -> bool: ...


_Kind = TypeVar("_Kind", bound=_Symbol)


def join_programs(programs: Sequence[Program]) -> Program:
    """The first program with what the others define. Of two `static` things with one name, the first is taken."""
    first, *others = programs
    if not others:
        return first
    return replace(
        first,
        functions=_defined([one.functions for one in programs]),
        globals=_defined([one.globals for one in programs]),
        named_types={name: body for one in reversed(programs) for name, body in one.named_types.items()},
        prelude=tuple(line for one in programs for line in one.prelude),
    )


def _defined(tables: Sequence[Mapping[str, _Kind]]) -> dict[str, _Kind]:
    joined: dict[str, _Kind] = {}
    for table in tables:
        for name, one in table.items():
            if name not in joined or (one.is_defined and not joined[name].is_defined):
                joined[name] = one
    return joined
