"""The SMT solvers by name, each loaded only when it is used (their libraries are large, and one is optional)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from tightrope.deadline import NEVER, Deadline
from tightrope.solving.session import Session
from tightrope.solving.solver import Solver


class BackendClass(Protocol):
    """Creates a back end: `time_limit` in seconds per query, 0 for none; no query goes on behind the deadline."""

    def __call__(self, *, time_limit: float = 0.0, seed: int = 0, deadline: Deadline = NEVER) -> Solver: ...


class SessionClass(Protocol):
    """Creates a session: `time_limit` in seconds per query, 0 for none; `is_incremental=False`: a new solver for each
    query (for benchmarks)."""

    def __call__(self, *, time_limit: float = 0.0, seed: int = 0, is_incremental: bool = True) -> Session: ...


@dataclass(frozen=True, slots=True)
class Backend:
    name: str
    help: str
    library: str  # the importable package it needs
    location: str  # module:class
    session: str  # module:class


BACKENDS: dict[str, Backend] = {
    row.name: row
    for row in (
        Backend(
            "bitwuzla",
            "fast on bit vectors and floats, incremental along a path; the default",
            "bitwuzla",
            "tightrope.solving.backends.bitwuzla:BitwuzlaSolver",
            "tightrope.solving.backends.bitwuzla_session:BitwuzlaSession",
        ),
        Backend(
            "z3",
            "a second opinion; needs `pip install z3-solver`",
            "z3",
            "tightrope.solving.backends.z3:Z3Solver",
            "tightrope.solving.backends.z3_session:Z3Session",
        ),
    )
}


def is_installed(name: str) -> bool:
    return find_spec(BACKENDS[name].library) is not None


def load_backend(name: str) -> BackendClass:
    """The class behind a name; its library is imported now."""
    return cast(BackendClass, _loaded(BACKENDS[name].location))


def start_session(
    name: str = "bitwuzla", *, time_limit: float = 0.0, seed: int = 0, is_incremental: bool = True
) -> Session:
    """A session of the back end of this name; its library is imported now. See `SessionClass` for the rest."""
    make = cast(SessionClass, _loaded(BACKENDS[name].session))
    return make(time_limit=time_limit, seed=seed, is_incremental=is_incremental)


def _loaded(location: str) -> object:
    module, _, attribute = location.partition(":")
    return getattr(import_module(module), attribute)
