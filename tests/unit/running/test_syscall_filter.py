"""The filter of system calls, run by a small machine of our own: so also that of a processor that is not here."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from tightrope.running.syscall_filter import (
    ALLOW,
    ATTRIBUTES,
    FILES,
    NETWORK,
    NOTIFY,
    OTHER_PROCESSES,
    THE_SYSTEM,
    FilterRules,
    Forks,
    _numbers,
    assemble,
    personalise,
)

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
COLUMNS = {"x86_64": 0, "aarch64": 1}
FULL = FilterRules(files=False, truncation=False, signals=False)
ALONE = FilterRules(files=True, truncation=True, signals=True)
machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def answer(filter: bytes, number: int, *words: int, architecture: int) -> int:
    """What the kernel would do: this is the machine of BPF, as far as the filter uses it."""
    given = struct.pack("=iIQ6Q", number, architecture, 0, *(*words, *[0] * (6 - len(words))))
    code, at, accumulator = list(struct.iter_unpack("=HBBI", filter)), 0, 0
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        if operation == 0x06:
            return int(operand)
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("=I", given, operand)
        elif operation == 0x54:
            accumulator &= operand
        else:
            holds = {
                0x15: accumulator == operand,
                0x25: accumulator > operand,
                0x45: bool(accumulator & operand),
            }[operation]
            at += if_true if holds else if_false


class Machine:
    def __init__(self, machine: str, rules: FilterRules, process: int = 77) -> None:
        self.filter = personalise(assemble(rules, machine), process)
        self.numbers, self.architecture = _numbers(COLUMNS[machine]), ARCHITECTURES[machine]

    def ask(self, name: str, *words: int) -> str:
        found = answer(self.filter, self.numbers[name], *words, architecture=self.architecture)
        return {ALLOW: "allow", NOTIFY: "ask"}.get(found) or errno.errorcode[found & 0xFFFF]

    def __contains__(self, name: str) -> bool:
        return name in self.numbers


@machines
def test_numbers_are_those_of_the_kernel(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("needs the headers of Linux")
    text = HEADERS[machine].read_text()
    real = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    ours = _numbers(COLUMNS[machine])
    wrong = {name: number for name, number in ours.items() if real.get(name, number) != number}
    assert wrong == {}
    absent = {name for name in _numbers(1 - COLUMNS[machine]) if name not in ours}
    assert absent.isdisjoint(real)


@machines
def test_whole_groups_are_refused(machine: str) -> None:
    full, alone = Machine(machine, FULL), Machine(machine, ALONE)
    for name in (*OTHER_PROCESSES, *THE_SYSTEM, *ATTRIBUTES):
        assert name not in full or full.ask(name) == "EPERM", name
    assert {full.ask(name) for name in NETWORK} == {"EACCES"}
    for name in FILES:
        assert name not in full or (full.ask(name), alone.ask(name)) == ("allow", "EACCES"), name


@machines
def test_what_a_run_needs_is_allowed(machine: str) -> None:
    full = Machine(machine, FULL)
    assert {full.ask(name) for name in ("read", "write", "openat", "kill")} == {"allow"}
    assert answer(full.filter, 462, architecture=full.architecture) == ALLOW


@machines
def test_other_tables_of_calls_are_refused(machine: str) -> None:
    full = Machine(machine, FULL)
    for number, architecture in ((0, 0x40000003), (0x40000000, full.architecture), (463, full.architecture)):
        assert answer(full.filter, number, architecture=architecture) & 0xFFFF == errno.ENOSYS


@machines
def test_forks(machine: str) -> None:
    thread, fork, spawned, namespace = 0x10F00, 17, 0x4111, 0x10000011
    free = Machine(machine, FilterRules(False, False, False, Forks.ANYBODY))
    assert (free.ask("clone", fork), free.ask("clone", spawned), free.ask("clone", namespace)) == (
        "allow",
        "EAGAIN",
        "EPERM",
    )
    for forks, expected in ((Forks.NOBODY, "EAGAIN"), (Forks.ASKED, "ask"), (Forks.WITH_KEY, "EAGAIN")):
        one = Machine(machine, FilterRules(False, False, False, forks, key=0x123456789ABCDEF0))
        assert one.ask("clone", thread) == "allow"
        assert one.ask("clone", fork) == expected
        assert one.ask("clone", spawned) == "EAGAIN"
        assert one.ask("clone", namespace) == "EPERM"
        assert one.ask("clone3") == "ENOSYS"
    assert one.ask("clone", fork, 0, 0, 0, 0x123456789ABCDEF0) == "allow"
    assert one.ask("clone", fork, 0, 0, 0, 0x9ABCDEF0) == "EAGAIN"


@machines
def test_only_the_first_program_starts(machine: str) -> None:
    path = 0x7F00_1234_5678
    one = Machine(machine, FilterRules(False, False, False, first_program=path))
    assert one.ask("execve", path) == "allow"
    assert one.ask("execve", 0x1234_5678) == one.ask("execve", path + 1) == one.ask("execveat", 0, path) == "EACCES"
    assert Machine(machine, FULL).ask("execve", path) == "EACCES"


@machines
def test_signals_without_landlock(machine: str) -> None:
    alone = Machine(machine, ALONE, process=77)
    assert [alone.ask("kill", to & 0xFFFFFFFF) for to in (77, 0, -77, 78, -1, 1, -78)] == ["allow"] * 3 + ["EPERM"] * 4
    assert [alone.ask("tgkill", to) for to in (77, 78, 0)] == ["allow", "EPERM", "EPERM"]


@machines
def test_files_without_landlock(machine: str) -> None:
    alone, old = Machine(machine, ALONE), Machine(machine, FilterRules(False, True, False))
    for flags, expected in ((0, "allow"), (0o1, "EACCES"), (0o2, "EACCES"), (0o100, "EACCES"), (0o1000, "EACCES")):
        assert alone.ask("openat", 0, 0, flags) == expected
    for flags, expected in ((0, "allow"), (0o1, "allow"), (0o1001, "allow"), (0o1000, "EACCES"), (0o1100, "EACCES")):
        assert old.ask("openat", 0, 0, flags) == expected
    assert old.ask("truncate") == "EACCES"


@machines
def test_arguments_that_name_others(machine: str) -> None:
    full = Machine(machine, FULL)
    assert (full.ask("prlimit64", 0), full.ask("prlimit64", 5)) == ("allow", "EPERM")
    assert (full.ask("setpriority", 0, 0), full.ask("setpriority", 2, 0)) == ("allow", "EPERM")
    assert (full.ask("prctl", 15), full.ask("prctl", 1)) == ("allow", "EPERM")
    assert (full.ask("ioctl", 0, 0x5401), full.ask("ioctl", 0, 0x5412)) == ("allow", "ENOTTY")
    assert (full.ask("socketpair", 1, 1), full.ask("socketpair", 1, 2)) == ("allow", "EACCES")
