"""The baseline: random values. A test is kept when it reaches a branch, or evaluates a decision in a way, that none did
before: so the clang that judges also guides, and what is measured is how far chance gets, not how much it writes."""

from __future__ import annotations

import json
from pathlib import Path

from bench.mcdc.runners.byte_inputs import CLANG, HERE, LINK, compile_harness, need_clang
from bench.mcdc.runners.contract import IDLE, FoundTests, call, own_processor_time, run_as_command
from bench.mcdc.subjects import FunctionUnderTest

COUNTED = ("-O1", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc")


def find(subject: FunctionUnderTest, seconds: float, folder: Path) -> FoundTests:
    need_clang()
    start = own_processor_time()
    harness_object = compile_harness(subject, folder, *COUNTED)
    source = str(HERE / "byte_inputs.c")
    call([CLANG, "-O2", "-w", "-DRANDOM", *COUNTED[1:2], "-c", source, "-o", "main.o"], folder, 60)
    call([CLANG, *COUNTED[1:2], "main.o", harness_object, *LINK, "-o", "draw"], folder, 60)
    spent = own_processor_time() - start  # for compiling
    said = call(["./draw", f"{seconds:g}", f"{spent:.3f}", f"{IDLE:g}"], folder, seconds + 5)
    tests = [json.loads(line) for line in said.splitlines() if line.startswith('{"seconds"') and line.endswith("}}")]
    return FoundTests("random values", tests, is_anytime=True)


if __name__ == "__main__":
    run_as_command(find)
