"""Run an input in the worker, and read the results from shared memory."""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import select
import shutil
import signal
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tightrope.errors import InternalError
from tightrope.harness.heap_stubs import MOST_MEMORY
from tightrope.inputs.scalars import Input
from tightrope.running.containment import find_powers
from tightrope.running.endings import describe_ending
from tightrope.running.memory_map import (
    EVENT_BYTES,
    FELT_PLACES,
    FIELDS,
    FLAG_ADDRESS,
    FLAG_APPROXIMATE,
    FLAG_NOTES_FULL,
    FLAG_OVERFLOW,
    FLAG_RISKY,
    FLAG_STAINED,
    OBSERVATION_BYTES,
    OPTION_DIRECT,
    OPTION_NOTES,
    OPTION_SOIL,
    OPTION_TRIAL,
    MemoryMap,
    OutcomeCode,
    ReasonCode,
    field_offsets,
)
from tightrope.running.notes import Note, merge_notes, read_notes
from tightrope.running.nursery import NURSERY
from tightrope.running.places import Place
from tightrope.running.run_record import Ending, RunRecord


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of one run."""

    seconds: float = 1.0
    steps: int = 2_000_000  # blocks entered: the same on every machine, unlike seconds
    heap_bytes: int = MOST_MEMORY
    address_bytes: int = 1 << 30  # beyond what the worker itself has mapped
    positions: int = 256  # a symbolic index into more elements than this is pinned
    writable: tuple[Path, ...] = ()  # folders that the unit may change, beside its own


GRACE = 5.0  # seconds that the keeper may take to end a run whose time is over


class Trace:
    """The raw results of one run; `events` and the node table are decoded elsewhere."""

    __slots__ = ("epoch", "events", "flags", "nodes", "observations", "outcome", "points")

    def __init__(
        self, outcome: int, flags: int, epoch: int, nodes: int, events: bytes, points: int, observations: bytes = b""
    ) -> None:
        self.outcome, self.flags, self.epoch = outcome, flags, epoch
        self.nodes, self.events, self.points, self.observations = nodes, events, points, observations


class Worker:
    """The process, started early, before the code to load is known: this hides the loading time of LLVM."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tightrope-"))
        self.errors = (self.folder / "errors").open("w+b")
        self.working_folder = self.folder / "working"
        self.working_folder.mkdir()
        self._start()

    def _start(self) -> None:
        request, self.request = os.pipe()
        self.reply, reply = os.pipe()
        self.process = NURSERY.start(request, reply, self.errors.fileno())
        os.close(request)
        os.close(reply)

    @property
    def pid(self) -> int:
        """The number of the process, once it is there."""
        while not self.process.pid:  # what was to start it has died
            self.restart()
        return self.process.pid

    def restart(self) -> None:
        """Start another process in place of one that is dead or does not answer; it must load the code again."""
        self._stop(0.1)
        self._start()

    def _stop(self, patience: float) -> None:
        for end in (self.process.stdin, self.request):
            with contextlib.suppress(OSError):
                os.close(end) if isinstance(end, int) else end.close() if end else None
        try:
            self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.reply)

    def close(self) -> None:
        """End the process and all its children. A second call has no effect."""
        if self.errors.closed:
            return
        self._stop(1.0)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Runner:
    """Runs inputs, one at a time. A context manager: closing ends the worker."""

    def __init__(
        self,
        worker: Worker,
        woven: str,
        runtime: Path,
        memory: MemoryMap,
        places: tuple[Place, ...],
        limits: RunLimits,
        *,
        is_direct: bool = False,
    ) -> None:
        """`is_direct`: labels are branches of the path."""
        self.worker, self.memory, self.places, self.limits = worker, memory, places, limits
        self._options = OPTION_DIRECT if is_direct else 0
        self.sequence = 0
        self._noted: dict[Input, None] | None = None
        self._most_noted = 0
        self._map = self._create_shared(worker.folder / "shared")
        self._patience = int((limits.seconds + GRACE) * 1000)
        path = worker.folder / "woven.ll"
        path.write_text(woven, encoding="utf-8")
        self._order = {
            "woven": str(path),
            "runtime": str(runtime),
            "shared": str(worker.folder / "shared"),
            "folder": str(worker.working_folder),
            "writable": [str(each) for each in limits.writable],
            "powers": asdict(find_powers()),
        }
        self._cpu = _share_core(worker.pid)
        try:
            self._load()
        except BaseException:
            _release_core(self._cpu)
            raise
        self.crashes = 0

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        _release_core(self._cpu)
        self.worker.close()

    # -- starting

    def _create_shared(self, path: Path) -> mmap.mmap:
        with path.open("w+b") as file:
            file.truncate(self.memory.total_bytes)
            shared = mmap.mmap(file.fileno(), self.memory.total_bytes)
        offsets = self.memory.offsets()
        self._inputs_at, self._events_at, self._nodes_at = (
            offsets["inputs_at"],
            offsets["events_at"],
            offsets["nodes_at"],
        )
        self._mask_at, self._counts_at, self._outputs_at = (
            offsets["mask_at"],
            offsets["counts_at"],
            offsets["outputs_at"],
        )
        self._observations_at, self._closed_at = offsets["observations_at"], offsets["closed_at"]
        self._levels_at = offsets["levels_at"]
        self._mask_bytes = 8 * ((self.memory.points + 63) // 64)
        self._pack_inputs = struct.Struct(f"<{self.memory.slots}Q").pack_into
        values = {
            **{name: offset for name, offset in offsets.items() if name != "end"},
            "slots": self.memory.slots,
            "outputs": self.memory.outputs,
            "points": self.memory.points,
            "aims": self.memory.aims,
            "labels": self.memory.labels,
            "options": self._options,
            "observations_capacity": self.memory.observations_capacity,
            "notes_capacity": self.memory.notes_capacity,
            "batch_capacity": self.memory.batch_capacity,
            "events_capacity": self.memory.events_capacity,
            "nodes_capacity": self.memory.nodes_capacity,
            "step_limit": self.limits.steps,
            "time_limit_ns": int(self.limits.seconds * 1e9),
            "max_positions": self.limits.positions,
            "point_places": len(self.places) - self.memory.points,
            "heap_bytes": self.limits.heap_bytes,
        }
        for name, code in FIELDS:
            struct.pack_into(f"<{code}", shared, _OFFSETS[name], values.get(name, 0))
        return shared

    def _load(self, attempts: int = 3) -> None:
        assert self.worker.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.worker.process.stdin.write(json.dumps(self._order).encode() + b"\n")
            self.worker.process.stdin.flush()
        if len(os.read(self.worker.reply, 8)) != 8:
            self.worker.errors.seek(0)
            text = self.worker.errors.read().decode(errors="replace").strip()
            if text or not attempts:
                raise InternalError(f"the worker could not load the woven code:\n{text}")
            self._restart()  # somebody killed it
            self._load(attempts - 1)
        self._poll = select.poll()
        self._poll.register(self.worker.reply, select.POLLIN)
        self._limit_memory()

    def _restart(self) -> None:
        self.worker.restart()
        _share_core(self.worker.pid)

    def _limit_memory(self) -> None:
        if not self.limits.address_bytes:
            return
        mapped = _mapped_bytes(self.worker.pid)
        if mapped:
            limit = mapped + self.limits.address_bytes
            struct.pack_into("<Q", self._map, _OFFSETS["address_limit"], limit)

    def limit_draws(self, most: int) -> None:
        """Set the number of draws after which the program has no more input."""
        struct.pack_into("<Q", self._map, _OFFSETS["draw_limit"], most)

    def close_aims(self, closed: int, observed: int = 0) -> None:
        """Set the labels and conditions (bit number: labels first) that need not be observed any more, and on how many
        first events of the path no label needs to."""
        size = 8 * ((self.memory.aims + 63) // 64)
        self._map[self._closed_at : self._closed_at + size] = closed.to_bytes(size, "little")
        struct.pack_into("<Q", self._map, _OFFSETS["observed_events"], observed)

    # -- running

    @contextlib.contextmanager
    def noting(self, most: int) -> Iterator[dict[Input, None]]:
        """Collects the different inputs that are run inside of the `with`, in order, up to a maximum."""
        self._noted, self._most_noted = {}, most
        try:
            yield self._noted
        finally:
            self._noted = None

    def trace(self, values: Input) -> Trace:
        """Run the input. This is the hot path: five system calls and a few reads of shared memory."""
        if self._noted is not None and len(self._noted) < self._most_noted:
            self._noted[values] = None
        shared = self._map
        self._pack_inputs(shared, self._inputs_at, *values)
        self.sequence += 1
        self._ask()
        return self.latest()

    def latest(self) -> Trace:
        """What the latest run has left in shared memory."""
        shared = self._map
        outcome, _, _, _, flags, epoch, nodes, events, observations = _UNPACK_RUN(shared, _OFFSETS["outcome"])
        points = int.from_bytes(shared[self._mask_at : self._mask_at + self._mask_bytes], "little")
        path = shared[self._events_at : self._events_at + EVENT_BYTES * events]
        beside = b""
        if observations:
            beside = shared[self._observations_at : self._observations_at + OBSERVATION_BYTES * observations]
        return Trace(outcome, flags, epoch, nodes, path, points, beside)

    @property
    def is_noting(self) -> bool:
        return self._noted is not None

    def open_dive(self, opener: Callable[..., int | None], pause: int, *switches: object) -> int | None:
        """Let compiled code make the runs (running/dive.py). Whoever does must keep `sequence` up to date."""
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        return opener(address, self.worker.request, self.worker.reply, self._patience, pause, *switches)

    def try_input(self, values: Input) -> tuple[int, int, int, int]:
        """Run the input without recording its path; return how the run ended, its flags, the points that it hit, and
        how often, as a bit for each point and level (runtime/serve.c). If the run killed the process, it counts as
        stained, and the levels are those of an earlier trial."""
        struct.pack_into("<I", self._map, _OFFSETS["options"], self._options | OPTION_TRIAL)
        self._pack_inputs(self._map, self._inputs_at, *values)
        self.sequence += 1
        self._ask()
        struct.pack_into("<I", self._map, _OFFSETS["options"], self._options)
        shared = self._map
        outcome, reason, _, _, flags, *_ = _UNPACK_RUN(shared, _OFFSETS["outcome"])
        if reason in _DEADLY:
            flags |= FLAG_STAINED
        points = int.from_bytes(shared[self._mask_at : self._mask_at + self._mask_bytes], "little")
        levels = shared[self._levels_at : self._levels_at + self.memory.points]
        return outcome, flags, points, int.from_bytes(levels, "little")

    def _ask(self, attempts: int = 3) -> None:
        """Run the inputs that are in shared memory. Replies to interrupted runs, and anything else that the unit
        may write into our pipe, are ignored."""
        expected, last = _LONG.pack(self.sequence), b""
        self._map[:8] = expected  # `requested`
        try:  # noqa: SIM105 - `suppress` takes longer than the rest of this
            os.write(self.worker.request, b"r")
        except BrokenPipeError:  # then there is no reply either
            pass
        while self._poll.poll(self._patience):
            reply = os.read(self.worker.reply, 4096)
            if reply == expected:
                return
            last = (last + reply)[-8:]
            if last == expected:
                return
            if not reply:
                self._replace_worker(OutcomeCode.CRASHED, ReasonCode.DIED, attempts)
                return
        self._replace_worker(OutcomeCode.TIMED_OUT, ReasonCode.CLOCK, attempts)

    def _replace_worker(self, outcome: OutcomeCode, reason: ReasonCode, attempts: int) -> None:
        """Handle a keeper that is dead or stopped. If a run was in progress, the unit is considered the cause."""
        if self._field("done") == self.sequence:  # only the reply was lost
            return
        was_running = self._field("accepted") == self.sequence
        self._restart()
        self._load()
        if was_running:
            struct.pack_into("<II", self._map, _OFFSETS["outcome"], outcome, reason)
            flags = struct.unpack_from("<I", self._map, _OFFSETS["flags"])[0]
            struct.pack_into("<I", self._map, _OFFSETS["flags"], flags | FLAG_APPROXIMATE)
            struct.pack_into("<QQ", self._map, _OFFSETS["done"], self.sequence, self.sequence)  # done, replied
        elif attempts:
            self._ask(attempts - 1)
        else:
            raise InternalError("the worker died, and so did those that replaced it")

    def _field(self, name: str) -> int:
        return int(struct.unpack_from("<Q", self._map, _OFFSETS[name])[0])

    def ending(self) -> Ending:
        """How the latest run ended."""
        outcome, reason, place, status = struct.unpack_from("<IIII", self._map, _OFFSETS["outcome"])
        address = struct.unpack_from("<Q", self._map, _OFFSETS["fault_address"])[0]
        (call,) = struct.unpack_from("<I", self._map, _OFFSETS["library_call"])
        at, called = self.places[place], self.places[call]
        return describe_ending(OutcomeCode(outcome), reason, at, status, address, called, self.places)

    def outputs(self) -> tuple[int | None, ...]:
        """What the latest run left in the observed leaves."""
        numbers = struct.unpack_from(f"<{2 * self.memory.outputs}Q", self._map, self._outputs_at)
        return tuple(value if mark else None for value, mark in zip(numbers[::2], numbers[1::2], strict=True))

    def counts(self) -> tuple[int, ...]:
        """How often the latest run hit each point."""
        return struct.unpack_from(f"<{self.memory.points}I", self._map, self._counts_at)

    def felt_places(self) -> tuple[tuple[int, int], ...]:
        """Where any run so far reached the end of the shape of the inputs: number of a variable, byte in it."""
        at, count = self.memory.offsets()["felt_at"], self._field("felt_count")
        rows = struct.iter_unpack("<II", self._map[at : at + 8 * min(count, FELT_PLACES)])
        return tuple((variable, byte) for byte, variable in rows)

    def node_bytes(self, start: int, end: int) -> bytes:
        """Rows of the node table."""
        return self._map[self._nodes_at + 24 * start : self._nodes_at + 24 * end]

    def record(self, values: Input) -> RunRecord:
        """Run the input and keep what the suite needs of it."""
        return self.record_of(values, self.trace(values))

    def record_of(self, values: Input, trace: Trace) -> RunRecord:
        """What the suite needs of the latest run."""
        (steps,) = struct.unpack_from("<Q", self._map, _OFFSETS["steps"])
        return RunRecord(values, self.ending(), trace.points, self.outputs(), steps, *risks(trace))

    def take_notes(self, values: Input) -> tuple[Note, ...] | None:
        """Run the input twice, with different unwritten memory, and say what a test can check beside the outputs; None
        if there is too much of it, or if the run depends on unwritten memory or on addresses."""
        clean, soiled = (self._notes_of(values, option) for option in (OPTION_NOTES, OPTION_NOTES | OPTION_SOIL))
        return merge_notes(clean, soiled) if clean is not None and soiled is not None else None

    def _notes_of(self, values: Input, option: int) -> tuple[Note, ...] | None:
        struct.pack_into("<I", self._map, _OFFSETS["options"], self._options | option)
        trace = self.trace(values)
        struct.pack_into("<I", self._map, _OFFSETS["options"], self._options)
        if trace.flags & (FLAG_NOTES_FULL | FLAG_ADDRESS):
            return None
        start = self.memory.offsets()["notes_at"]
        return read_notes(self._map[start : start + struct.unpack_from("<I", self._map, _OFFSETS["notes"])[0]])


def risks(trace: Trace) -> tuple[bool, bool, bool]:
    """What a record says of how far another build may do something else."""
    wraps, is_by_chance = bool(trace.flags & FLAG_OVERFLOW), bool(trace.flags & FLAG_ADDRESS)
    return wraps, is_by_chance, bool(trace.flags & FLAG_RISKY)


_OFFSETS = field_offsets()
_LONG = struct.Struct("<Q")
_DEADLY = frozenset({ReasonCode.SIGNAL, ReasonCode.STACK_OVERFLOW, ReasonCode.DIED, ReasonCode.CLOCK})
_UNPACK_RUN = struct.Struct("<9I").unpack_from


def _mapped_bytes(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _share_core(worker: int) -> set[int] | None:
    """Put this process and the worker on one core, and return the previous set of cores.

    The two never run at the same time. Waking a process on another, idle core costs about 40
    microseconds per round trip on a virtual machine, on the same core 5. To be called before the worker
    forks, because children inherit the set of cores.
    """
    if not hasattr(os, "sched_setaffinity"):
        return None
    before = os.sched_getaffinity(0)
    core = {sorted(before)[os.getpid() % len(before)]}
    try:
        os.sched_setaffinity(0, core)
        os.sched_setaffinity(worker, core)
    except OSError:
        return None
    return before


def _release_core(before: set[int] | None) -> None:
    if before:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, before)
