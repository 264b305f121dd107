"""The SMT solvers by name, each loaded only when it is asked for (their libraries are large, and one is optional)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from tightrope.solving.solver import Solver


class BackendClass(Protocol):
    """How a back end is made: `time_limit` in seconds per query, 0 for none."""

    def __call__(self, *, time_limit: float = 0.0, seed: int = 0) -> Solver: ...


@dataclass(frozen=True, slots=True)
class Backend:
    name: str
    help: str
    library: str  # the importable package it needs
    location: str  # module:class


BACKENDS: dict[str, Backend] = {
    row.name: row
    for row in (
        Backend(
            "bitwuzla",
            "fast on bit vectors and floats, incremental along a path; the default",
            "bitwuzla",
            "tightrope.solving.backends.bitwuzla:BitwuzlaSolver",
        ),
        Backend(
            "z3", "a second opinion; needs `pip install z3-solver`", "z3", "tightrope.solving.backends.z3:Z3Solver"
        ),
    )
}


def is_installed(name: str) -> bool:
    return find_spec(BACKENDS[name].library) is not None


def load_backend(name: str) -> BackendClass:
    """The class behind a name; its library is imported now."""
    module, _, attribute = BACKENDS[name].location.partition(":")
    return cast(BackendClass, getattr(import_module(module), attribute))
