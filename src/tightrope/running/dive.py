"""The search of all paths, depth first, in compiled code (compiled/dive.c): the part that knows its memory.

One call makes many runs. It returns for what is not routine; who asks and answers is search/diving.py. It runs in
this process, not in the worker: what the unit does to its own process cannot change it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

import llvmlite.binding as llvm

from tightrope.inputs.scalars import Input
from tightrope.running.memory_map import NODE_BYTES
from tightrope.running.runner import Runner

RUNS_AT_ONCE = 64  # then Python looks at the clock and for Ctrl-C


class DiveStep(IntEnum):
    """Why a call returned; `step` in compiled/dive.h."""

    DONE = 0
    PAUSED = 1
    UNKNOWN_TO_US = 2
    SHOWN = 3
    LOST = 4
    LIMIT = 5
    ODD = 6


class AnswerKind(IntEnum):
    SAT = 1
    UNSAT = 2
    UNKNOWN = 3


class DiveState(ctypes.Structure):
    """The first fields of `dive` in compiled/dive.h."""

    _fields_ = (
        *((name, ctypes.c_uint64) for name in ("runs", "tries", "queries", "sat", "unsat", "candidates", "sequence")),
        *((name, ctypes.c_uint64) for name in ("most_runs", "waiting", "listed_count", "node_count")),
        ("listed", ctypes.POINTER(ctypes.c_uint32)),
        ("nodes", ctypes.c_void_p),
        ("sites", ctypes.c_void_p),
        ("values", ctypes.POINTER(ctypes.c_uint64)),
        ("target", ctypes.c_uint32),
        ("side_point", ctypes.c_int32),
    )


class DiveCode:
    """The compiled functions, loaded into this process."""

    _loaded: ClassVar[dict[bytes, DiveCode]] = {}

    def __init__(self, file: Path) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2, jit=True, reloc="pic")
        compiler = llvm.create_lljit_compiler(machine, use_jit_link=True)
        builder = llvm.JITLibraryBuilder().add_object_file(str(file)).add_current_process()
        for name in _PROTOTYPES:
            builder = builder.export_symbol(name)
        library = builder.link(compiler, "dive")
        self._alive = (compiler, library)
        self.open, self.start, self.go_on, self.answer, self.close = (
            prototype(library[name]) for name, prototype in _PROTOTYPES.items()
        )

    @classmethod
    def of(cls, code: bytes, folder: Path) -> DiveCode:
        """Each object is loaded once; `folder` is for its file."""
        if code not in cls._loaded:
            file = folder / "dive.o"
            file.write_bytes(code)
            cls._loaded[code] = cls(file)
        return cls._loaded[code]


_POINTER = ctypes.c_void_p
_PROTOTYPES = {
    "dive_open": ctypes.CFUNCTYPE(
        _POINTER, _POINTER, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_uint32, _POINTER, _POINTER
    ),
    "dive_start": ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, _POINTER),
    "dive_go_on": ctypes.CFUNCTYPE(ctypes.c_int, _POINTER),
    "dive_answer": ctypes.CFUNCTYPE(
        ctypes.c_int, _POINTER, ctypes.c_uint32, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint32),
        ctypes.POINTER(ctypes.c_uint64),
    ),
    "dive_close": ctypes.CFUNCTYPE(None, _POINTER),
}  # fmt: skip


class Dive:
    """One search. A context manager: what it holds is freed at once."""

    def __init__(self, code: DiveCode, runner: Runner, switches: Mapping[int, Sequence[int]]) -> None:
        """`switches` has the case values of a switch by its site."""
        self._code, self.runner = code, runner
        points = runner.memory.points
        by_site = [switches.get(site, ()) for site in range(points + 1)]
        cases = [value & _MASK for values in by_site for value in values]
        ends = list(accumulate(map(len, by_site), initial=0))
        self._first_case = (ctypes.c_uint32 * len(ends))(*ends)
        self._cases = (ctypes.c_uint64 * max(1, len(cases)))(*cases)
        self._slots = runner.memory.slots
        self._address = runner.open_dive(code.open, RUNS_AT_ONCE, self._first_case, self._cases)
        if not self._address:
            raise MemoryError
        self.state = DiveState.from_address(self._address)
        self.state.sequence = runner.sequence

    def __enter__(self) -> Dive:
        return self

    def __exit__(self, *_: object) -> None:
        self.runner.sequence = self.state.sequence
        self._code.close(self._address)

    def start(self, values: Input, most_runs: int) -> None:
        """Run the first input; 0 `most_runs`: no limit."""
        self.state.most_runs = most_runs
        self._code.start(self._address, (ctypes.c_uint64 * max(1, len(values)))(*values))

    def go_on(self) -> DiveStep:
        """Make runs, until there is something to do here."""
        step = DiveStep(self._code.go_on(self._address))
        self.runner.sequence = self.state.sequence
        return step

    def answer(self, kind: AnswerKind, model: Mapping[int, int]) -> None:
        """Answer what was UNKNOWN_TO_US."""
        count = len(model)
        slots = (ctypes.c_uint32 * max(1, count))(*model)
        values = (ctypes.c_uint64 * max(1, count))(*model.values())
        if self._code.answer(self._address, kind, count, slots, values) == DiveStep.ODD:
            raise MemoryError

    @property
    def values(self) -> Input:
        """The latest input; where an answer is needed, the one that satisfies the constraints."""
        return tuple(self.state.values[: self._slots])

    @property
    def listed(self) -> list[int]:
        """The constraints of the group that an answer is needed for: twice a node's number, plus 1 if it holds."""
        return self.state.listed[: self.state.listed_count] if self.state.listed_count else []

    @property
    def sites(self) -> list[int]:
        """The branches that inputs can decide."""
        marks = ctypes.string_at(self.state.sites, self.runner.memory.points)
        return [site for site, mark in enumerate(marks) if mark]

    def node_bytes(self, start: int, end: int) -> bytes:
        """Rows of its table of nodes, as those of the worker's."""
        return ctypes.string_at(self.state.nodes + NODE_BYTES * start, NODE_BYTES * (end - start))


_MASK = (1 << 64) - 1
