"""Driver and written tests agree: what the driver observes is what the written test expects, for odd signatures
of all kinds, random inputs and both compilers; neither file has a warning of its own."""

import random
import re

import pytest

from tightrope.inputs.scalars import first_input
from tightrope.suite.case import Case
from tightrope.suite.writers import WRITERS

from .conftest import GCC, NATIVE, UNITS, ZIG, draw_input, open_bench, run

DEFINITION = re.compile(r"^(?:[a-z_]\w*[ *]+)+(\w+)\(.*\{", re.MULTILINE)
ALLOWED = {  # what the unit itself is warned about
    "unnamed.c": ["-Wno-c23-extensions"],
    "old_style.c": ["-Wno-deprecated-non-prototype", "-Wno-implicit-int"],
    "variable_length.c": ["-Wno-stringop-overflow", "-Wno-nonnull"],
}
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-unknown-warning-option"]
FUNCTIONS = [(unit.name, name) for unit in sorted(UNITS.glob("*.c")) for name in DEFINITION.findall(unit.read_text())]


def test_every_unit_has_functions():
    assert len(FUNCTIONS) > 70
    assert {unit for unit, _ in FUNCTIONS} == {unit.name for unit in UNITS.glob("*.c")}


@pytest.mark.parametrize(("unit", "function"), FUNCTIONS)
def test_agreement(unit, function, tmp_path):
    bench = open_bench(UNITS / unit, function, tmp_path)
    driver = bench.driver()
    program = bench.build_driver(driver)
    chance = random.Random(function)
    inputs = [first_input(driver.slots), *(draw_input(driver, chance) for _ in range(4))]
    cases = []
    for number, values in enumerate(inputs):
        ending, outputs = bench.run_driver(driver, program, values)
        cases.append(Case(f"{function}_{number}", values, ending, outputs))
    suite = bench.suite(tuple(cases))
    assert suite.slots == driver.slots
    assert suite.outputs == driver.outputs
    for name, text in (WRITERS["plain"].write(suite) | WRITERS["json"].write(suite)).items():
        (tmp_path / name).write_text(text)
    written = tmp_path / f"{suite.file_stem}.c"
    flags = WARNINGS + ALLOWED.get(unit, [])
    done = run(*NATIVE, *flags, "-o", tmp_path / "tests", written, "-lm")
    assert not done.returncode, done.stderr
    done = run(tmp_path / "tests")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("ok ") == len(cases) == 5
    compiles = [(NATIVE, tmp_path / "driver.c")]  # the written test has gone through NATIVE
    compiles += [(ZIG, written), (ZIG, tmp_path / "driver.c")] if GCC else []
    for compiler, text in compiles:
        assert_no_warning(run(*compiler, *flags, "-c", text, "-o", tmp_path / "out.o"))


def assert_no_warning(done):
    assert not done.returncode, done.stderr
