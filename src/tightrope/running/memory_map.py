"""The memory that Python and the worker share: mirrors `control` in runtime/runtime.h.

control | inputs | outputs | notes | felt places | counts of points | mask of points | levels of points | closed aims
        | observations | batch | events | nodes
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

# Fields of `control` in the order of the C struct: name, struct code (Q = u64, I = u32).
FIELDS: tuple[tuple[str, str], ...] = (
    *((name, "Q") for name in ("requested", "accepted", "done", "replied", "started_ns", "step_limit", "steps")),
    *((name, "Q") for name in ("time_limit_ns", "fault_address")),
    *((name, "I") for name in ("outcome", "reason", "place", "status", "flags", "epoch", "nodes", "events")),
    *((name, "I") for name in ("observations", "aims", "labels", "notes")),
    *(
        (name, "I")
        for name in ("pid", "options", "max_positions", "point_places", "slots", "outputs", "points", "library_call")
    ),
    *((name, "Q") for name in ("inputs_at", "outputs_at", "counts_at", "mask_at", "closed_at", "observations_at")),
    *((name, "Q") for name in ("events_at", "nodes_at", "observations_capacity")),
    *((name, "Q") for name in ("events_capacity", "nodes_capacity", "heap_bytes", "address_limit", "draw_limit")),
    *((name, "Q") for name in ("notes_at", "notes_capacity", "felt_at", "felt_count")),
    *((name, "Q") for name in ("batch_at", "batch_capacity", "batch_sequence")),
    *((name, "I") for name in ("batch", "batch_results")),
    *((name, "Q") for name in ("observed_events", "levels_at")),
)

NODE_BYTES = 24  # "<BBBxIIIQ": op, bits, sort, a, b, c, number
EVENT_BYTES = 12  # "<IIHH": condition, site, side, kind
OBSERVATION_BYTES = 20  # "<IIIHHI": position, condition, site, side, kind, previous
CONTROL_BYTES = 512
FELT_PLACES = 64  # where runs reached the end of the shape: "<II", offset and number of a variable


def field_offsets() -> dict[str, int]:
    """Byte offset of each field of `control`; all are naturally aligned."""
    offsets, at = {}, 0
    for name, code in FIELDS:
        offsets[name] = at
        at += 8 if code == "Q" else 4
    return offsets


class EventKind(IntEnum):
    BRANCH = 1
    SWITCH = 2
    ASSUME = 3
    GUARD = 4
    PIN = 5
    CONCRETE = 6
    FOLLOW = 7  # a pointer that the input chose is followed
    PREFER = 8  # an input that should be small, is
    LABEL = 9  # the end of a label: an observation, or a fork of the path where instrumentation is direct
    CONDITION = 10  # one that is no branch: only an observation


class OutcomeCode(IntEnum):
    NONE = 0
    RETURNED = 1
    CRASHED = 2
    TIMED_OUT = 3
    EXITED = 4
    REJECTED = 5
    ENDLESS = 6  # it stays in a loop that nothing can end: the run is exact up to there


class ReasonCode(IntEnum):
    NONE = 0
    SIGNAL = 1
    STACK_OVERFLOW = 2
    DIVISION_BY_ZERO = 3
    DIVISION_OVERFLOW = 4
    OUT_OF_BOUNDS_READ = 5
    OUT_OF_BOUNDS_WRITE = 6
    ABORT = 7
    ASSERTION = 8
    STEPS = 9
    CLOCK = 10
    EXIT = 11
    ASSUMPTION = 12
    DOUBLE_FREE = 13
    DIED = 14
    NULL_DEREFERENCE = 15
    UNREACHABLE = 16
    NULL_INPUT = 17
    FREED_READ = 18
    FREED_WRITE = 19
    BAD_FREE = 20
    DEAD_LOCAL = 21
    CONSTANT_WRITE = 22
    SIGNED_OVERFLOW = 23
    SHIFT_RANGE = 24
    JUMP = 25
    NO_MORE_INPUT = 26
    UNWRITTEN = 27
    ENDLESS = 28
    CONVERSION = 29


BY_CHANCE = 1 << 31  # the count of a point that was hit where an address decided
FLAG_APPROXIMATE = 1
FLAG_EVENTS_FULL = 2
FLAG_NODES_FULL = 4
FLAG_STAINED = 8  # the run may have changed the process
FLAG_BOUND = 16  # the run reached a bound of the shape of the inputs
FLAG_OBSERVATIONS_FULL = 32
FLAG_UNWRITTEN = 64  # the run ended where it used an uninitialised value
FLAG_ADDRESS = 128  # the run depends on where some object lies in memory
FLAG_OVERFLOW = 256  # signed arithmetic of the run wrapped around
FLAG_NOTES_FULL = 1024
FLAG_RISKY = 2048  # the run did something undefined that most builds do not notice, and sanitizers do
WAS_APPROXIMATE = 2  # in the side of a label: what happened in its region
WAS_BOUND = 4
ONE_SIDED = 256  # with the side of an event in the region of a label: the other side is useless
OPTION_ALL_EVENTS = 1
OPTION_DIRECT = 2
OPTION_NOTES = 64  # of calls and memory, for written tests
OPTION_SOIL = 128  # unwritten memory is not zero
OPTION_TRIAL = 256  # inputs have no expressions: the path is not recorded


@dataclass(frozen=True, slots=True)
class MemoryMap:
    """The offset of each array, for the numbers of slots, outputs and points of a unit."""

    slots: int
    outputs: int
    points: int
    labels: int = 0
    conditions: int = 0  # of all decisions
    events_capacity: int = 1 << 12  # of one run; the search keeps a condition per event: longer paths are cut
    nodes_capacity: int = 1 << 20
    observations_capacity: int = (
        1 << 14
    )  # of one run; what does not fit is lost, so that nothing is proved about labels
    notes_capacity: int = 1 << 20  # bytes
    batch_capacity: int = 1 << 18  # bytes; inputs that are run ahead, and what they left

    @property
    def aims(self) -> int:
        """What the search can aim at beside branches: labels first, then conditions."""
        return self.labels + self.conditions

    def offsets(self) -> dict[str, int]:
        sizes = (
            ("inputs_at", 8 * self.slots),
            ("outputs_at", 16 * self.outputs),
            ("notes_at", self.notes_capacity),
            ("felt_at", 8 * FELT_PLACES),
            ("counts_at", 4 * self.points),
            ("mask_at", 8 * ((self.points + 63) // 64)),
            ("levels_at", self.points),
            ("closed_at", 8 * ((self.aims + 63) // 64)),
            ("observations_at", OBSERVATION_BYTES * self.observations_capacity),
            ("batch_at", self.batch_capacity),
            ("events_at", EVENT_BYTES * self.events_capacity),
            ("nodes_at", NODE_BYTES * self.nodes_capacity),
        )
        offsets, at = {}, CONTROL_BYTES
        for name, size in sizes:
            offsets[name] = at
            at = (at + size + 63) & ~63
        return offsets | {"end": at}

    @property
    def total_bytes(self) -> int:
        return self.offsets()["end"]
