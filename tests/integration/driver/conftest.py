"""A unit of C, its driver and its written tests, compiled and run natively: a few lines of C stand in for the
runtime, so that nothing is woven and any compiler can judge."""

import atexit
import os
import random
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tightrope.harness.driver import Driver, write_driver, write_inquiry
from tightrope.inputs.hints import find_hints
from tightrope.inputs.scalars import Input, first_input
from tightrope.inputs.shape import InputShape
from tightrope.inputs.shape_builder import choose_shape
from tightrope.inputs.wishes import Wishes, read_wish
from tightrope.library.symbols import is_in_library
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.declarations.interface import Interface, complete_interface, find_interface
from tightrope.program.declarations.stub_choice import with_stubs
from tightrope.program.declarations.stubs import StubOptions
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.running.run_record import Ending, Outcome
from tightrope.source.toolchain import find_compiler
from tightrope.suite.case import Case, Suite

ZIG = [*find_compiler(environment={}).command, "-fno-sanitize=undefined"]
UNITS = Path(__file__).parent / "units"
GCC = shutil.which("gcc")
NATIVE = [GCC] if GCC else ZIG
RUNTIME = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned long long values[8192];
void tightrope_drive(void);
void tightrope_input(unsigned slot, void *at, unsigned bits)
{
    memcpy(at, &values[slot], bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8);
}
void tightrope_choose(unsigned slot, void *at, void *const *targets, unsigned count, unsigned bits)
{
    unsigned long long number = values[slot] & ((1ull << bits) - 1);
    *(void **)at = targets[number < count ? number : 0];
}
void tightrope_prefer(_Bool holds) { (void)holds; }
void tightrope_bound(void *at, unsigned long bytes) { (void)at, (void)bytes; }
void tightrope_promise(void *at) { (void)at; }
void tightrope_beyond(void) { }
void tightrope_returned(void) { }
void tightrope_free(void *block) { (void)block; }
void tightrope_turn(unsigned *call, unsigned answers) { if (*call >= answers) *call = answers - 1; }
void tightrope_hand_over(const volatile void *pointer) { (void)pointer; }
void tightrope_fit(void *to, unsigned long *bytes, void *nowhere, unsigned long long *left_out, unsigned call)
{ (void)to; (void)bytes; (void)nowhere; (void)left_out; (void)call; }
void tightrope_note_call(unsigned stub) { (void)stub; }
void tightrope_note_number(unsigned position, unsigned long long value) { (void)position, (void)value; }
void tightrope_note_real(unsigned position, double value) { (void)position, (void)value; }
void tightrope_note_pointer(unsigned position, const volatile void *pointer) { (void)position, (void)pointer; }
void tightrope_note_bytes(unsigned position, const void *at, unsigned long long size)
{
    (void)position, (void)at, (void)size;
}
void tightrope_note_target(unsigned output, const volatile void *pointer) { (void)output, (void)pointer; }
void tightrope_note_memory(void) { }
void tightrope_note_unseen(void *at, unsigned size) { (void)at, (void)size; }
void tightrope_assume(_Bool holds, unsigned number)
{
    if (!holds) { printf("rejected %u\\n", number); fflush(stdout); _Exit(0); }
}
void tightrope_output(unsigned number, const void *at, unsigned size)
{
    unsigned long long value = 0;
    memcpy(&value, at, size);
    printf("%u %llu\\n", number, value);
}
int main(int count, char **words)
{
    for (int i = 1; i < count; i++) values[i - 1] = strtoull(words[i], 0, 10);
    tightrope_drive();
    return 0;
}
"""


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, check=False)


def read_unit(source: Path, folder: Path) -> tuple[Program, CTypes]:
    """A file of units/ is read once: it stays as it is."""
    return _remembered(source) if source.parent == UNITS else _read_unit(source, folder)


@cache
def _remembered(source: Path) -> tuple[Program, CTypes]:
    with tempfile.TemporaryDirectory() as folder:
        return _read_unit(source, Path(folder))


def _read_unit(source: Path, folder: Path) -> tuple[Program, CTypes]:
    bitcode = folder / "unit.bc"
    flags = ["-w", "-O0", "-g", "-femit-all-decls", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]
    done = run(*ZIG, *flags, "-emit-llvm", "-c", source, "-o", bitcode)
    assert not done.returncode, done.stderr
    raw, normal = normalise(bitcode.read_bytes())
    return read_program(normal, raw), read_debug_info(raw)


@cache
def runtime() -> Path:
    """The object that stands in for the runtime, for all tests of a process."""
    folder = Path(tempfile.mkdtemp(prefix="tightrope-driver-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "runtime.c").write_text(RUNTIME)
    done = run(*NATIVE, "-w", "-fwrapv", "-c", folder / "runtime.c", "-o", folder / "runtime.o")
    assert not done.returncode, done.stderr
    return folder / "runtime.o"


def read_text(file: str) -> str | None:
    return Path(file).read_text(encoding="utf-8") if os.path.exists(file) else None


@dataclass
class Bench:
    """One function under test."""

    source: Path
    folder: Path
    ctypes: CTypes
    interface: Interface
    shape: InputShape

    def driver(self, assumptions: tuple[str, ...] = ()) -> Driver:
        driver = write_driver(self.ctypes, self.interface, self.shape, str(self.source), assumptions)
        (self.folder / "driver.c").write_text(driver.text)
        return driver

    def build_driver(self, driver: Driver) -> Path:
        program = self.folder / "driver"
        done = run(*NATIVE, "-w", "-fwrapv", "-o", program, self.folder / "driver.c", runtime(), "-lm")
        assert not done.returncode, done.stderr
        return program

    def run_driver(self, driver: Driver, program: Path, values: Input) -> tuple[Ending, tuple[int | None, ...]]:
        done = run(program, *values)
        outputs: list[int | None] = [None] * len(driver.outputs)
        for line in done.stdout.splitlines():
            number, value = line.split()
            if number == "rejected":
                return Ending(Outcome.REJECTED, f"assumption {value}"), ()
            outputs[int(number)] = int(value)
        crashed = Ending(Outcome.CRASHED, f"signal {-done.returncode}")
        return (crashed if done.returncode else Ending(Outcome.RETURNED)), tuple(outputs)

    def suite(self, cases: tuple[Case, ...]) -> Suite:
        return Suite(self.ctypes, self.interface, self.shape, self.source, self.folder, cases, version="0")


def open_bench(source: Path, function: str, folder: Path, wishes: Wishes | None = None) -> Bench:
    program, ctypes = read_unit(source, folder)
    stubs = StubOptions()
    interface = find_interface(program, ctypes, function, read_text, is_in_library, stubs)
    if interface.needs_inquiry:
        inquiry = folder / "inquiry.c"
        inquiry.write_text(write_inquiry(interface, str(source)))
        asked, ctypes = read_unit(inquiry, folder)
        interface = complete_interface(interface, asked, ctypes)
    interface = with_stubs(interface, ctypes, stubs)
    hints = find_hints(program, ctypes, interface)
    return Bench(source, folder, ctypes, interface, choose_shape(ctypes, interface, wishes, hints))


def draw_input(driver: Driver, chance: random.Random) -> Input:
    """Extreme, small and printable values; members for enums."""
    values = list(first_input(driver.slots))
    for slot in driver.slots:
        scalar = slot.scalar
        names = [value & scalar.mask for _, value in scalar.members]
        interesting = [0, 1, scalar.mask, 1 << (scalar.bits - 1), chance.randrange(32, 127) & scalar.mask]
        values[slot.number] = chance.choice(names or [chance.getrandbits(scalar.bits), *interesting])
    return tuple(values)


@pytest.fixture
def bench(tmp_path):
    """bench("C text", "function", {"path": "wish"}), or with a path instead of the text."""

    def make(source: str | Path, function: str, asked: dict[str, str] | None = None, **limits: int) -> Bench:
        if isinstance(source, str):
            text, source = source, tmp_path / "unit.c"
            source.write_text(text)
        rows = tuple((path, read_wish(text)) for path, text in (asked or {}).items())
        return open_bench(source, function, tmp_path, Wishes(rows, **limits))

    return make
