"""How many of some planted faults the default suites notice. The programs are in `planted_faults`; the numbers here are
what is reached, so that a change that makes suites weaker is seen."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tightrope import cli

PROGRAMS = Path(__file__).parent / "planted_faults"


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake as people make it: one replacement in a program."""

    file: str
    name: str
    right: str  # occurs once in the file
    wrong: str


FAULTS = (
    Fault("can_decoder", "bytes swapped", "(bytes[0] << 8) | bytes[1]", "(bytes[1] << 8) | bytes[0]"),
    Fault("can_decoder", "one wheel too few", "for (int wheel = 0; wheel < 4", "for (int wheel = 0; wheel < 3"),
    Fault("can_decoder", "wrong start of the checksum", "sum = 0x55", "sum = 0x5a"),
    Fault("can_decoder", "wrong byte of the pressure", "pressure = frame->data[1]", "pressure = frame->data[0]"),
    Fault("can_decoder", "wrong bit of the brake", "data[0] & 0x04", "data[0] & 0x02"),
    Fault("can_decoder", "answer with the id of the request", "can_send(ID_REQUEST + 8", "can_send(ID_REQUEST"),
    Fault("can_decoder", "low byte lost", "state->speed[wheel] & 0xff)", "state->speed[wheel] & 0xf0)"),
    Fault(
        "can_decoder",
        "message not counted",
        "is_pressed = frame->data[0] & 0x04;\n        state->received++;",
        "is_pressed = frame->data[0] & 0x04;",
    ),
    Fault(
        "ring_buffer", "written at the head", "items[(r->head + r->count) % CAPACITY] = item", "items[r->head] = item"
    ),
    Fault("ring_buffer", "loss not counted", "r->dropped++;", ";"),
    Fault("ring_buffer", "head does not wrap", "r->head = (r->head + 1) % CAPACITY", "r->head = r->head + 1"),
    Fault("ring_buffer", "search ignores the head", "&r->items[(r->head + i) % CAPACITY]", "&r->items[i]"),
    Fault(
        "ring_buffer", "always the same message taken", "to[taken++] = r->items[r->head];", "to[taken++] = r->items[0];"
    ),
    Fault("ring_buffer", "last name left out", "kind >= sizeof names / sizeof *names", "kind >= 3"),
    Fault("ring_buffer", "names in the wrong order", '"start", "stop"', '"stop", "start"'),
    Fault("pi_controller", "time left out", "c->integral += c->ki * error * seconds", "c->integral += c->ki * error"),
    Fault("pi_controller", "sign of the error", "error = target - actual", "error = actual - target"),
    Fault("pi_controller", "no proportional part", "c->kp * error + c->integral", "c->kp + c->integral"),
    Fault("pi_controller", "saturation not counted", "saturations++", "(void)0"),
    Fault("pi_controller", "both wheels like the left", "right, target, actual[1]", "right, target, actual[0]"),
    Fault("pi_controller", "ramp overshoots", "now + step) return now + step", "now + step) return now + 2 * step"),
    Fault(
        "door",
        "motor in the wrong direction",
        "attempts++;\n            start(1,",
        "attempts++;\n            start(-1,",
    ),
    Fault("door", "slow after one attempt", "attempts > 2 ? 30 : 80", "attempts > 1 ? 30 : 80"),
    Fault("door", "lamp stays on", "lamp(false)", "lamp(true)"),
    Fault("door", "error not cleared", "last_error = 0;", ";"),
    Fault("door", "log of the wrong value", "(int)attempts)", "(int)last_error)"),
    Fault("door", "attempts not reset", "attempts = 0;", ";"),
    Fault("key_matrix", "column 0 masked", "columns &= 0x0F;", "columns &= 0x0E;"),
    Fault("key_matrix", "mask too wide", "columns &= 0x0F;", "columns &= 0x1F;"),
    Fault("key_matrix", "stable one scan later", "#define STABLE 3", "#define STABLE 4"),
    Fault("key_matrix", "released keys are fresh", "columns & ~m->pressed[row]", "columns ^ m->pressed[row]"),
    Fault(
        "key_matrix",
        "row of the released key",
        "m->held >> 2) == row && (released",
        "m->held >> 1) == row && (released",
    ),
    Fault("key_matrix", "column of the released key", "(m->held & 3)", "(m->held & 7)"),
    Fault("key_matrix", "repeats too late", "m->age = REPEAT_AFTER - 5", "m->age = REPEAT_AFTER - 4"),
    Fault("key_matrix", "repeats one scan later", "if (++m->age >= REPEAT_AFTER)", "if (++m->age > REPEAT_AFTER)"),
    Fault(
        "key_matrix",
        "last column not found",
        "while (!(fresh & (1u << column)))",
        "while (!(fresh & (1u << column)) && column < 2)",
    ),
    Fault("battery_gauge", "highest voltage refused", "millivolts > 4500", "millivolts >= 4500"),
    Fault("battery_gauge", "no capacity accepted", "g->capacity <= 0", "g->capacity < 0"),
    Fault("battery_gauge", "offset added", "milliamps - g->offset", "milliamps + g->offset"),
    Fault("battery_gauge", "flag stays", "~(LOW | CHARGING)", "~LOW"),
    Fault("battery_gauge", "rest at 5 mA", "current > -5 && current < 5", "current > -5 && current <= 5"),
    Fault("battery_gauge", "rest counted too far", "g->rest < 600", "g->rest <= 600"),
    Fault("battery_gauge", "low at 10 %", "permille < 100", "permille <= 100"),
    Fault("battery_gauge", "too narrow", "(int64_t)g->charge * FULL", "g->charge * FULL"),
    Fault("battery_gauge", "offset left out", "g->charge += current;", "g->charge += milliamps;"),
    Fault("battery_gauge", "wrong point of the curve", "{3650, 300}", "{3650, 350}"),
    Fault("modbus_request", "mask lacks a bit", "unit & 0x7F", "unit & 0x3F"),
    Fault("modbus_request", "shift by 7", "first >> 8", "first >> 7"),
    Fault(
        "modbus_request",
        "125 registers refused",
        "function == READ && count > MOST_READ",
        "function == READ && count >= MOST_READ",
    ),
    Fault("modbus_request", "one byte too little", "needed += 1 + 2u * count", "needed += 2u * count"),
    Fault("modbus_request", "exact room refused", "room < needed", "room <= needed"),
    Fault("modbus_request", "wrong value", "(values[0] >> 8)", "(values[1] >> 8)"),
    Fault("modbus_request", "high byte of the count", "frame[at++] = (uint8_t)(count >> 8);", "frame[at++] = 0;"),
    Fault("modbus_request", "low byte lacks a bit", "(values[i] & 0xFF)", "(values[i] & 0x7F)"),
    Fault("modbus_request", "wrong polynomial", "crc >> 1 ^ 0xA001", "crc >> 1 ^ 0xA011"),
    Fault("modbus_request", "shift by 9", "values[i] >> 8)", "values[i] >> 9)"),
)
UNNOTICED = {  # file -> names of its faults that may go unnoticed
    "can_decoder": set(),
    "ring_buffer": {"head does not wrap", "names in the wrong order"},  # the test of a name is at the boundary
    "pi_controller": {"both wheels like the left"},
    "door": set(),
    "key_matrix": {"row of the released key", "column of the released key", "last column not found"},  # row 0 alone
    "battery_gauge": {"no capacity accepted", "rest at 5 mA", "low at 10 %", "too narrow", "wrong point of the curve"},
    "modbus_request": {"one byte too little", "high byte of the count", "low byte lacks a bit"},
}
MOST_TESTS = {
    "can_decoder": 18,
    "ring_buffer": 23,
    "pi_controller": 20,
    "door": 22,
    "key_matrix": 10,
    "battery_gauge": 14,
    "modbus_request": 11,
}


def fails(folder: Path, tests: Path) -> bool:
    """Whether the tests do not pass, whatever the reason."""
    build = ["gcc", "-std=gnu11", "-w", "-o", folder / "program", tests]
    subprocess.run(build, check=True, capture_output=True)
    try:
        return subprocess.run([folder / "program"], capture_output=True, timeout=10, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def noticed(folder: Path, fault: Fault) -> bool:
    source = folder / f"{fault.file}.c"
    right = source.read_text(encoding="utf-8")
    assert right.count(fault.right) == 1, fault.name
    source.write_text(right.replace(fault.right, fault.wrong), encoding="utf-8")
    try:
        return any(fails(folder, tests) for tests in sorted((folder / "tests").glob("*.c")))
    finally:
        source.write_text(right, encoding="utf-8")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("program", UNNOTICED)
def test_default_suites_notice_planted_faults(program: str, tmp_path: Path) -> None:
    source = tmp_path / f"{program}.c"
    shutil.copy(PROGRAMS / source.name, source)
    words = ["generate", str(source), "-o", str(tmp_path / "tests"), "--max-runs", "2000", "--quiet"]
    assert cli.main(words) == 0
    suites = sorted((tmp_path / "tests").glob("*.c"))
    tests = sum(text.count("\nstatic void test_") for text in (each.read_text(encoding="utf-8") for each in suites))
    assert tests <= MOST_TESTS[program]
    assert not any(fails(tmp_path, each) for each in suites)
    missed = {fault.name for fault in FAULTS if fault.file == program and not noticed(tmp_path, fault)}
    assert missed <= UNNOTICED[program]
