"""What Python and the C sources of the runtime must agree on, read from the sources."""

from __future__ import annotations

import re

from tightrope.running import memory_map
from tightrope.running.endings import OUTCOMES, SENTENCES
from tightrope.running.memory_map import (
    CONTROL_BYTES,
    FIELDS,
    EventKind,
    MemoryMap,
    OutcomeCode,
    ReasonCode,
    field_offsets,
)
from tightrope.units.build import RUNTIME
from tightrope.weaving.probes import MAX_ARGUMENTS, MAX_COPIED, MAX_RESULTS, PROBES, VARIABLES

HEADER = (RUNTIME / "runtime.h").read_text()
SOURCES = "\n".join(file.read_text() for file in sorted(RUNTIME.glob("*.c")))
SIZES = {"u64": "Q", "u32": "I", "u16": "H", "u8": "B"}
# C type -> LLVM type
TYPES = {"void": "void", "u32": "i32", "int": "i32", "u64": "i64", "_Noreturn void": "void"}


def struct_fields(name: str) -> list[tuple[str, str]]:
    """The members of a C struct in order: name and code of the type."""
    body = re.search(rf"typedef struct {{([^}}]*)}} {name};", HEADER)
    assert body
    text = re.sub(r"/\*.*?\*/", "", body[1], flags=re.DOTALL)
    lines = (line.split(None, 1) for line in text.split(";") if line.strip())
    return [(member.strip(), SIZES[kind]) for kind, members in lines for member in members.split(",")]


def enumerators(name: str) -> list[str]:
    body = re.search(rf"enum {name} {{([^}}]*)}}", HEADER)
    assert body
    return [word.strip() for word in body[1].split(",")]


def test_the_control_block_has_the_same_fields() -> None:
    assert struct_fields("control") == list(FIELDS)


def test_every_field_is_aligned_and_fits() -> None:
    offsets = field_offsets()
    assert all(offsets[name] % (8 if code == "Q" else 4) == 0 for name, code in FIELDS)
    assert max(offsets.values()) + 8 <= CONTROL_BYTES


def test_nodes_and_events_are_read_as_they_are_written() -> None:
    assert [code for _, code in struct_fields("node")] == list("BBBBIIIQ")  # decoded as "<BBBxIIIQ"
    assert [code for _, code in struct_fields("event")] == list("IIHH")
    assert [code for _, code in struct_fields("observation")] == list("IIIHHI")


def test_codes_are_the_same() -> None:
    assert enumerators("outcome") == [f"RUN_{code.name}" for code in OutcomeCode]
    kinds = [f"EVENT_{kind.name}" for kind in EventKind]
    assert enumerators("event_kind") == [f"{kinds[0]} = 1", *kinds[1:]]
    reasons = ["WHY_NULL" if code.name == "NULL_DEREFERENCE" else f"WHY_{code.name}" for code in ReasonCode]
    assert enumerators("reason") == reasons
    flags = [word.split(" = ") for word in enumerators("flag")]
    assert all(getattr(memory_map, name) == int(value) for name, value in flags)
    beside = re.findall(r"(WAS_\w+|ONE_SIDED|OPTION_\w+) = (\d+)", HEADER)
    assert len(beside) == 8 and all(getattr(memory_map, name) == int(value) for name, value in beside)


def test_every_ending_has_words() -> None:
    assert set(OUTCOMES) == set(OutcomeCode) - {OutcomeCode.NONE}
    spoken_otherwise = {ReasonCode.NONE, ReasonCode.SIGNAL, ReasonCode.EXIT, ReasonCode.ASSUMPTION}
    assert set(SENTENCES) == set(ReasonCode) - spoken_otherwise


def test_arrays_follow_each_other_without_overlap() -> None:
    memory = MemoryMap(3, 2, 65, 60, 5, events_capacity=10, nodes_capacity=7, observations_capacity=9)
    offsets = memory.offsets()
    sizes = [
        ("inputs_at", 24),
        ("outputs_at", 32),
        ("counts_at", 260),
        ("mask_at", 16),
        ("closed_at", 16),
        ("observations_at", 180),
        ("events_at", 120),
        ("nodes_at", 168),
    ]
    ends = [offsets[name] + size for name, size in sizes]
    assert offsets["inputs_at"] >= CONTROL_BYTES
    assert all(end <= offsets[name] for end, (name, _) in zip(ends, sizes[1:], strict=False))
    assert ends[-1] <= offsets["end"] == memory.total_bytes


def c_prototype(name: str) -> tuple[str, str] | None:
    found = re.search(rf"^((?:_Noreturn )?\w+ \*?){name}\(([^{{;]*)\)\s{{", SOURCES, re.MULTILINE)
    if not found:
        return None
    arguments = [] if found[2] == "void" else found[2].split(", ")
    return llvm_type(found[1]), ", ".join(llvm_type(each) for each in arguments)


def llvm_type(text: str) -> str:
    return (
        "ptr"
        if "*" in text
        else TYPES[re.sub(r" \w+$", "", text).strip() if text.strip() not in TYPES else text.strip()]
    )


def test_the_table_of_probes_has_the_prototypes_of_c() -> None:
    assert {name: c_prototype(name) for name in PROBES} == PROBES


def test_variables_have_the_sizes_of_c() -> None:
    declared = {"tr_arguments": MAX_ARGUMENTS, "tr_results": MAX_RESULTS, "tr_copied": MAX_COPIED}
    for name, count in declared.items():
        assert f"{name}[{count}]" in SOURCES
        assert VARIABLES[name].startswith(f"[{count} x ")
